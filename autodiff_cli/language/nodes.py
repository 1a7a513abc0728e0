"""The tree: the list of what the language has.

Plain records, in the shape of Python's own abstract syntax, each with the span of its text. No meaning lives
here: `scope.py` binds names, `runtime/` gives the nodes their meaning, `unparse.py` writes them back.

A class's annotations are its fields, in order; a node is made from `span` and then the fields, by position,
and is not changed afterwards (a type checker holds this; nothing is spent on it at run time). They are not
dataclasses because defining this many took 37 ms of a 100 ms process: a constructor is compiled when it is
first needed.

Invariant: a node's span encloses its children's spans; parentheses leave no node (an expression's span
excludes the parentheses around it, except a tuple's own).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from autodiff_cli.source import Span


@dataclass_transform(eq_default=False, frozen_default=True)
class Record(type):
    """The metaclass of nodes: annotations become slots."""

    _fields: tuple[str, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Record:
        own = tuple(space.get("__annotations__", ()))
        fields = (bases[0]._fields if bases else ()) + own  # type: ignore[attr-defined]
        space.update(__slots__=own, __match_args__=fields, _fields=fields)
        return type.__new__(mcs, name, bases, space)


class Node(metaclass=Record):
    """The base of all nodes. Compared by identity: two equal texts are two places."""

    span: Span

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
    else:

        def __init__(self, *values: Any, **named: Any) -> None:
            """The first call for a class: put the constructor of its own in place, and run that."""
            cls = type(self)
            lines = [f"def __init__(self, {', '.join(cls._fields)}):"]
            lines += [f"    self.{field} = {field}" for field in cls._fields]
            space: dict[str, Any] = {}
            exec("\n".join(lines), space)
            cls.__init__ = space["__init__"]
            cls.__init__(self, *values, **named)

    def __repr__(self) -> str:
        fields = ", ".join(f"{field}={getattr(self, field)!r}" for field in self._fields[1:])
        return f"{type(self).__name__}({fields})"


class Expr(Node):
    """An expression."""


class Stmt(Node):
    """A statement."""


# --- expressions


class Constant(Expr):
    value: int | float | str | bool | type(Ellipsis) | None  # type: ignore[valid-type]


class Name(Expr):
    id: str


class JoinedStr(Expr):
    """An f-string: `Constant` strings and `FormattedValue`s in order."""

    parts: tuple[Expr, ...]


class FormattedValue(Expr):
    value: Expr
    conversion: str  # "", "r", "s" or "a"
    format_spec: JoinedStr | None
    text: str | None  # the source text before `=`, for f"{x=}"


class Tuple(Expr):
    elements: tuple[Expr, ...]


class List(Expr):
    elements: tuple[Expr, ...]


class Set(Expr):
    elements: tuple[Expr, ...]


class Dict(Expr):
    keys: tuple[Expr | None, ...]  # None stands for a `**mapping` entry
    values: tuple[Expr, ...]


class Starred(Expr):
    """`*e` in a call, a display or a target."""

    value: Expr


class UnaryOp(Expr):
    op: str  # "-", "+", "not", "~"
    operand: Expr


class BinOp(Expr):
    op: str  # + - * / // % ** @ & | << >> (^ is refused by the parser)
    left: Expr
    right: Expr


class BoolOp(Expr):
    op: str  # "and", "or"
    values: tuple[Expr, ...]


class Compare(Expr):
    left: Expr
    ops: tuple[str, ...]  # "<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not"
    comparators: tuple[Expr, ...]


class IfExp(Expr):
    test: Expr
    body: Expr
    orelse: Expr


class Lambda(Expr):
    params: Params
    body: Expr


class NamedExpr(Expr):
    """`name := e`."""

    target: Name
    value: Expr


class Call(Expr):
    func: Expr
    args: tuple[Expr, ...]  # may hold `Starred`
    keywords: tuple[Keyword, ...]


class Keyword(Node):
    name: str | None  # None stands for `**mapping`
    value: Expr


class Attribute(Expr):
    value: Expr
    attr: str
    attr_span: Span


class Subscript(Expr):
    value: Expr
    index: Expr  # a `Tuple` for `x[a, b]`; may hold `Slice`


class Slice(Expr):
    start: Expr | None
    stop: Expr | None
    step: Expr | None


class Comprehension(Expr):
    kind: str  # "list", "set", "dict", "generator"
    element: Expr  # the key, for a dict
    value: Expr | None  # the value, for a dict
    clauses: tuple[Clause, ...]


class Clause(Node):
    """`for target in iterable if ... if ...`."""

    target: Expr
    iterable: Expr
    conditions: tuple[Expr, ...]


# --- parameters


class Param(Node):
    name: str
    kind: str  # "positional", "normal", "vararg", "keyword", "kwarg"
    default: Expr | None


class Params(Node):
    params: tuple[Param, ...]


# --- statements


class Module(Node):
    body: tuple[Stmt, ...]


class ExprStmt(Stmt):
    value: Expr


class Assign(Stmt):
    """`a = b = e`: targets are `Name`, `Attribute`, `Subscript`, `Tuple`, `List` or `Starred` in those."""

    targets: tuple[Expr, ...]
    value: Expr


class AugAssign(Stmt):
    target: Expr  # `Name`, `Attribute` or `Subscript`
    op: str  # without the "="
    value: Expr


class AnnAssign(Stmt):
    """`target: annotation = value`; a declared input when the annotation is the name `input` or `const`."""

    target: Expr
    annotation: Expr
    value: Expr | None


class Delete(Stmt):
    targets: tuple[Expr, ...]


class If(Stmt):
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]  # an `elif` is an `If` alone in here


class While(Stmt):
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class For(Stmt):
    target: Expr
    iterable: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class With(Stmt):
    items: tuple[WithItem, ...]
    body: tuple[Stmt, ...]


class WithItem(Node):
    context: Expr
    target: Expr | None


class FunctionDef(Stmt):
    name: str
    name_span: Span
    params: Params
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]


class Return(Stmt):
    value: Expr | None


class Raise(Stmt):
    exception: Expr | None
    cause: Expr | None


class Try(Stmt):
    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Stmt, ...]
    finalbody: tuple[Stmt, ...]


class Handler(Node):
    type: Expr | None
    name: str | None
    body: tuple[Stmt, ...]


class Assert(Stmt):
    test: Expr
    message: Expr | None


class Import(Stmt):
    """`import module as name, ...`: pairs of (dotted module, bound name or None)."""

    names: tuple[tuple[str, str | None], ...]


class ImportFrom(Stmt):
    module: str
    names: tuple[tuple[str, str | None], ...]  # ("*", None) for a star


class Global(Stmt):
    names: tuple[str, ...]


class Nonlocal(Stmt):
    names: tuple[str, ...]


class Pass(Stmt):
    pass


class Break(Stmt):
    pass


class Continue(Stmt):
    pass
