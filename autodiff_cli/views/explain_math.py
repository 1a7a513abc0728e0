"""Formulas and text for LaTeX.

`math` turns an expression of Python (a formula, or source text) into LaTeX's mathematics, `escaped` any text into text
that LaTeX prints as it stands. What is no formula is printed as text in a typewriter face.

Invariant: braces are balanced, and every special character of LaTeX that was in the text is escaped.
"""

from __future__ import annotations

import ast
import re

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "-": r"-{}",  # no ligature
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "\u2026": r"\ldots{}",
}
GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
_GREEK = {name: "\\" + name for name in GREEK.split()}
_LETTERS = dict(zip("αβγδεζηθικλμνξπρστφχψω", [f"\\{n}" for n in GREEK.split()], strict=True))
_FUNCTIONS = frozenset(
    ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "arcsin", "arccos", "arctan", "max", "min", "det")
)
_ARC = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
_SIGNS: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: r"\le",
    ast.Gt: ">",
    ast.GtE: r"\ge",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
}
SUM, PRODUCT, POWER, ATOM = range(4)


def escaped(text: str) -> str:
    """Text as LaTeX prints it as it stands; a character that its fonts lack becomes a question mark."""
    out = []
    for c in text:
        if c in _LETTERS:
            out.append(f"\\ensuremath{{{_LETTERS[c]}}}")
        elif ord(c) < 128 or c in _SPECIAL:
            out.append(_SPECIAL.get(c, c if c.isprintable() else " "))
        else:
            out.append(c if ord(c) < 0x180 and c.isalpha() else "?")
    return "".join(out)


def typed(text: str) -> str:
    """Text in a typewriter face, which may break after a sign."""
    return f"\\texttt{{{_SIGN.sub(lambda _: _BREAK, escaped(text))}}}"


_SIGN = re.compile(r"(?<=[,;+*/=()\[\]@])(?=[^\s,;)\].])|(?<=\.)(?=[A-Za-z])|(?<=\\_)(?=[A-Za-z]{3})")
_BREAK = r"\allowbreak{}"


def math(text: str) -> str:
    """A formula in mathematics, in dollars; what is none in a typewriter face."""
    try:
        tree = ast.parse(text).body
        if len(tree) == 1 and isinstance(tree[0], ast.Expr):
            return f"${_Writer().write(tree[0].value)[0]}$"
        if len(tree) == 1 and isinstance(tree[0], ast.Assign) and isinstance(tree[0].targets[0], ast.Name):
            return f"${name(tree[0].targets[0].id)} = {_Writer().write(tree[0].value)[0]}$"
        return typed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, _NoMath):
        return typed(text)


class _NoMath(Exception):
    """The expression has what mathematics does not."""


class _Writer:
    """Expressions as (LaTeX, how tightly it holds together)."""

    def write(self, e: ast.expr) -> tuple[str, int]:
        if isinstance(e, ast.Constant) and isinstance(e.value, (int, float)) and not isinstance(e.value, bool):
            return _number(e.value)
        if isinstance(e, ast.Name):
            return name(e.id), ATOM
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
            return f"-{self._held(e.operand, PRODUCT)}", SUM
        if isinstance(e, ast.BinOp):
            return self._binary(e)
        if isinstance(e, ast.Call):
            return self._call(e)
        if isinstance(e, ast.Attribute):
            if e.attr in ("mT", "T"):
                return f"{self._held(e.value, ATOM)}^{{\\top}}", POWER
            raise _NoMath
        if isinstance(e, ast.Compare):
            parts = [self.write(e.left)[0]]
            for op, x in zip(e.ops, e.comparators, strict=True):
                if type(op) not in _SIGNS:
                    raise _NoMath
                parts += [_SIGNS[type(op)], self.write(x)[0]]
            return " ".join(parts), SUM
        if isinstance(e, ast.IfExp):
            a, c, b = (self.write(x)[0] for x in (e.body, e.test, e.orelse))
            return f"\\begin{{cases}} {a} & {c} \\\\ {b} & \\text{{else}} \\end{{cases}}", SUM
        raise _NoMath

    def _held(self, e: ast.expr, rank: int) -> str:
        text, own = self.write(e)
        return text if own >= rank else f"\\left({text}\\right)"

    def _binary(self, e: ast.BinOp) -> tuple[str, int]:
        if isinstance(e.op, ast.Div):
            return f"\\frac{{{self.write(e.left)[0]}}}{{{self.write(e.right)[0]}}}", PRODUCT
        if isinstance(e.op, ast.Pow):
            return f"{self._held(e.left, ATOM)}^{{{self.write(e.right)[0]}}}", POWER
        if isinstance(e.op, (ast.Add, ast.Sub)):
            sign = "+" if isinstance(e.op, ast.Add) else "-"
            right = self._held(e.right, PRODUCT)
            return f"{self.write(e.left)[0]} {sign} {right}", SUM
        if isinstance(e.op, ast.Mult):
            return f"{self._held(e.left, PRODUCT)} \\cdot {self._held(e.right, PRODUCT)}", PRODUCT
        if isinstance(e.op, ast.MatMult):
            return f"{self._held(e.left, PRODUCT)}\\,{self._held(e.right, PRODUCT)}", PRODUCT
        raise _NoMath

    def _call(self, e: ast.Call) -> tuple[str, int]:
        args = list(e.args)
        if isinstance(e.func, ast.Attribute):  # a method is a function of what it is called on
            called, args = e.func.attr, [e.func.value, *args]
        elif isinstance(e.func, ast.Name):
            called = e.func.id
        else:
            raise _NoMath
        words = [self.write(x)[0] for x in args]
        if called == "sqrt" and len(words) == 1:
            return f"\\sqrt{{{words[0]}}}", ATOM
        if called == "abs" and len(words) == 1:
            return f"\\left|{words[0]}\\right|", ATOM
        words += [f"\\mathit{{{escaped(k.arg or '')}}}={self.write(k.value)[0]}" for k in e.keywords]
        head = _ARC.get(called, called)
        head = f"\\{head}" if head in _FUNCTIONS else f"\\operatorname{{{escaped(called)}}}"
        return f"{head}\\left({', '.join(words)}\\right)", ATOM


def _number(value: float) -> tuple[str, int]:
    text = repr(value).removesuffix(".0")
    mantissa, e, exponent = text.partition("e")
    if e:
        return f"{mantissa} \\cdot 10^{{{int(exponent)}}}", PRODUCT
    return text, ATOM


_INDEXED = re.compile(r"([A-Za-z]|[a-z]+)_?(\d+)")


def name(word: str) -> str:
    """A variable in mathematics: `x1` is x with an index, `theta` the letter, a longer word in italics."""
    if word in _GREEK:
        return _GREEK[word]
    if word in _LETTERS:
        return _LETTERS[word]
    indexed = _INDEXED.fullmatch(word)
    if indexed and (len(indexed[1]) == 1 or indexed[1] in _GREEK):
        return f"{name(indexed[1])}_{{{indexed[2]}}}"
    return word if len(word) == 1 and word.isascii() and word.isalpha() else f"\\mathit{{{escaped(word)}}}"
