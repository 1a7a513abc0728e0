"""Entries read by an index or a mask: index_select, gather, take, take_along_dim, masked_select, nonzero.

The public functions over gathering.py; writing is in placing.py. What is checked here, in PyTorch's order:
the index's dtype, the numbers of dimensions, the sizes, the entries.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.expanding import common_shape, expand
from autodiff_cli.engine.ops.gathering import check_index, gather_op, index_select_op, take_op
from autodiff_cli.engine.ops.shaping import reshape
from autodiff_cli.engine.ops.structure import Shape
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, RuntimeFault

_INDEX_DTYPES = ("int64", "int32")


def index_arg(index: Any, function: str, *, only_int64: bool = False, empty: bool = False) -> Tensor:
    """The argument `index`: a tensor of integers; with `empty`, one of nothing may have any dtype.

    Raises:
        TypeFault: it is no tensor.
        RuntimeFault: its dtype is not int64 (or int32).
    """
    t = tensor_arg(index, function, "index")
    if t.dtype.name != "int64" and not (empty and not t.numel()) and (only_int64 or t.dtype.name not in _INDEX_DTYPES):
        raise RuntimeFault(f"{function}: the index must be int64, not {t.dtype}", hint="convert it with .long()")
    return t


def vector_index(index: Any, function: str, fault: type) -> Tensor:
    """The argument `index`: a vector (or a 0-d tensor) of integers.

    Raises:
        TypeFault, RuntimeFault: as `index_arg`; the `fault` given: it has more dimensions.
    """
    t = tensor_arg(index, function, "index")
    if t.ndim > 1:
        raise fault(f"{function}: the index has {t.ndim} dimensions; a list of entries has one")
    return index_arg(t, function)


def size_along(t: Tensor, dim: int) -> int:
    """The size of a dimension; a 0-d tensor counts as a vector of one."""
    return t.shape[dim] if t.ndim else 1


def same_dtype(t: Tensor, source: Tensor, function: str) -> None:
    """Raises RuntimeFault when what is written has another dtype than what it is written into."""
    if source.dtype is not t.dtype:
        raise RuntimeFault(
            f"{function}: the source is {source.dtype} and the tensor is {t.dtype}; they must be the same",
            hint=f"convert the source with .to({t.dtype})",
        )


# --- reading ------------------------------------------------------------------------------------------------


@public("index_select", ops=(index_select_op,), about="the entries of a dimension that an index lists")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """A copy; `dim` has as many entries as the index lists.

    Raises:
        IndexFault, RuntimeFault: no such dimension, an index with more than one, or an entry out of range.
    """
    t = tensor_arg(input, "index_select")
    at = dim_arg(dim, t.ndim, "index_select")
    places = vector_index(index, "index_select", IndexFault)
    if not t.ndim and places.numel() != 1:
        raise RuntimeFault(f"index_select: a 0-d tensor has one entry, and the index lists {places.numel()}")
    # PyTorch has a routine of its own for dimension 1, which raises another class, and a check of its own for no entries
    by_itself = at == 1 or (t.ndim > 1 and not t.shape[at])
    check_index(places.value, size_along(t, at), "index_select", at, RuntimeFault if by_itself else IndexFault)
    return apply(index_select_op, (t, places), {"dim": at})


def gather_dim(t: Tensor, index: Tensor, dim: Any, function: str) -> int:
    """The argument `dim` of a function whose index has as many dimensions as its tensor (0-d counts as one).

    Raises:
        IndexFault: there is no such dimension; RuntimeFault: the dimensions differ in number.
    """
    at = dim_arg(dim, t.ndim, function)
    if index.numel() and max(t.ndim, 1) != max(index.ndim, 1):
        raise RuntimeFault(f"{function}: the index has {index.ndim} dimensions and the tensor {t.ndim}")
    return at


@public("gather", ops=(gather_op,), about="y[i, j] = x[index[i, j], j] (for dim 0)")
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Of the index's shape, which is no larger than the tensor's but in `dim`.

    Raises:
        IndexFault: there is no such dimension.
        RuntimeFault: an index of another dtype, number of dimensions or size, or an entry out of range.
    """
    t = tensor_arg(input, "gather")
    places = index_arg(index, "gather", empty=True)
    at = gather_dim(t, places, dim, "gather")
    for i, (n, m) in enumerate(zip(places.shape, t.shape, strict=False)):
        if i != at and n > m and places.numel():
            raise RuntimeFault(
                f"gather: the index of shape {places.shape} is larger than shape {t.shape} in dimension {i}"
            )
    check_index(places.value, size_along(t, at), "gather", at)
    return apply(gather_op, (t, places), {"dim": at})


