"""Messages by example: every slip that the language knows, a text that makes it, what is said and what to
write instead.

The table is in `slips/`, by subject. The lexer, the builders of the tree, `diagnosis.py` (what the parser
stumbled over) and `scope.py` name a slip and supply the parts that its texts name; tests run every example
and compare every message. Nothing here is imported before something is wrong.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.slips.slip import Slip
from autodiff_cli.source import Span

SUBJECTS = (
    "layout",
    "brackets",
    "operators",
    "characters",
    "literals",
    "targets",
    "functions",
    "words",
    "refused",
    "misplaced",
)

QUOTED = 60  # characters of the program that a message repeats at most
REPEATED = (
    "text",
    "line",
    "left",
    "right",
    "word",
    "name",
    "written",
)  # the parts that are the program's own text

_table: dict[str, Slip] = {}


def slips() -> dict[str, Slip]:
    """The whole table, by name."""
    if not _table:
        for subject in SUBJECTS:
            part: dict[str, Slip] = import_module(f"autodiff_cli.language.slips.{subject}").SLIPS
            assert not _table.keys() & part.keys(), "two slips of one name"
            _table.update(part)
    return _table


def fault(
    slip: str,
    span: Span,
    *,
    kind: type[SyntaxFault] = SyntaxFault,
    notes: tuple[tuple[Span, str], ...] = (),
    **parts: Any,
) -> SyntaxFault:
    """The fault that a slip is, at `span`, with the parts that its texts name."""
    _, message, hint = slips()[slip]
    filled = {key: shorten(value) if key in REPEATED else value for key, value in parts.items()}
    hint = None if hint is None else hint.format_map(filled) or None
    made = kind(message.format_map(filled), hint=hint, span=span, notes=notes)
    made.slip = slip
    return made


def shorten(text: str) -> str:
    """`text` on one line, at a length that a message can quote."""
    text = " ".join(text.split())
    return text if len(text) <= QUOTED else text[: QUOTED - 3] + "..."
