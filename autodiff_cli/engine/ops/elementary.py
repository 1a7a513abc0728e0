"""Roots, exponentials, logarithms, trigonometric and hyperbolic functions, angles.

Rules are PyTorch's formulas except where those lose digits that mathematics has: factors (1 - x)(1 + x)
instead of 1 - x * x, `hypot` instead of a square that overflows, and for `tanh` and `expm1`, whose results
are rounded to 1 and -1 long before their slopes vanish, the operand as a hint.

Invariant: scalar and array forms agree to the last place or two.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.declare import (
    POSITIVE,
    binary,
    floating,
    floating_check,
    form_in_place,
    no_rule,
    refuse_flags,
    unary,
)
from autodiff_cli.engine.registry import Op, pointwise
from autodiff_cli.errors import NotImplementedFault

LN2 = math.log(2.0)
LN10 = math.log(10.0)
INSIDE = ((-0.9, 0.9),)


# --- roots ----------------------------------------------------------------------------------------

sqrt = floating(
    "sqrt",
    math.sqrt,
    lambda x: np.sqrt(x),
    lambda g, y, _x: g / (2.0 * y),
    "the square root",
    domain=POSITIVE,
    kinks="at 0 the derivative is inf",
)
rsqrt = floating(
    "rsqrt",
    lambda x: 1.0 / math.sqrt(x),
    lambda x: np.true_divide(1.0, np.sqrt(x)),
    lambda g, y, _x: -0.5 * g * (y * y * y),
    "one over the square root",
    domain=POSITIVE,
)
hypot = pointwise(
    "hypot",
    math.hypot,
    lambda a, b: np.hypot(a, b),
    [lambda g, y, a, _b: g * (a / y), lambda g, y, _a, b: g * (b / y)],
    domain=((0.5, 2.0), (0.5, 2.0)),
    kinks="at (0, 0) the derivative is nan",
    about="sqrt(a**2 + b**2) without overflow",
)

# --- exponentials and logarithms ------------------------------------------------------------------

exp = floating("exp", math.exp, lambda x: np.exp(x), lambda g, y, _x: g * y, "e to the x")
exp2 = floating("exp2", math.exp2, lambda x: np.exp2(x), lambda g, y, _x: g * y * LN2, "2 to the x")
log = floating("log", math.log, lambda x: np.log(x), lambda g, _y, x: g / x, "the natural logarithm", domain=POSITIVE)
log2 = floating(
    "log2",
    math.log2,
    lambda x: np.log2(x),
    lambda g, _y, x: g / (x * LN2),
    "the logarithm to base 2",
    domain=POSITIVE,
)
log10 = floating(
    "log10",
    math.log10,
    lambda x: np.log10(x),
    lambda g, _y, x: g / (x * LN10),
    "the logarithm to base 10",
    domain=POSITIVE,
)
log1p = floating(
    "log1p",
    math.log1p,
    lambda x: np.log1p(x),
    lambda g, _y, x: g / (x + 1.0),
    "log(1 + x), exact near 0",
    grad_fn="Log1PBackward0",
    domain=((-0.7, 2.0),),
)


def near(rough: Any, sharp: Any) -> Any:
    """`sharp` where it agrees with `rough`, which is known to a few units of the last place of 1; else
    `rough`.

    What a result has lost to rounding comes back from the operand here, provided the operand still is what
    it was.
    """
    eps = np.finfo(np.asarray(rough).dtype).eps
    return np.where(np.abs(sharp - rough) <= 8 * eps, sharp, rough)


def near_scalar(rough: float, sharp: float) -> float:
    """`near` of floats."""
    return sharp if abs(sharp - rough) <= 1.8e-15 else rough


# PyTorch's y + 1 is exactly 0 for x < -37, where the slope is exp(x).
expm1_slope = pointwise(
    "expm1_slope",
    lambda y, x: near_scalar(y + 1.0, math.exp(x)) if x < 0.0 else y + 1.0,
    lambda y, x: np.where(x < 0, near(y + 1.0, np.exp(np.minimum(x, 0.0))), y + 1.0),
    [lambda g, _y, _e, _x: g, None],
    domain=((0.1, 0.9), (3.0, 4.0)),
    grad_fn="AddBackward0",
    formulas=("1", ""),
    about="exp(x), from y = exp(x) - 1 and x",
)
expm1 = floating(
    "expm1",
    math.expm1,
    lambda x: np.expm1(x),
    lambda g, y, hint_x: g * expm1_slope(y, hint_x),
    "exp(x) - 1, exact near 0",
    formulas=("exp(x)",),
)

# --- trigonometric --------------------------------------------------------------------------------

sin: Op = floating("sin", math.sin, lambda x: np.sin(x), lambda g, _y, x: g * cos(x), "the sine")
cos: Op = floating("cos", math.cos, lambda x: np.cos(x), lambda g, _y, x: g * -sin(x), "the cosine")
tan = floating(
    "tan",
    math.tan,
    lambda x: np.tan(x),
    lambda g, y, _x: g * (1.0 + y * y),
    "the tangent",
    domain=((-1.3, 1.3),),
)
# x * x loses near 1 what the factors keep.
one_less_square = pointwise(
    "one_less_square",
    lambda x: (1.0 - x) * (1.0 + x),
    lambda x: (1.0 - x) * (1.0 + x),
    [lambda g, _y, x: g * (-2.0 * x)],
    about="1 - x**2",
)
asin = floating(
    "asin",
    math.asin,
    lambda x: np.arcsin(x),
    lambda g, _y, x: g * rsqrt(one_less_square(x)),
    "the inverse sine",
    formulas=("1 / sqrt(1 - x**2)",),
    domain=INSIDE,
)
acos = floating(
    "acos",
    math.acos,
    lambda x: np.arccos(x),
    lambda g, _y, x: g * -rsqrt(one_less_square(x)),
    "the inverse cosine",
    formulas=("-1 / sqrt(1 - x**2)",),
    domain=INSIDE,
)
atan = floating("atan", math.atan, lambda x: np.arctan(x), lambda g, _y, x: g / (x * x + 1.0), "the inverse tangent")


def _negative(a: Any) -> Any:
    """In a rule: -a."""
    refuse_flags("atan2", a)
    return -a


def _over_square(g: Any, side: Any, a: Any, b: Any) -> Any:
    """g * side / (a**2 + b**2), whose squares would overflow at 1e155; 0 at the origin."""
    size = hypot(a, b)
    origin = size == 0.0
    size = where(origin, 1.0, size)
    return g * where(origin, side * 0.0, side / size / size)


atan2 = pointwise(
    "atan2",
    math.atan2,
    lambda a, b: np.arctan2(a, b),
    [lambda g, _y, a, b: _over_square(g, b, a, b), lambda g, _y, a, b: _over_square(g, _negative(a), a, b)],
    policy="float",
    domain=((0.5, 2.0), (0.5, 2.0)),
    formulas=("b / (a**2 + b**2)", "-a / (a**2 + b**2)"),
    kinks="at (0, 0) the derivative is 0",
    about="the angle of the point (b, a), from -pi to pi",
)

# --- hyperbolic -----------------------------------------------------------------------------------

sinh: Op = floating("sinh", math.sinh, lambda x: np.sinh(x), lambda g, _y, x: g * cosh(x), "the hyperbolic sine")
cosh: Op = floating("cosh", math.cosh, lambda x: np.cosh(x), lambda g, _y, x: g * sinh(x), "the hyperbolic cosine")


def _tanh_slope_scalar(g: float, y: float, x: float) -> float:
    slope = 1.0 - y * y
    if slope > 1e-3:  # no digits are lost that count
        return g * slope
    t = math.exp(-2.0 * abs(x))
    s = 1.0 + t
    return g * near_scalar(slope, 4.0 * t / (s * s))


def _tanh_slope(g: Any, y: Any, x: Any) -> Any:
    slope = 1.0 - y * y
    if (
        np.size(slope) and np.minimum.reduce(slope, None) > 1e-3
    ):  # no entry has lost digits that count: a third of the time
        return g * slope
    t = np.exp(-2.0 * np.abs(x))
    return g * np.where(slope > 1e-3, slope, near(slope, 4.0 * t / ((1.0 + t) * (1.0 + t))))


# 1 - y * y is off by 4 % at x = 18 and 0 past 19, where the slope is 4 exp(-2x).
tanh_backward: Op = pointwise(
    "tanh_backward",
    _tanh_slope_scalar,
    _tanh_slope,
    [
        lambda g, _d, _g, y, hint_x: tanh_backward(g, y, hint_x),
        lambda g, _d, g1, y, _x: g * (-2.0 * g1 * y),
        None,
    ],
    grad_fn="TanhBackwardBackward0",
    domain=((-2.0, 2.0), (-0.9, 0.9), (3.0, 4.0)),
    formulas=("1 - y**2", "-2 * g1 * y", ""),
    about="the slope of tanh times a cotangent, from y = tanh(x) and x",
)
tanh = floating(
    "tanh",
    math.tanh,
    lambda x: np.tanh(x),
    lambda g, y, hint_x: tanh_backward(g, y, hint_x),
    "the hyperbolic tangent",
    formulas=("1 - y**2",),
)


asinh = floating(
    "asinh",
    math.asinh,
    lambda x: np.arcsinh(x),
    lambda g, _y, x: g / hypot(x, 1.0),
    "the inverse hyperbolic sine",
    formulas=("1 / sqrt(x**2 + 1)",),
)


def _root_scalar(x: float) -> float:
    size = abs(x)
    return math.sqrt(size - 1.0) * math.sqrt(size + 1.0)


def _root(x: Any) -> Any:
    size = np.abs(x)
    return np.sqrt(size - 1.0) * np.sqrt(size + 1.0)


square_less_one_root = pointwise(
    "square_less_one_root",
    _root_scalar,
    _root,
    [lambda g, y, x: g * (x / y)],
    domain=((1.2, 3.0),),
    about="sqrt(x**2 - 1) without overflow, nan within -1 and 1",
)
acosh = floating(
    "acosh",
    math.acosh,
    lambda x: np.arccosh(x),
    lambda g, _y, x: g / square_less_one_root(x),
    "the inverse hyperbolic cosine",
    formulas=("1 / sqrt(x**2 - 1)",),
    domain=((1.2, 3.0),),
)
atanh = floating(
    "atanh",
    math.atanh,
    lambda x: np.arctanh(x),
    lambda g, _y, x: g / one_less_square(x),
    "the inverse hyperbolic tangent",
    formulas=("1 / (1 - x**2)",),
    domain=INSIDE,
)

for _op in (asinh, acosh, atanh):
    form_in_place(_op, [no_rule(f"{_op.name} in place", NotImplementedFault)])

# --- angles ---------------------------------------------------------------------------------------

DEGREE = math.pi / 180.0  # radians
RADIAN = 180.0 / math.pi  # degrees

deg2rad = floating(
    "deg2rad",
    lambda x: x * DEGREE,
    lambda x: x * DEGREE,
    lambda g, _y, _x: g * DEGREE,
    "degrees in radians",
    grad_fn="Deg2RadBackward0",
)
rad2deg = floating(
    "rad2deg",
    lambda x: x * RADIAN,
    lambda x: x * RADIAN,
    lambda g, _y, _x: g * RADIAN,
    "radians in degrees",
    grad_fn="Rad2DegBackward0",
)

unary(sqrt, "sqrt")
unary(rsqrt, "rsqrt")
binary(hypot, "hypot", check=floating_check)
unary(exp, "exp")
unary(exp2, "exp2", special=("exp2",))
unary(expm1, "expm1", special=("expm1",))
unary(log, "log")
unary(log2, "log2")
unary(log10, "log10")
unary(log1p, "log1p", special=("log1p",))
unary(sin, "sin")
unary(cos, "cos")
unary(tan, "tan")
unary(asin, "asin", "arcsin")
unary(acos, "acos", "arccos")
unary(atan, "atan", "arctan")
binary(atan2, "atan2", "arctan2")
unary(sinh, "sinh")
unary(cosh, "cosh")
unary(tanh, "tanh")
unary(asinh, "asinh", "arcsinh")
unary(acosh, "acosh", "arccosh")
unary(atanh, "atanh", "arctanh")
unary(deg2rad, "deg2rad")
unary(rad2deg, "rad2deg")
unary(tanh, "tanh", places=("F",), in_place=False)
