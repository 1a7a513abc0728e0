"""Formulas that simplify a little: sums of products of powers, with numbers in front.

What it does is what a person does by eye: numbers are counted together (`2 * 3` is 6), equal factors become powers,
equal terms are added, 0 and 1 disappear. It expands nothing: `2 * (x*y + 1) * y` stays a product. A function's value is
an atom, known by its text.

`read` evaluates the text of a formula (engine/symbol.py's) with other formulas in the place of its names.

Invariant: the text of a formula is an expression of Python with the formula's meaning, up to rounding.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

Monomial = tuple[tuple[str, "float | int | str"], ...]  # (factor, exponent), in the order of first use

# how tightly a text holds together, as in Python
LOOSE, SUM, PRODUCT, POWER, ATOM = range(5)


class Formula:
    """A sum of terms: products of factors -> the number in front. `inner`: factors that are sums themselves."""

    __slots__ = ("inner", "terms")

    def __init__(self, terms: dict[Monomial, float], inner: Mapping[str, Formula]) -> None:
        self.terms = terms
        self.inner = dict(inner)

    @property
    def number(self) -> float | None:
        """Its value, if it is a number."""
        if not self.terms:
            return 0.0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def text(self) -> str:
        return _text(self)[0]

    @property
    def only(self) -> str | None:
        """Its text if it is a single factor."""
        text, rank = _text(self)
        return text if rank == ATOM and self.number is None else None

    def __add__(self, other: Formula) -> Formula:
        terms = dict(_spread(self).terms)
        for monomial, number in _spread(other).terms.items():
            terms[monomial] = terms.get(monomial, 0.0) + number
        return Formula({m: n for m, n in terms.items() if n != 0}, {**self.inner, **other.inner})

    def __mul__(self, other: Formula) -> Formula:
        for one, rest in ((self, other), (other, self)):
            if one.number == 0:
                return one
            if one.number == 1:
                return rest
        m, a = _single(self)
        n, b = _single(other)
        found: dict[str, Any] = dict(m)
        for factor, exponent in n:
            found[factor] = _plus(found[factor], exponent) if factor in found else exponent
        inner = {**_inner_of(self), **_inner_of(other)}
        return Formula({tuple([(f, e) for f, e in found.items() if e != 0]): a * b}, inner)

    def __neg__(self) -> Formula:
        return Formula({m: -n for m, n in self.terms.items()}, self.inner)

    def power(self, exponent: Formula) -> Formula:
        """`self ** exponent`."""
        e = exponent.number
        if e == 1:
            return self
        if self.number is not None and e is not None and _tidy(self.number, e):
            return number(self.number**e)
        ((m, a), inner) = (_single(self), _inner_of(self))
        if e is None:
            base = _in_parentheses(self)
            return Formula({((base, exponent.text),): 1.0}, {**inner, **({} if self.only else {base: self})})
        if a == 1 and len(m) == 1 and not isinstance(m[0][1], str) and float(e).is_integer():
            return Formula({((m[0][0], m[0][1] * e),): 1.0}, inner)
        base = _in_parentheses(self)
        return Formula({((base, e),): 1.0}, {**inner, base: self})


def _tidy(base: float, exponent: float) -> bool:
    """Whether a power of two numbers is better shown as its value."""
    return (
        base != 0 and float(base).is_integer() and float(exponent).is_integer() and abs(exponent) <= 8 and exponent >= 0
    )


def number(value: float) -> Formula:
    """A number as a formula."""
    return Formula({(): float(value)} if value != 0 else {}, {})


def atom(text: str) -> Formula:
    """A name, a call, anything that holds together by itself."""
    return Formula({((text, 1),): 1.0}, {})


def labelled(text: str) -> Formula:
    """Source text as a formula: in parentheses where it is more than a name or a call."""
    if text.isidentifier() or _held_together(text):
        return atom(text)
    inside = Formula({((text, 1),): 1.0}, {})
    return Formula({((f"({text})", 1),): 1.0}, {f"({text})": inside})


def _held_together(text: str) -> bool:
    """Whether a text is one name, number, call, attribute or item."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return isinstance(tree, (ast.Name, ast.Call, ast.Attribute, ast.Subscript))


