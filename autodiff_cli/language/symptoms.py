"""The rules of `diagnosis.py`: each looks at the trouble and explains it, or leaves it to the next.

Here are those about lines, blocks and words; `symptoms_values.py` has those about values.
"""

from __future__ import annotations

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.diagnosis import (
    BLOCK_WORDS,
    LINE_ENDS,
    OPERAND_ENDS,
    OPERAND_STARTS,
    SIMPLE_WORDS,
    STATEMENT_ENDS,
    Found,
    Trouble,
)
from autodiff_cli.language.mistakes import fault
from autodiff_cli.language.spelling import character_fault
from autodiff_cli.language.symptoms_values import (
    adjoining,
    brackets,
    equals,
    fields,
    juxtaposition,
    operand,
    parameters,
)

OWNERS = {"ELSE": "if", "ELIF": "if", "EXCEPT": "try", "FINALLY": "try"}
ELSE_IF = ("elseif", "elsif", "elif")
THEN = ("then", "do", "begin")
DECLARATIONS = {
    "let": "write the assignment alone", "var": "write the assignment alone",
    "auto": "write the assignment alone", "int": "write the assignment alone",
    "float": "write the assignment alone", "double": "write the assignment alone",
    "type": "leave the statement out: annotations are ignored",
    "const": "write `{name}: const = ...`", "input": "write `{name}: input = ...`",
    "local": "write the assignment alone", "function": "write `def`", "func": "write `def`",
    "fn": "write `def`", "fun": "write `def`",
}  # fmt: skip


def lexical(t: Trouble) -> Found:
    """The lexer stopped here, or at a bracket on a line above that is never closed."""
    value = t.tokens[t.at][1]
    if isinstance(value, SyntaxFault):
        return value
    last = t.tokens[-1][1]
    if isinstance(last, SyntaxFault) and last.span is not None and last.span.start < t.span().start:
        opened = t.source.text[last.span.start : t.span().start]
        block = any(
            token[2] == last.span.start and t.grammar.terminals[token[0]] == "_BLOCK_OPEN" for token in t.tokens
        )
        if "\n" in opened and not block:
            return last
    return None


def character(t: Trouble) -> Found:
    """A reserved word, or a character that no token has."""
    if t.kind() != "FOREIGN":
        return None
    text = t.text()
    if text in ("class", "async", "await", "yield"):
        return t.fault(text)
    if text == "^":
        return t.fault("caret", left=t.left(), right=t.right(2 if t.kind(1) == "EQUAL" else 1))
    if text == "!" and t.kind(-1) == "EQUAL" and t.touching(-1):
        return t.fault("reversed-operator", -1, 0, text="=!", instead="!=")
    if text == "!" and t.kind(1) in OPERAND_STARTS:
        return t.fault("bang", right=t.right(1))
    if text == "?":
        return t.fault("question-mark")
    return character_fault(text, t.span(), t.left() if t.kind(-1) in OPERAND_ENDS else "")


def indentation(t: Trouble) -> Found:
    """A block that is missing, or one where none can be."""
    if t.kind() == "_INDENT":
        if t.kind(-2) == "COLON" and t.in_bracket("_BLOCK_OPEN"):
            return None
        return fault("indent", t.span(1)) if not t.text() else t.fault("indent")
    if t.kind(-1) == "_NEWLINE" and t.accepts("_INDENT"):
        word = _header(t, -2)
        if t.in_bracket("_BLOCK_OPEN"):
            return t.fault("indent-in-braces", -2, word=word)
        return t.fault("no-body-at-end", -2, word=word) if t.kind() == "$END" else t.fault("no-body", word=word)
    return None


def _header(t: Trouble, distance: int) -> str:
    """The word that begins the statement which a token is in."""
    while t.kind(distance - 1) and t.kind(distance - 1) not in STATEMENT_ENDS:
        distance -= 1
    return t.text(distance)


def first_word(t: Trouble) -> Found:
    """What a statement begins with tells what its writer had in mind."""
    start = t.start()
    word = t.text(start)
    if start == 0:
        return _at_start(t)
    if t.kind(start) == "ELSE" and t.kinds(-1, 0) == ("ELSE", "IF"):
        return t.fault("else-if", -1, 0, text=t.text(-1, 0))
    if start == -1 and t.kind(start) == "NAME" and t.kind() in OPERAND_STARTS:
        if word in ELSE_IF and "COLON" in t.rest_of_line():
            return t.fault("else-if", -1, text=word)
        if word == "match" and "COLON" in t.rest_of_line():
            return t.fault("match", -1)
        if word == "print":
            return t.fault("print", -1, right=t.rest())
        if word == "exec":
            return t.fault("exec", -1, name=word)
        if word in DECLARATIONS and t.kind() == "NAME":
            return t.fault("declaration", -1, word=word, instead=DECLARATIONS[word].format(name=t.text()))
    if word == "match" and start < -1 and t.kinds(-1, 0) == ("COLON", "_NEWLINE"):
        return t.fault("match", start, start)
    if t.kind(start) == "DEF" and t.kinds(-2, -1) == ("DEF", "NAME"):
        return t.fault("def-parentheses", -1, name=t.text(-1))
    if t.kind(start) == "FOR" and "IN" not in t.kinds(start, -1) and t.kind() not in LINE_ENDS:
        return t.fault("for-in", name="i")
    if t.kind(start) in ("GLOBAL", "NONLOCAL") and t.kind() == "EQUAL":
        return t.fault("global-value", word=word)
    if start == -1 and word == "..." and t.kind() in OPERAND_STARTS:
        return t.fault("prompt", -1, text=word)
    if (
        t.kind(start) in ("IF", "WHILE", "ELIF")
        and t.kind(start + 1) == "LBRACE"
        and t.kind(-1) == "RBRACE"
        and t.accepts("COLON")
    ):
        return t.fault("operand", start + 1, text="{")
    if t.kind(start) == "FROM" and start == -1 and t.text().startswith("."):
        return t.fault("import-relative")
    if t.kind(start) == "EXCEPT" and t.kind() == "COMMA" and not t.in_bracket():
        return t.fault("except-comma")
    if t.kind(start) == "RAISE" and t.kind() == "COMMA" and not t.in_bracket():
        return t.fault("raise-comma")
    if t.kind(start) == "WITH" and t.kind() == "AS" and t.in_bracket("LPAR"):
        return t.fault("with-parentheses")
    return None


