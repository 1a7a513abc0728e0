"""The walk of `scope.py`: which function-like node binds and reads which names, in the order in which they
would run.

A `Frame` collects what one function-like node says. Here are the walk and its expressions;
`binding_statements.py` has the statements, and refuses what is misplaced among them.

Invariant: `Frame.bound` has the parameters first; `reads` of a module are in the order of evaluation, each
with whether anything above it had bound the name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.language.misfit import refuse
from autodiff_cli.source import Span

FunctionLike = nodes.Module | nodes.FunctionDef | nodes.Lambda | nodes.Comprehension


class Frame:
    """The names of one function-like node."""

    __slots__ = (
        "at_top",
        "binders",
        "bound",
        "global_names",
        "node",
        "nonlocal_names",
        "parameters",
        "parent",
        "uses",
    )

    def __init__(self, node: FunctionLike, parent: Frame | None) -> None:
        self.node = node
        self.parent = parent
        # Whether it runs where it stands, as a part of the program's top level.
        self.at_top: bool = parent is None or (parent.at_top and isinstance(node, nodes.Comprehension))
        self.bound: dict[str, None] = {}
        self.parameters = 0
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()
        self.uses: list[nodes.Name] = []
        self.binders: list[tuple[nodes.Node, tuple[str, ...]]] = []  # what binds, and is no Name


def owner_of(frame: Frame, name: str) -> Frame | None:
    """The function-like node around `frame` that has `name` for a local; None if it is the module's, or
    nobody's.
    """
    outer = frame.parent
    while outer is not None and outer.parent is not None:
        if name in outer.global_names:
            return None
        if name in outer.bound:
            return outer
        outer = outer.parent
    return None


class Read:
    """A use of a name that needs its value."""

    __slots__ = ("attr", "frame", "node", "role", "unbound")

    def __init__(self, node: nodes.Name, frame: Frame, role: str, attr: str, unbound: bool) -> None:
        self.node = node
        self.frame = frame
        self.role = role  # "value" or "called"
        self.attr = attr  # which of its attributes is read, if that is all
        self.unbound = unbound  # at top level, and nothing has bound it so far


VISITS: dict[type, Callable[[Binder, Any], None]] = {}


def visits(*kinds: type) -> Callable[[Any], Any]:
    """Register what the walk does at nodes of these kinds; at others it goes on to their children."""

    def register(function: Any) -> Any:
        VISITS.update(dict.fromkeys(kinds, function))
        return function

    return register


class Binder:
    """One walk over one program."""

    def __init__(self, module: nodes.Module, star_names: Callable[[str], frozenset[str]]) -> None:
        self.star_names = star_names  # what `from M import *` brings
        self.frame = Frame(module, None)
        self.module = self.frame
        self.frames = [self.frame]
        self.reads: list[Read] = []
        self.so_far: set[str] = set()  # what the top level has bound by now
        self.declared: dict[nodes.AnnAssign, str] = {}
        self.values: dict[nodes.Node, str | None] = {}
        self.star_imports: list[tuple[nodes.ImportFrom, frozenset[str]]] = []
        self.nonlocals: list[tuple[str, Frame, Span]] = []
        self.loops = 0  # around the statement, in its function
        self.blocks = 0  # around the statement, at top level
        self.body(module.body)
        self.finish()

    def finish(self) -> None:
        """What can be said only when everything is seen."""
        for name, frame, span in self.nonlocals:
            if owner_of(frame, name) is None:
                refuse("nonlocal-unknown", span, name=name)
        used = {use.id: None for frame in self.frames for use in frame.uses}
        for node, brought in self.star_imports:
            names = tuple([name for name in used if name in brought])
            self.module.bound.update(dict.fromkeys(names))
            self.module.binders.append((node, names))

    # --- names

    def bind(self, name: str, frame: Frame | None = None) -> None:
        frame = frame or self.frame
        if name in frame.global_names:
            self.module.bound.setdefault(name)
        elif name not in frame.nonlocal_names:
            frame.bound.setdefault(name)
        if frame is self.module or name in frame.global_names:
            self.so_far.add(name)

    def bind_node(self, node: nodes.Node, *names: str) -> None:
        """Bind by something that is no `Name`."""
        for name in names:
            self.bind(name)
        self.frame.binders.append((node, names))

    def read(self, node: nodes.Name, role: str = "value", attr: str = "") -> None:
        frame = self.frame
        frame.uses.append(node)
        self.reads.append(Read(node, frame, role, attr, frame.at_top and node.id not in self.so_far))

    def target(self, node: nodes.Expr) -> None:
        """Bind what a target binds, read what it reads."""
        kind = type(node)
        if kind is nodes.Name:
            self.frame.uses.append(node)  # type: ignore[arg-type]
            self.bind(node.id)  # type: ignore[attr-defined]
        elif kind is nodes.Tuple or kind is nodes.List:
            for element in node.elements:  # type: ignore[attr-defined]
                self.target(element)
        elif kind is nodes.Starred:
            self.target(node.value)  # type: ignore[attr-defined]
        else:
            self.visit(node)

    def inner(self, node: FunctionLike) -> Frame:
        """Begin the frame of a function-like node; the one it is in, to go back to."""
        before = self.frame
        self.frame = Frame(node, before)
        self.frames.append(self.frame)
        return before

    # --- the walk

    def visit(self, node: nodes.Node) -> None:
        special = VISITS.get(type(node))
        if special is not None:
            special(self, node)
            return
        for field in node._fields:
            value = getattr(node, field)
            if isinstance(value, nodes.Node):
                self.visit(value)
            elif type(value) is tuple:
                for item in value:
                    if isinstance(item, nodes.Node):
                        self.visit(item)

    def body(self, statements: tuple[nodes.Stmt, ...]) -> None:
        for statement in statements:
            self.visit(statement)

    def block(self, statements: tuple[nodes.Stmt, ...], loop: bool = False) -> None:
        self.blocks += 1
        self.loops += loop
        self.body(statements)
        self.loops -= loop
        self.blocks -= 1


# --- expressions


@visits(nodes.Name)
def _name(b: Binder, node: nodes.Name) -> None:
    b.read(node)


@visits(nodes.Call)
def _call(b: Binder, node: nodes.Call) -> None:
    if type(node.func) is nodes.Name:
        b.read(node.func, "called")
    else:
        b.visit(node.func)
    for argument in node.args:
        b.visit(argument)
    for keyword in node.keywords:
        b.visit(keyword.value)


@visits(nodes.Attribute)
def _attribute(b: Binder, node: nodes.Attribute) -> None:
    if type(node.value) is nodes.Name:
        b.read(node.value, attr=node.attr)
    else:
        b.visit(node.value)


@visits(nodes.NamedExpr)
def _named(b: Binder, node: nodes.NamedExpr) -> None:
    b.visit(node.value)
    frame = b.frame
    while isinstance(frame.node, nodes.Comprehension):
        if node.target.id in frame.bound:
            refuse("walrus-loop-variable", node.target.span, name=node.target.id)
        assert frame.parent is not None
        frame = frame.parent
    b.frame.uses.append(node.target)
    b.bind(node.target.id, frame)


@visits(nodes.Lambda)
def _lambda(b: Binder, node: nodes.Lambda) -> None:
    _function(b, node, lambda: b.visit(node.body))


@visits(nodes.Comprehension)
def _comprehension(b: Binder, node: nodes.Comprehension) -> None:
    b.visit(node.clauses[0].iterable)
    before = b.inner(node)
    for number, clause in enumerate(node.clauses):
        if number:
            b.visit(clause.iterable)
        b.target(clause.target)
        for condition in clause.conditions:
            b.visit(condition)
    b.visit(node.element)
    if node.value is not None:
        b.visit(node.value)
    b.frame = before


# --- functions


def _function(b: Binder, node: nodes.FunctionDef | nodes.Lambda, body: Callable[[], None]) -> None:
    """Defaults outside, parameters and body inside."""
    for param in node.params.params:
        if param.default is not None:
            b.visit(param.default)
    if isinstance(node, nodes.FunctionDef):
        b.bind_node(node, node.name)
    before, outside = b.inner(node), (b.loops, b.blocks)
    b.loops = b.blocks = 0
    for param in node.params.params:
        b.bind(param.name)
    b.frame.parameters = len(node.params.params)
    body()
    b.frame = before
    b.loops, b.blocks = outside


@visits(nodes.FunctionDef)
def _function_def(b: Binder, node: nodes.FunctionDef) -> None:
    for decorator in node.decorators:
        b.visit(decorator)
    _function(b, node, lambda: b.body(node.body))
