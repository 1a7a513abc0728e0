"""Sums, products, interpolation and where: dtypes, plain numbers, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault


def test_sums_take_a_factor():
    x, y = leaf([1.0, 2.0]), leaf([3.0, 5.0])
    z = call("add", x, y, alpha=2)
    assert listed(z) == [7.0, 12.0]
    assert slopes(z, x, y) == [[1.0, 1.0], [2.0, 2.0]]
    z = call("sub", x, y, alpha=0.5)
    assert listed(z) == [-0.5, -0.5]
    assert slopes(z, x, y) == [[1.0, 1.0], [-0.5, -0.5]]
    assert z.grad_fn.name() == "SubBackward0"


def test_a_fractional_factor_needs_floats():
    with pytest.raises(RuntimeFault, match="alpha"):
        call("add", const([1]), const([2]), alpha=0.5)
    assert call("add", const([True]), const([True]), alpha=2).dtype.name == "bool"


def test_bools_are_not_subtracted():
    mask = const([True, False])
    for wrong in (lambda: mask - 1, lambda: 1 - mask, lambda: const([1.0, 2.0]) - mask, lambda: mask - mask):
        with pytest.raises(RuntimeFault, match="bool tensor"):
            wrong()
    for wrong in (lambda: const(True) - leaf(0.5), lambda: -mask, lambda: +mask):
        with pytest.raises(RuntimeFault):
            wrong()
    assert listed(mask + mask) == [True, False]
    assert listed(mask * const([2, 3])) == [2, 0]


def test_a_number_first_has_its_own_node():
    x = leaf([1.0, 4.0])
    assert (1 - x).grad_fn.name() == "RsubBackward1"
    quotient = 1 / x
    assert quotient.grad_fn.name() == "MulBackward0"
    assert quotient.grad_fn.next_functions[0][0].name() == "ReciprocalBackward0"
    assert slopes(quotient, x) == [[-1.0, -0.0625]]
    assert [n[0] is not None for n in (x + 2).grad_fn.next_functions] == [True, False]


def test_functions_take_numbers_where_pytorch_does():
    assert listed(call("add", 1, leaf(2.0))) == 3.0
    assert call("mul", 2, 3).dtype.name == "int64"
    with pytest.raises(TypeFault):
        call("neg", 1.0)
    with pytest.raises(TypeFault):
        call("add", leaf(1.0), "a")


def test_lerp_meets_both_ends():
    a, b, w = leaf([0.1, 0.1]), leaf([0.7, 0.7]), leaf([0.0, 1.0])
    y = call("lerp", a, b, w)
    assert listed(y) == [0.1, 0.7]
    assert slopes(y, a, b, w) == [[1.0, 0.0], [0.0, 1.0], [0.7 - 0.1] * 2]
    assert call("lerp", a, b, 0.25).grad_fn.name() == "LerpBackward0"
    with pytest.raises(RuntimeFault, match="dtype"):
        call("lerp", a, const([1.0, 1.0], "float32"), 0.5)
    with pytest.raises(NotImplementedFault):
        call("lerp", const([1]), const([2]), 0.5)


def test_addcdiv_does_not_overflow_where_its_slope_is_finite():
    c = leaf([1e200])
    (slope,) = slopes(call("addcdiv", const([0.0]), const([1e200]), c, value=2.0), c)
    assert slope == [-2e-200]
    with pytest.raises(RuntimeFault, match="integers"):
        call("addcdiv", const([1]), const([1]), const([1]))
    assert listed(call("addcmul", const([1, 1]), const([2, 3]), const([4, 5]), value=2)) == [17, 31]


def test_where_passes_nothing_to_the_branch_not_taken():
    a, b = leaf([1.0, 2.0]), leaf([[3.0], [4.0]])
    y = call("where", const([True, False]), a, b)
    assert listed(y) == [[1.0, 3.0], [1.0, 4.0]]
    assert slopes(y, a, b) == [[2.0, 0.0], [[1.0], [1.0]]]
    x = leaf([-1.0, 4.0])
    y = call("where", x > 0, call("sqrt", x), x)
    assert np.isnan(slopes(y, x)[0][0])  # sqrt'(-1) is nan, and 0 * nan is nan


def test_where_alone_lists_the_places():
    rows, columns = call("where", const([[True, False], [False, True]]))
    assert (listed(rows), listed(columns)) == ([0, 1], [0, 1])
    assert listed(call("where", const(True))[0]) == [0]


def test_where_promotes_its_branches():
    mask = const([True, False])
    assert call("where", mask, 1, 2).dtype.name == "int64"
    assert call("where", mask, const([1.0, 2.0], "float32"), 2.5).dtype.name == "float32"
    with pytest.raises(RuntimeFault, match="bool"):
        call("where", const([1, 0]), 1.0, 2.0)
    with pytest.raises(TypeFault):
        call("where", mask, 1.0, None)
