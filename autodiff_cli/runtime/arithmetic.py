"""Operators: on Python's values as Python has them, on tensors as the engine has them.

Two floats of which at least one is a tensor take the fast path that `inline.py` writes; everything else goes through `operate`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.apply import apply, apply_pair
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops import arithmetic
from autodiff_cli.engine.ops.matmul import matmul
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import LimitFault, OverflowFault, RecursionFault, RuntimeFault, TypeFault, ValueFault
from autodiff_cli.runtime.fused import fused, fused_test, fused_whole
from autodiff_cli.runtime.inline import COMMUTES, FAST, ORDER, WHOLE, Operand
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import Frame, Run
from autodiff_cli.runtime.templates import INT_MAX, INT_MIN

MAX_LENGTH = 100_000_000  # of a list, a tuple or a string


# --- Python's values -------------------------------------------------------------------------------------------


def checked(value: Any) -> Any:
    """A result of Python's arithmetic, if the language has it.

    Raises:
        OverflowFault: an int of more than 64 bits.
        ValueFault: a complex number.
    """
    if type(value) is int:
        if not INT_MIN <= value <= INT_MAX:
            raise OverflowFault("an int grew past 64 bits", hint="compute with floats: write 2.0 for 2, or float(n)")
    elif type(value) is complex:
        raise ValueFault(
            "a negative number to a fractional power is complex; complex numbers are not in the language yet",
            hint="take abs() of the base, or an integer exponent",
        )
    return value


def _add(a: Any, b: Any) -> Any:
    if type(a) in (list, str, tuple) and type(b) is type(a):
        refuse_length(len(a) + len(b))
    return checked(a + b)


def _multiply(a: Any, b: Any) -> Any:
    for sequence, count in ((a, b), (b, a)):
        if isinstance(sequence, (list, str, tuple)) and isinstance(count, int):
            refuse_length(len(sequence) * count)
    return checked(a * b)


def _power(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int and b > 0 and (abs(a) - 1).bit_length() * b > 128:
        raise OverflowFault("an int grew past 64 bits", hint="compute with floats: write 2.0**n for 2**n")
    return checked(a**b)


def _left_shift(a: Any, b: Any) -> Any:
    if type(b) is int and b > 63:
        raise OverflowFault("an int grew past 64 bits")
    return checked(a << b)


def _modulo(a: Any, b: Any) -> Any:
    if isinstance(a, str):
        from autodiff_cli.runtime.percent import percent

        return percent(a, b)
    return checked(a % b)


def refuse_length(length: int) -> None:
    """Raises LimitFault: a sequence of so many elements is too long."""
    if length > MAX_LENGTH:
        raise LimitFault(f"a sequence of {length:,} elements; the limit is {MAX_LENGTH:,}")


MAX_NESTING = 500  # lists within lists; Python itself goes through C for each, and refuses a thousand
_CONTAINERS = frozenset((list, tuple, dict, set, frozenset))


def refuse_nesting(*values: Any) -> None:
    """Before lists are printed or compared, which is a recursion in C.

    Raises:
        RecursionFault: one is nested deeper than `MAX_NESTING`.
    """
    level = [v for v in values if type(v) in _CONTAINERS]
    seen: set[int] = set()
    for _ in range(MAX_NESTING):
        if not level:
            return
        seen.update(map(id, level))
        inside = [v for c in level for v in (c.values() if type(c) is dict else c) if type(v) in _CONTAINERS]
        level = list({id(v): v for v in inside if id(v) not in seen}.values())
    if level:
        raise RecursionFault(
            f"a list is nested more than {MAX_NESTING} deep", hint="print or compare what is in it, item by item"
        )


NATIVE: dict[str, Callable[[Any, Any], Any]] = {
    "+": _add,
    "-": lambda a, b: checked(a - b),
    "*": _multiply,
    "/": operator.truediv,
    "//": lambda a, b: checked(a // b),
    "%": _modulo,
    "**": _power,
    "@": lambda a, b: matmul(a, b) if type(a) is Tensor and type(b) is Tensor else operator.matmul(a, b),
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": _left_shift,
    ">>": operator.rshift,
}


def operate(symbol: str, a: Any, b: Any, site: Any) -> Any:
    """`a symbol b`, the general way."""
    tape.site = site
    try:
        result = _on_arrays(symbol, a, b) if symbol in FAST else None
        return NATIVE[symbol](a, b) if result is None else result
    except Exception as e:
        raise _operator_fault(e, symbol, a, b, site) from None


def _on_arrays(symbol: str, a: Any, b: Any) -> Tensor | None:
    """`a symbol b` for float64 arrays and numbers, where it is one operation: Python's protocol would take longer than it."""
    with_tensor, number_right, _ = FAST[symbol]
    if type(a) is Tensor:
        if type(b) is Tensor:
            return apply_pair(with_tensor, a, b)
        if type(b) is float or type(b) is int:
            return apply_pair(number_right, a, float(b))
    elif (type(a) is float or type(a) is int) and symbol in COMMUTES and type(b) is Tensor:
        return apply_pair(number_right, b, float(a))
    return None


def _operator_fault(error: Exception, symbol: str, a: Any, b: Any, site: Any) -> BaseException:
    if type(error) is RuntimeFault and type(a) is Tensor and type(b) is Tensor and error.span is None:
        return _shape_fault(error, symbol, a, b, site)
    if type(error) is TypeError:
        error = TypeFault(f"'{symbol}' does not work between {kind_of(a)} and {kind_of(b)}", hint=_cure(a, b))
    return located(error, site)


