"""Spellings that are no token or no value: characters pasted from a page, numbers that are none, targets
that are none.
"""

from __future__ import annotations

import re
from unicodedata import category, name, normalize

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language import nodes
from autodiff_cli.language.misfit import Misfit
from autodiff_cli.language.mistakes import fault
from autodiff_cli.language.numbers import LARGEST_INT, number_value
from autodiff_cli.source import Source, Span

LOOKALIKES = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": "*", "✕": "*", "✖": "*", "·": "*", "⋅": "*",
    "∙": "*", "•": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "≤": "<=", "≥": ">=", "≠": "!=",
    "√": "sqrt(...)", "∑": "sum(...)", "∞": "math.inf", "∧": "and", "∨": "or", "¬": "not", "∈": "in",
    "→": "lambda", "¦": "|",
}  # fmt: skip
QUOTES = "“”„‟«»‘’‚‛‹›´"
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def character_fault(text: str, span: Span, left: str) -> SyntaxFault:
    """A character, or a word with one, that is no token; `left` is the value before it."""
    first = text[0]
    if text == "`":
        return fault("backtick", span)
    if text in QUOTES:
        return fault("smart-quote", span, text=text)
    if any(letter in RAISED for letter in text):
        plain = normalize("NFKC", "".join([letter for letter in text if letter not in RAISED])) or left
        power = normalize("NFKC", "".join([letter for letter in text if letter in RAISED]))
        return fault("exponent", span, text=text, instead=f"{plain}**{power}")
    if text == "\\":
        return fault("backslash", span)
    kind = category(first)
    if kind.startswith("Z"):
        return fault("space", span, name=_name(first))
    if kind.startswith("C"):
        return fault("invisible", span, name=_name(first))
    instead = LOOKALIKES.get(text) or normalize("NFKC", text)
    if instead != text and instead.isascii():
        return fault("lookalike", span, text=text, name=_name(first), instead=instead)
    return fault("stray", span, text=text)


def misfit_fault(source: Source, misfit: Misfit) -> SyntaxFault:
    """The fault of what a builder refused. Its own text is the part `text`."""
    slip, span, parts = misfit.slip, misfit.span, misfit.parts
    text = source.slice(span)
    if slip == "number":
        return number_fault(span, text, "(...)" if source.text[span.end : span.end + 1] == "(" else "")
    if slip == "target":
        return fault(_target_slip(parts["target"]), span, text=text)
    if slip == "called-value":
        bracket = source.text.index("(", parts["func"].end)
        parts = {"left": source.text[span.start : bracket], "right": source.text[bracket : span.end]}
        slip = "called-value" if misfit.parts["number"] else "called-display"
    if slip == "lone-star" and source.text[span.start - 1 : span.start] == "=":
        return fault("reversed-operator", Span(span.start - 1, span.start + 1), text="=*", instead="*=")
    return fault(slip, span, **{"text": text, **parts})


def number_fault(span: Span, text: str, following: str) -> SyntaxFault:
    """A number that is none, or none that fits; `following` is what stands behind it."""
    value = number_value(text)
    if type(value) is int and value > LARGEST_INT:
        return fault("int-too-large", span, text=text)
    if text[-1] in "jJ" and number_value(text[:-1]) is not None:
        return fault("complex", span, text=text)
    plain = text.replace("_", "")
    if number_value(plain) is not None:
        return fault("underscore", span, text=text, instead=plain)
    if plain.isdigit():
        return fault("leading-zero", span, text=text, instead=plain.lstrip("0"))
    digits = re.match(r"[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?(?:[eE][0-9]+)?|\.[0-9]+", text)
    if digits and number_value(digits[0]) is not None and text[:2].lower() not in ("0x", "0o", "0b"):
        return fault("product", span, left=digits[0], right=text[digits.end() :] + following)
    return fault("number", span, text=text)


def _target_slip(target: nodes.Expr) -> str:
    if isinstance(target, nodes.Constant | nodes.JoinedStr | nodes.Dict | nodes.Set):
        return "assign-literal"
    return "assign-call" if isinstance(target, nodes.Call) else "assign-expression"


def _name(character: str) -> str:
    return f"{name(character, 'no name')}, U+{ord(character):04X}".lower().replace("u+", "U+")
