"""Products of vectors and matrices: `@` for all ranks, dot, mv, mm, bmm, outer, inner.

`matmul` is built of PyTorch's own steps (a batch is folded into one matrix where that saves a copy, else
expanded for bmm), because the nodes that it leaves are what `grad_fn` prints and what the graph shows.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from autodiff_cli.engine.apply import apply_pair, check_size
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import mul
from autodiff_cli.engine.ops.matrices import (
    add_dim,
    bmm,
    column,
    drop_dim,
    fresh_view,
    mm,
    mT,
    no_bool,
    same_dtype,
    uncolumn,
)
from autodiff_cli.engine.ops.structure import clone, expand_to, reshape_to, unsafe_view
from autodiff_cli.engine.registry import primitive, public
from autodiff_cli.engine.tensor import PLAIN, Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault

dot_product = primitive(
    "dot",
    lambda a, b: np.dot(a, b),
    [lambda g, _y, _a, b: g * b, lambda g, _y, a, _b: g * a],
    about="the sum of the products of two vectors' entries",
)
vdot_product = primitive(
    "vdot",
    lambda a, b: np.dot(a, b),
    [lambda g, _y, _a, b: g * b, lambda g, _y, a, _b: g * a],
    about="the dot product",
)
matrix_vector = primitive(
    "mv",
    lambda a, v: np.matmul(a, v),
    [
        lambda g, _y, _a, v: column(g) * v,
        lambda g, _y, a, _v: uncolumn(mm(mT(a), column(g))),
    ],
    formulas=("outer(g, v)", "a.mT @ g"),
    about="the product of a matrix and a vector",
)


def _pair(a: Any, b: Any, function: str, second: str) -> tuple[Tensor, Tensor]:
    return tensor_arg(a, function, "input"), tensor_arg(b, function, second)


def _factors(function: str, a: Any, b: Any, second: str, ranks: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """The two operands, which must have these ranks and one dtype that products are defined for."""
    a, b = _pair(a, b, function, second)
    _require_rank(function, a, ranks[0], "input")
    _require_rank(function, b, ranks[1], second)
    same_dtype(function, a, b)
    no_bool(function, a)
    return a, b


def _mismatch(function: str, a: Tensor, b: Tensor) -> RuntimeFault:
    return RuntimeFault(
        f"{function}: the shapes {a.shape} and {b.shape} do not go together",
        hint=f"the inner sizes must be equal: {a.shape[-1]} and {b.shape[-2 if b.ndim > 1 else 0]} are not",
    )


def _require_rank(function: str, t: Tensor, ndim: int, name: str) -> None:
    if t.ndim != ndim:
        kind = {1: "a vector (1-D)", 2: "a matrix (2-D)", 3: "a batch of matrices (3-D)"}[ndim]
        raise RuntimeFault(
            f"{function}: '{name}' must be {kind}; it has shape {t.shape}",
            hint="`@` (matmul) takes tensors of all ranks",
        )


@public("dot", ops=(dot_product,))
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The dot product of two vectors.

    Raises:
        RuntimeFault: not vectors, different lengths or dtypes.
    """
    return _dot(input, tensor, "dot", "tensor", dot_product)


@public("vdot", ops=(vdot_product,))
def vdot(input: Tensor, other: Tensor) -> Tensor:
    """The dot product of two vectors (of real numbers, so the same as `dot`)."""
    return _dot(input, other, "vdot", "other", vdot_product)


def _dot(a: Any, b: Any, function: str, second: str, op: Callable[..., Any]) -> Tensor:
    a, b = _factors(function, a, b, second, (1, 1))
    if a.shape != b.shape:
        raise RuntimeFault(f"{function}: the vectors have different lengths, {a.shape[0]} and {b.shape[0]}")
    return op(a, b)


