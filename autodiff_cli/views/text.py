"""Lines of text with roles, and tables of them; `paint` makes the string, with colours or without.

A view says what a piece of text is (a value, a gradient, an error), never how it looks: that stands in
`COLORS` alone. The looks add nothing that the words don't say, so the text without them is complete.

Rich would do this too. Importing it and laying out six lines takes 43 ms, as much as all the rest of
`autodiff eval` beyond Python's own start; what a tree in columns needs of it is this file.

Invariant: a painted line is never wider than asked for, except where it has to show one unbreakable piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Segment = tuple[str, str]  # text, role
Line = list[Segment]

# role -> the parameters of ANSI's "select graphic rendition"; the 16 colours follow the terminal's own theme
COLORS: dict[str, str] = {
    "": "",
    "constant": "2",
    "error": "1;31",
    "failed": "31",
    "gradient": "32",
    "guide": "2",
    "heading": "2",
    "hint": "36",
    "leaf": "1;34",
    "name": "1",
    "operation": "36",
    "passed": "32",
    "place": "1",
    "quiet": "2",
    "value": "",
    "warning": "33",
}


class Glyphs:
    """The characters that drawings are made of, for an encoding that has them, and in ASCII."""

    __slots__ = ("branch", "constant", "detached", "ellipsis", "gap", "last", "leaf", "pipe")

    def __init__(self, boxes: bool) -> None:
        self.branch, self.last, self.pipe = ("├─ ", "└─ ", "│  ") if boxes else ("|- ", "`- ", "|  ")
        self.leaf, self.constant, self.detached = ("●", "○", "◌") if boxes else ("*", "o", "~")
        self.ellipsis = "…" if boxes else "..."
        self.gap = "⋮" if boxes else ":"


class Look:
    """What a view has to know of the page: width in columns, characters, format of numbers (`--ofmt`)."""

    __slots__ = ("boxes", "glyphs", "ofmt", "width")

    def __init__(self, width: int, boxes: bool = True, ofmt: str | None = None) -> None:
        self.width = width
        self.boxes = boxes
        self.ofmt = ofmt
        self.glyphs = Glyphs(boxes)


def cells(text: str) -> int:
    """The columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def clip(text: str, columns: int, ellipsis: str) -> str:
    """The text, cut at its end to fit, with an ellipsis where it was cut."""
    if cells(text) <= columns:
        return text
    room = columns - len(ellipsis)
    if room < 1:
        return ellipsis[: max(columns, 0)]
    end, used = 0, 0
    while end < len(text) and used + cells(text[end]) <= room:
        used += cells(text[end])
        end += 1
    return text[:end] + ellipsis


def wrapped(text: str, columns: int, most: int, ellipsis: str) -> list[str]:
    """The text in lines of at most `columns`, broken after a blank or else an operator; cut where `most` lines don't do."""
    lines: list[str] = []
    while cells(text) > columns and len(lines) < most - 1:
        fits = clip(text, columns, "")
        places = range(len(fits), len(fits) // 4, -1)
        cut = next((i for i in places if text[i - 1] == " " or text[i] == " "), 0)
        cut = cut or next((i for i in places if _may_break(text, i)), len(fits))
        lines.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*lines, clip(text, columns, ellipsis)]


def _may_break(text: str, i: int) -> bool:
    """Whether a line may end before character `i`: after an operator, not inside `**`, nor between a sign and its number."""
    operators = ",([{+-*/%@="
    if text[i - 1] not in operators or text[i] in operators + ")]}":
        return False
    return text[i - 1] not in "+-" or i < 2 or text[i - 2] not in operators + "e "


def one_line(text: str) -> str:
    """The text with line ends and runs of blanks as single blanks, and without control characters."""
    joined = " ".join(text.split())
    if joined.isprintable():
        return joined
    return "".join(c if c.isprintable() else "\ufffd" if ord(c) > 127 else "?" for c in joined)


def paint(lines: Iterable[Line], color: bool) -> str:
    """The lines as one string, each with its line end."""
    out: list[str] = []
    for line in lines:
        if not color:
            out.append("".join(text for text, _ in line).rstrip())
        else:
            while line and not line[-1][0].strip():
                line = line[:-1]
            out.append("".join(_colored(text, COLORS[role]) for text, role in line))
        out.append("\n")
    return "".join(out)


