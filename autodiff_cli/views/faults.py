"""A fault as text (CLI.md, convention 5): where, the line with a caret, what happened, what to write.

Other places that matter (`notes`: where a value was saved, where it was changed) come before, so that what
matters most is last, next to the prompt.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.errors import Fault
from autodiff_cli.source import Source, Span
from autodiff_cli.views.text import Glyphs, Line, cells

INDENT = "    "


def fault_lines(fault: Fault, *, width: int, boxes: bool, wrap: bool = False) -> list[Line]:
    """The whole message of a fault.

    `width` is in columns; `boxes` says whether the stream has characters beyond ASCII; `wrap` breaks long
    sentences to fit (for a terminal; in a file a sentence stays one line, for grep).
    """
    glyphs = Glyphs(boxes)
    lines: list[Line] = []
    if fault.source is not None:
        for span, phrase in fault.notes:
            lines += _excerpt(fault.source, span, phrase, "hint", width, glyphs)
        if fault.span is not None:
            lines += _excerpt(fault.source, fault.span, "", "error", width, glyphs)
    lines += _labelled("error: ", "error", fault.message or type(fault).__name__, width if wrap else None)
    if fault.hint:
        lines += _labelled("hint: ", "hint", fault.hint, width if wrap else None)
    return lines


def _labelled(label: str, role: str, text: str, width: int | None) -> list[Line]:
    """A message with its label; further lines, its own and those made by `width`, hang under the first."""
    texts = _visible(text, keep="\n").split("\n")
    if width is not None:
        from textwrap import wrap

        room = max(width - len(label), 20)
        texts = [part for line in texts for part in wrap(line, room, break_on_hyphens=False) or [""]]
    hanging = " " * len(label)
    return [[(label, role) if i == 0 else (hanging, ""), (part, "")] for i, part in enumerate(texts)]


def warning_lines(warnings: list[str]) -> list[Line]:
    """The warnings of a run, one a line."""
    return [[("warning: ", "warning"), (_visible(warning.replace("\n", " ")), "")] for warning in warnings]


def fault_object(fault: Fault) -> dict[str, Any]:
    """The fault as the object that `--json` puts on standard error; the caller adds the outer `error` key."""
    found: dict[str, Any] = {
        "code": fault.code,
        "message": fault.message,
        "hint": fault.hint,
        "file": None,
        "line": None,
        "column": None,
    }
    if fault.source is not None:
        found["file"] = fault.source.name
        if fault.span is not None:
            found["line"], found["column"] = fault.source.position(fault.span.start)
    return found


def _excerpt(source: Source, span: Span, phrase: str, role: str, width: int, glyphs: Glyphs) -> list[Line]:
    """`name:line:column`, the line, and carets under the span (to the line's end, if it goes on)."""
    line, column = source.position(span.start)
    place: Line = [(f"{source.name}:{line}:{column}", "place")]
    if phrase:
        place.append((f": {phrase}", role))
    text = source.line(line)
    start = min(column - 1, len(text))
    end = min(max(start + span.end - span.start, start + 1), max(len(text), start + 1))
    if end > len(text.rstrip()) > start:  # the span goes on in the next line
        end = len(text.rstrip())
    shown, start, end = _window(text, start, end, width - len(INDENT), glyphs.ellipsis)
    before, under = _visible(shown[:start]), _visible(shown[start:end])
    after = _visible(shown[end:])
    carets = "^" * max(cells(under), 1)
    return [
        place,
        [(INDENT + before + under + after, "")],
        [(INDENT + " " * cells(before), ""), (carets, role)],
    ]


def _window(text: str, start: int, end: int, room: int, ellipsis: str) -> tuple[str, int, int]:
    """The part of a long line around `start <= i < end`, and where those are in it."""
    room = max(room, 20)
    if cells(text) <= room:
        return text, start, end
    half = room // 2 - len(ellipsis)
    left = max(0, start - half)
    right = min(len(text), left + room - 2 * len(ellipsis))
    left = max(0, min(left, right - (room - 2 * len(ellipsis))))
    while right > start + 1 and cells(text[left:right]) > room - 2 * len(ellipsis):
        right -= 1
    head = ellipsis if left else ""
    tail = ellipsis if right < len(text) else ""
    end = min(end, right)
    return head + text[left:right] + tail, start - left + len(head), end - left + len(head)


def _visible(text: str, keep: str = "") -> str:
    """The text with tabs as single blanks, and control characters (an escape in a file) as question marks."""
    return "".join(c if c.isprintable() or c in keep else " " if c == "\t" else "?" for c in text)
