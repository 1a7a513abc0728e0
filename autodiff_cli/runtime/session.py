"""A program that is given piece by piece: what a prompt runs. Names, graph and random numbers go on through all pieces.

Every piece is analysed with the names of the session known, and its globals are put into the slots of one list, which
all pieces share: a function reads the global of that name as it is when the function runs, also one that was defined
again later. A name that nothing has defined is no input here but a mistake; inside a `def` it may be defined later.

Invariant: a piece that fails, or is interrupted, leaves what it had done until then, and the session goes on.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.node import ACCUMULATE
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.engine.trail import Trail
from autodiff_cli.errors import Fault, NameFault
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import deep_recursion
from autodiff_cli.language.parser import parse
from autodiff_cli.language.scope import BUILTIN, GLOBAL, Resolution, Scopes, analyse
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime import library, outcome
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.completion import complete
from autodiff_cli.runtime.objects import UNSET
from autodiff_cli.runtime.observers import Observers
from autodiff_cli.runtime.program import GRAPH_LIMIT, clock, engine
from autodiff_cli.runtime.snapshot import Describer, gradient_of, graph_of
from autodiff_cli.runtime.state import Limits, State
from autodiff_cli.runtime.texts import Texts
from autodiff_cli.source import Source, Span

LAST = "_"  # the name of the last value, as at Python's prompt
NAME = "<session>"


class Session:
    """One session; a context manager, and only inside of it pieces run. `write` gets what they print."""

    def __init__(self, limits: Limits, write: Callable[[str], None]) -> None:
        self.trail = Trail()  # keeps the last backward pass, to be explained
        self.state = State(limits, write, GRAPH_LIMIT, Observers(trail=self.trail))
        self.library = library.library(self.state)
        self.slots: dict[str, int] = {}
        self.texts = Texts(NAME)
        self.body: list[nodes.Stmt] = []
        self.trail.variables = lambda: self.variables
        self._entered = ExitStack()

    def __enter__(self) -> Session:
        self._entered.enter_context(engine(self.state, True, GRAPH_LIMIT))
        gc.enable()  # the prompt makes cycles; it is off while a piece runs
        return self

    def __exit__(self, *error: Any) -> None:
        self._entered.close()

    @property
    def variables(self) -> dict[str, Any]:
        """The names of the session that have a value."""
        return {n: self.state.globals[i] for n, i in self.slots.items() if self.state.globals[i] is not UNSET}

    def run(self, source: Source) -> Any:
        """Run a piece; the value of the expression that it ends with, or None.

        Raises:
            Fault: whatever is wrong with it, with its place in the piece that it happened in.
        """
        padded = self.texts.padded(source.text)
        collecting = gc.isenabled()
        gc.disable()
        try:
            with deep_recursion(), quiet():
                module, scopes = self._read(padded, source)
                return self._execute(module, scopes)
        except Fault as fault:
            self._localise(fault, source)
            raise
        except RecursionError as error:
            raise outcome.too_deep(source) from error
        finally:
            self._rest()
            if collecting:
                gc.enable()

    def _read(self, padded: Source, source: Source) -> tuple[nodes.Module, Scopes]:
        """The tree of a piece and its names; from here on its text belongs to the session."""
        module = parse(padded)
        known = library.known_names().union(self.variables)
        scopes = analyse(module, known, frozenset(), library.star_names)
        self._refuse_inputs(module, scopes, known)
        self._settle(scopes)
        self.texts.add(source)
        self.body += module.body
        return module, scopes

    def _localise(self, fault: Fault, source: Source) -> None:
        """Tell the place in the piece; one that could not be read has no place among the texts yet."""
        span, start = fault.span, len(self.texts.whole.text)
        if span is None or span.start < start:
            self.texts.localise(fault)
            return
        most = len(source.text)
        fault.source = source
        fault.span = Span(min(span.start - start, most), min(span.end - start, most))
        fault.notes = tuple(
            [(Span(s.start - start, s.end - start), phrase) for s, phrase in fault.notes if s.start >= start]
        )

    def _refuse_inputs(self, module: nodes.Module, scopes: Scopes, known: frozenset[str]) -> None:
        """Raises NameFault for a name that has no value; in a `def` it may get one before the function runs."""
        functions = [s.span for s in module.body if type(s) is nodes.FunctionDef]
        for one in scopes.inputs:
            if one.default is not None:
                continue
            name = one.name
            if one.declaration is None and any(f.start <= one.span.start < f.end for f in functions):
                continue
            close = nearest(name, known)
            give = f"give it one: {name} = tensor(2.0, requires_grad=True)"
            hint = f"did you mean {close}? Or {give}" if close else give
            raise NameFault(f"{name} has no value", hint=hint, span=one.span)

    def _settle(self, scopes: Scopes) -> None:
        """Give the globals of a piece their slots in the session's list."""
        own = [self._slot(name) for name in scopes.module.locals]

        def place(name: str, at: Resolution) -> Resolution:
            if at[0] == GLOBAL:
                return GLOBAL, own[at[1]]
            return (GLOBAL, self.slots[name]) if at[0] == BUILTIN and name in self.slots else at

        for node, at in list(scopes.resolution.items()):
            if type(node) is nodes.Name:
                scopes.resolution[node] = place(node.id, at)
        for node, pairs in list(scopes.bindings.items()):
            scopes.bindings[node] = tuple([(name, place(name, at)) for name, at in pairs])
        for one in scopes.inputs:
            one.slot = own[one.slot]

    def _slot(self, name: str) -> int:
        if name not in self.slots:
            self.slots[name] = len(self.state.globals)
            self.state.globals.append(UNSET)
        return self.slots[name]

    def _execute(self, module: nodes.Module, scopes: Scopes) -> Any:
        state = self.state
        walks, gradients = tape.backwards, tape.gradients
        tape.gradients = {}
        try:
            main = Compiler(self.texts.whole, scopes, state.globals, self.library, state, True).block(module.body)
            with clock(state.limits.timeout):
                main(state.globals)
        except Fault as fault:
            complete(fault, self.texts.whole, tape.site)
            raise
        finally:
            if tape.backwards == walks:  # the gradients to show are those of the last backward pass
                tape.gradients = gradients
        last = module.body[-1] if module.body else None
        if type(last) is not nodes.ExprStmt or state.last is not last:
            return None
        value = state.last_value
        state.globals[self._slot(LAST)] = value
        return value

    def _rest(self) -> None:
        """The state between two pieces."""
        state = self.state
        state.last = state.last_value = None
        state.given = {}
        state.printed.clear()
        state.fuel = state.steps = state.depth = 0
        state.handling.clear()
        tape.site = None

    def warnings(self) -> list[str]:
        """What was warned of since the last time."""
        found, self.state.warnings = self.state.warnings, []
        return found

    def describer(self) -> Describer:
        """What each node of the session's graphs is called."""
        module = nodes.Module(Span(0, len(self.texts.whole.text)), tuple(self.body))
        named = {name: value for name, value in self.variables.items() if name != LAST}
        return Describer(self.texts.whole, module, named, self.state.loops, self.state.calls)

    def graph(self, value: Tensor) -> Any:
        """The snapshot of a value's graph."""
        return graph_of(self.describer(), [value], GRAPH_LIMIT)

    def outcome(self) -> outcome.Run:
        """The session so far as a run without an output: its leaves with their gradients."""
        run = outcome.Run()
        run.describer = self.describer()
        for name, value in self.variables.items():
            node = current_node(value) if isinstance(value, Tensor) and name != LAST else None
            if node is not None and node.op is ACCUMULATE:
                run.inputs[name] = node.value
                run.gradients[name] = gradient_of(node)
        return run

    def gradient(self, value: Tensor) -> Any:
        """The raw gradient that a value has from the last backward pass (a leaf: from all of them); None: none."""
        node = current_node(value)
        return None if node is None else gradient_of(node)
