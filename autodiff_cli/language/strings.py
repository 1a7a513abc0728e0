"""String literals: where one ends, and what its escapes mean (Python's rules)."""

from __future__ import annotations

from autodiff_cli.source import Span

SIMPLE = {
    "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\n": "",
}  # fmt: skip
HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def find_end(text: str, start: int, quote: str) -> int:
    """The offset of the closing `quote` of a string whose inside begins at `start`; -1 without one."""
    limit = len(text)
    if len(quote) == 1:
        limit = _line_end(text, start)
    at = text.find(quote, start, limit)
    while at >= 0 and _escaped(text, start, at):
        at = text.find(quote, at + 1, limit)
    return at


def _line_end(text: str, start: int) -> int:
    """Where the line of `start` ends; a backslash before a line end carries it on."""
    at = text.find("\n", start)
    while at >= 0:
        before = at - 1 if text[at - 1 : at] == "\r" else at
        if not _escaped(text, start, before):
            return at
        at = text.find("\n", at + 1)
    return len(text)


def _escaped(text: str, start: int, at: int) -> bool:
    """Whether an odd number of backslashes stands before `at`."""
    first = at
    while first > start and text[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1


def decode(body: str, offset: int, raw: bool) -> str:
    """The characters that the inside of a string literal stands for.

    `offset` is where `body` begins in the program. Raises SyntaxFault for a broken escape; one that is
    unknown stays as it is.
    """
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    if raw or "\\" not in body:
        return body
    pieces = []
    at = 0
    while True:
        slash = body.find("\\", at)
        if slash < 0:
            pieces.append(body[at:])
            return "".join(pieces)
        pieces.append(body[at:slash])
        letter = body[slash + 1 : slash + 2]
        if letter in SIMPLE:
            pieces.append(SIMPLE[letter])
            at = slash + 2
        elif letter in HEX_DIGITS or letter == "N":
            character, at = _coded(body, slash, offset)
            pieces.append(character)
        elif "0" <= letter <= "7":
            at = slash + 2
            while at < min(slash + 4, len(body)) and "0" <= body[at] <= "7":
                at += 1
            pieces.append(chr(int(body[slash + 1 : at], 8)))
        else:
            pieces.append("\\" + letter)
            at = slash + 2


def _coded(body: str, slash: int, offset: int) -> tuple[str, int]:
    r"""The character of `\x41`, `\u0041`, `\U00000041` or `\N{NAME}` at `slash`, and the offset behind it."""
    letter = body[slash + 1]
    try:
        if letter == "N":
            end = body.index("}", slash) + 1
            from unicodedata import lookup

            if body[slash + 2] != "{":
                raise ValueError
            return lookup(body[slash + 3 : end - 1]), end
        end = slash + 2 + HEX_DIGITS[letter]
        digits = body[slash + 2 : end]
        if len(digits) < HEX_DIGITS[letter] or not digits.isalnum():
            raise ValueError
        return chr(int(digits, 16)), end
    except (ValueError, KeyError, OverflowError):
        from autodiff_cli.language.mistakes import fault

        written = body[slash : slash + 2 + HEX_DIGITS.get(letter, 1)]
        raise fault("bad-escape", Span(offset + slash, offset + slash + len(written)), written=written) from None
