"""The fast paths of operators and comparisons, written out once for each operator and kind of operand.

What a scalar program spends its time in is `a op b` of two floats, at least one of them a 0-d tensor: the value is
computed and the node filled in place. A closure that calls a closure for each operand, and a function for the
operator, needs 1.5 times as long as one that reads its variables from the frame and has the operator in its own code
(measured on a loop of multiply-adds: 0.62 against 0.41 µs an operation). So the few lines below are a template: its text
is completed for the operator and for where the operands come from, compiled once a process, and shared.

A `slot` operand is a variable of the running frame, a `global` one of the module's, a `number` a literal, an `expr` anything
else. Whatever is not two
floats, or two plain numbers, goes to `general`, which evaluates nothing again: it gets the operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.node import NO_PARAMS, Node
from autodiff_cli.engine.ops import arithmetic, powers
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.runtime.functions import UserFunction
from autodiff_cli.runtime.objects import UNSET, Run

INT_MAX = 2**64 - 1  # so that -2**63 and 2**63 - 1 can be written
INT_MIN = -INT_MAX

Operand = tuple[str, Any, Run]  # kind, what to fetch it by, its closure

# For each operator: the op of two tensors, with a number on the right, with a number on the left.
# None: more than one operation, or operands in another order; the general way knows.
FAST: dict[str, tuple[Op, Op, Op | None]] = {
    "+": (arithmetic.add, arithmetic.add, None),
    "-": (arithmetic.sub, arithmetic.sub, None),
    "*": (arithmetic.mul, arithmetic.mul, None),
    "/": (arithmetic.div, arithmetic.div, None),
    "**": (powers.pow_tensor, powers.pow_scalar, powers.pow_base),
}

_VALUE = {"+": "x + y", "-": "x - y", "*": "x * y", "/": "x / y", "**": "op.scalar(x, y)"}
_FETCH = {"slot": "f[{side}]", "global": "{side}[0][{side}[1]]", "expr": "{side}(f)", "number": "{side}"}

_TEMPLATE = """
def make(left, right, site, general, with_tensor, number_right, number_left, missing):
    def run(f):
        a = {fetch_left}
        b = {fetch_right}
{commute}        if type(a) is Tensor:
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
{plain}            return general({again_left}, {again_right})
        if type(x) is not float or type(y) is not float:
            return general({again_left}, {again_right})
        try:
            value = {value}
        except (ArithmeticError, ValueError):
            return general(a, b)
        t = Tensor()
        t.value = value
        t.aux = None
        if (na is None and nb is None) or not tape.grad_enabled:
            t.node = None
            if tape.events is not None and not tape.grad_enabled:
                tape.events.unrecorded(op, (na if na is not None else a, nb if nb is not None else b), t)
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

# `2 * x` is `x * 2` to PyTorch, which asks the tensor: the node has the tensor first.
_COMMUTE = """\
        if type(b) is Tensor and type(a) in NUMBER:
            a, b = b, a
"""

# Two of Python's own numbers; ints stay within 64 bits, as everywhere in the language.
_PLAIN_NUMBERS = """\
            if type(a) in NUMBER and type(b) in NUMBER:
                value = {plain_value}
                if type(value) is float or INT_MIN <= value <= INT_MAX:
                    return value
"""
_PLAIN_VALUE = {"+": "a + b", "-": "a - b", "*": "a * b"}

_PLAIN_TEMPLATE = """
def make(left, right, site, general, missing):
    def run(f):
        a = {fetch_left}
        b = {fetch_right}
        if type(a) is int and type(b) is int and b > 0:
            return a {symbol} b
        return general({again_left}, {again_right})
    return run
"""

_TEST_TEMPLATE = """
def make(left, right, site, general, missing):
    def run(f):
        a = {fetch_left}
        b = {fetch_right}
        x = a.value if type(a) is Tensor else a
        y = b.value if type(b) is Tensor else b
        if type(x) in NUMBER and type(y) in NUMBER:
            return x {symbol} y
        return general({again_left}, {again_right})
    return run
"""

