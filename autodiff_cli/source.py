"""Program text, and places in it.

A `Source` is the text of one program with the name a message should call it by. A `Span` is a half-open range of
character offsets of that text: every token, tree node, graph node and error carries one, and nothing computes a line
or a column before somebody looks (`Source.position`).

Invariant: `0 <= span.start <= span.end <= len(source.text)`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Span(NamedTuple):
    """The characters `start <= i < end` of a source's text (offsets, dimensionless)."""

    start: int
    end: int


class Position(NamedTuple):
    """A place as a person names it: `line` and `column` both count from 1, in characters."""

    line: int
    column: int


class Source:
    """One program's text.

    `name` is what a message calls it: a path, or `<command line>`, or `<stdin>`.
    """

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, text: str, name: str = "<command line>") -> None:
        self.text = text
        self.name = name
        self._line_starts: list[int] | None = None

    def position(self, offset: int) -> Position:
        """The line and column of a character offset."""
        starts = self._starts()
        row = bisect_right(starts, offset) - 1
        return Position(row + 1, offset - starts[row] + 1)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end; empty past the last."""
        starts = self._starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def slice(self, span: Span) -> str:
        """The characters of a span."""
        return self.text[span.start : span.end]

    def _starts(self) -> list[int]:
        if self._line_starts is None:
            starts, at = [0], self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._line_starts = starts
        return self._line_starts
