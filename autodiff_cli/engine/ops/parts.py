"""A copy of a tensor with one part of it replaced: slice_scatter, select_scatter, diagonal_scatter; and block_diag.

Each is a change in place of a view, written without the change.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, check_size
from autodiff_cli.engine.arguments import dim_arg, int_arg, tensor_arg
from autodiff_cli.engine.dtypes import dtype_of, promote
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.cutting import select_op, slice_op
from autodiff_cli.engine.ops.joining import tensors_arg
from autodiff_cli.engine.ops.rearranging import diagonal_copy_op, diagonal_op
from autodiff_cli.engine.ops.structure import cast, reshape_to
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault


def _scatter_op(name: str, view: Op, reader: Op) -> Op:
    def array(x: Any, src: Any, **where: Any) -> Any:
        out = np.array(x)
        view.array(out, **where)[...] = src
        return out

    op = primitive(
        name,
        array,
        [
            lambda g, _y, _x, _src, **where: op(g, 0.0, **where),
            lambda g, _y, _x, _src, **where: reader(g, **where),
        ],
        formulas=("0 in the part, else 1", "the part of g"),
        about=f"a copy of x with {name.split('_')[0]} replaced by src",
    )
    return op


slice_scatter_op = _scatter_op("slice_scatter", slice_op, slice_op)
select_scatter_op = _scatter_op("select_scatter", select_op, select_op)
diagonal_scatter_op = _scatter_op("diagonal_scatter", diagonal_op, diagonal_copy_op)


def _written(op: Op, t: Tensor, src: Any, where: dict[str, int], name: str) -> Tensor:
    """`op` on a source that must have the shape of the part, and is cast to the tensor's dtype."""
    source = tensor_arg(src, name, "src")
    part = op_part(op, t, where)
    if source.shape != part:
        raise RuntimeFault(f"{name}: the source has shape {tuple(source.shape)}, and the part of x {part}")
    if source.dtype is not t.dtype:
        source = cast(source, dtype=t.dtype)
    return apply(op, (t, source), where)


def op_part(op: Op, t: Tensor, where: dict[str, int]) -> tuple[int, ...]:
    """The shape of the part that an op of this file replaces."""
    view = {slice_scatter_op: slice_op, select_scatter_op: select_op, diagonal_scatter_op: diagonal_op}[op]
    return tuple(view.array(np.broadcast_to(np.float64(0), t.shape), **where).shape)


@public("slice_scatter", ops=(slice_scatter_op,), about="a copy with a slice of a dimension replaced")
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """A copy; `src` has the shape of x[start:end:step] in `dim`.

    Raises:
        IndexFault: a 0-d tensor; RuntimeFault: a step below 1, or another shape.
    """
    t = tensor_arg(input, "slice_scatter")
    if not t.ndim:
        raise IndexFault("slice_scatter: a 0-d tensor has no slices")
    at = dim_arg(dim, t.ndim, "slice_scatter")
    if int_arg(step, "slice_scatter", "step") <= 0:
        raise RuntimeFault(f"slice_scatter: the step must be positive, not {step}")
    first, last, by = slice(start, end, step).indices(t.shape[at])
    where = {"dim": at, "start": first, "stop": max(first, last), "step": by}
    return _written(slice_scatter_op, t, src, where, "slice_scatter")


@public("select_scatter", ops=(select_scatter_op,), about="a copy with one entry of a dimension replaced")
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy; `src` has the shape without `dim`.

    Raises:
        IndexFault: a 0-d tensor, or an index out of range; RuntimeFault: another shape.
    """
    t = tensor_arg(input, "select_scatter")
    if not t.ndim:
        raise IndexFault("select_scatter: a 0-d tensor has no dimension to select from")
    at, i = dim_arg(dim, t.ndim, "select_scatter"), int_arg(index, "select_scatter", "index")
    n = t.shape[at]
    if not -n <= i < n:
        raise IndexFault(f"select_scatter: index {i} is out of range for dimension {at} of size {n}")
    return _written(select_scatter_op, t, src, {"dim": at, "index": i % n}, "select_scatter")


@public("diagonal_scatter", ops=(diagonal_scatter_op,), about="a copy with a diagonal replaced")
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A copy; `src` has the shape of the diagonal.

    Raises:
        RuntimeFault: one dimension twice, or another shape.
    """
    t = tensor_arg(input, "diagonal_scatter")
    first, second = dim_arg(dim1, t.ndim, "diagonal_scatter"), dim_arg(dim2, t.ndim, "diagonal_scatter")
    if first == second:
        raise RuntimeFault(f"diagonal_scatter: dim1 and dim2 are both dimension {first}")
    where = {"offset": int_arg(offset, "diagonal_scatter", "offset"), "dim1": first, "dim2": second}
    return _written(diagonal_scatter_op, t, src, where, "diagonal_scatter")


# --- block_diag ---------------------------------------------------------------------------------------------


def _matrix_shape(x: Any) -> tuple[int, int]:
    shape = shape_of(x)
    return (1, 1) if not shape else (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])


def _block_diag(*xs: Any) -> Any:
    shapes = [_matrix_shape(x) for x in xs]
    dtype: Any = dtype_of(xs[0])
    for x in xs[1:]:
        dtype = promote(dtype, dtype_of(x))
    out = np.zeros((sum(m for m, _ in shapes), sum(n for _, n in shapes)), dtype.name)
    row = column = 0
    for x, (m, n) in zip(xs, shapes, strict=True):
        out[row : row + m, column : column + n] = x
        row, column = row + m, column + n
    return out


def _block_rule(g: Any, _y: Any, *like_xs: Any, index: int) -> Any:
    shapes = [_matrix_shape(x) for x in like_xs]
    row, column = sum(m for m, _ in shapes[:index]), sum(n for _, n in shapes[:index])
    m, n = shapes[index]
    part = slice_op(g, dim=0, start=row, stop=row + m, step=1)
    return reshape_to(slice_op(part, dim=1, start=column, stop=column + n, step=1), shape=shape_of(like_xs[index]))


block_diag_op: Op = primitive(
    "block_diag",
    _block_diag,
    [_block_rule],
    variadic=True,
    formulas=("the block of g",),
    about="matrices along the diagonal of a larger one",
)


@public("block_diag", places=("torch",), ops=(block_diag_op,), about="matrices along the diagonal of a larger one")
def block_diag(*tensors: Any) -> Tensor:
    """A matrix; a vector counts as a row, a number as a matrix of one.

    Raises:
        RuntimeFault: more than 2 dimensions.
    """
    xs = tensors_arg(tensors, "block_diag")
    for x in xs:
        if x.ndim > 2:
            raise RuntimeFault(
                f"block_diag: matrices are expected (or vectors, or numbers), not shape {tuple(x.shape)}"
            )
    shapes = [_matrix_shape(x) for x in xs]
    check_size(sum(m for m, _ in shapes) * sum(n for _, n in shapes), "block_diag")
    return apply(block_diag_op, xs, {})
