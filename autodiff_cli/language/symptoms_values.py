"""Rules of `diagnosis.py` about values: operators, brackets, parameters, what is missing between two."""

from __future__ import annotations

from autodiff_cli.language.diagnosis import (
    BLOCK_WORDS,
    CLOSING,
    LINE_ENDS,
    OPERAND_ENDS,
    OPERAND_STARTS,
    Found,
    Trouble,
)

OPERATORS = (
    "SIGN", "STAR", "POWER", "SLASH", "DIVIDE", "AT", "SHIFT", "AMPERSAND", "BAR", "TILDE", "COMPARED", "IN",
    "IS", "NOT", "AND", "OR",
)  # fmt: skip
COMMON_FUNCTIONS = frozenset((
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "floor", "len", "ln", "log", "log10", "log2",
    "max", "mean", "min", "norm", "range", "relu", "round", "sigmoid", "sin", "sinh", "sqrt", "sum", "tan",
    "tanh", "tensor",
))  # fmt: skip


def equals(t: Trouble) -> Found:
    """`=`, `+=` or `:=` where none can be."""
    if t.kind() == "AUGMENTED" and t.kind(-1) in OPERAND_ENDS:
        return t.fault("augmented-in-expression", text=t.text())
    if t.kind() == "WALRUS" and t.kind(-1) in OPERAND_ENDS:
        return t.fault("walrus-target") if t.in_bracket() else t.fault("walrus-statement")
    if t.kind() != "EQUAL":
        return None
    if t.text(1) in (">", "<") and t.touching(0):
        return t.fault("reversed-operator", 0, 1, text=t.text(0, 1), instead=t.text(1) + "=")
    before = t.kind(-1)
    if t.touching(-1) and t.text(-1) in ("==", "!=", "<=", ">="):
        return t.fault("doubled", -1, 0, text=t.text(-1, 0), instead=t.text(-1))
    if before in OPERATORS and not t.touching(-1) and t.kind(-2) in OPERAND_ENDS:
        return t.fault("split-operator", -1, 0, instead=t.text(-1) + "=")
    if before.isupper() and t.text(-1).isidentifier() and before not in ("NAME", "CONSTANT"):
        return t.fault("keyword-as-name", -1, word=t.text(-1))
    if before not in OPERAND_ENDS:
        return None
    if t.in_bracket("LBRACE"):
        return t.fault("equals-in-dict")
    if not t.in_bracket() and t.kind(t.start()) in ("IF", "ELIF", "WHILE", "ASSERT"):
        return t.fault("equals-in-condition")
    return t.fault("equals-in-expression")


def adjoining(t: Trouble) -> Found:
    """Operators of other languages, made of two that this one has."""
    pair = t.text(-1, 0) if t.touching(-1) else ""
    known = {"&&": "and", "||": "or", "<>": "!=", "=>": ">=", "=<": "<=", "..": ":"}
    if pair in ("&&", "||", "<>"):
        return t.fault("doubled", -1, 0, text=pair, instead=known[pair])
    if t.kind() == "ARROW" or (pair == "=>" and t.kind(-2) in ("NAME", "RPAR") and not _condition(t)):
        first = 0 if t.kind() == "ARROW" else -1
        if t.kind(t.start()) != "DEF":
            return t.fault("arrow", first, 0, text=t.text(first, 0))
    if pair in ("=>", "=<"):
        return t.fault("reversed-operator", -1, 0, text=pair, instead=known[pair])
    doubled = t.kinds(-2, -1) == ("SIGN", "SIGN") and t.text(-2) == t.text(-1) and t.touching(-2)
    if doubled and t.kind() in (*LINE_ENDS, *CLOSING, "COMMA"):
        return t.fault("increment", -2, -1, text=t.text(-2, -1), left=t.left(-3), sign=t.text(-1))
    return None


def _condition(t: Trouble) -> bool:
    return t.kind(t.start()) in ("IF", "ELIF", "WHILE", "ASSERT") or t.start() == -2


def fields(t: Trouble) -> Found:
    """An f-string's field without a value."""
    if t.kind(-1) == "_FIELD_OPEN" and t.kind().startswith(("_FIELD", "FIELD")):
        return t.fault("empty-field")
    return t.fault("equals-in-field", -1) if t.kind(-1) == "FIELD_EQUAL" else None


