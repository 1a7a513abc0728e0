"""The decisions of a run: which way each `if` went, how often each loop turned.

A `Watch` that compares runs by what they decided. A decision is known by its tree node; of each it keeps a byte a time:
the truths of a test in order, or for a loop how many turns each of its runs had.

Invariant: decisions are in the order in which they were first met.
"""

from __future__ import annotations

from array import array
from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.objects import Frame, Run
from autodiff_cli.runtime.observers import Watch


class Decision:
    """One place where a program decides. `kind`: "if", "conditional", "while" or "for".

    `truths`: of an `if`, one byte each time; `turns`: of a loop, one number each time that it was run.
    """

    __slots__ = ("kind", "site", "truths", "turns")

    def __init__(self, kind: str, site: Any) -> None:
        self.kind = kind
        self.site = site
        self.truths = bytearray()
        self.turns = array("q")


_KINDS: dict[type, str] = {nodes.If: "if", nodes.IfExp: "conditional", nodes.While: "while", nodes.For: "for"}


class Decisions(Watch):
    """Keeps the decisions of a run."""

    def __init__(self) -> None:
        self.met: dict[Any, Decision] = {}
        self._running: dict[Any, list[int]] = {}  # loop -> which of its runs are going on (a function may call itself)
        self._loop_of: dict[Any, Any] = {}  # the first statement of a loop's body -> the loop

    def _of(self, site: Any) -> Decision:
        found = self.met.get(site)
        if found is None:
            found = self.met[site] = Decision(_KINDS[type(site)], site)
        return found

    def statement(self, c: Compiler, s: nodes.Stmt, run: Run) -> Run:
        if type(s) in (nodes.For, nodes.While):
            self._loop_of[s.body[0]] = s  # type: ignore[attr-defined]
            run = self._loop(s, run)

        def run_counted(f: Frame) -> Any:
            loop = self._loop_of.get(s)  # known when the loop around it has been turned, after its body
            if loop is not None:
                self._of(loop).turns[self._running[loop][-1]] += 1
            return run(f)

        return run_counted

    def _loop(self, s: nodes.Stmt, run: Run) -> Run:
        def run_loop(f: Frame) -> Any:
            turns = self._of(s).turns
            running = self._running.setdefault(s, [])
            running.append(len(turns))
            turns.append(0)
            try:
                return run(f)
            finally:
                running.pop()

        return run_loop

    def decision(self, c: Compiler, site: nodes.Node, test: Run) -> Run:
        if type(site) is nodes.While:
            return test

        def run(f: Frame) -> Any:
            truth = test(f)
            self._of(site).truths.append(bool(truth))
            return truth

        return run
