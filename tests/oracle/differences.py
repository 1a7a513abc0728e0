"""The differences from PyTorch that are kept: its number is wrong there, and ours is right.

`KEPT` is the one table: a group of cases -> the function in mpmath with its first two derivatives, and what is wrong in
PyTorch's. Where our number at a point differs from PyTorch's, the right one is computed here: the value, the weighted
derivative, or the derivative of that. A difference is accepted when our number is the right one, and a row of the table for
which PyTorch is never wrong fails the tests.

`rough` is for the group's cases that are not pointwise: how far apart the two may be where nobody computes a third answer.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from mpmath import mp, mpf

from oracle.case import Case, weight

DIGITS = 700  # enough for the difference of the largest and the smallest of doubles
FAR = mpf(10) ** 330  # stands for infinity: what a limit is taken at
NEAR = mpf(10) ** -400  # beside a pole

Real = Callable[..., Any]


class Kept(NamedTuple):
    """`functions`: f, f', f'' of one variable (and keywords)."""

    functions: tuple[Real, Real, Real]
    why: str
    rough: float = 1e-12


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def _bell(x: Any) -> Any:
    """sigmoid'."""
    return 1 / (2 + mp.exp(-x) + mp.exp(x))


def _bell_slope(x: Any) -> Any:
    return -_bell(x) * mp.tanh(x / 2)


def _sech(x: Any) -> Any:
    return mp.sech(x) ** 2


def _sinc_slope(x: Any) -> Any:
    return (mp.cospi(x) - mp.sincpi(x)) / x if x else mpf(0)


def _sinc_bend(x: Any) -> Any:
    return -(mp.pi**2) * mp.sincpi(x) - 2 * _sinc_slope(x) / x if x else -(mp.pi**2) / 3


def _psi(n: int, x: Any) -> Any:
    """psi, psi', psi''; by reflection where mpmath would count up from a negative x."""
    if x > -10:
        return mp.psi(n, x)
    sine, cosine = mp.sinpi(x), mp.cospi(x)
    reflected = (mp.pi * cosine / sine, (mp.pi / sine) ** 2, 2 * mp.pi**3 * cosine / sine**3)[n]
    return mp.psi(n, 1 - x) - reflected if n != 1 else reflected - mp.psi(n, 1 - x)


KEPT: dict[str, Kept] = {
    "sigmoid": Kept((_sigmoid, _bell, _bell_slope), "the derivative is taken as y * (1 - y), which is 0 from y = 1 on"),
    "tanh": Kept((mp.tanh, _sech, lambda x: -2 * mp.tanh(x) * _sech(x)), "the derivative is taken as 1 - y * y: 4 % off at 18, 0 from 20 on"),
    "expm1": Kept((mp.expm1, mp.exp, mp.exp), "the derivative is taken as y + 1, which keeps few digits where y is near -1"),
    "asinh": Kept((mp.asinh, lambda x: 1 / mp.sqrt(x * x + 1), lambda x: -x / mp.sqrt(x * x + 1) ** 3), "x * x overflows in the derivative"),
    "lgamma": Kept((lambda x: mp.re(mp.loggamma(x)), lambda x: _psi(0, x), lambda x: _psi(1, x)), "trigamma is good to 1e-9 only", 1e-8),
    "digamma": Kept((lambda x: _psi(0, x), lambda x: _psi(1, x), lambda x: _psi(2, x)), "trigamma is good to 1e-9 only", 1e-8),
    "sinc": Kept((mp.sincpi, _sinc_slope, _sinc_bend), "sin(pi * x) of a rounded pi * x; the second derivative at 0 is nan"),
}  # fmt: skip


def right(group: str, case: Case, kind: str, index: int, offset: int) -> float | None:
    """The right number for element `index` of a pointwise case, or None where there is none to be had.

    `kind`: "value", "grad" (or "first"), "grad2".
    """
    if group not in KEPT or not case.pointwise or len(case.tensors) != 1:
        return None
    (tensor,) = case.tensors.values()
    x, element = tensor.values[index], index + offset
    if math.isnan(x):
        return None
    if kind == "value":
        return _exact(group, case.text, 0, x)
    factor = weight(0, element)
    if kind != "grad2":
        slope = _exact(group, case.text, 1, x)
        return None if slope is None else factor * slope
    bend = _exact(group, case.text, 2, x)
    return None if bend is None else factor * weight(5, element) * bend


@cache
def _exact(group: str, text: str, order: int, x: float) -> float | None:
    call = ast.parse(text).body[-1]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    keywords = {k.arg or "": ast.literal_eval(k.value) for k in call.value.keywords}
    function = KEPT[group].functions[order]
    with mp.workdps(DIGITS):
        at = mpf(x) if math.isfinite(x) else FAR * int(math.copysign(1, x))
        try:
            return float(function(at, **keywords))
        except (ValueError, ArithmeticError):  # a pole: what its two sides agree in, if they do
            pass
        try:
            sides = {float(function(at + d, **keywords)) for d in (NEAR, -NEAR)}
        except (ValueError, ArithmeticError):
            return None
    return sides.pop() if len(sides) == 1 and not all(map(math.isfinite, sides)) else None
