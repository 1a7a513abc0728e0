"""Powers: the corners at 0, negative bases, integers, and the nodes of the three overloads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault


def both(values, f):
    """A result and its derivatives of order 1 and 2, on an array and on scalars, which must agree."""
    with quiet():
        x = leaf(values)
        y = f(x)
        found = [listed(y), slopes(y, x)[0], slopes(y, x, order=2)[0]]
        for i, v in enumerate(values):
            s = leaf(v)
            y = f(s)
            for part, whole in zip([listed(y), slopes(y, s)[0], slopes(y, s, order=2)[0]], found, strict=True):
                assert part == pytest.approx(whole[i], rel=1e-15, nan_ok=True)
    return found


def test_whole_exponents():
    assert both([0.0, -2.0, 3.0], lambda x: x**3) == [[0.0, -8.0, 27.0], [0.0, 12.0, 27.0], [0.0, -12.0, 18.0]]
    assert both([0.0, -2.0, math.inf], lambda x: x**0) == [[1.0] * 3, [0.0] * 3, [0.0] * 3]
    assert both([0.0, -2.0], lambda x: x**1) == [[0.0, -2.0], [1.0, 1.0], [0.0, 0.0]]


def test_zero_to_negative_and_fractional_powers():
    assert both([0.0], lambda x: x**-1) == [[math.inf], [-math.inf], [math.inf]]
    assert both([0.0], lambda x: x**0.5) == [[0.0], [math.inf], [-math.inf]]
    value, slope, _ = both([-8.0], lambda x: x ** (1 / 3))
    assert math.isnan(value[0]) and math.isnan(slope[0])
    assert both([-0.0], lambda x: x**2)[0] == [0.0]


def test_the_slope_in_the_exponent():
    assert both([0.0, 1.0, 2.5], lambda n: call("pow", leaf(0.0), n))[1] == [0.0, 0.0, 0.0]
    assert both([2.0, 3.0], lambda n: 2**n)[1] == pytest.approx([4 * math.log(2), 8 * math.log(2)])
    n, x = leaf([0.0, 2.0]), leaf([0.0, 0.0])
    y = x**n
    assert listed(y) == [1.0, 0.0]
    assert slopes(y, x, n) == [[0.0, 0.0], [0.0, 0.0]]
    assert slopes(y, n, order=2) == [[0.0, 0.0]]


def test_x_to_the_x():
    y = both([1.0, 2.0], lambda x: x**x)
    assert y[1] == pytest.approx([1.0, 4 * (1 + math.log(2))])


def test_nodes():
    x, n = leaf([2.0]), leaf([3.0])
    assert (x**2).grad_fn.name() == call("square", x).grad_fn.name() == "PowBackward0"
    assert (x**n).grad_fn.name() == "PowBackward1"
    assert (2**n).grad_fn.name() == "PowBackward2"
    assert [len(y.grad_fn.next_functions) for y in (x**2, x**n, 2**n)] == [1, 2, 1]


def test_integers():
    i = const([2, -3])
    assert listed(i**2) == [4, 9]
    assert listed(2 ** const([3, 0])) == [8, 1]
    assert listed(const([2, 3]) ** 0.5)[0] == math.sqrt(2)
    assert listed(const([1, -1, -1, 2, 0]) ** const([-2, -2, -3, -1, 0])) == [1, 1, -1, 0, 1]
    assert (const([True, False]) ** 2).dtype.name == "int64"
    with pytest.raises(RuntimeFault, match=r"negative|integer"):
        i**-1
    with pytest.raises(NotImplementedFault):
        const([True]) ** const([True])
    with pytest.raises(TypeFault, match="neither"):
        call("pow", 2, 3)


def test_float_power_is_double():
    y = call("float_power", const([2.0], "float32"), 2)
    assert (y.dtype.name, listed(y)) == ("float64", [4.0])
    assert call("float_power", 2, const([3])).dtype.name == "float64"


def test_the_same_digits_as_products():
    x = 1.1
    assert listed(leaf(x) ** 3) == listed(leaf([x]) ** 3)[0] == x * x * x
    assert listed(leaf(x) ** -2) == 1 / (x * x)
    assert listed(leaf(x) ** 0.5) == math.sqrt(x)


def test_overflow_is_infinite():
    with quiet():
        assert listed(leaf(1e300) ** 2.5) == math.inf
        assert listed(10.0 ** leaf(400.0)) == math.inf
        assert np.isinf((leaf([1e300]) ** 2).value).all()


def test_ldexp():
    x, n = leaf([0.75, 1e-300]), leaf([2.0, 1200.0])
    y = call("ldexp", x, n)
    assert listed(y) == pytest.approx([3.0, 1e-300 * 2.0**600 * 2.0**600])
    assert slopes(call("ldexp", x, const([2, -1])), x) == [[4.0, 0.5]]
    assert slopes(call("ldexp", const([1]), n), n)[0][0] == pytest.approx(4 * math.log(2))
