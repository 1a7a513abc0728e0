"""The argument `out=`: the result is written into a tensor, which is returned."""

from __future__ import annotations

import pytest

from autodiff_cli.engine import methods  # noqa: F401  (fills the registry)
from autodiff_cli.engine.outputs import call_into
from autodiff_cli.engine.registry import FUNCTIONS
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap
from autodiff_cli.errors import Fault, RuntimeFault, TypeFault


def into(name: str, *args: object, out: object) -> object:
    return call_into(FUNCTIONS["torch", name].call, args, {"out": out}, name)


def array(*numbers: float, dtype: str = "float64") -> Tensor:
    import numpy as np

    return wrap(np.array(numbers, dtype=dtype))


def test_the_result_is_written_and_returned() -> None:
    out = array(0.0, 0.0)
    assert into("add", array(1.0, 2.0), array(3.0, 4.0), out=out) is out
    assert out.tolist() == [4.0, 6.0]


def test_another_shape_is_taken_on() -> None:
    out = array()
    into("exp", array(0.0, 0.0, 0.0), out=out)
    assert out.tolist() == [1.0, 1.0, 1.0]


def test_several_results() -> None:
    values, indices = array(), array(dtype="int64")
    into("sort", array(3.0, 1.0, 2.0), out=(values, indices))
    assert values.tolist() == [1.0, 2.0, 3.0] and indices.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("out", "fault", "words"),
    [
        (3.0, TypeFault, "'out' must be a tensor"),
        ((array(), array()), TypeFault, "1 results"),
        (array(0.0, dtype="int64"), RuntimeFault, "can't hold"),
    ],
)
def test_what_cannot_be_written(out: object, fault: type[Fault], words: str) -> None:
    with pytest.raises(fault, match=words):
        into("exp", array(1.0), out=out)


def test_a_gradient_cannot_be_recorded() -> None:
    leaf, out = new_leaf(array(1.0).value), array(0.0)
    with pytest.raises(RuntimeFault, match="records no history"):
        into("exp", leaf, out=out)
    with tape.grad_mode(False):
        into("exp", leaf, out=out)
    assert out.tolist() == [2.718281828459045]