@public("mv", ops=(matrix_vector,))
def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector.

    Raises:
        IndexFault: the matrix is 0-d.
        RuntimeFault: other ranks, shapes that do not go together, different dtypes.
    """
    a, v = _pair(input, vec, "mv", "vec")
    if not a.ndim:
        raise IndexFault(
            "mv: 'input' must be a matrix; it is a 0-d tensor", hint="write * for the product with a number"
        )
    a, v = _factors("mv", a, v, "vec", (2, 1))
    if a.shape[1] != v.shape[0]:
        raise _mismatch("mv", a, v)
    return matrix_vector(a, v)


@public("mm", ops=(mm,))
def mm_(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices.

    Raises:
        RuntimeFault: other ranks, shapes that do not go together, different dtypes.
    """
    a, b = _factors("mm", input, mat2, "mat2", (2, 2))
    if a.shape[1] != b.shape[0]:
        raise _mismatch("mm", a, b)
    check_size(a.shape[0] * b.shape[1], "mm")
    return mm(a, b)


@public("bmm", ops=(bmm,))
def bmm_(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices, one by one (nothing is broadcast).

    Raises:
        RuntimeFault: other ranks, shapes that do not go together, different dtypes.
    """
    a, b = _factors("bmm", input, mat2, "mat2", (3, 3))
    if a.shape[0] != b.shape[0]:
        raise RuntimeFault(f"bmm: the batches have different sizes: the shapes are {a.shape} and {b.shape}")
    if a.shape[2] != b.shape[1]:
        raise _mismatch("bmm", a, b)
    check_size(a.shape[0] * a.shape[1] * b.shape[2], "bmm")
    return bmm(a, b)


@public("outer", "ger", ops=(mul,))
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The matrix of the products of two vectors' entries.

    Raises:
        RuntimeFault: not vectors.
    """
    a, b = _pair(input, vec2, "outer", "vec2")
    _require_rank("outer", a, 1, "input")
    _require_rank("outer", b, 1, "vec2")
    return mul(reshape_to(a, shape=(*a.shape, 1)), b)


@public("inner", ops=(mm,))
def inner(input: Tensor, other: Tensor) -> Tensor:
    """The dot products of the last dimensions; with a 0-d tensor, the product.

    Raises:
        RuntimeFault: the last dimensions differ.
    """
    a, b = _pair(input, other, "inner", "other")
    if a.ndim == 0 or b.ndim == 0:
        return mul(a, b)
    if a.shape[-1] != b.shape[-1]:
        raise RuntimeFault(f"inner: the last dimensions of the shapes {a.shape} and {b.shape} differ")
    same_dtype("inner", a, b)
    no_bool("inner", a)
    shape = (*a.shape[:-1], *b.shape[:-1])
    check_size(prod(shape), "inner")
    n = a.shape[-1]
    if prod(shape) == 1:
        left, right = (t if t.ndim == 1 else reshape_to(t, shape=(n,)) for t in (a, b))
        return fresh_view(dot_product(left, right), shape=shape)
    left = reshape_to(a, shape=(prod(a.shape[:-1]), n))
    right = reshape_to(b, shape=(prod(b.shape[:-1]), n))
    return fresh_view(mm(left, mT(right)), shape=shape)


# --- matmul -------------------------------------------------------------------------------------------------


@public("matmul", ops=(mm,))
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """`input @ other`: dot, matrix-vector, matrix-matrix, or matrices in batches that broadcast.

    Raises:
        RuntimeFault: a 0-d operand, shapes that do not go together, different dtypes.
    """
    a, b = _pair(input, other, "matmul", "other")
    if _plain_matrices(a.value, b.value):
        found = apply_pair(mm, a, b)
        return mm(a, b) if found is None else found
    _check_matmul(a, b)
    if a.ndim == 1:
        if b.ndim == 1:
            return dot_product(a, b)
        if b.ndim == 2:
            y = mm(add_dim(a, shape=(1, *a.shape)), b)
            return drop_dim(y, shape=y.shape[1:])
    elif a.ndim == 2:
        if b.ndim == 1:
            return matrix_vector(a, b)
        if b.ndim == 2:
            return mm(a, b)
    return _fold(a, b) if _folds(a, b) else _batch(a, b)


public("matmul", places=("linalg",), ops=(mm,))(matmul)


def _plain_matrices(x: Any, y: Any) -> bool:
    """Whether two small float64 matrices fit: what a net multiplies, where the checks would take longer than it."""
    if type(x) in PLAIN or type(y) in PLAIN or x.ndim != 2 or y.ndim != 2 or x.dtype is not y.dtype:
        return False
    rows, inner = x.shape
    also, columns = y.shape
    return bool(inner == also and x.dtype.char == "d" and rows * columns < 1_000_000)


def _check_matmul(a: Tensor, b: Tensor) -> None:
    if a.ndim == 0 or b.ndim == 0:
        raise RuntimeFault(
            f"matmul (`@`): both operands must have a dimension; the shapes are {a.shape} and {b.shape}",
            hint="write * for the product with a number",
        )
    same_dtype("matmul (`@`)", a, b)
    no_bool("matmul (`@`)", a)
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise _mismatch("matmul (`@`)", a, b)
    batch = _batch_shape(a, b) if a.ndim > 2 or b.ndim > 2 else ()
    total = prod(batch) * (a.shape[-2] if a.ndim > 1 else 1) * (b.shape[-1] if b.ndim > 1 else 1)
    check_size(total, "matmul (`@`)")


def _batch_shape(a: Tensor, b: Tensor) -> tuple[int, ...]:
    try:
        return tuple(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]))
    except ValueError:
        raise RuntimeFault(
            f"matmul (`@`): the batch dimensions of the shapes {a.shape} and {b.shape} do not go together",
            hint="the dimensions before the last two broadcast: they must be equal, or 1",
        ) from None