_CALL_TEMPLATE = """
def make(func, args, site, general, missing):
    {unpack}
    def run(f):
        target = {fetch_func}
        {fetch_args}
        if type(target) is UserFunction and target.plain_count == {count}{all_set}:
            return target.run([target.closure, {args}*target.padding])
        return general(f, target, [{args_again}])
    return run
"""

_made: dict[tuple[str, ...], Callable[..., Run]] = {}


def fused(symbol: str, left: Operand, right: Operand, site: Any, general: Any) -> Run:
    """The closure of `left symbol right`.

    An operand is (kind, what to fetch it by, its closure): a slot's number, a literal, or the closure again.
    `general(a, b)` is the operator on anything.
    """
    make = _maker(_TEMPLATE, symbol, left[0], right[0])
    return make(left[1], right[1], site, general, *FAST[symbol], (left[2], right[2]))


def fused_whole(symbol: str, left: Operand, right: Operand, site: Any, general: Any) -> Run:
    """The closure of `left % right` or `left // right`: quick for two ints."""
    return _maker(_PLAIN_TEMPLATE, symbol, left[0], right[0])(left[1], right[1], site, general, (left[2], right[2]))


def fused_test(symbol: str, left: Operand, right: Operand, site: Any, general: Any) -> Run:
    """The closure of a comparison of which only the truth is asked: two scalars compare without a tensor in between."""
    return _maker(_TEST_TEMPLATE, symbol, left[0], right[0])(left[1], right[1], site, general, (left[2], right[2]))


def fused_call(func: Operand, args: Sequence[Operand], site: Any, general: Any) -> Run:
    """The closure of `func(args)`: a function of the program with plain parameters gets its frame right here.

    `general(frame, func, args)` calls anything else.
    """
    kinds = tuple(a[0] for a in args)
    key = (_CALL_TEMPLATE, func[0], *kinds)
    make = _made.get(key)
    if make is None:
        names = [f"x{i}" for i in range(len(args))]
        text = _CALL_TEMPLATE.format(
            unpack="".join(f"a{i} = args[{i}]; " for i in range(len(args))) or "pass",
            fetch_func=_FETCH[func[0]].format(side="func"),
            fetch_args="; ".join(f"x{i} = " + _FETCH[k].format(side=f"a{i}") for i, k in enumerate(kinds)) or "pass",
            count=len(args),
            all_set="".join(f" and {x} is not UNSET" for x in names),
            args="".join(f"{x}, " for x in names),
            args_again=", ".join(f"{x} if {x} is not UNSET else missing[{i}](f)" for i, x in enumerate(names)),
        )
        make = _made[key] = _compiled(text, f"<call {' '.join(key[1:])}>")
    return make(func[1], [a[1] for a in args], site, general, [a[2] for a in args])


def _maker(template: str, symbol: str, left: str, right: str) -> Callable[..., Run]:
    key = (template, symbol, left, right)
    make = _made.get(key)
    if make is None:
        make = _made[key] = _write(*key)
    return make


def _write(template: str, symbol: str, left: str, right: str) -> Callable[..., Run]:
    text = template.format(
        symbol=symbol,
        fetch_left=_FETCH[left].format(side="left"),
        fetch_right=_FETCH[right].format(side="right"),
        # a slot that nothing was assigned to is found out here, off the fast path
        again_left="a if a is not UNSET else missing[0](f)",
        again_right="b if b is not UNSET else missing[1](f)",
        value=_VALUE.get(symbol, ""),
        commute=_COMMUTE if symbol in "+*" else "",
        plain=_PLAIN_NUMBERS.format(plain_value=_PLAIN_VALUE[symbol]) if symbol in _PLAIN_VALUE else "",
    )
    return _compiled(text, f"<{left} {symbol} {right}>")


def _compiled(text: str, title: str) -> Callable[..., Run]:
    names: dict[str, Any] = {
        "Tensor": Tensor,
        "UserFunction": UserFunction,
        "Node": Node,
        "NO_PARAMS": NO_PARAMS,
        "UNSET": UNSET,
        "tape": tape,
        "NUMBER": frozenset((int, float)),
        "INT_MIN": INT_MIN,
        "INT_MAX": INT_MAX,
    }
    exec(compile(text, title, "exec"), names)
    make: Callable[..., Run] = names["make"]
    return make
