"""Division in all roundings: signs, zeros, integers, slopes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

A, B = [7, -7, 7, -7], [2, 2, -2, -2]


def test_integers():
    a, b = const(A), const(B)
    assert listed(a / b) == [3.5, -3.5, -3.5, 3.5]
    assert listed(a // b) == [3, -4, -4, 3]
    assert listed(a % b) == [1, 1, -1, -1]
    assert listed(call("fmod", a, b)) == [1, -1, 1, -1]
    assert listed(call("div", a, b, rounding_mode="trunc")) == [3, -3, -3, 3]
    assert listed(call("div", a, b, rounding_mode="floor")) == [3, -4, -4, 3]


@pytest.mark.parametrize("values", [np.array(A, float), 7.0, -7.0])
def test_floats_agree_with_integers(values):
    for b in (2.0, -2.0):
        with quiet():
            x, y = leaf(values), leaf(b)
            assert listed(x // y) == np.floor(values / b).tolist()
            assert listed(call("fmod", x, y)) == np.fmod(values, b).tolist()
            assert listed(x % y) == np.mod(values, b).tolist()


def test_by_zero():
    for wrong in (lambda i: i // 0, lambda i: i % 0, lambda i: call("fmod", i, 0)):
        with pytest.raises(RuntimeFault, match="zero"):
            wrong(const([1, 2]))
    with quiet():
        x = leaf([1.0, -1.0])
        assert listed(x // 0) == [math.inf, -math.inf]
        assert np.isnan((x % 0).value).all()
        assert listed(leaf(1.0) // 0.0) == math.inf
        assert listed(const([1, 2]) / 0) == [math.inf, math.inf]


def test_a_quotient_rounded_up_to_a_whole_number():
    # 1 / 0.1 is 10 in floating point; 0.1 goes into 1 nine times and a bit, since 0.1 is a little more
    assert listed(leaf(1.0) // 0.1) == 9.0
    assert listed(leaf([1.0]) // 0.1) == [9.0]
    # (734.5 - 1.9) / 3.3 is 221.99999999999997 in floating point
    assert listed(leaf([734.5]) // 3.3) == [listed(leaf(734.5) // 3.3)] == [222.0]


def test_signed_zeros():
    for y in (call("div", leaf(-0.5), 2.0, rounding_mode="trunc"), leaf(-4.0) % 2.0):
        assert math.copysign(1.0, listed(y)) == -1.0


def test_slopes_of_remainders():
    x, m = leaf([5.5, -5.5]), leaf([2.0, 3.0])
    assert slopes(x % m, x, m) == [[1.0, 1.0], [-2.0, 2.0]]
    assert slopes(call("fmod", x, m), x, m) == [[1.0, 1.0], [-2.0, 1.0]]
    assert (x % 2).grad_fn.name() == "RemainderBackward0"
    assert (x % m).grad_fn.name() == "RemainderBackward1"


def test_rounded_division_is_flat_and_floor_division_has_no_derivative():
    x, m = leaf([5.5]), leaf([2.0])
    assert slopes(call("div", x, m, rounding_mode="floor"), x, m) == [[0.0], [0.0]]
    for y in (x // m, x // 2, 2 // x, 2 % x):
        assert y.grad_fn.name() == "torch::autograd::NotImplemented"
        with pytest.raises(RuntimeFault, match="no derivative"):
            slopes(y, x)
    assert [n[0] is not None for n in (x // 2).grad_fn.next_functions] == [True]


def test_refusals():
    with pytest.raises(RuntimeFault, match="rounding_mode"):
        call("div", leaf(1.0), 2, rounding_mode="up")
    with pytest.raises(NotImplementedFault):
        const([True]) // const([True])


def test_quotients_of_large_numbers_have_slopes():
    b = leaf([1e200])
    assert slopes(call("div", const([1e200]), b), b) == [[-1e-200]]


def test_common_divisors_and_multiples():
    a, b = const([12, -4, 0]), const([18, 6, 5])
    assert listed(call("gcd", a, b)) == [6, 2, 5]
    assert listed(call("lcm", a, b)) == [36, 12, 0]
    with pytest.raises(NotImplementedFault):
        call("gcd", leaf([1.0]), leaf([2.0]))