@public("take", ops=(take_op,), about="entries by their number in the flattened tensor")
def take(input: Tensor, index: Tensor) -> Tensor:
    """Of the index's shape; a negative number counts from the end.

    Raises:
        IndexFault: an entry out of range; RuntimeFault: an index that is not int64.
    """
    t = tensor_arg(input, "take")
    return apply(take_op, (t, index_arg(index, "take", only_int64=True)), {})


@public(
    "take_along_dim",
    ops=(gather_op,),
    about="gather with broadcasting; without dim, from the flattened tensor",
)
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Of the shape that tensor and indices broadcast to but in `dim`; without it a vector.

    Raises:
        IndexFault: a 0-d tensor, or no such dimension.
        RuntimeFault: an index that is not int64, or dimensions that differ in number.
    """
    t = tensor_arg(input, "take_along_dim")
    places = index_arg(indices, "take_along_dim", only_int64=True)
    if dim is None:
        return gather(reshape(t, (-1,)), 0, reshape(places, (-1,)))
    if t.ndim != places.ndim:
        raise RuntimeFault(f"take_along_dim: the tensor has {t.ndim} dimensions and the indices {places.ndim}")
    if not t.ndim:
        raise IndexFault("take_along_dim: a 0-d tensor has no dimension to take along")
    at = dim_arg(dim, t.ndim, "take_along_dim")
    if t.shape[at]:  # PyTorch counts round the end here
        places = wrap(np.asarray(places.value) % t.shape[at])
    shared = [(*x.shape[:at], 1, *x.shape[at + 1 :]) for x in (t, places)]
    shape = common_shape(shared, "take_along_dim")
    spread = [expand(x, (*shape[:at], size_along(x, at), *shape[at + 1 :])) if x.ndim else x for x in (t, places)]
    return gather(spread[0], at, spread[1])


def _masked_select(x: Any, mask: Any) -> Any:
    if np.shape(x) != np.shape(mask):
        x, mask = np.broadcast_arrays(x, mask)
    return np.asarray(x)[np.asarray(mask)].reshape(-1)


def _masked_spread(g: Any, mask: Any, *, shape: Shape) -> Any:
    g, mask = np.asarray(g), np.broadcast_to(mask, shape)
    out = np.zeros(shape, g.dtype)
    out[mask] = g.reshape(-1)[: np.count_nonzero(mask)]
    return out


def _masked_head(g: Any, mask: Any, *, shape: Shape) -> Any:
    picked = _masked_select(g, mask)
    out = np.zeros(shape, picked.dtype)
    out.reshape(-1)[: picked.size] = picked
    return out


def _select_rule(g: Any, _y: Any, x: Any, mask: Any) -> Any:
    return masked_spread(g, mask, shape=common_shape([shape_of(x), shape_of(mask)], "masked_select"))


masked_select_op: Op = primitive(
    "masked_select",
    _masked_select,
    [_select_rule, None],
    formulas=("1", ""),
    about="the entries where a mask is True",
)
masked_spread: Op = primitive(
    "masked_spread",
    _masked_spread,
    [lambda g, _y, like_x, mask, *, shape: masked_head(g, mask, shape=shape_of(like_x)), None],
    grad_fn="MaskedScatterBackward0",
    formulas=("1", ""),
    about="entries placed, in order, where a mask is True, in zeros",
)
masked_head: Op = primitive(
    "masked_head",
    _masked_head,
    [lambda g, _y, like_x, mask, *, shape: masked_spread(g, mask, shape=shape_of(like_x)), None],
    grad_fn="MaskedScatterBackwardBackward0",
    formulas=("1", ""),
    about="the entries where a mask is True, at the head of a shape",
)


@public("masked_select", ops=(masked_select_op,), about="the entries where a mask is True")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    return apply(masked_select_op, (tensor_arg(input, "masked_select"), mask_arg(mask, "masked_select")), {})


def mask_arg(mask: Any, function: str) -> Tensor:
    """The argument `mask`: a bool tensor.

    Raises:
        TypeFault: it is no tensor.
        RuntimeFault: it is not bool.
    """
    t = tensor_arg(mask, function, "mask")
    if t.dtype.name != "bool":
        raise RuntimeFault(f"{function}: the mask must be bool, not {t.dtype}", hint="make one with a comparison")
    return t


# --- nonzero ------------------------------------------------------------------------------------------------


@public("nonzero", about="the indices of the entries that are not 0")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    value = np.asarray(tensor_arg(input, "nonzero").value)
    if as_tuple:
        return tuple(wrap(i) for i in np.nonzero(value.reshape(1) if not value.ndim else value))
    if not value.ndim:
        return wrap(np.zeros((int(bool(value)), 0), np.int64))
    return wrap(np.argwhere(value))


@public("argwhere", about="the indices of the entries that are not 0, one a row")
def argwhere(input: Tensor) -> Tensor:
    places: Tensor = nonzero(tensor_arg(input, "argwhere"))
    return places
