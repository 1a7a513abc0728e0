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

from autodiff_cli.engine.apply import is_floating
from autodiff_cli.engine.node import NO_PARAMS, Node, make_node
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor


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
