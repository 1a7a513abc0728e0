"""Expressions of the language that look into a running program: for probes, watches, conditions and `print`.

An expression is bound once for each scope that it is evaluated in: every variable that it reads gets a slot, which is
filled from the running frame before each evaluation. So an expression sees what a statement at that place sees: local
names, those of the closure, globals, the library.

Invariant: `undisturbed` leaves the engine and the run as they were. The clock of the tape alone goes on, so that no two
nodes have one number; what an expression changes in place stays changed, and counts as a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.random import default_generator
from autodiff_cli.engine.tape import Tape, tape
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.errors import Fault, LimitFault, NameFault, SyntaxFault
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children, deep_recursion
from autodiff_cli.language.parser import parse
from autodiff_cli.language.scope import BUILTIN, GLOBAL, Scope, analyse
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.completion import complete
from autodiff_cli.runtime.library import MODULES
from autodiff_cli.runtime.objects import UNSET, Frame, Run
from autodiff_cli.runtime.state import State
from autodiff_cli.runtime.texts import Texts
from autodiff_cli.source import Source, Span

Reader = Callable[[Frame], Any]


class Expression:
    """An expression, or several with commas between, that is evaluated in the frames of a program.

    Attributes:
        text: as it was written. parts: the texts of the expressions between the commas.
        names: those that it has in it.
        warnings: what the last evaluation has warned of.
    """

    __slots__ = ("_bound", "_elements", "_late", "_texts", "names", "parts", "text", "warnings")

    def __init__(self, text: str, program: Source, called: str, late: bool = False) -> None:
        """Read an expression. `called` is what messages call its text: `<print>`.

        With `late`, a part `h.grad` of a tensor that no leaf holds gives a `Late`: its gradient comes with a walk.

        Raises:
            SyntaxFault: it is none.
        """
        self.text = text.strip()
        self._texts = Texts(program.name, program)
        padded = self._texts.padded(self.text)
        self._texts.add(Source(self.text, called))
        try:
            with deep_recursion():
                tree = parse(padded)
            value = _only_value(tree)
        except SyntaxFault as fault:
            self._texts.localise(fault)
            raise
        apart = type(value) is nodes.Tuple and len(value.elements) > 1 and not _enclosed(self.text)
        several = value.elements if apart else (value,)  # type: ignore[attr-defined]
        self._elements: tuple[nodes.Expr, ...] = several
        self._late = late
        self.parts = tuple([padded.slice(e.span) for e in several]) if len(several) > 1 else (self.text,)
        self.warnings: list[str] = []
        self.names = _names(value)
        self._bound: dict[Scope, Run] = {}

    def is_bound(self, scope: Scope) -> bool:
        """Whether it has a meaning in a scope, as far as that was asked."""
        return scope in self._bound

    def forget(self) -> None:
        """Drop what was bound: another run begins."""
        self._bound.clear()

    def bind(self, c: Compiler, scope: Scope) -> Run:
        """The closure of the frames of `scope`, in the run that `c` turned the tree for.

        Raises:
            Fault: the expression reads a name that is nowhere to be seen.
        """
        if scope in self._bound:
            return self._bound[scope]
        try:
            self._bound[scope] = run = self._bind(c, scope)
        except Fault as fault:
            self._texts.localise(fault)
            raise
        return run

    def bind_somewhere(self, c: Compiler, scopes: Sequence[Scope]) -> None:
        """Raises a Fault where the expression has a meaning in none of the scopes."""
        failed: list[Fault] = []
        for scope in scopes:
            try:
                self.bind(c, scope)
            except Fault as fault:
                failed.append(fault)
        if len(failed) == len(scopes):
            raise failed[0]

    def _bind(self, c: Compiler, scope: Scope) -> Run:
        readers = variables_of(c, scope)
        known = frozenset(c.library).union(readers) - {MODULES}
        span = Span(self._elements[0].span.start, self._elements[-1].span.end)
        body = tuple([nodes.ExprStmt(e.span, e) for e in self._elements])
        scopes = analyse(nodes.Module(span, body), known)
        for missing in scopes.inputs:
            close = nearest(missing.name, known)
            hint = f"did you mean {close}?" if close else None
            raise NameFault(f"there is no {missing.name} here", hint=hint, span=missing.span)
        own = len(scopes.module.locals)
        used = [name for name in scopes.builtins if name in readers]
        slots = {name: own + i for i, name in enumerate(used)}
        for name, (kind, _) in list(scopes.resolution.items()):
            if kind == BUILTIN and isinstance(name, nodes.Name) and name.id in slots:
                scopes.resolution[name] = GLOBAL, slots[name.id]
        frame: Frame = [UNSET] * (own + len(used))
        inner = Compiler(self._texts.whole, scopes, frame, c.library, c.state, False)
        inner.watch = None
        values = [self._part(inner, e) for e in self._elements]
        fills = [(slots[name], readers[name]) for name in used]

        def run(f: Frame) -> Any:
            for slot, read in fills:
                frame[slot] = read(f)
            return [value(frame) for value in values]

        return run

    def _part(self, inner: Compiler, e: nodes.Expr) -> Run:
        whole = inner.expr(e)
        if not self._late or type(e) is not nodes.Attribute or e.attr != "grad":
            return whole
        owner = inner.expr(e.value)

        def run(f: Frame) -> Any:
            x = owner(f)
            node = current_node(x) if isinstance(x, Tensor) else None
            if node is None or node.op is ACCUMULATE or (node.meta is not None and node.meta.grad is not None):
                return whole(f)
            return Late(node)

        return run

    def evaluate(self, c: Compiler, scope: Scope, f: Frame) -> list[Any]:
        """The values of the parts in a frame of `scope`; the run that goes on there is not disturbed.

        Raises:
            Fault: whatever is wrong with it, with its place in the expression or in the program.
        """
        run = self.bind(c, scope)
        with undisturbed(c.state) as self.warnings:
            try:
                return run(f)
            except Fault as fault:
                fault.source = None
                complete(fault, self._texts.whole, tape.site)
                self._texts.localise(fault)
                raise
            except RecursionError as error:
                raise LimitFault("the expression is nested too deep") from error


class Late(NamedTuple):
    """The gradient of a node that has none yet."""

    node: Node


def _only_value(tree: nodes.Module) -> nodes.Expr:
    """The expression that a text is. Raises SyntaxFault."""
    if len(tree.body) == 1 and type(tree.body[0]) is nodes.ExprStmt:
        return tree.body[0].value
    if not tree.body:
        raise SyntaxFault("an expression is expected here", hint="as in h, h.grad", span=tree.span)
    raise SyntaxFault("an expression is expected here, not a statement", span=tree.body[-1].span)


def _enclosed(text: str) -> bool:
    """Whether one pair of parentheses is around the whole text."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and i < len(text) - 1:
            return False
    return text.startswith("(")


