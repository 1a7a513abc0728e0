"""Tree -> text, in one spelling: `parse(unparse(tree))` is structurally equal to `tree`.

Only the parentheses that precedence asks for are written, four spaces indent a block, and strings are quoted
as `repr` does.

The walk is a stack of work, so that the depth of the tree costs no recursion: an item is a piece of text, or
an expression with the precedence that its place asks for (`below`), or a change of indentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autodiff_cli.language import nodes

# Precedence, from the loosest: what a place accepts without parentheses is what binds as tightly as it, or
# tighter.
NAMED, TEST, OR, AND, NOT, COMPARE, BITS = range(7)
BINARY = {"|": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10, "@": 10}
UNARY, POWER, PRIMARY, ATOM = 11, 12, 13, 14

Item = Any  # str, or (expression, precedence of its place), or a list of items
Shown = tuple[list[Item], int]  # the pieces of an expression, and its precedence


def unparse(tree: nodes.Node) -> str:
    """The text of a module, a statement or an expression."""
    if isinstance(tree, nodes.Expr):
        return pieces_text([(tree, NAMED)])
    from autodiff_cli.language.unparse_statements import statement_lines

    return "".join(statement_lines(tree))


def pieces_text(items: list[Item]) -> str:
    """The text of a sequence of pieces."""
    pending = list(reversed(items))
    out: list[str] = []
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            out.append(item)
        elif isinstance(item, list):
            pending += reversed(item)
        else:
            node, place = item
            pieces, precedence = SHOW[type(node)](node)
            if precedence < place:
                pieces = ["(", *pieces, ")"]
            pending += reversed(pieces)
    return "".join(out)


def commas(items: Iterable[Item]) -> list[Item]:
    """The items with commas between."""
    pieces: list[Item] = []
    for item in items:
        pieces += [", ", item] if pieces else [item]
    return pieces


def element(node: nodes.Expr) -> Item:
    """An item of a display, or an argument."""
    return (node, NAMED)


# --- one function for each kind of expression


def _constant(node: nodes.Constant) -> Shown:
    value = node.value
    if value is ...:
        return ["..."], ATOM
    if isinstance(value, float) and value == float("inf"):
        return ["1e999"], ATOM
    return [repr(value)], ATOM


def _joined(node: nodes.JoinedStr) -> Shown:
    return ['f"', *_fstring_parts(node), '"'], ATOM


def _fstring_parts(node: nodes.JoinedStr, in_spec: bool = False) -> list[Item]:
    pieces: list[Item] = []
    for part in node.parts:
        if isinstance(part, nodes.Constant):
            pieces.append(_fstring_text(str(part.value), in_spec))
            continue
        assert isinstance(part, nodes.FormattedValue)
        pieces.append("{")
        if part.text is not None:
            pieces.append(part.text)
        else:
            pieces += [" ", (part.value, OR)]  # a space for a dict's brace, parentheses for a lambda's colon
        implied = part.text is not None and part.format_spec is None and part.conversion == "r"
        if part.conversion and not implied:
            pieces += ["!", part.conversion]
        if part.format_spec is not None:
            pieces += [":", *_fstring_parts(part.format_spec, True)]
        pieces.append("}")
    return pieces


def _fstring_text(text: str, in_spec: bool) -> str:
    written = repr(text)
    written = written[1:-1].replace('"', '\\"') if written[0] == "'" else written[1:-1]
    if in_spec:
        return written.replace("{", "\\x7b").replace("}", "\\x7d")
    return written.replace("{", "{{").replace("}", "}}")


def _tuple(node: nodes.Tuple) -> Shown:
    if len(node.elements) == 1:
        return ["(", element(node.elements[0]), ",)"], ATOM
    return ["(", *commas(map(element, node.elements)), ")"], ATOM


def _list(node: nodes.List) -> Shown:
    return ["[", *commas(map(element, node.elements)), "]"], ATOM


def _set(node: nodes.Set) -> Shown:
    return ["{", *commas(map(element, node.elements)), "}"], ATOM


def _dict(node: nodes.Dict) -> Shown:
    entries: list[Item] = []
    for key, value in zip(node.keys, node.values, strict=True):
        entries.append(["**", (value, BITS)] if key is None else [(key, TEST), ": ", (value, TEST)])
    return ["{", *commas(entries), "}"], ATOM


def _starred(node: nodes.Starred) -> Shown:
    return ["*", (node.value, BITS)], NAMED


def _unary(node: nodes.UnaryOp) -> Shown:
    if node.op == "not":
        return ["not ", (node.operand, NOT)], NOT
    return [node.op, (node.operand, UNARY)], UNARY


def _binary(node: nodes.BinOp) -> Shown:
    if node.op == "**":
        return [(node.left, PRIMARY), "**", (node.right, UNARY)], POWER
    level = BINARY[node.op]
    return [(node.left, level), f" {node.op} ", (node.right, level + 1)], level


def _bool(node: nodes.BoolOp) -> Shown:
    level = OR if node.op == "or" else AND
    pieces: list[Item] = []
    for value in node.values:
        pieces += [f" {node.op} ", (value, level + 1)] if pieces else [(value, level + 1)]
    return pieces, level


def _compare(node: nodes.Compare) -> Shown:
    pieces: list[Item] = [(node.left, BITS)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        pieces += [f" {op} ", (right, BITS)]
    return pieces, COMPARE


def _conditional(node: nodes.IfExp) -> Shown:
    return [(node.body, OR), " if ", (node.test, OR), " else ", (node.orelse, TEST)], TEST


def _lambda(node: nodes.Lambda) -> Shown:
    parameters = parameter_items(node.params)
    return ["lambda", *([" "] if parameters else []), *parameters, ": ", (node.body, TEST)], TEST


def _named(node: nodes.NamedExpr) -> Shown:
    return [node.target.id, " := ", (node.value, TEST)], NAMED


def _call(node: nodes.Call) -> Shown:
    only = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if isinstance(only, nodes.Comprehension) and only.kind == "generator":
        return [(node.func, PRIMARY), (only, ATOM)], PRIMARY
    arguments: list[Item] = [
        ["*", (argument.value, TEST)] if isinstance(argument, nodes.Starred) else element(argument)
        for argument in node.args
    ]
    for keyword in node.keywords:
        arguments.append([f"{keyword.name}=" if keyword.name else "**", (keyword.value, TEST)])
    return [(node.func, PRIMARY), "(", *commas(arguments), ")"], PRIMARY


def _attribute(node: nodes.Attribute) -> Shown:
    whole = isinstance(node.value, nodes.Constant) and type(node.value.value) is int
    point = " ." if whole else "."  # without the space it would be the number's
    return [(node.value, PRIMARY), point, node.attr], PRIMARY


def _subscript(node: nodes.Subscript) -> Shown:
    index = node.index
    if isinstance(index, nodes.Tuple) and index.elements:
        inside = commas(map(element, index.elements))
        if len(index.elements) == 1 and not isinstance(index.elements[0], nodes.Starred):
            inside.append(",")
    else:
        inside = [element(index)]
    return [(node.value, PRIMARY), "[", *inside, "]"], PRIMARY


def _slice(node: nodes.Slice) -> Shown:
    pieces: list[Item] = [] if node.start is None else [(node.start, TEST)]
    pieces.append(":")
    if node.stop is not None:
        pieces.append((node.stop, TEST))
    if node.step is not None:
        pieces += [":", (node.step, TEST)]
    return pieces, NAMED


def _comprehension(node: nodes.Comprehension) -> Shown:
    brackets = {"list": ("[", "]"), "generator": ("(", ")")}
    opening, closing = brackets.get(node.kind, ("{", "}"))
    pieces: list[Item] = [opening, element(node.element)]
    if node.value is not None:
        pieces = [opening, (node.element, TEST), ": ", (node.value, TEST)]
    for clause in node.clauses:
        pieces += [" for ", target_item(clause.target), " in ", (clause.iterable, OR)]
        for condition in clause.conditions:
            pieces += [" if ", (condition, OR)]
    return [*pieces, closing], ATOM


def target_item(target: nodes.Expr) -> Item:
    """A target: of an assignment, a loop, a `with` or a `del`."""
    return (target, BITS)


def parameter_items(params: nodes.Params) -> list[Item]:
    """Parameters with `/` and `*` where their kinds change."""
    written: list[Item] = []
    starred = False
    for number, param in enumerate(params.params):
        if param.kind == "keyword" and not starred:
            written.append("*")
        starred = starred or param.kind in ("keyword", "vararg")
        mark = {"vararg": "*", "kwarg": "**"}.get(param.kind, "")
        default = [] if param.default is None else ["=", (param.default, TEST)]
        written.append([mark + param.name, *default])
        following = params.params[number + 1 :]
        if param.kind == "positional" and not (following and following[0].kind == "positional"):
            written.append("/")
    return commas(written)


SHOW: dict[type, Callable[[Any], Shown]] = {
    nodes.Constant: _constant,
    nodes.Name: lambda node: ([node.id], ATOM),
    nodes.JoinedStr: _joined,
    nodes.Tuple: _tuple,
    nodes.List: _list,
    nodes.Set: _set,
    nodes.Dict: _dict,
    nodes.Starred: _starred,
    nodes.UnaryOp: _unary,
    nodes.BinOp: _binary,
    nodes.BoolOp: _bool,
    nodes.Compare: _compare,
    nodes.IfExp: _conditional,
    nodes.Lambda: _lambda,
    nodes.NamedExpr: _named,
    nodes.Call: _call,
    nodes.Attribute: _attribute,
    nodes.Subscript: _subscript,
    nodes.Slice: _slice,
    nodes.Comprehension: _comprehension,
}
