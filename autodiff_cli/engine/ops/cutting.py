"""A part of a tensor as a view: select, slice, narrow, and the parts of split, chunk and unbind; unfold.

Each has for its rule an operation that puts the cotangent into zeros of the operand's shape, and that one has
the view for its own rule, so any order of derivative works.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import dim_arg, int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.structure import Shape, as_view, product
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault

_ALL = slice(None)


def zeros_for(g: Any, shape: Shape) -> Any:
    """Zeros of a shape, in the dtype of a raw cotangent."""
    return np.zeros(shape, np.float64 if type(g) is float else g.dtype)


def _part_op(name: str, array: Any, rule: Any, about: str) -> Op:
    """A view of a part. PyTorch has a node for each way to ask for one: x[0] and unbind differ in name alone."""
    return primitive(name, array, [rule], view=True, formulas=("1",), about=about)


# --- select -------------------------------------------------------------------------------------------------


def _select(x: Any, *, dim: int, index: int) -> Any:
    # the ellipsis makes numpy give a 0-d array that shares memory where it would copy a number
    return np.asarray(x)[index, ...] if dim == 0 else np.asarray(x)[(*(_ALL,) * dim, index, ...)]


def _select_backward(g: Any, *, shape: Shape, dim: int, index: int) -> Any:
    out = zeros_for(g, shape)
    out[(*(_ALL,) * dim, index)] = g
    return out


def _select_rule(g: Any, _y: Any, like_x: Any, *, dim: int, index: int) -> Any:
    return select_backward(g, shape=shape_of(like_x), dim=dim, index=index)


select_op, unbind_op = (
    _part_op(name, _select, _select_rule, "one entry of a dimension") for name in ("select", "unbind")
)
select_backward: Op = primitive(
    "select_backward",
    _select_backward,
    [lambda g, _y, _x, *, shape, dim, index: select_op(g, dim=dim, index=index)],
    grad_fn="SelectBackwardBackward0",
    formulas=("1",),
    about="zeros with one entry of a dimension filled",
)


# --- slice --------------------------------------------------------------------------------------------------


def _slice(x: Any, *, dim: int, start: int, stop: int, step: int) -> Any:
    return np.asarray(x)[(*(_ALL,) * dim, slice(start, stop, step))]


def _slice_backward(g: Any, *, shape: Shape, dim: int, start: int, stop: int, step: int) -> Any:
    out = zeros_for(g, shape)
    out[(*(_ALL,) * dim, slice(start, stop, step))] = g
    return out


def _slice_rule(g: Any, _y: Any, like_x: Any, *, dim: int, start: int, stop: int, step: int) -> Any:
    return slice_backward(g, shape=shape_of(like_x), dim=dim, start=start, stop=stop, step=step)


slice_op, split_op, split_sizes_op = (
    _part_op(name, _slice, _slice_rule, "a range of a dimension") for name in ("slice", "split", "split_with_sizes")
)
slice_backward: Op = primitive(
    "slice_backward",
    _slice_backward,
    [lambda g, _y, _x, *, shape, dim, start, stop, step: slice_op(g, dim=dim, start=start, stop=stop, step=step)],
    grad_fn="SliceBackwardBackward0",
    formulas=("1",),
    about="zeros with a range of a dimension filled",
)

alias_op: Op = primitive(
    "alias",
    lambda x: np.asarray(x)[...],
    [lambda g, _y, _x: g],
    view=True,
    formulas=("1",),
    about="the whole tensor, as a view",
)


@public("select", ops=(select_op,), about="one entry of a dimension, without the dimension")
def select(input: Tensor, dim: int, index: int) -> Tensor:
    """A view without the dimension; a negative index counts from the end.

    Raises:
        IndexFault: a 0-d tensor, or an index out of range.
    """
    t, i = tensor_arg(input, "select"), int_arg(index, "select", "index")
    dim = int_arg(dim, "select", "dim")
    if not t.ndim:
        raise IndexFault("select: a 0-d tensor has no dimension to select from")
    at = dim_arg(dim, t.ndim, "select")
    n = t.shape[at]
    if not -n <= i < n:
        raise IndexFault(f"select: index {i} is out of range for dimension {at} of size {n}")
    return as_view(select_op, t, {"dim": at, "index": i % n})


@public("narrow", ops=(slice_op,), about="`length` entries of a dimension from `start` on")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A view in which the dimension has the size `length`.

    Raises:
        IndexFault: start is out of range.
        RuntimeFault: a 0-d tensor, a negative length, or one that goes past the end.
    """
    t, dim = tensor_arg(input, "narrow"), int_arg(dim, "narrow", "dim")
    first, count = int_arg(start, "narrow", "start"), int_arg(length, "narrow", "length")
    if not t.ndim:
        raise RuntimeFault("narrow: a 0-d tensor has no dimension to narrow")
    at = dim_arg(dim, t.ndim, "narrow")
    n = t.shape[at]
    if count < 0:
        raise RuntimeFault(f"narrow: the length can't be negative: {count}")
    if not -n <= first <= n:
        raise IndexFault(f"narrow: start {first} is out of range for dimension {at} of size {n}")
    first = first + n if first < 0 else first
    if first + count > n:
        raise RuntimeFault(f"narrow: start {first} and length {count} go past the size {n} of dimension {at}")
    return as_view(slice_op, t, {"dim": at, "start": first, "stop": first + count, "step": 1})


