"""Probes: expressions whose values are told each time a line has run, while the program goes on (`run --probe`).

`7: h, h.grad` looks after the statements of line 7, each time; where line 7 opens a block (`for`, `while`, `if`,
`def`), it looks whenever the block is entered. `lines.py` says which statements those are. The line is looked at in the
function that it is in: local names, closure, globals, library. The gradient of what no leaf holds (`h.grad`) does not
exist when the line has run: it is told when a backward walk comes to it.

`12 if i == 2: s` looks only where the condition holds; one that cannot be evaluated there does not hold.

Invariant: a probed run computes what it computes without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.node import Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import wrap
from autodiff_cli.errors import Fault, NameFault, UsageFault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.evaluation import Expression, Late
from autodiff_cli.runtime.lines import Lines
from autodiff_cli.runtime.objects import Frame, Run
from autodiff_cli.runtime.observers import Watch
from autodiff_cli.runtime.program import Program

# line, text of the expression, its value (a Fault: it has none), and for what is told later: when the line had run for
# the how manieth time (else 0)
Tell = Callable[[int, str, Any, int], None]


class Probes(Watch):
    """The probes of one run. `tell` gets each value as it is found."""

    def __init__(self, specs: list[tuple[int, str, str]], program: Program, tell: Tell) -> None:
        """`specs`: (line, the text of a condition or "", the text of expressions with commas between).

        Raises:
            UsageFault: no statement begins on that line. SyntaxFault: the text is no expression.
        """
        self.tell = tell
        self.lines = Lines(program.source, program.module)
        self._busy = False
        self._late: dict[Node, list[tuple[int, str, int]]] = {}  # gradients to be told, by node: what `tell` gets
        self._times: dict[Expression, int] = {}
        self._by_line: dict[int, list[Expression]] = {}
        self._fits: dict[Expression, Fault | None] = {}  # why it fits nowhere so far; None: it fits somewhere
        self._conditions: dict[Expression, Expression] = {}
        for line, condition, text in specs:
            following = self.lines.next_line(line)
            if following != line:
                hint = f"the next one begins on line {following}" if following else "the program ends before"
                raise UsageFault(f"--probe: no statement begins on line {line}", hint=hint)
            expression = Expression(text, program.source, "--probe", late=True)
            self._by_line.setdefault(line, []).append(expression)
            if condition:
                self._conditions[expression] = Expression(condition, program.source, "--probe")

    def statement(self, c: Compiler, s: nodes.Stmt, run: Run) -> Run:
        place = self.lines.places[s]
        before = self._fitting(c, place.header) if place.header else []
        after = self._fitting(c, place.line) if place.last else []
        if not before and not after:
            return run
        scope, entered, line = c.scope, place.header, place.line

        def probed(f: Frame) -> Any:
            if self._busy:
                return run(f)
            for expression in before:
                self._look(c, entered, expression, scope, f)
            signal = run(f)
            for expression in after:
                self._look(c, line, expression, scope, f)
            return signal

        return probed

    def _fitting(self, c: Compiler, line: int) -> list[Expression]:
        """The probes of a line that have a meaning in the function that is being turned."""
        found = []
        for expression in self._by_line.get(line, ()):
            try:
                expression.bind(c, c.scope)
                if expression in self._conditions:
                    self._conditions[expression].bind(c, c.scope)
            except Fault as fault:
                self._fits.setdefault(expression, fault)
            else:
                self._fits[expression] = None
                found.append(expression)
        return found

    def begin(self, c: Compiler) -> None:
        tape.stepper = self

    def turned(self) -> None:
        for fault in self._fits.values():
            if fault is not None:
                raise fault

    def _look(self, c: Compiler, line: int, expression: Expression, scope: Scope, f: Frame) -> None:
        self._busy = True
        self._times[expression] = time = self._times.get(expression, 0) + 1
        try:
            if expression in self._conditions and not self._holds(c, self._conditions[expression], scope, f):
                return
            values = expression.evaluate(c, scope, f)
        except Fault as fault:
            self.tell(line, expression.text, fault, 0)
            return
        finally:
            self._busy = False
        for text, one in zip(expression.parts, values, strict=True):
            if type(one) is Late:
                self._late.setdefault(one.node, []).append((line, text, time))
            else:
                self.tell(line, text, one, 0)

    def _holds(self, c: Compiler, condition: Expression, scope: Scope, f: Frame) -> bool:
        try:
            return all(bool(value) for value in condition.evaluate(c, scope, f))
        except NameFault:  # has no value yet
            return False

    # --- backward walks (the tape's stepper)

    def walk_begins(self, order: list[Node]) -> None:
        """A walk begins."""

    def visit(self, node: Node, gradient: Any) -> None:
        """A walk has been at a node: its gradient is known."""
        for line, text, time in self._late.pop(node, ()):
            self.tell(line, text, wrap(gradient), time)

    def walk_ends(self) -> None:
        """A walk is over."""

    def done(self, outcome: Any) -> None:
        for waiting in self._late.values():
            for line, text, time in waiting:
                self.tell(line, text, None, time)
