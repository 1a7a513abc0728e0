"""Entries moved to other places: flip, roll, rot90, triangles, diagonals."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, check_size
from autodiff_cli.engine.arguments import dim_arg, dims_arg, int_arg, shape_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.cutting import zeros_for
from autodiff_cli.engine.ops.shaping import reshape
from autodiff_cli.engine.ops.structure import MISSING, Shape, as_view, product
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

# --- flip, roll, rot90 --------------------------------------------------------------------------------------


def _flip(x: Any, *, dims: Shape) -> Any:
    x = np.asarray(x)
    if not x.ndim:
        return x.copy()
    return x[tuple(slice(None, None, -1) if d in dims else slice(None) for d in range(x.ndim))].copy()


flip_op: Op = primitive(
    "flip",
    _flip,
    [lambda g, _y, _x, *, dims: flip_op(g, dims=dims)],
    formulas=("1",),
    about="the entries in reverse order along dimensions",
)


@public("flip", ops=(flip_op,), about="the entries in reverse order along dimensions")
def flip(input: Tensor, *sizes: Any, dims: Any = MISSING) -> Tensor:
    """A copy.

    Raises:
        TypeFault: no dimensions are named; IndexFault: there is no such dimension.
    """
    t = tensor_arg(input, "flip")
    if dims is MISSING and not sizes:
        raise TypeFault("flip: the dimensions are missing", hint="as in x.flip(0)")
    named = shape_arg((dims,) if dims is not MISSING else sizes, "flip")
    return apply(flip_op, (t,), {"dims": dims_arg(named, t.ndim, "flip") if named else ()})


@public("fliplr", ops=(flip_op,), about="the columns in reverse order")
def fliplr(input: Tensor) -> Tensor:
    return flip(_with_rank(input, 2, "fliplr"), 1)


@public("flipud", ops=(flip_op,), about="the rows in reverse order")
def flipud(input: Tensor) -> Tensor:
    return flip(_with_rank(input, 1, "flipud"), 0)


def _with_rank(x: Any, lowest: int, function: str) -> Tensor:
    t = tensor_arg(x, function)
    if t.ndim < lowest:
        raise RuntimeFault(f"{function}: the tensor needs at least {lowest} dimensions and has {t.ndim}")
    return t


def _roll(x: Any, *, shifts: Shape, dims: Shape) -> Any:
    x = np.asarray(x)
    if not x.ndim:
        return x.copy()
    return np.roll(x, shifts, dims) if dims else np.roll(x, shifts[0])


roll_op: Op = primitive(
    "roll",
    _roll,
    [lambda g, _y, _x, *, shifts, dims: roll_op(g, shifts=tuple(-s for s in shifts), dims=dims)],
    formulas=("1",),
    about="the entries moved along dimensions, those that fall off coming in at the other end",
)


@public("roll", ops=(roll_op,), about="the entries moved along dimensions, round the end")
def roll(input: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    """A copy; without `dims` the flattened tensor is moved.

    Raises:
        IndexFault: there is no such dimension; RuntimeFault: other many shifts than dimensions, or none.
    """
    t = tensor_arg(input, "roll")
    by = shape_arg((shifts,), "roll")
    along = () if dims is None else shape_arg((dims,), "roll")
    if not by:
        raise RuntimeFault("roll: the shifts are missing")
    if (along or len(by) != 1) and len(along) != len(by):
        raise RuntimeFault(f"roll: {len(by)} shifts are given for {len(along)} dimensions")
    if along and not t.ndim:
        raise IndexFault("roll: a 0-d tensor has no dimension to roll along")
    if not t.numel():
        return apply(roll_op, (t,), {"shifts": (0,), "dims": ()})
    return apply(roll_op, (t,), {"shifts": by, "dims": tuple(dim_arg(d, t.ndim, "roll") for d in along)})


rot90_op: Op = primitive(
    "rot90",
    lambda x, *, k, dims: np.rot90(x, k, dims).copy(),
    [lambda g, _y, _x, *, k, dims: rot90_op(g, k=-k, dims=dims)],
    formulas=("1",),
    about="turned by quarters in the plane of two dimensions",
)


@public("rot90", ops=(rot90_op,), about="turned by k quarters in the plane of two dimensions")
def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Tensor:
    """A copy; positive k turns from the first dimension of the plane to the second.

    Raises:
        RuntimeFault: no two different dimensions, or a tensor with fewer than 2.
    """
    t = tensor_arg(input, "rot90")
    plane = shape_arg((dims,), "rot90")
    if len(plane) != 2:
        raise RuntimeFault(f"rot90: two dimensions make a plane, and {len(plane)} are given")
    _with_rank(t, 2, "rot90")
    first, second = (dim_arg(d, t.ndim, "rot90") for d in plane)
    if first == second:
        raise RuntimeFault("rot90: the two dimensions are the same")
    return apply(rot90_op, (t,), {"k": int_arg(k, "rot90", "k"), "dims": (first, second)})


# --- triangles ----------------------------------------------------------------------------------------------


def _triangle(name: str, about: str) -> None:
    def array(x: Any, *, diagonal: int) -> Any:
        return np.tril(x, diagonal) if name == "tril" else np.triu(x, diagonal)

    op: Op = primitive(
        name,
        array,
        [lambda g, _y, _x, *, diagonal: op(g, diagonal=diagonal)],
        formulas=("1 inside",),
        about=about,
    )

    def call(input: Tensor, diagonal: int = 0) -> Tensor:
        t = _with_rank(input, 2, name)
        return apply(op, (t,), {"diagonal": int_arg(diagonal, name, "diagonal")})

    public(name, ops=(op,), about=about, in_place=True)(call)


_triangle("tril", "the lower triangle, zeros above")
_triangle("triu", "the upper triangle, zeros below")


# --- diagonals ----------------------------------------------------------------------------------------------


def _diagonal(x: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    out = np.asarray(x).diagonal(offset, dim1, dim2)
    out.flags.writeable = x.flags.writeable
    return out


def _diagonal_backward(g: Any, *, shape: Shape, offset: int, dim1: int, dim2: int) -> Any:
    out = zeros_for(g, shape)
    _diagonal(out, offset=offset, dim1=dim1, dim2=dim2)[...] = g
    return out


def _diagonal_op(name: str, grad_fn: str, view: bool) -> Op:
    def array(x: Any, *, offset: int, dim1: int, dim2: int) -> Any:
        out = _diagonal(x, offset=offset, dim1=dim1, dim2=dim2)
        return out if view else out.copy()

    return primitive(
        name,
        array,
        [
            lambda g, _y, like_x, *, offset, dim1, dim2: diagonal_backward(
                g, shape=shape_of(like_x), offset=offset, dim1=dim1, dim2=dim2
            )
        ],
        grad_fn=grad_fn,
        view=view,
        formulas=("1 on the diagonal",),
        about="a diagonal of two dimensions, as the last dimension",
    )


diagonal_op = _diagonal_op("diagonal", "DiagonalBackward0", True)
diagonal_copy_op = _diagonal_op("diagonal_copy", "DiagonalBackward0_copy", False)
diagonal_backward: Op = primitive(
    "diagonal_backward",
    _diagonal_backward,
    [lambda g, _y, _x, *, shape, offset, dim1, dim2: diagonal_copy_op(g, offset=offset, dim1=dim1, dim2=dim2)],
    grad_fn="DiagonalBackwardBackward0",
    formulas=("1",),
    about="zeros with a diagonal filled",
)


def _plane(t: Tensor, dim1: int, dim2: int, ndim: int, function: str) -> tuple[int, int]:
    first, second = dim_arg(dim1, ndim, function), dim_arg(dim2, ndim, function)
    if first == second:
        raise RuntimeFault(f"{function}: dim1 and dim2 are the same dimension, {first}")
    return first, second


@public("diagonal", ops=(diagonal_op,), about="a diagonal of two dimensions, as a view")
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    t = tensor_arg(input, "diagonal")
    first, second = _plane(t, dim1, dim2, t.ndim, "diagonal")
    return as_view(diagonal_op, t, {"offset": int_arg(offset, "diagonal", "offset"), "dim1": first, "dim2": second})


def _diag_embed(x: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    x = np.asarray(x)
    n = x.shape[-1] + abs(offset)
    shape = list(x.shape[:-1])
    for d in sorted((dim1, dim2)):
        shape.insert(d, n)
    out = np.zeros(shape, x.dtype)
    _diagonal(out, offset=offset, dim1=dim1, dim2=dim2)[...] = x
    return out


diag_embed_op: Op = primitive(
    "diag_embed",
    _diag_embed,
    [lambda g, _y, _x, *, offset, dim1, dim2: diagonal_copy_op(g, offset=offset, dim1=dim1, dim2=dim2)],
    formulas=("1",),
    about="zeros with the last dimension laid on a diagonal",
)


@public("diag_embed", ops=(diag_embed_op,), about="zeros with the last dimension laid on a diagonal")
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    t = tensor_arg(input, "diag_embed")
    by = int_arg(offset, "diag_embed", "offset")
    first, second = _plane(t, dim1, dim2, t.ndim + 1, "diag_embed")
    n = t.shape[-1] + abs(by)
    check_size(product(t.shape[:-1]) * n * n, "diag_embed")
    return apply(diag_embed_op, (t,), {"offset": by, "dim1": first, "dim2": second})


@public(
    "diag",
    ops=(diagonal_copy_op, diag_embed_op),
    about="the diagonal of a matrix, or a matrix from a diagonal",
)
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Of a matrix a copy of its diagonal, of a vector a square matrix.

    Raises:
        RuntimeFault: other many dimensions.
    """
    t = tensor_arg(input, "diag")
    if t.ndim == 1:
        return diag_embed(t, diagonal)
    if t.ndim != 2:
        raise RuntimeFault(f"diag: a vector or a matrix is expected, not a tensor with {t.ndim} dimensions")
    return apply(diagonal_copy_op, (t,), {"offset": int_arg(diagonal, "diag", "diagonal"), "dim1": 0, "dim2": 1})