def _folds(a: Tensor, b: Tensor) -> bool:
    """Whether the batch becomes the rows of one matrix: PyTorch's choice, which depends on what requires a gradient."""
    if a.ndim == b.ndim == 3 and (a.shape[0] == 1) != (b.shape[0] == 1):
        return (a if a.shape[0] == 1 else b).requires_grad
    large, small = (a, b) if a.ndim >= b.ndim else (b, a)
    if small.ndim > 2:
        return False
    if small.requires_grad:
        return True
    return a is large and bool(large.value.flags.c_contiguous)


def _fold(a: Tensor, b: Tensor) -> Tensor:
    """The larger operand's batch folded into its rows; one mm or mv."""
    swapped = a.ndim < b.ndim or (a.ndim == b.ndim and a.shape[0] == 1)
    large, small = (b, a) if swapped else (a, b)
    if small.ndim == 3:
        small = reshape_to(small, shape=small.shape[1:])
    if swapped:
        large = mT(large)
        small = small if small.ndim == 1 else mT(small)
    n = large.shape[-1]
    rows = reshape_to(large, shape=(prod(large.shape[:-1]), n))
    if small.ndim == 1:
        return unsafe_view(matrix_vector(rows, small), shape=large.shape[:-1])
    y = unsafe_view(mm(rows, small), shape=(*large.shape[:-1], small.shape[1]))
    if not swapped:
        return y
    y = mT(y)
    return y if y.value.flags.c_contiguous else clone(y, contiguous=True)


def _batch(a: Tensor, b: Tensor) -> Tensor:
    """Both operands expanded to one batch; one bmm."""
    batch = _batch_shape(a, b)
    n, k, p = (a.shape[-2] if a.ndim > 1 else 1), a.shape[-1], (b.shape[-1] if b.ndim > 1 else 1)
    shape = batch + ((n,) if a.ndim > 1 else ()) + ((p,) if b.ndim > 1 else ())
    left = expand_to(a if a.ndim > 1 else add_dim(a, shape=(1, k)), shape=(*batch, n, k))
    right = expand_to(b if b.ndim > 1 else add_dim(b, shape=(k, 1)), shape=(*batch, k, p))
    count = prod(batch)
    y = bmm(reshape_to(left, shape=(count, n, k)), reshape_to(right, shape=(count, k, p)))
    return unsafe_view(y, shape=shape)
