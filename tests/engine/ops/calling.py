"""What the tests of operations share: leaves, functions by name, gradients as lists.

Imported as `engine.ops.calling` (tests/ is on the path).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.methods import FUNCTIONS
from autodiff_cli.engine.registry import settle
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap


def leaf(values: Any, dtype: str = "float64") -> Tensor:
    """A tensor that requires a gradient."""
    return new_leaf(settle(np.array(values, dtype=dtype)))


def const(values: Any, dtype: str | None = None) -> Tensor:
    """A tensor that requires none."""
    return wrap(settle(np.array(values, dtype=dtype)))


def fn(name: str) -> Callable[..., Any]:
    """A public function: `sin`, `F.relu`, `special.expit`, `Tensor.clamp_`."""
    place, _, bare = name.rpartition(".")
    return FUNCTIONS[place or "torch", bare].call


def call(name: str, *args: Any, **keywords: Any) -> Any:
    with quiet():
        return fn(name)(*args, **keywords)


def listed(t: Tensor) -> Any:
    """A tensor's values as Python numbers."""
    return np.asarray(t.value).tolist()


def slopes(y: Tensor, *leaves: Tensor, order: int = 1) -> list[Any]:
    """The derivatives of the sum of `y`, of an order, one list a leaf (0 where they are on no graph)."""
    with quiet():
        for _ in range(order):
            if not y.requires_grad:
                return [np.zeros(x.shape).tolist() for x in leaves]
            ones = wrap(settle(np.ones_like(np.asarray(y.value))))
            found = autograd.grad(y, leaves, ones, create_graph=True, allow_unused=True, materialize_grads=True)
            y = found[0]
    return [listed(d) for d in found]
