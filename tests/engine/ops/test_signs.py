"""Signs and roundings: halves, signed zeros, nan, flat slopes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.errors import NotImplementedFault, RuntimeFault

HALVES = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.3, -0.3]


@pytest.mark.parametrize(
    ("name", "reference"), [("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc), ("round", np.rint)]
)
def test_roundings(name, reference):
    want = reference(HALVES).tolist()
    y = call(name, leaf(HALVES))
    assert list(map(repr, listed(y))) == list(map(repr, want))  # repr tells -0.0 from 0.0
    assert [repr(listed(call(name, leaf(h)))) for h in HALVES] == list(map(repr, want))
    assert y.grad_fn.name() == f"{name.capitalize()}Backward0"
    assert listed(call(name, const([3, -4]))) == [3, -4]
    assert math.isinf(listed(call(name, leaf(math.inf))))
    with pytest.raises(NotImplementedFault):
        call(name, const([True]))


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "round", "sign"])
def test_a_flat_gradient_is_on_no_graph(name):
    from autodiff_cli.engine import autograd

    x = leaf([0.5, math.inf])
    (slope,) = autograd.grad(call(name, x), x, leaf([math.inf, 1.0]), create_graph=True)
    assert listed(slope) == [0.0, 0.0]
    assert not slope.requires_grad


def test_round_to_decimals():
    x = leaf([2.345, -0.05, 245.0])
    assert listed(call("round", x, decimals=1)) == [2.3, -0.0, 245.0]
    assert listed(call("round", x, decimals=-1)) == [0.0, -0.0, 240.0]
    assert call("round", x, decimals=0).grad_fn.name() == "RoundBackward1"
    with pytest.raises(NotImplementedFault):
        call("round", const([1]), decimals=1)


def test_absolute_value_and_sign():
    x = leaf([-2.0, 0.0, 3.0, math.nan])
    assert slopes(call("abs", x), x)[0][:3] == [-1.0, 0.0, 1.0]
    assert listed(call("sign", x)) == [-1.0, 0.0, 1.0, 0.0]
    assert listed(call("sgn", const([-5, 0, 5]))) == [-1, 0, 1]
    assert listed(call("sign", const([True, False]))) == [True, False]
    assert listed(abs(leaf(-2.0))) == 2.0


def test_frac_and_signbit():
    x = leaf([-1.5, 2.25])
    y = call("frac", x)
    assert listed(y) == [-0.5, 0.25]
    assert slopes(y, x) == [[1.0, 1.0]]
    assert listed(call("signbit", const([-0.0, 0.0, -1.0]))) == [True, False, True]
    assert listed(call("signbit", const([-1, 1]))) == [True, False]


def test_copysign():
    x = leaf([2.0, -3.0, 0.0])
    y = call("copysign", x, -1)
    assert listed(y) == [-2.0, -3.0, -0.0]
    assert slopes(y, x) == [[-1.0, 1.0, 0.0]]
    assert call("copysign", const([1]), const([-2])).dtype.name == "float64"


def test_nan_to_num():
    x = leaf([math.nan, math.inf, -math.inf, 1.0])
    y = call("nan_to_num", x, nan=5.0, neginf=-9.0)
    assert listed(y) == [5.0, np.finfo(float).max, -9.0, 1.0]
    assert slopes(y, x) == [[0.0, 0.0, 0.0, 1.0]]
    assert listed(call("nan_to_num", const([1, 2]))) == [1, 2]


def test_heaviside():
    assert listed(call("heaviside", const([-1.0, 0.0, 2.0, math.nan]), const(0.5))) == [0.0, 0.5, 1.0, 0.0]
    with pytest.raises(RuntimeFault, match="dtype"):
        call("heaviside", const([1.0]), const([1]))
