"""The differences from PyTorch that are kept: its number is wrong there, and ours is right.

`KEPT` is the one table: a group of cases -> the function in mpmath, and what is wrong in PyTorch's. Where our number at
a point differs from PyTorch's, the right one is computed here in `DIGITS` digits: the value, its derivative, or the
derivative of the weighted derivative. A difference is accepted when our number is the right one, and a row of the table
for which PyTorch is never wrong fails the tests.

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

DIGITS = 120
FAR = mpf(10) ** 4000  # stands for infinity: what a limit is taken at


class Kept(NamedTuple):
    function: Callable[..., Any]
    why: str
    rough: float = 1e-12


def _softplus(x: Any) -> Any:
    return mp.log1p(mp.exp(x)) if x < 0 else x + mp.log1p(mp.exp(-x))


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def _polygamma(n: Any, x: Any) -> Any:
    return mp.psi(int(n), x)


KEPT: dict[str, Kept] = {
    "sigmoid": Kept(_sigmoid, "the derivative is taken as y * (1 - y), which is 0 from y = 1 on: sigmoid'(40) is 4.2e-18"),
    "tanh": Kept(mp.tanh, "the derivative is taken as 1 - y * y: 4 % off at 18, 0 from 20 on"),
    "expm1": Kept(mp.expm1, "the derivative is taken as y + 1, which keeps few digits where y is near -1"),
    "asinh": Kept(mp.asinh, "x * x overflows in the derivative: asinh'(1e200) is 1e-200, not 0"),
    "lgamma": Kept(lambda x: mp.log(abs(mp.gamma(x))), "trigamma is good to 1e-9 only", 1e-8),
    "digamma": Kept(mp.digamma, "trigamma is good to 1e-9 only", 1e-8),
    "sinc": Kept(lambda x: mp.sincpi(x), "sin(pi * x) of a rounded pi * x; the second derivative at 0 is nan", 1e-12),
}


def right(group: str, case: Case, kind: str, part: int, index: int, offset: int) -> float | None:
    """The right number for element `index` of a pointwise case, or None where there is none to be had.

    `kind`: "value", "grad" (or "first"), "grad2"; `part`: of which leaf.
    """
    if group not in KEPT or not case.pointwise:
        return None
    names = sorted(case.tensors)
    at = tuple(case.tensors[n].values[index] for n in names)
    leaves = tuple(n for n in names if case.tensors[n].grad)
    order = {"value": 0, "grad": 1, "first": 1, "grad2": 2}[kind]
    return _right(group, case.text, tuple(names), leaves, at, order, part, index + offset)


@cache
def _right(
    group: str, text: str, names: tuple[str, ...], leaves: tuple[str, ...], at: tuple[float, ...], order: int, part: int, element: int
) -> float | None:
    function = KEPT[group].function
    call = ast.parse(text).body[-1]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    arguments = [_argument(a) for a in call.value.args]
    keywords = {k.arg or "": _argument(k.value) for k in call.value.keywords}
    if any(math.isnan(x) for x in at):
        return None
    with mp.workdps(DIGITS):
        point = {n: mpf(x) if math.isfinite(x) else FAR * (1 if x > 0 else -1) for n, x in zip(names, at, strict=True)}

        def f(*moved: Any) -> Any:
            now = {**point, **dict(zip(leaves, moved, strict=True))}
            values = [now[a] if isinstance(a, str) else a for a in arguments]
            return function(*values, **{k: now[a] if isinstance(a, str) else a for k, a in keywords.items()})

        try:
            start = tuple(point[n] for n in leaves)
            found = _derivative(f, start, order, part, element)
            return float(found)
        except (ValueError, ZeroDivisionError, ArithmeticError, TypeError):
            return None


def _argument(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def _derivative(f: Callable[..., Any], start: tuple[Any, ...], order: int, part: int, element: int) -> Any:
    """The weighted derivatives, by differences in the digits of the context; steps are relative to large points."""
    if order == 0:
        return f(*start)
    w = mpf(weight(0, element))
    scale = [max(abs(x), mpf(1)) for x in start]

    def along(s: Any, *ts: Any) -> Any:
        moved = [x + t * c for x, t, c in zip(start, ts, scale, strict=True)]
        moved[part] += s * scale[part]
        return f(*moved)

    zeros = (mpf(0),) * len(start)
    if order == 1:
        return w * mp.diff(lambda s: along(s, *zeros), 0) / scale[part]
    total = mpf(0)
    for k, c in enumerate(scale):
        v = mpf(weight(5 + k, element))
        if k == part:
            second = mp.diff(lambda s: along(s, *zeros), 0, 2) / scale[part] ** 2
        else:
            second = mp.diff(lambda s, t, k=k: along(s, *(t if i == k else mpf(0) for i in range(len(start)))), (0, 0), (1, 1))  # type: ignore[misc]
            second = second / scale[part] / c
        total += v * w * second
    return total
