"""Powers.

PyTorch has three powers: by a plain number (`PowBackward0`), by a tensor (`PowBackward1`), of a plain number
(`PowBackward2`). Conventions: `x ** 0` is 1 with slope 0, for every x; the slope of `0 ** n` in a tensor n
>= 0 is 0. Some whole and half exponents are computed as products and roots, as PyTorch does, so the last
digit agrees.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.inplace import in_place
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.declare import METHOD, NUMBERS, binary, kind, refuse_flags, tensor_or_number
from autodiff_cli.engine.ops.elementary import LN2, exp2, log
from autodiff_cli.engine.ops.structure import cast
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault


def _scalar_power_number(x: float, n: float) -> float:
    if n == 2.0:
        return x * x
    if n == 3.0:
        return x * x * x
    if n == 0.5:
        return math.sqrt(x)
    if n == -2.0:
        return 1.0 / (x * x)
    if n == -0.5:
        return 1.0 / math.sqrt(x)
    return math.pow(x, n)


def _power_number(x: Any, n: Any) -> Any:
    """x ** n for arrays x and a number n."""
    if kind(n) != "f":
        if kind(x) == kind(n) == "b":
            return np.logical_or(x, np.logical_not(n))
        return _power(x, n)
    if n == 1.0:
        return +x
    if n == 2.0:
        return x * x
    if n == 3.0:
        return x * x * x
    if n == 0.5:
        return np.sqrt(x)
    if n == -2.0:
        return np.true_divide(1.0, x * x)
    if n == -0.5:
        return np.true_divide(1.0, np.sqrt(x))
    return np.power(x, n)


def _power(x: Any, n: Any) -> Any:
    """x ** n entry by entry. Integers stay integers: a negative tensor exponent gives 1, -1 or 0 then."""
    if kind(x) == "b":
        raise NotImplementedFault("a bool tensor has no powers by bools", hint="convert it first, as with .int()")
    if kind(x) == "f":
        return np.power(x, n)
    negative = np.less(n, 0)
    whole = np.power(x, np.where(negative, 0, n))
    if not np.any(negative):
        return whole
    # of the integers only 1 and -1 have whole inverses
    inverse = np.where(np.equal(x, 1), 1, np.where(np.equal(x, -1), 1 - 2 * np.remainder(n, 2), 0))
    return np.where(negative, inverse, whole)


def _less_one(n: Any) -> Any:
    return np.where(np.equal(n, 0), 0.0, np.subtract(n, 1.0))


# The exponent of the slope of x ** n. At n = 0 it stays 0, so that n * x ** (n - 1) is 0 there and not 0
# * inf.
less_one = pointwise(
    "less_one",
    lambda n: n - 1.0 if n else 0.0,
    _less_one,
    [lambda g, _y, _n: g],
    formulas=("1",),
    about="an exponent less one; 0 stays 0",
)


def _number_slope(g: Any, _y: Any, x: Any, n: Any) -> Any:
    if type(n) in (int, float) and not n:
        return 0.0  # whatever g is, nan for one
    return g * (n * pow_scalar(x, n - 1.0))


pow_scalar: Op = pointwise(
    "pow_scalar",
    _scalar_power_number,
    _power_number,
    [_number_slope, None],
    grad_fn="PowBackward0",
    formulas=("n * x**(n - 1)", ""),
    domain=((0.3, 3.0), (2.0, 3.0)),
    kinks="x**0: the derivative is 0 for every x",
    about="a power with a plain number as exponent",
)


def _power_slope(g: Any, _y: Any, x: Any, n: Any) -> Any:
    refuse_flags("a power", n)
    return where(n == 0.0, 0.0, g * (n * pow_tensor(x, less_one(n))))


def _exponent_slope(g: Any, y: Any, x: Any, n: Any) -> Any:
    flat = (x == 0.0) & (n >= 0.0)
    # the inner where keeps log's infinite slope at 0 out of the second derivative
    return g * where(flat, 0.0, y * log(where(flat, 1.0, x)))


pow_tensor: Op = pointwise(
    "pow_tensor",
    math.pow,
    _power,
    [
        _power_slope,
        _exponent_slope,
    ],
    grad_fn="PowBackward1",
    formulas=("n * x**(n - 1)", "x**n * log(x)"),
    domain=((0.3, 3.0), (-2.0, 2.0)),
    kinks="0**n with n >= 0: the derivative in n is 0; x**0: the derivative in x is 0",
    about="a power",
)
pow_base = pointwise(
    "pow_base",
    math.pow,
    _power,
    [None, _exponent_slope],
    grad_fn="PowBackward2",
    formulas=("", "x**n * log(x)"),
    domain=((0.3, 3.0), (-2.0, 2.0)),
    kinks="0**n with n >= 0: the derivative is 0",
    about="a power of a plain number",
)


def _ldexp(x: Any, n: Any) -> Any:
    half = np.exp2(0.5 * n)  # twice the root: 2**1200 alone would be inf
    return x * half * half if np.any(np.abs(n) > 1000) else x * np.exp2(n)


ldexp = pointwise(
    "ldexp",
    None,
    _ldexp,
    [
        lambda g, _y, _x, n: g * exp2(n),
        lambda g, _y, x, n: g * (x * exp2(n) * LN2),
    ],
    policy="float",
    domain=((0.3, 3.0), (-2.0, 2.0)),
    about="x * 2**n",
)


def power(x: Any, n: Any) -> Any:
    """`x ** n`, at least one a tensor, by the primitive that PyTorch takes.

    Raises:
        RuntimeFault: an integer to a negative whole power.
    """
    if type(n) is Tensor:
        return apply(pow_tensor if type(x) is Tensor else pow_base, (x, n), {})
    if type(n) is int and n < 0 and kind(x.value) != "f":
        raise RuntimeFault(
            f"an integer tensor to the power {n} would not be integer",
            hint="convert it first, as with x.double(), or write the exponent as a float",
        )
    return apply(pow_scalar, (x, n), {})


def _pow_operands(name: str, input: Any, exponent: Any) -> tuple[Any, Any]:
    x, n = tensor_or_number(input, name, "input"), tensor_or_number(exponent, name, "exponent")
    if type(x) in NUMBERS and type(n) in NUMBERS:
        raise TypeFault(
            f"{name}: neither operand is a tensor",
            hint="write a ** b for plain numbers, or make one a tensor",
        )
    return x, n


@public("pow", places=METHOD, ops=(pow_scalar, pow_tensor, pow_base), numbers=True, in_place=True)
def _pow(input: Any, exponent: Any) -> Tensor:
    """input to the power exponent; one of them may be a plain number."""
    found: Tensor = power(*_pow_operands("pow", input, exponent))
    return found


@public("float_power", places=METHOD, ops=(pow_scalar, pow_tensor, pow_base), numbers=True)
def _float_power(input: Any, exponent: Any) -> Tensor:
    """A power computed in float64."""

    def double(x: Any) -> Any:
        if type(x) is not Tensor:
            return float(x)
        return x if x.dtype is dtypes.float64 else cast(x, dtype=dtypes.float64)

    found: Tensor = power(*(double(x) for x in _pow_operands("float_power", input, exponent)))
    return found


@public("float_power_", places=("Tensor",), ops=(pow_scalar, pow_tensor))
def _float_power_in_place(self: Any, exponent: Any) -> Tensor:
    """float_power written into the tensor itself, which must be float64 to hold it.

    Raises:
        RuntimeFault: it has another dtype.
    """
    if self.dtype is not dtypes.float64:
        raise RuntimeFault(
            f"float_power_: the result is float64, and a {self.dtype} tensor can't take it in place",
            hint="write y = x.float_power(n) for a new tensor",
        )
    return in_place(_float_power)(self, exponent)


@public("square", places=METHOD, ops=(pow_scalar,), numbers=True, in_place=True)
def _square(input: Any) -> Tensor:
    """x * x."""
    return apply(pow_scalar, (tensor_arg(input, "square"), 2), {})


binary(ldexp, "ldexp")