def brackets(t: Trouble) -> Found:
    """What stands between brackets."""
    kind = t.kind()
    if kind == "SEMICOLON" and t.in_bracket():
        return t.fault("semicolon-in-bracket")
    if kind == "COMMA" and t.accepts("NAME"):
        return t.fault("comma")
    if kind == "COMMA" and t.in_bracket("LPAR") and t.accepts("RPAR") and "FOR" in t.kinds(t.bracket() or 0, -1):
        bracket = t.bracket() or 0
        return t.fault("generator-alone", bracket + 1, -1, text=t.text(bracket + 1, -1))
    if kind == "FOR" and t.in_bracket() and t.kind(-1) in OPERAND_ENDS:
        if t.in_bracket("LPAR"):
            return t.fault("generator-alone", text=t.left() + " for ...")
        return t.fault("comprehension-comma")
    if kind in CLOSING and t.accepts("COLON") and "LAMBDA" in t.kinds(t.bracket() or 0, -1):
        return t.fault("no-colon-lambda", -1)
    if t.in_bracket("LBRACE"):
        if kind == "COLON" and t.accepts("RBRACE") and t.kind(-1) in OPERAND_ENDS:
            return t.fault("colon-in-set")
        if kind in ("COMMA", "RBRACE") and t.accepts("COLON"):
            return t.fault("dict-value", -1)
    if kind == "COLON" and t.in_bracket("LPAR") and t.kind((t.bracket() or 0) - 1) in OPERAND_ENDS:
        return t.fault("colon-in-call", left=t.left(), right=t.right(1))
    if kind in (*CLOSING, *OPERAND_STARTS) and t.accepts("IN") and _loop_without_in(t):
        return t.fault("for-in", name=t.left())
    if kind == "RPAR" and t.kind(t.bracket() or 0) == "LPAR" and t.kind((t.bracket() or 0) + 1) == "STAR":
        return t.fault("lone-star", (t.bracket() or 0) + 1, -1)
    return None


def _loop_without_in(t: Trouble) -> bool:
    """Whether the last `for` in the bracket lacks its `in`."""
    inside = t.kinds(t.bracket() or 0, -1)
    return "FOR" in inside and "IN" not in inside[len(inside) - inside[::-1].index("FOR") :]


def parameters(t: Trouble) -> Found:
    """What is no parameter in the head of a function."""
    start, bracket = t.start(), t.bracket()
    if t.kind(-1) == "LAMBDA" and t.kind() == "LPAR":
        return t.fault("lambda-parentheses")
    if t.kind(-1) == "DEF":
        return t.fault("def-name") if not t.text().isidentifier() else None
    if t.kind(start) != "DEF" or bracket != start + 2 or t.kind() in ("COMMA", "RPAR", *LINE_ENDS):
        return None
    if t.text().isidentifier() and t.kind() != "NAME":
        return None  # a word of the language
    first = last = 0
    while t.kind(first - 1) not in ("LPAR", "COMMA"):
        first -= 1
    while t.kind(last + 1) not in ("RPAR", "COMMA", "EQUAL", "", "$END"):
        last += 1
    return t.fault("parameter", first, last, text=t.text(first, last))


def juxtaposition(t: Trouble) -> Found:
    """Two values side by side."""
    if t.kind(-1) in ("PASS", "BREAK", "CONTINUE") and t.kind() in OPERAND_STARTS:
        return t.fault("two-on-a-line", word=t.text())
    if t.kind(-1) == "NOT" and t.kind(-2) in OPERAND_ENDS and t.kind() in OPERAND_STARTS:
        return t.fault("not-between", -1, left=t.left(-2), right=t.right())
    if t.kind(-1) not in OPERAND_ENDS or t.kind() not in OPERAND_STARTS:
        return None
    left, right, start = t.left(), t.right(), t.start()
    if t.kind(start) in BLOCK_WORDS and t.accepts("COLON") and not {"COLON", "_BLOCK_OPEN"} & set(t.rest_of_line()):
        return t.fault("no-colon", -1, word=t.text(start), line=t.text(start, -1))
    line = t.source.text[t.span(start).start : t.span().start]
    if "//" in line and not t.in_bracket():
        first = next((d for d in range(start, 0) if t.text(d) == "//"), None)
        if first is not None:
            return t.fault("comment", first, text="//")
    if not t.in_bracket() and "EQUAL" in t.kinds(0, 1):
        return t.fault("two-on-a-line", word=t.text())
    if t.kind(-1) in ("STRING", "_FSTRING_CLOSE") and t.kind() == "NAME" and t.touching(-1):
        return t.fault("quote-in-string", -1, 0, word=right)
    if t.kind(-1) in ("STRING", "_FSTRING_CLOSE") or t.kind() in ("STRING", "_FSTRING_OPEN"):
        return t.fault("missing-comma-string", left=left, right=right)
    if t.kind(-1) == "NAME" and left in COMMON_FUNCTIONS:
        return t.fault("call-without-parentheses", -1, left=left, right=right)
    if t.in_bracket():
        return t.fault("missing-comma", left=left, right=right)
    return t.fault("missing-operator", left=left, right=right)


def operand(t: Trouble) -> Found:
    """A value is missing."""
    if t.kind() == "BAR" and t.accepts("NAME"):
        return t.fault("bars")
    if t.kind() in (*OPERATORS, "COLON", "EQUAL", "DOT", "RPAR", "RSQB", "RBRACE") and t.accepts("NAME"):
        return t.fault("operand", text=t.text())
    if t.kind() == "COLON" and t.accepts("_BLOCK_OPEN") and t.kind(t.start() - 1) == "SEMICOLON":
        return t.fault("colon-after-semicolon", word=t.text(t.start()))
    return None
