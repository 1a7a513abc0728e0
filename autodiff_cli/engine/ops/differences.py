"""Differences and integrals of sampled values: diff, trapezoid, cumulative_trapezoid; in PyTorch's steps."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, dims_arg, int_arg, tensor_arg
from autodiff_cli.engine.inplace import copy_into
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.arithmetic import add, div_number, mul, mul_number, sub
from autodiff_cli.engine.ops.cutting import select, slice_op
from autodiff_cli.engine.ops.declare import number_arg
from autodiff_cli.engine.ops.joining import cat
from autodiff_cli.engine.ops.making import filled
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.scans import cumsum_op
from autodiff_cli.engine.ops.structure import MISSING, as_view, reshape_to
from autodiff_cli.engine.registry import OPS, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault


def _range(t: Tensor, dim: int, start: int, stop: int) -> Tensor:
    return as_view(slice_op, t, {"dim": dim, "start": start, "stop": max(start, stop), "step": 1})


@public("diff", about="the differences of neighbours along a dimension, n times over")
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """n times the differences of neighbours along `dim`, which loses n entries.

    Raises:
        RuntimeFault: a 0-d tensor, a negative n, or an end with other dimensions.
    """
    t = tensor_arg(input, "diff")
    if not t.ndim:
        raise RuntimeFault("diff: a 0-d tensor has no neighbours")
    at, times_over = dim_arg(dim, t.ndim, "diff"), int_arg(n, "diff", "n")
    if times_over < 0:
        raise RuntimeFault(f"diff: n can't be negative: {times_over}")
    parts = [t]
    for name, extra in (("prepend", prepend), ("append", append)):
        if extra is not None:
            if tensor_arg(extra, "diff", name).ndim != t.ndim:
                raise RuntimeFault(f"diff: {name} has {extra.ndim} dimensions and the tensor {t.ndim}")
            parts = [extra, *parts] if name == "prepend" else [*parts, extra]
    if len(parts) > 1:
        t = cat(parts, at)
    if times_over == 0:
        return copy_into(wrap(filled(tuple(t.shape), 0, t.dtype)), t)
    for _ in range(min(times_over, max(t.shape[at], 1))):
        size = t.shape[at]
        late, early = _range(t, at, min(1, size), size), _range(t, at, 0, max(size - 1, 0))
        t = OPS["ne" if t.dtype.name == "bool" else "sub"](late, early)
    return t


def _sampled(name: str, y: Any, x: Any, dx: Any, dim: Any) -> tuple[Tensor, Tensor | None, float, int]:
    """Values, the points they were sampled at (or their distance), and the dimension."""
    t = tensor_arg(y, name, "y")
    if x is None and dx is MISSING:
        raise TypeFault(f"{name}: the argument 'x' must be a tensor, not None", hint="a distance is dx=")
    x = None if x is MISSING else x
    if t.dtype.name == "bool":
        raise RuntimeFault(f"{name} is not defined for bool tensors", hint="convert them first, as with y.double()")
    if not t.ndim:
        raise IndexFault(f"{name}: a 0-d tensor has no samples to join")
    at = dim_arg(dim, t.ndim, name)
    if x is not None and type(x) is not Tensor:
        raise TypeFault(f"{name}: the argument 'x' must be a tensor, not {type(x).__name__}", hint="a distance is dx=")
    step = 1 if dx is MISSING else number_arg(dx, name, "dx")
    if x is None:
        return t, None, step, at
    if x.ndim == 0 or (x.ndim == 1 and x.shape[0] != t.shape[at]):
        raise RuntimeFault(f"{name}: there are points of shape {x.shape} for {t.shape[at]} samples")
    if x.ndim == 1:
        x = as_view(reshape_to, x, {"shape": (*(1,) * at, x.shape[0], *(1,) * (t.ndim - at - 1))})
    gaps = sub(_range(x, at, 1, x.shape[at]), _range(x, at, 0, x.shape[at] - 1))
    return t, gaps, step, at


def _pairs(t: Tensor, dim: int) -> Tensor:
    """The sums of neighbours."""
    n = t.shape[dim]
    return apply(add, (_range(t, dim, 0, n - 1), _range(t, dim, min(1, n), n)), NO_PARAMS)


@public("trapezoid", "trapz", places=("torch",), about="the integral of samples by the trapezoidal rule")
def trapezoid(y: Tensor, x: Any = MISSING, *, dx: Any = MISSING, dim: int = -1) -> Tensor:
    t, gaps, step, at = _sampled("trapezoid", y, x, dx, dim)
    if t.shape[at] == 0:
        return wrap(np.zeros(t.shape[:at] + t.shape[at + 1 :], t.dtype.name))
    if gaps is not None:
        areas = apply(mul, (_pairs(t, at), gaps), NO_PARAMS)
        return apply(div_number, (sum_(areas, at), 2.0), NO_PARAMS)
    ends = mul_number(add(select(t, at, 0), select(t, at, -1)), 0.5)
    return apply(mul_number, (sub(sum_(t, at), ends), step), NO_PARAMS)


@public("cumulative_trapezoid", places=("torch",), about="the running integral of samples by the trapezoidal rule")
def cumulative_trapezoid(y: Tensor, x: Any = MISSING, *, dx: Any = MISSING, dim: int = -1) -> Tensor:
    t, gaps, step, at = _sampled("cumulative_trapezoid", y, x, dx, dim)
    if gaps is not None:
        areas = apply(cumsum_op, (mul(_pairs(t, at), gaps),), {"dim": at})
        return apply(div_number, (areas, 2.0), NO_PARAMS)
    return apply(cumsum_op, (mul_number(_pairs(t, at), step / 2.0),), {"dim": at})


# --- gradient -----------------------------------------------------------------------------------------------


@public("gradient", places=("torch",), about="the slopes of samples by central differences, one tensor a dimension")
def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:
    """A tensor of the input's shape for each dimension; `spacing` is in the unit of the coordinates.

    Raises:
        NotImplementedFault: points given as tensors.
        RuntimeFault: another edge_order, other many spacings than dimensions, or too few samples.
    """
    t = tensor_arg(input, "gradient")
    dims = dims_arg(dim, t.ndim, "gradient")
    if edge_order not in (1, 2):
        raise RuntimeFault(f"gradient: edge_order is 1 or 2, not {edge_order}")
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    if any(type(s) is Tensor for s in steps):
        raise NotImplementedFault("gradient: points given as tensors are not supported", hint="spacing takes numbers")
    if len(steps) != len(dims):
        raise RuntimeFault(f"gradient: {len(steps)} spacings are given for {len(dims)} dimensions")
    for d in dims:
        if not t.ndim or t.shape[d] < edge_order + 1:
            raise RuntimeFault(f"gradient: {edge_order + 1} samples or more are needed in each dimension")
    return tuple(
        _slopes(t, d, number_arg(s, "gradient", "spacing"), edge_order) for d, s in zip(dims, steps, strict=True)
    )


def _slopes(t: Tensor, dim: int, step: Any, order: int) -> Tensor:
    n = t.shape[dim]

    def part(start: int, stop: int) -> Tensor:
        return _range(t, dim, start, stop)

    inner = div_tensor(sub(part(2, n), part(0, n - 2)), 2.0 * step)
    if order == 1:
        first = div_tensor(sub(part(1, 2), part(0, 1)), step)
        last = div_tensor(sub(part(n - 1, n), part(n - 2, n - 1)), step)
    else:
        a, b, c = part(0, 1), part(1, 2), part(2, 3)
        first = div_tensor(add(mul_number(a, -1.5), sub(mul_number(b, 2.0), mul_number(c, 0.5))), step)
        a, b, c = part(n - 1, n), part(n - 2, n - 1), part(n - 3, n - 2)
        last = div_tensor(add(mul_number(a, 1.5), sub(mul_number(c, 0.5), mul_number(b, 2.0))), step)
    joined: Tensor = cat([first, inner, last], dim)
    return joined


def div_tensor(x: Any, number: float) -> Any:
    """x / number."""
    return apply(div_number, (x, float(number)), NO_PARAMS)
