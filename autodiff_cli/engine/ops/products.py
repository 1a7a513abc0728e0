"""Products beyond `@`: tensordot, kron, cross, vecdot, trace, and chains of matrices.

All but `trace` and `cross` are made of the ops of other families, as PyTorch makes them: they have no node of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import dim_arg, int_arg, tensor_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import mul
from autodiff_cli.engine.ops.matmul import dot_product, mm_, vdot
from autodiff_cli.engine.ops.matrices import (
    add_dim,
    fresh_view,
    keep,
    mm,
    no_bool,
    require_floating,
    same_dtype,
)
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.structure import (
    as_view,
    clone,
    expand_to,
    permute,
    reshape_to,
    sum_to,
    unsafe_view,
)
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.engine.views import unwatched
from autodiff_cli.errors import RuntimeFault, TypeFault

matrix_trace = primitive(
    "trace",
    lambda x: np.trace(x),
    [lambda g, _y, like_x: keep(expand_to(g, shape=shape_of(like_x)), part="diagonal")],
    formulas=("g * I",),
    about="the sum of a matrix's diagonal",
)
cross_product: Op = primitive(
    "cross",
    lambda a, b, *, dim: np.cross(*np.broadcast_arrays(a, b), axis=dim),
    [
        lambda g, _y, _a, b, *, dim: cross_product(b, g, dim=dim),
        lambda g, _y, a, _b, *, dim: cross_product(g, a, dim=dim),
    ],
    grad_fn="LinalgCrossBackward0",
    formulas=("cross(b, g, dim)", "cross(g, a, dim)"),
    about="the vector product in three dimensions",
)


@public("trace", ops=(matrix_trace,))
def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal.

    Raises:
        RuntimeFault: not a matrix.
    """
    t = tensor_arg(input, "trace")
    if t.ndim != 2:
        raise RuntimeFault(f"trace: the tensor must be a matrix (2-D); it has shape {t.shape}")
    no_bool("trace", t)
    return matrix_trace(t)


# --- tensordot, kron ----------------------------------------------------------------------------------------


@public("tensordot", places=("torch",), ops=(mm,))
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """The sum of products over some dimensions of two tensors.

    `dims`: a count (the last ones of `a` with the first ones of `b`), or a pair of lists of dimensions.

    Raises:
        RuntimeFault: sizes that differ, a dimension named twice, a count that is too large, different dtypes.
    """
    a, b = tensor_arg(a, "tensordot", "a"), tensor_arg(b, "tensordot", "b")
    if type(dims) is Tensor:
        dims = dims.tolist()
    if type(dims) is bool:
        dims = int(dims)
    if type(dims) is not int and not isinstance(dims, (list, tuple)):
        raise RuntimeFault(f"tensordot: 'dims' is an int or a pair of lists, not {dims!r}")
    same_dtype("tensordot", a, b)
    no_bool("tensordot", a)
    left, right = _contracted(a, b, dims)
    a, b = _same_sizes(a, b, left, right)
    rows = [d for d in range(a.ndim) if d not in left]
    columns = [d for d in range(b.ndim) if d not in right]
    shape = tuple(a.shape[d] for d in rows) + tuple(b.shape[d] for d in columns)
    check_size(prod(shape), "tensordot")
    inner = prod(a.shape[d] for d in left)
    x = as_view(permute, a, {"dims": (*rows, *left)})
    y = as_view(permute, b, {"dims": (*right, *columns)})
    if prod(shape) == 1:
        return fresh_view(dot_product(reshape_to(x, shape=(inner,)), reshape_to(y, shape=(inner,))), shape=shape)
    m, n = prod(a.shape[d] for d in rows), prod(b.shape[d] for d in columns)
    product = mm(reshape_to(x, shape=(m, inner)), reshape_to(y, shape=(inner, n)))
    return fresh_view(product, shape=shape)


