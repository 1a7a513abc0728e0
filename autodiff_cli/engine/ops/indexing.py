"""`x[...]`: reading and writing, with every kind of index that PyTorch takes.

An index is worked off from the left into views (int: select, slice: slice, None: unsqueeze), as PyTorch does,
so the graph has the same nodes. What is left are the advanced indices (integer tensors, lists, masks): these
become one `index` operation, whose operand is one integer tensor over the indexed dimensions seen as one.
Several tensors are broadcast and combined into such a tensor first; a mask becomes the places where it is
True.

Writing: a basic index is a view that is copied into; an advanced one is an `index_put` whose result replaces
the view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.apply import apply, check_size
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.inplace import copy_into, refuse_leaf, replace
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import share_handle
from autodiff_cli.engine.ops.cutting import alias_op, select_op, slice_op, unbind_op
from autodiff_cli.engine.ops.expanding import common_shape, expanded_shape
from autodiff_cli.engine.ops.filling import fill_tensor_op
from autodiff_cli.engine.ops.index_operations import Layout, index_op, index_put_op, out_of_range
from autodiff_cli.engine.ops.shaping import unsqueeze_op
from autodiff_cli.engine.ops.structure import PLAIN, Shape, as_view, expand_to, product, reshape_to
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault, ValueFault

# --- reading an index ---------------------------------------------------------------------------------------


def _as_items(index: Any) -> tuple[Any, ...]:
    """The parts of an index. PyTorch takes a short list that has a list, a slice, a tensor or None in it as a
    tuple.
    """
    if type(index) is tuple:
        return index
    if type(index) is list and len(index) < 32:
        for part in index:
            if part is None or part is Ellipsis or isinstance(part, (list, tuple, slice, Tensor, range)):
                return tuple(index)
    return (index,)


def _index_tensor(part: Any) -> Tensor:
    """An advanced index as a tensor of integers or bools.

    Raises:
        IndexFault: it is no index; TypeFault: a list with something else than numbers in it.
    """
    if isinstance(part, (list, tuple, range)):
        entries = np.asarray([x.item() if isinstance(x, Tensor) else x for x in part] if part else [], None)
        if not len(part):
            entries = np.zeros(0, np.int64)
        if entries.dtype.kind in "OUS":
            raise TypeFault("a list that is an index must hold whole numbers or bools", hint="as in x[[0, 2]]")
        part = wrap(entries)
    if not isinstance(part, Tensor):
        raise (TypeFault if isinstance(part, str) else IndexFault)(
            f"a tensor can't be indexed with {type(part).__name__}",
            hint="an index is an int, a slice, None, ..., a list of ints, or a tensor of ints or bools",
        )
    name = part.dtype.name
    if name == "uint8":
        return wrap(np.asarray(part.value).astype(bool))
    if part.dtype.category == 2 or name in ("int8", "int16"):
        raise IndexFault(
            f"a tensor that is an index must be int64, int32 or bool, not {part.dtype}",
            hint="convert it with .long()",
        )
    return part


def _specified(items: Sequence[Any]) -> int:
    """How many dimensions the parts of an index take."""
    count = 0
    for part in items:
        if isinstance(part, Tensor) and part.dtype.name == "bool":
            count += part.ndim
        elif part is not None and part is not Ellipsis and type(part) is not bool:
            count += 1
    return count


def _bound(x: Any, default: int) -> int:
    if x is None:
        return default
    if type(x) is int:
        return x
    if isinstance(x, (bool, Tensor)):
        return x.__index__()
    raise TypeFault(f"the ends of a slice are ints or None, not {type(x).__name__}")


def _step(part: slice) -> int:
    """The step of a slice.

    Raises:
        ValueFault: it is not positive.
    """
    step = _bound(part.step, 1)
    if step <= 0:
        raise ValueFault(
            f"the step of a slice of a tensor must be positive, not {step}",
            hint="write x.flip(0) for x[::-1]",
        )
    return step


def _sliced(t: Tensor, dim: int, part: slice, *, skip_whole: bool) -> Tensor:
    """`t` with a slice of one dimension; `skip_whole`: a slice that takes all leaves `t` itself."""
    n = t.shape[dim]
    step = _step(part)
    first, last = _bound(part.start, 0), _bound(part.stop, n)
    if skip_whole and first == 0 and last >= n and step == 1:
        return t
    start, stop, _ = slice(first, last, step).indices(n)
    return as_view(slice_op, t, {"dim": dim, "start": start, "stop": max(start, stop), "step": step})


def _selected(t: Tensor, dim: int, index: int) -> Tensor:
    shape = t.shape
    if dim >= len(shape):
        raise IndexFault(f"there are more indices than the {len(shape)} dimensions of this tensor")
    n = shape[dim]
    if not -n <= index < n:
        raise IndexFault(f"index {index} is out of range for dimension {dim} of size {n}")
    return as_view(select_op, t, {"dim": dim, "index": index + n if index < 0 else index})


Advanced = list[tuple[int, Tensor]]


def _worked_off(t: Tensor, items: tuple[Any, ...], alone: bool) -> tuple[Tensor, Advanced]:
    """The views that an index asks for, one after another, and its advanced parts with their dimensions."""
    parts = [x if x is None or x is Ellipsis or isinstance(x, (int, slice)) else _index_tensor(x) for x in items]
    for part in parts:
        if isinstance(part, slice):
            _step(part)
    taken = _specified(parts)
    if taken > t.ndim:
        if not t.ndim:
            raise IndexFault("a 0-d tensor can't be indexed", hint="it is one number already; x.item() is its value")
        raise IndexFault(f"there are {taken} indices for a tensor with {t.ndim} dimensions")
    left, dim, result = t.ndim - taken, 0, t
    advanced: Advanced = []
    for part in parts:
        if part is None:
            result = as_view(unsqueeze_op, result, {"dim": dim})
            dim += 1
        elif part is Ellipsis:
            dim += left
        elif type(part) is bool or (isinstance(part, Tensor) and not part.ndim and part.dtype.name == "bool"):
            result = as_view(unsqueeze_op, result, {"dim": dim})
            advanced.append((dim, wrap(np.zeros(int(bool(part)), np.int64))))
            dim += 1
        elif isinstance(part, slice):
            result = _sliced(result, dim, part, skip_whole=not alone)
            dim += 1
        elif isinstance(part, int) or not part.ndim:
            result = _selected(result, dim, int(part))
        else:
            if part.dtype.name == "bool" and part.shape != result.shape[dim : dim + part.ndim]:
                raise IndexFault(
                    f"the mask of shape {part.shape} does not fit dimension {dim} of shape {result.shape}",
                    hint="a mask has the shape of what it chooses from",
                )
            advanced.append((dim, part))
            dim += part.ndim if part.dtype.name == "bool" else 1
    return result, advanced


def _combined(t: Tensor, advanced: Advanced) -> tuple[Tensor, Shape]:
    """The advanced parts of an index as one integer tensor, and the dimensions of `t` that it counts over."""
    dim, part = advanced[0]
    if len(advanced) == 1:
        if part.dtype.name == "bool":
            return wrap(np.flatnonzero(part.value)), tuple(range(dim, dim + part.ndim))
        return part, (dim,)
    dims: list[int] = []
    arrays: list[Any] = []
    for dim, part in advanced:
        found = np.nonzero(part.value) if part.dtype.name == "bool" else (np.asarray(part.value),)
        arrays += found
        dims += range(dim, dim + len(found))
    try:
        shape = common_shape([a.shape for a in arrays], "index")
    except RuntimeFault:
        raise IndexFault(
            f"the indices have shapes {', '.join(str(a.shape) for a in arrays)}, which do not broadcast"
        ) from None
    place: Any = np.zeros(shape, np.int64)
    read = all(n for d, n in enumerate(t.shape) if d not in dims)
    for d, entries in zip(dims, arrays, strict=True):
        n = t.shape[d]
        if read and entries.size and not (-n <= entries.min() and entries.max() < n):
            raise out_of_range(entries, n, d)
        place = place * n + np.where(entries < 0, entries + n, entries)
    return wrap(place), tuple(dims)


def getitem(t: Tensor, index: Any) -> Tensor:
    """`t[index]`: a view for a basic index, a new tensor for an advanced one.

    Raises:
        IndexFault: out of range, too many indices, a mask that does not fit; TypeFault: no index;
        ValueFault: a slice whose step is not positive.
    """
    if type(index) is int and t.ndim:
        return _selected(t, 0, index)
    if isinstance(index, str) and not t.ndim:
        raise IndexFault("a 0-d tensor has no items", hint="it is one number; x.item() is its value")
    items = _as_items(index)
    result, advanced = _worked_off(t, items, len(items) == 1)
    if not advanced:
        return as_view(alias_op, t, {}) if result is t else result
    entries, dims = _combined(result, advanced)
    shape = result.shape
    rest = product([n for d, n in enumerate(shape) if d not in dims])
    check_size(rest * entries.numel(), "index")
    return apply(index_op, (result, entries), {"dims": dims})


def iterate(t: Tensor) -> Any:
    """`for row in t`: the slices along the first dimension.

    Raises:
        TypeFault: there is none.
    """
    if not t.ndim:
        raise TypeFault("a 0-d tensor can't be iterated over", hint="it is one number; x.item() is its value")
    rows = [as_view(unbind_op, t, {"dim": 0, "index": i}) for i in range(t.shape[0])]
    share_handle(rows)
    return iter(rows)


# --- writing ------------------------------------------------------------------------------------------------


def assign_item(t: Tensor, index: Any, value: Any) -> None:
    """`t[index] = value`, in place.

    Raises:
        RuntimeFault: a leaf that requires a gradient, a value of another shape or (advanced) dtype.
        IndexFault, ValueFault: as `getitem`.
        TypeFault: the value is no tensor and no number.
    """
    if type(value) is not Tensor and type(value) not in PLAIN:
        raise TypeFault(
            f"a tensor or a number can be assigned to a part of a tensor, not {type(value).__name__}",
            hint="make a tensor of it: torch.tensor(...)",
        )
    if type(value) is float and t.dtype.category == 1 and not math.isfinite(value):
        raise RuntimeFault(f"{value} can't be written into a tensor of {t.dtype}")
    if index is False:
        return
    if index is True:
        index = None
    if type(index) is int and t.ndim:
        part, advanced = _selected(t, 0, index), None
    else:
        items = _as_items(index)
        part, advanced = _worked_off(t, items, False)
    if not advanced:
        _write(part, value)
        return
    refuse_leaf(part, type(value) is Tensor and value.requires_grad)
    entries, dims = _combined(part, advanced)
    masked = len(advanced) == 1 and advanced[0][1].dtype.name == "bool"
    replace(part, _with_put(part, entries, dims, value, False, masked))


def _write(part: Tensor, value: Any) -> None:
    """Copy a value into a view, in PyTorch's steps (which the graph shows)."""
    refuse_leaf(part, type(value) is Tensor and value.requires_grad)
    if type(value) is Tensor:
        shape = part.shape
        if value.shape != shape:
            if not value.ndim:
                if value.requires_grad or part.requires_grad:
                    replace(part, fill_tensor_op(part, value))
                    return
            else:
                value = _stripped(value)
                if value.shape != shape:
                    value = as_view(expand_to, value, {"shape": expanded_shape(value.shape, shape, "assignment")})
    elif part.requires_grad:
        replace(part, fill_tensor_op(part, value))
        return
    copy_into(part, value)