# --- unfold -------------------------------------------------------------------------------------------------


def _unfold(x: Any, *, dim: int, size: int, step: int) -> Any:
    x = np.asarray(x)
    if not x.ndim:
        return x.reshape(1)[:size]
    windows = np.lib.stride_tricks.sliding_window_view(x, size, dim, writeable=True)
    return windows[(*(_ALL,) * dim, slice(None, None, step))]


def _unfold_backward(g: Any, *, shape: Shape, dim: int, size: int, step: int) -> Any:
    out = zeros_for(g, shape)
    if not shape:
        return g.reshape(-1).sum() if g.size else out
    count = g.shape[dim]
    for k in range(size):  # entry k of every window: no two are the same place, so one addition serves them all
        stop = k + step * (count - 1) + 1 if count else k
        out[(*(_ALL,) * dim, slice(k, stop, step))] += g[..., k]
    return out


unfold_op: Op = primitive(
    "unfold",
    _unfold,
    [
        lambda g, _y, like_x, *, dim, size, step: unfold_backward(
            g, shape=shape_of(like_x), dim=dim, size=size, step=step
        )
    ],
    view=True,
    formulas=("1",),
    about="windows along a dimension, as a new last dimension",
)
unfold_backward: Op = primitive(
    "unfold_backward",
    _unfold_backward,
    [lambda g, _y, _x, *, shape, dim, size, step: unfold_op(g, dim=dim, size=size, step=step)],
    grad_fn="UnfoldBackwardBackward0",
    about="windows added back to where they came from",
)


@public(
    "unfold",
    places=("Tensor",),
    ops=(unfold_op,),
    about="windows of `size` entries, every `step`, along a dimension",
)
def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """A view: the dimension has the number of windows, and a new last one their size.

    Raises:
        RuntimeFault: a window that does not fit, or a step below 1.
    """
    at = dim_arg(dimension, input.ndim, "unfold")
    width, stride = int_arg(size, "unfold", "size"), int_arg(step, "unfold", "step")
    n = input.shape[at] if input.ndim else 1
    if width < 0 or width > n:
        raise RuntimeFault(f"unfold: windows of {width} don't fit into dimension {at} of size {n}")
    if stride <= 0:
        raise RuntimeFault(f"unfold: the step must be positive, not {stride}")
    check_size(product(input.shape) // max(n, 1) * ((n - width) // stride + 1) * width, "unfold")
    return as_view(unfold_op, input, {"dim": at, "size": width, "step": stride})