def _same_sizes(a: Tensor, b: Tensor, left: list[int], right: list[int]) -> tuple[Tensor, Tensor]:
    """The operands with equal sizes in the dimensions to be summed.

    A dimension of size 1 against a larger one broadcasts, as in PyTorch: the larger one is summed first.
    """
    for d, e in zip(left, right, strict=True):
        n, m = a.shape[d], b.shape[e]
        if n == m:
            continue
        if m == 1:
            a = sum_to(a, shape=(*a.shape[:d], 1, *a.shape[d + 1 :]))
        elif n == 1:
            b = sum_to(b, shape=(*b.shape[:e], 1, *b.shape[e + 1 :]))
        else:
            raise RuntimeFault(
                f"tensordot: the summed dimensions must have equal sizes; dimension {d} of {a.shape} has {n} "
                f"and dimension {e} of {b.shape} has {m}"
            )
    return a, b


def _contracted(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        left, right = dims
        if not isinstance(left, (tuple, list)) or not isinstance(right, (tuple, list)):
            raise TypeFault(
                "tensordot: 'dims' is a count or a pair of lists of dimensions",
                hint="write tensordot(a, b, dims=([1], [0]))",
            )
        if len(left) != len(right):
            raise RuntimeFault(f"tensordot: {len(left)} dimensions of the first tensor and {len(right)} of the second")
        pair = (
            [dim_arg(d, a.ndim, "tensordot") for d in left],
            [dim_arg(d, b.ndim, "tensordot") for d in right],
        )
        for found in pair:
            if len(set(found)) != len(found):
                raise RuntimeFault(f"tensordot: a dimension is named twice in {found}")
        return pair
    count = int_arg(dims, "tensordot", "dims")
    if not 0 <= count <= min(a.ndim, b.ndim):
        raise RuntimeFault(
            f"tensordot: {count} dimensions can't be summed over; the tensors have {a.ndim} and {b.ndim}"
        )
    return list(range(a.ndim - count, a.ndim)), list(range(count))


@public("kron", ops=(mul,))
def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: each entry of `input` times the whole of `other`."""
    a, b = tensor_arg(input, "kron"), tensor_arg(other, "kron", "other")
    ndim = max(a.ndim, b.ndim)
    left, right = (1,) * (ndim - a.ndim) + a.shape, (1,) * (ndim - b.ndim) + b.shape
    check_size(prod(left) * prod(right), "kron")
    x = unwatched(reshape_to(a, shape=tuple(n for size in left for n in (size, 1))))
    y = unwatched(reshape_to(b, shape=tuple(n for size in right for n in (1, size))))
    return unsafe_view(mul(x, y), shape=tuple(n * m for n, m in zip(left, right, strict=True)))


# --- cross, vecdot ------------------------------------------------------------------------------------------


@public("cross", places=("linalg",), ops=(cross_product,))
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """The vector product along a dimension of size 3.

    Raises:
        RuntimeFault: another size, different ranks or dtypes.
    """
    a, b = tensor_arg(input, "cross"), tensor_arg(other, "cross", "other")
    if a.ndim != b.ndim:
        raise RuntimeFault(f"cross: the numbers of dimensions must be equal; the shapes are {a.shape} and {b.shape}")
    d = dim_arg(dim, a.ndim, "cross")
    if a.ndim == 0 or a.shape[d] != 3 or b.shape[d] != 3:
        raise RuntimeFault(f"cross: dimension {dim} must have size 3; the shapes are {a.shape} and {b.shape}")
    same_dtype("cross", a, b)
    return cross_product(a, b, dim=d - a.ndim)


@public("cross", ops=(cross_product,))
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector product along `dim`, or along the first dimension of size 3.

    Raises:
        RuntimeFault: no dimension of size 3, different ranks or dtypes.
    """
    if dim is None:
        a = tensor_arg(input, "cross")
        dim = next((d for d, n in enumerate(a.shape) if n == 3), None)
        if dim is None:
            raise RuntimeFault(f"cross: no dimension of size 3 in shape {a.shape}")
    return linalg_cross(input, other, dim=dim)


@public("vecdot", places=("linalg",), ops=(mul,))
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """The dot products along a dimension; the others broadcast.

    Raises:
        RuntimeFault: not floating, different dtypes, shapes that do not go together.
    """
    a, b = tensor_arg(x, "vecdot", "x"), tensor_arg(y, "vecdot", "y")
    require_floating(a, "vecdot")
    same_dtype("vecdot", a, b)
    if a.ndim == b.ndim == 1 and a.shape == b.shape:
        return vdot(a, b)
    return sum_(mul(a, b), dim=dim)


# --- chains -------------------------------------------------------------------------------------------------


def best_order(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each chain i..j of matrices (matrix i is sizes[i] x sizes[i + 1]) for the fewest multiplications.

    The classic dynamic programme (Cormen et al., Introduction to Algorithms, "Matrix-chain multiplication").
    """
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    split: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return split


def _chain(matrices: Sequence[Tensor], function: str) -> Tensor:
    for i, (a, b) in enumerate(pairwise(matrices)):
        if a.shape[1] != b.shape[0]:
            raise RuntimeFault(
                f"{function}: tensors {i} and {i + 1} can't be multiplied: the shapes {a.shape}, {b.shape}"
            )
    split = best_order([*(m.shape[0] for m in matrices), matrices[-1].shape[1]])

    def product(i: int, j: int) -> Tensor:
        return matrices[i] if i == j else mm_(product(i, split[i, j]), product(split[i, j] + 1, j))

    return product(0, len(matrices) - 1)


@public("multi_dot", places=("linalg",), ops=(mm,))
def multi_dot(tensors: Sequence[Tensor]) -> Tensor:
    """The product of a chain of matrices in the cheapest order; the first and the last may be vectors.

    Raises:
        TypeFault: no list of tensors.
        RuntimeFault: fewer than two, other ranks, shapes that do not go together.
    """
    if not isinstance(tensors, (list, tuple)):
        raise TypeFault(f"multi_dot: wants a list of tensors, not {type_name(tensors)}")
    chain = [tensor_arg(t, "multi_dot", "tensors") for t in tensors]
    if len(chain) < 2:
        raise RuntimeFault(f"multi_dot: needs at least 2 tensors and got {len(chain)}")
    for i, t in enumerate(chain):
        allowed = (1, 2) if i in (0, len(chain) - 1) else (2,)
        if t.ndim not in allowed:
            raise RuntimeFault(f"multi_dot: tensor {i} must have 2 dimensions (first and last: 1 or 2), not {t.ndim}")
    shape = chain[0].shape[:-1] + chain[-1].shape[1:]
    if chain[0].ndim == 1:
        chain[0] = add_dim(chain[0], shape=(1, *chain[0].shape))
    if chain[-1].ndim == 1:
        chain[-1] = add_dim(chain[-1], shape=(*chain[-1].shape, 1))
    return fresh_view(_chain(chain, "multi_dot"), shape=shape)


@public("chain_matmul", places=("torch",), ops=(mm,))
def chain_matmul(*matrices: Tensor) -> Tensor:
    """The product of a chain of matrices in the cheapest order (PyTorch's older name for multi_dot).

    Raises:
        RuntimeFault: none given, not matrices, shapes that do not go together.
    """
    if not matrices:
        raise RuntimeFault("chain_matmul: needs at least one matrix")
    chain = [tensor_arg(t, "chain_matmul", "matrices") for t in matrices]
    for t in chain:
        if t.ndim != 2:
            raise RuntimeFault(f"chain_matmul: every tensor must be a matrix (2-D); one has shape {t.shape}")
    if len(chain) == 1:
        return clone(chain[0])
    return fresh_view(_chain(chain, "chain_matmul"), shape=(chain[0].shape[0], chain[-1].shape[1]))
