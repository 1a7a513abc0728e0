"""Symbols: values that are formulas. A derivative rule run on symbols is the text of the derivative.

`formula(op, i)` runs rule `i` of an op with the cotangent 1, so what comes out is the local derivative:
`cos(x)` of `sin`, `1 - y**2` of `tanh` (y is the result). Arithmetic with 0 and 1 disappears; parentheses
stand where Python's precedence needs them, so a formula can be pasted into a program.

Invariant: a symbol never has a truth value; a rule that asks for one (or for a shape) has no formula.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.registry import Op, Rule

# how tightly a formula holds together, as in Python
OR, AND, COMPARE, SUM, PRODUCT, NEGATIVE, POWER, ATOM = range(8)
_INFIX = {"bitwise_or": ("|", OR), "bitwise_and": ("&", AND)}
_POWER = re.compile(r"(\w+|\([^()]*\))\*\*(\d+)")
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_CONSTANTS = {
    math.pi: "pi",
    math.pi / 180: "pi / 180",
    180 / math.pi: "180 / pi",
    2 / math.sqrt(math.pi): "2 / sqrt(pi)",
    math.sqrt(math.pi) / 2: "sqrt(pi) / 2",
    math.log(2): "log(2)",
    math.log(10): "log(10)",
}
# what puts shapes and dtypes right; of a formula for one entry they change nothing
_PLUMBING = frozenset(("sum_to", "expand_to", "reshape_to", "cast"))


class Symbol:
    """A formula: its text, how tightly it holds together, and its number if it is one."""

    __slots__ = ("number", "rank", "text")

    def __init__(self, text: str, rank: int = ATOM, number: float | None = None) -> None:
        self.text = text
        self.rank = rank
        self.number = number

    def __repr__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        raise TypeError("a formula has no truth value")

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def __apply__(op: Op, xs: Sequence[Any], params: dict[str, Any]) -> Symbol:
        """The formula of an op on formulas and numbers."""
        operands = [symbol(x) for x in xs]
        if op.name in _PLUMBING:
            return operands[0]
        if op.name in _OPERATORS:
            return _OPERATORS[op.name](*operands)
        if op.name in _COMPARISONS:
            return _joined(operands[0], _COMPARISONS[op.name], operands[1], COMPARE)
        if op.name in _INFIX:
            return _joined(operands[0], *_INFIX[op.name][:1], operands[1], _INFIX[op.name][1])
        words = [x.text for x in operands] + [f"{name}={_word(value)}" for name, value in params.items()]
        return Symbol(f"{op.name}({', '.join(words)})")

    def __add__(self, other: Any) -> Symbol:
        return _add(self, symbol(other))

    def __radd__(self, other: Any) -> Symbol:
        return _add(symbol(other), self)

    def __sub__(self, other: Any) -> Symbol:
        return _sub(self, symbol(other))

    def __rsub__(self, other: Any) -> Symbol:
        return _sub(symbol(other), self)

    def __mul__(self, other: Any) -> Symbol:
        return _mul(self, symbol(other))

    def __rmul__(self, other: Any) -> Symbol:
        return _mul(symbol(other), self)

    def __truediv__(self, other: Any) -> Symbol:
        return _div(self, symbol(other))

    def __rtruediv__(self, other: Any) -> Symbol:
        return _div(symbol(other), self)

    def __pow__(self, other: Any) -> Symbol:
        return _pow(self, symbol(other))

    def __rpow__(self, other: Any) -> Symbol:
        return _pow(symbol(other), self)

    def __neg__(self) -> Symbol:
        return _neg(self)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return _joined(self, "==", symbol(other), COMPARE)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return _joined(self, "!=", symbol(other), COMPARE)

    def __lt__(self, other: Any) -> Symbol:
        return _joined(self, "<", symbol(other), COMPARE)

    def __le__(self, other: Any) -> Symbol:
        return _joined(self, "<=", symbol(other), COMPARE)

    def __gt__(self, other: Any) -> Symbol:
        return _joined(self, ">", symbol(other), COMPARE)

    def __ge__(self, other: Any) -> Symbol:
        return _joined(self, ">=", symbol(other), COMPARE)

    def __and__(self, other: Any) -> Symbol:
        return _joined(self, "&", symbol(other), AND)

    def __or__(self, other: Any) -> Symbol:
        return _joined(self, "|", symbol(other), OR)

    def __invert__(self) -> Symbol:
        return Symbol("~" + _held(self, NEGATIVE), NEGATIVE)


def symbol(x: Any) -> Symbol:
    """A value as a formula: a symbol is one, a number becomes its text.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(x, Symbol):
        return x
    if isinstance(x, (bool, int, float)):
        return _number(float(x))
    raise TypeError(f"{type(x).__name__} is no part of a formula")