@public("diagflat", ops=(diag_embed_op,), about="a matrix with all entries on a diagonal")
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    t = tensor_arg(input, "diagflat")
    return diag_embed(reshape(t, (t.numel(),)), offset)


@public("diagonal", places=("linalg",), ops=(diagonal_op,), about="a diagonal of two dimensions, as a view")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return diagonal(A, offset, dim1, dim2)


# --- pixels -------------------------------------------------------------------------------------------------


def _shuffle(x: Any, *, factor: int) -> Any:
    *batch, channels, height, width = x.shape
    parts = x.reshape(*batch, channels // factor**2, factor, factor, height, width)
    n = len(batch)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return parts.transpose(order).reshape(*batch, channels // factor**2, height * factor, width * factor)


def _unshuffle(x: Any, *, factor: int) -> Any:
    *batch, channels, height, width = x.shape
    parts = x.reshape(*batch, channels, height // factor, factor, width // factor, factor)
    n = len(batch)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return parts.transpose(order).reshape(*batch, channels * factor**2, height // factor, width // factor)


pixel_shuffle_op: Op = primitive(
    "pixel_shuffle",
    _shuffle,
    [lambda g, _y, _x, *, factor: pixel_unshuffle_op(g, factor=factor)],
    formulas=("pixel_unshuffle(g)",),
    about="channels laid out as a finer picture",
)
pixel_unshuffle_op: Op = primitive(
    "pixel_unshuffle",
    _unshuffle,
    [lambda g, _y, _x, *, factor: pixel_shuffle_op(g, factor=factor)],
    formulas=("pixel_shuffle(g)",),
    about="a picture's neighbours as channels of a coarser one",
)


@public("pixel_shuffle", places=("torch", "F"), ops=(pixel_shuffle_op,), about="channels laid out as a finer picture")
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(..., C * r**2, H, W) becomes (..., C, H * r, W * r).

    Raises:
        RuntimeFault: channels that r**2 does not divide, fewer than 3 dimensions, r below 1.
    """
    t, r = tensor_arg(input, "pixel_shuffle"), int_arg(upscale_factor, "pixel_shuffle", "upscale_factor")
    if t.ndim < 3 or r <= 0 or t.shape[-3] % r**2:
        raise RuntimeFault(f"pixel_shuffle: the channels of shape {tuple(t.shape)} do not make squares of {r}")
    return apply(pixel_shuffle_op, (t,), {"factor": r})


@public("pixel_unshuffle", places=("torch", "F"), ops=(pixel_unshuffle_op,), about="a picture's neighbours as channels")
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(..., C, H * r, W * r) becomes (..., C * r**2, H, W).

    Raises:
        RuntimeFault: sizes that r does not divide, fewer than 3 dimensions, r below 1.
    """
    t, r = tensor_arg(input, "pixel_unshuffle"), int_arg(downscale_factor, "pixel_unshuffle", "downscale_factor")
    if t.ndim < 3 or r <= 0 or t.shape[-1] % r or t.shape[-2] % r:
        raise RuntimeFault(f"pixel_unshuffle: a picture of shape {tuple(t.shape)} does not part into squares of {r}")
    return apply(pixel_unshuffle_op, (t,), {"factor": r})
