"""Entries picked and placed by an index tensor along a dimension: index_select, gather, take; scatter,
index_add, ...

The index is an operand, so that a change of it in place before backward is noticed. Some rules name an operand of which
they need the shape alone: PyTorch saves it there, and minds when it is changed. Places that occur twice
get the sum in backward. `add_at` is the one routine that sums into places.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.cutting import slice_op, zeros_for
from autodiff_cli.engine.ops.structure import Shape, product
from autodiff_cli.engine.registry import OPS, Op, primitive, shape_of
from autodiff_cli.errors import IndexFault, RuntimeFault

# --- raw routines -------------------------------------------------------------------------------------------


def add_at(out: Any, dim: int, index: Any, g: Any) -> Any:
    """Add `g` to `out` at entries `index` (any shape, 0 <= i < n) of dimension `dim`; returns the sum.

    `g` has the shape of `out` with `dim` replaced by the index's shape.
    """
    shape = out.shape
    if not np.size(g):
        return out
    n, before, after = shape[dim], product(shape[:dim]), product(shape[dim + 1 :])
    flat = np.asarray(index).reshape(-1)
    if out.dtype == np.float64:  # bincount sums in one pass of C
        if before > 1 or after > 1:
            flat = ((np.arange(before)[:, None] * n + flat)[:, :, None] * after + np.arange(after)).reshape(-1)
        total = np.bincount(flat, np.asarray(g).reshape(-1), before * n * after)
        return out + total.reshape(shape)
    total = out.copy()
    np.add.at(total.reshape(before, n, after), (slice(None), flat), np.asarray(g).reshape(before, flat.size, after))
    return total


def check_index(index: Any, size: int, function: str, dim: int, fault: type = RuntimeFault) -> None:
    """Raises the fault when an entry is not in `0 <= i < size`."""
    index = np.asarray(index)
    if index.size and not (index.min() >= 0 and index.max() < size):
        bad = index[(index < 0) | (index >= size)].reshape(-1)[0]
        raise fault(f"{function}: index {bad} is out of range for dimension {dim} of size {size}")


def places_of(index: Any, dim: int, shape: Shape) -> Any:
    """The places, in the flattened array of `shape`, that gather reads at `index` along `dim`."""
    index = np.asarray(index)
    if not index.ndim or not shape:
        return index
    place: Any = 0
    stride = 1
    for i in reversed(range(index.ndim)):
        if i == dim:
            place = place + (index * stride if stride > 1 else index)
        else:
            there = np.arange(0, index.shape[i] * stride, stride) if index.shape[i] else index[:0].reshape(-1)
            place = place + there.reshape((-1,) + (1,) * (index.ndim - i - 1))
        stride *= shape[i]
    return place


def _vector(x: Any) -> Any:
    x = np.asarray(x)
    return x if x.ndim else x.reshape(1)


# --- index_select -------------------------------------------------------------------------------------------


def _index_select(x: Any, index: Any, *, dim: int) -> Any:
    return _vector(x).take(_vector(index), dim) if np.ndim(x) else np.array(x)


def _index_sum(g: Any, index: Any, *, dim: int, shape: Shape) -> Any:
    return add_at(zeros_for(g, shape or (1,)), dim, index, g).reshape(shape)


index_select_op: Op = primitive(
    "index_select",
    _index_select,
    [lambda g, _y, like_x, index, *, dim: index_sum(g, index, dim=dim, shape=shape_of(like_x)), None],
    formulas=("1", ""),
    about="the entries of a dimension that an index lists",
)
index_sum: Op = primitive(
    "index_sum",
    _index_sum,
    [lambda g, _y, _x, index, *, dim, shape: index_select_op(g, index, dim=dim), None],
    grad_fn="IndexAddBackward0",
    formulas=("1", ""),
    about="entries summed into zeros at the places that an index lists",
)


# --- gather and scatter_add ---------------------------------------------------------------------------------


def _gather(x: Any, index: Any, *, dim: int) -> Any:
    x, index = np.asarray(x), np.asarray(index)
    if not x.ndim or not index.size:
        return np.broadcast_to(x, index.shape).copy() if not x.ndim else np.zeros(index.shape, x.dtype)
    return x.reshape(-1).take(places_of(index, dim, x.shape))


def _gather_sum(g: Any, index: Any, *, dim: int, shape: Shape) -> Any:
    g = np.asarray(g)
    if not shape or not g.size:
        return g.sum() if not shape else zeros_for(g, shape)
    place = places_of(index, dim, shape)
    if g.dtype == np.float64:  # bincount sums in one pass of C
        return np.bincount(place.reshape(-1), g.reshape(-1), product(shape)).reshape(shape)
    out = zeros_for(g, shape)
    np.add.at(out.reshape(-1), place, g)
    return out


gather_op: Op = primitive(
    "gather",
    _gather,
    [lambda g, _y, x, index, *, dim: gather_sum(g, index, dim=dim, shape=shape_of(x)), None],
    formulas=("1", ""),
    about="y[i, j] = x[index[i, j], j] (for dim 0)",
)
gather_sum: Op = primitive(
    "gather_sum",
    _gather_sum,
    [lambda g, _y, _x, index, *, dim, shape: gather_op(g, index, dim=dim), None],
    grad_fn="ScatterAddBackward0",
    formulas=("1", ""),
    about="entries summed into zeros at the places that gather reads",
)


def corner(src: Any, index: Any) -> Any:
    """The corner of `src` (raw) that goes with an index of a smaller shape."""
    src = np.asarray(src)
    if src.ndim != index.ndim:  # one of them is 0-d
        return src.reshape(index.shape) if src.size == index.size else src.reshape(-1)[: index.size]
    return src if src.shape == index.shape else src[tuple(slice(n) for n in index.shape)]


def scattered(x: Any, index: Any, src: Any, dim: int, combine: Any = None) -> Any:
    """A copy of `x` (raw) with `src` (an array, of which the corner counts, or a number) at an index along `dim`.

    `combine`: the ufunc (np.add, ...) of what is there and what comes; None to write over it.
    """
    out, index = np.array(x, order="C"), np.asarray(index)
    if index.size:
        flat, places = out.reshape(-1), places_of(index, dim, out.shape)
        part = corner(src, index) if type(src) is np.ndarray else src
        if combine is None:
            flat[places] = part
        else:
            combine.at(flat, places, part)
    return out


def part_of(src: Any, index: Any) -> Any:
    """In a rule: `corner` as an operation."""
    for d, (n, m) in enumerate(zip(shape_of(src), shape_of(index), strict=False)):
        if m < n:
            src = slice_op(src, dim=d, start=0, stop=m, step=1)
    return src


def source_part(part: Any, like_src: Any) -> Any:
    """In a rule: the cotangent of a source that may be larger than the index (PyTorch fails there)."""
    shape = shape_of(like_src)
    missing = tuple((0, n - m) for n, m in zip(shape, shape_of(part), strict=False))
    return OPS["constant_pad"](part, pads=missing, value=0.0) if any(b for _, b in missing) else part


scatter_op: Op = primitive(
    "scatter",
    lambda x, index, src, *, dim: scattered(x, index, src, dim),
    [
        lambda g, _y, _x, index, _src, *, dim: scatter_value_op(g, index, dim=dim, value=0.0),
        None,
        lambda g, _y, _x, index, like_src, *, dim: source_part(gather_op(g, index, dim=dim), like_src),
    ],
    formulas=("0 where written, else 1", "", "1"),
    about="a copy of x with src written at an index along a dimension",
)
scatter_value_op: Op = primitive(
    "scatter_value",
    lambda x, index, *, dim, value: scattered(x, index, value, dim),
    [lambda g, _y, _x, index, *, dim, value: scatter_value_op(g, index, dim=dim, value=0.0), None],
    grad_fn="ScatterBackward1",
    formulas=("0 where written, else 1", ""),
    about="a copy of x with a number written at an index along a dimension",
)
scatter_add_op: Op = primitive(
    "scatter_add",
    lambda x, index, src, *, dim: scattered(x, index, src, dim, np.add),
    [
        lambda g, _y, _x, _index, _src, *, dim: g,
        None,
        lambda g, _y, _x, index, like_src, *, dim: source_part(gather_op(g, index, dim=dim), like_src),
    ],
    formulas=("1", "", "1"),
    about="a copy of x with src added at an index along a dimension",
)


# --- take ---------------------------------------------------------------------------------------------------


def _take(x: Any, index: Any) -> Any:
    try:
        return np.asarray(x).take(np.asarray(index))
    except IndexError:
        raise IndexFault(f"take: an index is out of range for a tensor of {np.size(x)} elements") from None


def _take_sum(g: Any, index: Any, *, shape: Shape) -> Any:
    index = np.asarray(index)
    n = product(shape)
    return add_at(zeros_for(g, (n,)), 0, np.where(index < 0, index + n, index), g).reshape(shape)


take_op: Op = primitive(
    "take",
    _take,
    [lambda g, _y, x, index: take_sum(g, index, shape=shape_of(x)), None],
    formulas=("1", ""),
    about="entries by their number in the flattened tensor",
)
take_sum: Op = primitive(
    "take_sum",
    _take_sum,
    [lambda g, _y, _x, index, *, shape: take_op(g, index), None],
    grad_fn="PutBackward0",
    formulas=("1", ""),
    about="entries summed into zeros by their number in the flattened tensor",
)


def _put(x: Any, index: Any, source: Any, *, accumulate: bool) -> Any:
    out, index = np.array(x), np.asarray(index).reshape(-1)
    flat, part = out.reshape(-1), np.asarray(source).reshape(-1)
    if accumulate:
        np.add.at(flat, index, part)
    else:
        flat[index] = part
    return out


put_op: Op = primitive(
    "put",
    _put,
    [
        lambda g, _y, _x, index, _source, *, accumulate: g if accumulate else put_op(g, index, 0.0, accumulate=False),
        None,
        lambda g, _y, _x, index, like_source, *, accumulate: reshaped(take_op(g, index), like_source),
    ],
    formulas=("0 where written, else 1", "", "1"),
    about="a copy of x with source written, or added, at places of the flattened tensor",
)


# --- index_add, index_copy, index_fill ----------------------------------------------------------------------


def _index_add(x: Any, index: Any, source: Any, *, dim: int, alpha: Any) -> Any:
    x = np.asarray(x)
    part = np.asarray(source) if alpha == 1 else np.asarray(source) * np.asarray(alpha, x.dtype)
    return add_at(_vector(x), dim, _vector(index), part).reshape(x.shape)


def _index_copy(x: Any, index: Any, source: Any, *, dim: int) -> Any:
    out = np.array(x)
    view = out.reshape(1) if not out.ndim else out
    view[(*(slice(None),) * dim, _vector(index))] = source
    return out


index_add_op: Op = primitive(
    "index_add",
    _index_add,
    [
        lambda g, _y, _x, _index, _source, *, dim, alpha: g,
        None,
        lambda g, _y, _x, index, source, *, dim, alpha: reshaped(index_select_op(g, index, dim=dim) * alpha, source),
    ],
    formulas=("1", "", "alpha"),
    about="a copy of x with alpha * source added at entries of a dimension",
)
index_copy_op: Op = primitive(
    "index_copy",
    _index_copy,
    [
        lambda g, _y, _x, index, _source, *, dim: index_fill_op(g, index, 0.0, dim=dim),
        None,
        lambda g, _y, _x, index, source, *, dim: reshaped(index_select_op(g, index, dim=dim), source),
    ],
    formulas=("0 where written, else 1", "", "1"),
    about="a copy of x with source written at entries of a dimension",
)


def reshaped(g: Any, like: Any) -> Any:
    """In a rule: the cotangent in the shape of the operand (a 0-d source counts as a vector of one)."""
    return g if shape_of(g) == shape_of(like) else OPS["reshape_to"](g, shape=shape_of(like))


def _fill_rule(g: Any, _y: Any, _x: Any, index: Any, _value: Any, *, dim: int) -> Any:
    return index_fill_op(g, index, 0.0, dim=dim)


def _fill_op(name: str, grad_fn: str, value_rule: Any) -> Op:
    return primitive(
        name,
        _index_copy,
        [_fill_rule, None, value_rule],
        grad_fn=grad_fn,
        formulas=("0 where written, else 1", "", "1"),
        about="a copy of x with a number written at entries of a dimension",
    )


index_fill_op: Op = _fill_op("index_fill", "IndexFillBackward0", None)
index_fill_tensor_op = _fill_op(
    "index_fill_tensor",
    "IndexFillBackward1",
    # an entry that the index lists twice is written once
    lambda g, _y, _x, index, _value, *, dim: OPS["sum"](g - index_fill_op(g, index, 0.0, dim=dim)),
)
