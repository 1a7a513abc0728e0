"""Python's own syntax trees in the shape of ours, for comparing what two parsers make of one text.

A shape is nested tuples without spans: the class's name, then its fields. Annotations that nobody evaluates
are left out on both sides.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children

OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Not: "not",
    ast.Invert: "~",
    ast.And: "and",
    ast.Or: "or",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


class Unsupported(Exception):
    """The program uses what the language leaves out."""


def shape(node: Any) -> Any:
    """The shape of one of our trees."""
    if isinstance(node, nodes.Node):
        fields = [f for f in node._fields if f not in ("span", "name_span", "attr_span")]
        return (type(node).__name__, *[shape(getattr(node, field)) for field in fields])
    if isinstance(node, tuple):
        return tuple(shape(item) for item in node)
    return (type(node).__name__, node) if isinstance(node, int | float) else node


def same_shape(first: nodes.Node, second: nodes.Node) -> bool:
    """Whether two of our trees have one shape, however deep they are."""
    pending = [(first, second)]
    while pending:
        one, other = pending.pop()
        below, beside = list(children(one)), list(children(other))
        if type(one) is not type(other) or len(below) != len(beside) or leaves(one) != leaves(other):
            return False
        pending += zip(below, beside, strict=True)
    return True


def leaves(node: nodes.Node) -> list[Any]:
    """The fields that are no nodes, spans apart."""
    values = [getattr(node, field) for field in node._fields if not field.endswith("span")]
    plain = [value for value in values if not isinstance(value, nodes.Node)]
    return [tuple(v for v in p if not isinstance(v, nodes.Node)) if isinstance(p, tuple) else p for p in plain]


def python_shape(text: str) -> Any:
    """The shape that Python's parser gives a program. Raises SyntaxError, or Unsupported."""
    return _shape(ast.parse(text))


def _all(items: Any) -> tuple[Any, ...]:
    return tuple(_shape(item) for item in items)


def _shape(node: Any) -> Any:
    if node is None:
        return None
    kind = type(node).__name__
    convert = CONVERT.get(kind)
    if convert is None:
        raise Unsupported(kind)
    return convert(node)


def _op(node: Any) -> str:
    if type(node) not in OPERATORS:
        raise Unsupported(type(node).__name__)
    return OPERATORS[type(node)]


def _constant(node: ast.Constant) -> Any:
    if isinstance(node.value, bytes | complex):
        raise Unsupported("constant")
    if type(node.value) is int and node.value >= 2**63:
        raise Unsupported("large int")
    value = node.value
    return ("Constant", (type(value).__name__, value) if isinstance(value, int | float) else value)


def _joined(node: ast.JoinedStr) -> Any:
    return ("JoinedStr", _all(node.values))


def _formatted(node: ast.FormattedValue) -> Any:
    conversion = "" if node.conversion == -1 else chr(node.conversion)
    return ("FormattedValue", _shape(node.value), conversion, _shape(node.format_spec), None)


def _starred_call(node: ast.Call) -> Any:
    return (
        "Call",
        _shape(node.func),
        _all(node.args),
        tuple(("Keyword", k.arg, _shape(k.value)) for k in node.keywords),
    )


def _comprehension(kind: str) -> Any:
    def convert(node: Any) -> Any:
        element = node.key if kind == "dict" else node.elt
        value = _shape(node.value) if kind == "dict" else None
        clauses = tuple(
            ("Clause", _shape(c.target), _shape(c.iter), _all(c.ifs)) if not c.is_async else _shape(c)
            for c in node.generators
        )
        return ("Comprehension", kind, _shape(element), value, clauses)

    return convert


def _params(args: ast.arguments) -> Any:
    made = []
    plain = [*[(a, "positional") for a in args.posonlyargs], *[(a, "normal") for a in args.args]]
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    for (arg, kind), default in zip(plain, defaults, strict=True):
        made.append(("Param", arg.arg, kind, _shape(default)))
    if args.vararg:
        made.append(("Param", args.vararg.arg, "vararg", None))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        made.append(("Param", arg.arg, "keyword", _shape(default)))
    if args.kwarg:
        made.append(("Param", args.kwarg.arg, "kwarg", None))
    return ("Params", tuple(made))


def _with(node: ast.With) -> Any:
    return (
        "With",
        tuple(("WithItem", _shape(i.context_expr), _shape(i.optional_vars)) for i in node.items),
        _all(node.body),
    )


