"""What the rules of linear algebra are written in: products, transposes, diagonals and triangles of (batches
of) matrices.

A matrix is the last two dimensions; the dimensions before are batches and broadcast. The functions here take
raw values and tensors alike, so a rule that uses them gives numbers or a graph.

Also here: the checks that public functions of linear algebra share, in PyTorch's order (kind of tensor, rank,
square).
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.registry import Op, primitive, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import Fault, NotImplementedFault, RuntimeFault

Shape = tuple[int, ...]


class LinAlgFault(RuntimeFault):
    """A matrix that has no inverse, or no such factors: torch.linalg.LinAlgError."""

    python_name = "_LinAlgError"  # what type(e).__name__ is under PyTorch

    code = "linalg"


# --- products and transposes --------------------------------------------------------------------------------

mT: Op = primitive(
    "matrix_transpose",
    lambda x: x.swapaxes(-1, -2),  # np.swapaxes takes four times as long
    [lambda g, _y, _x: mT(g)],
    grad_fn="TransposeBackward0",
    view=True,
    about="the transpose of each matrix",
)
mm: Op = primitive(
    "mm",
    lambda a, b: np.matmul(a, b),
    [lambda g, _y, _a, b: mm(g, mT(b)), lambda g, _y, a, _b: mm(mT(a), g)],
    formulas=("g @ b.mT", "a.mT @ g"),
    about="the product of two matrices",
)
bmm: Op = primitive(
    "bmm",
    lambda a, b: np.matmul(a, b),
    [lambda g, _y, _a, b: bmm(g, mT(b)), lambda g, _y, a, _b: bmm(mT(a), g)],
    formulas=("g @ b.mT", "a.mT @ g"),
    about="the products of matrices in batches",
)


def ndim_of(x: Any) -> int:
    """The number of dimensions, of a tensor, an array or a symbol alike: for rules."""
    return len(shape_of(x))


def times(a: Any, b: Any, *more: Any) -> Any:
    """The product of matrices, batches broadcast."""
    y = mm(a, b) if ndim_of(a) == 2 == ndim_of(b) else bmm(a, b)
    return times(y, *more) if more else y


def column(v: Any) -> Any:
    """Vectors (..., n) as columns (..., n, 1)."""
    return reshape_to(v, shape=(*shape_of(v), 1))


def row(v: Any) -> Any:
    """Vectors (..., n) as rows (..., 1, n)."""
    shape = shape_of(v)
    return reshape_to(v, shape=(*shape[:-1], 1, *shape[-1:]))


def scalars(s: Any) -> Any:
    """Numbers (...) as 1x1 matrices (..., 1, 1)."""
    return reshape_to(s, shape=(*shape_of(s), 1, 1))


def uncolumn(m: Any) -> Any:
    """Columns (..., n, 1) as vectors (..., n)."""
    return reshape_to(m, shape=shape_of(m)[:-1])


# --- diagonals and triangles --------------------------------------------------------------------------------


def _mask(rows: int, columns: int, part: str) -> Any:
    i, j = np.arange(rows)[:, None], np.arange(columns)
    if part == "lower":
        return i >= j
    if part == "strict_lower":
        return i > j
    if part == "upper":
        return i <= j
    if part == "strict_upper":
        return i < j
    return i == j if part == "diagonal" else i != j


keep: Op = primitive(
    "matrix_part",
    lambda x, *, part: np.where(_mask(x.shape[-2], x.shape[-1], part), x, np.zeros((), x.dtype)),
    [lambda g, _y, _x, *, part: keep(g, part=part)],
    grad_fn="TrilBackward0",
    about="a triangle of each matrix or its diagonal, zeros elsewhere",
)


columns_from: Op = primitive(
    "columns_from",
    lambda x, *, start, stop: x[..., start:stop],
    [lambda g, _y, like_x, *, start, stop: columns_into(g, start=start, width=shape_of(like_x)[-1])],
    grad_fn="SliceBackward0",
    about="some columns of each matrix",
)


def _columns_into(x: Any, *, start: int, width: int) -> Any:
    out = np.zeros((*x.shape[:-1], width), x.dtype)
    out[..., start : start + x.shape[-1]] = x
    return out


columns_into: Op = primitive(
    "columns_into",
    _columns_into,
    [lambda g, _y, like_x, *, start, width: columns_from(g, start=start, stop=start + shape_of(like_x)[-1])],
    grad_fn="SliceBackward0",
    about="columns among zeros",
)


def symmetric(x: Any) -> Any:
    """(x + x.mT) / 2."""
    return (x + mT(x)) * 0.5


def antisymmetric(x: Any) -> Any:
    """x - x.mT."""
    return x - mT(x)


def constant(value: Any, like: Any) -> Any:
    """A raw array as a rule needs it beside `like`: a tensor outside the graph, or the array itself."""
    return wrap(value) if isinstance(like, Tensor) else value


def identity(like: Any) -> Any:
    """The identity matrix of the size and dtype of the square matrices `like`."""
    value = like.value if isinstance(like, Tensor) else like
    return constant(np.eye(value.shape[-1], dtype=value.dtype), like)


# --- other shapes of the same entries, under the names that PyTorch's decompositions leave ------------------


def _reshaper(name: str, grad_fn: str, about: str, view: bool = False) -> Op:
    return primitive(
        name,
        lambda x, *, shape: np.reshape(x, shape),
        [lambda g, _y, like_x, *, shape: reshape_to(g, shape=shape_of(like_x))],
        grad_fn=grad_fn,
        view=view,
        about=about,
    )


fresh_view = _reshaper("fresh_view", "ViewBackward0", "a fresh result in another shape")
drop_dim = _reshaper("drop_dim", "SqueezeBackward4", "a fresh result without a dimension of size 1")
add_dim = _reshaper("add_dim", "UnsqueezeBackward0", "a tensor with one more dimension of size 1", view=True)

# --- checks -------------------------------------------------------------------------------------------------


def floating_matrices(
    x: Any, function: str, name: str = "A", *, square: bool = False, fault: type[Fault] = RuntimeFault
) -> Tensor:
    """The argument: a floating tensor of matrices.

    Raises:
        TypeFault: it is no tensor.
        RuntimeFault: an integer dtype, fewer than 2 dimensions, or (with `square`) matrices that aren't
            square.
    """
    t = tensor_arg(x, function, name)
    require_floating(t, function, fault)
    if t.ndim < 2:
        raise RuntimeFault(
            f"{function}: '{name}' must have at least 2 dimensions; it has shape {t.shape}",
            hint="a matrix is made of rows: [[1.0, 2.0], [3.0, 4.0]]",
        )
    if square and t.shape[-1] != t.shape[-2]:
        raise RuntimeFault(f"{function}: the matrices must be square; '{name}' has shape {t.shape}")
    return t


def require_floating(t: Tensor, function: str, fault: type[Fault] = RuntimeFault) -> None:
    """Raises `fault` (in some functions PyTorch has NotImplementedError) for integers and bools."""
    if not t.dtype.is_floating_point:
        raise fault(
            f"{function}: the tensor must be floating; it is {t.dtype}",
            hint="write the numbers with a point (2.0, not 2), or convert with .double()",
        )


def same_dtype(function: str, *tensors: Tensor) -> None:
    """Raises RuntimeFault where dtypes differ: products of matrices do not promote."""
    first = tensors[0].dtype
    for t in tensors[1:]:
        if t.dtype is not first:
            raise RuntimeFault(
                f"{function}: the tensors must have the same dtype; they are {first} and {t.dtype}",
                hint="convert one of them, as with .double()",
            )


def no_bool(function: str, t: Tensor) -> None:
    """Raises NotImplementedFault for a product of bools, as PyTorch does."""
    if t.dtype.name == "bool":
        raise NotImplementedFault(f"{function} is not defined for bools", hint="convert them with .long() or .double()")
