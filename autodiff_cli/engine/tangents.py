"""`no_grad` inside of a function that is differentiated forward.

PyTorch's tangents go through it: `no_grad` stops the recording for backward, and a forward derivative records nothing.
Here a forward derivative is read off the graph, so what runs without gradient mode inside of `jvp` and `jacfwd` is
recorded all the same, with operands behind a gate that only the walks of forward derivatives pass. To every other walk,
and to what saved such a value, the result is the constant that PyTorch makes of it.

Not as there: where a function's forward derivative is differentiated backward (`jacrev(jacfwd(f))`), the tangents that
enter such an operation count as functions of the outer arguments, where PyTorch's are constants, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autodiff_cli.engine import nesting
from autodiff_cli.engine.apply import is_floating
from autodiff_cli.engine.node import ACCUMULATE, NO_PARAMS, Node, make_node
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap


class _Walks:
    """`forward`: the walk that is going on is that of a forward derivative."""

    forward = False


_walks = _Walks()

GATE = Op(
    "tangent_gate",
    lambda x: x,
    [lambda g, _y, _x: g if _walks.forward else None],
    grad_fn="AliasBackward0",
    about="an operand that tangents pass, and cotangents do not",
)


@contextmanager
def forward_walk() -> Iterator[None]:
    """Walks inside are those of a forward derivative: they pass the gates."""
    before, _walks.forward = _walks.forward, True
    try:
        yield
    finally:
        _walks.forward = before


def gated(t: Tensor) -> bool:
    """Whether a change of `t` in place, without gradient mode, hands tangents on: the innermost run is a forward one.

    (Elsewhere `t` may have a history for backward, which such a change leaves as it is.)
    """
    run = next((run for run in reversed(tape.levels) if run.level is not None), None)
    return run is not None and (run.level.forward or (nesting.forward() and _only_tangents(t.node)))


def _only_tangents(node: Node | None) -> bool:
    """Whether no cotangent that comes to a node gets past gates."""
    stack, seen = [node], {node}
    while stack:
        n = stack.pop()
        if n is None or n.op is GATE:
            continue
        if n.op is ACCUMULATE:
            return False
        for x in n.inputs:
            if type(x) is Node and x not in seen:
                seen.add(x)
                stack.append(x)
    return True


def keep_operands(node: Node) -> None:
    """Let the gates in front of an operation have values of their own: its result is about to overwrite an operand."""
    for x in node.inputs:
        if type(x) is Node and x.op is GATE and type(x.value) is not float:
            x.value = x.value.copy()


def behind_gate(t: Tensor) -> Tensor:
    """The tensor as an operand that only tangents come through."""
    twin = wrap(t.value)
    node = current_node(t)
    twin.node = None if node is None else make_node(GATE, t.value, (node,), NO_PARAMS)
    return twin


class Gated:
    """What stands in `tape.events` while a function runs that is differentiated forward.

    It records what runs without gradient mode, behind gates; a ledger that is kept is told of all that it is told elsewhere.
    """

    def __init__(self, ledger: Any) -> None:
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:
        return _nothing if self._ledger is None else getattr(self._ledger, name)

    def unrecorded(self, op: Op, operands: Sequence[Any], result: Tensor, params: dict[str, Any] = NO_PARAMS) -> None:
        """As Ledger.unrecorded."""
        if self._ledger is not None:
            self._ledger.unrecorded(op, operands, result, params)
        if tape.walking or op.vjps is None or not is_floating(result.value):
            return
        if any(type(x) is Node for x in operands):
            behind = [make_node(GATE, x.value, (x,), NO_PARAMS) if type(x) is Node else x for x in operands]
            result.node = make_node(op, result.value, behind, params)


def _nothing(*_args: Any, **_keywords: Any) -> None:
    """Nobody keeps a ledger."""
