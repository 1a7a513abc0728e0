"""The facade: a program, its inputs, a run of it, what the run gave.

    Program.load("z=(x*y+1)**2").run({"x": 2, "y": 3}).gradients    # {"x": 42.0, "y": 28.0}

Invariant: a run leaves nothing behind in the engine: gradient mode, clock, warnings and numpy's settings are as before.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from autodiff_cli.engine.formatting import DEFAULT_OPTIONS
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.random import DEFAULT_SEED, default_generator
from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import Fault, LimitFault
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import deep_recursion
from autodiff_cli.language.parser import parse
from autodiff_cli.language.scope import Scopes, analyse
from autodiff_cli.runtime import library, outcome
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.completion import complete
from autodiff_cli.runtime.inputs import InputInfo, check_given, default_of
from autodiff_cli.runtime.objects import UNSET
from autodiff_cli.runtime.observers import NOBODY, Observers
from autodiff_cli.runtime.outcome import Output, Run
from autodiff_cli.runtime.state import Limits, State, input_tensor
from autodiff_cli.source import Source

__all__ = ["GRAPH_LIMIT", "InputInfo", "Limits", "Output", "Program", "Run"]

GRAPH_LIMIT = 10_000  # nodes; a larger graph is counted and not copied
FOLD_LIMIT = (
    2_000_000  # nodes; in a walk of more that the program began itself, no gradients are kept for a folded graph
)


class Program:
    """A program that was read and whose names were bound. `inputs` are in the order of the text."""

    def __init__(self, source: Source, module: nodes.Module, scopes: Scopes) -> None:
        self.source = source
        self.module = module
        self.scopes = scopes
        self.inputs: tuple[InputInfo, ...] = tuple(
            InputInfo(i.name, default_of(i), i.kind == "input", i.span, i.default is not None) for i in scopes.inputs
        )

    @classmethod
    def load(cls, text: str | Source, *, given: frozenset[str] = frozenset()) -> Program:
        """Read a program. `given`: names that will get values, so that a name of the library among them is an input.

        Raises:
            SyntaxFault: the text is not a program of the language.
        """
        source = text if isinstance(text, Source) else Source(text)
        with deep_recursion():
            try:
                module = parse(source)
                scopes = analyse(module, library.known_names(), given, library.star_names)
            except Fault as fault:
                fault.source = source
                raise
        return cls(source, module, scopes)

    def run(
        self,
        values: Mapping[str, Any] | None = None,
        *,
        no_grad: Collection[str] = (),
        of: Sequence[str] = (),
        seed: Any = None,
        backward: bool = True,
        limits: Limits | None = None,
        write: Callable[[str], None] | None = None,
        graph: bool = True,
        graph_limit: int | None = GRAPH_LIMIT,
        fold: bool = False,
        observers: Observers = NOBODY,
    ) -> Run:
        """Run the program, then `backward()` from its output unless it did that itself.

        Args:
            values: input -> a number, an array or nested lists of numbers (any shape; float64 is made of them).
            no_grad: inputs that are constants.
            of: names of the outputs, in place of the last value computed.
            seed: the cotangent of an output that isn't scalar, of its shape.
            backward: False leaves the implicit backward out.
            write: gets what the program prints, as it prints; without it the text is only kept in `Run.printed`.
            graph: whether the run's graph is kept, for views.
            graph_limit: nodes past which the graph is counted and not copied; None: no limit.
            fold: whether the graph folded along its loops is kept, too (of a graph of any size).
            observers: who follows the run, for views that tell more than its result.

        Raises:
            UsageFault: inputs are missing, or there are values for names that aren't inputs.
            Fault: whatever the program did wrong, with its place.
        """
        given = dict(values or {})
        limits = limits or Limits()
        log = graph or observers.look_back
        whole = (
            fold or observers.look_back
        )  # what is told of a run has places to its end, whatever becomes of the graph
        log_until = (sys.maxsize if whole else graph_limit or sys.maxsize) if log else -1
        state = State(limits, write, log_until, observers)
        started = time.perf_counter()

        def finish() -> Run:
            return outcome.collect(self, state, of, seed, backward, graph, graph_limit, fold, started)

        with deep_recursion(), quiet(), engine(state, graph, FOLD_LIMIT if fold else graph_limit):
            return self._execute(state, given, no_grad, log, finish)

    def _execute(
        self, state: State, given: dict[str, Any], no_grad: Collection[str], log: bool, finish: Callable[[], Run]
    ) -> Run:
        """Turn the tree into closures, bind the inputs, run; what goes wrong is told in the program's words."""
        state.globals = [UNSET] * len(self.scopes.module.locals)
        names = library.library(state)
        watch, trail = state.observers.watch, state.observers.trail
        if trail is not None:
            trail.variables = lambda: dict(zip(self.scopes.module.locals, state.globals, strict=True))
        try:
            compiler = Compiler(self.source, self.scopes, state.globals, names, state, log)
            if watch is not None:
                watch.begin(compiler)
            main = compiler.block(self.module.body)
            check_given(self, given, no_grad)
            self._bind(state, given, no_grad)
            if watch is not None:
                watch.turned()
            with clock(state.limits.timeout):
                main(state.globals)
                if watch is not None:
                    watch.ended()
                run = finish()
                if watch is not None:
                    watch.done(run)
                return run
        except Fault as fault:
            complete(fault, self.source, tape.site)
            if watch is not None:
                watch.failed(fault)
            raise
        except RecursionError as error:
            raise outcome.too_deep(self.source) from error

    def _bind(self, state: State, given: dict[str, Any], no_grad: Collection[str]) -> None:
        """Make the inputs' tensors; those that are declared are bound when their declaration runs."""
        for info in self.scopes.inputs:
            if info.name not in given:
                continue
            value = given[info.name]
            whole = info.kind == "const" and type(value) in (int, float) and float(value).is_integer()
            if whole and type(default_of(info)) is int:
                state.given[info.name] = int(value)
            else:
                differentiable = info.kind == "input" and info.name not in no_grad
                state.given[info.name] = input_tensor(value, differentiable)
            if info.declaration is None:
                state.globals[info.slot] = state.given[info.name]
        state.frozen = frozenset(no_grad)


@contextmanager
def engine(state: State, graph: bool, graph_limit: int | None) -> Iterator[None]:
    """The engine's state for one run.

    The cyclic collector is off: a graph has no cycles, and looking for them doubled the time of building one (at a threshold
    of 200,000 objects it still cost a tenth). What a program leaves in cycles is collected by `State.refuel`.
    """
    tape.reset()
    DEFAULT_OPTIONS.reset()
    default_generator.manual_seed(DEFAULT_SEED)
    tape.max_elements = state.limits.max_elements
    tape.warn = state.warn
    tape.captured = lambda t: any(t is x for x in state.globals)
    tape.gradients = {} if graph else None
    tape.gradient_limit = sys.maxsize if graph_limit is None else graph_limit
    tape.trail = state.observers.trail
    tape.events = state.observers.ledger
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        tape.reset()


@contextmanager
def clock(seconds: float | None) -> Iterator[None]:
    """Raises LimitFault inside when the time is over (on the main thread of a system that has interval timers)."""
    if seconds is None:
        yield
        return
    import signal

    def over(_signal: int, _frame: Any) -> None:
        raise LimitFault(f"the program ran longer than {seconds:g} s", hint="--timeout allows more")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def paused() -> Iterator[None]:
    """Inside, the time of `clock` stands still: somebody is looking at the run."""
    import signal

    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_REAL, left)
