"""Plumbing that rules, the backward walk and other families share: shapes, copies and dtypes as operations.

Public functions over them are in shaping.py and conversion.py. `as_view` is how every public function makes a
view.

Invariant: an array that a view operation returns shares its operand's memory whenever PyTorch's would; one
that any other operation returns shares memory with nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.apply import apply, cast_raw
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.registry import Op, primitive, settle, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.engine.views import materialise
from autodiff_cli.errors import RuntimeFault, TypeFault

Shape = tuple[int, ...]
PLAIN = frozenset((float, int, bool))


class _Missing:
    """The default of an argument that may be left out and for which None means something else."""

    def __repr__(self) -> str:
        return "<left out>"


MISSING: Any = _Missing()


def as_view(op: Op, t: Tensor, params: dict[str, Any]) -> Tensor:
    """The view `op(t)`. A scalar tensor is given memory first, so that there is something to share."""
    if type(t.value) in PLAIN:
        materialise(t)
    view = apply(op, (t,), params)
    node = view.node
    if node is not None and not view.value.ndim:
        node.value = settle(view.value)  # rules then see a plain number, which the float step takes
    return view


def dtype_arg(dtype: Any, function: str) -> DType:
    """The argument `dtype`.

    Raises:
        TypeFault: it is no dtype.
    """
    if isinstance(dtype, DType):
        return dtype
    raise TypeFault(f"{function}: dtype is torch.float64 or the like, not {type(dtype).__name__}")


def keep_arg(keepdim: Any, function: str, dim: Any = None) -> bool:
    """The argument `keepdim`; `dim` is MISSING where none is given, and there is then nothing to keep.

    Raises:
        TypeFault: it is no bool, or it is given without a dimension.
    """
    if type(keepdim) is not bool:
        raise TypeFault(
            f"{function}: keepdim is True or False, not {keepdim!r}",
            hint=f"several dimensions go in a tuple: {function}((0, 1))",
        )
    if keepdim and dim is MISSING:
        raise TypeFault(f"{function}: keepdim needs a dimension", hint=f"{function}(dim=0, keepdim=True)")
    return keepdim


def spread(x: Any, shape: Shape) -> Any:
    """An array seen in a shape that it broadcasts to: nothing is copied, added dimensions have stride 0.

    Raises:
        ValueError: it does not broadcast to that shape.
    """
    lead = len(shape) - x.ndim
    if lead >= 0 and x.size and x.flags.c_contiguous:
        strides = [0] * lead
        for n, m, stride in zip(x.shape, shape[lead:], x.strides, strict=True):
            if n != m and n != 1:
                raise ValueError(f"{x.shape} does not broadcast to {shape}")
            strides.append(stride if n == m else 0)
        return np.ndarray(shape, x.dtype, x, 0, strides)  # a tenth of what np.broadcast_to takes
    out = np.broadcast_to(x, shape)
    out.flags.writeable = x.flags.writeable
    return out


def duplicate(x: Any, *, contiguous: bool = False) -> Any:
    """A copy, in the memory order of the original where that is dense (PyTorch's preserve_format)."""
    if type(x) in PLAIN:
        return x
    return np.array(x, copy=True, order="C" if contiguous or 0 in x.strides else "K")


def kept_shape(shape: Shape, dim: int | Sequence[int]) -> Shape:
    """The shape with the dimensions `dim` reduced to 1."""
    dims = (dim,) if type(dim) is int else dim
    return tuple(1 if i in dims else n for i, n in enumerate(shape))  # type: ignore[operator]


def product(sizes: Sequence[int]) -> int:
    """The product of whole numbers: the elements of a shape."""
    total = 1
    for n in sizes:
        total *= n
    return total


def infer_shape(sizes: Sequence[int], elements: int, function: str) -> Shape:
    """A shape in which one entry may be -1: it is worked out from the number of elements.

    Raises:
        RuntimeFault: more than one -1, another negative entry, or the elements don't fit.
    """
    shape = tuple(sizes)
    known, free = 1, -1
    for i, n in enumerate(shape):
        if n == -1:
            if free >= 0:
                raise RuntimeFault(f"{function}: only one entry of a shape can be -1, not two: {list(shape)}")
            free = i
        elif n < 0:
            raise RuntimeFault(f"{function}: a shape can't have the entry {n}: {list(shape)}")
        else:
            known *= n
    if free >= 0 and known and elements % known == 0:
        return (*shape[:free], elements // known, *shape[free + 1 :])
    if free >= 0 and not known:
        raise RuntimeFault(f"{function}: -1 in {list(shape)} could be anything, because another entry is 0")
    if free >= 0 or known != elements:
        raise RuntimeFault(
            f"{function}: a tensor of {elements} elements does not fit into the shape {list(shape)}",
            hint="the product of the shape must be the number of elements",
        )
    return shape


# --- operations ---------------------------------------------------------------------------------------------


def _sum_to(x: Any, *, shape: Shape) -> Any:
    x = np.asarray(x)
    lead = x.ndim - len(shape)
    axes = (*range(lead), *(i + lead for i, n in enumerate(shape) if n == 1 != x.shape[i + lead]))
    return np.add.reduce(x, axes).reshape(shape) if axes else x.copy()


sum_to: Op = primitive(
    "sum_to",
    _sum_to,
    [lambda g, _y, like_x, *, shape: expand_to(g, shape=shape_of(like_x))],
    grad_fn="SumBackward1",
    about="summed over what broadcasting had added to a shape",
)
sum_whole: Op = primitive(
    "sum_whole",
    lambda x: np.add.reduce(np.asarray(x), axis=None),
    [lambda g, _y, like_x: expand_to(g, shape=shape_of(like_x))],
    grad_fn="SumBackward0",
    about="summed over everything, where broadcasting had spread a number",
)


def summed_to(x: Any, shape: Shape) -> Any:
    """What broadcasting had added to a shape, summed, by the operations that PyTorch takes."""
    added = x.ndim - len(shape) if type(x) is Tensor else 0
    if not shape or added <= 0:
        return sum_to(x, shape=shape) if shape else sum_whole(x)
    return reshape_to(sum_to(x, shape=(1,) * added + tuple(shape)), shape=shape)


expand_to: Op = primitive(
    "expand_to",
    lambda x, *, shape: spread(np.asarray(x), shape),
    [lambda g, _y, like_x, *, shape: summed_to(g, shape_of(like_x))],
    grad_fn="ExpandBackward0",
    view=True,
    formulas=("1",),
    about="spread to a shape that it broadcasts to",
)


def _reshape_op(name: str, grad_fn: str, about: str, *, view: bool = True) -> Op:
    return primitive(
        name,
        lambda x, *, shape: np.asarray(x).reshape(shape),
        [lambda g, _y, like_x, *, shape: reshape_to(g, shape=shape_of(like_x))],
        grad_fn=grad_fn,
        view=view,
        formulas=("1",),
        about=about,
    )


reshape_to = _reshape_op("reshape_to", "ViewBackward0", "the same entries in another shape")
reshape_alias = _reshape_op(
    "reshape_alias",
    "ReshapeAliasBackward0",
    "the entries of a tensor that is not contiguous in another shape, where that needs no copy",
)
unsafe_view = _reshape_op("unsafe_view", "UnsafeViewBackward0", "a fresh copy in another shape", view=False)
clone: Op = primitive(
    "clone",
    duplicate,
    [lambda g, _y, _x, *, contiguous=False: g],
    scalar=lambda x, *, contiguous=False: x,
    formulas=("1",),
    about="a copy that keeps its place in the graph",
)
cast: Op = primitive(
    "cast",
    lambda x, *, dtype, copy=False: duplicate(x) if copy else cast_raw(x, dtype),
    [lambda g, _y, _x, *, dtype, copy=False: g],
    grad_fn="ToCopyBackward0",
    formulas=("1",),
    about="in another dtype",
)


def _permute(x: Any, *, dims: Shape) -> Any:
    return np.asarray(x).transpose(dims)


def inverse(dims: Sequence[int]) -> Shape:
    """The inverse of a permutation."""
    out = [0] * len(dims)
    for i, d in enumerate(dims):
        out[d] = i
    return tuple(out)


permute: Op = primitive(
    "permute",
    _permute,
    [lambda g, _y, _x, *, dims: permute(g, dims=inverse(dims))],
    view=True,
    formulas=("1",),
    about="dimensions in another order",
)


def unsqueezed(g: Any, like: Any, dim: int | Sequence[int]) -> Any:
    """In a rule: the cotangent of a reduction over `dim`, with the reduced dimensions put back as 1."""
    shape = kept_shape(shape_of(like), dim)
    return g if shape_of(g) == shape else reshape_to(g, shape=shape)
