"""Tensors put together along a dimension: cat, stack and theirs; repeat, tile, repeat_interleave.

`cat` and `stack` are variadic: one rule serves every operand, and `index` says which. Tensors of different dtypes meet in the
one they promote to, which is a parameter then.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, check_size, common_dtype
from autodiff_cli.engine.arguments import dim_arg, int_arg, shape_arg, tensor_arg
from autodiff_cli.engine.dtypes import DType, dtype_of
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.cutting import (
    select_op,
    slice_op,
)
from autodiff_cli.engine.ops.gathering import index_select_op
from autodiff_cli.engine.ops.shaping import reshape, unsqueeze
from autodiff_cli.engine.ops.structure import (
    MISSING,
    PLAIN,
    Shape,
    as_view,
    clone,
    expand_to,
    product,
    reshape_to,
)
from autodiff_cli.engine.registry import OPS, Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault, ValueFault

# --- cat and stack ------------------------------------------------------------------------------------------


def _cat(*xs: Any, dim: int, ends: Shape, dtype: DType | None = None) -> Any:
    if any(x.ndim == 1 for x in xs):  # an empty vector stands in a cat of any shapes
        xs = tuple(x for x in xs if x.ndim != 1 or x.shape[0]) or xs
    return np.concatenate(xs, dim, dtype=None if dtype is None else dtype.name)


def _cat_rule(g: Any, _y: Any, *like_xs: Any, index: int, dim: int, ends: Shape, dtype: Any = None) -> Any:
    part = slice_op(g, dim=dim, start=ends[index], stop=ends[index + 1], step=1)
    shape = shape_of(like_xs[index])
    return part if shape != (0,) else reshape_to(part, shape=shape)


def _stack(*xs: Any, dim: int, dtype: DType | None = None) -> Any:
    if type(xs[0]) in PLAIN or not xs[0].ndim:
        joined = np.array(xs)
    else:
        new = (*(slice(None),) * dim, None)
        joined = np.concatenate([x[new] for x in xs], dim)  # a third of what np.stack takes
    return joined if dtype is None else joined.astype(dtype.name)


cat_op: Op = primitive(
    "cat",
    _cat,
    [_cat_rule],
    variadic=True,
    formulas=("1",),
    about="tensors one after another along a dimension",
)
stack_op: Op = primitive(
    "stack",
    _stack,
    [lambda g, _y, *_xs, index, dim, dtype=None: select_op(g, dim=dim, index=index)],
    variadic=True,
    formulas=("1",),
    about="tensors side by side along a new dimension",
)


def _common(xs: list[Tensor]) -> dict[str, Any]:
    """The parameter that says in which dtype tensors meet, where they differ."""
    first = dtype_of(xs[0].value)
    if all(dtype_of(x.value) is first for x in xs):
        return NO_PARAMS
    return {"dtype": common_dtype(xs)}


def tensors_arg(tensors: Any, function: str) -> list[Tensor]:
    """A list of tensors.

    Raises:
        TypeFault: it is something else.
    """
    if isinstance(tensors, Tensor):
        raise TypeFault(
            f"{function}: the argument 'tensors' must be a list of tensors, not a tensor",
            hint=f"write torch.{function}([a, b])",
        )
    if not isinstance(tensors, (list, tuple)):
        raise TypeFault(f"{function}: the argument 'tensors' must be a list of tensors")
    return [tensor_arg(x, function, f"tensors[{i}]") for i, x in enumerate(tensors)]


def _skipped(x: Tensor) -> bool:
    """PyTorch lets an empty one-dimensional tensor stand in a cat of any shapes."""
    return x.ndim == 1 and x.shape[0] == 0


@public("cat", "concat", "concatenate", places=("torch",), ops=(cat_op,), about="tensors one after another")
def cat(tensors: Any, dim: int = 0) -> Tensor:
    """Shapes that agree but for `dim`, whose sizes add up; an empty vector goes with all. Dtypes promote.

    Raises:
        ValueFault: no tensors; RuntimeFault: a 0-d tensor, or other shapes.
    """
    xs = tensors_arg(tensors, "cat")
    if not xs:
        raise ValueFault("cat: the list of tensors is empty")
    for i, x in enumerate(xs):
        if not x.ndim:
            raise RuntimeFault(
                f"cat: tensor {i} has no dimensions, so there is none to join along",
                hint="write torch.stack([...]) for 0-d tensors",
            )
    first = next((x for x in xs if not _skipped(x)), xs[0])
    at = dim_arg(dim, first.ndim, "cat")
    ends, total = [0], 0
    for i, x in enumerate(xs):
        if not _skipped(x):
            _check_joins(first, x, at, i)
            total += x.shape[at]
        ends.append(total)
    check_size(product(first.shape[:at]) * product(first.shape[at + 1 :]) * total, "cat")
    return apply(cat_op, xs, {"dim": at, "ends": tuple(ends), **_common(xs)})


def _check_joins(first: Tensor, x: Tensor, dim: int, number: int) -> None:
    a, b = first.shape, x.shape
    if len(a) != len(b):
        raise RuntimeFault(f"cat: tensor {number} has {len(b)} dimensions and the first has {len(a)}")
    if a[:dim] != b[:dim] or a[dim + 1 :] != b[dim + 1 :]:
        raise RuntimeFault(
            f"cat: shapes {a} and {b} (tensor {number}) differ in another dimension than {dim}",
            hint="all dimensions but the one that is joined must be equal",
        )


@public("stack", places=("torch",), ops=(stack_op,), about="tensors of one shape along a new dimension")
def stack(tensors: Any, dim: int = 0) -> Tensor:
    """The new dimension has the number of tensors. Dtypes promote.

    Raises:
        RuntimeFault: no tensors, or shapes that differ.
    """
    xs = tensors_arg(tensors, "stack")
    if not xs:
        raise RuntimeFault("stack: the list of tensors is empty")
    shape = xs[0].shape
    at = dim_arg(dim, len(shape) + 1, "stack")
    for i, x in enumerate(xs):
        if x.shape != shape:
            raise RuntimeFault(f"stack: tensor {i} has shape {x.shape} and the first has {shape}; they must be equal")
    check_size(product(shape) * len(xs), "stack")
    return apply(stack_op, xs, {"dim": at, **_common(xs)})


def _at_least(x: Tensor, dimensions: int) -> Tensor:
    """The tensor with at least that many dimensions, by PyTorch's steps."""
    if x.ndim >= dimensions:
        return x
    if not x.ndim:
        return as_view(reshape_to, x, {"shape": (1,) * dimensions})
    if x.ndim == 1:
        x = unsqueeze(x, 0)
    return x if x.ndim >= dimensions else unsqueeze(x, -1)


