"""The builders of expressions: one for each rule and `-> name` of `grammar/autodiff.lark`.

A builder gets the span of what was reduced and the children that the grammar counts, and returns the node.
What the grammar accepts and the language doesn't (an order of arguments, a keyword that is no name) is
refused here, where the span is at hand.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.language.misfit import refuse
from autodiff_cli.language.numbers import LARGEST_INT, number_value
from autodiff_cli.language.targets import check_target, check_value
from autodiff_cli.source import Span

DISPLAYS = frozenset((nodes.JoinedStr, nodes.Tuple, nodes.List, nodes.Set, nodes.Dict, nodes.Comprehension))
ARITHMETIC = frozenset((nodes.Constant, nodes.UnaryOp, nodes.BinOp, nodes.BoolOp, nodes.Compare))
NOT_CALLABLE = DISPLAYS | ARITHMETIC

CONSTANTS = {"True": True, "False": False, "None": None, "...": ...}


# --- atoms


def name(span: Span, text: str) -> nodes.Name:
    return nodes.Name(span, text)


def word(span: Span, text: str) -> tuple[str, Span]:
    """A name that is no expression, with its place."""
    return text, span


def number(span: Span, text: str) -> nodes.Constant:
    value = number_value(text)
    if value is None or (type(value) is int and value > LARGEST_INT):
        refuse("number", span)
    return nodes.Constant(span, value)


def constant(span: Span, text: str) -> nodes.Constant:
    return nodes.Constant(span, CONSTANTS[text])


def string(span: Span, value: str) -> nodes.Constant:
    return nodes.Constant(span, value)


def strings(span: Span, *parts: nodes.Expr) -> nodes.Expr:
    """Neighbouring literals are one string."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, nodes.Constant) for part in parts):
        return nodes.Constant(span, "".join([part.value for part in parts]))  # type: ignore[attr-defined]
    pieces: list[nodes.Expr] = []
    for part in parts:
        for piece in part.parts if isinstance(part, nodes.JoinedStr) else (part,):
            last = pieces[-1] if pieces else None
            if isinstance(piece, nodes.Constant) and isinstance(last, nodes.Constant):
                both = Span(last.span.start, piece.span.end)
                pieces[-1] = nodes.Constant(both, last.value + piece.value)  # type: ignore[operator]
            elif not (isinstance(piece, nodes.Constant) and piece.value == ""):
                pieces.append(piece)
    return nodes.JoinedStr(span, tuple(pieces))


def fstring(span: Span, *parts: nodes.Expr) -> nodes.JoinedStr:
    return nodes.JoinedStr(span, parts)


fstring_text = string
field_spec = fstring


def fstring_field(
    span: Span, value: nodes.Expr, text: str | None, conversion: str | None, spec: nodes.JoinedStr | None
) -> nodes.FormattedValue:
    check_value(value)
    if text is not None and conversion is None and spec is None:
        conversion = "r"
    return nodes.FormattedValue(span, value, conversion or "", spec, text)


# --- displays and comprehensions


def tuple_(span: Span, *elements: nodes.Expr) -> nodes.Tuple:
    return nodes.Tuple(span, elements)


def list_(span: Span, *elements: nodes.Expr) -> nodes.List:
    return nodes.List(span, elements)


def set_(span: Span, *elements: nodes.Expr) -> nodes.Set:
    return nodes.Set(span, elements)


def dict_(span: Span, *entries: tuple[nodes.Expr | None, nodes.Expr]) -> nodes.Dict:
    return nodes.Dict(span, tuple([key for key, _ in entries]), tuple([value for _, value in entries]))


def pair(_span: Span, key: nodes.Expr, value: nodes.Expr) -> tuple[nodes.Expr, nodes.Expr]:
    return key, value


def merged(_span: Span, _power: str, value: nodes.Expr) -> tuple[None, nodes.Expr]:
    """`**mapping` in a dict."""
    return None, value


def starred(span: Span, _star: str, value: nodes.Expr) -> nodes.Starred:
    return nodes.Starred(span, value)


def generator(span: Span, element: nodes.Expr, *clauses: nodes.Clause) -> nodes.Comprehension:
    return nodes.Comprehension(span, "generator", element, None, clauses)


def list_comprehension(span: Span, element: nodes.Expr, *clauses: nodes.Clause) -> nodes.Comprehension:
    return nodes.Comprehension(span, "list", element, None, clauses)


def set_comprehension(span: Span, element: nodes.Expr, *clauses: nodes.Clause) -> nodes.Comprehension:
    return nodes.Comprehension(span, "set", element, None, clauses)


def dict_comprehension(
    span: Span, element: tuple[nodes.Expr, nodes.Expr], *clauses: nodes.Clause
) -> nodes.Comprehension:
    return nodes.Comprehension(span, "dict", element[0], element[1], clauses)


def clause(span: Span, target: nodes.Expr, iterable: nodes.Expr, *conditions: nodes.Expr) -> nodes.Clause:
    check_target(target)
    return nodes.Clause(span, target, iterable, conditions)


# --- operators


def binary(span: Span, left: nodes.Expr, op: str, right: nodes.Expr) -> nodes.BinOp:
    return nodes.BinOp(span, op, left, right)


def unary(span: Span, op: str, operand: nodes.Expr) -> nodes.UnaryOp:
    return nodes.UnaryOp(span, op, operand)


def either(span: Span, *values: nodes.Expr) -> nodes.BoolOp:
    return nodes.BoolOp(span, "or", values)


