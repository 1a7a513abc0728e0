"""`--element i,j`: one entry of each array of a backward pass, followed through its steps.

The index is that of the leaves' entries. Shapes are aligned as broadcasting aligns them, from the right; an array in
which the index has no place (a sum has taken that dimension away) is shown whole, by its shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.lazy import np, quiet
from autodiff_cli.engine.replay import derivative_entries
from autodiff_cli.errors import UsageFault
from autodiff_cli.views.explain import Explanation, Step
from autodiff_cli.views.numbers import number_text

Entry = tuple[int, ...]
MOST_TERMS = 4


def entry_of(value: Any, entry: Entry) -> Any:
    """The entry of an array that the index means in it; the value itself where it means none."""
    shape = getattr(value, "shape", ())
    if not shape or len(shape) > len(entry):
        return value
    index = tuple([0 if n == 1 else i for i, n in zip(entry[-len(shape) :], shape, strict=True)])
    if any(i >= n for i, n in zip(index, shape, strict=True)):
        return value
    return value[index]


def local_at(step: Step, entry: Entry) -> Any:
    """The local derivative by the entry: a number, or the text of a sum of terms; "" where it is not known."""
    if step.local is not None:
        return entry_of(step.local, entry)
    shape = getattr(step.operand.value, "shape", ())
    at = entry_of(np.arange(step.operand.value.size).reshape(shape), entry) if shape else 0
    if getattr(at, "ndim", 0):
        return ""
    with quiet():
        found = derivative_entries(step.node, step.position, int(at))
    if found is None:
        return ""
    terms = [(float(d), float(g)) for d, g in zip(found, np.ravel(step.incoming), strict=True) if d != 0]
    if len(found) == 1:
        return float(found[0])
    text = " + ".join(f"{number_text(d, 3)}*{number_text(g, 3)}" for d, g in terms[:MOST_TERMS])
    text = text.replace("+ -", "- ")
    return (text or "0") + (f" + {len(terms) - MOST_TERMS} terms" if len(terms) > MOST_TERMS else "")


def check_entry(explained: Sequence[Explanation], entry: Entry) -> None:
    """The index is one of some leaf.

    Raises:
        UsageFault: no leaf has such an entry.
    """
    leaves = [n for one in explained for n in one.graph.nodes or () if n.is_leaf and n.requires_grad]
    shapes = {n.name or n.text: n.shape for n in leaves}
    for shape in shapes.values():
        if len(shape) == len(entry) and all(i < n for i, n in zip(entry, shape, strict=True)):
            return
    listed = ", ".join(f"{name} has shape {shape}" for name, shape in shapes.items())
    raise UsageFault(f"--element {','.join(map(str, entry))}: no leaf has such an entry", hint=listed or None)
