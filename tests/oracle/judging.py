"""A group's cases run by the engine and held against PyTorch's answers.

Each case runs as it is; one with a 0-d tensor also with that value in an array (as where memory is shared); each element
of a pointwise case also alone, as Python numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from autodiff_cli.engine.lazy import quiet
from oracle.case import Case, Group, T, elements
from oracle.compare import EXACT, SINGLE, Difference, close, compare
from oracle.differences import ANSWERED, KEPT, OPEN, right
from oracle.engine_side import Crash, EngineSide, Missing
from oracle.running import Answer, answer
from oracle.tolerances import TOLERANCES, UNJUDGED

PLAIN = EngineSide()
SHARED = EngineSide(shared=True)


class Failure(NamedTuple):
    """A case, how it was run ("", "0-d array", "scalar 3"), how its answer differs, and whether ours is right (see
    differences.py)."""

    case: Case
    form: str
    difference: Difference
    kept: bool = False

    def __str__(self) -> str:
        names = "; ".join(f"{n} = {_shown(t, self.difference.index)}" for n, t in self.case.tensors.items())
        text = " ; ".join(self.case.text.split("\n"))
        return f"{text}   # {names}{' (' + self.form + ')' if self.form else ''}\n        {self.difference}"


def _shown(t: T, index: int) -> str:
    grad = ", requires_grad=True" if t.grad else ""
    dtype = "" if t.dtype == "float64" else f", dtype={t.dtype}"
    if len(t.values) > 12 and len(t.shape) == 1 and 0 <= index < len(t.values):
        return f"tensor([{t.values[index]!r}]{dtype}{grad})"
    values: Any = list(t.values) if len(t.values) <= 12 else f"{list(t.values[:4])}..."
    if t.shape == ():
        values = t.values[0]
    elif len(t.shape) != 1:
        return f"tensor({values}{dtype}{grad}).reshape{t.shape}"
    return f"tensor({values}{dtype}{grad})"


def judge(group: Group, answers: list[Answer]) -> Iterator[Failure]:
    """Every difference between the engine and the answers to a group's cases."""
    with quiet():
        for case, theirs in zip(group.cases, answers, strict=True):
            yield from _hold(group, case, "", PLAIN, theirs)
            if any(t.shape == () for t in case.tensors.values()):
                yield from _hold(group, case, "0-d array", SHARED, theirs)
            if case.pointwise:
                for i, element in enumerate(elements(case)):
                    yield from _hold(group, element, f"scalar {i}", PLAIN, at(theirs, i), i)


def judged(group: Group, found: Iterable[Failure]) -> list[Failure]:
    """Those that are not kept, and of a kind that is judged."""
    free = UNJUDGED.get(group.name, frozenset()) | UNJUDGED.get(group.family, frozenset())
    return [f for f in found if not f.kept and f.difference.kind not in free]


def _hold(group: Group, case: Case, form: str, side: EngineSide, theirs: Answer, offset: int = 0) -> Iterator[Failure]:
    tolerance = TOLERANCES.get(group.name, (EXACT, ""))[0]
    if group.name in KEPT and not case.pointwise:
        tolerance = max(tolerance, KEPT[group.name].rough)
    try:
        ours = answer(case, side, offset)
    except Missing as e:
        yield Failure(case, form, Difference("missing", -1, -1, str(e), ""))
        return
    except Crash as e:
        yield Failure(case, form, Difference("crash", -1, -1, str(e), theirs.get("error", "")))
        return
    for d in compare(case, ours, theirs, tolerance, group.scaled):
        yield Failure(case, form, d, _ours_is_right(group, case, d, theirs, offset, tolerance))


def _ours_is_right(group: Group, case: Case, d: Difference, theirs: Answer, offset: int, tolerance: float) -> bool:
    if group.name in OPEN and d.kind in OPEN[group.name].kinds.split() and OPEN[group.name].where(case):
        return True
    if group.name in ANSWERED and ANSWERED[group.name].where(case):
        if d.index < 0:
            if d.kind == "grad_fn" and isinstance(theirs.get("grad"), dict):
                return True  # a node that can't be walked through may be called what it likes
            refused = d.theirs if d.kind == "error" else isinstance(d.theirs, dict) and d.theirs.get("error")
            if refused and refused != "no error":
                return True
        elif isinstance(d.theirs, float) and not math.isfinite(d.theirs):
            return True
    if d.index < 0 or group.name not in KEPT or d.kind not in ("value", "grad", "first", "grad2"):
        return False
    truth = right(group.name, case, d.kind, d.part, d.index, offset)
    if any(t.dtype == "float32" for t in case.tensors.values()):
        tolerance = SINGLE
    return truth is not None and close(d.ours, truth, 0.0, tolerance)


def at(theirs: Any, i: int) -> Any:
    """The part of a pointwise answer that belongs to element i."""
    if isinstance(theirs, dict):
        if "values" in theirs and "dtype" in theirs:
            return {**theirs, "shape": [], "values": [theirs["values"][i]]}
        return {k: at(v, i) for k, v in theirs.items()}
    if isinstance(theirs, list):
        return [at(v, i) if isinstance(v, (dict, list)) else v for v in theirs]
    return theirs
