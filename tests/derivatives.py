"""What the tests of operation families share: the library's names, tensors, and derivatives held to differences.

`check` is the oracle here: the gradient of a weighted sum against central differences, and the gradient of that
gradient against differences of it. It knows nothing of PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.methods import FUNCTIONS
from autodiff_cli.engine.ops.making import tensor
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap


def names_in(place: str) -> SimpleNamespace:
    """The library's functions of one place, as attributes."""
    return SimpleNamespace(**{name: f.call for (where, name), f in FUNCTIONS.items() if where == place})


torch = names_in("torch")
F = names_in("F")


def leaf(data: Any) -> Tensor:
    """A float64 leaf that requires a gradient."""
    return tensor(data, requires_grad=True) if not isinstance(data, np.ndarray) else new_leaf(data.copy())


def values(t: Any) -> Any:
    """What a tensor holds, or each of a tuple of tensors."""
    return [values(x) for x in t] if isinstance(t, tuple) else t.tolist()


def gradient(f: Callable[..., Any], *data: Any) -> Any:
    """The gradient of `f(...).sum()` at each operand, as lists; of one operand alone if there is one."""
    xs = [leaf(d) for d in data]
    with quiet():
        grads = autograd.grad(f(*xs).sum(), xs, allow_unused=True)
    found = [None if g is None else g.tolist() for g in grads]
    return found[0] if len(found) == 1 else found


def chain(t: Tensor) -> str:
    """The graph of a result, as `MulBackward0(x,-)`: x is a leaf, - an operand without gradient."""

    def told(node: Any) -> str:
        if node is None:
            return "-"
        inner = [told(n) for n, _ in node.next_functions]
        return "x" if node.name().endswith("AccumulateGrad") else f"{node.name()}({','.join(inner)})"

    return told(t.grad_fn) if t.grad_fn is not None else ("x" if t.requires_grad else "-")


def _parts(result: Any) -> list[Tensor]:
    if isinstance(result, tuple):
        return [p for r in result for p in _parts(r)]
    return [result] if result.requires_grad else []


def _weighted(f: Callable[..., Any], xs: list[Tensor]) -> Tensor:
    """A number made of all entries of all results, each with a weight of its own."""
    total: Any = tensor(0.0)
    for part in _parts(f(*xs)):
        weights = np.linspace(0.5, 1.7, max(part.numel(), 1))[: part.numel()].reshape(part.shape)
        total = total + (part * wrap(weights)).sum()
    return total


def check(f: Callable[..., Any], *data: Any, order: int = 2, step: float = 1e-6, tolerance: float = 2e-7) -> None:
    """Hold the derivatives of `f` at arrays `data` to central differences, to the order given."""
    arrays = [np.array(d, dtype=float) for d in data]
    seeds = [np.cos(np.arange(a.size) + 1.0).reshape(a.shape) for a in arrays]

    def level(n: int, points: list[Any]) -> Tensor:
        xs = [new_leaf(np.array(p)) for p in points]
        return _derived(f, xs, seeds, n)[0]

    with quiet():
        for n in range(order):
            xs = [new_leaf(a.copy()) for a in arrays]
            value, slopes = _derived(f, xs, seeds, n)
            del value
            for a, slope, k in zip(arrays, slopes, range(len(arrays)), strict=True):
                found = np.zeros_like(a) if slope is None else np.asarray(slope.value)
                for i in np.ndindex(a.shape):
                    ends = []
                    for sign in (1, -1):
                        moved = [b.copy() for b in arrays]
                        moved[k][i] += sign * step
                        ends.append(level(n, moved).item())
                    difference = (ends[0] - ends[1]) / (2 * step)
                    scale = max(1.0, abs(difference))
                    assert abs(found[i] - difference) <= tolerance * scale * 10**n, (
                        f"order {n + 1}, operand {k}, entry {i}: {found[i]} by rule, {difference} by differences"
                    )


def _derived(f: Callable[..., Any], xs: list[Tensor], seeds: list[Any], n: int) -> tuple[Tensor, Any]:
    """The n-th derivative along the seeds, and its gradient."""
    value = _weighted(f, xs)
    slopes = autograd.grad(value, xs, create_graph=True, allow_unused=True) if value.requires_grad else [None] * len(xs)
    for _ in range(n):
        total: Any = tensor(0.0)
        for slope, seed in zip(slopes, seeds, strict=True):
            if slope is not None:
                total = total + (slope * wrap(seed)).sum()
        value = total
        if not value.requires_grad:
            return value, [None] * len(xs)
        slopes = autograd.grad(value, xs, create_graph=True, allow_unused=True)
    return value, slopes
