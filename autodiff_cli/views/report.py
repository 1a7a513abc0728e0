"""What a run came to, for people: the output's value, the graph, and the table of gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.views.numbers import array_text, format_number
from autodiff_cli.views.text import Column, Line, Look, cells, clip, one_line, table

Gradient = tuple[str, Any, Any]  # name, raw value (None: not known), raw gradient (None: there is none)

NAME_LIMIT = 60  # columns of an expression that stands for an output's name


def run_lines(run: Any, look: Look, *, graph: str = "auto", wrt: Sequence[str] = ()) -> list[Line]:
    """The report of a run. `graph`: "auto", "full" or "none"; `wrt`: names to show gradients of ([]: all)."""
    blocks: list[list[Line]] = []
    outputs = [output for output in run.outputs if output.value is not None]
    if outputs:
        blocks.append([line for o in outputs for line in output_lines(o.name, o.value, look)])
    if graph != "none" and run.graph is not None and run.graph.edges != ():
        from autodiff_cli.views.graph_tree import graph_tree

        blocks.append(graph_tree(run.graph, look, full=graph == "full"))
    rows = gradient_rows(run, wrt)
    if rows:
        blocks.append(gradient_table(rows, look))
    if run.ledger is not None:
        from autodiff_cli.views.ledger import ledger_lines

        blocks.append(ledger_lines(run.ledger, run, look, full=graph == "full"))
    return [line for i, block in enumerate(blocks) for line in ([[], *block] if i else block)]


def output_lines(name: str | None, value: Any, look: Look) -> list[Line]:
    """`z = 49`; an array in one line where it fits, else as PyTorch prints it, below its name.

    `value` is raw (any shape and dtype), or a Python object.
    """
    label = clip(one_line(name or "value"), min(NAME_LIMIT, look.width // 2), look.glyphs.ellipsis)
    lead: Line = [(label, "name"), (" = ", "")]
    if not hasattr(value, "ndim"):
        plain = isinstance(value, (int, float))
        return _hanging(lead, format_number(value, look.ofmt) if plain else repr(value))
    whole = array_text(value, look.width - cells(label) - 3, ofmt=look.ofmt, ascii_only=not look.boxes)
    if value.size <= 1 or look.glyphs.ellipsis not in whole:
        return [[*lead, (whole, "value")]]
    from autodiff_cli.engine.formatting import format_tensor

    return _hanging(lead, format_tensor(value, value.dtype.name))


def _hanging(lead: Line, text: str) -> list[Line]:
    """A text of one line after the lead, one of several lines below it."""
    lines = text.split("\n")
    if len(lines) == 1:
        return [[*lead, (text, "value")]]
    return [[*lead[:-1], (" =", "")], *([(line, "value")] for line in lines)]


def gradient_rows(run: Any, wrt: Sequence[str] = ()) -> list[Gradient]:
    """The gradients of a run: of its inputs, then of the leaves that the program made.

    With `wrt`, of those names in that order; a name that is no leaf is looked up in the graph: the gradient
    at the last node that was bound to it. A name that is nowhere is left out.
    """
    nodes = run.graph.nodes or () if run.graph is not None else ()
    rows: list[Gradient] = [(name, run.inputs.get(name), gradient) for name, gradient in run.gradients.items()]
    leaves = {node.name: node.value for node in nodes if node.is_leaf and node.name}
    rows += [(name, leaves.get(name), gradient) for name, gradient in run.leaf_gradients]
    if not wrt:
        return rows
    inner = {node.name: (node.name, node.value, node.grad) for node in nodes if node.name and not node.is_leaf}
    known = inner | {row[0]: row for row in rows}
    return [known[name] for name in wrt if name in known]


def gradient_table(rows: Sequence[Gradient], look: Look) -> list[Line]:
    """The gradients as a table of name, value, gradient."""
    whole = look.width - max(4, *(cells(row[0]) for row in rows)) - 4
    values, found = [row[1] for row in rows], [row[2] for row in rows]
    told = _numbers(values, whole // 2, look)
    gradients = _numbers(found, whole - max(5, *map(len, told)), look)  # what the values do not need
    told = _numbers(values, whole - max(8, *map(len, gradients)), look)
    shown: list[list[Line]] = [
        [
            [(name, "leaf")],
            [(value, "value")] if value else [],
            [(gradient, "gradient")] if gradient else [("none", "quiet")],
        ]
        for (name, _, _), value, gradient in zip(rows, told, gradients, strict=True)
    ]
    columns = (Column("name"), Column("value", right=True), Column("gradient", right=True))
    return table(columns, shown, look.width, look.glyphs.ellipsis)


def _numbers(values: Sequence[Any], room: int, look: Look) -> list[str]:
    """Raw values in at most `room` columns, in full; an array that does not fit so has fewer digits before it has gaps."""
    return ["" if value is None else _number(value, max(12, room), look) for value in values]


def _number(value: Any, room: int, look: Look) -> str:
    whole = array_text(value, room, ofmt=look.ofmt, ascii_only=not look.boxes)
    for digits in (8, 6, 4, 3):
        if look.glyphs.ellipsis not in whole:
            break
        whole = array_text(value, room, ofmt=look.ofmt, digits=digits, ascii_only=not look.boxes)
    return whole