def both(span: Span, *values: nodes.Expr) -> nodes.BoolOp:
    return nodes.BoolOp(span, "and", values)


def comparison(span: Span, left: nodes.Expr, *rest: Any) -> nodes.Compare:
    return nodes.Compare(span, left, rest[::2], rest[1::2])


def relation(_span: Span, first: str, second: str) -> str:
    """`not in` and `is not`, however far apart."""
    return f"{first} {second}"


def conditional(span: Span, body: nodes.Expr, test: nodes.Expr, orelse: nodes.Expr) -> nodes.IfExp:
    return nodes.IfExp(span, test, body, orelse)


def named_expression(span: Span, target: tuple[str, Span], value: nodes.Expr) -> nodes.NamedExpr:
    return nodes.NamedExpr(span, nodes.Name(target[1], target[0]), value)


# --- what follows a value


def attribute(span: Span, value: nodes.Expr, attr: str) -> nodes.Attribute:
    place = Span(max(value.span.end, span.end - len(attr)), span.end)
    if attr.startswith("__") and attr != "__name__":  # what `type(e).__name__` shows is a string, and harmless
        refuse("dunder-attribute", place, name=attr)
    return nodes.Attribute(span, value, attr, place)


def subscript(span: Span, value: nodes.Expr, index: nodes.Expr) -> nodes.Subscript:
    if isinstance(index, nodes.Starred):
        index = nodes.Tuple(index.span, (index,))
    return nodes.Subscript(span, value, index)


def slice_(span: Span, start: nodes.Expr | None, stop: nodes.Expr | None, step: nodes.Expr | None) -> nodes.Slice:
    return nodes.Slice(span, start, stop, step)


def call(span: Span, func: nodes.Expr, *arguments: Any) -> nodes.Call:
    if type(func) in NOT_CALLABLE:
        refuse("called-value", span, func=func.span, number=type(func) not in DISPLAYS and not _is_text(func))
    for argument in arguments:
        if type(argument) is nodes.Keyword:
            break
    else:
        return nodes.Call(span, func, arguments, ())
    positional: list[nodes.Expr] = []
    keywords: list[nodes.Keyword] = []
    seen: set[str | None] = set()
    for argument in arguments:
        if isinstance(argument, nodes.Keyword):
            if argument.name is not None and argument.name in seen:
                refuse("repeated-keyword", argument.span, name=argument.name)
            seen.add(argument.name)
            keywords.append(argument)
        elif None in seen or (keywords and not isinstance(argument, nodes.Starred)):
            refuse("positional-after-keyword", argument.span, after=keywords[-1].name or "**")
        else:
            positional.append(argument)
    return nodes.Call(span, func, tuple(positional), tuple(keywords))


def _is_text(node: nodes.Expr) -> bool:
    return isinstance(node, nodes.Constant) and isinstance(node.value, str)


def keyword(span: Span, target: nodes.Expr, value: nodes.Expr) -> nodes.Keyword:
    if not isinstance(target, nodes.Name):
        refuse("keyword-not-name", target.span)
    return nodes.Keyword(span, target.id, value)


def double_starred(span: Span, _power: str, value: nodes.Expr) -> nodes.Keyword:
    return nodes.Keyword(span, None, value)


# --- functions


def lambda_(span: Span, params: nodes.Params | None, body: nodes.Expr) -> nodes.Lambda:
    behind = Span(span.start + len("lambda"), span.start + len("lambda"))
    return nodes.Lambda(span, params or nodes.Params(behind, ()), body)


def parameter(span: Span, name: str, _annotation: nodes.Expr | None, default: nodes.Expr | None) -> nodes.Param:
    return nodes.Param(span, name, "normal", default)


def lambda_parameter(span: Span, name: str, default: nodes.Expr | None) -> nodes.Param:
    return nodes.Param(span, name, "normal", default)


def gathering(span: Span, star: str, name: str, _annotation: nodes.Expr | None = None) -> nodes.Param:
    return nodes.Param(span, name, "vararg" if star == "*" else "kwarg", None)


def divider(span: Span, mark: str) -> nodes.Param:
    """`*` or `/` alone: no parameter, but says of what kind those around it are."""
    return nodes.Param(span, "", mark, None)


def parameters(span: Span, *written: nodes.Param) -> nodes.Params:
    """Parameters in order, each with its kind."""
    params: list[nodes.Param] = []
    seen: set[str] = set()
    keyword_only = False
    for number, param in enumerate(written):
        kind = param.kind
        before = params[-1] if params else None
        if before is not None and before.kind == "kwarg":
            refuse("after-double-star", param.span, name=before.name)
        if param.name in seen:
            refuse("repeated-parameter", param.span, name=param.name)
        if kind == "/":
            if keyword_only or not params or params[0].kind == "positional":
                refuse("misplaced-slash", param.span)
            params = [nodes.Param(p.span, p.name, "positional", p.default) for p in params]
            continue
        if kind in ("*", "vararg"):
            if keyword_only:
                refuse("second-star", param.span)
            keyword_only = True
            if kind == "*":
                if number + 1 == len(written) or written[number + 1].kind != "normal":
                    refuse("bare-star", param.span)
                continue
        elif kind == "normal":
            if keyword_only:
                kind = "keyword"
            elif param.default is None and before is not None and before.default is not None:
                refuse("no-default-after-default", param.span, name=param.name, before=before.name)
        seen.add(param.name)
        params.append(nodes.Param(param.span, param.name, kind, param.default))
    return nodes.Params(span, tuple(params))
