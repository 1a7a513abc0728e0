"""The modified Bessel functions i0 and i1, and their forms scaled by exp(-|x|).

I_n' = (I_(n-1) + I_(n+1)) / 2 (Abramowitz and Stegun 9.6.26), with I_(-1) = I_1: no division by x, so derivatives of
any order are right at 0.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np, special
from autodiff_cli.engine.ops.declare import METHOD, floating, unary
from autodiff_cli.engine.ops.signs import sgn
from autodiff_cli.engine.registry import Op


def _neighbours(function: Op, x: Any, order: int) -> Any:
    """Half the sum of the functions of the orders before and after."""
    above = function(x, order=order + 1)
    return above if order == 0 else 0.5 * (function(x, order=order - 1) + above)


bessel_i: Op = floating(
    "bessel_i",
    None,
    lambda x, *, order=0: np.asarray(special.iv(order, x)).astype(np.asarray(x).dtype),
    lambda g, _y, x, *, order=0: g * _neighbours(bessel_i, x, order),
    "a modified Bessel function of whole order",
    grad_fn="SpecialI1Backward0",
    formulas=("(bessel_i(x, order - 1) + bessel_i(x, order + 1)) / 2",),
)
bessel_ie: Op = floating(
    "bessel_ie",
    None,
    lambda x, *, order=0: np.asarray(special.ive(order, x)).astype(np.asarray(x).dtype),
    lambda g, y, x, *, order=0: g * (_neighbours(bessel_ie, x, order) - sgn(x) * y),
    "a modified Bessel function of whole order, times exp(-abs(x))",
    grad_fn="SpecialI1EBackward0",
    domain=((0.5, 3.0),),
    formulas=("(bessel_ie(x, order - 1) + bessel_ie(x, order + 1)) / 2 - sign(x) * y",),
)
i0 = floating(
    "i0",
    None,
    lambda x: special.i0(x),
    lambda g, _y, x: g * bessel_i(x, order=1),
    "the modified Bessel function of order 0",
    formulas=("i1(x)",),
)
i1 = floating(
    "i1",
    None,
    lambda x: special.i1(x),
    lambda g, _y, x: g * _neighbours(bessel_i, x, 1),
    "the modified Bessel function of order 1",
    grad_fn="SpecialI1Backward0",
    formulas=("i0(x) - y / x",),
)
i0e = floating(
    "i0e",
    None,
    lambda x: special.i0e(x),
    lambda g, y, x: g * (bessel_ie(x, order=1) - sgn(x) * y),
    "i0(x) * exp(-abs(x))",
    grad_fn="SpecialI0EBackward0",
    domain=((0.5, 3.0),),
    kinks="at 0 the derivative is 0",
    formulas=("i1e(x) - sign(x) * y",),
)
i1e = floating(
    "i1e",
    None,
    lambda x: special.i1e(x),
    lambda g, y, x: g * (_neighbours(bessel_ie, x, 1) - sgn(x) * y),
    "i1(x) * exp(-abs(x))",
    grad_fn="SpecialI1EBackward0",
    domain=((0.5, 3.0),),
    formulas=("i0e(x) - (sign(x) + 1 / x) * y",),
)

unary(i0, "i0", places=METHOD, special=("i0",))
for _op in (i0e, i1, i1e):
    unary(_op, _op.name, places=("special",), in_place=False)
