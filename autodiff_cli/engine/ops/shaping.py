"""The same entries in another shape or order: view, reshape, flatten, transpose, permute, squeeze, expand and
theirs.

All of these are views where PyTorch's are. `reshape` copies (a `clone`, then a view of it) where the memory
does not allow a view; `view` refuses there.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, dims_arg, list_arg, shape_arg, tensor_arg
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.cutting import alias_op
from autodiff_cli.engine.ops.structure import (
    MISSING,
    PLAIN,
    Shape,
    as_view,
    clone,
    infer_shape,
    permute,
    product,
    reshape_alias,
    reshape_to,
    unsafe_view,
)
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.views import materialise
from autodiff_cli.errors import RuntimeFault, TypeFault


def contiguous_memory(t: Tensor) -> bool:
    """Whether the entries lie in memory one after another, the last dimension fastest."""
    return type(t.value) in PLAIN or bool(t.value.flags.c_contiguous)


def viewed(t: Tensor, shape: Shape, scattered: Op = reshape_alias) -> Tensor | None:
    """The tensor in another shape over the same memory, or None where that takes a copy.

    `scattered` is the op for memory that is not contiguous.
    """
    if contiguous_memory(t):
        return as_view(reshape_to, t, {"shape": shape})
    value = t.value
    if np.may_share_memory(value.reshape(shape), value):
        return as_view(scattered, t, {"shape": shape})
    return None


# --- view and reshape ---------------------------------------------------------------------------------------


def _sizes(sizes: tuple[Any, ...], keyword: Any, function: str) -> Shape:
    if keyword is not MISSING:
        sizes = (keyword,)
    elif not sizes:
        raise TypeFault(f"{function}: the shape is missing", hint=f"write x.{function}(2, 3)")
    return shape_arg(sizes, function)


@public("view", places=("Tensor",), ops=(reshape_to,), about="the same entries in another shape, never a copy")
def view(input: Tensor, *shape: Any, size: Any = MISSING, dtype: Any = MISSING) -> Tensor:
    """A view in another shape, in which one entry may be -1; or, of a dtype, the same bytes outside of the graph.

    Raises:
        RuntimeFault: another number of elements, or a memory order that would take a copy.
    """
    if len(shape) == 1 and isinstance(shape[0], DType):
        dtype = shape[0]
    if dtype is not MISSING:
        return _reinterpreted(input, dtype)
    wanted = infer_shape(_sizes(shape, size, "view"), input.numel(), "view")
    found = viewed(input, wanted, reshape_to)
    if found is None:
        raise RuntimeFault(
            f"view: the memory of this tensor of shape {input.shape} is in another order, "
            f"so it can't be seen as {list(wanted)} without a copy",
            hint="write x.reshape(...), which copies where it must",
        )
    return found


def _reinterpreted(t: Tensor, dtype: DType) -> Tensor:
    """The bits of a tensor as another dtype, outside the graph."""
    try:
        return wrap(materialise(t).view(dtype.name))
    except ValueError:
        raise RuntimeFault(f"view: the memory of a {t.dtype} tensor of shape {t.shape} is no {dtype} tensor") from None


@public("view_as", places=("Tensor",), ops=(reshape_to,), about="view in the shape of another tensor")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    return view(input, tensor_arg(other, "view_as", "other").shape)


def _reshape(t: Tensor, shape: Shape) -> Tensor:
    found = viewed(t, shape)
    if found is None:
        found = apply(unsafe_view, (apply(clone, (t,), {"contiguous": True}),), {"shape": shape})
    return found


@public("reshape", ops=(reshape_to, reshape_alias, clone, unsafe_view), about="the same entries in another shape")
def reshape(input: Tensor, *sizes: Any, shape: Any = MISSING) -> Tensor:
    t = tensor_arg(input, "reshape")
    return _reshape(t, infer_shape(_sizes(sizes, shape, "reshape"), t.numel(), "reshape"))


@public("reshape_as", places=("Tensor",), ops=(reshape_to,), about="reshape to the shape of another tensor")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    return reshape(input, tensor_arg(other, "reshape_as", "other").shape)


@public("flatten", ops=(reshape_to,), about="the dimensions from start_dim to end_dim as one")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """A view where the memory order allows it; a 0-d tensor becomes a vector.

    Raises:
        RuntimeFault: start_dim comes after end_dim.
    """
    t = tensor_arg(input, "flatten")
    start, end = dim_arg(start_dim, t.ndim, "flatten"), dim_arg(end_dim, t.ndim, "flatten")
    if start > end:
        raise RuntimeFault(f"flatten: start_dim {start_dim} comes after end_dim {end_dim}")
    shape = t.shape
    if not shape:
        return _reshape(t, (1,))
    if start == end:
        return t
    return _reshape(t, (*shape[:start], product(shape[start : end + 1]), *shape[end + 1 :]))


@public("unflatten", ops=(reshape_to,), about="one dimension as several")
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """A view; one of the sizes may be -1.

    Raises:
        RuntimeFault: a 0-d tensor, no sizes, or sizes that do not make the dimension.
    """
    t = tensor_arg(input, "unflatten")
    parts = list_arg(sizes, "unflatten", "sizes")
    at = dim_arg(dim, t.ndim, "unflatten")
    if not t.ndim:
        raise RuntimeFault("unflatten: a 0-d tensor has no dimension to unflatten")
    if not parts:
        raise RuntimeFault("unflatten: the sizes are empty")
    parts = infer_shape(parts, t.shape[at], "unflatten")
    return as_view(reshape_to, t, {"shape": (*t.shape[:at], *parts, *t.shape[at + 1 :])})


@public("ravel", ops=(reshape_to, clone), about="all entries in one dimension")
def ravel(input: Tensor) -> Tensor:
    t = tensor_arg(input, "ravel")
    if not contiguous_memory(t):
        t = apply(clone, (t,), {"contiguous": True})
    return as_view(reshape_to, t, {"shape": (t.numel(),)})


# --- the order of dimensions --------------------------------------------------------------------------------


def _swap(x: Any, *, dim0: int, dim1: int) -> Any:
    return np.asarray(x).swapaxes(dim0, dim1)


transpose_op: Op = primitive(
    "transpose",
    lambda x, *, dim0, dim1: _swap(x, dim0=dim0, dim1=dim1) if dim0 != dim1 else np.asarray(x)[...],
    [lambda g, _y, _x, *, dim0, dim1: transpose_op(g, dim0=dim0, dim1=dim1)],
    view=True,
    formulas=("1",),
    about="two dimensions exchanged",
)
t_op: Op = primitive(
    "t",
    lambda x: np.asarray(x).T,
    [lambda g, _y, _x: t_op(g)],
    view=True,
    formulas=("1",),
    about="the transpose of a matrix",
)


@public("transpose", "swapaxes", "swapdims", ops=(transpose_op,), about="two dimensions exchanged")
def transpose(
    input: Tensor, dim0: Any = MISSING, dim1: Any = MISSING, *, axis0: Any = MISSING, axis1: Any = MISSING
) -> Tensor:
    """A view.

    Raises:
        TypeFault: a dimension is missing; IndexFault: there is no such dimension.
    """
    t = tensor_arg(input, "transpose")
    first, second = axis0 if dim0 is MISSING else dim0, axis1 if dim1 is MISSING else dim1
    if first is MISSING or second is MISSING:
        raise TypeFault("transpose: two dimensions are needed", hint="as in x.transpose(0, 1), or x.T for a matrix")
    return as_view(
        transpose_op,
        t,
        {"dim0": dim_arg(first, t.ndim, "transpose"), "dim1": dim_arg(second, t.ndim, "transpose")}
        if t.ndim
        else _no_dims(first, second),
    )


def _no_dims(*dims: Any) -> dict[str, int]:
    for dim in dims:
        dim_arg(dim, 0, "transpose")
    return {"dim0": 0, "dim1": 0}


@public("t", ops=(t_op,), about="the transpose of a matrix")
def t(input: Tensor) -> Tensor:
    """A view; a vector or a 0-d tensor as it is.

    Raises:
        RuntimeFault: more than 2 dimensions.
    """
    x = tensor_arg(input, "t")
    if x.ndim > 2:
        raise RuntimeFault(
            f"t() is for matrices, and this tensor has {x.ndim} dimensions",
            hint="write x.mT or x.transpose(0, 1)",
        )
    return as_view(t_op, x, {})


def all_reversed(x: Tensor) -> Tensor:
    """`x.T`: the dimensions in reverse order."""
    return as_view(permute, x, {"dims": tuple(range(x.ndim))[::-1]})


def matrix_transposed(x: Tensor) -> Tensor:
    """`x.mT`: the last two dimensions exchanged; a 0-d tensor is returned itself.

    Raises:
        RuntimeFault: there is one dimension.
    """
    if not x.ndim:
        return x
    if x.ndim < 2:
        raise RuntimeFault(f"mT is for matrices, and this tensor has {x.ndim} dimensions")
    return as_view(transpose_op, x, {"dim0": x.ndim - 2, "dim1": x.ndim - 1})


def conjugate_transposed(x: Tensor) -> Tensor:
    """`x.H`: the transpose of a matrix, as all numbers are real.

    Raises:
        RuntimeFault: it is neither a matrix nor 0-d.
    """
    if x.ndim not in (0, 2):
        raise RuntimeFault(f"H is for matrices, and this tensor has {x.ndim} dimensions", hint="write x.mH")
    return matrix_transposed(x) if x.ndim else x


@public("adjoint", ops=(transpose_op,), about="the last two dimensions exchanged")
def adjoint(input: Tensor) -> Tensor:
    return matrix_transposed(tensor_arg(input, "adjoint"))


PROPERTIES = {"T": all_reversed, "mT": matrix_transposed, "H": conjugate_transposed, "mH": matrix_transposed}


@public("permute", ops=(permute,), about="the dimensions in the order given")
def permute_dims(input: Tensor, *sizes: Any, dims: Any = MISSING) -> Tensor:
    """A view.

    Raises:
        RuntimeFault: not every dimension is named once.
    """
    x = tensor_arg(input, "permute")
    order = shape_arg((dims,) if dims is not MISSING else sizes, "permute")
    if len(order) != x.ndim:
        raise RuntimeFault(f"permute: {len(order)} dimensions are named and the tensor has {x.ndim}")
    order = tuple(dim_arg(d, x.ndim, "permute") for d in order)
    if len(set(order)) != len(order):
        raise RuntimeFault("permute: a dimension is named twice")
    return as_view(permute, x, {"dims": order})


@public("movedim", "moveaxis", ops=(permute,), about="dimensions moved to other places")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """A view; the other dimensions keep their order.

    Raises:
        RuntimeFault: other many places than dimensions, or one named twice.
    """
    x = tensor_arg(input, "movedim")
    before, after = shape_arg((source,), "movedim"), shape_arg((destination,), "movedim")
    if len(before) != len(after):
        raise RuntimeFault(f"movedim: {len(before)} dimensions are to go to {len(after)} places")
    starts = tuple(dim_arg(d, x.ndim, "movedim") for d in before)
    ends = tuple(dim_arg(d, x.ndim, "movedim") for d in after)
    for named in (starts, ends):
        if len(set(named)) != len(named):
            raise RuntimeFault("movedim: a dimension is named twice")
    if not x.ndim:
        return as_view(alias_op, x, {})
    rest = [d for d in range(x.ndim) if d not in starts]
    order: list[int] = []
    for place in range(x.ndim):
        order.append(starts[ends.index(place)] if place in ends else rest.pop(0))
    return as_view(permute, x, {"dims": tuple(order)})


# --- dimensions of size one ---------------------------------------------------------------------------------


def _squeeze(x: Any, *, dims: Shape) -> Any:
    x = np.asarray(x)
    return x.squeeze(tuple(d for d in dims if d < x.ndim and x.shape[d] == 1))


def _squeeze_op(name: str, grad_fn: str) -> Any:
    return primitive(
        name,
        _squeeze,
        [lambda g, _y, like_x, *, dims: reshape_to(g, shape=shape_of(like_x))],
        grad_fn=grad_fn,
        view=True,
        formulas=("1",),
        about="without dimensions of size 1",
    )


squeeze_all = _squeeze_op("squeeze", "SqueezeBackward0")
squeeze_one = _squeeze_op("squeeze_dim", "SqueezeBackward1")
squeeze_some = _squeeze_op("squeeze_dims", "SqueezeBackward2")


@public("squeeze", ops=(squeeze_all, squeeze_one, squeeze_some), about="without dimensions of size 1")
def squeeze(input: Tensor, dim: Any = MISSING) -> Tensor:
    x = tensor_arg(input, "squeeze")
    if dim is MISSING:
        return as_view(squeeze_all, x, {"dims": tuple(range(x.ndim))})
    if isinstance(dim, (list, tuple)):
        return as_view(squeeze_some, x, {"dims": dims_arg(dim, x.ndim, "squeeze") if dim else ()})
    return as_view(squeeze_one, x, {"dims": (dim_arg(dim, x.ndim, "squeeze"),)})


unsqueeze_op: Op = primitive(
    "unsqueeze",
    lambda x, *, dim: np.asarray(x)[(*(slice(None),) * dim, None)],
    [lambda g, _y, like_x, *, dim: reshape_to(g, shape=shape_of(like_x))],
    view=True,
    formulas=("1",),
    about="with a new dimension of size 1",
)


@public("unsqueeze", ops=(unsqueeze_op,), about="with a new dimension of size 1 before `dim`")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    x = tensor_arg(input, "unsqueeze")
    return as_view(unsqueeze_op, x, {"dim": dim_arg(dim, x.ndim + 1, "unsqueeze")})
