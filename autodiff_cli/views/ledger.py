"""What happened to gradients over a program's life, line by line: `eval --ledger`, `run --ledger`.

     line  turn  what             to    from    to  note
        4     1  backward         loss                3 nodes
        4     1  accumulate       w     none   -18
        4     1  graph freed                          2 values, 16 bytes
        5     1  no_grad                              2 operations, 8 bytes not kept
        6     1  change in place  w                   8 bytes
        7     1  clear            w     -18    none

Invariant: entries are in the order in which they happened, and none is left out of the totals.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.ledger import Entry, Ledger
from autodiff_cli.engine.node import Node
from autodiff_cli.source import Source
from autodiff_cli.views.document import span_document
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.text import Column, Line, Look, line_cells, one_line, table

MOST = 60  # entries that are shown of more
ENDS = 25  # ... as many of the beginning, and of the end
LEAST = 8  # columns of a number, -1.6e-15
NAME = 14  # ... and of a name, where the page is narrow
WORDS = {
    "backward": "backward",
    "accumulate": "accumulate",
    "clear": "clear",
    "assign": "set .grad",
    "free": "graph freed",
    "detach": "detach",
    "no_grad": "no_grad",
    "change": "change in place",
    "data": "set .data",
    "hook": "hook replaced",
}
ROLES = {"backward": "operation", "accumulate": "gradient", "clear": "warning"}


class _Told:
    """An entry with its place and the name of what it happened to."""

    __slots__ = ("entry", "line", "loops", "name", "span")

    def __init__(self, entry: Entry, describer: Any) -> None:
        self.entry = entry
        self.span = None if entry.site is None else entry.site.span
        self.line = None if self.span is None else describer.source.position(self.span.start).line
        self.loops: tuple[tuple[int, int], ...] = describer.places.at(entry.seq).loops
        self.name = _name(entry, describer)


def _name(entry: Entry, describer: Any) -> str:
    """What the program calls what an entry happened to."""
    thing = entry.subject
    if thing is None:
        return ""
    known = describer.names.get(id(thing))
    if known is None and type(thing) is not Node and thing.node is not None:
        thing = thing.node
    if known is None and type(thing) is Node:
        described = describer.describe(thing)
        known = described.name or one_line(described.text)
    if not known and entry.site is not None:
        known = one_line(describer.source.slice(entry.site.span))
    return known or "a leaf"


def told(ledger: Ledger, run: Any) -> list[_Told]:
    """The entries with places and names, in order."""
    run.describer.start_again()
    return [_Told(entry, run.describer) for entry in ledger.entries]


def ledger_lines(ledger: Ledger, run: Any, look: Look, *, full: bool = False) -> list[Line]:
    """The ledger as a table, and its totals. `full`: every entry that was kept."""
    entries = told(ledger, run)
    if not entries:
        return [[("nothing happened to gradients", "quiet")]]
    cut = len(entries) > MOST and not full
    room = min(30, max(9, (look.width - 56) // 2))
    shown = [*entries[:ENDS], *entries[-ENDS:]] if cut else entries
    rows = [_row(t, look, room) for t in shown]
    while room > LEAST and (over := _needed(rows) - look.width) > 0:  # fewer digits, and no number without its end
        room = max(LEAST, room - (over + 1) // 2)
        rows = [_row(t, look, room) for t in shown]
    if cut:
        gap = f"{look.glyphs.gap} {len(entries) - 2 * ENDS:,} more"
        rows.insert(ENDS, [[], [], [(gap, "quiet")], [], [], [], []])
    noted = max(line_cells(row[-1]) for row in rows)
    columns = (
        Column("line", right=True, least=4),
        Column("turn", right=True, least=4),
        Column("what", least=16),
        Column("of", least=6),
        Column("before", right=True, least=LEAST),
        Column("after", right=True, least=LEAST),
        Column("", least=min(noted, look.width // 3)),
    )
    lines = table(columns, rows, look.width, look.glyphs.ellipsis)
    if cut:
        lines.append([("the middle is left out (--graph full shows it)", "quiet")])
    if ledger.dropped:
        lines.append([(f"{ledger.dropped:,} later entries were counted, not kept", "quiet")])
    return [*lines, [], *_totals(ledger, look)]


def _needed(rows: list[list[Line]]) -> int:
    """The columns of the rows, with names as short as they may become."""
    widths = [max(line_cells(row[i]) for row in rows) for i in range(7)]
    widths[3] = min(widths[3], NAME)
    return sum(width + 2 for width in widths if width) - 2


def _row(t: _Told, look: Look, room: int) -> list[Line]:
    entry = t.entry
    gradients = entry.kind in ("accumulate", "clear", "assign", "data", "hook")
    return [
        [("end" if t.line is None else str(t.line), "quiet" if t.line is None else "")],
        [(", ".join(f"{turn:,}" for _, turn in t.loops), "quiet")],
        [(_word(entry), ROLES.get(entry.kind, ""))],
        [(t.name, "name")],
        [(_number(entry.before, look, room), "value")] if gradients else [],
        [(_number(entry.after, look, room), "gradient")] if gradients else [],
        [(note(entry), "quiet")],
    ]


def _number(value: Any, look: Look, room: int) -> str:
    if value is None:
        return "none"
    text = ""
    for digits in (6, 3, 2):
        text = array_text(value, room, ofmt=look.ofmt, digits=digits, ascii_only=not look.boxes)
        if look.glyphs.ellipsis not in text:
            break
    return text


def _word(entry: Entry) -> str:
    """The kind in words; of a stretch without gradient mode what began it."""
    if entry.kind != "no_grad":
        return WORDS[entry.kind]
    return entry.detail.rpartition(".")[2] or WORDS["no_grad"]


def note(entry: Entry) -> str:
    """What else there is to say of an entry."""
    if entry.kind == "backward":
        more = {"retained": ", retained", "create_graph": ", create_graph"}.get(entry.detail, "")
        return _many(entry.amount, "node") + more
    if entry.kind == "free":
        return f"{_many(entry.amount, 'value')}, {_many(entry.bytes, 'byte')}"
    if entry.kind == "no_grad":
        if not entry.amount:
            return "nothing would have been recorded"
        kept = f", {_many(entry.bytes, 'byte')} not kept" if entry.bytes else ""
        return _many(entry.amount, "operation") + kept
    if entry.kind == "clear":
        return "in place" if entry.detail == "in place" else ""
    return _many(entry.bytes, "byte") if entry.bytes else entry.detail


def _many(n: int, what: str) -> str:
    return f"1 {what}" if n == 1 else f"{n:,} {what}s"


def _totals(ledger: Ledger, look: Look) -> list[Line]:
    """One line for each kind: how often, and what it came to."""
    rows: list[list[Line]] = []
    for kind, (times, count, size) in ledger.totals.items():
        whole = Entry(kind, 0, None, amount=count, bytes=size)
        said = note(whole) if count or size else ""
        rows.append([[(WORDS[kind], ROLES.get(kind, ""))], [(f"{times:,}", "value")], [(said, "quiet")]])
    columns = (Column("in all", least=15), Column("times", right=True), Column("", least=12))
    return table(columns, rows, look.width, look.glyphs.ellipsis)


def ledger_document(ledger: Ledger, run: Any, source: Source) -> dict[str, Any]:
    """The ledger for `--json`."""
    return {
        "entries": [
            {
                "kind": t.entry.kind,
                "span": None if t.span is None else span_document(t.span, source),
                "loops": [{"line": line, "iteration": iteration} for line, iteration in t.loops],
                "name": t.name or None,
                "before": t.entry.before,
                "after": t.entry.after,
                "count": t.entry.amount,
                "bytes": t.entry.bytes,
                "detail": t.entry.detail or None,
            }
            for t in told(ledger, run)
        ],
        "dropped": ledger.dropped,
        "totals": {
            kind: {"times": times, "count": count, "bytes": size}
            for kind, (times, count, size) in ledger.totals.items()
        },
    }
