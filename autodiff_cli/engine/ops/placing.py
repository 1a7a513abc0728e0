"""Entries written by an index along a dimension: scatter, scatter_add, index_add, index_copy, index_fill,
put.

The public functions over gathering.py (each with its in-place method); reading is in picking.py.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, tensor_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.declare import NOT_IMPLEMENTED, number_arg
from autodiff_cli.engine.ops.expanding import common_shape
from autodiff_cli.engine.ops.gathering import (
    check_index,
    index_add_op,
    index_copy_op,
    index_fill_op,
    index_fill_tensor_op,
    put_op,
    scatter_add_op,
    scatter_op,
    scatter_value_op,
    scattered,
)
from autodiff_cli.engine.ops.picking import (
    gather_dim,
    index_arg,
    mask_arg,
    masked_head,
    same_dtype,
    size_along,
    vector_index,
)
from autodiff_cli.engine.ops.structure import MISSING
from autodiff_cli.engine.registry import OPS, Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

# --- scatter ------------------------------------------------------------------------------------------------


def scatter_places(t: Tensor, dim: Any, index: Any, src: Tensor | None, function: str) -> tuple[Tensor, int]:
    """The index of a scatter and its dimension, checked against tensor and source.

    Raises:
        RuntimeFault: dtypes, dimensions or sizes do not go together, or an entry is out of range.
    """
    places = index_arg(index, function, empty=True)
    if src is not None:
        same_dtype(t, src, function)
    at = gather_dim(t, places, dim, function)
    if not places.numel():
        return places, at
    if src is not None and not src.ndim and places.numel() > 1:
        raise RuntimeFault(f"{function}: the index has {places.numel()} entries and the source one")
    if src is not None and max(src.ndim, 1) != max(places.ndim, 1):
        raise RuntimeFault(f"{function}: the index has {places.ndim} dimensions and the source {src.ndim}")
    for i, n in enumerate(places.shape):
        if i != at and t.ndim and n > t.shape[i]:
            raise RuntimeFault(f"{function}: the index of shape {places.shape} does not fit in shape {t.shape}")
        if src is not None and src.ndim and n > src.shape[i]:
            raise RuntimeFault(f"{function}: the index of shape {places.shape} needs more than a source of {src.shape}")
    check_index(places.value, size_along(t, at), function, at)
    return places, at


def _no_rule(_g: Any, _y: Any, *_xs: Any, dim: int, reduce: str) -> Any:
    raise RuntimeFault(
        f"scatter with reduce='{reduce}' has no derivative: PyTorch does not implement one",
        hint="scatter_reduce and scatter_add have",
    )


def _reducing_op(name: str, source_rule: Any) -> Op:
    return primitive(
        name,
        lambda x, index, src, *, dim, reduce: scattered(x, index, src, dim, getattr(np, reduce)),
        [_no_rule, None, source_rule],
        grad_fn=NOT_IMPLEMENTED,
        about="scatter that adds or multiplies",
    )


scatter_with = _reducing_op("scatter_with_reduce", _no_rule)
scatter_value_with = _reducing_op("scatter_value_with_reduce", None)


@public(
    "scatter",
    in_place=True,
    ops=(scatter_op, scatter_value_op),
    about="a copy with src (a tensor or a number) written at an index",
)
def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Any = MISSING,
    *,
    value: Any = MISSING,
    reduce: str | None = None,
) -> Tensor:
    """A copy; `index` has as many dimensions as the tensor, and `src` at least its sizes. `reduce`: no derivative.

    Raises:
        TypeFault: nothing to write, or neither a tensor nor a number.
        RuntimeFault: dtypes, dimensions or sizes that do not go together, an index out of range, an unknown reduce.
    """
    t = tensor_arg(input, "scatter")
    if src is not MISSING and type(src) is not Tensor:
        value = src
    if value is MISSING and src is MISSING:
        raise TypeFault("scatter: what is to be written is missing", hint="x.scatter(0, index, src)")
    if value is not MISSING and type(value) not in (float, int, bool):
        raise TypeFault(f"scatter: a tensor or a number can be written, not {type_name(value)}")
    places, at = scatter_places(t, dim, index, src if value is MISSING else None, "scatter")
    if reduce is not None:
        if reduce not in ("add", "multiply"):
            raise RuntimeFault(f"scatter: reduce is 'add' or 'multiply', not {reduce!r}")
        params = {"dim": at, "reduce": reduce}
        if value is MISSING:
            return apply(scatter_with, (t, places, src), params)
        return apply(scatter_value_with, (t, places, value), params)
    if value is MISSING:
        return apply(scatter_op, (t, places, src), {"dim": at})
    return apply(scatter_value_op, (t, places), {"dim": at, "value": value})


@public("scatter_add", in_place=True, ops=(scatter_add_op,), about="a copy with src added at an index")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    t, source = tensor_arg(input, "scatter_add"), tensor_arg(src, "scatter_add", "src")
    places, at = scatter_places(t, dim, index, source, "scatter_add")
    return apply(scatter_add_op, (t, places, source), {"dim": at})


# --- index_add, index_copy, index_fill ----------------------------------------------------------------------


def _check_source(t: Tensor, at: int, places: Tensor, source: Tensor, function: str, fault: type) -> None:
    """Raises where the source has not the tensor's shape with the index's size in the dimension."""
    same_dtype(t, source, function)
    if not source.ndim and places.numel() != 1:
        raise IndexFault(f"{function}: the source is 0-d, and the index lists {places.numel()} entries")
    size = source.shape[at] if source.ndim > at else 1
    if places.numel() != size:
        raise fault(f"{function}: the index lists {places.numel()} entries and the source has {size}")
    if t.shape[:at] + t.shape[at + 1 :] != source.shape[:at] + source.shape[at + 1 :]:
        raise RuntimeFault(f"{function}: the source of shape {source.shape} does not go into shape {t.shape}")


@public(
    "index_add",
    in_place=True,
    ops=(index_add_op,),
    about="a copy with alpha * source added at entries of a dimension",
)
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """A copy; `source` has the tensor's shape with as many entries in `dim` as the index lists.

    Raises:
        IndexFault, RuntimeFault: shapes or dtypes that do not go together, an index out of range.
    """
    t, src = tensor_arg(input, "index_add"), tensor_arg(source, "index_add", "source")
    at = dim_arg(dim, t.ndim, "index_add")
    places = vector_index(index, "index_add", IndexFault)
    _check_source(t, at, places, src, "index_add", RuntimeFault)
    if t.ndim != src.ndim:
        raise RuntimeFault(f"index_add: the source has {src.ndim} dimensions and the tensor {t.ndim}")
    check_index(places.value, size_along(t, at), "index_add", at, IndexFault if t.ndim <= 1 else RuntimeFault)
    factor = number_arg(alpha, "index_add", "alpha")
    if type(factor) is float and t.dtype.category < 2:
        raise RuntimeFault("index_add: alpha must be an int where the tensor is not floating")
    return apply(index_add_op, (t, places, src), {"dim": at, "alpha": factor})


@public(
    "index_copy",
    in_place=True,
    ops=(index_copy_op,),
    about="a copy with source written at entries of a dimension",
)
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """A copy; `source` has the tensor's shape with as many entries in `dim` as the index lists.

    Raises:
        IndexFault, RuntimeFault: shapes or dtypes that do not go together, an index out of range.
    """
    t, src = tensor_arg(input, "index_copy"), tensor_arg(source, "index_copy", "source")
    at = dim_arg(dim, t.ndim, "index_copy")
    if tensor_arg(index, "index_copy", "index").ndim > 1:
        raise IndexFault(f"index_copy: the index has {index.ndim} dimensions; a list of entries has one")
    if t.ndim != src.ndim and t.ndim and src.ndim:
        raise IndexFault(f"index_copy: the source has {src.ndim} dimensions and the tensor {t.ndim}")
    if not src.ndim and index.numel() != 1:
        raise IndexFault(f"index_copy: the source is 0-d, and the index lists {index.numel()} entries")
    places = index_arg(index, "index_copy", only_int64=True)
    _check_source(t, at, places, src, "index_copy", IndexFault)
    check_index(places.value, size_along(t, at), "index_copy", at, IndexFault if size_along(t, at) else RuntimeFault)
    return apply(index_copy_op, (t, places, src), {"dim": at})


@public(
    "index_fill",
    in_place=True,
    ops=(index_fill_op, index_fill_tensor_op),
    about="a copy with a number written at entries of a dimension",
)
def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """A copy; `value` is a number or a 0-d tensor.

    Raises:
        IndexFault: an index that is not int64, or out of range; RuntimeFault: a value with dimensions.
    """
    t = tensor_arg(input, "index_fill")
    at = dim_arg(dim, t.ndim, "index_fill")
    if tensor_arg(index, "index_fill", "index").dtype.name != "int64":
        raise IndexFault(f"index_fill: the index must be int64, not {index.dtype}", hint="convert it with .long()")
    places = vector_index(index, "index_fill", RuntimeFault)
    n, entries = size_along(t, at), np.asarray(places.value)
    if (entries < 0).any():
        places = wrap(np.where(entries < 0, entries + n, entries))
    check_index(places.value, n, "index_fill", at, IndexFault if n else RuntimeFault)
    if type(value) is Tensor:
        if value.ndim:
            raise RuntimeFault(
                f"index_fill: the value must be a number or a 0-d tensor, not one of shape {value.shape}"
            )
        return apply(index_fill_tensor_op, (t, places, value), {"dim": at})
    return apply(index_fill_op, (t, places, number_arg(value, "index_fill", "value")), {"dim": at})


@public("put", in_place=True, ops=(put_op,), about="a copy with source written at places of the flattened tensor")
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """A copy; `source` has as many entries as the index.

    Raises:
        IndexFault: other many entries, or an index out of range; RuntimeFault: another dtype.
    """
    t, src = tensor_arg(input, "put"), tensor_arg(source, "put", "source")
    places = index_arg(index, "put", only_int64=True)
    same_dtype(t, src, "put")
    n, entries = t.numel(), np.asarray(places.value)
    if places.numel() != src.numel():
        raise IndexFault(f"put: the index has {places.numel()} entries and the source {src.numel()}")
    if entries.size and not (-n <= entries.min() and entries.max() < n):
        raise IndexFault(f"put: an index is out of range for a tensor of {n} elements")
    return apply(put_op, (t, places, src), {"accumulate": bool(accumulate)})


# --- masked_scatter -----------------------------------------------------------------------------------------


def _masked_scatter(x: Any, mask: Any, source: Any) -> Any:
    shape = np.broadcast_shapes(np.shape(x), np.shape(mask))
    out, mask = np.array(np.broadcast_to(x, shape)), np.broadcast_to(mask, shape)
    out[mask] = np.asarray(source).reshape(-1)[: np.count_nonzero(mask)]
    return out


masked_scatter_op: Op = primitive(
    "masked_scatter",
    _masked_scatter,
    [
        lambda g, _y, _x, mask, _source: OPS["where"](mask, 0.0, g),
        None,
        lambda g, _y, _x, mask, like_source: masked_head(g, mask, shape=shape_of(like_source)),
    ],
    formulas=("0 where written, else 1", "", "1"),
    about="a copy of x with the entries of source written, in order, where a mask is True",
)


@public(
    "masked_scatter",
    in_place=True,
    ops=(masked_scatter_op,),
    about="entries of source written where a mask is True",
)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy; the mask broadcasts.

    Raises:
        RuntimeFault: another dtype, or fewer entries than the mask has True.
    """
    t, src = tensor_arg(input, "masked_scatter"), tensor_arg(source, "masked_scatter", "source")
    where = mask_arg(mask, "masked_scatter")
    same_dtype(t, src, "masked_scatter")
    shape = common_shape([t.shape, where.shape], "masked_scatter")
    needed = int(np.count_nonzero(np.broadcast_to(where.value, shape)))
    if src.numel() < needed:
        raise RuntimeFault(f"masked_scatter: the mask has {needed} True entries and the source only {src.numel()}")
    return apply(masked_scatter_op, (t, where, src), NO_PARAMS)