def _stripped(value: Tensor) -> Tensor:
    """The value without its leading dimensions of size 1."""
    shape = value.shape
    if not shape or shape[0] != 1:
        return value
    first = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return as_view(reshape_to, value, {"shape": tuple(shape[first:])})


def _with_put(t: Tensor, entries: Tensor, dims: Shape, value: Any, accumulate: bool, masked: bool = False) -> Tensor:
    """`index_put`, checked; `masked`: the index is one mask, and takes one number of another dtype too."""
    layout = Layout(t.shape, dims)
    place = (*layout.before, *entries.shape, *layout.after)
    if type(value) is Tensor:
        value = _stripped(value)
        if value.dtype is not t.dtype and not (masked and value.numel() == 1):
            raise RuntimeFault(
                f"a {value.dtype} tensor can't be written at an index of a {t.dtype} tensor",
                hint=f"convert it: .to({t.dtype})",
            )
        lead = len(place) - value.ndim
        if lead < 0 or any(n not in (1, m) for n, m in zip(value.shape, place[lead:], strict=True)):
            raise RuntimeFault(f"a value of shape {value.shape} can't be written at an index of shape {place}")
    places = np.asarray(entries.value)
    if (
        len(dims) == 1
        and 0 not in place
        and not (-t.shape[dims[0]] <= places.min() and places.max() < t.shape[dims[0]])
    ):
        raise out_of_range(places, t.shape[dims[0]], dims[0])
    return apply(index_put_op, (t, entries, value), {"dims": dims, "accumulate": accumulate})


