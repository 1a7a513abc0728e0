"""What someone meant who wrote something else than a number: `1,5`, `2pi`, `1/3`, `sqrt(2)`, `data.csv`.

A table of (pattern, what it is, what to write), tried in order; the first that matches the whole text
explains it. A character pasted from a page (a typographic minus, a fullwidth digit) is named before the
table is asked.

Invariant: nothing here reads a value. A guess is shown to the person, never used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from difflib import get_close_matches
from math import e, isfinite, pi, tau

_NUMBER = r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_CONSTANTS = {"pi": pi, "e": e, "tau": tau}
_GENERAL = "a value is a number (2, 1e-3, inf) or a list of numbers ([1, 2])"
_COMPUTE = "a value is not computed; put the formula into the program"
_LONGEST = 200  # characters that the patterns look at
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2013\u2014\u2010\u2011", "-"),
        **dict.fromkeys("\u00d7\u2219\u22c5\u00b7", "*"),
        **dict.fromkeys("\u00f7\u2044", "/"),
        **dict.fromkeys("\u2018\u2019", "'"),
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
        "\u3001": ",",
    }
)
_WORDS = ("inf", "nan", "infinity", "true", "false")
_SUFFIXES = (".npy", ".json", ".csv", ".tsv")

Match = re.Match[str]
Explanation = tuple[str, str | None]


def explain(text: str, name: str) -> Explanation:
    """(what is wrong with `text` as a number, what to write instead). `name` is the input's."""
    text = " ".join(text[: 4 * _LONGEST].split())
    if len(text) > _LONGEST:  # of a long text, the beginning: cut between two numbers where it has such
        text = text[:_LONGEST].rpartition(" ")[0] or text[:_LONGEST]
    if not text:
        return "there is no number", f"write --{name} 2, or --{name} '[1, 2, 3]' for a list"
    shown = repr(text if len(text) <= 40 else text[:37] + "...")
    if not text.isprintable():
        return f"{shown} is not a number", _GENERAL
    plain = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
    plain = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in plain)
    if plain != text:
        return _lookalike(text, plain, shown, name)
    for pattern, about, advice in _SLIPS:
        match = pattern.fullmatch(text)
        if match is not None:
            hint = advice if isinstance(advice, str) else advice(match)
            return f"{shown} {about}", hint.replace("{name}", name)
    close = get_close_matches(text.lower(), _WORDS, n=1, cutoff=0.7)
    return f"{shown} is not a number", f"did you mean {close[0]}?" if close else _GENERAL


def _lookalike(text: str, plain: str, shown: str, name: str) -> Explanation:
    """A character that looks like one of ours, pasted from a page: a minus sign, a fullwidth digit."""
    strange = next(c for c in text if ord(c) > 127)
    problem = f"{shown} contains {strange!r} (U+{ord(strange):04X}), which is not a character of a number"
    if re.fullmatch(_NUMBER, plain):
        return problem, f"write {plain}"
    return problem, explain(plain, name)[1] if plain.isascii() else _GENERAL


def _fraction(match: Match) -> str:
    upper, lower = float(match[1]), float(match[2])
    if lower and isfinite(upper / lower):
        return f"write {upper / lower!r}, or put the fraction into the program: a value is not computed"
    return _COMPUTE


def _constant(match: Match) -> str:
    return f"{_COMPUTE}, or write the number: {match[1]} is {_CONSTANTS[match[1]]!r}"


def _grouped(match: Match) -> str:
    """`1,500`: fifteen hundred, or one and a half with a decimal comma, or a list."""
    text = match[0]
    whole = text.replace(",", "")
    if text.count(",") > 1 or "." in text:
        return f"write {whole}"
    point = text.replace(",", ".")
    return f"write {whole} (or {point} if the comma is a decimal comma, or [{text}] for a list)"


def _decimal_comma(match: Match) -> str:
    number = match[0].replace(".", "").replace(",", ".")
    listed = "" if "." in match[0] else f" (or [{match[0]}] for a list)"
    return f"the decimal point is a point: write {number}{listed}"


def _spaced(match: Match) -> str:
    """Numbers without commas; semicolons between rows, as in Matlab."""
    rows = [", ".join(re.split(r"[\s,]+", row.strip(" ,"))) for row in match[0].strip(" ;").split(";")]
    nested = len(rows) > 1 and any("," in row for row in rows)
    inner = ", ".join(f"[{row}]" for row in rows) if nested else ", ".join(rows)
    return f"write a list with brackets and commas: [{inner}]"


