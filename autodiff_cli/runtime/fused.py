"""The closures of operators, comparisons and calls, each written out once for the kinds of its operands.

A closure that calls a closure for each operand, and a function for the operator, needs 1.5 times as long as one that reads
its variables from the frame and has the operator in its own code (measured on a loop of multiply-adds: 0.62 against
0.41 µs an operation). So the text that `inline.py` writes is compiled once a process for each operator and each kind of
operand, and shared. What runs often is written out whole, statement by statement: see hot.py.

A `slot` operand is a variable of the running frame, a `global` one of the module's, an `int` or `float` a literal, an
`expr` anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.runtime.inline import Operand, Writer, fetched_by, operator_constants
from autodiff_cli.runtime.objects import Run

_made: dict[tuple[str, ...], Callable[..., Run]] = {}


def fused(symbol: str, left: Operand, right: Operand, site: Any, general: Any) -> Run:
    """The closure of `left symbol right`; `general(a, b)` is the operator on anything."""
    constants = operator_constants(symbol, general, site)
    make = _made.get((symbol, left[0], right[0]))
    if make is None:
        w = Writer()
        a, b = w.fetch(left), w.fetch(right)
        w.write("return " + w.settle(w.binary(symbol, a, b, constants)))
        make = _keep(w, symbol, left, right)
    return make(*fetched_by(left), *fetched_by(right), *constants)


def fused_whole(symbol: str, left: Operand, right: Operand, general: Any) -> Run:
    """The closure of `left % right` or `left // right`: quick for two ints."""
    make = _made.get((symbol, left[0], right[0]))
    if make is None:
        w = Writer()
        a, b = w.fetch(left), w.fetch(right)
        w.write("return " + w.remainder(symbol, a, b, general).name)
        make = _keep(w, symbol, left, right)
    return make(*fetched_by(left), *fetched_by(right), general)


def fused_test(symbol: str, left: Operand, right: Operand, general: Any) -> Run:
    """The closure of a comparison of which only the truth is asked: two scalars compare without a tensor in between."""
    make = _made.get((symbol, left[0], right[0]))
    if make is None:
        w = Writer()
        a, b = w.fetch(left), w.fetch(right)
        w.write("return " + w.compare(symbol, a, b, general))
        make = _keep(w, symbol, left, right)
    return make(*fetched_by(left), *fetched_by(right), general)


def fused_call(func: Operand, args: Sequence[Operand], general: Any) -> Run:
    """The closure of `func(args)`: a function of the program with plain parameters gets its frame right here.

    `general(frame, func, args)` calls anything else.
    """
    key = ("call", func[0], *(a[0] for a in args))
    make = _made.get(key)
    if make is None:
        w = Writer()
        target = w.fetch(func)
        w.write("return " + w.call(target, [w.fetch(a) for a in args], general).name)
        make = _made[key] = w.maker(f"<{' '.join(key)}>")
    return make(*fetched_by(func), *(k for a in args for k in fetched_by(a)), general)


def _keep(w: Writer, symbol: str, left: Operand, right: Operand) -> Callable[..., Run]:
    make = _made[symbol, left[0], right[0]] = w.maker(f"<{left[0]} {symbol} {right[0]}>")
    return make
