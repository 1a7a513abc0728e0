"""The logarithm of the gamma function and its derivatives.

lgamma has zeros at 1 and 2, digamma has poles at 0, -1, -2, ...; both keep their relative accuracy there.
Each derivative is the next polygamma.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.lazy import np, special
from autodiff_cli.engine.ops.declare import METHOD, POSITIVE, binary, floating, form_in_place, no_rule, unary
from autodiff_cli.engine.ops.elementary import exp, log
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

EULER = 0.57721566490153286061  # Euler's gamma, OEIS A001620


@cache
def _series() -> tuple[float, ...]:
    """The coefficients c of log gamma(1 + d) = -log1p(d) + (1 - gamma) d + sum_k c_k d^k, |d| < 2.

    c_k = (-1)^k (zeta(k) - 1) / k (Abramowitz and Stegun 6.1.33), as c_28, ..., c_2 for Horner's scheme.
    The zeta function is summed to n = 63 and the rest by Euler and Maclaurin.
    """

    def zeta_less_one(k: int) -> float:
        n = 64.0
        head = math.fsum(m**-k for m in range(2, 64))
        rest = n ** (1 - k) / (k - 1) + n**-k / 2 + k * n ** (-k - 1) / 12
        third = k * (k + 1) * (k + 2)
        return head + rest - third * n ** (-k - 3) / 720 + third * (k + 3) * (k + 4) * n ** (-k - 5) / 30240

    return tuple((-1) ** k * zeta_less_one(k) / k for k in range(28, 1, -1))


def _near_two(d: Any) -> Any:
    """log gamma(2 + d) for |d| <= 1/2: no term is larger than the result."""
    total = 0.0 * d
    for c in _series():
        total = (total + c) * d
    return (total + (1.0 - EULER)) * d


def _lgamma_scalar(x: float) -> float:
    if 1.5 <= x <= 2.5:
        return float(_near_two(x - 2.0))
    if 0.5 <= x < 1.5:
        return float(_near_two(x - 1.0) - math.log1p(x - 1.0))
    if 0.0 < x < 0.5:
        return float(_near_two(x) - math.log1p(x) - math.log(x))  # gamma(x) = gamma(1 + x) / x
    if x <= 0.0:
        raise ValueError  # math's own is good to 1e-14 only here
    return math.lgamma(x)


def _lgamma(x: Any) -> Any:
    x = np.asarray(x)
    one = (x >= 0.5) & (x < 1.5)
    two = (x >= 1.5) & (x <= 2.5)
    d = np.where(one, x - 1.0, np.where(two, x - 2.0, 0.0))
    near = _near_two(d) - np.where(one, np.log1p(np.where(one, d, 0.0)), 0.0)
    far = np.where(np.isinf(x), np.inf, special.gammaln(x))
    far = np.where(np.abs(x) < 1e-20, -np.log(np.abs(x)), far)  # gammaln overflows at the smallest of them
    return np.where(one | two, near, far).astype(x.dtype)


def _digamma(x: Any) -> Any:
    """psi, reflected at 0 with the distance to the nearest pole taken exactly."""
    x = np.asarray(x)
    away = x - np.rint(x)
    reflect = (x < 0) & (away != 0)
    y = special.psi(np.where(reflect, 1.0 - x, x))
    return np.where(reflect, y - np.pi / np.tan(np.pi * np.where(reflect, away, 0.5)), y).astype(x.dtype)


def _polygamma(x: Any, *, n: int) -> Any:
    if n == 0:
        return _digamma(x)
    x = np.asarray(x)
    y = special.polygamma(n, x)
    if n == 1:
        y = np.where(x == -np.inf, np.nan, np.where((x < 0) & (x == np.rint(x)), _beside_a_pole(x), y))
    return np.asarray(y).astype(x.dtype)


def _beside_a_pole(x: Any) -> Any:
    """Trigamma at a negative whole number, as large as PyTorch has it: from the sine of a rounded pi * x.

    It is infinite there. But digamma is nan, whose sign is 0, and a cotangent of 0 times infinity would be nan.
    """
    return np.square(np.pi / np.sin(np.pi * np.where(x < 0, x, 0.5)))


polygamma: Op = floating(
    "polygamma",
    None,
    _polygamma,
    lambda g, _y, x, *, n: g * polygamma(x, n=n + 1),
    "the n-th derivative of digamma",
    domain=POSITIVE,
    formulas=("polygamma(n + 1, x)",),
)
digamma = floating(
    "digamma",
    None,
    _digamma,
    lambda g, _y, x: g * polygamma(x, n=1),
    "the derivative of lgamma",
    domain=POSITIVE,
    formulas=("polygamma(1, x)",),
)
lgamma = floating(
    "lgamma",
    _lgamma_scalar,
    _lgamma,
    lambda g, _y, x: g * digamma(x),
    "the logarithm of the gamma function's absolute value",
    domain=POSITIVE,
)


def _mvlgamma(x: Any, *, p: int) -> Any:
    total = p * (p - 1) / 4.0 * math.log(math.pi)
    for j in range(p):
        total = total + _lgamma(x - 0.5 * j)
    return total


def _mvlgamma_slope(g: Any, _y: Any, x: Any, *, p: int) -> Any:
    total = digamma(x)
    for j in range(1, p):
        total = total + digamma(x - 0.5 * j)
    return g * total


mvlgamma = floating(
    "mvlgamma",
    None,
    _mvlgamma,
    _mvlgamma_slope,
    "the logarithm of the multivariate gamma function",
    domain=((2.0, 4.0),),
    formulas=("sum of digamma(x - j / 2), j < p",),
)

form_in_place(polygamma)
unary(lgamma, "lgamma", special=("gammaln",))
unary(digamma, "digamma", special=("digamma", "psi"))


@public("polygamma", places=("torch", "special"), ops=(polygamma,), numbers=True)
def _polygamma_function(n: Any, input: Any) -> Tensor:
    """The n-th derivative of digamma.

    Raises:
        RuntimeFault: n is negative.
    """
    order = int_arg(n, "polygamma", "n")
    if order < 0:
        raise RuntimeFault(f"polygamma: there is no derivative of order {order}", hint="n counts from 0")
    return apply(polygamma, (tensor_arg(input, "polygamma"),), {"n": order})


@public("polygamma", places=("Tensor",), ops=(polygamma,), in_place=True)
def _polygamma_method(self: Any, n: Any) -> Tensor:
    """The n-th derivative of digamma."""
    found: Tensor = _polygamma_function(n, self)
    return found


@public("mvlgamma", places=METHOD, ops=(mvlgamma,), numbers=True, in_place=True)
@public("multigammaln", places=("special",), ops=(mvlgamma,), numbers=True)
def _mvlgamma_function(input: Any, p: Any) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension p.

    Raises:
        RuntimeFault: p is below 1, or the tensor bool.
    """
    count = int_arg(p, "mvlgamma", "p")
    if type(input) is Tensor and input.dtype.category == 0:
        raise RuntimeFault("mvlgamma is not defined for bool tensors", hint="convert them first, as with x.double()")
    if count < 1:
        raise RuntimeFault(f"mvlgamma: p must be at least 1, and it is {count}")
    return apply(mvlgamma, (tensor_arg(input, "mvlgamma"),), {"p": count})


