"""Comparisons, logic and bits."""

from __future__ import annotations

import math
import operator

import pytest
from engine.ops.calling import call, const, leaf, listed

from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault


def test_order_is_bool_and_on_no_graph():
    x = leaf([1.0, 2.0])
    y = x > 1
    assert (listed(y), y.dtype.name, y.requires_grad) == ([False, True], "bool", False)
    assert listed(call("less_equal", x, const([1, 1]))) == [True, False]
    assert listed(leaf(2.0) != 2.0) is False
    assert listed(const([math.nan]) == const([math.nan])) == [False]
    with pytest.raises(TypeFault):
        call("eq", 1, x)
    assert (x == "a") is False


def test_logic_takes_any_dtype():
    x, i = const([0.0, 2.0]), const([3, 0])
    assert listed(call("logical_and", x, i)) == [False, False]
    assert listed(call("logical_or", x, i)) == [True, True]
    assert listed(call("logical_xor", x, x)) == [False, False]
    assert listed(call("logical_not", x)) == [True, False]
    with pytest.raises(TypeFault):
        call("logical_and", x, 1)


def test_bits():
    i, b = const([6, 3]), const([True, False])
    assert [listed(i & 2), listed(i | 1), listed(i ^ i), listed(~i)] == [[2, 2], [7, 3], [0, 0], [-7, -4]]
    assert [listed(b & True), listed(b ^ b), listed(~b)] == [[True, False], [False, False], [False, True]]
    assert listed(~(leaf(1.0) > 2.0)) is True
    assert [listed(i << 1), listed(i >> 1), listed(1 << i), listed(i << 70)] == [[12, 6], [3, 1], [64, 8], [0, 0]]
    for wrong in (
        lambda: const([1.0]) & 1,
        lambda: const(1.0) ^ const(2.0),
        lambda: leaf([1.0]) << 1,
    ):
        with pytest.raises(NotImplementedFault):
            wrong()


def test_a_float_has_no_opposite():
    for x in (leaf(1.0), leaf([1.0])):
        with pytest.raises(TypeFault, match="~"):
            operator.invert(x)
        with pytest.raises(NotImplementedFault):
            call("bitwise_not", x)


def test_kinds_of_numbers():
    x = const([math.nan, math.inf, -math.inf, 1.0])
    names = ("isnan", "isinf", "isfinite", "isposinf", "isneginf")
    assert [listed(call(n, x)) for n in names] == [
        [True, False, False, False],
        [False, True, True, False],
        [False, False, False, True],
        [False, True, False, False],
        [False, False, True, False],
    ]
    assert [listed(call(n, const(-math.inf))) for n in names] == [False, True, False, False, True]
    assert listed(call("isnan", const([1, 2]))) == [False, False]


def test_closeness():
    a = const([1.0, math.nan, math.inf, 1e9])
    b = const([1.0 + 1e-9, math.nan, math.inf, 1.1e9])
    assert listed(call("isclose", a, b)) == [True, False, True, False]
    assert listed(call("isclose", a, b, equal_nan=True)) == [True, True, True, False]
    assert listed(call("isclose", const([1, 2]), const([1, 3]))) == [True, False]
    assert call("allclose", a, a) is False
    assert call("allclose", a, a, equal_nan=True) is True
    assert call("equal", const([1, 2]), const([1.0, 2.0])) is True
    assert call("equal", const([1, 2]), const([1])) is False
    with pytest.raises(RuntimeFault, match="dtype"):
        call("allclose", const([1.0]), const([1]))
    with pytest.raises(RuntimeFault, match="negative"):
        call("isclose", a, a, rtol=-1)
