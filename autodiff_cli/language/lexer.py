"""Text -> tokens.

One regular expression finds the tokens; this file adds what no expression can: lines and indentation,
brackets (inside which a line end means nothing), blocks in braces (see the head of `grammar/autodiff.lark`),
and strings; `fstrings.py` cuts up f-strings.

A token is `(kind, value, start, end)`, `kind` the number of a terminal. Layout tokens have no width and stand
where the token before them ends, so that the span of a statement never includes a line end.

Invariant: the tokens end with the end of the text, or with a `FOREIGN` one whose value is the SyntaxFault
that stopped the lexer: the parser may find an earlier mistake first.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.grammar import GROUPS, Grammar
from autodiff_cli.language.lalr import Token
from autodiff_cli.language.numbers import number_value
from autodiff_cli.language.strings import decode, find_end
from autodiff_cli.source import Span

NAME, NUMBER, OPERATOR, QUOTE, LINE_JOIN, OTHER, LINE_END, COMMENT = range(1, len(GROUPS) + 1)

TAB = 8  # columns, as Python counts them
PREFIXES = {"r": "r", "u": "", "f": "f", "fr": "fr", "rf": "fr", "b": "b", "br": "b", "rb": "b"}
CLOSING = {"(": ")", "[": "]", "{": "}", "block": "}"}
CONTINUES = ("else", "elif", "except", "finally")


def tokenize(text: str, grammar: Grammar) -> list[Token]:
    """The tokens of a program, the end of the text included."""
    lexer = Lexer(text, grammar)
    try:
        lexer.run()
    except SyntaxFault as fault:
        at = lexer.tokens[-1][3] if lexer.tokens else 0
        lexer.tokens.append((grammar.number["FOREIGN"], fault, at, at))
    return lexer.tokens


class Lexer:
    """One pass over one text.

    `open` holds the brackets around the place, each with its offset: `(`, `[`, `{`, `block`, and those of an
    f-string (see `fstrings.py`): `field` and `spec`, above the `FString` they belong to.
    """

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.text = text
        self.number = grammar.number
        self.fixed = grammar.fixed
        self.pattern = grammar.pattern
        self.tokens: list[Token] = []
        self.open: list[tuple[Any, int]] = []
        self.joining = False  # inside a bracket: a line end means nothing
        self.indents = [("", 0, 0)]  # of the open blocks: the white space, its width with tabs to 8 and to 1
        self.fresh = True  # at the start of a line whose indentation counts
        self.ends_operand = _numbers(grammar, "NAME NUMBER STRING CONSTANT RPAR RSQB RBRACE _FSTRING_CLOSE")
        self.starts_block = _numbers(grammar, "TRY EXCEPT FINALLY")
        self.boundary = _numbers(grammar, "_NEWLINE _INDENT _DEDENT _BLOCK_OPEN _BLOCK_CLOSE SEMICOLON")
        self.silent = _numbers(grammar, "_NEWLINE _INDENT _DEDENT _BLOCK_OPEN")  # no statement to end
        self.brackets = _numbers(grammar, "LPAR LSQB LBRACE RPAR RSQB RBRACE")

    def run(self) -> None:
        """Fill `tokens`. Raises SyntaxFault where no token can be made."""
        text, add, brackets, fixed = self.text, self.tokens.append, self.brackets, self.fixed
        name, number, foreign = self.number["NAME"], self.number["NUMBER"], self.number["FOREIGN"]
        plain = text.isascii()
        at = 1 if text.startswith("\ufeff") else 0
        while True:
            for match in iter(self.pattern.scanner(text, at).match, None):  # type: ignore[attr-defined]
                group = match.lastindex
                start, end = match.span(group)
                if self.fresh and group < LINE_END:
                    self.fresh = False
                    self.indent(text[match.start() : start], start)
                if group == NAME:
                    word = text[start:end]
                    if plain or word.isascii():
                        add((fixed.get(word, name), word, start, end))
                    else:
                        self.add_word(word, start)
                elif group == OPERATOR:
                    word = text[start:end]
                    kind = fixed.get(word, foreign)
                    if kind in brackets or (self.open and self.open[-1][0] == "field"):
                        at = self.bracket(kind, word, start)
                        if at:
                            break
                    else:
                        add((kind, word, start, end))
                elif group == NUMBER:
                    if text[end - 1] > "9":
                        at = self.number_and_word(start, end)
                        if at < end:
                            break
                    else:
                        add((number, text[start:end], start, end))
                elif group == LINE_END:
                    if not self.joining:
                        self.line_end()
                elif group == QUOTE:
                    at = self.string(text[start:end], start)
                    break
                elif group == OTHER:
                    add((foreign, text[start:end], start, end))
            else:
                return self.finish()

    # --- layout

    def indent(self, white: str, start: int) -> None:
        """Open or close blocks for a line that begins with `white`."""
        if white == self.indents[-1][0]:
            return
        width, narrow = _widths(white)
        if not self.tokens:  # a program whose every line is indented has that margin
            self.indents = [(white, width, narrow)]
            return
        _, above, above_narrow = self.indents[-1]
        here = Span(start - len(white), start)
        if width > above:
            if narrow <= above_narrow:
                raise self.fault("tabs", here)
            self.indents.append((white, width, narrow))
            self.tokens.append((self.number["_INDENT"], white, start, start))
            return
        while width < self.indents[-1][1]:
            if len(self.indents) == 1:
                first = self.tokens[0][2]
                raise self.fault("indented-first-line", Span(first - len(self.indents[0][0]), first))
            self.indents.pop()
            self.layout("_DEDENT")
        if width != self.indents[-1][1]:
            raise self.fault("dedent", here)
        if narrow != self.indents[-1][2]:
            raise self.fault("tabs", here)

    def line_end(self) -> None:
        """A line end that counts."""
        self.end_statement()
        self.fresh = not self.open

    def end_statement(self) -> None:
        if self.tokens and self.tokens[-1][0] not in self.silent:
            self.layout("_NEWLINE")

    def layout(self, terminal: str) -> None:
        """A token without width, where the one before ends."""
        at = self.tokens[-1][3]
        self.tokens.append((self.number[terminal], "", at, at))

    def finish(self) -> None:
        """The end of the text."""
        if self.open:
            raise self.unclosed()
        self.end_statement()
        for _ in self.indents[1:]:
            self.layout("_DEDENT")
        at = self.tokens[-1][3] if self.tokens else len(self.text)
        self.tokens.append((0, "", at, at))

    # --- brackets and blocks

    def bracket(self, kind: int, word: str, start: int) -> int:
        """A bracket, or any operator in the field of an f-string; where to go on, 0 for right behind it."""
        if self.open and self.open[-1][0] == "field" and word in (":", ":=", "!", "=", "}"):
            from autodiff_cli.language.fstrings import end_of_field

            return end_of_field(self, word, start)
        if word in ("(", "[", "{"):
            block = word == "{" and self.block_begins()
            self.push("block" if block else word, start)
            self.tokens.append((self.number["_BLOCK_OPEN"] if block else kind, word, start, start + 1))
        elif word in (")", "]", "}"):
            return self.close(kind, word, start)
        else:
            self.tokens.append((kind, word, start, start + len(word)))
        return 0

    def push(self, kind: Any, start: int) -> None:
        self.open.append((kind, start))
        self.joining = kind != "block"

    def pop(self) -> None:
        self.open.pop()
        self.joining = bool(self.open) and self.open[-1][0] != "block"

    def block_begins(self) -> bool:
        """Whether a `{` here opens a block."""
        if self.joining or not self.tokens:
            return False
        last = self.tokens[-1][0]
        if last == self.number["ELSE"]:  # a statement's, or that of `a if c else b`
            return len(self.tokens) == 1 or self.tokens[-2][0] in self.boundary
        return last in self.ends_operand or last in self.starts_block

    def close(self, kind: int, word: str, start: int) -> int:
        if not self.open:
            raise self.fault("stray-closing", Span(start, start + 1), bracket=word)
        opening, at = self.open[-1]
        if CLOSING.get(opening) != word:
            raise self.fault(
                "mismatched",
                Span(start, start + 1),
                bracket=word,
                opening=self.text[at],
                closing=CLOSING.get(opening, "}"),
                notes=((Span(at, at + 1), "opened here"),),
            )
        self.pop()
        if opening != "block":
            self.tokens.append((kind, word, start, start + 1))
            return 0
        if self.tokens[-1][0] != self.number["_BLOCK_OPEN"]:
            self.end_statement()
        self.tokens.append((self.number["_BLOCK_CLOSE"], word, start, start + 1))
        return self.after_block(start + 1)

    def after_block(self, end: int) -> int:
        """Drop the line end before `else` and its like; make one of a `;`."""
        match = re.compile(r"((?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n))*)([ \t\f]*)(\w*)").match(self.text, end)
        assert match is not None
        lines, white, word = match.groups()
        if word in CONTINUES and (not lines or self.open or _widths(white)[0] == self.indents[-1][1]):
            return match.start(3)
        after = match.end(2)
        following = self.text[after : after + 1]
        if lines or following in ("", "#", "}", "\\"):
            return 0
        if following != ";":
            raise self.fault("block-separator", Span(after, after + max(1, len(word))), word=word or following)
        self.layout("_NEWLINE")
        return after + 1

    # --- words, numbers, strings

    def add_word(self, word: str, start: int) -> None:
        """A name with letters beyond ASCII; as Python does, it is taken in its normal form."""
        from unicodedata import normalize

        name = normalize("NFKC", word)
        foreign = self.number["FOREIGN"]
        kind = self.fixed.get(name, self.number["NAME"]) if word.isidentifier() else foreign
        self.tokens.append((kind, word if kind == foreign else name, start, start + len(word)))

    def number_and_word(self, start: int, end: int) -> int:
        """A number that ends with a letter; `1if` is two tokens, as in Python. Where to go on."""
        written = self.text[start:end]
        for word in ("and", "else", "for", "if", "in", "is", "not", "or"):
            if written.endswith(word) and number_value(written[: -len(word)]) is not None:
                end -= len(word)
                break
        self.tokens.append((self.number["NUMBER"], self.text[start:end], start, end))
        return end

    def string(self, quote: str, start: int) -> int:
        """A string whose quote is at `start`; where to go on."""
        prefix, begin, inside = "", start, start + len(quote)
        if self.tokens:
            kind, word, name_start, name_end = self.tokens[-1]
            if name_end == start and kind == self.number["NAME"] and word.lower() in PREFIXES:
                prefix, begin = PREFIXES[word.lower()], name_start
                self.tokens.pop()
        if prefix == "b":
            raise self.fault("bytes", Span(begin, inside), written=self.text[begin:inside])
        if prefix.startswith("f"):
            from autodiff_cli.language.fstrings import begin_fstring

            return begin_fstring(self, quote, prefix == "fr", begin, inside)
        end = find_end(self.text, inside, quote)
        if end < 0:
            raise self.unterminated(quote, begin, inside)
        value = decode(self.text[inside:end], inside, prefix == "r")
        self.tokens.append((self.number["STRING"], value, begin, end + len(quote)))
        return end + len(quote)

    # --- faults

    def fault(self, slip: str, span: Span, **parts: Any) -> SyntaxFault:
        from autodiff_cli.language.mistakes import fault

        return fault(slip, span, **parts)

    def unterminated(self, quote: str, begin: int, inside: int) -> SyntaxFault:
        """A string without an end; in a field of an f-string with the same quotes, the field lacks its."""
        for (kind, _), (_, field) in zip(self.open, self.open[1:], strict=False):
            if getattr(kind, "quote", None) == quote:
                return self.fault("unclosed-field", Span(field, field + 1))
        if len(quote) == 3:
            return self.fault("unterminated-text", Span(begin, inside), quote=quote)
        return self.fault("unterminated", Span(begin, inside), quote=quote)

    def unclosed(self) -> SyntaxFault:
        """The innermost bracket is open at the end of the text."""
        kind, at = self.open[-1]
        slip = {"block": "unclosed-block", "field": "unclosed-field", "spec": "unclosed-field"}.get(kind, "unclosed")
        return self.fault(slip, Span(at, at + 1), bracket=self.text[at], closing=CLOSING.get(kind, "}"))


def _numbers(grammar: Grammar, names: str) -> frozenset[int]:
    return frozenset(grammar.number[name] for name in names.split())


def _widths(white: str) -> tuple[int, int]:
    """The width of leading white space in columns, with tabs to every 8th and with tabs of 1."""
    if not white.strip(" "):
        return len(white), len(white)
    wide = narrow = 0
    for letter in white:
        if letter == "\f":
            wide = narrow = 0
        else:
            wide = wide + 1 if letter == " " else (wide // TAB + 1) * TAB
            narrow += 1
    return wide, narrow
