"""What happens to gradients while a program runs, noted as it happens.

Where a ledger is kept, `tape.events` is one, and the few places that do something to gradients or to the graph tell it:
backward walks, accumulation into `.grad`, clears, graphs freed, `detach`, operations under `no_grad`, changes in place.
Elsewhere it is None, and they ask no more than that.

Every entry ticks the tape's clock, so that it lies in its own turn of a loop (runtime/places.py).

Invariant: `totals` count what happened, whether the entry was kept or left out for want of room.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.saved import saved_by
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import PLAIN, Tensor

MOST = 20_000  # entries that are kept


class Entry(NamedTuple):
    """One thing that happened.

    Attributes:
        kind: "backward", "accumulate", "clear", "assign" (of a .grad), "free", "detach", "no_grad", "change", "data" (of a
            tensor, by `.data = `), "hook" (it replaced a gradient).
        seq: the tape's clock. site: the tree node that did it; None for the backward that follows a program.
        subject: the node or tensor that it happened to, or None.
        before, after: raw values (of a .grad, of a hook's gradient, of .data); None where there was, or is, none.
        amount: nodes visited ("backward"), values freed ("free"), operations not recorded ("no_grad").
        bytes: of the values freed, or that backward would have needed, or of the tensor changed or detached.
        detail: a word: "retained" or "create_graph" of a backward, "grad" of torch.autograd.grad, how a gradient was
            cleared ("None" or "in place"), the name of the gradient mode.
    """

    kind: str
    seq: int
    site: Any
    subject: Any = None
    before: Any = None
    after: Any = None
    amount: int = 0
    bytes: int = 0
    detail: str = ""


class _Stretch:
    """A stretch without gradient mode that is going on. `at`: the number of its entry."""

    __slots__ = ("at", "bytes", "count", "held")

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0
        self.bytes = 0
        self.held: set[int] = set()  # operands and results (by id) that have been counted


class Ledger:
    """The entries of a run. `dropped`: how many there was no room for. `totals`: kind -> [entries, amount, bytes]."""

    def __init__(self, most: int = MOST) -> None:
        self.entries: list[Entry] = []
        self.dropped = 0
        self.totals: dict[str, list[int]] = {}
        self.most = most
        self._stretches: list[_Stretch | None] = []
        self._loose: _Stretch | None = None
        self._owners: dict[int, tuple[Tensor, Node, Any]] = {}  # a .grad (by id) -> it, whose it is, its value
        self._unrecorded: dict[int, Any] = {}  # results that would require a gradient (by id, weakly)

    def note(self, kind: str, *, site: Any = None, **details: Any) -> None:
        """Enter something that happened now, at the tape's site unless told otherwise."""
        tape.seq += 1
        entry = Entry(kind, tape.seq, tape.site if site is None else site, **details)
        total = self.totals.setdefault(kind, [0, 0, 0])
        total[0] += 1
        total[1] += entry.amount
        total[2] += entry.bytes
        if len(self.entries) < self.most:
            self.entries.append(entry)
        else:
            self.dropped += 1

    # --- backward --------------------------------------------------------------------------------------------------

    def walking(self, roots: Sequence[Node], detail: str) -> None:
        """A backward walk begins at these nodes."""
        self.note("backward", subject=roots[0] if roots else None, detail=detail)

    def walked(self, _roots: Sequence[tuple[Node, Any]], order: Sequence[Node], retain_graph: bool) -> None:
        """A backward walk ended, and freed what the nodes of `order` saved unless the graph is retained.

        A leaf's value stays with the leaf.
        """
        last = next((i for i in range(len(self.entries) - 1, -1, -1) if self.entries[i].kind == "backward"), None)
        if last is not None and not self.dropped:
            self.entries[last] = self.entries[last]._replace(amount=len(order))
        self.totals["backward"][1] += len(order)
        if retain_graph:
            return
        values: dict[int, Any] = {}
        for node in order:
            inputs = node.inputs
            for i in saved_by(node) if node.op.saves else ():
                holder = node if i < 0 else inputs[i]
                if (type(holder) is Node and holder.op is not ACCUMULATE) or type(holder) is Tensor:
                    values[id(holder)] = holder.value
        self.note("free", amount=len(values), bytes=sum(memory(v) for v in values.values()))

    def accumulated(self, node: Node, before: Any, after: Tensor) -> None:
        """A backward added to a `.grad`. `before`: its raw value, copied, or None."""
        value = _own(after.value)
        self._owners[id(after)] = (after, node, value)
        self.note("accumulate", subject=node, before=before, after=value)

    def assigned(self, t: Tensor, node: Node | None, before: Tensor | None, after: Tensor | None) -> None:
        """A program set `.grad`; `x.grad *= 2` sets it to itself, which is no news."""
        if after is before and after is not None:
            return
        subject = node if node is not None else t
        old = None if before is None else _own(before.value)
        if after is None:
            if before is not None:
                self.note("clear", subject=subject, before=old, detail="None")
            return
        value = _own(after.value)
        if node is not None:
            self._owners[id(after)] = (after, node, value)
        self.note("assign", subject=subject, before=old, after=value)

    def hooked(self, node: Node, before: Any, after: Any) -> None:
        """A hook returned another gradient for a node."""
        self.note("hook", subject=node, before=_own(before), after=_own(after))

    def replaced(self, t: Tensor, before: Any) -> None:
        """A program set `.data`; `before`: the raw value that it was."""
        self.note("data", subject=t, before=_own(before), after=_own(t.value), bytes=memory(t.value))

    # --- the graph -------------------------------------------------------------------------------------------------

    def detached(self, t: Tensor, node: Node) -> None:
        """A value with a graph was taken out of it."""
        self.note("detach", subject=node, bytes=memory(t.value))

    def changed(self, t: Tensor) -> None:
        """The contents of a tensor were changed in place."""
        owner = self._owners.get(id(t))
        if owner is None:
            self.note("change", subject=t, bytes=memory(t.value))
            return
        _, node, before = owner
        value = _own(t.value)
        self._owners[id(t)] = (t, node, value)
        kind = "clear" if _all_zero(value) else "assign"
        self.note(kind, subject=node, before=before, after=value, detail="in place")

    def mode(self, enabled: bool, name: str) -> None:
        """A gradient mode was entered."""
        self._stretches.append(None if enabled else self._begin(name))

    def _begin(self, name: str) -> _Stretch:
        self.note("no_grad", detail=name)
        return _Stretch(len(self.entries) - 1 if not self.dropped else -1)

    def mode_left(self) -> None:
        """The gradient mode that was entered last was left."""
        if self._stretches:
            self._end(self._stretches.pop())

    def unrecorded(self, op: Any, operands: Sequence[Any], result: Tensor, _params: Any = None) -> None:
        """An operation ran without gradient mode. It counts if it would have been recorded with it.

        `operands`: nodes, for tensors that require a gradient, or else tensors and numbers.
        """
        if tape.walking or not op.vjps:  # the walk's own arithmetic is no operation of the program
            return
        read: set[int] = set()
        needed = False
        for i, x in enumerate(operands):
            if type(x) is Node or (type(x) is Tensor and id(x) in self._unrecorded):
                needed = True
                read |= op.reads[0 if op.variadic else i] if op.variadic or i < len(op.reads) else frozenset()
        if not needed:
            return
        key = id(result)

        def gone(_: Any) -> None:
            self._unrecorded.pop(key, None)
            for one in [*self._stretches, self._loose]:
                if one is not None:
                    one.held.discard(key)

        self._unrecorded[key] = weakref.ref(result, gone)
        stretch = next((s for s in reversed(self._stretches) if s is not None), None)
        if stretch is None:
            stretch = self._loose = self._loose or self._begin("gradient mode off")
        stretch.count += 1
        kept = range(len(operands)) if -2 in read else [i for i in read if i >= 0]
        for x in [*(operands[i] for i in kept), *([result] if -1 in read else [])]:
            # what a walk would free: a leaf's value stays with the leaf, a number has no memory of its own
            if (type(x) is Tensor or (type(x) is Node and x.op is not ACCUMULATE)) and id(x) not in stretch.held:
                stretch.held.add(id(x))
                stretch.bytes += memory(x.value)

    def finish(self) -> None:
        """The run has ended."""
        for stretch in [*reversed(self._stretches), self._loose]:
            self._end(stretch)
        self._stretches, self._loose = [], None
        self._owners.clear()
        self._unrecorded.clear()

    def _end(self, stretch: _Stretch | None) -> None:
        """Put into the entry of a stretch what came of it."""
        if stretch is None:
            return
        self.totals["no_grad"][1] += stretch.count
        self.totals["no_grad"][2] += stretch.bytes
        if stretch.at >= 0:
            self.entries[stretch.at] = self.entries[stretch.at]._replace(amount=stretch.count, bytes=stretch.bytes)


def memory(value: Any) -> int:
    """The bytes of a raw value's numbers (a Python number counts as the 8 bytes of a float64; a bool as 1)."""
    return 1 if type(value) is bool else int(getattr(value, "nbytes", 8))


def _own(value: Any) -> Any:
    return value if type(value) in PLAIN else value.copy()


def _all_zero(value: Any) -> bool:
    return not (value if type(value) in PLAIN else value.any())
