"""Functions of square matrices: matrix_exp and matrix_power.

The derivative of exp of order k in directions D1..Dk is the upper right block of the exponential of a larger
matrix,

    X0 = A,   X[j] = [[X[j-1], I (x) D[j]], [0, X[j-1]]]

(N. Higham, "Functions of Matrices", section 3.2 and theorem 3.6's generalisation). It is symmetric and
multilinear in the directions, and tr(G.mT @ L(A; D1..Dk)) is symmetric in G.mT as well, so the rules of
`exponential(A, D1..Dk)` are `exponential` again.

The exponential itself: scaling and squaring with a Taylor polynomial, which has exact ones where the answer has
(P. Bader, S. Blanes, F. Casas, "Computing the matrix exponential with an optimized Taylor polynomial
approximation", 2019).
"""

from __future__ import annotations

from math import factorial
from typing import Any

from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.matmul import matmul
from autodiff_cli.engine.ops.matrices import (
    floating_matrices,
    mm,
    mT,
    no_bool,
    require_floating,
)
from autodiff_cli.engine.ops.solving import inverse
from autodiff_cli.engine.ops.structure import clone
from autodiff_cli.engine.registry import Op, primitive, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault

DEGREE = 18
THETA = 1.0908637192900361  # up to this 1-norm the Taylor polynomial of degree 18 is exact to double precision


def _expm(a: Any) -> Any:
    """The exponentials of a batch of double precision matrices."""
    size = np.abs(a).sum(axis=-2).max()
    if not np.isfinite(size):
        return np.full_like(a, np.nan)
    squarings = max(0, int(np.ceil(np.log2(size / THETA)))) if size > 0.0 else 0
    y = _taylor(a / 2.0**squarings)
    for _ in range(squarings):
        y = y @ y
    return y


def _taylor(a: Any) -> Any:
    """The Taylor polynomial, in blocks of six powers (Paterson and Stockmeyer): eight products."""
    powers = [np.eye(a.shape[-1]), a, a @ a]
    powers += [powers[2] @ a, powers[2] @ powers[2]]
    powers.append(powers[4] @ a)
    sixth = powers[3] @ powers[3]
    y = sixth / factorial(DEGREE)
    for start in range(DEGREE - 6, -1, -6):
        block = sum((powers[k] / factorial(start + k) for k in range(1, 6)), powers[0] / factorial(start))
        y = y + block if start == DEGREE - 6 else y @ sixth + block
    return y


def _exponential(a: Any, *directions: Any) -> Any:
    """exp(A), or its derivative in the directions."""
    n, dtype = a.shape[-1], a.dtype
    if a.size == 0:
        return np.zeros_like(a)
    block = a.astype("float64")
    factor = 1.0
    for d in directions:
        # linear in d, so a large one is scaled: it must not cost the accuracy of exp(A)
        size = float(np.abs(d).max(initial=0.0))
        scale = size if np.isfinite(size) and size > 0.0 else 1.0
        factor *= scale
        corner = _blocks(d / scale, block)
        zero = np.zeros_like(block)
        block = np.concatenate(
            [np.concatenate([block, corner], axis=-1), np.concatenate([zero, block], axis=-1)], axis=-2
        )
    y = _expm(block)[..., :n, -n:] * factor
    return np.ascontiguousarray(y.astype(dtype))


def _blocks(d: Any, block: Any) -> Any:
    """A batch of matrices, each repeated along the diagonal to the size of `block`."""
    n, size = d.shape[-1], block.shape[-1]
    out = np.zeros((*d.shape[:-2], size, size))
    for start in range(0, size, n):
        out[..., start : start + n, start : start + n] = d
    return out


def _pull(g: Any, _y: Any, a: Any, *directions: Any, index: int) -> Any:
    others = directions if index == 0 else directions[: index - 1] + directions[index:]
    return mT(exponential(a, *others, mT(g)))


exponential: Op = primitive(
    "matrix_exp",
    _exponential,
    [_pull],
    variadic=True,
    grad_fn="LinalgMatrixExpBackward0",
    formulas=("the upper right block of exp([[A.mT, g], [0, A.mT]])",),
    about="the exponential of each matrix",
)


@public("matrix_exp", places=("torch", "Tensor", "linalg"), ops=(exponential,))
def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of each matrix.

    Raises:
        RuntimeFault: not square matrices.
    """
    return exponential(floating_matrices(input, "matrix_exp", "input", square=True))


# --- powers -------------------------------------------------------------------------------------------------

identity_power = primitive(
    "matrix_power_0",
    lambda _x, eye: np.array(eye, copy=True),
    [lambda _g, _y, _x, _e: 0.0, lambda g, _y, _x, _e: g],
    grad_fn="torch::autograd::CopyBackwards",
    about="the identity matrix: the power 0 of a matrix",
)


@public("matrix_power", places=("torch", "Tensor", "linalg"), ops=(mm, inverse))
def matrix_power(input: Tensor, n: int) -> Tensor:
    """The n-th power of each matrix; a negative n takes the inverse.

    Raises:
        LinAlgFault: a negative power of a singular matrix.
        RuntimeFault: not square matrices.
    """
    t = tensor_arg(input, "matrix_power")
    n = int_arg(n, "matrix_power", "n")
    if n < 0:
        require_floating(t, "matrix_power")
    if t.ndim < 2 or t.shape[-1] != t.shape[-2]:
        raise RuntimeFault(f"matrix_power: the matrices must be square; the shape is {t.shape}")
    if n == 0:
        eye = np.eye(t.shape[-1], dtype=t.value.dtype)
        return identity_power(clone(t), wrap(np.array(np.broadcast_to(eye, t.shape), copy=True)))
    if n < 0:
        t, n = inverse(t), -n
        if n == 1:
            return t
    if n == 1:
        return clone(t)
    no_bool("matrix_power", t)
    if n == 3:
        return matmul(matmul(t, t), t)
    square, result = t, None
    while True:
        if n % 2:
            result = square if result is None else matmul(result, square)
        n //= 2
        if not n:
            return result  # type: ignore[return-value]
        square = matmul(square, square)
