"""Several texts that are one program: each input of a session, or a program and an expression that looks into it.

The texts lie end to end, a line end between them, and each is parsed as if nothing but a comment stood before it. So a
span says which text it is of, whatever closure or node of the graph it comes from, and `whole` is a source for all.

Invariant: spans of one text never overlap those of another; texts already added keep their offsets.
"""

from __future__ import annotations

from bisect import bisect_right

from autodiff_cli.errors import Fault
from autodiff_cli.source import Source, Span


class Texts:
    """The texts so far. `whole` is the source of all of them."""

    __slots__ = ("_sources", "_starts", "whole")

    def __init__(self, name: str, first: Source | None = None) -> None:
        self.whole = Source("", name)
        self._starts: list[int] = []
        self._sources: list[Source] = []
        if first is not None:
            self.add(first)

    def padded(self, text: str) -> Source:
        """What to parse for the text that is to be added next: its spans are right in `whole` after that."""
        before = len(self.whole.text)
        return Source("#" * (before - 1) + "\n" + text if before else text, self.whole.name)

    def add(self, source: Source) -> None:
        """Put a text behind the others."""
        self._starts.append(len(self.whole.text))
        self._sources.append(source)
        self.whole = Source(self.whole.text + source.text + "\n", self.whole.name)

    def localise(self, fault: Fault) -> None:
        """Tell the place of a fault in the text that it is in; notes about other texts are left out."""
        span = fault.span
        if span is None or not self._starts:
            fault.source = None if span is None else fault.source
            return
        at = max(bisect_right(self._starts, span.start) - 1, 0)
        start, source = self._starts[at], self._sources[at]
        end = start + len(source.text) + 1
        fault.source = source
        fault.span = _within(span, start, source)
        fault.notes = tuple(
            [(_within(s, start, source), phrase) for s, phrase in fault.notes if start <= s.start < end]
        )


def _within(span: Span, start: int, source: Source) -> Span:
    most = len(source.text)
    return Span(min(span.start - start, most), min(span.end - start, most))
