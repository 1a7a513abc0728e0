"""`assert`: a failed one shows the values on both sides of the comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.errors import AssertionFault
from autodiff_cli.language import nodes
from autodiff_cli.runtime import arithmetic
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.objects import Frame
from autodiff_cli.source import Source

Sides = Callable[[Frame, list[Any]], Any]


def sides(c: Compiler, test: nodes.Expr) -> Sides:
    """The test as a closure that also notes what stood on the sides of a comparison, or in a call's arguments."""
    if type(test) is nodes.Compare and len(test.ops) == 1:
        left, right, symbol = c.expr(test.left), c.expr(test.comparators[0]), test.ops[0]

        def compared(f: Frame, values: list[Any]) -> Any:
            a, b = left(f), right(f)
            values.extend(((test.left, a), (test.comparators[0], b)))
            return arithmetic.compare(symbol, a, b, test)

        return compared
    run = c.expr(test)

    def plain(f: Frame, values: list[Any]) -> Any:
        result = run(f)
        if type(test) is nodes.Call and all(type(a) is nodes.Name for a in test.args):
            values.extend((a, c.expr(a)(f)) for a in test.args)
        return result

    return plain


def explain_assertion(source: Source, s: nodes.Assert, values: list[Any], text: str | None) -> AssertionFault:
    """The fault of a failed assertion."""
    shown = [f"{source.slice(e.span)} = {v!r}" for e, v in values if type(e) is not nodes.Constant]
    message = "assertion failed" if text is None else f"assertion failed: {text}"
    fault = AssertionFault(message, hint="; ".join(shown) or None, span=s.test.span)
    fault.args = () if text is None else (text,)
    return fault
