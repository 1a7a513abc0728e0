"""Whether a text that is being typed can be read as it stands, or goes on in the next line."""

from __future__ import annotations

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.parser import parse
from autodiff_cli.source import Source

# the slips of a text that only lacks its rest
UNFINISHED = frozenset(("unclosed", "unclosed-block", "unterminated-text", "no-body-at-end"))


def goes_on(text: str) -> bool:
    """Whether the text lacks its end: a closing bracket, the quotes of a long string, what its last line announces."""
    if text.endswith("\\"):
        return True
    try:
        parse(Source(text))
    except SyntaxFault as fault:
        at_end = fault.span is not None and not text[fault.span.end :].strip()
        return fault.slip in UNFINISHED or (fault.slip == "decorator-alone" and at_end)
    return False


def open_block(text: str) -> bool:
    """Whether the text ends in an indented block, which the next line may go on with, or `else`."""
    lines = text.rstrip().split("\n")
    return len(lines) > 1 and lines[-1][:1] in (" ", "\t")


def belongs(line: str) -> bool:
    """Whether a line goes on with the block above it: it is indented, or one of `else`, `elif`, `except`, `finally`."""
    word = line.replace(":", " ").split(" ")[0] if line[:1].strip() else ""
    return line[:1] in (" ", "\t") or word in ("else", "elif", "except", "finally")
