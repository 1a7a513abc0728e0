"""F-strings, cut into tokens: `_FSTRING_OPEN (FSTRING_TEXT | field)* _FSTRING_CLOSE`.

A field is `_FIELD_OPEN`, the tokens of an expression from the lexer's own loop, perhaps `FIELD_EQUAL` (whose
value is the text that `{x = }` shows), `FIELD_CONVERSION` and `_FIELD_COLON` with a format specification
(text and fields again), and `_FIELD_CLOSE`.

On the lexer's stack of brackets an f-string is an `FString`, a field in its expression `field`, and one in
its format specification `spec`. Inside a field any quotes may be used, as in Python 3.12.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autodiff_cli.language.strings import decode
from autodiff_cli.source import Span

if TYPE_CHECKING:
    from autodiff_cli.language.lexer import Lexer

CONVERSIONS = ("r", "s", "a")


class FString:
    """An f-string that is being read."""

    __slots__ = ("inside", "quote", "raw", "start")

    def __init__(self, quote: str, raw: bool, start: int, inside: int) -> None:
        self.quote = quote
        self.raw = raw
        self.start = start
        self.inside = inside


def begin_fstring(lexer: Lexer, quote: str, raw: bool, start: int, inside: int) -> int:
    """The opening, and the text up to the first field; where to go on."""
    lexer.tokens.append((lexer.number["_FSTRING_OPEN"], "", start, inside))
    lexer.push(FString(quote, raw, start, inside), start)
    return _text(lexer, inside)


def end_of_field(lexer: Lexer, word: str, start: int) -> int:
    """`}`, `:`, `!` or `=` in a field, outside any bracket in it; where to go on."""
    number, tokens, text = lexer.number, lexer.tokens, lexer.text
    if word == "}":
        tokens.append((number["_FIELD_CLOSE"], word, start, start + 1))
        lexer.pop()
        return _text(lexer, start + 1)
    if word in (":", ":="):
        tokens.append((number["_FIELD_COLON"], ":", start, start + 1))
        lexer.open[-1] = ("spec", lexer.open[-1][1])
        return _text(lexer, start + 1)
    if word == "=":
        end = start + 1
        while text[end : end + 1].isspace():
            end += 1
        tokens.append((number["FIELD_EQUAL"], text[lexer.open[-1][1] + 1 : end], start, end))
        return end
    letter = text[start + 1 : start + 2]
    if letter not in CONVERSIONS or text[start + 2 : start + 3].isalnum():
        raise lexer.fault("bad-conversion", Span(start, start + 1))
    tokens.append((number["FIELD_CONVERSION"], letter, start, start + 2))
    return start + 2


def _text(lexer: Lexer, start: int) -> int:
    """Literal text from `start` on, up to a field, its end, or the end of the string; where to go on."""
    in_spec = lexer.open[-1][0] == "spec"
    fstring: FString = next(kind for kind, _ in reversed(lexer.open) if isinstance(kind, FString))
    text = lexer.text
    pieces: list[str] = []
    at = begin = start
    while True:
        match = re.compile(r"""[{}\\\r\n'"]""").search(text, at)
        if match is None:
            raise _unterminated(lexer, fstring, in_spec)
        at, mark = match.start(), match[0]
        if mark == "\\":
            at += _escape_width(text, at, fstring.raw)
        elif mark in "{}" and not in_spec and text[at + 1 : at + 2] == mark:
            pieces.append(decode(text[begin:at], begin, fstring.raw) + mark)
            begin = at = at + 2
        elif mark in "{}" or (text.startswith(fstring.quote, at) and not in_spec):
            break
        elif (mark in "'\"" and not text.startswith(fstring.quote, at)) or (mark in "\r\n" and len(fstring.quote) == 3):
            at += 1
        else:
            raise _unterminated(lexer, fstring, in_spec)
    pieces.append(decode(text[begin:at], begin, fstring.raw))
    if value := "".join(pieces):
        lexer.tokens.append((lexer.number["FSTRING_TEXT"], value, start, at))
    return _mark(lexer, fstring, mark, at, in_spec)


def _mark(lexer: Lexer, fstring: FString, mark: str, at: int, in_spec: bool) -> int:
    """What ended a piece of text; where to go on."""
    if mark == "{":
        lexer.tokens.append((lexer.number["_FIELD_OPEN"], mark, at, at + 1))
        lexer.push("field", at)
        return at + 1
    if mark == "}":
        if not in_spec:
            raise lexer.fault("lone-brace", Span(at, at + 1))
        lexer.tokens.append((lexer.number["_FIELD_CLOSE"], mark, at, at + 1))
        lexer.pop()
        return _text(lexer, at + 1)
    end = at + len(fstring.quote)
    lexer.tokens.append((lexer.number["_FSTRING_CLOSE"], fstring.quote, at, end))
    lexer.pop()
    return end


def _escape_width(text: str, at: int, raw: bool) -> int:
    r"""How many characters from a backslash on belong together: `\"` and `\N{...}`, but not `\{`."""
    if not raw and text.startswith("\\N{", at):
        return max(text.find("}", at), at + 2) + 1 - at
    return 1 if text[at + 1 : at + 2] in ("{", "}") else 2


def _unterminated(lexer: Lexer, fstring: FString, in_spec: bool) -> Exception:
    if in_spec:
        return lexer.unclosed()
    return lexer.unterminated(fstring.quote, fstring.start, fstring.inside)
