"""Inverses and linear systems: inv, solve, tensorinv, tensorsolve.

A matrix that has no inverse is a LinAlgFault, as in PyTorch; the `_ex` forms tell by `info` instead, and give
what IEEE arithmetic gives (inf, nan).
"""

from __future__ import annotations

from math import prod
from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import int_arg, list_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.matrices import (
    LinAlgFault,
    column,
    floating_matrices,
    mT,
    require_floating,
    row,
    same_dtype,
    times,
)
from autodiff_cli.engine.ops.shaping import movedim
from autodiff_cli.engine.ops.structure import reshape_alias, reshape_to
from autodiff_cli.engine.registry import Op, primitive, public
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault

# --- the inverse --------------------------------------------------------------------------------------------


def zero_pivot(a: Any) -> int:
    """The number (from 1) of the first pivot that is 0 in Gaussian elimination with row exchanges; 0 if none is."""
    a = np.array(a, dtype="float64")
    n = a.shape[-1]
    for k in range(n):
        p = k + int(np.abs(a[k:, k]).argmax())
        if a[p, k] == 0.0:
            return k + 1
        a[[k, p]] = a[[p, k]]
        a[k + 1 :, k:] -= np.outer(a[k + 1 :, k] / a[k, k], a[k, k:])
    return 0


def _by_matrix(a: Any, function: str, check: bool) -> Any:
    """The inverses of a batch in which a matrix is singular."""
    out = np.empty_like(a)
    for index in np.ndindex(a.shape[:-2]):
        try:
            out[index] = np.linalg.inv(a[index])
        except np.linalg.LinAlgError:
            if np.isnan(a[index]).any():
                out[index] = np.nan
                continue
            if check:
                raise singular(function, a[index], index) from None
            from autodiff_cli.engine.ops.determinants import det_gradient, determinant

            out[index] = det_gradient(a[index]).T / np.float64(determinant(a[index]))
    return out


def singular(function: str, a: Any, index: tuple[int, ...]) -> LinAlgFault:
    """The error of a matrix (element `index` of a batch) that has no inverse."""
    which = f"the matrix at {list(index)} of the batch" if index else "the matrix"
    return LinAlgFault(
        f"{function}: {which} is singular (pivot {zero_pivot(a)} is zero), so it has no inverse",
        hint="torch.linalg.pinv or torch.linalg.lstsq give an answer for singular matrices, too",
    )


def _inverse(a: Any, *, check: bool = True) -> Any:
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return _by_matrix(a, "inv", check)


inverse = primitive(
    "inv",
    _inverse,
    [lambda g, y, _a, *, check=True: -times(mT(y), g, mT(y))],
    grad_fn="LinalgInvExBackward0",
    formulas=("-y.mT @ g @ y.mT",),
    about="the inverse of each matrix",
)
InvEx = named("linalg_inv_ex", "inverse", "info")
SolveEx = named("linalg_solve_ex", "result", "info")


def info_of(a: Any) -> Tensor:
    """LAPACK's `info` for each matrix: 0, or the number of the pivot that is zero."""
    found = np.zeros(a.shape[:-2], "int32")
    for index in np.ndindex(a.shape[:-2]):
        found[index] = zero_pivot(a[index])
    return wrap(found)


@public("inv", places=("linalg",), ops=(inverse,))
def inv(A: Tensor) -> Tensor:
    """The inverse of each matrix.

    Raises:
        LinAlgFault: a matrix is singular.
        RuntimeFault: not square matrices.
    """
    return inverse(floating_matrices(A, "inv", square=True))


@public("inverse", ops=(inverse,))
def torch_inverse(input: Tensor) -> Tensor:
    """The inverse of each matrix."""
    return inverse(floating_matrices(input, "inverse", "input", square=True))


@public("inv_ex", places=("linalg",), ops=(inverse,))
def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """The inverse of each matrix, and `info`.

    `info` is 0, or the number of the zero pivot of a singular matrix, whose inverse has inf or nan.
    """
    t = floating_matrices(A, "inv_ex", square=True)
    return InvEx((inverse(t, check=check_errors), info_of(t.value)))


# --- A X = B ------------------------------------------------------------------------------------------------


def _solve(a: Any, b: Any, *, left: bool = True, vector: bool = False, check: bool = True) -> Any:
    if not left:
        return np.swapaxes(_solve(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), vector=False, check=check), -1, -2)
    x = b[..., None] if vector else b
    try:
        y = np.linalg.solve(a, x)
    except np.linalg.LinAlgError:
        y = np.matmul(_by_matrix(a, "solve", check), x)
    return y[..., 0] if vector else y


def _pull_a(g: Any, y: Any, a: Any, _b: Any, *, left: bool = True, vector: bool = False, check: bool = True) -> Any:
    gb = solution(mT(a), g, left=left, vector=vector, check=check)
    if vector:
        return -column(gb) * row(y)
    return -times(gb, mT(y)) if left else -times(mT(y), gb)