def _at_start(t: Trouble) -> Found:
    """The trouble is a statement's first token."""
    if t.kind() == "_NEWLINE" and t.kind(1) in OWNERS and t.source.text[t.span().end : t.span(1).start].strip() == ";":
        return t.fault("else-after-semicolon", 1, word=t.text(1))
    if t.accepts("EXCEPT"):
        return t.fault("try-alone")
    if t.kind() in OWNERS:
        if t.kinds(-2, -1) == ("_BLOCK_CLOSE", "_NEWLINE") and ";" in t.source.text[t.span(-1).end : t.span().start]:
            return t.fault("else-after-semicolon", word=t.text())
        return t.fault("else-alone", word=t.text(), owner=OWNERS[t.kind()])
    if t.kind(-1) == "_NEWLINE" and t.accepts("DEF") and not t.accepts("PASS"):
        return t.fault("decorator-alone")
    if t.text() in (">>", ">>>"):
        last = 1 if t.kind(1) == "COMPARED" else 0
        return t.fault("prompt", 0, last, text=t.text(0, last))
    if t.text() in ("//", "/") and (t.text() == "//" or t.text(1) in ("/", "*", "**")):
        last = 0 if t.text() == "//" else 1
        return t.fault("comment", 0, last, text=t.text(0, last))
    if t.kind() == "SEMICOLON":
        return t.fault("semicolon")
    return None


def end_of_line(t: Trouble) -> Found:
    """The line, or the text, ends too early."""
    if t.kind() not in LINE_ENDS:
        return None
    start = t.start()
    word = t.kind(start)
    if t.kind() == "SEMICOLON" and t.in_bracket():
        return t.fault("semicolon-in-bracket")
    if word in BLOCK_WORDS and t.accepts("COLON") and t.accepts("_BLOCK_OPEN"):
        return t.fault("no-colon", -1, word=t.text(start), line=t.text(start, -1))
    if "LAMBDA" in t.kinds(start, -1) and t.accepts("COLON"):
        return t.fault("no-colon-lambda", -1)
    if t.accepts("ELSE") and "IF" in t.kinds(start + 1, -1):
        return t.fault("conditional-without-else", -1)
    if t.kind(-1) == "COMMA":
        return t.fault("trailing-comma", -1)
    if t.kind() == "$END" or t.kind(1) == "$END":
        return t.fault("incomplete-at-end", -1, text=t.text(-1))
    expression = t.accepts("NAME") and t.accepts("NUMBER")
    return t.fault("incomplete" if expression else "incomplete-statement", -1, text=t.text(-1))


def words(t: Trouble) -> Found:
    """A word of the language where there can be none."""
    kind, text = t.kind(), t.text()
    if kind == "NAME" and text in THEN and t.accepts("COLON") and t.kind(t.start()) in BLOCK_WORDS:
        return t.fault("then", text=text)
    if not text.isidentifier() or kind in ("NAME", "CONSTANT"):
        return None
    if t.kind(-1) == "DOT":
        return t.fault("keyword-attribute", word=text)
    if kind in OWNERS and t.kind(-1) in (*OPERAND_ENDS, *SIMPLE_WORDS):
        if kind == "ELSE" and "COLON" not in t.kinds(_line_start(t), -1):
            return t.fault("else-without-if")
        return t.fault("else-on-line", word=text)
    if kind in BLOCK_WORDS and t.kind(-1) in ("COLON", "SEMICOLON") and t.kind(_line_start(t)) in BLOCK_WORDS:
        return t.fault("block-after-colon", word=text)
    if kind in SIMPLE_WORDS and t.kind(t.start()) in BLOCK_WORDS and t.accepts("COLON") and t.accepts("_BLOCK_OPEN"):
        return t.fault("no-colon", -1, word=t.text(t.start()), line=t.text(t.start(), -1))
    if kind in (*BLOCK_WORDS, *SIMPLE_WORDS) and t.kind(-1) in OPERAND_ENDS and not t.in_bracket():
        return t.fault("statement-mid-line", word=text)
    if t.accepts("NAME"):
        if kind == "FOR" and t.in_bracket():
            return t.fault("operand", text=text)
        if kind in (*BLOCK_WORDS, *SIMPLE_WORDS) and t.accepts("NUMBER"):
            return t.fault("statement-as-value", word=text)
        if kind not in ("AND", "OR", "IN", "IS") or not t.accepts("NUMBER"):
            return t.fault("keyword-as-name", word=text)
    return None


def _line_start(t: Trouble) -> int:
    """The first token of the line that the trouble is in, whatever statements are on it."""
    distance = 0
    while t.kind(distance - 1) and t.kind(distance - 1) not in ("_NEWLINE", "_INDENT", "_DEDENT"):
        distance -= 1
    return distance


SYMPTOMS = (
    lexical, character, fields, indentation, first_word, equals, adjoining, end_of_line, brackets, parameters,
    words, juxtaposition, operand,
)  # fmt: skip
