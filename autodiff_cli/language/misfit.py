"""What a builder raises: a slip of `mistakes.py` by name, at a place, before anybody has the text at hand."""

from __future__ import annotations

from typing import Any, NoReturn

from autodiff_cli.source import Span


class Misfit(Exception):
    """Never leaves `parser.parse`, which makes a SyntaxFault of it."""

    def __init__(self, slip: str, span: Span, parts: dict[str, Any]) -> None:
        super().__init__(slip)
        self.slip = slip
        self.span = span
        self.parts = parts


def refuse(slip: str, span: Span, **parts: Any) -> NoReturn:
    """Raises Misfit: the text at `span` is the slip of this name; `parts` fill in its message."""
    raise Misfit(slip, span, parts)