def _spread(x: Formula) -> Formula:
    """A sum that was kept as one factor, as its terms again."""
    if len(x.terms) == 1:
        (monomial, n), *_ = x.terms.items()
        if n in (1, -1) and len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0] in x.inner:
            inside = x.inner[monomial[0][0]]
            if len(inside.terms) > 1:
                return inside if n == 1 else -inside
    return x


def _single(x: Formula) -> tuple[Monomial, float]:
    """The formula as one term: a sum becomes a factor in parentheses."""
    if len(x.terms) == 1:
        return next(iter(x.terms.items()))
    return ((_in_parentheses(x), 1),), 1.0


def _inner_of(x: Formula) -> dict[str, Formula]:
    return x.inner if len(x.terms) == 1 else {**x.inner, _in_parentheses(x): x}


def _in_parentheses(x: Formula) -> str:
    if x.number is not None and x.number >= 0:
        return number_text(x.number)
    return x.only or f"({x.text})"


def _plus(a: float | str, b: float | str) -> float | str:
    if isinstance(a, str) or isinstance(b, str):
        total = read(f"({a}) + ({b})", {})
        return total.text if total.number is None else total.number
    return a + b


def number_text(value: float) -> str:
    """A coefficient as it is written in a formula: all its digits, a whole number without a point."""
    return repr(float(value)).removesuffix(".0")


def _text(x: Formula) -> tuple[str, int]:
    if not x.terms:
        return "0", ATOM
    texts: list[tuple[str, int]] = [_term(m, n) for m, n in x.terms.items()]
    if len(texts) == 1:
        text, rank = texts[0]
        bare = text[1:-1]
        return (bare, LOOSE) if text in x.inner and text.startswith("(") else (text, rank)
    ordered = sorted(texts, key=lambda t: t[0].startswith("-")) if texts[0][0].startswith("-") else texts
    out = ordered[0][0]
    for text, _ in ordered[1:]:
        out += f" - {text[1:]}" if text.startswith("-") else f" + {text}"
    return out, SUM


def _term(monomial: Monomial, n: float) -> tuple[str, int]:
    above: list[str] = []
    below: list[str] = []
    for factor, exponent in monomial:
        if isinstance(exponent, str):
            above.append(f"{factor}**{exponent if exponent.isidentifier() else f'({exponent})'}")
        elif exponent < 0:
            below.append(_power(factor, -exponent))
        else:
            above.append(_power(factor, exponent))
    size = abs(n)
    if size != 1 or not above:
        above.insert(0, number_text(size))
    text = " * ".join(above)
    if below:
        text += " / " + (below[0] if len(below) == 1 else f"({' * '.join(below)})")
    if n < 0:
        return f"-{text}", PRODUCT
    if below or len(above) > 1:
        return text, PRODUCT
    return text, POWER if "**" in text and not text.endswith(")") else ATOM if monomial and monomial[0][
        1
    ] == 1 else POWER


def _power(factor: str, exponent: float) -> str:
    return factor if exponent == 1 else f"{factor}**{number_text(exponent)}"


# --- reading the text of a formula -------------------------------------------------------------------------------


class NoFormula(Exception):
    """The text is prose, or has what formulas don't."""


@lru_cache(maxsize=512)
def _tree(text: str) -> ast.expr:
    try:
        # symbols write `x >= low & x <= high`, meaning `and`
        return ast.parse(text.replace(" & ", " and ").replace(" | ", " or "), mode="eval").body
    except (SyntaxError, ValueError):
        raise NoFormula from None


Chooser = Callable[[ast.expr], bool]


def read(text: str, names: Mapping[str, Formula], choose: Chooser | None = None, *, strict: bool = False) -> Formula:
    """The formula of a text, with formulas in the place of names.

    `choose` decides a condition (of `a if c else b`, and of `where`); without it both branches stay in the text.
    `strict`: a name that is none of `names` is an error. Raises NoFormula: the text is prose, or that error.
    """
    return _Reader(names, choose, strict).read(_tree(text))


