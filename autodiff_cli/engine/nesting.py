"""Inside of functions that torch.func transforms: what they may not do, and how PyTorch prints tensors there.

`tape.levels` are the runs of transformed functions that are going on, outermost first. A run that differentiates wraps the
tensors that are made in it, one wrapper a level: `GradTrackingTensor(lvl=1, value=...)`. `vmap` runs the function once for
each slice here, so inside of it tensors print as the slices that they are.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import RuntimeFault


class Run:
    """One run of a transformed function.

    Attributes:
        level: the Level (levels.py) that differentiates it; None for `vmap`.
        number: what PyTorch counts it as, from 1.
        given: the arguments that it is not differentiated in; they are wrapped, too.
    """

    __slots__ = ("given", "level", "number")  # a NamedTuple would take a millisecond of every start

    def __init__(self, level: Any, number: int, given: tuple[Any, ...]) -> None:
        self.level = level
        self.number = number
        self.given = given


def enter(level: Any, steps: int, given: tuple[Any, ...] = ()) -> None:
    """A run begins. `steps`: how many transforms it is to PyTorch (`jacfwd` is a vmap of a jvp)."""
    tape.levels.append(Run(level, (tape.levels[-1].number if tape.levels else 0) + steps, given))


def leave() -> None:
    """The latest run has ended."""
    tape.levels.pop()


def forward() -> bool:
    """Whether a function is being run that is differentiated forward."""
    return any(run.level is not None and run.level.forward for run in tape.levels)


def required(node: Node) -> bool:
    """Whether a tensor with this node requires a gradient to PyTorch where a run is going on.

    It does unless it was made in a forward run, and in no other inside of that: it is wrapped there, and nothing is recorded.
    """
    for run in reversed(tape.levels):
        if run.level is not None and node.seq > run.level.start:
            return not run.level.forward
    return True


def refuse(what: str, hint: str) -> None:
    """Raises RuntimeFault inside of a function that is being transformed."""
    if tape.levels:
        raise RuntimeFault(f"{what} is called inside of a function that torch.func transforms", hint=hint)


def wrapped(t: Any, grad_fn: str | None, text: Any) -> str:
    """How a tensor prints, where a run is going on. `text(requires_grad, grad_fn)`: how one prints elsewhere."""
    around = [run for run in tape.levels if run.level is not None and _belongs(t, run)]
    if not around or any(run.level is None for run in tape.levels):
        return str(text(t.requires_grad, grad_fn))
    required, name = _outside(t.node, around[0].level.start, grad_fn)
    found = str(text(required, name))
    for run in around:
        from textwrap import indent  # printing inside of transforms is rare, and the import takes a millisecond

        found = f"GradTrackingTensor(lvl={run.number}, value=\n{indent(found, '    ')}\n)"
    return found


def _belongs(t: Any, run: Run) -> bool:
    """Whether a tensor was made in a run, and not captured by its function."""
    if any(t is x for x in run.given):
        return True
    if t.node is not None:
        return bool(t.node.seq > run.level.start)
    return tape.captured is None or not tape.captured(t)


def _outside(node: Node | None, start: int, grad_fn: str | None) -> tuple[bool, str | None]:
    """Whether what is inside all wrappers requires a gradient, and its grad_fn: what is left of the graph outside."""
    origins = {
        x.node: origin
        for run in tape.levels
        if run.level is not None
        for x, origin in zip(run.level.targets, run.level.origins, strict=True)
    }
    first = node
    forwards = [run.level for run in tape.levels if run.level is not None and run.level.forward]
    dual = any(node is x.node for level in forwards for x in level.targets)
    while first in origins:
        first = origins[first]
    if first is None:
        return False, None
    stack, seen = [first], {first}
    while stack:
        n = origins.get(x := stack.pop(), x)
        if n is None:
            continue
        if n.seq <= start:
            if first.op is ACCUMULATE:
                return True, "AliasBackward0" if dual else None
            return True, grad_fn if first is node else first.op.grad_fn.rsplit("::", 1)[-1]
        for y in (n, *n.inputs):
            if type(y) is Node and y not in seen:
                seen.add(y)
                stack.append(y)
    return False, None
