"""Order statistics: sort, argsort, topk, kthvalue, median, mode; searchsorted and bucketize.

A result's gradient goes to the entries that were chosen, whose indices are an operand of the op. nan is the
largest value, as in PyTorch. Where PyTorch leaves the order of equal entries open, it is the one that its CPU
kernels give (tie_order.py); in rows that are too long for that, equal entries keep their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.apply import apply, attach
from autodiff_cli.engine.arguments import dim_arg, int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.extremes import SHARED, no_empty, picked, picker, share_equal
from autodiff_cli.engine.ops.gathering import gather_op, gather_sum
from autodiff_cli.engine.ops.making import TORCH, from_data
from autodiff_cli.engine.ops.structure import MISSING, keep_arg
from autodiff_cli.engine.ops.tie_order import LIMIT, kth_place, sorted_places, top_places
from autodiff_cli.engine.registry import Op, primitive, public, settle, shape_of
from autodiff_cli.engine.results import KthValue, Median, Mode, Named, NanMedian, Sort, TopK
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.views import alias
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault

_SMALL = 16  # rows up to this length are sorted by insertion, which is stable

# --- sort ---------------------------------------------------------------------------------------------------


def order(x: Any, dim: int, descending: bool) -> Any:
    """The indices that sort along a dimension, stably; nan counts as the largest."""
    if not descending:
        return np.argsort(x, dim, kind="stable")
    back = (*(slice(None),) * dim, slice(None, None, -1))
    return x.shape[dim] - 1 - np.argsort(x[back], dim, kind="stable")[back]


def _settle_ties(
    x: Any,
    index: Any,
    dim: int,
    descending: bool,
    first: int,
    settle_row: Callable[[list[int]], list[int]],
    every: bool = False,
) -> Any:
    """The order of a dimension with the ties among its first entries as PyTorch's unstable kernels leave them.

    `index`: the stable order. `settle_row`: keys -> places (see tie_order.py), for a row that has such ties, or for
    `every` row.
    """
    n = x.shape[dim]
    if n > LIMIT or n < 2:
        return index
    rows, places = np.moveaxis(x, dim, -1).reshape(-1, n), np.moveaxis(index, dim, -1)
    flat = places.reshape(-1, n)
    ordered = np.take_along_axis(rows, flat, 1)[:, :first]
    same = (ordered[:, 1:] == ordered[:, :-1]) | (
        (ordered[:, 1:] != ordered[:, 1:]) & (ordered[:, :-1] != ordered[:, :-1])
    )
    for i in np.flatnonzero(same.any(1) | every):
        keys = np.unique(rows[i], return_inverse=True)[1]
        found = settle_row((-keys if descending else keys).tolist())
        flat[i, : len(found)] = found
    return np.moveaxis(flat.reshape(places.shape), -1, dim)


def _chooser(name: str, grad_fn: str, about: str) -> Op:
    return primitive(
        name,
        lambda x, index, *, dim: gather_op.array(x, index, dim=dim),
        [lambda g, _y, like_x, index, *, dim: gather_sum(g, index, dim=dim, shape=shape_of(like_x)), None],
        grad_fn=grad_fn,
        formulas=("g put back in the order of x", ""),
        about=about,
    )


sort_op = _chooser("sort", "SortBackward0", "the entries in order along a dimension")
stable_sort_op = _chooser("stable_sort", "SortBackward1", "the entries in order along a dimension")
topk_op = _chooser("topk", "TopkBackward0", "the k largest (or smallest) entries of a dimension")


def _chosen(op: Op, t: Tensor, index: Any, dim: int) -> tuple[Tensor, Tensor]:
    """Values (on the graph) and indices, from raw indices."""
    indices = wrap(settle(index))
    values = settle(gather_op.array(t.value, index, dim=dim))
    return attach(wrap(values), op, (t, indices), {"dim": dim}), indices


def _sorted(
    t: Tensor, dim: Any, descending: Any, function: str, stable: Any = False, op: Op | None = None
) -> tuple[Tensor, Tensor]:
    at = dim_arg(dim, t.ndim, function)
    x = np.asarray(t.value)
    if not x.ndim:
        return _chosen(op or sort_op, t, np.zeros((), np.int64), at)
    index = order(x, at, bool(descending))
    if not stable and x.shape[at] > _SMALL:
        index = _settle_ties(x, index, at, bool(descending), x.shape[at], sorted_places)
    return _chosen(op or sort_op, t, index, at)


@public("sort", ops=(sort_op, stable_sort_op), about="the entries in order along a dimension, with their indices")
def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: Any = MISSING) -> Named:
    t = tensor_arg(input, "sort")
    if stable is MISSING:
        return Sort(_sorted(t, dim, descending, "sort"))
    return Sort(_sorted(t, dim, descending, "sort", stable, stable_sort_op))


@public("argsort", about="the indices that put a dimension in order")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    t = alias(tensor_arg(input, "argsort"))
    return _sorted(t, dim, descending, "argsort", stable)[1]


@public("msort", ops=(sort_op,), about="the entries in order along the first dimension")
def msort(input: Tensor) -> Tensor:
    return _sorted(tensor_arg(input, "msort"), 0, False, "msort")[0]


@public("topk", ops=(topk_op,), about="the k largest (or smallest) entries of a dimension, with their indices")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Named:
    """(values, indices), with k entries in `dim`; the indices are int64.

    Raises:
        RuntimeFault: a bool tensor, or a k that is out of range.
    """
    t = tensor_arg(input, "topk")
    if t.dtype.name == "bool":
        raise RuntimeFault("topk: a bool tensor has no topk in PyTorch", hint="convert it with .int()")
    at = dim_arg(dim, t.ndim, "topk")
    count, x = int_arg(k, "topk", "k"), np.asarray(t.value)
    if not 0 <= count <= (x.shape[at] if x.ndim else 1):
        raise RuntimeFault(
            f"topk: k = {count} is out of range for dimension {at} of size {x.shape[at] if x.ndim else 1}"
        )
    if not x.ndim:
        return TopK(_chosen(topk_op, t, np.zeros((), np.int64), at))
    index = order(x, at, bool(largest))
    if count:
        first = min(count + 1, x.shape[at])
        index = _settle_ties(
            x, index, at, bool(largest), first, lambda keys: top_places(keys, count, bool(sorted)), not sorted
        )
    index = index[(*(slice(None),) * at, slice(0, count))]
    return TopK(_chosen(topk_op, t, np.ascontiguousarray(index), at))


# --- kthvalue, median, mode ---------------------------------------------------------------------------------

kthvalue_op = picker("kthvalue", "KthvalueBackward0", "the k-th smallest entry of a dimension")
median_dim = picker("median_dim", "MedianBackward1", "the median of a dimension (the lower of two)")
nanmedian_dim = picker("nanmedian_dim", "NanmedianBackward1", "the median of the entries that are not nan")
mode_op = picker("mode", "ModeBackward0", "the most frequent entry of a dimension", "of equal entries, the last")


@public("kthvalue", ops=(kthvalue_op,), about="the k-th smallest entry of a dimension, with its index")
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Named:
    """(values, indices) of the k-th smallest, k from 1; the indices are int64.

    Raises:
        NotImplementedFault: a bool tensor; RuntimeFault: a k that is out of range.
    """
    t = tensor_arg(input, "kthvalue")
    if t.dtype.category == 0:
        raise NotImplementedFault("kthvalue is not defined for bool tensors", hint="convert with .long()")
    at = dim_arg(dim, t.ndim, "kthvalue")
    no_empty(t, (at,), "kthvalue")
    count, x = int_arg(k, "kthvalue", "k"), np.asarray(t.value)
    size = x.shape[at] if x.ndim else 1
    if not 1 <= count <= size:
        raise RuntimeFault(f"kthvalue: k = {count} is out of range for dimension {at} of size {size}")
    if x.ndim:
        index = order(x, at, False)
        index = _settle_ties(x, index, at, False, size, lambda keys: _with_kth(keys, count - 1)).take(count - 1, at)
    else:
        index = np.zeros((), np.int64)
    return KthValue(picked(kthvalue_op, t, index, at, keep_arg(keepdim, "kthvalue")))


def _with_kth(keys: list[int], k: int) -> list[int]:
    """Places whose k-th is the one that quickselect finds; the others do not matter."""
    return [kth_place(keys, k)] * (k + 1)


def _median_places(x: Any, dim: int, skip_nan: bool) -> Any:
    """The index of the lower median along a dimension; of the first nan, unless they are skipped."""
    places = order(x, dim, False)
    if x.dtype.kind == "f":
        missing = np.isnan(x).sum(dim, keepdims=True)
    else:
        missing = np.zeros((*x.shape[:dim], 1, *x.shape[dim + 1 :]), np.int64)
    there = x.shape[dim] - missing
    middle = np.where(there > 0, (there - 1) // 2, 0)
    if not skip_nan:  # nan stand at the end of the order
        middle = np.where(missing > 0, there, (x.shape[dim] - 1) // 2)
    return np.take_along_axis(places, middle, dim).squeeze(dim)


def _median_value(x: Any, *, skip_nan: bool) -> Any:
    flat = np.asarray(x).reshape(-1)
    if not flat.size:
        return np.full((), np.nan, flat.dtype) if flat.dtype.kind == "f" else np.zeros((), flat.dtype)
    return flat[_median_places(flat, 0, skip_nan)]


def _whole(name: str, skip_nan: bool) -> Op:
    return primitive(
        f"{name}_all",
        lambda x: _median_value(x, skip_nan=skip_nan),
        [lambda g, y, x: share_equal(g, y, x)],
        scalar=lambda x: x,
        grad_fn=f"{name.capitalize()}Backward0",
        formulas=("where(x == expand(y), expand(g / count), 0)",),
        kinks=SHARED,
        about="the median of all entries (the lower of two)",
    )


median_all = _whole("median", False)
nanmedian_all = _whole("nanmedian", True)


def _median(name: str, whole: Op, along: Op, result: type[Named], skip_nan: bool) -> None:
    def call(input: Tensor, dim: Any = MISSING, keepdim: bool = False) -> Any:
        t = tensor_arg(input, name)
        if t.dtype.name == "bool":
            raise NotImplementedFault(f"{name} is not defined for bool", hint="convert it with .int()")
        keep = keep_arg(keepdim, name, dim)
        if dim is MISSING:
            return apply(whole, (t,), NO_PARAMS)
        at = dim_arg(dim, t.ndim, name)
        no_empty(t, (at,), name)
        x = np.asarray(t.value)
        index = _median_places(x, at, skip_nan) if x.ndim else np.zeros((), np.int64)
        return result(picked(along, t, index, at, keep))

    public(name, ops=(whole, along), about=f"{whole.about}, or of a dimension with its index")(call)


_median("median", median_all, median_dim, Median, False)
_median("nanmedian", nanmedian_all, nanmedian_dim, NanMedian, True)


def _mode_place(row: Any) -> int:
    """The place of the most frequent value (of several, the smallest): the last of its run in order."""
    n = len(row)
    if n <= LIMIT and (n > _SMALL or (row != row).any()):  # here PyTorch compares nan as C++ does: never less
        places = np.array(sorted_places(row.tolist()))
    else:
        places = np.argsort(row, kind="stable")
    ordered = row[places]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # each nan is a run of its own
    return int(places[ends[np.diff(ends, prepend=-1).argmax()]])


@public("mode", ops=(mode_op,), about="the most frequent entry of a dimension, with its (last) index")
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Named:
    t = tensor_arg(input, "mode")
    at = dim_arg(dim, t.ndim, "mode")
    no_empty(t, (at,), "mode")
    x = np.asarray(t.value)
    index = (
        np.apply_along_axis(_mode_place, at, x)
        if x.ndim and x.size
        else np.zeros(x.shape[:at] + x.shape[at + 1 :], np.int64)
    )
    return Mode(picked(mode_op, t, index, at, keep_arg(keepdim, "mode")))


# --- searching: no derivatives ------------------------------------------------------------------------------


def _search(boundaries: Any, values: Any, right: bool, out_int32: Any) -> Tensor:
    side = "right" if right else "left"
    if boundaries.ndim == 1:
        found = np.asarray(np.searchsorted(boundaries, values, side))
    else:
        rows, wanted = boundaries.reshape(-1, boundaries.shape[-1]), values.reshape(-1, values.shape[-1])
        found = np.empty(wanted.shape, np.int64)
        for i, row in enumerate(rows):
            found[i] = np.searchsorted(row, wanted[i], side)
        found = found.reshape(values.shape)
    return wrap(settle(found.astype("int32" if out_int32 else "int64")))


def _values(x: Any, function: str) -> Any:
    if type(x) is Tensor:
        return np.asarray(x.value)
    if type(x) in (float, int, bool):
        return np.asarray(from_data(x, None))
    raise TypeFault(f"{function}: a tensor or a number is looked up, not {type(x).__name__}")


@public("searchsorted", places=TORCH, about="where values would stand in a sorted tensor")
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Tensor:
    boundaries = np.asarray(tensor_arg(sorted_sequence, "searchsorted", "sorted_sequence").value)
    values = _values(input, "searchsorted")
    if side not in (None, "left", "right"):
        raise RuntimeFault(f"searchsorted: side is 'left' or 'right', not {side!r}")
    if side == "left" and right:
        raise RuntimeFault("searchsorted: side='left' and right=True contradict each other")
    if not boundaries.ndim or (boundaries.ndim > 1 and boundaries.shape[:-1] != values.shape[:-1]):
        raise RuntimeFault(
            f"searchsorted: boundaries of shape {boundaries.shape} do not go with values of {values.shape}",
            hint="the boundaries have one dimension, or all but the last dimension of the values",
        )
    if sorter is not None:
        boundaries = np.take_along_axis(boundaries, np.asarray(tensor_arg(sorter, "searchsorted", "sorter").value), -1)
    return _search(boundaries, values, bool(right) or side == "right", out_int32)


@public("bucketize", places=TORCH, about="the number of the interval in which values lie")
def bucketize(input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    edges = tensor_arg(boundaries, "bucketize", "boundaries")
    if edges.ndim != 1:
        raise RuntimeFault(f"bucketize: the boundaries have one dimension, not {edges.ndim}")
    return _search(np.asarray(edges.value), _values(input, "bucketize"), bool(right), out_int32)