def _atleast(name: str, dimensions: int) -> None:
    def call(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            return tuple(_at_least(x, dimensions) for x in tensors_arg(tensors[0], name))
        if len(tensors) == 1:
            return _at_least(tensor_arg(tensors[0], name), dimensions)
        return tuple(_at_least(x, dimensions) for x in tensors_arg(tensors, name))

    public(name, places=("torch",), ops=(reshape_to,), about=f"with at least {dimensions} dimensions")(call)


for _name, _dimensions in (("atleast_1d", 1), ("atleast_2d", 2), ("atleast_3d", 3)):
    _atleast(_name, _dimensions)


@public(
    "hstack",
    places=("torch",),
    ops=(cat_op,),
    about="tensors side by side (along dimension 1; 0 for vectors)",
)
def hstack(tensors: Any) -> Tensor:
    xs = [_at_least(x, 1) for x in tensors_arg(tensors, "hstack")]
    if not xs:
        raise RuntimeFault("hstack: the list of tensors is empty")
    return cat(xs, 0 if xs[0].ndim == 1 else 1)


@public("vstack", "row_stack", places=("torch",), ops=(cat_op,), about="tensors on top of each other")
def vstack(tensors: Any) -> Tensor:
    xs = tensors_arg(tensors, "vstack")
    if not xs:
        raise RuntimeFault("vstack: the list of tensors is empty")
    return cat([_at_least(x, 2) for x in xs], 0)


@public("dstack", places=("torch",), ops=(cat_op,), about="tensors behind each other, along dimension 2")
def dstack(tensors: Any) -> Tensor:
    xs = tensors_arg(tensors, "dstack")
    if not xs:
        raise RuntimeFault("dstack: the list of tensors is empty")
    return cat([_at_least(x, 3) for x in xs], 2)


@public("column_stack", places=("torch",), ops=(cat_op,), about="vectors as columns, side by side")
def column_stack(tensors: Any) -> Tensor:
    xs = tensors_arg(tensors, "column_stack")
    if not xs:
        raise RuntimeFault("column_stack: the list of tensors is empty")
    return hstack([reshape(x, (x.numel(), 1)) if x.ndim <= 1 else x for x in xs])


# --- repeat -------------------------------------------------------------------------------------------------


def _repeat_rule(g: Any, _y: Any, like_x: Any, *, repeats: Shape) -> Any:
    shape = shape_of(like_x)
    padded = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    paired = tuple(n for pair in zip(repeats, padded, strict=True) for n in pair)
    total = OPS["sum_dim"](reshape_to(g, shape=paired), dim=tuple(range(0, 2 * len(padded), 2)), keepdim=False)
    return reshape_to(total, shape=shape)


repeat_op: Op = primitive(
    "repeat",
    lambda x, *, repeats: np.tile(x, repeats),
    [_repeat_rule],
    formulas=("1",),
    about="the whole tensor repeated along each dimension",
)


def _repeated(t: Tensor, repeats: Shape, function: str) -> Tensor:
    if len(repeats) < t.ndim:
        raise RuntimeFault(
            f"{function}: {len(repeats)} counts are given for {t.ndim} dimensions",
            hint="name a count for each dimension, or use tile",
        )
    sizes = (1,) * (len(repeats) - t.ndim) + tuple(t.shape)
    if any(n * size < 0 for n, size in zip(repeats, sizes, strict=True)):
        raise RuntimeFault(f"{function}: a count can't be negative: {list(repeats)}")
    check_size(product(repeats) * t.numel(), function)
    return apply(repeat_op, (t,), {"repeats": tuple(max(n, 0) for n in repeats)})


@public("repeat", places=("Tensor",), ops=(repeat_op,), about="the tensor repeated along each dimension")
def repeat(input: Tensor, *sizes: Any, repeats: Any = MISSING) -> Tensor:
    """Each dimension as often as its count says; more counts than dimensions make new ones in front.

    Raises:
        TypeFault: no counts.
    """
    if not sizes and repeats is MISSING:
        raise TypeFault("repeat: the counts are missing", hint="write x.repeat(2, 3)")
    return _repeated(input, shape_arg((repeats,) if repeats is not MISSING else sizes, "repeat"), "repeat")


@public("tile", ops=(repeat_op,), about="the tensor repeated; counts are for the last dimensions")
def tile(input: Tensor, *sizes: Any, dims: Any = MISSING) -> Tensor:
    t = tensor_arg(input, "tile")
    counts = shape_arg((dims,) if dims is not MISSING else sizes, "tile")
    return _repeated(t, (1,) * (t.ndim - len(counts)) + counts, "tile")


@public("repeat_interleave", ops=(clone, expand_to, index_select_op), about="each entry repeated in its place")
def repeat_interleave(
    input: Tensor, repeats: Any = MISSING, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each entry of `dim` as often as `repeats` (one count, or a tensor with one for each) says; without `dim`, flat.

    Raises:
        RuntimeFault: a negative count, or another output_size than the counts make.
    """
    t = tensor_arg(input, "repeat_interleave")
    if repeats is MISSING:
        return wrap(_counted(t))
    if dim is None:
        t, dim = t if t.ndim == 1 else reshape(t, (t.numel(),)), 0
    at = dim_arg(dim, t.ndim, "repeat_interleave")
    if not isinstance(repeats, Tensor):
        count = int_arg(repeats, "repeat_interleave", "repeats")
        if count < 0:
            raise RuntimeFault(f"repeat_interleave: a count can't be negative: {count}")
        check_size(t.numel() * count, "repeat_interleave")
        shape = t.shape
        wide = as_view(expand_to, unsqueeze(t, at + 1), {"shape": (*shape[: at + 1], count, *shape[at + 1 :])})
        copied = apply(clone, (wide,), {"contiguous": True})
        return as_view(reshape_to, copied, {"shape": (*shape[:at], shape[at] * count, *shape[at + 1 :])})
    index = _counted(repeats, t.shape[at])
    if output_size is not None and output_size != len(index):
        raise RuntimeFault(f"repeat_interleave: output_size is {output_size} and the counts make {len(index)}")
    return apply(index_select_op, (t, wrap(index)), {"dim": at})


def _counted(repeats: Tensor, size: int | None = None) -> Any:
    """The indices 0, 1, 2... each as often as `repeats` says."""
    counts = np.asarray(repeats.value)
    if counts.dtype.kind not in "iu":
        raise NotImplementedFault(f"repeat_interleave: the counts are integers, not {repeats.dtype}")
    if counts.ndim > 1:
        raise RuntimeFault(f"repeat_interleave: the counts have shape {counts.shape}; one dimension is expected")
    if size is not None and counts.size == 1:
        counts = np.full(size, counts.item())
    if size is not None and counts.size != size:
        raise RuntimeFault(f"repeat_interleave: there are {counts.size} counts for {size} entries")
    if (counts < 0).any():
        raise RuntimeFault("repeat_interleave: a count can't be negative")
    check_size(int(counts.sum()), "repeat_interleave")
    return np.repeat(np.arange(counts.size), counts.reshape(-1))