class _Reader:
    def __init__(self, names: Mapping[str, Formula], choose: Chooser | None, strict: bool) -> None:
        self.names = names
        self.strict = strict
        self.choose = choose

    def read(self, e: ast.expr) -> Formula:
        if isinstance(e, ast.Constant) and isinstance(e.value, (int, float)):
            return number(e.value)
        if isinstance(e, ast.Name):
            if self.strict and e.id not in self.names and e.id != "pi":
                raise NoFormula
            return self.names.get(e.id) or atom(e.id)
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
            return -self.read(e.operand)
        if isinstance(e, ast.BinOp):
            return self._binary(e)
        if isinstance(e, ast.Call) and isinstance(e.func, ast.Name):
            return self._call(e, e.func.id)
        if isinstance(e, ast.IfExp):
            if self.choose is not None:
                return self.read(e.body if self.choose(e.test) else e.orelse)
            return _loose(f"{self.read(e.body).text} if {self.condition(e.test)} else {self.read(e.orelse).text}")
        if isinstance(e, ast.Attribute):
            return atom(f"{self._held(self.read(e.value))}.{e.attr}")
        raise NoFormula

    def _binary(self, e: ast.BinOp) -> Formula:
        a, b = self.read(e.left), self.read(e.right)
        if isinstance(e.op, ast.Add):
            return a + b
        if isinstance(e.op, ast.Sub):
            return a + -b
        if isinstance(e.op, ast.Mult):
            return a * b
        if isinstance(e.op, ast.Div):
            return quotient(a, b)
        if isinstance(e.op, ast.Pow):
            return a.power(b)
        if isinstance(e.op, ast.MatMult):
            return _loose(f"{self._held(a)} @ {self._held(b)}")
        raise NoFormula

    def _call(self, e: ast.Call, name: str) -> Formula:
        if name == "where" and self.choose is not None and len(e.args) == 3:
            return self.read(e.args[1] if self.choose(e.args[0]) else e.args[2])
        if name == "where" and len(e.args) == 3 and isinstance(e.args[0], ast.Name):
            decided = self.read(e.args[0]).number
            if decided is not None:
                return self.read(e.args[1] if decided else e.args[2])
        if name == "expand" and len(e.args) == 1:  # of a number nothing is reduced
            return self.read(e.args[0])
        words = [self.condition(x) for x in e.args]
        words += [f"{k.arg}={self.read(k.value).text}" for k in e.keywords]
        return atom(f"{name}({', '.join(words)})")

    def condition(self, e: ast.expr) -> str:
        """The text of a condition, or of a formula."""
        if isinstance(e, ast.Compare):
            parts = [self.read(e.left).text]
            for op, x in zip(e.ops, e.comparators, strict=True):
                parts += [_COMPARISONS[type(op)], self.read(x).text]
            return " ".join(parts)
        if isinstance(e, ast.BoolOp):
            word = " and " if isinstance(e.op, ast.And) else " or "
            return word.join([self.condition(x) for x in e.values])
        return self.read(e).text

    def _held(self, x: Formula) -> str:
        return _in_parentheses(x)


_COMPARISONS: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def _loose(text: str) -> Formula:
    """A text that needs parentheses as a factor."""
    return Formula({((f"({text})", 1),): 1.0}, {f"({text})": atom(text)})


def quotient(a: Formula, b: Formula) -> Formula:
    """`a / b`."""
    n, d = a.number, b.number
    if n is not None and d:
        whole = n / d
        return number(whole) if len(number_text(whole)) <= 8 else _loose(f"{number_text(n)} / {number_text(d)}")
    if d == 0:
        raise NoFormula
    if d is not None:
        return a * number(1 / d) if len(number_text(1 / d)) <= 6 else a * Formula({((number_text(d), -1),): 1.0}, {})
    return a * b.power(number(-1))