@public("index_put", in_place=True, ops=(index_put_op,), about="a copy with x[indices] = values, or += values")
def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy; the values broadcast to the shape of the indices, and have the tensor's dtype.

    Raises:
        TypeFault: no tuple of tensors, or values that are no tensor.
        IndexFault: more indices than dimensions, one out of range, or a mask that does not fit.
        RuntimeFault: another dtype.
    """
    tensor_arg(input, "index_put")
    if not isinstance(indices, (list, tuple)) or not all(isinstance(i, Tensor) for i in indices):
        raise TypeFault(
            "index_put: the indices must be a tuple of tensors", hint="x.index_put((rows, columns), values)"
        )
    if not isinstance(values, Tensor):
        raise TypeFault(f"index_put: the values must be a tensor, not {type(values).__name__}")
    taken = [_index_tensor(i) for i in indices]
    if _specified(taken) > input.ndim:
        raise IndexFault(f"index_put: there are more indices than the {input.ndim} dimensions of the tensor")
    if values.dtype is not input.dtype:
        raise RuntimeFault(f"index_put: the values are {values.dtype} and the tensor {input.dtype}: they must agree")
    advanced: Advanced = []
    dim = 0
    for part in taken:
        if part.dtype.name == "bool" and part.shape != input.shape[dim : dim + part.ndim]:
            raise IndexFault(f"index_put: the mask of shape {part.shape} does not fit shape {input.shape}")
        advanced.append((dim, part if part.ndim else wrap(np.asarray(part.value).reshape(1))))
        dim += part.ndim if part.dtype.name == "bool" else 1
    entries, dims = _combined(input, advanced)
    masked = len(taken) == 1 and taken[0].dtype.name == "bool" and not accumulate
    return _with_put(input, entries, dims, values, bool(accumulate), masked)
