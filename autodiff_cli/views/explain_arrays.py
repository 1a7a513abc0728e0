"""Formulas of what an operation on arrays sends to an operand: `g @ B.mT`.

The registry's texts, with the program's own names in the place of the rule's. They are expressions of the language
where that is possible (a test evaluates them); `g` is the gradient that comes in. Names that only these formulas know:
`expand(g)` spreads g over the entries that it was reduced from, `n` counts those, `I` is the identity matrix.

Invariant: the order of factors is the rule's: products of matrices do not commute.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.graph import GraphNode
from autodiff_cli.engine.symbol import operand_names

LONG = 24  # columns of source text that may stand in a formula in the place of a name
_FLIPPED = ("t", "t_", "matrix_transpose")


def array_formula(
    node: GraphNode, operands: Sequence[GraphNode], i: int, text: str | None
) -> tuple[str | None, frozenset[str]] | None:
    """The formula of what operand `i` gets, and the rule's names that are left in it.

    `text`: the registry's. None: it is a derivative entry by entry, which is read as of scalars.
    """
    op = node.record.op
    whole = text is not None and re.search(r"\bg\b", text) is not None
    if op.scalar is not None and not whole:
        return None
    if text in (None, "1"):
        moved = _moved(node, operands[i])
        return (moved, frozenset()) if moved is not None or text is None else None
    assert text is not None
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return text, frozenset()  # words
    named, generic = _names(node, operands)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return ast.unparse(_Renamed(named).visit(tree)), frozenset(used & generic)


def _names(node: GraphNode, operands: Sequence[GraphNode]) -> tuple[dict[str, ast.expr], set[str]]:
    """What stands for each name of a rule; and those that stay as they are, for want of a short text."""
    from autodiff_cli.views.explain import label

    record = node.record
    found: dict[str, ast.expr] = {}
    generic: set[str] = set()

    def enter(name: str, told: str) -> None:
        tree = _expression(told)
        if len(told) > LONG or tree is None:
            generic.add(name)
        else:
            found[name] = tree

    for name, value in record.params.items():
        if value is None or type(value) in (int, float, bool, str):
            enter(name, repr(int(value)) if type(value) is float and value.is_integer() else repr(value))
        elif type(value) is tuple and value and all(type(v) is int for v in value):
            enter(name, repr(value[0] if len(value) == 1 else value))

    def called(x: GraphNode) -> str:
        return "" if x.part else label(x)  # a part has the text of the whole

    enter("y", called(node))
    for k, (name, operand) in enumerate(zip(_rule_names(record, len(operands)), operands, strict=False)):
        told = called(operand)
        enter(name, told)
        enter(f"x{k}", told)
    return found, generic


def _rule_names(record: Any, operands: int) -> Sequence[str]:
    return [f"x{k}" for k in range(operands)] if record.op.variadic else operand_names(record.op)


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Renamed(ast.NodeTransformer):
    """Puts trees in the place of names, and leaves out what a person would: a factor 1, a transpose of a transpose."""

    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Attribute(self, e: ast.Attribute) -> ast.expr:
        self.generic_visit(e)
        inner = e.value
        return inner.value if e.attr == "mT" and isinstance(inner, ast.Attribute) and inner.attr == "mT" else e

    def visit_Name(self, e: ast.Name) -> ast.expr:
        return self.names.get(e.id, e)

    def visit_BinOp(self, e: ast.BinOp) -> ast.expr:
        self.generic_visit(e)
        if isinstance(e.op, (ast.Sub, ast.Pow)) and all(isinstance(x, ast.Constant) for x in (e.left, e.right)):
            value = eval(compile(ast.Expression(e), "<formula>", "eval"), {"__builtins__": {}})
            return ast.Constant(value)
        if isinstance(e.op, ast.Pow) and isinstance(e.right, ast.Constant) and e.right.value == 1:
            return e.left
        if isinstance(e.op, ast.Mult) and isinstance(e.left, ast.Constant) and e.left.value == 1:
            return e.right
        neutral = {ast.Mult: 1, ast.Div: 1, ast.Sub: 0}.get(type(e.op))
        if neutral is not None and isinstance(e.right, ast.Constant) and e.right.value == neutral:
            return e.left
        return e


def _moved(node: GraphNode, operand: GraphNode) -> str | None:
    """What an operation that only moves entries hands back."""
    op, params = node.record.op, node.record.params
    if op.variadic:
        return "its part of g"
    if op.name in _FLIPPED:
        return "g.mT"
    if op.label == "transpose" and len(params) == 2:
        last = {d % max(1, len(node.shape)) for d in params.values()} == {len(node.shape) - 2, len(node.shape) - 1}
        if last and len(node.shape) == 2:
            return "g.mT"
        return f"g.transpose{tuple(params.values())}"
    if op.label == "permute" and "dims" in params:
        order = params["dims"]
        if order in ((1, 0), (-1, 0), (1, -2)):
            return "g.mT"
        return f"g.permute{tuple(sorted(range(len(order)), key=lambda d: order[d]))}"
    size, before = _entries(node), _entries(operand)
    if op.vjps is not None and op.formulas[:1] != ("1",):
        return None
    if size < before:
        return "g where it was taken from, else 0"
    if size > before:
        return "g summed over the copies"
    if node.shape == operand.shape:
        return "g" if op.label in ("alias", "clone", "to_copy", "detach", "view") else "g put back in its order"
    return f"g.reshape({', '.join(map(str, operand.shape)) or '()'})"


def _entries(node: GraphNode) -> int:
    return int(getattr(node.value, "size", 1))
