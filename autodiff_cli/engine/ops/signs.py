"""Signs, absolute values and roundings: functions that are linear, or constant, between their kinks.

Rounded functions have derivative 0, as PyTorch says, and a constant one: their gradient is on no graph.
`abs` has slope 0 at 0.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.comparison import isfinite
from autodiff_cli.engine.ops.declare import (
    METHOD,
    NOT_IMPLEMENTED,
    NUMBERS,
    kind,
    no_rule,
    number_arg,
    takes,
    tensor_or_number,
    unary,
    zero,
)
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

FLAT = "the derivative is 0 everywhere"
BETWEEN = ((0.1, 0.9),)  # between two whole numbers


def _sign_scalar(x: float) -> float:
    return float((x > 0.0) - (x < 0.0))  # PyTorch's sign of nan is 0


def _sign(x: Any) -> Any:
    if kind(x) == "b":
        return np.positive(np.asarray(x).astype("int8")).astype(bool)
    x = np.asarray(x)
    return np.subtract(x > 0, x < 0, dtype=x.dtype)


sign = pointwise("sign", _sign_scalar, _sign, [zero], kinks=FLAT, domain=BETWEEN, about="-1, 0 or 1")
# PyTorch's formula reads operand and result (for complex numbers), and so both are saved
sgn = pointwise("sgn", _sign_scalar, _sign, [lambda _g, y, x: 0.0], kinks=FLAT, domain=BETWEEN, about="-1, 0 or 1")
abs_ = pointwise(
    "abs",
    abs,
    takes("fi", "abs", lambda x: np.abs(x)),
    [lambda g, _y, x: g * sgn(x)],
    domain=BETWEEN,
    kinks="abs'(0) = 0",
    about="the absolute value",
)
signbit = pointwise(
    "signbit",
    None,
    lambda x: np.signbit(x) if kind(x) == "f" else np.less(x, 0),
    None,
    policy=None,
    about="whether the sign is minus, also that of -0.0",
)


def _stepped(name: str, scalar: Any, array: Any, about: str, **record: Any) -> Op:
    """A rounding: floats are rounded, integers are themselves."""
    return pointwise(
        name,
        scalar,
        takes("fi", name, lambda x: array(x) if kind(x) == "f" else x),
        [zero],
        domain=BETWEEN,
        kinks=FLAT,
        about=about,
        **record,
    )


def _whole(x: float, rounded: int) -> float:
    """A rounded value as a float, with its sign also at 0."""
    return math.copysign(float(rounded), x) if rounded == 0 else float(rounded)


floor = _stepped("floor", lambda x: _whole(x, math.floor(x)), lambda x: np.floor(x), "rounded down")
ceil = _stepped("ceil", lambda x: _whole(x, math.ceil(x)), lambda x: np.ceil(x), "rounded up")
trunc = _stepped("trunc", lambda x: _whole(x, math.trunc(x)), lambda x: np.trunc(x), "rounded toward zero")
round_ = _stepped(
    "round",
    lambda x: _whole(x, round(x)),
    lambda x: np.rint(x),
    "rounded to the nearest whole number, halves to even",
)


def _round_decimals(x: Any, *, decimals: int) -> Any:
    scale = 10.0 ** abs(decimals)
    return np.rint(x * scale) / scale if decimals > 0 else np.rint(x / scale) * scale


round_decimals = pointwise(
    "round_decimals",
    None,
    takes("f", "round to decimals", _round_decimals),
    [zero],
    grad_fn="RoundBackward1",
    domain=BETWEEN,
    kinks=FLAT,
    about="rounded to a number of decimals",
)
frac = pointwise(
    "frac",
    lambda x: x - _whole(x, math.trunc(x)),
    takes("f", "frac", lambda x: x - np.trunc(x)),
    [lambda g, _y, _x: g],
    domain=BETWEEN,
    kinks="at whole numbers the derivative is 1, too",
    about="the part after the point, with the sign of x",
)


def _copysign(a: Any, b: Any) -> Any:
    return np.copysign(a, b)


def _copysign_slope(g: Any, y: Any, a: Any, _b: Any) -> Any:
    return g * (sgn(y) * sgn(a))  # 0 where a is 0


copysign = pointwise(
    "copysign",
    math.copysign,
    _copysign,
    [_copysign_slope, lambda _g, _y, a, _b: 0.0],  # PyTorch saves a for it
    policy="float",
    domain=((0.5, 2.0), (0.5, 2.0)),
    kinks="at a = 0 the derivative is 0; it is 0 in b",
    about="the size of a with the sign of b",
)
copysign_number = pointwise(
    "copysign_number",
    math.copysign,
    _copysign,
    [_copysign_slope, None],
    policy="float",
    grad_fn="CopysignBackward1",
    domain=((0.5, 2.0), (0.5, 2.0)),
    kinks="at a = 0 the derivative is 0",
    about="the size of a with the sign of a plain number",
)


def _nan_to_num(x: Any, *, nan: Any, posinf: Any, neginf: Any) -> Any:
    if kind(x) != "f":
        return x
    x = np.asarray(x)
    limits = np.finfo(x.dtype)
    y = np.where(np.isnan(x), 0.0 if nan is None else nan, x)
    y = np.where(x == np.inf, limits.max if posinf is None else posinf, y)
    return np.where(x == -np.inf, limits.min if neginf is None else neginf, y).astype(x.dtype)


nan_to_num = pointwise(
    "nan_to_num",
    None,
    _nan_to_num,
    [lambda g, _y, x, **_params: g * isfinite(x)],
    about="nan and infinities replaced by numbers",
    formulas=("1 where x is finite, else 0",),
)


def _heaviside(x: Any, values: Any) -> Any:
    return np.where(np.equal(x, 0), values, np.greater(x, 0)).astype(np.asarray(x).dtype)


heaviside = pointwise(
    "heaviside",
    None,
    _heaviside,
    [no_rule("heaviside"), no_rule("heaviside")],
    grad_fn=NOT_IMPLEMENTED,
    domain=((0.5, 2.0), (0.0, 1.0)),
    about="0 below 0, 1 above, `values` at 0",
)

unary(sign, "sign")
unary(sgn, "sgn")
unary(abs_, "abs", "absolute")
unary(signbit, "signbit", in_place=False)
unary(floor, "floor")
unary(ceil, "ceil")
unary(trunc, "trunc", "fix")
unary(frac, "frac")


@public("round", places=METHOD, ops=(round_, round_decimals), numbers=True, in_place=True)
def _round(input: Any, *, decimals: int | None = None) -> Tensor:
    """Rounded to the nearest whole number, or to a number of decimals; halves go to the even neighbour.

    Raises:
        NotImplementedFault: decimals of integers.
    """
    x = tensor_arg(input, "round")
    if decimals is None:
        return apply(round_, (x,), {})
    places = int_arg(decimals, "round", "decimals")
    if kind(x.value) != "f":
        raise NotImplementedFault("round to decimals is for floating point tensors", hint="leave decimals out")
    return apply(round_decimals, (x,), {"decimals": places})


public("round", places=("special",), ops=(round_, round_decimals), numbers=True)(
    lambda input, *, decimals=0: _round(input, decimals=decimals)
)


@public("copysign", places=METHOD, ops=(copysign, copysign_number), numbers=True, in_place=True)
def _copysign_function(input: Any, other: Any) -> Tensor:
    """The size of input with the sign of other."""
    x, sign_of = tensor_arg(input, "copysign"), tensor_or_number(other, "copysign")
    if type(sign_of) in NUMBERS:
        return apply(copysign_number, (x, float(sign_of)), {})
    return apply(copysign, (x, sign_of), {})


@public("nan_to_num", places=METHOD, ops=(nan_to_num,), numbers=True, in_place=True)
def _nan_to_num_function(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Tensor:
    """nan becomes 0 (or nan=), infinities the largest numbers of the dtype (or posinf=, neginf=)."""
    x = tensor_arg(input, "nan_to_num")
    given = {"nan": nan, "posinf": posinf, "neginf": neginf}
    params = {k: None if v is None else float(number_arg(v, "nan_to_num", k)) for k, v in given.items()}
    if kind(x.value) != "f":
        return wrap(x.value if type(x.value) in NUMBERS else x.value.copy())
    return apply(nan_to_num, (x,), params)


@public("heaviside", places=METHOD, ops=(heaviside,), numbers=True, in_place=True)
def _heaviside_function(input: Any, values: Any) -> Tensor:
    """0 below 0, 1 above, `values` at 0.

    Raises:
        RuntimeFault: dtypes that differ.
    """
    x, at_zero = tensor_arg(input, "heaviside"), tensor_arg(values, "heaviside", "values")
    if x.dtype is not at_zero.dtype:
        raise RuntimeFault(
            f"heaviside: the dtypes must agree, and these are {x.dtype} and {at_zero.dtype}",
            hint=f"convert the values, as with .to({x.dtype})",
        )
    return apply(heaviside, (x, at_zero), {})
