"""The debugger's mechanics: a run that waits, before any statement and after any node of a backward walk.

The debugger wraps the closures of statements (`Watch`) and is the tape's `stepper`. Where the run has to wait it calls
`control(stop)`, which talks to whoever debugs and returns the order to go on with. So the program's state is simply
there, in Python's own stack, while `control` looks at it.

Going back is running again: a run depends on nothing but its inputs, so the state `n` steps ago is reached by
repeating the run up to that step, with its output held back. Steps are numbered by `clock`: each statement that
begins, each node that a walk has left, and the ends of the program count one.

Invariant: a debugged run computes what it computes without; `control` can only look, and change values in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.node import Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault, NameFault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope
from autodiff_cli.runtime.arithmetic import truth
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.evaluation import Expression, locals_of, variables_of
from autodiff_cli.runtime.expressions import iterate
from autodiff_cli.runtime.lines import Lines
from autodiff_cli.runtime.objects import UNSET, Frame, Native, Run
from autodiff_cli.runtime.observers import Observers, Watch
from autodiff_cli.runtime.program import Program, paused
from autodiff_cli.runtime.snapshot import Describer, graph_of
from autodiff_cli.runtime.stops import (
    BACK,
    CALL,
    CONTINUE,
    DONE,
    END,
    FAILED,
    FINISH,
    LINE,
    NEXT,
    QUIT,
    RESTART,
    STEP,
    WALK,
    Breakpoint,
    Ended,
    Level,
    Rewind,
    Stop,
    Walked,
    name_of,
    shares,
    turns,
)
from autodiff_cli.runtime.watches import Watched, Watches

Order = tuple[str, int]  # what to do, and how often


class Debugger(Watch):
    """One program under control.

    Attributes:
        lines: which statements stand where. breakpoints: by number.
        changed: called with (watched, old value, level) when a watched expression has changed.
        told: called with (breakpoint, fault) for a condition that cannot be evaluated.
        interrupted: set from outside, by a signal, to stop the run at its next step.
        running: the program is running, nobody is looking at it.
    """

    def __init__(
        self,
        program: Program,
        control: Callable[[Stop], Order],
        changed: Callable[[Watched, Any, Level], None] = lambda watched, before, level: None,
        told: Callable[[Breakpoint, Fault], None] = lambda breakpoint, fault: None,
    ) -> None:
        self.program = program
        self.control = control
        self.changed = changed
        self.told = told
        self.lines = Lines(program.source, program.module)
        self.breakpoints: dict[int, Breakpoint] = {}
        self.watches = Watches(self.evaluate)
        self.interrupted = False
        self.running = False
        self.target = 1  # the step up to which the run is repeated
        self._numbers = 0

    # --- the run

    def run(self, start: Callable[[Observers, Callable[[str], None]], Any], write: Callable[[str], None]) -> None:
        """Run the program under control, as often as going back asks for.

        `start(observers, write)` runs the program once, from the beginning; it is given who follows the run, and what
        gets the program's output.

        Raises:
            Fault: the program never began: its inputs are wrong, or a name in it is.
        """

        def put(text: str) -> None:
            if self.clock >= self.target:
                write(text)

        while True:
            self._reset()
            try:
                start(Observers(watch=self), put)
                return
            except Rewind as rewind:
                self.target = rewind.clock
            except Ended:
                return
            except Fault as fault:
                if fault is not self._fault:
                    raise
                return

    def _reset(self) -> None:
        self.clock = 0
        self.stack: list[Level] = []
        self.mode, self.depth, self.left = CONTINUE, 0, 0  # the order, where it was given, how often it is to be done
        self._finishing: Frame | None = None
        self._returned: tuple[str, Any] | None = None
        self._fault: Fault | None = None
        self._began = False
        self._busy = False
        self._fresh: Level | None = None  # a statement that has been arrived at, and has done nothing yet
        self._raised: tuple[Fault, list[Level]] | None = None
        self._walks: list[list[int]] = []  # for each walk: nodes visited, nodes in all; those that failed stay below
        for expression in self._expressions():
            expression.forget()

    def _expressions(self) -> list[Expression]:
        conditions = [b.condition for b in self.breakpoints.values() if b.condition is not None]
        return [*conditions, *(w.expression for w in self.watches.all.values())]

    def begin(self, c: Compiler) -> None:
        self.compiler = c
        self._scopes: dict[nodes.Stmt, Scope] = {}
        c.library["breakpoint"] = Native("breakpoint", self._called, plain=True)
        tape.stepper = self

    def statement(self, c: Compiler, s: nodes.Stmt, run: Run) -> Run:
        self._scopes[s] = c.scope
        return self._watched(s, self.lines.places[s].line, c.scope, run)

    def body(self, c: Compiler, e: nodes.Lambda, run: Run) -> Run:
        return self._watched(e.body, self.lines.line(e.body), c.scope, run)

    def iteration(self, c: Compiler, s: nodes.For, items: Run) -> Run:
        return lambda f: items(f) if self._busy else turns(iterate(items(f), s.iterable), self._again)

    def decision(self, c: Compiler, site: nodes.Node, test: Run) -> Run:
        if type(site) is not nodes.While:
            return test

        def watched(f: Frame) -> Any:
            if not self._busy:
                self._again()
            return test(f)

        return watched

    def _again(self) -> None:
        """A loop comes back to its header, or to what a `while` tests for the first time."""
        level = self.stack[-1]
        if self._fresh is level:
            self._fresh = None
        else:
            self._arrive(level)

    def _watched(self, site: nodes.Stmt | nodes.Expr, line: int, scope: Scope, run: Run) -> Run:
        """The closure of a statement, or of a lambda's body."""
        function = name_of(scope)

        def watched(f: Frame) -> Any:
            if self._busy:
                return run(f)
            stack = self.stack
            height = len(stack)
            depth = 1 if not height else stack[-1].depth + (stack[-1].frame is not f)
            level = Level(site, line, scope, f, depth)
            stack.append(level)
            try:
                self._arrive(level)
                self._fresh = level
                signal = run(f)
            except Fault as fault:
                if self._raised is None or self._raised[0] is not fault:
                    self._raised = fault, list(stack)
                raise
            finally:
                del stack[height:]
            if type(signal) is tuple and f is self._finishing:
                self._returned = function, signal[0]
            if self.watches.all:
                self._look(level)
            return signal

        return watched

    def ended(self) -> None:
        self._began = True
        if not tape.backwards and tape.seq:  # else there is nothing to go backward through, or it has been done
            self._event(Stop(END, self.clock + 1, []), True)

    def done(self, outcome: Any) -> None:
        stop = Stop(DONE, self.clock + 1, [])
        stop.outcome = outcome
        self._event(stop, True)

    def failed(self, fault: Fault) -> None:
        if not self._began:
            return
        raised = self._raised
        stop = Stop(FAILED, self.clock + 1, raised[1] if raised is not None and raised[0] is fault else [])
        stop.fault = self._fault = fault
        self._event(stop, True)

    # --- where to wait

    def _arrive(self, level: Level) -> None:
        """A statement is about to run."""
        self._began = True
        clock = self.clock + 1
        if self._repeated(clock):
            return
        stop = Stop(LINE, clock, self.stack)
        if self.breakpoints:
            stop.breakpoint = self._breakpoint(level)
        self._event(stop, self._wanted(level.depth) or stop.breakpoint is not None)

    def _repeated(self, clock: int) -> bool:
        """Whether a step is one on the way back to where the run is to wait; an interrupt makes it wait here."""
        self.clock = clock
        if clock < self.target and self.interrupted:
            self.target = clock
        return clock < self.target

    def _event(self, stop: Stop, wanted: bool) -> None:
        self.clock = stop.clock
        if stop.clock == self.target or (stop.clock > self.target and (wanted or self.interrupted)):
            self._wait(stop)

    def _wanted(self, depth: int) -> bool:
        """Whether the last order was to go as far as this."""
        if self.mode == STEP or (self.mode == NEXT and depth <= self.depth):
            self.left -= 1
            return self.left <= 0
        return self.mode == FINISH and depth < self.depth

    def _wait(self, stop: Stop) -> None:
        """Let `control` look at the run, and do what it orders.

        Raises:
            Rewind, Ended: it does not want the run to go on from here.
        """
        stop.interrupted, self.interrupted = self.interrupted, False
        self.running = False
        self.target = 0
        stop.returned, self._returned = self._returned, None
        with paused():
            order, count = self.control(stop)
        if order == QUIT:
            raise Ended
        self.running = True
        if order in (BACK, RESTART):
            raise Rewind(1 if order == RESTART else max(1, stop.clock - count))
        self.mode, self.depth, self.left = order, stop.depth, count
        self._finishing = stop.stack[-1].frame if order == FINISH and stop.stack else None

    def _called(self) -> None:
        """The program calls breakpoint()."""
        if not self._busy and self.clock >= self.target:
            self._wait(Stop(CALL, self.clock, self.stack))

    def _breakpoint(self, level: Level) -> Breakpoint | None:
        """The breakpoint that stops here."""
        place = self.lines.places.get(level.statement)  # type: ignore[arg-type]
        if place is None:  # in a lambda
            return None
        for one in list(self.breakpoints.values()):
            here = place.first and place.line == one.line if one.line else place.function == one.function
            if here and (one.condition is None or self._holds(one, one.condition, level)):
                return one
        return None

    def _holds(self, one: Breakpoint, condition: Expression, level: Level) -> bool:
        try:
            return all(truth(value, level.statement) for value in self.evaluate(condition, level))
        except NameFault:  # has no value yet
            return False
        except Fault as fault:
            self.told(one, fault)
            return True

    # --- backward walks

    def walk_begins(self, order: list[Node]) -> None:
        """A backward walk through the nodes of `order` is about to begin."""
        self._walks.append([0, len(order)])
        around = self.stack[-1] if self.stack else self.top
        self.stack.append(Level(None, around.line, around.scope, around.frame, around.depth + 1))

    def walk_ends(self) -> None:
        """The walk is over."""
        self._walks.pop()
        self.stack.pop()

    def visit(self, node: Node, gradient: Any) -> None:
        """A walk has left a node; its operands have got their share of `gradient`."""
        walk = self._walks[-1]
        walk[0] += 1
        clock = self.clock + 1
        if self._repeated(clock):
            return
        wanted = self._wanted(self.stack[-1].depth)
        if wanted or clock == self.target or self.interrupted:
            stop = Stop(WALK, clock, self.stack)
            stop.walked = Walked(walk[0], walk[1], node, gradient, shares(node, gradient))
            self._event(stop, wanted)
        self.clock = clock

    # --- looking around

    @property
    def top(self) -> Level:
        """The top level of the program, as a place to evaluate expressions in."""
        c = self.compiler
        return Level(None, 0, c.scopes.module, c.globals, 1)

    def evaluate(self, expression: Expression, level: Level) -> list[Any]:
        """The values of an expression's parts at a level of the stack.

        Raises:
            Fault: whatever is wrong with it.
        """
        self._busy = True
        try:
            return expression.evaluate(self.compiler, level.scope, level.frame)
        finally:
            self._busy = False

    def variables(self, level: Level) -> list[tuple[str, Any]]:
        """The names of a level's function that have a value, with it; at the top level the globals."""
        c = self.compiler
        readers = variables_of(c, level.scope) if level.scope is c.scopes.module else locals_of(level.scope)
        found = [(name, read(level.frame)) for name, read in readers.items()]
        return [(name, value) for name, value in found if value is not UNSET]

    def describer(self, level: Level) -> Describer:
        """What each node of the graph is called, seen from a level."""
        seen = {**dict(self.variables(self.top)), **dict(self.variables(level))}
        state = self.compiler.state
        return Describer(self.program.source, self.program.module, seen, state.loops, state.calls)

    def graph(self, value: Tensor, level: Level) -> Any:
        """The snapshot of a value's graph so far."""
        return graph_of(self.describer(level), [value], tape.gradient_limit)

    # --- breakpoints and watches

    def add_breakpoint(self, line: int, function: str, condition: Expression | None) -> Breakpoint:
        """Stop at a line where a statement begins, or at the calls of a function.

        Raises:
            Fault: the condition reads a name that is not there.
        """
        if condition is not None:
            places = self.lines.places.items()
            here = [s for s, p in places if (p.first and p.line == line if line else p.function == function)]
            condition.bind_somewhere(self.compiler, [self._scopes[s] for s in here])
        self._numbers += 1
        self.breakpoints[self._numbers] = made = Breakpoint(self._numbers, line, function, condition)
        return made

    def add_watch(self, expression: Expression, level: Level) -> Watched:
        """Tell when an expression changes.

        Raises:
            Fault: it reads a name that is not there.
        """
        made = self.watches.add(self._numbers + 1, expression, level, self.top)
        self._numbers += 1
        return made

    def remove(self, number: int) -> bool:
        """Forget a breakpoint or a watched expression; whether there was one of that number."""
        found = self.breakpoints.pop(number, None) or self.watches.all.pop(number, None)
        return found is not None

    def _look(self, level: Level) -> None:
        for one, before in self.watches.look(level, self.top):
            if self.clock >= self.target:
                self.changed(one, before, level)
