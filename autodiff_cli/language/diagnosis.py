"""From the token that has no place to the slip that put it there.

`Trouble` is the parser's situation: the tokens, which of them it stopped at, and what it would have accepted.
`symptoms.py` has the rules, from the most telling to the least; the first that recognises its slip explains
it.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.grammar import load
from autodiff_cli.language.lalr import Automaton, Token, Unexpected
from autodiff_cli.language.mistakes import fault
from autodiff_cli.source import Source, Span

STATEMENT_ENDS = ("_NEWLINE", "_INDENT", "_DEDENT", "_BLOCK_OPEN", "_BLOCK_CLOSE", "SEMICOLON")
OPENING = ("LPAR", "LSQB", "LBRACE", "_BLOCK_OPEN", "_FIELD_OPEN")
CLOSING = ("RPAR", "RSQB", "RBRACE", "_BLOCK_CLOSE", "_FIELD_CLOSE")
OPENINGS, CLOSINGS = (*OPENING, "_FSTRING_OPEN"), (*CLOSING, "_FSTRING_CLOSE")
OPERAND_ENDS = ("NAME", "NUMBER", "CONSTANT", "STRING", "_FSTRING_CLOSE", "RPAR", "RSQB", "RBRACE")
OPERAND_STARTS = (
    "NAME",
    "NUMBER",
    "CONSTANT",
    "STRING",
    "_FSTRING_OPEN",
    "LPAR",
    "LSQB",
    "LBRACE",
    "NOT",
    "LAMBDA",
    "TILDE",
)
LINE_ENDS = ("_NEWLINE", "$END", "SEMICOLON", "_BLOCK_CLOSE")
BLOCK_WORDS = ("IF", "ELIF", "ELSE", "WHILE", "FOR", "TRY", "EXCEPT", "FINALLY", "WITH", "DEF")
SIMPLE_WORDS = (
    "PASS",
    "BREAK",
    "CONTINUE",
    "RETURN",
    "RAISE",
    "ASSERT",
    "GLOBAL",
    "NONLOCAL",
    "IMPORT",
    "FROM",
    "DEL",
)

Found = SyntaxFault | None  # what a rule says


def diagnose(source: Source, tokens: list[Token], unexpected: Unexpected, automaton: Automaton) -> SyntaxFault:
    """The fault that explains why the parser cannot go on."""
    from autodiff_cli.language.symptoms import SYMPTOMS

    trouble = Trouble(source, tokens, unexpected, automaton)
    for symptom in SYMPTOMS:
        if (found := symptom(trouble)) is not None:
            return found
    return trouble.fault("text", text=trouble.text())


class Trouble:
    """Where the parser stopped.

    Tokens are named by their distance from there: 0 is the one without a place, -1 the one before it.
    """

    def __init__(self, source: Source, tokens: list[Token], unexpected: Unexpected, automaton: Automaton) -> None:
        self.source = source
        self.tokens = tokens
        self.at = next(number for number, token in enumerate(tokens) if token is unexpected.token)
        self.states = unexpected.states
        self.automaton = automaton
        self.grammar = load()

    def kind(self, distance: int = 0) -> str:
        """The terminal of a token, "" outside the text."""
        at = self.at + distance
        return self.grammar.terminals[self.tokens[at][0]] if 0 <= at < len(self.tokens) else ""

    def kinds(self, first: int, last: int) -> tuple[str, ...]:
        return tuple(self.kind(distance) for distance in range(first, last + 1))

    def span(self, distance: int = 0, last: int | None = None) -> Span:
        """The place of a token, or of all from it to the token `last`."""
        last = distance if last is None else last
        return Span(self.tokens[self.at + distance][2], self.tokens[self.at + last][3])

    def text(self, distance: int = 0, last: int | None = None) -> str:
        if not 0 <= self.at + distance < len(self.tokens):
            return ""
        return self.source.slice(self.span(distance, last))

    def touching(self, distance: int) -> bool:
        """Whether there is nothing between that token and the next."""
        return self.at + distance >= 0 and self.tokens[self.at + distance][3] == self.tokens[self.at + distance + 1][2]

    def accepts(self, *kinds: str) -> bool:
        """Whether any of these could stand here."""
        return any(self.automaton.accepts(self.states, self.grammar.number[kind]) for kind in kinds)

    def start(self) -> int:
        """The first token of the statement that the trouble is in."""
        first = 0
        while self.kind(first - 1) and self.kind(first - 1) not in STATEMENT_ENDS:
            first -= 1
        if self.kind(first) not in BLOCK_WORDS:
            return first
        depth = lambdas = 0
        for distance in range(first, 0):  # behind the `:` of `if x: y = 1` another one begins
            kind = self.kind(distance)
            depth += (kind in OPENING) - (kind in CLOSING)
            lambdas += kind == "LAMBDA"
            if kind == "COLON" and depth == 0:
                if not lambdas:
                    return distance + 1
                lambdas -= 1
        return first

    def bracket(self) -> int | None:
        """The opening bracket that is innermost around the trouble."""
        depth = 0
        for distance in range(-1, -self.at - 1, -1):
            kind = self.kind(distance)
            if kind in CLOSING:
                depth += 1
            elif kind in OPENING:
                if depth == 0:
                    return distance
                depth -= 1
        return None

    def in_bracket(self, *kinds: str) -> bool:
        """Whether the innermost bracket is one of these; without any, whether it is one that joins lines."""
        bracket = self.bracket()
        return bracket is not None and self.kind(bracket) in (kinds or ("LPAR", "LSQB", "LBRACE", "_FIELD_OPEN"))

    def rest_of_line(self) -> tuple[str, ...]:
        """The terminals from the trouble to the end of its statement."""
        distance = 0
        while self.kind(distance) not in ("", "_NEWLINE", "$END"):
            distance += 1
        return self.kinds(0, distance - 1)

    def left(self, last: int = -1) -> str:
        """The text of the operand that ends with a token."""
        first = self.matching(last, CLOSINGS, -1)
        while True:
            if self.kind(first - 1) == "DOT":
                first = self.matching(first - 2, CLOSINGS, -1)
            elif self.kind(first) in ("LPAR", "LSQB") and self.kind(first - 1) in OPERAND_ENDS:
                first = self.matching(first - 1, CLOSINGS, -1)
            else:
                return self.text(first, last)

    def rest(self) -> str:
        """The text from the trouble to the end of its statement."""
        last = 0
        while self.kind(last + 1) not in ("", "$END", "FOREIGN", *STATEMENT_ENDS):
            last += 1
        return self.text(0, last)

    def right(self, first: int = 0) -> str:
        """The text of the operand that begins with a token."""
        last = first + 1 if self.kind(first) in ("SIGN", "TILDE", "NOT") else first
        last = self.matching(last, OPENINGS, 1)
        while True:
            if self.kind(last + 1) == "DOT" and self.kind(last + 2) == "NAME":
                last += 2
            elif self.kind(last + 1) in ("LPAR", "LSQB"):
                last = self.matching(last + 1, OPENINGS, 1)
            else:
                return self.text(first, last)

    def matching(self, distance: int, brackets: tuple[str, ...], step: int) -> int:
        """The token at the other end of a bracket or of an f-string, in the direction of `step`; that
        token itself for any other.
        """
        if self.kind(distance) not in brackets:
            return distance
        depth, at = 0, distance
        while self.kind(at) and self.kind(at) != "FOREIGN":
            depth += (self.kind(at) in OPENINGS) - (self.kind(at) in CLOSINGS)
            if depth == 0:
                return at
            at += step
        return distance

    def fault(self, slip: str, first: int = 0, last: int | None = None, **parts: Any) -> SyntaxFault:
        """The fault of a slip at a token, or at all from it to the token `last`."""
        return fault(slip, self.span(first, last), **parts)
