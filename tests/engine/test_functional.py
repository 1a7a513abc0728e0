"""torch.autograd.functional, gradcheck and gradgradcheck."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import leaf, names_in, torch, values

from autodiff_cli.engine.gradcheck import GradcheckFault
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import LimitFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

functional = names_in("autograd.functional")
checks = names_in("autograd")
V = [1.0, 2.0]


def array(x: Any = V) -> Tensor:
    return wrap(np.array(x, dtype=float))


def cube(x: Tensor) -> Tensor:
    return (x**3).sum()


def name(t: Tensor) -> str | None:
    return None if t.grad_fn is None else t.grad_fn.name()


# --- jacobian and hessian -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vectorize", [False, True])
def test_results_nest_as_outputs_and_inputs_do(vectorize: bool) -> None:
    def jacobian(f: Any, x: Any) -> Any:
        return functional.jacobian(f, x, vectorize=vectorize)

    square = [[2.0, 0.0], [0.0, 4.0]]
    assert jacobian(lambda x: x**2, array()).tolist() == square
    assert values(jacobian(lambda x: x**2, (array(),))) == [square]
    assert values(jacobian(lambda x: (x**2,), array())) == [square]
    assert values(jacobian(lambda x: (x**2, x.sum()), array())) == [square, [1.0, 1.0]]
    zeros, eye = [[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
    assert values(jacobian(lambda x, y: (x * 2, y), (array(), array()))) == [
        [[[2.0, 0.0], [0.0, 2.0]], zeros],
        [zeros, eye],
    ]
    assert jacobian(lambda x: array(), array()).tolist() == zeros
    assert jacobian(lambda x: wrap(1.0), array()).tolist() == [0.0, 0.0]
    assert jacobian(lambda x: x @ x, array([[1.0, 2.0], [3.0, 4.0]])).shape == (2, 2, 2, 2)
    assert jacobian(lambda x: x > 1, array()).tolist() == zeros
    if vectorize:
        assert jacobian(lambda x: x * 2, array([])).shape == (0, 0)
    else:
        with pytest.raises(RuntimeError, match="without elements"):  # PyTorch stacks the rows, and there are none
            jacobian(lambda x: x * 2, array([]))


def test_hessian() -> None:
    assert functional.hessian(cube, array()).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    found = functional.hessian(lambda x, y: (x * y).sum(), (array(), array()))
    assert values(found)[0][1] == [[1.0, 0.0], [0.0, 1.0]] and values(found)[0][0] == [[0.0, 0.0], [0.0, 0.0]]
    assert values(functional.hessian(cube, (array(),))) == [[[[6.0, 0.0], [0.0, 12.0]]]]
    assert functional.hessian(lambda x: x.sum(), array()).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert functional.hessian(lambda x: wrap(1.0), array()).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert functional.hessian(lambda x: x**3, wrap(2.0)).item() == 12.0
    assert functional.hessian(lambda x: cube(x).reshape(1), array()).tolist() == [[6.0, 0.0], [0.0, 12.0]]


def test_nothing_is_added_and_nothing_stays_on_a_graph() -> None:
    x, w = leaf(V), leaf(3.0)
    for result in (
        functional.jacobian(lambda x: x * w, x),
        functional.hessian(lambda x: cube(x) * w, x),
        *functional.vjp(lambda x: x * w, x, array()),
        *functional.jvp(lambda x: x * w, x, array()),
        *functional.hvp(lambda x: cube(x) * w, x, array()),
    ):
        assert not result.requires_grad
    assert x.grad is None and w.grad is None
    with tape.grad_mode(False):
        assert functional.jacobian(lambda x: x**2, array()).tolist() == [[2.0, 0.0], [0.0, 4.0]]


def test_create_graph() -> None:
    x = leaf(V)
    j = functional.jacobian(lambda x: x**2, x, create_graph=True)
    assert name(j) == "ViewBackward0"
    j.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 2.0]
    assert name(functional.jacobian(lambda x: x**2, array(), create_graph=True)) == "ViewBackward0"
    assert name(functional.jacobian(lambda x: x * 2, x, create_graph=True)) is None
    out, product = functional.vjp(lambda x: x**2, x, array(), create_graph=True)
    assert (name(out), name(product)) == ("PowBackward0", "MulBackward0")
    out, product = functional.jvp(lambda x: x**2, array(), leaf(V), create_graph=True)
    assert product.requires_grad
    assert functional.hvp(cube, x, array(), create_graph=True)[1].requires_grad


# --- products -------------------------------------------------------------------------------------------------------


def test_products() -> None:
    assert values(functional.vjp(lambda x: x**2, array(), array())) == [[1.0, 4.0], [2.0, 8.0]]
    assert values(functional.vjp(cube, array())) == [9.0, [3.0, 12.0]]
    two = functional.vjp(lambda x, y: (x * y, x + y), (array(), array()), (array(), array()))
    assert values(two) == [[[1.0, 4.0], [2.0, 4.0]], [[2.0, 6.0], [2.0, 6.0]]]
    assert values(functional.jvp(lambda x: x**2, array(), array())) == [[1.0, 4.0], [2.0, 8.0]]
    assert values(functional.jvp(lambda x: x**2, wrap(2.0))) == [4.0, 4.0]
    assert values(functional.jvp(lambda x: (x**2, x), array(), array()))[1] == [[2.0, 8.0], [1.0, 2.0]]
    for product in (functional.hvp, functional.vhp):
        assert values(product(cube, array(), array())) == [9.0, [6.0, 24.0]]
        mixed = product(lambda x, y: (x * y * y).sum(), (array(), array()), (array(), array()))
        assert values(mixed) == [9.0, [[2.0, 8.0], [4.0, 16.0]]]
        assert values(product(lambda x: x.sum(), array(), array())) == [3.0, [0.0, 0.0]]
        assert values(product(lambda x: wrap(1.0), array(), array())) == [1.0, [0.0, 0.0]]
        assert values(product(lambda x: x**3, wrap(2.0))) == [8.0, 12.0]
    assert values(functional.vjp(lambda x, y: x, (array(), array()), array()))[1] == [V, [0.0, 0.0]]


STRICT = [
    lambda **o: functional.jacobian(lambda x: array([1.0]), array(), strict=True, **o),
    lambda **o: functional.jacobian(lambda x, y: x * 2, (array(), array()), strict=True, **o),
    lambda **o: functional.hessian(lambda x: x.sum(), array(), strict=True, **o),
    lambda **o: functional.vjp(lambda x: array(), array(), array(), strict=True, **o),
    lambda **o: functional.vjp(lambda x, y: x * 1, (array(), array()), array(), strict=True, **o),
    lambda **o: functional.jvp(lambda x: array(), array(), array(), strict=True, **o),
    lambda **o: functional.jvp(lambda x, y: x * 1, (array(), array()), (array(), array()), strict=True, **o),
    lambda **o: functional.hvp(lambda x: x.sum(), array(), array(), strict=True, **o),
    lambda **o: functional.vhp(lambda x: x.sum(), array(), array(), strict=True, **o),
]


@pytest.mark.parametrize("call", STRICT)
@pytest.mark.parametrize("create_graph", [False, True])
def test_strict_forbids_independence(call: Any, create_graph: bool) -> None:
    with pytest.raises(RuntimeFault):
        call(create_graph=create_graph)


def test_strict_with_create_graph_forbids_constant_derivatives() -> None:
    functional.jacobian(lambda x: x * 2, leaf(V), strict=True)
    with pytest.raises(RuntimeFault, match="derivative"):
        functional.jacobian(lambda x: x * 2, leaf(V), strict=True, create_graph=True)
    with pytest.raises(RuntimeFault):
        functional.vjp(lambda x: x * 2, leaf(V), array(), strict=True, create_graph=True)


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: functional.jacobian(lambda x: x, [array()]), TypeFault),
        (lambda: functional.jacobian(lambda x: [x], array()), TypeFault),
        (lambda: functional.jacobian(lambda x: 2.0, array()), TypeFault),
        (lambda: functional.jacobian(lambda x: x * 2.0, wrap(1)), RuntimeFault),
        (lambda: functional.jacobian(lambda x: x, array(), strategy="forward-mode"), NotImplementedFault),
        (lambda: functional.jacobian(lambda x: x, array(), strategy="x"), ValueFault),
        (lambda: functional.jacobian(lambda x: x, array(), strict=True, vectorize=True), RuntimeFault),
        (lambda: functional.jacobian(lambda x: x, array(np.zeros(20000))), LimitFault),
        (lambda: functional.hessian(lambda x: x**2, array()), RuntimeFault),
        (lambda: functional.hessian(lambda x: (cube(x),), array()), RuntimeFault),
        (lambda: functional.vjp(lambda x: x**2, array()), RuntimeFault),
        (lambda: functional.vjp(lambda x: x**2, array(), array([1.0])), RuntimeFault),
        (lambda: functional.vjp(lambda x: x**2, array(), (array(), array())), RuntimeFault),
        (lambda: functional.vjp(cube, array(), 2.0), TypeFault),
        (lambda: functional.jvp(lambda x: x**2, array()), RuntimeFault),
        (lambda: functional.jvp(lambda x: x > 1, array(), array()), RuntimeFault),
        (lambda: functional.hvp(lambda x: x, array(), array()), RuntimeFault),
        (lambda: functional.vhp(cube, array()), RuntimeFault),
    ],
)
def test_refused(call: Any, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        call()


# --- gradcheck ------------------------------------------------------------------------------------------------------


def test_gradcheck_passes_what_is_right() -> None:
    assert checks.gradcheck(torch.sin, leaf(V))
    assert checks.gradcheck(lambda a, b, k: (a * b * k, a.sum()), (leaf(V), leaf(3.0), 2.0))
    assert checks.gradcheck(torch.abs, leaf([0.0, 1.0]))
    assert checks.gradcheck(lambda x: wrap(1.0), leaf(V)) and checks.gradcheck(torch.sin, leaf([]))
    assert checks.gradcheck(lambda x: (x * 2, x > 1), leaf(V))
    assert checks.gradgradcheck(torch.sin, leaf(V))
    assert checks.gradgradcheck(lambda a, b: a * b * b, (leaf(V), leaf(3.0)))
    assert checks.gradgradcheck(torch.sin, leaf(V), array())


def test_gradcheck_finds_what_is_wrong() -> None:
    def wrong(x: Tensor) -> Tensor:
        return x * x.detach()

    with pytest.raises(GradcheckFault, match="output 0 and input 0"):
        checks.gradcheck(wrong, leaf(V))
    assert checks.gradcheck(wrong, leaf(V), raise_exception=False) is False
    assert checks.gradcheck(wrong, leaf(V), atol=10.0)
    assert checks.gradgradcheck(lambda x: wrong(x) * x, leaf(V), raise_exception=False) is False
    with pytest.raises(RuntimeFault):
        checks.gradcheck(torch.relu, leaf([0.0]))


def test_gradcheck_needs_something_to_check() -> None:
    for check in (checks.gradcheck, checks.gradgradcheck):
        with pytest.raises(ValueFault):
            check(torch.sin, array())
    with pytest.raises(TypeFault):
        checks.gradcheck(lambda x: 2.0, leaf(V))


def test_gradcheck_warns_of_too_few_digits() -> None:
    warnings: list[str] = []
    before, tape.warn = tape.warn, warnings.append
    try:
        assert not checks.gradcheck(lambda x: x**2, leaf(V).detach().float().requires_grad_(), raise_exception=False)
        assert checks.gradcheck(lambda x: x**2, leaf(V).detach().float().requires_grad_(), eps=1e-2, atol=1e-1)
    finally:
        tape.warn = before
    assert warnings and "float32" in warnings[0]


def test_forward_mode_goes_by_columns() -> None:
    """The zeros beside a negative derivative are negative in its row; by rows they would be in its column."""
    options = {"vectorize": True, "strategy": "forward-mode"}
    found = functional.jacobian(lambda x: x * array(np.array([1.0, -2.0])), array(np.array([1.0, 2.0])), **options)
    assert str(found.tolist()) == "[[1.0, 0.0], [-0.0, -2.0]]"
    pair = array(np.array([1.0])), array(np.array([2.0]))
    many = functional.jacobian(lambda x, y: (x * y, x.sum()), pair, **options)
    assert [[t.tolist() for t in block] for block in many] == [[[[2.0]], [[1.0]]], [[1.0], [0.0]]]
