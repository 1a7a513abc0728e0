"""Tensors taken apart along a dimension: unbind, split, chunk, tensor_split and theirs.

The parts are views. PyTorch gives all parts of one unbind, split or chunk one node with several outputs; here each part
has its own node of that name, and they share a handle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from autodiff_cli.engine.arguments import dim_arg, int_arg, list_arg, shape_arg, tensor_arg
from autodiff_cli.engine.node import share_handle
from autodiff_cli.engine.ops.cutting import slice_op, split_op, split_sizes_op, unbind_op
from autodiff_cli.engine.ops.structure import MISSING, as_view
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault


@public("unbind", ops=(unbind_op,), about="the slices along a dimension, without it")
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """A view for each entry of the dimension, without it.

    Raises:
        IndexFault: a 0-d tensor.
    """
    t = tensor_arg(input, "unbind")
    if not t.ndim:
        raise IndexFault("unbind: a 0-d tensor has no dimension to take apart")
    at = dim_arg(dim, t.ndim, "unbind")
    parts = tuple(as_view(unbind_op, t, {"dim": at, "index": i}) for i in range(t.shape[at]))
    share_handle(parts)
    return parts


def _parts(t: Tensor, dim: int, ends: Sequence[int], op: Any) -> tuple[Tensor, ...]:
    parts = tuple(as_view(op, t, {"dim": dim, "start": a, "stop": b, "step": 1}) for a, b in pairwise(ends))
    if op is not slice_op:
        share_handle(parts)
    return parts


def _pieces(t: Tensor, dim: int, size: int) -> tuple[Tensor, ...]:
    """Parts of `size` entries, the last one with what is left."""
    n = t.shape[dim]
    return _parts(t, dim, [*range(0, n, size), n] if n else [0, 0], split_op)


@public("split", ops=(split_op, split_sizes_op), about="parts of a size, or of the sizes listed, as views")
def split(tensor: Tensor, split_size_or_sections: Any = MISSING, dim: int = 0, *, split_size: Any = MISSING) -> Any:
    """Views of a size (the last may be smaller), or of each size of a list.

    Raises:
        TypeFault: the size is missing.
        RuntimeFault: a 0-d tensor, a size below 1, or sizes that do not sum to the dimension.
    """
    t = tensor_arg(tensor, "split", "tensor")
    size = split_size if split_size_or_sections is MISSING else split_size_or_sections
    if size is MISSING:
        raise TypeFault("split: the size of the parts is missing")
    listed = isinstance(size, (list, tuple))
    size = shape_arg((size,), "split") if listed else int_arg(size, "split", "split_size_or_sections")
    if not t.ndim:
        raise RuntimeFault("split: a 0-d tensor has no dimension to split")
    at = dim_arg(dim, t.ndim, "split")
    n = t.shape[at]
    if isinstance(size, tuple):
        if any(k < 0 for k in size) or sum(size) != n:
            raise RuntimeFault(f"split: the sizes {list(size)} must sum to {n}, the size of dimension {at}")
        ends = [0]
        for k in size:
            ends.append(ends[-1] + k)
        return _parts(t, at, ends, split_sizes_op)
    if size < 0 or (size == 0 and n):
        raise RuntimeFault(f"split: the size of a part must be positive, not {size}")
    return _pieces(t, at, size or 1)


@public("split_with_sizes", ops=(split_sizes_op,), about="parts of the sizes listed, as views")
def split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> Any:
    return split(input, list_arg(split_sizes, "split_with_sizes", "split_sizes"), dim)


@public("chunk", ops=(split_op,), about="a number of parts of about equal size, as views")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of one size but for the last, `chunks` of them at the most.

    Raises:
        RuntimeFault: a 0-d tensor, or chunks below 1.
    """
    t, count = tensor_arg(input, "chunk"), int_arg(chunks, "chunk", "chunks")
    if not t.ndim:
        raise RuntimeFault("chunk: a 0-d tensor has no dimension to take apart")
    at = dim_arg(dim, t.ndim, "chunk")
    if count <= 0:
        raise RuntimeFault(f"chunk: the number of parts must be positive, not {count}")
    n = t.shape[at]
    if not n:  # PyTorch: as many empty parts as asked for
        return _parts(t, at, [0] * (count + 1), split_sizes_op)
    return _pieces(t, at, -(-n // count))


def _places(where: Any, function: str) -> int | tuple[int, ...]:
    """A number of parts, or the indices between them."""
    if isinstance(where, Tensor):
        if where.dtype.name != "int64":
            raise RuntimeFault(f"{function}: the indices are int64, not {where.dtype}", hint="convert with .long()")
        where = where.tolist()
    if isinstance(where, (list, tuple)):
        return shape_arg((where,), function)
    return int_arg(where, function, "indices_or_sections")


@public("tensor_split", ops=(slice_op,), about="parts between indices, or a number of parts, as views")
def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views, cut before each index; or a number of them, whose sizes differ by 1 at the most.

    Raises:
        RuntimeFault: a 0-d tensor, or a number below 1.
    """
    t, where = tensor_arg(input, "tensor_split"), _places(indices_or_sections, "tensor_split")
    if not t.ndim:
        raise RuntimeFault("tensor_split: a 0-d tensor has no dimension to split")
    at = dim_arg(dim, t.ndim, "tensor_split")
    n = t.shape[at]
    if isinstance(where, tuple):
        cuts = [min(max(i + n if i < 0 else i, 0), n) for i in where]
        return tuple(
            as_view(slice_op, t, {"dim": at, "start": a, "stop": max(a, b), "step": 1})
            for a, b in zip([0, *cuts], [*cuts, n], strict=True)
        )
    if where <= 0:
        raise RuntimeFault(f"tensor_split: the number of parts must be positive, not {where}")
    size, longer = divmod(n, where)
    ends = [0]
    for i in range(where):
        ends.append(ends[-1] + size + (i < longer))
    return _parts(t, at, ends, slice_op)


def _directed(name: str, lowest: int, dim_for: Any) -> None:
    def call(
        input: Tensor, indices_or_sections: Any = MISSING, *, indices: Any = MISSING, sections: Any = MISSING
    ) -> Any:
        t = tensor_arg(input, name)
        where = next((w for w in (indices_or_sections, indices, sections) if w is not MISSING), MISSING)
        if where is MISSING:
            raise TypeFault(f"{name}: the indices, or the number of parts, are missing")
        if isinstance(where, Tensor) and where.dtype.category != 1:
            raise TypeFault(f"{name}: the indices are ints, not {where.dtype}")
        where = _places(where, name)
        if t.ndim < lowest:
            raise RuntimeFault(f"{name}: the tensor needs at least {lowest} dimensions and has {t.ndim}")
        at = dim_for(t.ndim)
        if type(where) is int and (where <= 0 or t.shape[at] % where):
            raise RuntimeFault(f"{name}: dimension {at} of size {t.shape[at]} can't be split into {where} equal parts")
        return tensor_split(t, where, at)

    public(name, ops=(slice_op,), about="tensor_split along a fixed dimension")(call)


_directed("hsplit", 1, lambda ndim: 0 if ndim == 1 else 1)
_directed("vsplit", 2, lambda ndim: 0)
_directed("dsplit", 3, lambda ndim: 2)
