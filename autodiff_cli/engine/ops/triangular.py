"""Triangular systems and Cholesky factors: solve_triangular, cholesky_solve, cholesky_inverse.

Invariant: `solve_triangular` reads one triangle of its coefficient, whose cotangent is 0 outside of it; that of a Cholesky
factor is a whole matrix, as PyTorch gives it.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import attach
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.matrices import (
    floating_matrices,
    keep,
    mT,
    same_dtype,
    times,
)
from autodiff_cli.engine.ops.solving import check_batches
from autodiff_cli.engine.registry import Op, primitive, public, settle
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault

# --- triangular systems -------------------------------------------------------------------------------------


def _substitute(a: Any, b: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """Forward or back substitution, a row at a time for the whole batch; a zero on the diagonal gives inf or nan."""
    if not left:
        x = _substitute(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), upper=not upper, unitriangular=unitriangular)
        return np.swapaxes(x, -1, -2)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, batch + b.shape[-2:]), copy=True)
    n = a.shape[-1]
    for i in range(n - 1, -1, -1) if upper else range(n):
        done = slice(i + 1, n) if upper else slice(0, i)
        x[..., i, :] -= np.matmul(a[..., i : i + 1, done], x[..., done, :])[..., 0, :]
        if not unitriangular:
            x[..., i, :] /= a[..., i, i, None]
    return x


def _triangle(upper: bool, unitriangular: bool) -> str:
    return ("strict_" if unitriangular else "") + ("upper" if upper else "lower")


def _triangular_pull_a(
    g: Any, y: Any, a: Any, _b: Any, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Any:
    gb = triangular(mT(a), g, upper=not upper, left=left, unitriangular=unitriangular)
    ga = times(gb, mT(y)) if left else times(mT(y), gb)
    return keep(-ga, part=_triangle(upper, unitriangular))


triangular: Op = primitive(
    "solve_triangular",
    _substitute,
    [
        _triangular_pull_a,
        lambda g, _y, a, _b, *, upper, left=True, unitriangular=False: triangular(
            mT(a), g, upper=not upper, left=left, unitriangular=unitriangular
        ),
    ],
    grad_fn="LinalgSolveTriangularBackward0",
    formulas=("the triangle of -solve(a.mT, g) @ y.mT", "solve(a.mT, g)"),
    about="the solution X of A X = B for a triangular A",
)


def _matrix_system(A: Any, B: Any, left: bool, function: str, names: tuple[str, str]) -> tuple[Tensor, Tensor]:
    a = floating_matrices(A, function, names[0], square=True)
    b = floating_matrices(B, function, names[1])
    same_dtype(function, a, b)
    if b.shape[-2 if left else -1] != a.shape[-1]:
        raise RuntimeFault(f"{function}: the shapes {a.shape} and {b.shape} do not go together")
    check_batches(function, a, b, False)
    return a, b


@public("solve_triangular", places=("linalg",), ops=(triangular,))
def solve_triangular(
    input: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """The solution X of A X = B (X A = B with left=False), reading one triangle of A.

    A zero pivot gives inf or nan.

    Raises:
        RuntimeFault: A not square, B not matrices, shapes that do not go together, different dtypes.
    """
    a, b = _matrix_system(input, B, left, "solve_triangular", ("A", "B"))
    return triangular(a, b, upper=upper, left=left, unitriangular=unitriangular)


# --- systems with Cholesky factors --------------------------------------------------------------------------


def cholesky_system(b: Any, factor: Any, *, upper: bool = False) -> Any:
    """The solution X of (L @ L.mT) X = B, for raw values and tensors."""
    first = triangular(mT(factor) if upper else factor, b, upper=False)
    return triangular(factor if upper else mT(factor), first, upper=True)


def _pull_factor(g: Any, y: Any, _b: Any, factor: Any, *, upper: bool = False) -> Any:
    gb = cholesky_solution(g, factor, upper=upper)
    common = times(gb, mT(y))
    common = common + mT(common)
    return -times(factor, common) if upper else -times(common, factor)


cholesky_solution: Op = primitive(
    "cholesky_solve",
    cholesky_system,
    [lambda g, _y, _b, factor, *, upper=False: cholesky_solution(g, factor, upper=upper), _pull_factor],
    about="the solution X of A X = B, from the Cholesky factor of A",
)
cholesky_inversion = primitive(
    "cholesky_inverse",
    lambda factor, *, upper=False: cholesky_system(np.eye(factor.shape[-1], dtype=factor.dtype), factor, upper=upper),
    [lambda g, y, factor, *, upper=False: _pull_inverse_factor(g, y, factor, upper)],
    about="the inverse of A, from the Cholesky factor of A",
)


def _pull_inverse_factor(g: Any, y: Any, factor: Any, upper: bool) -> Any:
    common = times(y, g + mT(g), y)
    return -times(factor, common) if upper else -times(common, factor)


@public("cholesky_solve", ops=(cholesky_solution,))
def cholesky_solve(input: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """The solution X of A X = input, where L is the Cholesky factor of A.

    Raises:
        RuntimeFault: not matrices, shapes that do not go together, different dtypes.
    """
    factor, b = _matrix_system(L, input, True, "cholesky_solve", ("L", "input"))
    return cholesky_solution(b, factor, upper=upper)


@public("cholesky_inverse", ops=(cholesky_inversion,))
def cholesky_inverse(L: Tensor, upper: bool = False) -> Tensor:
    """The inverse of A, where L is the Cholesky factor of A."""
    return cholesky_inversion(floating_matrices(L, "cholesky_inverse", "L", square=True), upper=upper)


# --- PyTorch's older name -----------------------------------------------------------------------------------

TriangularSolve = named("triangular_solve", "solution", "cloned_coefficient")
old_triangular = primitive(
    "triangular_solve",
    lambda b, a, *, upper, unitriangular=False: _substitute(a, b, upper=upper, unitriangular=unitriangular),
    [
        lambda g, _y, _b, a, *, upper, unitriangular=False: triangular(
            mT(a), g, upper=not upper, unitriangular=unitriangular
        ),
        lambda g, y, b, a, *, upper, unitriangular=False: _triangular_pull_a(
            g, y, a, b, upper=upper, unitriangular=unitriangular
        ),
    ],
    about="the solution X of A X = b for a triangular A",
)


def _copy(op_name: str) -> Op:
    return primitive(
        f"{op_name}_coefficient",
        lambda x: np.array(x, copy=True),
        [lambda g, _y, _x: g],
        grad_fn="TriangularSolveBackward0",
        about="the copy of A that triangular_solve returns",
    )


_coefficient = _copy("triangular_solve")


@public("triangular_solve", ops=(old_triangular,))
def triangular_solve(
    input: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """The solution X of A X = input for a triangular A, with a copy of A.

    linalg.solve_triangular is the newer name.
    """
    a, b = _matrix_system(A, input, True, "triangular_solve", ("A", "input"))
    used = mT(a) if transpose else a
    x = old_triangular(b, used, upper=upper != transpose, unitriangular=unitriangular)
    return TriangularSolve((x, attach(wrap(settle(np.array(a.value, copy=True))), _coefficient, (a,), {})))