def _shape_fault(error: RuntimeFault, symbol: str, a: Tensor, b: Tensor, site: Any) -> RuntimeFault:
    """Shapes that do not go together, with what has them: `Program.run` puts the operands' text in for {0} and {1}."""
    left, right = getattr(site, "left", None), getattr(site, "right", None)
    if left is not None and right is not None and "shape" in error.message:
        error.operands = (left.span, right.span)  # type: ignore[attr-defined]
        what = "have other sizes than a matrix product needs" if symbol == "@" else "do not broadcast"
        error.message = (
            f"'{symbol}': {{0}} has shape {tuple(a.shape)} and {{1}} has shape {tuple(b.shape)}, which {what}"
        )
        error.hint = error.hint or (
            "sizes must be equal from the last dimension backwards, or 1; reshape one of them (x[:, None], x.T)"
        )
    error.span = site.span
    return error


def kind_of(value: Any) -> str:
    """What a person calls the kind of a value: 'a float', 'a tensor', 'None'."""
    if value is None:
        return "None"
    name = {
        "Tensor": "tensor",
        "str": "string",
        "NoneType": "None",
        "UserFunction": "function",
        "Native": "function",
        "Derived": "function",
    }.get(type(value).__name__, type(value).__name__)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _cure(a: Any, b: Any) -> str | None:
    for x in (a, b):
        if type(x).__name__ in ("UserFunction", "Native", "Bound", "Derived"):
            return "call the function: write its arguments in brackets after its name"
        if x is None:
            return "a function without `return` gives None"
        if isinstance(x, str):
            return 'text and values go together in an f-string: f"x is {x}"'
        if isinstance(x, list):
            return "make the list a tensor: torch.tensor([...])"
    return None


# --- binary operators ---------------------------------------------------------------------------------------------


def generally(symbol: str, site: Any) -> Callable[[Any, Any], Any]:
    """`operate` for one operator of the program."""
    return lambda a, b: operate(symbol, a, b, site)


def binary(symbol: str, left: Operand, right: Operand, site: Any) -> Run:
    """The closure of `left symbol right`."""

    if symbol in FAST:
        return fused(symbol, left, right, site, generally(symbol, site))
    if symbol in WHOLE:
        return fused_whole(symbol, left, right, generally(symbol, site))
    a, b = left[2], right[2]
    return lambda f: operate(symbol, a(f), b(f), site)


def unary(symbol: str, operand: Run, site: Any) -> Run:
    """The closure of `-e`, `+e`, `~e`, `not e`."""
    if symbol == "not":
        return lambda f: not truth(operand(f), site)
    if symbol == "-":
        return lambda f: negative(operand(f), site)
    function: Callable[[Any], Any] = operator.pos if symbol == "+" else operator.invert

    def run(f: Frame) -> Any:
        x = operand(f)
        tape.site = site
        try:
            return function(x)
        except Exception as e:
            raise _unary_fault(e, symbol, x, site) from None

    return run


def negative(x: Any, site: Any) -> Any:
    """`-x`."""
    tape.site = site
    try:
        return apply(arithmetic.neg, (x,), NO_PARAMS) if type(x) is Tensor else checked(-x)
    except Exception as e:
        raise _unary_fault(e, "-", x, site) from None


def _unary_fault(error: Exception, symbol: str, x: Any, site: Any) -> BaseException:
    if type(error) is TypeError:
        error = TypeFault(f"'{symbol}' does not work on {kind_of(x)}", hint=_cure(x, x))
    return located(error, site)


# --- comparisons and truth ------------------------------------------------------------------------------------


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": lambda a, b: a is b,
    "is not": lambda a, b: a is not b,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def compare(symbol: str, a: Any, b: Any, site: Any) -> Any:
    """One comparison. Two scalars compare as floats; the result of tensors is a bool tensor, as PyTorch's."""
    x = a.value if type(a) is Tensor else a
    y = b.value if type(b) is Tensor else b
    if symbol in ORDER and type(x) is float and (type(y) is float or type(y) is int):
        result = _COMPARE[symbol](x, y)
        if type(a) is not Tensor and type(b) is not Tensor:
            return result
        t = Tensor()
        t.value = result
        t.node = t.aux = None
        return t
    tape.site = site
    try:
        if type(a) in _CONTAINERS or type(b) in _CONTAINERS:
            refuse_nesting(a, b)
        return _COMPARE[symbol](a, b)
    except Exception as e:
        raise _operator_fault(e, symbol, a, b, site) from None


def test_of(symbol: str, site: Any) -> Callable[[Any, Any], bool]:
    """The truth of one comparison of the program."""
    return lambda a, b: truth(compare(symbol, a, b, site), site)


def comparison_test(symbol: str, left: Operand, right: Operand, site: Any) -> Run:
    """A comparison as a condition: two scalars give a Python bool without a tensor in between."""

    general = test_of(symbol, site)
    if symbol in ORDER:
        return fused_test(symbol, left, right, general)
    a, b = left[2], right[2]
    return lambda f: general(a(f), b(f))


def truth(value: Any, site: Any) -> bool:
    """The truth of a value, as `if` asks for it."""
    if value is True or value is False:
        return value
    tape.site = site
    try:
        return bool(value)
    except Exception as e:
        raise located(e, site) from None