def _number(value: float) -> Symbol:
    constant = _CONSTANTS.get(value)
    if constant is not None:
        return Symbol(constant, PRODUCT if "/" in constant else ATOM, value)
    return Symbol(repr(value).removesuffix(".0"), ATOM if value >= 0 else NEGATIVE, value)


def _held(x: Symbol, rank: int) -> str:
    """The text, in parentheses if it holds less tightly than `rank`."""
    return x.text if x.rank >= rank else f"({x.text})"


def _joined(a: Symbol, operator: str, b: Symbol, rank: int) -> Symbol:
    """An infix formula that associates to the left (a comparison: not at all)."""
    left = _held(a, rank + 1 if rank == COMPARE else rank)
    return Symbol(f"{left} {operator} {_held(b, rank + 1)}", rank)


def _add(a: Symbol, b: Symbol) -> Symbol:
    if a.number == 0:
        return b
    if b.number == 0:
        return a
    if b.rank == NEGATIVE and b.text.startswith("-"):
        return _sub(a, _neg(b))
    return _joined(a, "+", b, SUM)


def _sub(a: Symbol, b: Symbol) -> Symbol:
    if b.number == 0:
        return a
    if a.number == 0:
        return _neg(b)
    return _joined(a, "-", b, SUM)


def _mul(a: Symbol, b: Symbol) -> Symbol:
    for one, other in ((a, b), (b, a)):
        if one.number == 0:
            return one
        if one.number == 1:
            return other
        if one.number == -1:
            return _neg(other)
    if a.number is not None and b.number is not None:
        return _number(a.number * b.number)
    if a.number is None:
        power = _POWER.fullmatch(a.text)
        base, exponent = (power[1], int(power[2])) if power else (a.text, 1)
        if base == b.text or base == f"({b.text})":
            return Symbol(f"{_held(b, ATOM)}**{exponent + 1}", POWER)
    return _joined(a, "*", b, PRODUCT)


def _div(a: Symbol, b: Symbol) -> Symbol:
    if b.number == 1 or a.number == 0:
        return a
    return _joined(a, "/", b, PRODUCT)


def _pow(a: Symbol, b: Symbol) -> Symbol:
    if b.number == 1:
        return a
    return Symbol(f"{_held(a, ATOM)}**{_held(b, NEGATIVE)}", POWER)


def _neg(x: Symbol) -> Symbol:
    if x.number is not None:
        return _number(-x.number)
    if x.rank == NEGATIVE and x.text.startswith("-"):
        inner = x.text[1:]
        return Symbol(inner, PRODUCT)
    return Symbol("-" + _held(x, PRODUCT), NEGATIVE)


_OPERATORS: dict[str, Callable[..., Symbol]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _div,
    "neg": _neg,
    "pow_scalar": _pow,
    "pow_tensor": _pow,
}


def _word(value: Any) -> str:
    return value.text if isinstance(value, Symbol) else repr(value)


def operand_names(op: Op) -> tuple[str, ...]:
    """What the op's rules call its operands: `("a", "b")` of `mul`."""
    rules = op.vjps or ()
    names = [f"x{i}" for i in range(len(rules))]
    for rule in rules:
        if rule is not None:
            for i, name in enumerate(_parameters(rule)[: len(names)]):
                names[i] = name
    return tuple(names)


def _parameters(rule: Rule) -> list[str]:
    code = rule.__code__
    names = code.co_varnames[2 : code.co_argcount]
    return [name.lstrip("_").removeprefix("like_").removeprefix("hint_").removeprefix("plain_") for name in names]


def formula(op: Op, index: int, /, **params: Any) -> str | None:
    """The local derivative with respect to operand `index`, as text. `params`: a node's, where there is one.

    None: the op is not differentiable in it, or its rule is not a formula of single entries (it asks for
    shapes).
    """
    if index < len(op.formulas):
        told = op.formulas[index]
        return (told if isinstance(told, str) else told(**params)) or None
    rule = op.vjps[index] if op.vjps is not None and index < len(op.vjps) else None
    if rule is None or op.variadic:
        return None
    code = rule.__code__
    operands = [Symbol(name) for name in operand_names(op)]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    defaults = rule.__kwdefaults__ or {}
    symbols = {name: Symbol(name) for name in keywords if name not in defaults}
    try:
        found = rule(_number(1.0), Symbol("y"), *operands, **symbols)
        return symbol(found).text
    except Exception:  # the rule works with shapes, dtypes or arrays: it has no formula, whatever it raised
        return None