def _names(tree: nodes.Node) -> frozenset[str]:
    found: set[str] = set()
    stack = [tree]
    while stack:
        one = stack.pop()
        if type(one) is nodes.Name:
            found.add(one.id)
        stack.extend(children(one))
    return frozenset(found)


def variables_of(c: Compiler, scope: Scope) -> dict[str, Reader]:
    """What is to be seen in a scope besides the library: name -> what reads it from a frame (UNSET: no value)."""
    found = {name: _global(c.globals, i) for i, name in enumerate(c.scopes.module.locals)}
    if scope is not c.scopes.module:
        found.update(locals_of(scope))
    return found


def locals_of(scope: Scope) -> dict[str, Reader]:
    """The names of a function's frame: those of its closure, and its own."""
    found = {name: _captured(i) for i, name in enumerate(scope.free)}
    for i, name in enumerate(scope.locals):
        found[name] = _cell(i + 1) if i in scope.cells else _local(i + 1)
    return found


def _global(variables: Frame, i: int) -> Reader:
    return lambda f: variables[i]


def _captured(i: int) -> Reader:
    return lambda f: f[0][i][0]


def _cell(i: int) -> Reader:
    return lambda f: f[i][0]


def _local(i: int) -> Reader:
    return lambda f: f[i]


_COUNTS = ("depth", "fuel", "handling", "nodes_seen", "steps", "tanks")


@contextmanager
def undisturbed(state: State) -> Iterator[list[str]]:
    """What runs inside leaves no trace in the engine and in the run, but for what it changes in place.

    Gives a list, which holds on leaving what was warned of inside.
    """
    engine = {slot: getattr(tape, slot) for slot in Tape.__slots__ if slot not in ("seq", "mutations", "hooked")}
    counts = {name: getattr(state, name) for name in _COUNTS}
    numbers = default_generator.state()
    loops, calls = len(state.loops), len(state.calls)
    tape.gradients = tape.trail = tape.events = tape.stepper = None
    state.fuel = state.steps = 0
    state.handling = list(state.handling)
    before, state.warnings = state.warnings, []
    warned: list[str] = []
    changes = tape.mutations
    try:
        yield warned
    finally:
        warned += state.warnings
        if tape.mutations != changes or tape.backwards != engine["backwards"]:
            warned.append("this has changed the program that is looked at: a value in place, or gradients")
        state.warnings = before
        for slot, value in engine.items():
            setattr(tape, slot, value)
        for name, value in counts.items():
            setattr(state, name, value)
        if default_generator.state() is not numbers:
            default_generator.restore(numbers)
        del state.loops[loops:], state.calls[calls:]
