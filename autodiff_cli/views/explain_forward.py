"""`autodiff explain --forward`: how the graph came to be, line by line.

    line  turn  statement         value  recorded
                x = input             2  a leaf: it requires a gradient
       1        y = x * x             4  MulBackward0
       2        if y > 3           true  not run: z = -y
       3        z = y.detach()        4  no: detach() at line 3

Invariant: rows are in the order in which the program ran.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.runtime.construction import Construction, Entry
from autodiff_cli.source import Source
from autodiff_cli.views.document import SCHEMA, plain, span_document
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.text import Column, Line, Look, clip, one_line, table, wrapped_row

MOST = 80  # rows that are shown of more
ENDS = 35  # ... as many of the beginning, and of the end


def forward_lines(run: Any, trace: Construction, source: Source, look: Look, *, full: bool = False) -> list[Line]:
    """The lines of the construction of a run's graph. `full`: every row."""
    run.describer.start_again()
    entries = trace.entries
    cut = len(entries) > MOST and not full
    room = min(36, max(9, (look.width - 50) // 3))
    rows = [_input_row(name, *given, look, room) for name, given in trace.inputs.items()]
    for i, entry in enumerate([*entries[:ENDS], *entries[-ENDS:]] if cut else entries):
        if cut and i == ENDS:
            gap = f"{look.glyphs.gap} {len(entries) - 2 * ENDS:,} more"
            rows.append([[], [], [(gap, "quiet")], [], []])
        rows.append(_row(entry, run, source, look, room))
    wide = look.width * 2 // 5
    rows = [part for row in rows for part in wrapped_row(row, {4: wide})]
    columns = (
        Column("line", right=True, least=4),
        Column("turn", right=True, least=4),
        Column("statement", least=look.width // 4),
        Column("value", right=True, least=room),
        Column("recorded", least=wide),
    )
    lines = table(columns, rows, look.width, look.glyphs.ellipsis)
    if cut:
        lines.append([("the middle is left out; --all shows every step", "quiet")])
    if trace.dropped:
        lines.append([(f"{trace.dropped:,} later steps were not kept", "quiet")])
    return [*lines, [], *_totals(trace, look)]


def _input_row(name: str, raw: Any, differentiable: bool, look: Look, room: int) -> list[Line]:
    told = "a leaf: it requires a gradient" if differentiable else "a constant: it requires no gradient"
    value = array_text(raw, room, ofmt=look.ofmt, digits=6, ascii_only=not look.boxes)
    return [
        [],
        [],
        [(name, "leaf" if differentiable else "constant"), (" (input)", "quiet")],
        [(value, "value")],
        [(told, "" if differentiable else "quiet")],
    ]


def _row(entry: Entry, run: Any, source: Source, look: Look, room: int) -> list[Line]:
    turns = ", ".join(f"{turn:,}" for _, turn in run.describer.places.at(entry.seq).loops)
    told, role = recorded(entry, source, look.width * 2 // 5)
    return [
        [(str(line_of(entry.site, source)), "")],
        [(turns, "quiet")],
        [(clip(statement_text(entry, source), look.width, look.glyphs.ellipsis), "")],
        [(_value(entry, look, room), "value")],
        [(told, role)],
    ]


def line_of(site: Any, source: Source) -> int:
    """The line that a tree node begins at."""
    return source.position(site.span.start).line


def statement_text(entry: Entry, source: Source) -> str:
    """The source text of what an entry is about, in one line."""
    site = entry.site
    if entry.kind == "decision":
        word = "if " if type(site) is nodes.If else ""
        return word + one_line(source.slice(site.test.span))
    return one_line(source.slice(site.span))


def _value(entry: Entry, look: Look, room: int) -> str:
    if entry.value is None:
        return ""
    if entry.kind == "decision":
        return "true" if entry.value else "false"
    if isinstance(entry.value, str):
        return clip(repr(entry.value), room, look.glyphs.ellipsis)
    return array_text(entry.value, room, ofmt=look.ofmt, digits=6, ascii_only=not look.boxes)


def recorded(entry: Entry, source: Source, room: int = 1_000) -> tuple[str, str]:
    """What was recorded, or why nothing was; and the role of that text. `room`: columns that it should fit into."""
    if entry.kind == "made":
        names = [name for name, _ in entry.nodes]
        if not names:
            return "on the graph already", "quiet"
        more = f" and {len(names) - 4:,} more" if len(names) > 5 else ""
        shown = names[:4] if more else names
        whole = ", ".join(shown) + more
        if len(whole) > room:
            whole = ", ".join([re.sub(r"Backwards?\d*$", "", name.rpartition("::")[2]) for name in shown]) + more
        return whole, "operation"
    if entry.kind == "leaf":
        return "a leaf: it requires a gradient", "leaf"
    if entry.kind == "decision":
        return not_taken(entry, source), "quiet"
    why = reason(entry, source)
    if entry.kind == "value":
        told = f"no: {why}" if why else "" if entry.value is None else "no tensor"
        return told, "warning" if why else "quiet"
    if entry.kind == "changed":
        return f"no, in place: {why}", "warning"
    return f"no: {why}", "quiet" if entry.reason in ("operands", "fresh") else "warning"


def not_taken(entry: Entry, source: Source) -> str:
    """Which branch a decision left out."""
    site = entry.site
    if type(site) is not nodes.If:
        other = site.orelse if entry.value else site.body
        return f"not computed: {one_line(source.slice(other.span))}"
    body = site.orelse if entry.value else site.body
    if not body:
        return ""
    first, last = line_of(body[0], source), source.position(body[-1].span.end).line
    if first == last:
        return f"not run: {one_line(source.text[body[0].span.start : body[-1].span.end])}"
    return f"not run: lines {first} to {last}"


def reason(entry: Entry, source: Source) -> str:
    """Why nothing was recorded, in words."""
    at = "" if entry.at is None else f" at line {line_of(entry.at, source)}"
    if entry.reason == "no_grad":
        return f"{_switch(entry.at, source)}{at}" if at else "gradient mode is off"
    if entry.reason == "detach":
        return f"{_way_out(entry.at, source)}{at}"
    if entry.reason == "number":
        return f"{_way_out(entry.at, source)}{at} made a number" if at else "a plain number"
    names = " and ".join(entry.operands[:3]) + (", ..." if len(entry.operands) > 3 else "")
    if entry.reason == "operands":
        verb = "requires" if len(entry.operands) == 1 else "require"
        return f"{names} {verb} no gradient"
    if entry.reason == "fresh":
        return "a new constant"
    if entry.reason == "dtype":
        return f"{entry.operands[0]} values have no gradient"
    if entry.reason == "gradient":
        return "gradients have a graph with create_graph=True alone"
    if entry.reason == "no derivative":
        return "the operation has no derivative"
    return ""


def _switch(at: Any, source: Source) -> str:
    """What switched gradient mode off."""
    if type(at) is nodes.With:
        return one_line(source.slice(at.items[0].context.span))
    return ("" if isinstance(at, nodes.Stmt) else "@") + one_line(source.slice(at.span))


def _way_out(at: Any, source: Source) -> str:
    if at is None:
        return "detach()"
    if type(at) is nodes.Call:
        return one_line(source.slice(at.span)).split("(")[-2].split(".")[-1] + "()"
    if type(at) is nodes.Attribute:
        return "." + at.attr if at.attr == "data" else at.attr + "()"
    return one_line(source.slice(at.span))


def _totals(trace: Construction, look: Look) -> list[Line]:
    made, lost = trace.recorded, trace.lost
    nodes_made = "1 node was" if made == 1 else f"{made:,} nodes were"
    told = f"{nodes_made} recorded"
    if lost:
        told += f"; {lost:,} value{'s' if lost > 1 else ''} left the graph"
    return [[(clip(told, look.width, look.glyphs.ellipsis), "")]]


def forward_document(run: Any, trace: Construction, source: Source) -> dict[str, Any]:
    """The construction for `--json`."""
    run.describer.start_again()
    return {
        "schema": SCHEMA,
        "output": run.output,
        "value": plain(run.value),
        "inputs": {name: raw for name, (raw, _) in trace.inputs.items()},
        "nonfinite": [],
        "warnings": list(run.warnings),
        "printed": list(run.printed),
        "steps": [
            {
                "kind": entry.kind,
                "span": span_document(entry.site.span, source),
                "loops": [{"line": line, "iteration": turn} for line, turn in run.describer.places.at(entry.seq).loops],
                "value": plain(entry.value),
                "nodes": [name for name, _ in entry.nodes],
                "reason": entry.reason or None,
                "at": None if entry.at is None else line_of(entry.at, source),
                "operands": list(entry.operands),
                "told": recorded(entry, source)[0],
            }
            for entry in trace.entries
        ],
        "recorded": trace.recorded,
        "lost": trace.lost,
        "dropped": trace.dropped,
    }
