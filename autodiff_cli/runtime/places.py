"""Where in the run a node was made: the turns of loops and the calls around it, read off the log of the run.

The log has an interval of the tape's clock for every loop that went round and every call that made nodes; a node
lies in those whose interval holds its sequence number. Asked in the order of sequence numbers, `Places.at` sweeps
over the log once: a million nodes cost a comparison each, and a new `Place` only where a turn or a call begins or
ends.

`Place.key` is the path without the numbers of turns: what a loop does in every turn has the same key each time. So
that the second of two calls in one turn is not the first, each loop and call is numbered within the turn (or call)
around it.

Invariant: intervals nest; of two with the same bounds the one that was closed later is the outer one.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from autodiff_cli.runtime.state import CallRun, LoopRun
from autodiff_cli.source import Source

Path = tuple[tuple["_Frame", int], ...]


class Place:
    """One turn of all loops and calls around some nodes.

    Attributes:
        loops: (line, turn from 1), outermost first.
        calls: (function, number of the call in the run, from 1), outermost first.
        looped: whether there are loops.
        key: the path without turns: the same object for the same code in another turn.
        turn: a number that only nodes in this turn of the innermost loop (or in this call) have.
    """

    __slots__ = ("_inner", "_outer", "key", "looped", "turn")

    _outer: Path
    _inner: tuple[_Frame, int] | None
    key: tuple[Any, ...]
    looped: bool
    turn: int

    def _path(self) -> Path:
        return self._outer if self._inner is None else (*self._outer, self._inner)

    @property
    def loops(self) -> tuple[tuple[int, int], ...]:
        return tuple((frame.line, frame.turns[at]) for frame, at in self._path() if frame.turns is not None)

    @property
    def calls(self) -> tuple[tuple[str, int], ...]:
        return tuple((frame.name, frame.number) for frame, _ in self._path() if frame.turns is None)


def _place(outer: Path, inner: tuple[_Frame, int] | None, key: tuple[Any, ...], looped: bool, turn: int) -> Place:
    place = Place()
    place._outer = outer
    place._inner = inner
    place.key = key
    place.looped = looped
    place.turn = turn
    return place


NOWHERE = _place((), None, (), False, 0)


class _Frame:
    """An interval of the log: nodes with `start < seq <= end`."""

    __slots__ = ("end", "ends", "line", "name", "number", "order", "start", "turns")

    def __init__(self, start: int, end: int, order: tuple[float, int]) -> None:
        self.start = start
        self.end = end
        self.order = order
        self.name = ""
        self.number = 0
        self.line = 0
        self.ends: Any = None
        self.turns: Any = None


class _Active:
    """A frame that the sweep is in: which of its turns, that turn's own number, and what was counted in it."""

    __slots__ = ("at", "counts", "frame", "key", "turn")

    def __init__(self, frame: _Frame, ordinal: int, turn: int) -> None:
        self.frame = frame
        self.key = (frame.name, frame.line, ordinal)
        self.at = -1
        self.turn = turn
        self.counts: dict[Any, int] = {}


class Places:
    """The places of a run. `at` is quick for sequence numbers that grow; others start the sweep again."""

    def __init__(self, source: Source, loops: list[LoopRun], calls: list[CallRun]) -> None:
        frames: list[_Frame] = []
        for i, run in enumerate(loops):
            frame = _Frame(run.start, run.ends[-1], (i, 0))
            frame.line = source.position(run.loop.span.start).line
            frame.ends, frame.turns = run.ends, run.turns
            frames.append(frame)
        for j, call in enumerate(calls):
            frame = _Frame(call.start, call.end, (call.loops - 0.5, j))
            frame.name = call.name
            frames.append(frame)
        frames.sort(key=lambda f: (f.start, -f.end, -f.order[0], -f.order[1]))
        number = 0
        for frame in frames:
            if frame.turns is None:
                number += 1
                frame.number = number
        self._frames = frames
        self._keys: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._restart()

    def _restart(self) -> None:
        self._next = 0
        self._stack: list[_Active] = []
        self._outside: dict[Any, int] = {}
        self._turns = 0  # turns and calls begun so far
        self._place = NOWHERE
        self._loop: _Active | None = None  # the innermost part, if it is a loop ...
        self._outer_high = -1  # ... and how far what is around it holds
        self.low, self.high = -1, self._frames[0].start if self._frames else 2**62

    def at(self, seq: int) -> Place:
        """The place of the node with this sequence number."""
        if self.low < seq <= self.high:
            return self._place
        loop = self._loop
        if loop is not None and self.high < seq <= self._outer_high:
            # most turns: nothing changes but the turn of the innermost loop
            at, ends = loop.at + 1, loop.frame.ends
            if at < len(ends) and seq <= ends[at]:
                before = self._place
                self._turns += 1
                loop.at, loop.turn, loop.counts = at, self._turns, {}
                self.low, self.high = seq - 1, min(ends[at], self._outer_high)
                self._place = _place(before._outer, (loop.frame, at), before.key, True, self._turns)
                return self._place
        if seq <= self.low:
            self._restart()
            return self.at(seq)
        return self._move(seq)

    def _move(self, seq: int) -> Place:
        """`at`, where loops or calls begin or end."""
        frames, stack = self._frames, self._stack
        while self._next < len(frames) and frames[self._next].start < seq:
            frame = frames[self._next]
            self._next += 1
            self._advance(frame.start + 1)
            counts = stack[-1].counts if stack else self._outside
            kind = (frame.name, frame.line)
            counts[kind] = ordinal = counts.get(kind, 0) + 1
            self._turns += 1
            stack.append(_Active(frame, ordinal, self._turns))
        self._advance(seq)
        high = outer = frames[self._next].start if self._next < len(frames) else 2**62
        looped = False
        path: list[tuple[_Frame, int]] = []
        for active in stack:
            frame, at = active.frame, active.at
            path.append((frame, at))
            outer = high
            end = frame.end
            if frame.turns is not None:
                looped = True
                end = frame.ends[at]
            if end < high:
                high = end
        self.low, self.high, self._outer_high = seq - 1, high, outer
        key = tuple([active.key for active in stack])
        key = self._keys.setdefault(key, key)
        self._loop = stack[-1] if stack and stack[-1].frame.turns is not None else None
        turn = stack[-1].turn if stack else 0
        self._place = _place(tuple(path[:-1]), path[-1] if path else None, key, looped, turn)
        return self._place

    def _advance(self, seq: int) -> None:
        """Leave what has ended before `seq`, and turn the loops on."""
        stack = self._stack
        while stack and stack[-1].frame.end < seq:
            stack.pop()
        for active in stack:
            frame, at = active.frame, active.at
            if frame.turns is not None and (at < 0 or frame.ends[at] < seq):
                following = at + 1 < len(frame.ends) and frame.ends[at + 1] >= seq
                active.at = at + 1 if following else bisect_left(frame.ends, seq)
                self._turns += 1
                active.turn, active.counts = self._turns, {}
