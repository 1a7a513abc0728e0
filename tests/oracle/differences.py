"""The differences from PyTorch that are kept: its number is wrong there, and ours is right.

`KEPT` and `ANSWERED` are the table. A row of KEPT has the function in mpmath and what is wrong in PyTorch's number. Where
ours differs from PyTorch's, the right number is computed here: the value, the weighted derivative, or the weighted
derivative of that. A difference is accepted when our number is the right one. A row of ANSWERED says where PyTorch
raises though there is an answer. A row of either for which nothing was accepted fails the tests.

`rough` is for cases for which no right number can be had (see `right`): how far apart the two may be there.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from mpmath import mp, mpf

from oracle.case import Case, second_weight, weight

DIGITS = 700  # enough for the difference of the largest and the smallest of doubles
FAR = mpf(10) ** 330  # stands for infinity: what a limit is taken at
NEAR = mpf(10) ** -400  # beside a pole

Real = Callable[..., Any]


class Kept(NamedTuple):
    """`functions`: f, f', f'' of one variable, or f, fx, fy, fxx, fxy, fyy of two (and keywords); a single function takes a
    list of elements and their shape, and is differentiated numerically."""

    functions: tuple[Real, ...]
    why: str
    rough: float = 1e-12


class Answered(NamedTuple):
    where: Callable[[Case], bool]
    why: str


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def _bell(x: Any) -> Any:
    """sigmoid'."""
    return 1 / (2 + mp.exp(-x) + mp.exp(x))


def _bell_slope(x: Any) -> Any:
    return -_bell(x) * mp.tanh(x / 2)


def _sech2(x: Any) -> Any:
    return mp.sech(x) ** 2


def _sinc_slope(x: Any) -> Any:
    return (mp.cospi(x) - mp.sincpi(x)) / x if x else mpf(0)


def _sinc_bend(x: Any) -> Any:
    return -(mp.pi**2) * mp.sincpi(x) - 2 * _sinc_slope(x) / x if x else -(mp.pi**2) / 3


def _psi(n: int, x: Any) -> Any:
    """psi, psi', psi'', ...; by reflection where mpmath would count up from a negative x."""
    if x > -10 or n > 2:
        return mp.psi(n, x)
    sine, cosine = mp.sinpi(x), mp.cospi(x)
    reflected = (mp.pi * cosine / sine, (mp.pi / sine) ** 2, 2 * mp.pi**3 * cosine / sine**3)[n]
    return mp.psi(n, 1 - x) - reflected if n != 1 else reflected - mp.psi(n, 1 - x)


KEPT: dict[str, Kept] = {
    "sigmoid": Kept((_sigmoid, _bell, _bell_slope), "the derivative is taken as y * (1 - y), which is 0 from y = 1 on"),
    "tanh": Kept((mp.tanh, _sech2, lambda x: -2 * mp.tanh(x) * _sech2(x)), "the derivative is taken as 1 - y * y: 4 % off at 18, 0 from 20 on"),
    "expm1": Kept((mp.expm1, mp.exp, mp.exp), "the derivative is taken as y + 1, which keeps few digits where y is near -1"),
    "asinh": Kept((mp.asinh, lambda x: 1 / mp.sqrt(x * x + 1), lambda x: -x / mp.sqrt(x * x + 1) ** 3), "x * x overflows in the derivative"),
    "acosh": Kept((mp.acosh, lambda x: 1 / mp.sqrt(x * x - 1), lambda x: -x / mp.sqrt(x * x - 1) ** 3), "x * x overflows in the derivative"),
    "lgamma": Kept((lambda x: mp.re(mp.loggamma(x)), lambda x: _psi(0, x), lambda x: _psi(1, x)), "trigamma is good to 1e-9 only", 1e-8),
    "digamma": Kept((lambda x: _psi(0, x), lambda x: _psi(1, x), lambda x: _psi(2, x)), "trigamma is good to 1e-9 only", 1e-8),
    "polygamma": Kept((lambda n, x: _psi(n, x), lambda n, x: _psi(n + 1, x), lambda n, x: _psi(n + 2, x)), "trigamma is good to 1e-9 only", 1e-8),
    "sinc": Kept((mp.sincpi, _sinc_slope, _sinc_bend), "sin(pi * x) of a rounded pi * x; the second derivative at 0 is nan"),
}  # fmt: skip

ANSWERED: dict[str, Answered] = {
    **{name: Answered(lambda case: f"{name}_" in case.text, "no derivative is implemented in place") for name in ()},
}


def right(group: str, case: Case, kind: str, part: int, index: int, offset: int) -> float | None:
    """The right number for element `index` (of the gradient with respect to leaf `part`), or None where there is none to be
    had: the case is not pointwise, an element is nan, two are infinite, or the function is a shape's and not of this case's.

    `kind`: "value", "grad" (or "first"), "grad2".
    """
    if group not in KEPT:
        return None
    order = {"value": 0, "grad": 1, "first": 1, "grad2": 2}[kind]
    functions = KEPT[group].functions
    if not case.pointwise or len(case.tensors) > 2 or len(functions) == 1:
        return None
    element = index + offset
    at = tuple(t.values[index] for t in case.tensors.values())
    if any(math.isnan(x) for x in at) or sum(map(math.isinf, at)) > 1:
        return None
    leaves = [i for i, t in enumerate(case.tensors.values()) if t.grad]
    factor = weight(0, element)
    if order == 0:
        return _exact(group, case.text, (), at)
    if order == 1:
        return _times(factor, _exact(group, case.text, (leaves[part],), at))
    terms = [
        _times(factor * second_weight(k, element), _exact(group, case.text, tuple(sorted((leaf, leaves[part]))), at))
        for k, leaf in enumerate(leaves)
    ]
    return None if None in terms else sum(t for t in terms if t is not None)


def _times(factor: float, x: float | None) -> float | None:
    return None if x is None else factor * x


WHICH = {1: {(): 0, (0,): 1, (0, 0): 2}, 2: {(): 0, (0,): 1, (1,): 2, (0, 0): 3, (0, 1): 4, (1, 1): 5}}


@cache
def _exact(group: str, text: str, derivative: tuple[int, ...], at: tuple[float, ...]) -> float | None:
    """A derivative, with respect to the named variables, of the function of a group at a point."""
    call = ast.parse(text).body[-1]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    function = KEPT[group].functions[WHICH[len(at)][derivative]]
    keywords = {k.arg or "": ast.literal_eval(k.value) for k in call.value.keywords}
    with mp.workdps(DIGITS):
        point = [mpf(x) if math.isfinite(x) else FAR * int(math.copysign(1, x)) for x in at]
        names = iter(point)
        arguments = [next(names) if isinstance(a, ast.Name) else ast.literal_eval(a) for a in call.value.args]
        try:
            return float(mp.re(function(*arguments, **keywords)))
        except (ValueError, ArithmeticError):  # a pole: what its two sides agree in, if they do
            pass
        if len(at) > 1:
            return None
        try:
            sides = {float(mp.re(function(*(a + d if a is point[0] else a for a in arguments), **keywords))) for d in (NEAR, -NEAR)}
        except (ValueError, ArithmeticError):
            return None
    return sides.pop() if len(sides) == 1 and not all(map(math.isfinite, sides)) else None