solution: Op = primitive(
    "solve",
    _solve,
    [
        _pull_a,
        # y is saved even where only b requires a gradient, as in PyTorch
        lambda g, y, a, _b, *, left=True, vector=False, check=True: solution(
            mT(a), g, left=left, vector=vector, check=check
        ),
    ],
    grad_fn="LinalgSolveExBackward0",
    formulas=("-solve(a.mT, g) @ y.mT", "solve(a.mT, g)"),
    about="the solution X of A X = B",
)


def is_vector(a: Tensor, b: Tensor) -> bool:
    """Whether B holds vectors rather than matrices: PyTorch's rule."""
    return b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])


def _system(A: Any, B: Any, left: bool, function: str) -> tuple[Tensor, Tensor, bool]:
    a = floating_matrices(A, function, square=True)
    b = tensor_arg(B, function, "B")
    same_dtype(function, a, b)
    if b.ndim == 0:
        raise RuntimeFault(f"{function}: 'B' must have a dimension")
    vector = is_vector(a, b)
    if vector and not left:
        raise RuntimeFault(f"{function}: left=False is for matrices B, and 'B' holds vectors")
    size = b.shape[-1] if vector or not left else b.shape[-2]
    if size != a.shape[-1]:
        raise RuntimeFault(f"{function}: the shapes {a.shape} and {b.shape} do not go together")
    check_batches(function, a, b, vector)
    return a, b, vector


def check_batches(function: str, a: Tensor, b: Tensor, vector: bool) -> None:
    """Raises RuntimeFault where a system's batches do not broadcast, LimitFault where it is too large."""
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-1] if vector else b.shape[:-2])
    except ValueError:
        raise RuntimeFault(
            f"{function}: the batches of the shapes {a.shape} and {b.shape} do not go together"
        ) from None
    check_size(prod(batch) * a.shape[-1] * (1 if vector else max(b.shape[-2:])), function)


@public("solve", places=("linalg",), ops=(solution,))
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """The solution X of A X = B (of X A = B with left=False); B may hold vectors.

    Raises:
        LinAlgFault: a matrix is singular.
        RuntimeFault: A not square, shapes that do not go together, different dtypes.
    """
    a, b, vector = _system(A, B, left, "solve")
    return solution(a, b, left=left, vector=vector)


@public("solve_ex", places=("linalg",), ops=(solution,))
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
    """The solution, and `info` as of inv_ex."""
    a, b, vector = _system(A, B, left, "solve_ex")
    return SolveEx((solution(a, b, left=left, vector=vector, check=check_errors), info_of(a.value)))


# --- tensors as matrices ------------------------------------------------------------------------------------


@public("tensorinv", places=("linalg",), ops=(inverse,))
def tensorinv(input: Tensor, ind: int = 2) -> Tensor:
    """The inverse for tensordot: the first `ind` dimensions as rows, the others as columns.

    Raises:
        RuntimeFault: the two products of sizes differ, `ind` isn't positive.
    """
    t = tensor_arg(input, "tensorinv")
    require_floating(t, "tensorinv")
    if int_arg(ind, "tensorinv", "ind") <= 0:
        raise RuntimeFault(f"tensorinv: 'ind' must be positive, not {ind}")
    if ind > t.ndim:
        raise RuntimeFault(f"tensorinv: 'ind' is {ind}, and the tensor has {t.ndim} dimensions")
    rows, columns = t.shape[:ind], t.shape[ind:]
    if prod(rows) != prod(columns):
        raise RuntimeFault(f"tensorinv: the shape {t.shape} split at {ind} makes no square matrix")
    return reshape_alias(inverse(reshape_to(t, shape=(prod(rows), prod(columns)))), shape=columns + rows)


@public("tensorsolve", places=("linalg",), ops=(solution,))
def tensorsolve(input: Tensor, B: Tensor, dims: Any = None) -> Tensor:
    """The solution X of tensordot(A, X) = B.

    Raises:
        RuntimeFault: the sizes make no square system.
    """
    a, b = tensor_arg(input, "tensorsolve"), tensor_arg(B, "tensorsolve", "B")
    require_floating(a, "tensorsolve")
    same_dtype("tensorsolve", a, b)
    if dims is not None:
        moved = list_arg(dims, "tensorsolve", "dims")
        a = movedim(a, moved, tuple(range(a.ndim - len(moved), a.ndim)))
    shape = a.shape[b.ndim :]
    if prod(shape) != b.numel() or a.numel() != b.numel() ** 2:
        raise RuntimeFault(f"tensorsolve: the shapes {a.shape} and {b.shape} make no square system")
    flat = reshape_to(a, shape=(b.numel(), prod(shape)))
    x = solution(flat, reshape_to(b, shape=(b.numel(),)), left=True, vector=True)
    return reshape_to(x, shape=shape)
