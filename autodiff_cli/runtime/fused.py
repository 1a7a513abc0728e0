"""The fast path of the binary operators, written out once for each operator and kind of operand.

What a scalar program spends its time in is `a op b` of two floats, at least one of them a 0-d tensor: the value is
computed and the node filled in place. A closure that calls a closure for each operand, and a function for the
operator, needs 1.5 times as long as one that reads its variables from the frame and has the operator in its own code
(measured on a loop of multiply-adds: 0.62 against 0.41 µs an operation). So the few lines below are a template: its text
is completed for the operator and for where the operands come from, compiled once a process, and shared.

A `slot` operand is a variable of the running frame, a `number` a literal, an `expr` anything else. Whatever is not two
floats goes to `general`, which evaluates nothing again: it gets the operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.node import NO_PARAMS, Node
from autodiff_cli.engine.ops import arithmetic, powers
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.runtime.objects import UNSET, Run

# For each operator: the op of two tensors, with a number on the right, with a number on the left.
# None: more than one operation, or operands in another order; the general way knows.
FAST: dict[str, tuple[Op, Op, Op | None]] = {
    "+": (arithmetic.add, arithmetic.add, arithmetic.add),
    "-": (arithmetic.sub, arithmetic.sub, None),
    "*": (arithmetic.mul, arithmetic.mul, arithmetic.mul),
    "/": (arithmetic.div, arithmetic.div, None),
    "**": (powers.pow_tensor, powers.pow_scalar, powers.pow_base),
}

_VALUE = {"+": "x + y", "-": "x - y", "*": "x * y", "/": "x / y", "**": "op.scalar(x, y)"}
_FETCH = {"slot": "f[{side}]", "expr": "{side}(f)", "number": "{side}"}

_TEMPLATE = """
def make(left, right, site, general, with_tensor, number_right, number_left, missing):
    def run(f):
        a = {fetch_left}
        b = {fetch_right}
        if type(a) is Tensor:
            x = a.value
            na = a.node
            if type(b) is Tensor:
                y = b.value
                nb = b.node
                op = with_tensor
            else:
                y = float(b) if type(b) is int else b
                nb = None
                op = number_right
        elif type(b) is Tensor and number_left is not None:
            x = float(a) if type(a) is int else a
            na = None
            y = b.value
            nb = b.node
            op = number_left
        else:
            return general({again_left}, {again_right})
        if type(x) is not float or type(y) is not float:
            return general({again_left}, {again_right})
        try:
            value = {value}
        except (ArithmeticError, ValueError):
            return general(a, b)
        t = new(Tensor)
        t.value = value
        t.aux = None
        if (na is None and nb is None) or not tape.grad_enabled:
            t.node = None
            return t
        t.node = n = Node()
        n.op = op
        n.value = value
        n.a = na if na is not None else (a if type(a) is Tensor else x)
        n.b = nb if nb is not None else (b if type(b) is Tensor else y)
        n.params = NO_PARAMS
        n.seq = tape.seq = tape.seq + 1
        n.site = site
        n.cot = None
        n.meta = None
        return t
    return run
"""

_made: dict[tuple[str, str, str], Callable[..., Run]] = {}


def fused(symbol: str, left: tuple[str, Any, Run], right: tuple[str, Any, Run], site: Any, general: Any) -> Run:
    """The closure of `left symbol right`.

    An operand is (kind, what to fetch it by, its closure): a slot's number, a literal, or the closure again.
    `general(a, b)` is the operator on anything.
    """
    key = (symbol, left[0], right[0])
    make = _made.get(key)
    if make is None:
        make = _made[key] = _write(*key)
    return make(left[1], right[1], site, general, *FAST[symbol], (left[2], right[2]))


def _write(symbol: str, left: str, right: str) -> Callable[..., Run]:
    text = _TEMPLATE.format(
        fetch_left=_FETCH[left].format(side="left"),
        fetch_right=_FETCH[right].format(side="right"),
        # a slot that nothing was assigned to is found out here, off the fast path
        again_left="a if a is not UNSET else missing[0](f)",
        again_right="b if b is not UNSET else missing[1](f)",
        value=_VALUE[symbol],
    )
    names: dict[str, Any] = {
        "Tensor": Tensor,
        "Node": Node,
        "NO_PARAMS": NO_PARAMS,
        "UNSET": UNSET,
        "tape": tape,
        "new": object.__new__,
    }
    exec(compile(text, f"<{left} {symbol} {right}>", "exec"), names)
    make: Callable[..., Run] = names["make"]
    return make
