"""The statements of `unparse.py`: lines, and the indentation of blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.language.unparse import NAMED, TEST, Item, commas, parameter_items, pieces_text, target_item

INDENT = "    "

# What a statement is made of: a line's items, or the statements of a block (one level deeper), or of an
# `elif` (at the same level).
Part = list[Item] | tuple[nodes.Stmt, ...] | nodes.Stmt


def statement_lines(tree: nodes.Node) -> list[str]:
    """The lines of a module or of a statement, each with its line end."""
    lines: list[str] = []
    first = tree.body if isinstance(tree, nodes.Module) else (tree,)
    pending: list[tuple[Any, int]] = [(statement, 0) for statement in reversed(first)]
    while pending:
        part, depth = pending.pop()
        if isinstance(part, list):
            lines.append(INDENT * depth + pieces_text(part) + "\n")
        elif isinstance(part, tuple):
            pending += [(statement, depth + 1) for statement in reversed(part)]
        else:
            pending += [(inner, depth) for inner in reversed(PARTS[type(part)](part))]
    return lines


def _value(node: nodes.Expr) -> list[Item]:
    """A value where a tuple needs no parentheses; it gets them all the same, and a bare `*e` keeps its
    place in one.
    """
    return [(node, TEST)]


def _optional(word: str, node: nodes.Expr | None) -> list[Item]:
    return [] if node is None else [word, *_value(node)]


def _assign(node: nodes.Assign) -> list[Part]:
    items: list[Item] = []
    for target in node.targets:
        items += [target_item(target), " = "]
    return [items + _value(node.value)]


def _annotated(node: nodes.AnnAssign) -> list[Part]:
    return [[target_item(node.target), ": ", (node.annotation, TEST), *_optional(" = ", node.value)]]


def _if(node: nodes.If, word: str = "if") -> list[Part]:
    parts: list[Part] = [[word + " ", (node.test, NAMED), ":"], node.body]
    if len(node.orelse) == 1 and isinstance(node.orelse[0], nodes.If):
        return [*parts, _Elif(node.orelse[0])]  # type: ignore[list-item]
    return parts + _else(node.orelse)


class _Elif:
    """An `If` that is written as an `elif` of the one before."""

    __slots__ = ("node",)

    def __init__(self, node: nodes.If) -> None:
        self.node = node


def _else(body: tuple[nodes.Stmt, ...], word: str = "else") -> list[Part]:
    return [[word + ":"], body] if body else []


def _while(node: nodes.While) -> list[Part]:
    return [["while ", (node.test, NAMED), ":"], node.body, *_else(node.orelse)]


def _for(node: nodes.For) -> list[Part]:
    head: list[Item] = ["for ", target_item(node.target), " in ", *_value(node.iterable), ":"]
    return [head, node.body, *_else(node.orelse)]


def _with(node: nodes.With) -> list[Part]:
    items: list[Item] = []
    for item in node.items:
        target = [] if item.target is None else [" as ", target_item(item.target)]
        items.append([(item.context, TEST), *target])
    if len(items) == 1 and node.items[0].target is None and isinstance(node.items[0].context, nodes.Tuple):
        items = [["(", *items, ",)"]]  # one item that is a tuple: alone it would be read as several
    return [["with ", *commas(items), ":"], node.body]


def _function(node: nodes.FunctionDef) -> list[Part]:
    decorators: list[Part] = [["@", (decorator, NAMED)] for decorator in node.decorators]
    return [*decorators, [f"def {node.name}(", *parameter_items(node.params), "):"], node.body]


def _try(node: nodes.Try) -> list[Part]:
    parts: list[Part] = [["try:"], node.body]
    for handler in node.handlers:
        name = [] if handler.name is None else [f" as {handler.name}"]
        parts += [["except", *_optional(" ", handler.type), *name, ":"], handler.body]
    return parts + _else(node.orelse) + _else(node.finalbody, "finally")


def _names(names: tuple[tuple[str, str | None], ...]) -> str:
    return ", ".join([name if alias is None else f"{name} as {alias}" for name, alias in names])


def _raise(node: nodes.Raise) -> list[Part]:
    return [["raise", *_optional(" ", node.exception), *_optional(" from ", node.cause)]]


PARTS: dict[type, Callable[[Any], list[Part]]] = {
    nodes.ExprStmt: lambda node: [_value(node.value)],
    nodes.Assign: _assign,
    nodes.AugAssign: lambda node: [[target_item(node.target), f" {node.op}= ", *_value(node.value)]],
    nodes.AnnAssign: _annotated,
    nodes.Delete: lambda node: [["del ", *(commas([target_item(target) for target in node.targets]) or ["()"])]],
    nodes.If: _if,
    _Elif: lambda branch: _if(branch.node, "elif"),
    nodes.While: _while,
    nodes.For: _for,
    nodes.With: _with,
    nodes.FunctionDef: _function,
    nodes.Return: lambda node: [["return", *_optional(" ", node.value)]],
    nodes.Raise: _raise,
    nodes.Try: _try,
    nodes.Assert: lambda node: [["assert ", (node.test, TEST), *_optional(", ", node.message)]],
    nodes.Import: lambda node: [["import " + _names(node.names)]],
    nodes.ImportFrom: lambda node: [[f"from {node.module} import {_names(node.names)}"]],
    nodes.Global: lambda node: [["global " + ", ".join(node.names)]],
    nodes.Nonlocal: lambda node: [["nonlocal " + ", ".join(node.names)]],
    nodes.Pass: lambda node: [["pass"]],
    nodes.Break: lambda node: [["break"]],
    nodes.Continue: lambda node: [["continue"]],
}
