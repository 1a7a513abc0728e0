"""The lines of Python that `inline.py` puts together, and the names they use.

In them `t` is the variable of a value, `x`, `y` and `v` those of raw values, `n`, `m` of nodes; {a} and {b} are the operands as
values of the language, as `general` takes them. A `t` that is None stands for the value and the node beside it (a pair).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.node import NO_PARAMS, NOTHING, Node
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.runtime.functions import UserFunction
from autodiff_cli.runtime.objects import BREAK, CONTINUE, UNSET, Namespace, Native

INT_MAX = 2**64 - 1  # so that -2**63 and 2**63 - 1 can be written
INT_MIN = -INT_MAX


def _whole(value: Any, node: Node | None) -> Tensor:
    """The tensor of a pair."""
    t = Tensor()
    t.value = value
    t.aux = None
    t.node = node
    return t


def _off_graph(op: Op, a: Any, b: Any, value: Any) -> Tensor:
    """The result of an operation that is not recorded, at least one operand being a tensor."""
    t = _whole(value, None)
    if tape.events is not None and not tape.grad_enabled:
        operands = tuple(z.node if type(z) is Tensor and z.node is not None else z for z in (a, b))
        tape.events.unrecorded(op, operands, t)
    return t


def _rest(general: Callable[[Any, Any], Any], op: Op, a: Any, b: Any, value: Any, commutes: bool) -> Any:
    """Two floats of which none is on the graph, or nothing is recorded."""
    if type(a) is Tensor or (commutes and type(b) is Tensor):
        return _off_graph(op, a, b, value)
    return general(a, b)


FETCH = {"slot": "{t} = f[{k}]", "global": "{t} = {k}[{i}]", "expr": "{t} = {k}(f)"}

UNPACK = {
    "any": """
if type({t}) is Tensor:
    {x} = {t}.value
    {n} = {t}.node
else:
    {x} = {t}
    {n} = None
""",
    "pair": """
if {t} is not None:
    if type({t}) is Tensor:
        {x} = {t}.value
        {n} = {t}.node
    else:
        {x} = {t}
        {n} = None
""",
}

TENSOR = """
if {t} is None:
    {t} = Tensor()
    {t}.value = {x}
    {t}.aux = None
    {t}.node = {n}
"""

REFUSE = """
if {t} is UNSET:
    {t} = {missing}(f)
"""

# what stands for `{node}` in the others: the node of a pair, with the lines that give it its operands
NODE = """
{t} = None
{n} = Node()
{n}.op = {op}
{n}.value = {v}
{operands}
{n}.params = NO_PARAMS
{n}.seq = tape.seq = tape.seq + 1
{n}.site = {site}
{n}.cot = None
{n}.meta = None
"""
BINARY = """
if {floats}:
    {v} = {x} {symbol} {y}
    if ({recorded}) and tape.grad_enabled:
        {node}
    elif {plain}:
        {t} = {v}
    else:
        {t} = rest({general}, {op}, {a}, {b}, {v}, {commutes})
"""
POWER = """
if {floats} and ({tensor}):
    op = {op}
    try:
        {v} = op.scalar({x}, {y})
    except (ArithmeticError, ValueError):
        {v} = None
    if {v} is None:
        {t} = {general}({a}, {b})
    elif ({recorded}) and tape.grad_enabled:
        {node}
    else:
        {t} = off_graph(op, {a}, {b}, {v})
"""
# ints stay within 64 bits, as everywhere in the language
INTS = """
elif {ints}:
    {t} = {left} {symbol} {right}
    if {t} > INT_MAX or {t} < INT_MIN:
        {t} = {general}({a}, {b})
"""
OTHERWISE = """
else:
    {t} = {general}({a}, {b})
"""
NEGATIVE = """
if type({x}) is float and {n} is not None and tape.grad_enabled:
    {v} = -{x}
    {node}
else:
    {t} = {general}({a})
"""
SCALAR = """
if type({x}) is float and {n} is not None and tape.grad_enabled:
    op = {op}
    try:
        {v} = op.scalar({x})
    except (ArithmeticError, ValueError):
        {v} = None
    if type({v}) is float:
        {node}
    else:
        {t} = {general}
else:
    {t} = {general}
"""
CALL = """
if type({target}) is UserFunction and {target}.plain_count == {count}:
    {t} = {target}.run([{target}.closure, {frame}*{target}.padding])
else:
    {t} = {general}(f, {target}, [{values}])
"""
CALL_WRITTEN_OUT = """
if type({target}) is UserFunction and {target}.plain_count == {count}:
    {state}.fuel -= {target}.weight
    if {state}.fuel < 0:
        {state}.refuel({target}.site)
    if {state}.depth >= {state}.max_depth:
        {target}.refuse_depth()
    {state}.depth += 1
    try:
        {t} = {target}.body.run([{target}.closure, {frame}*{target}.padding])
    finally:
        {state}.depth -= 1
    if {t} is not None:
        {t} = {t}[0]
else:
    {t} = {general}(f, {target}, [{values}])
"""

SPACE: dict[str, Any] = {
    "Tensor": Tensor,
    "UserFunction": UserFunction,
    "Namespace": Namespace,
    "Native": Native,
    "Node": Node,
    "NOTHING": NOTHING,
    "NO_PARAMS": NO_PARAMS,
    "UNSET": UNSET,
    "BREAK": BREAK,
    "CONTINUE": CONTINUE,
    "tape": tape,
    "INT_MIN": INT_MIN,
    "INT_MAX": INT_MAX,
    "whole": _whole,
    "off_graph": _off_graph,
    "rest": _rest,
}