def _braced(match: Match) -> str:
    return f"a list is written in brackets: [{match[0].strip('{} ')}]"


def _named(match: Match) -> str:
    value = _CONSTANTS.get(match[1])
    return f"write {match[1] if value is None else repr(value)}"


def _unit(match: Match) -> str:
    return f"a value has no unit: write {match[1]} if that is meant"


def _exponent(match: Match) -> str:
    return f"write {match[1]}e{match[2]}"


def _wrapped(match: Match) -> str:
    inner = match[1].strip()
    kind = "list" if inner.startswith(("[", "(")) else "number"
    return f"write the {kind} alone: {inner}"


def _exact_file(match: Match) -> str:
    return f"to read a file, write --{{name}} @{match[0]}"


def _power(match: Match) -> str:
    scale = match[1] or "1"
    return f"write {scale}e{match[2]}"


Advice = str | Callable[[Match], str]

# (pattern of the whole text, "'text' ...", what to write)
_SLIPS: tuple[tuple[re.Pattern[str], str, Advice], ...] = tuple(
    (re.compile(pattern, re.DOTALL), about, advice)
    for pattern, about, advice in (
        (r"@.*", "is a file in the place of a number", "a file is a whole value: --{name} @FILE"),
        (
            r"(?:None|none|null|NULL|NA|N/A|n/a|-+|\?)",
            "is not a number",
            "write nan where a number is missing",
        ),
        (r"(?:math|np|numpy|torch)\.(nan|inf|pi|e)", "is a name in a program", _named),
        (r"float\(\s*['\"]?([+-]?\w+)['\"]?\s*\)", "is a call", lambda m: f"write {m[1]}"),
        (r"(?:\w+\.)*(?:tensor|array|Tensor)\s*\(\s*(.*?)\s*(?:,\s*\w+\s*=.*)?\)", "is a call", _wrapped),
        (r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", "is not a number", _grouped),
        (r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+(?:[eE][+-]?\d+)?", "is not a number", _decimal_comma),
        (rf"{_NUMBER}(?:[\s,;]+{_NUMBER})+[\s,;]*", "is more than one number", _spaced),
        (rf"({_NUMBER})\s*/\s*({_NUMBER})", "is an expression", _fraction),
        (rf"({_NUMBER})\s*%", "is a percentage", lambda m: f"write {float(m[1]) / 100!r}"),
        (rf"(?:({_NUMBER})\s*(?:\*|x)\s*)?10\s*(?:\^|\*\*)\s*([+-]?\d+)", "is an expression", _power),
        (rf"({_NUMBER})[dD]([+-]?\d+)", "is not a number", _exponent),
        (rf"({_NUMBER})[fFlLuU]", "is not a number", lambda m: f"write {m[1]}"),
        (rf"({_NUMBER})[eE][+-]?", "has an exponent without digits", lambda m: f"write {m[1]}, or {m[1]}e3"),
        (rf"(?:{_NUMBER}\s*[+-]\s*)?{_NUMBER}[ijIJ]", "is a complex number", "only real numbers are read"),
        (r"[+-]?\d+(?:\.\d+){2,}", "has more than one decimal point", _GENERAL),
        (r"[+-]{2,}.*", "has more than one sign", "write one sign at most: -5"),
        (r"\$.*", "is not a number", "write the number without a currency sign"),
        (r"\{\s*[^:]*\}", "is not a list", _braced),
        (r"\{.*", "is an object, not a number", _GENERAL),
        (rf"(['\"])\s*({_NUMBER})\s*\1", "is a string", lambda m: f"write the number without quotes: {m[2]}"),
        (r"['\"].*", "is a string, not a number", _GENERAL),
        (rf"\S*(?:{'|'.join(map(re.escape, _SUFFIXES))})", "looks like a file's name", _exact_file),
        (rf"(?:{_NUMBER}\s*\*?\s*)?\b(pi|e|tau)\b", "is not a number", _constant),
        (rf"{_NUMBER}(pi|e|tau)\b", "is not a number", _constant),
        (r"[A-Za-z_][\w.]*\s*\(.*", "is a call", _COMPUTE),
        (rf"({_NUMBER})\s*[A-Za-z]\w*", "has letters after the number", _unit),
        (r".*(?:[*/^%(\[]|\S\s*[+-]\s*\S).*", "is an expression", _COMPUTE),
    )
)
