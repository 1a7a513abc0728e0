"""How two answers to a case differ: kinds of difference, each with one line that shows it.

Kinds: `error` (one raises, or another class), `structure`, `dtype`, `shape`, `value`, `zero-sign`, `grad_fn`, `next`
(names of the operands' nodes), `requires_grad`, `grad`, `again` (a second walk), `first` (the gradients depend on
create_graph), `grad2`, `grad2-none` (constants on one side).

Numbers agree when they differ by `tolerance` times the larger of the two. Where sums cancel that is asked too much: then
the scale is what the quantity's dimension allows, |out| / |in| ** order, with the largest numbers of the case (of the
element, in a pointwise case): for gradients of gradients with respect to several tensors or of cases that are not
pointwise, and everywhere in groups that are `scaled`.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from oracle.case import Case
from oracle.running import Answer

EXACT = 1e-12
SINGLE = 3e-6  # float32: a few units in the last place, through a few operations
SUBNORMAL = 1e-320  # two thousand times the smallest number
SUBNORMAL_SINGLE = 1e-44


class Difference(NamedTuple):
    """`index` is the element at which it shows (-1: the whole); `ours` and `theirs` as numbers or text; `part`: which
    result or gradient."""

    kind: str
    part: int
    index: int
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        where = f"[{self.part}]" if self.part >= 0 else ""
        if self.index >= 0:
            where += f"[{self.index}]"
        return f"{self.kind}{where}: ours {_short(self.ours)}, PyTorch {_short(self.theirs)}"


def _short(x: Any) -> str:
    text = repr(x)
    return text if len(text) <= 200 else text[:200] + "..."


def compare(case: Case, ours: Answer, theirs: Answer, tolerance: float, scaled: bool) -> Iterator[Difference]:
    """The differences of our answer from theirs."""
    if "error" in ours or "error" in theirs:
        if not same_error(ours.get("error"), theirs.get("error")):
            yield Difference("error", -1, -1, ours.get("error", "no error"), theirs.get("error", "no error"))
        return
    judge = _Judge(case, theirs, tolerance, scaled)
    yield from judge.value(ours["out"], theirs["out"])
    if "grad" not in ours or "grad" not in theirs:
        if ("grad" in ours) != ("grad" in theirs):
            yield Difference("requires_grad", -1, -1, "grad" in ours, "grad" in theirs)
        return
    yield from judge.gradients("grad", ours["grad"], theirs["grad"])
    if "again" in ours and "again" in theirs and not same_error(ours["again"], theirs["again"]):
        yield Difference("again", -1, -1, ours["again"], theirs["again"])
    if "first" in ours:
        yield from judge.gradients("first", ours["first"], theirs.get("first", theirs["grad"]))
    if "grad2" in ours and "grad2" in theirs:
        yield from judge.gradients("grad2", ours["grad2"], theirs["grad2"])


def same_error(ours: str | None, theirs: str | None) -> bool:
    """Whether `except theirs` in a program catches ours.

    A wrong type of argument is TypeError in PyTorch's C++ and, by accident, AttributeError where a function is written in Python.
    """
    if ours is None or theirs is None:
        return ours is theirs
    if theirs == "AttributeError" and ours == "TypeError":
        return True
    return ours == theirs or issubclass(getattr(builtins, ours), getattr(builtins, theirs))


def close(x: float, y: float, scale: float, tolerance: float) -> bool:
    """Whether two numbers agree; nan with nan, and an infinity only with itself."""
    if x == y or (x != x and y != y):
        return True
    if x != x or y != y or math.isinf(x) or math.isinf(y):
        return False
    smallest = SUBNORMAL if tolerance < SINGLE else SUBNORMAL_SINGLE
    return abs(x - y) <= tolerance * max(abs(x), abs(y), scale) + smallest


def largest(values: Any) -> float:
    """The largest magnitude of the finite ones."""
    return max((abs(float(v)) for v in values if math.isfinite(v)), default=0.0)


def tensors_of(out: Any) -> Iterator[dict[str, Any]]:
    """The described tensors in a described result."""
    if isinstance(out, dict) and "dtype" in out:
        yield out
    elif isinstance(out, (dict, list)):
        for part in out.values() if isinstance(out, dict) else out:
            yield from tensors_of(part)


class _Judge:
    def __init__(self, case: Case, theirs: Answer, tolerance: float, scaled: bool) -> None:
        self.case = case
        self.theirs = theirs
        self.scaled = scaled
        self.single = any(t.dtype == "float32" for t in case.tensors.values()) or "float" in case.text
        self.tolerance = max(SINGLE, tolerance) if self.single else tolerance
        self.several = sum(t.grad for t in case.tensors.values()) > 1

    def scale(self, order: int, index: int, value: Any) -> float:
        """How large a number of this order may be: |out| / |in| ** order, 0 where numbers are held to their own size."""
        if not (self.scaled or (order == 2 and (self.several or not self.case.pointwise))):
            return 0.0
        tensors = [t for t in self.case.tensors.values() if t.values]
        if self.case.pointwise:
            given = largest(t.values[index] for t in tensors)
            made = largest(t["values"][index] for t in tensors_of(self.theirs["out"]))
        else:
            given = largest(v for t in tensors for v in t.values)
            made = largest(v for t in tensors_of(self.theirs["out"]) for v in t["values"])
        if order == 0:
            return max(given, largest(value))
        if not given:  # a point without a scale: that of the weights
            given = made = 1.0
        possible = made
        for _ in range(order):
            possible /= given
        return max(possible, largest(value)) if self.scaled else possible

    def value(self, ours: Any, theirs: Any, part: int = 0) -> Iterator[Difference]:
        """Two described results, which may be structures."""
        if isinstance(theirs, dict) and isinstance(ours, dict) and theirs.keys() == ours.keys():
            if "dtype" in theirs:
                yield from self.tensor("value", part, ours, theirs)
                if ours["grad_fn"] != theirs["grad_fn"]:
                    yield Difference("grad_fn", part, -1, ours["grad_fn"], theirs["grad_fn"])
                elif ours["next"] != theirs["next"]:
                    yield Difference("next", part, -1, ours["next"], theirs["next"])
                return
            for key in theirs:
                yield from self.value(ours[key], theirs[key], part)
        elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
            for i, (x, y) in enumerate(zip(ours, theirs, strict=True)):
                yield from self.value(x, y, i)
        elif type(ours) is not type(theirs):
            yield Difference("structure", part, -1, ours, theirs)
        elif isinstance(theirs, float):
            if not close(ours, theirs, 0.0, self.tolerance):
                yield Difference("value", part, -1, ours, theirs)
        elif ours != theirs:
            yield Difference("value" if not isinstance(theirs, (dict, list)) else "structure", part, -1, ours, theirs)

    def tensor(self, kind: str, part: int, ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[Difference]:
        for what in ("dtype", "shape"):
            if ours[what] != theirs[what]:
                yield Difference(what, part, -1, ours[what], theirs[what])
                return
        order = {"value": 0, "grad": 1, "first": 1, "grad2": 2}[kind]
        scale = None
        for i, (x, y) in enumerate(zip(ours["values"], theirs["values"], strict=True)):
            if x == y:
                if x == 0 and order < 2 and math.copysign(1.0, x) != math.copysign(1.0, y):
                    yield Difference("zero-sign" if kind == "value" else f"{kind}-zero-sign", part, i, x, y)
                continue
            if scale is None or self.case.pointwise:
                scale = self.scale(order, i, [y] if self.case.pointwise else theirs["values"])
            loose = 10 if order == 2 and self.single else 1  # a difference of differences, in seven digits
            if not close(x, y, scale, self.tolerance * loose):
                yield Difference(kind, part, i, x, y)

    def gradients(self, kind: str, ours: Any, theirs: Any) -> Iterator[Difference]:
        """Lists of gradients; None for constants, or an error in their place."""
        if not isinstance(ours, list) or not isinstance(theirs, list):
            errors = [x.get("error") if isinstance(x, dict) else None for x in (ours, theirs)]
            if not same_error(*errors):
                yield Difference(kind, -1, -1, ours, theirs)
            elif (ours is None) != (theirs is None):
                yield Difference(f"{kind}-none", -1, -1, ours, theirs)
            return
        for i, (x, y) in enumerate(zip(ours, theirs, strict=True)):
            if x is None or y is None:
                if x is not y:
                    yield Difference(kind, i, -1, x and x["values"], y and y["values"])
            else:
                yield from self.tensor(kind, i, x, y)
