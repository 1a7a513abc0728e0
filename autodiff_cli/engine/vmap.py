"""torch.func.vmap: a function of single examples over a dimension of its arguments.

The function runs once for each slice, and the results are stacked; slicing and stacking are on the graph. So
the function may do what it likes with a slice (branch on its value, call .item(), return views), which
PyTorch's batched run refuses. A stacked result prints the name of the node that PyTorch's batched run would
have left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from autodiff_cli.engine import nesting
from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import dim_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.levels import derived
from autodiff_cli.engine.ops.cutting import select_op
from autodiff_cli.engine.ops.joining import stack_op
from autodiff_cli.engine.ops.shaping import movedim, unsqueeze
from autodiff_cli.engine.ops.structure import as_view, expand_to
from autodiff_cli.engine.pytree import LEAF, Structure, flatten, spread, unflatten
from autodiff_cli.engine.random import default_generator
from autodiff_cli.engine.registry import Op, public, settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, ValueFault

Function = Callable[..., Any]

# the operation on a slice -> what the operation on the whole batch leaves
BATCHED = {
    "SumBackward0": "SumBackward1",
    "MeanBackward0": "MeanBackward1",
    "ProdBackward0": "ProdBackward1",
    "MaxBackward1": "MaxBackward0",
    "MinBackward1": "MinBackward0",
    "MedianBackward0": "MedianBackward1",
    "DotBackward0": "SqueezeBackward1",
    "MvBackward0": "PermuteBackward0",
    "MmBackward0": "UnsafeViewBackward0",
    "MseLossBackward0": "MeanBackward1",
}
_stacks: dict[str, Op] = {"StackBackward0": stack_op}


@public("vmap", places=("func", "torch"))
def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """The function that runs `func` on each slice of its arguments along `in_dims`.

    An argument whose dimension is None is passed as it is.

    Results are stacked along `out_dims`; both may be one number for all, or nest as the arguments and results
    do. `randomness`: whether random numbers are an "error", "different" or the "same" for each slice.

    Raises:
        RuntimeFault: another `randomness`; when the result is called, random numbers with "error".
        ValueFault: a `chunk_size` that isn't positive; when the result is called, sizes or structures that
            disagree.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeFault(f"vmap: randomness is 'error', 'different' or 'same', not {randomness!r}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueFault(f"vmap: chunk_size must be positive, not {chunk_size}")

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = flatten(args)
        dims = _in_dims(in_dims, args, leaves, structure)
        size = _batch_size(leaves, dims)
        start = tape.seq
        sliced, results = _run(func, leaves, dims, structure, kwargs, size, randomness)
        chunked = chunk_size is not None and chunk_size < size
        return _Stacking(leaves, dims, sliced, size, start, chunked).stack(results, out_dims)

    return derived(wrapper, func)


# --- in -----------------------------------------------------------------------------------------------------


def _in_dims(in_dims: Any, args: tuple[Any, ...], leaves: Sequence[Any], structure: Structure) -> list[int | None]:
    """The dimension of each leaf."""
    if not isinstance(in_dims, (int, tuple)):
        raise ValueFault(f"vmap: in_dims is an int or a tuple that nests as the arguments do, not {in_dims!r}")
    if not args:
        raise ValueFault("vmap: the function is called without arguments, so there is nothing to go over")
    found = spread(in_dims, structure)
    if found is None:
        raise ValueFault(f"vmap: in_dims {in_dims!r} does not nest as the {len(args)} arguments do")
    dims: list[int | None] = []
    for dim, t in zip(found, leaves, strict=True):
        if dim is None:
            dims.append(None)
            continue
        if not isinstance(dim, int):
            raise ValueFault(f"vmap: an entry of in_dims is an int or None, not {dim!r}")
        if not isinstance(t, Tensor):
            raise ValueFault(
                f"vmap: in_dims has {dim} for an argument that is no tensor but {type_name(t)}",
                hint="write None for it in in_dims",
            )
        if not -t.ndim <= dim < t.ndim:
            raise ValueFault(f"vmap: in_dims has {dim} for a tensor of shape {tuple(t.shape)}")
        dims.append(dim % t.ndim)
    return dims


def _batch_size(leaves: Sequence[Any], dims: Sequence[int | None]) -> int:
    sizes = [t.shape[dim] for t, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise ValueFault("vmap: no argument has a dimension to go over: all in_dims are None")
    if any(n != sizes[0] for n in sizes):
        raise ValueFault(f"vmap: the arguments have different sizes along in_dims: {sizes}")
    return sizes[0]


def _slice(t: Any, dim: int | None, index: int) -> Any:
    return t if dim is None else as_view(select_op, t, {"dim": dim, "index": index})


def _run(
    func: Function,
    leaves: Sequence[Any],
    dims: Sequence[int | None],
    structure: Structure,
    kwargs: dict[str, Any],
    size: int,
    randomness: str,
) -> tuple[list[list[Any]], list[Any]]:
    """The slices and the result for each."""
    if size == 0:  # the shapes of the results, from a slice of zeros
        empty = [_zero_slice(t, dim) if dim is not None else t for t, dim in zip(leaves, dims, strict=True)]
        return [], [_inside(func, unflatten(structure, empty), kwargs)]
    before = default_generator.state()
    sliced, results = [], []
    for i in range(size):
        if i and randomness == "same":
            default_generator.restore(before)
        slices = [_slice(t, dim, i) for t, dim in zip(leaves, dims, strict=True)]
        sliced.append(slices)
        results.append(_inside(func, unflatten(structure, slices), kwargs))
    if randomness == "error" and default_generator.state() != before:
        raise RuntimeFault(
            "vmap: the function draws random numbers",
            hint="say what is meant: randomness='different' or randomness='same'",
        )
    return sliced, results


def _inside(func: Function, args: Any, kwargs: dict[str, Any]) -> Any:
    nesting.enter(None, 1)
    try:
        return func(*args, **kwargs)
    finally:
        nesting.leave()


def _zero_slice(t: Tensor, dim: int) -> Tensor:
    shape = tuple(n for i, n in enumerate(t.shape) if i != dim)
    return wrap(settle(np.zeros(shape, t.value.dtype)))


# --- out ----------------------------------------------------------------------------------------------------


class _Stacking:
    """The results of all slices as one result; what came in is kept to see what comes out untouched."""

    def __init__(
        self,
        leaves: Sequence[Any],
        dims: Sequence[int | None],
        sliced: Sequence[Sequence[Any]],
        size: int,
        start: int,
        chunked: bool,
    ) -> None:
        self.leaves = leaves
        self.dims = dims
        self.sliced = sliced
        self.size = size
        self.start = start  # the tape's clock before the first slice: older results were captured
        self.chunked = chunked

    def stack(self, results: Sequence[Any], out_dims: Any) -> Any:
        rows = []
        structure: Structure | None = None
        for result in results:
            leaves, found = flatten(result)
            if structure is not None and found != structure:
                raise ValueFault("vmap: the function returns results of different structures for different slices")
            structure = found
            rows.append(leaves)
        assert structure is not None
        if structure is LEAF and isinstance(out_dims, tuple) and len(out_dims) == 1:
            out_dims = out_dims[0]
        dims = spread(out_dims, structure)
        if dims is None:
            raise ValueFault(f"vmap: out_dims {out_dims!r} does not nest as the results do")
        return unflatten(structure, [self.join([row[k] for row in rows], dim) for k, dim in enumerate(dims)])

    def join(self, parts: Sequence[Any], dim: Any) -> Any:
        """The results of all slices for one place of the structure."""
        if dim is not None and not isinstance(dim, int):
            raise ValueFault(f"vmap: an entry of out_dims is an int or None, not {dim!r}")
        if dim is None:
            return _common(parts)
        _check_parts(parts)
        first = parts[0]
        at = dim_arg(dim, first.ndim + 1, "vmap")
        shape = (*first.shape[:at], self.size, *first.shape[at:])
        check_size(prod(shape), "vmap")
        if self.size == 0:
            return wrap(np.zeros(shape, first.dtype.name))
        if all(t is first for t in parts) and (first.node is None or first.node.seq <= self.start):
            return as_view(expand_to, first if at == 0 else unsqueeze(first, at), {"shape": shape})
        whole = self.untouched(parts, at)
        if whole is not None:
            return whole
        if all(t.node is None for t in parts):
            return wrap(np.stack([np.asarray(t.value) for t in parts], axis=at))
        return _stack_op(parts, at, self.chunked)(*parts, dim=at)

    def untouched(self, parts: Sequence[Tensor], at: int) -> Tensor | None:
        """The argument whose slices come out as they came in."""
        for k, dim in enumerate(self.dims):
            if dim is not None and all(t is s[k] for t, s in zip(parts, self.sliced, strict=True)):
                return self.leaves[k] if dim == at else movedim(self.leaves[k], dim, at)
        return None


def _check_parts(parts: Sequence[Any]) -> None:
    first = parts[0]
    for t in parts:
        if not isinstance(t, Tensor):
            raise ValueFault(
                f"vmap: the function must return tensors, not {type_name(t)}",
                hint="out_dims=None returns what is the same for all slices as it is",
            )
        if t.shape != first.shape or t.dtype is not first.dtype:
            raise ValueFault(f"vmap: results of the shapes {tuple(first.shape)} and {tuple(t.shape)} can't be stacked")


def _common(parts: Sequence[Any]) -> Any:
    """What is the same for all slices.

    Raises:
        ValueFault: it isn't.
    """
    first = parts[0]
    for t in parts[1:]:
        same = t is first
        if not same and isinstance(t, Tensor) and isinstance(first, Tensor):
            same = bool(np.array_equal(t.value, first.value, equal_nan=first.dtype.is_floating_point))
        elif not same:
            same = t == first
        if not same:
            raise ValueFault("vmap: out_dims is None for a result that is not the same for all slices")
    return first


def _stack_op(parts: Sequence[Tensor], at: int, chunked: bool) -> Op:
    """The stack under the name that PyTorch's batched operation has."""
    ops = {t.node.op for t in parts if t.node is not None}
    if chunked:
        return _named_stack("CatBackward0")
    if len(ops) != 1:
        return stack_op
    name = ops.pop().grad_fn
    label = "PermuteBackward0" if at else BATCHED.get(name, name)
    return stack_op if label.startswith("torch::") else _named_stack(label)


def _named_stack(label: str) -> Op:
    found = _stacks.get(label)
    if found is None:
        found = _stacks[label] = Op(
            "stack",
            stack_op.array,
            stack_op.vjps,
            grad_fn=label,
            policy=stack_op.policy,
            variadic=True,
            formulas=stack_op.formulas,
            about="the results for all slices",
        )
    return found
