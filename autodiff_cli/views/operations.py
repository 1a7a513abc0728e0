"""The library for readers: the table of `autodiff ops`, the page of a function, the document of `--json`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.symbol import operand_names
from autodiff_cli.views.catalogue import Entry, derivatives
from autodiff_cli.views.text import Line, cells, wrapped

if TYPE_CHECKING:
    from rich.console import RenderableType

ARRAYS = "a rule on whole arrays"
NO_DERIVATIVE = "none"
LEGEND = (
    "y is the result, da the derivative with respect to operand a. A formula with g, the gradient that comes in, is all "
    "that the operand gets; expand(g) is g spread over the n entries that were reduced. Nothing under derivative: the "
    "function is made of others, or has nothing to differentiate."
)


def library_tables(entries: Sequence[Entry], boxes: bool) -> RenderableType:
    """All functions as Rich tables, one a family: name, derivative, convention at kinks."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Group
    from rich.table import Table

    tables: list[Table] = []
    for family, members in groupby(entries, key=lambda entry: entry.family):
        table = Table(
            title=family,
            title_justify="left",
            title_style="bold",
            box=SIMPLE_HEAD if boxes else None,
            expand=True,
        )
        table.add_column("function", style="cyan", ratio=2, overflow="fold")
        table.add_column("derivative", ratio=3, overflow="fold")
        table.add_column("at kinks", style="dim", ratio=3, overflow="fold")
        for entry in members:
            names = ", ".join((entry.name, *entry.aliases))
            table.add_row(names, _derivative_text(entry), _main_op(entry).kinks if entry.ops else "")
        tables.append(table)
    return Group(LEGEND, "", *tables)


def _derivative_text(entry: Entry) -> str:
    if not entry.ops:
        return ""
    return _op_text(_main_op(entry))


def _main_op(entry: Entry) -> Op:
    """The op that stands for a function in the table: of those with most derivatives the first."""
    return max(entry.ops, key=lambda op: len(derivatives(op) or ()))


def _op_text(op: Op) -> str:
    found = derivatives(op)
    if found is None:
        return NO_DERIVATIVE
    formulas = [(operand, text) for operand, text in found if text is not None]
    if not formulas:
        return ARRAYS
    if len(found) == 1:
        return str(formulas[0][1])
    return ", ".join(f"d{operand}: {text}" for operand, text in formulas)


def entry_lines(entry: Entry, columns: int) -> list[Line]:
    """The page of one function, at most `columns` wide but for its signature and its formulas, which are copied."""
    head = f"{entry.name}{entry.signature}"
    lines: list[Line] = [[(head, "name"), (f"  {entry.about}".rstrip(), "")]]
    if cells(head) + 2 + cells(entry.about) > columns:
        lines = [[(head, "name")], *_field("  ", entry.about, columns)]
    lines += _field("also called  ", ", ".join(entry.aliases), columns) if entry.aliases else []
    lines += _field("written as   ", ", ".join(entry.spellings), columns)
    lines += _field("family       ", entry.family, columns)
    for op in entry.ops:
        lines += [[], *op_lines(op)]
    if not entry.ops:
        lines += [
            [],
            [
                (
                    "no primitive of its own: it is made of other functions, or has nothing to differentiate",
                    "quiet",
                )
            ],
        ]
    return lines


def _field(heading: str, text: str, columns: int) -> list[Line]:
    """A heading and what it is of, broken over lines under one another."""
    parts = wrapped(text, max(columns - cells(heading), 20), 99, "...")
    indent = " " * cells(heading)
    return [[(indent if i else heading, "heading"), (part, "")] for i, part in enumerate(parts)]


def op_lines(op: Op) -> list[Line]:
    """What is known of a primitive: its node, derivatives, conventions, the domain it is tested on."""
    found = derivatives(op)
    if found is None:
        lines: list[Line] = [[(op.name, "operation"), ("  no derivative: results never require a gradient", "")]]
    else:
        lines = [[(op.grad_fn, "operation"), (f"  y = {op.name}({', '.join(operand_names(op))})", "")]]
        lines += [
            [(f"  dy/d{operand} = ", "heading"), (text or ARRAYS, "gradient" if text else "quiet")]
            for operand, text in found
        ]
    if op.kinks:
        lines.append([("  at kinks  ", "heading"), (op.kinks, "")])
    if found:
        intervals = ", ".join(f"[{low:g}, {high:g}]" for low, high in op.domain)
        lines.append([("  tested on ", "heading"), (intervals, "")])
    return lines


def library_document(entries: Sequence[Entry]) -> dict[str, Any]:
    """The functions as the document of `--json`."""
    return {"schema": 1, "functions": [_function_document(entry) for entry in entries]}


def _function_document(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "aliases": list(entry.aliases),
        "spellings": list(entry.spellings),
        "signature": entry.signature,
        "about": entry.about,
        "family": entry.family,
        "ops": [
            {
                "name": op.name,
                "grad_fn": op.grad_fn if op.vjps is not None else None,
                "derivatives": None if op.vjps is None else [list(pair) for pair in derivatives(op) or ()],
                "kinks": op.kinks or None,
                "domain": [list(interval) for interval in op.domain],
            }
            for op in entry.ops
        ],
    }