def _colored(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


class Column:
    """A column of a table: its heading, its side, and how narrow it may get when the table is too wide."""

    __slots__ = ("heading", "least", "right")

    def __init__(self, heading: str, *, right: bool = False, least: int = 8) -> None:
        self.heading = heading
        self.right = right
        self.least = least


GAP = "  "


def table(columns: Sequence[Column], rows: Sequence[Sequence[Line]], width: int, ellipsis: str) -> list[Line]:
    """Rows under their headings, each column as wide as it needs, or less where `width` is short.

    A cell is a `Line`. Columns without any text are left out.
    """
    columns, rows = _used(columns, rows)
    widths = _widths(columns, rows)
    _shrink(widths, [column.least for column in columns], width - len(GAP) * (len(columns) - 1))
    heading: list[Line] = [[(column.heading, "heading")] for column in columns]
    return [
        _row(row, columns, widths, ellipsis) for row in ([heading, *rows] if any(c.heading for c in columns) else rows)
    ]


def table_width(columns: Sequence[Column], rows: Sequence[Sequence[Line]]) -> int:
    """The columns that a table takes where nothing is cut."""
    widths = _widths(*_used(columns, rows))
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _used(columns: Sequence[Column], rows: Sequence[Sequence[Line]]) -> tuple[list[Column], list[list[Line]]]:
    """Without the columns that have no text."""
    used = [i for i, _ in enumerate(columns) if any(segment[0] for row in rows for segment in row[i])]
    return [columns[i] for i in used], [[row[i] for i in used] for row in rows]


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[Line]]) -> list[int]:
    return [
        max(cells(column.heading), *(line_cells(row[i]) for row in rows)) if rows else cells(column.heading)
        for i, column in enumerate(columns)
    ]


# where a cell may be broken: after a blank, a bracket, a comma, the point of an attribute (not of a number)
_PART = re.compile(r"(?:[^\s(,.]|\.(?![A-Za-z]))*(?:[(,]|\.(?=[A-Za-z]))?\s*")


def wrapped_row(row: Sequence[Line], rooms: dict[int, int]) -> list[list[Line]]:
    """A row of a table with long cells broken over several lines. `rooms`: cell -> its columns."""
    rows = [list(row)]
    for at, room in rooms.items():
        text = "".join(part for part, _ in row[at])
        if cells(text) <= room:
            continue
        parts = [""]
        for word in _PART.findall(text):
            if word and parts[-1] and cells(parts[-1] + word.rstrip()) > room:
                parts.append("")
            parts[-1] += word
        while len(rows) < len(parts):
            rows.append([[] for _ in row])
        for line, part in zip(rows, parts, strict=False):
            line[at] = [(part.rstrip(), row[at][0][1])]
    return rows


def line_cells(line: Line) -> int:
    """The columns that a line takes."""
    return sum(cells(text) for text, _ in line)


def _shrink(widths: list[int], least: Sequence[int], room: int) -> None:
    """Take from the widest columns until all fit, or none can give more."""
    excess = sum(widths) - room
    while excess > 0:
        giving = [i for i, w in enumerate(widths) if w > least[i]]
        if not giving:
            return
        widest = max(giving, key=lambda i: widths[i])
        widths[widest] -= 1
        excess -= 1


def _row(row: Sequence[Line], columns: Sequence[Column], widths: Sequence[int], ellipsis: str) -> Line:
    line: Line = []
    for i, (cell, column, width) in enumerate(zip(row, columns, widths, strict=True)):
        if i:
            line.append((GAP, ""))
        cell = clip_line(cell, width, ellipsis)
        padding = (" " * (width - line_cells(cell)), "")
        line += [padding, *cell] if column.right else [*cell, padding]
    return line


def clip_line(line: Line, columns: int, ellipsis: str) -> Line:
    """The line, cut at its end to fit."""
    if line_cells(line) <= columns:
        return line
    kept: Line = []
    room = columns - len(ellipsis)
    for text, role in line:
        if cells(text) >= room:
            part = clip(text, max(room, 0), "")
            return [*kept, (part + ellipsis[: columns - line_cells(kept) - cells(part)], role)]
        kept.append((text, role))
        room -= cells(text)
    return kept
