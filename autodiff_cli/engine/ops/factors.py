"""Decompositions with several results: how they share one computation.

A decomposition is computed once; each result is an op of its own on the matrix, and all of them carry the
computed factors (`Parts`), so that a rule finds the factors that belong together. In a rule with tensors (for
derivatives of derivatives) the same factors are tied to the graph again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.apply import attach
from autodiff_cli.engine.registry import Op, primitive, settle
from autodiff_cli.engine.tensor import Tensor, wrap


class Parts(tuple[Any, ...]):
    """The computed factors that results of one decomposition share; private to the decompositions."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} factors>"


class Factors:
    """A decomposition: how it is computed, and the op of each of its parts."""

    def __init__(self, compute: Callable[..., Sequence[Any]]) -> None:
        self.compute = compute
        self.ops: list[Op] = []

    def part(self, name: str, rule: Callable[..., Any], grad_fn: str, about: str, formula: str = "") -> Op:
        """The op of the next part. `rule(g, parts, x, **params)` gets all parts (raw or on the graph)."""
        index = len(self.ops)

        def array(x: Any, *, parts: Any = None, **params: Any) -> Any:
            return (self.compute(x, **params) if parts is None else parts)[index]

        def vjp(g: Any, y: Any, like_x: Any, *, parts: Any = None, **params: Any) -> Any:
            return rule(g, self.parts(like_x, parts, params), like_x, **params)

        op = primitive(name, array, [vjp], grad_fn=grad_fn, about=about, formulas=(formula,) if formula else ())
        self.ops.append(op)
        return op

    def parts(self, x: Any, parts: Any, params: dict[str, Any]) -> Sequence[Any]:
        """The factors of x: raw, or tensors tied to x."""
        if parts is None:
            parts = Parts(self.compute(x.value if isinstance(x, Tensor) else x, **params))
        if not isinstance(x, Tensor):
            return tuple(parts)
        return [
            attach(wrap(settle(value)), op, (x,), {"parts": parts, **params})
            for value, op in zip(parts, self.ops, strict=True)
        ]

    def __call__(self, x: Tensor, **params: Any) -> list[Tensor]:
        return list(self.parts(x, None, params))