# --- incomplete gamma functions, zeta -------------------------------------------------------------


def _incomplete(name: str, array: Any, sign: float, about: str, alias: str) -> None:
    def slope(g: Any, _y: Any, a: Any, x: Any) -> Any:
        return g * (sign * exp((a - 1.0) * log(x) - x - lgamma(a)))

    op = pointwise(
        name,
        None,
        lambda a, x: array(a, x),
        [no_rule(f"{name} in its order", NotImplementedFault), slope],
        domain=((0.5, 3.0), (0.5, 3.0)),
        formulas=("", f"{'-' if sign < 0 else ''}x**(a - 1) * exp(-x - lgamma(a))"),
        about=about,
    )
    binary(op, name, special=(alias,), check=_whole_refused)


def _whole_refused(name: str, a: Any, b: Any) -> None:
    if a.dtype.category < 2 and b.dtype.category < 2:
        raise NotImplementedFault(f"{name} is not defined for integer tensors", hint="convert with .double()")


_incomplete(
    "igamma",
    lambda a, x: special.gammainc(a, x),
    1.0,
    "the lower incomplete gamma function of order a, as a part of gamma(a)",
    "gammainc",
)
_incomplete(
    "igammac",
    lambda a, x: special.gammaincc(a, x),
    -1.0,
    "the upper incomplete gamma function of order a, as a part of gamma(a)",
    "gammaincc",
)