def _flat(targets: list[ast.expr]) -> list[ast.expr]:
    flat: list[ast.expr] = []
    for target in targets:
        flat += _flat(target.elts) if isinstance(target, ast.Tuple | ast.List) else [target]
    return flat


def _function(node: ast.FunctionDef) -> Any:
    if getattr(node, "type_params", None):
        raise Unsupported("type parameters")
    return ("FunctionDef", node.name, _params(node.args), _all(node.body), _all(node.decorator_list))


def _try(node: ast.Try) -> Any:
    handlers = tuple(("Handler", _shape(h.type), h.name, _all(h.body)) for h in node.handlers)
    return ("Try", _all(node.body), handlers, _all(node.orelse), _all(node.finalbody))


def _import_from(node: ast.ImportFrom) -> Any:
    if node.level:
        raise Unsupported("relative import")
    return ("ImportFrom", node.module, tuple((a.name, a.asname) for a in node.names))


CONVERT: dict[str, Any] = {
    "Module": lambda n: ("Module", _all(n.body)),
    "Constant": _constant,
    "Name": lambda n: ("Name", n.id),
    "JoinedStr": _joined,
    "FormattedValue": _formatted,
    "Tuple": lambda n: ("Tuple", _all(n.elts)),
    "List": lambda n: ("List", _all(n.elts)),
    "Set": lambda n: ("Set", _all(n.elts)),
    "Dict": lambda n: ("Dict", _all(n.keys), _all(n.values)),
    "Starred": lambda n: ("Starred", _shape(n.value)),
    "UnaryOp": lambda n: ("UnaryOp", _op(n.op), _shape(n.operand)),
    "BinOp": lambda n: ("BinOp", _op(n.op), _shape(n.left), _shape(n.right)),
    "BoolOp": lambda n: ("BoolOp", _op(n.op), _all(n.values)),
    "Compare": lambda n: ("Compare", _shape(n.left), tuple(map(_op, n.ops)), _all(n.comparators)),
    "IfExp": lambda n: ("IfExp", _shape(n.test), _shape(n.body), _shape(n.orelse)),
    "Lambda": lambda n: ("Lambda", _params(n.args), _shape(n.body)),
    "NamedExpr": lambda n: ("NamedExpr", _shape(n.target), _shape(n.value)),
    "Call": _starred_call,
    "Attribute": lambda n: ("Attribute", _shape(n.value), n.attr),
    "Subscript": lambda n: ("Subscript", _shape(n.value), _shape(n.slice)),
    "Slice": lambda n: ("Slice", _shape(n.lower), _shape(n.upper), _shape(n.step)),
    "ListComp": _comprehension("list"),
    "SetComp": _comprehension("set"),
    "DictComp": _comprehension("dict"),
    "GeneratorExp": _comprehension("generator"),
    "Expr": lambda n: ("ExprStmt", _shape(n.value)),
    "Assign": lambda n: ("Assign", _all(n.targets), _shape(n.value)),
    "AugAssign": lambda n: ("AugAssign", _shape(n.target), _op(n.op), _shape(n.value)),
    "AnnAssign": lambda n: ("AnnAssign", _shape(n.target), _shape(n.annotation), _shape(n.value)),
    "Delete": lambda n: ("Delete", _all(_flat(n.targets))),
    "If": lambda n: ("If", _shape(n.test), _all(n.body), _all(n.orelse)),
    "While": lambda n: ("While", _shape(n.test), _all(n.body), _all(n.orelse)),
    "For": lambda n: ("For", _shape(n.target), _shape(n.iter), _all(n.body), _all(n.orelse)),
    "With": _with,
    "FunctionDef": _function,
    "Return": lambda n: ("Return", _shape(n.value)),
    "Raise": lambda n: ("Raise", _shape(n.exc), _shape(n.cause)),
    "Try": _try,
    "Assert": lambda n: ("Assert", _shape(n.test), _shape(n.msg)),
    "Import": lambda n: ("Import", tuple((a.name, a.asname) for a in n.names)),
    "ImportFrom": _import_from,
    "Global": lambda n: ("Global", tuple(n.names)),
    "Nonlocal": lambda n: ("Nonlocal", tuple(n.names)),
    "Pass": lambda n: ("Pass",),
    "Break": lambda n: ("Break",),
    "Continue": lambda n: ("Continue",),
}
