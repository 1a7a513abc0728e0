"""det, slogdet, logdet.

det is a polynomial in the entries, so all its derivatives exist at singular matrices, too, where det(A) *
inv(A).mT has no meaning (and PyTorch's LU-based gradient is off). They are computed from the singular value
decomposition A = U S V.mT, in whose basis A is diagonal: with m = k + 1 directions X1..Xk, E of a k-th
derivative's gradient,

    D^m det(S)[X1..Xk, E] = sum over distinct i1..im of (the product of the other singular values)
                            * sum over permutations p of sign(p) * X1[i1, p(i1)] * ... * E[im, p(im)]

(multilinearity of det in the rows). `det_gradient(A, X1..Xk)` is the matrix of this in E; its derivatives
with respect to A and to each Xi are `det_gradient` again, so every order is exact.
"""

from __future__ import annotations

from itertools import permutations
from math import prod
from typing import Any

from autodiff_cli.engine.apply import attach, check_size
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.comparison import lt
from autodiff_cli.engine.ops.matrices import floating_matrices, mT, scalars
from autodiff_cli.engine.ops.solving import inverse
from autodiff_cli.engine.registry import primitive, public, settle
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap


def _cofactors(a: Any) -> Any:
    """The matrix of cofactors for sizes up to 3, by their definition."""
    n = a.shape[-1]
    if n < 2:
        return np.ones_like(a)
    rows: tuple[tuple[Any, ...], ...]
    if n == 2:
        (p, q), (r, s) = np.moveaxis(a, (-2, -1), (0, 1))
        rows = ((s, 0.0 - r), (0.0 - q, p))  # 0 - 0 is 0, and -0 would be printed as -0
    else:
        (p, q, r), (s, t, u), (v, w, x) = np.moveaxis(a, (-2, -1), (0, 1))
        rows = (
            (t * x - u * w, u * v - s * x, s * w - t * v),
            (r * w - q * x, p * x - r * v, q * v - p * w),
            (q * u - r * t, r * s - p * u, p * t - q * s),
        )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _products_of_others(s: Any, count: int) -> Any:
    """P[..., i1..im]: the product of all s but those at i1..im; 0 where two indices are equal."""
    n = s.shape[-1]
    grid = np.indices((n,) * count)
    out = np.ones(s.shape[:-1] + (n,) * count, s.dtype)
    for k in range(n):
        factor = s[..., k].reshape(s.shape[:-1] + (1,) * count)
        out = out * np.where((grid == k).any(axis=0), 1.0, factor)
    for i in range(count):
        for j in range(i):
            out = np.where(grid[i] == grid[j], 0.0, out)
    return out


def _sign(p: tuple[int, ...]) -> int:
    return -1 if sum(p[i] > p[j] for j in range(len(p)) for i in range(j)) % 2 else 1


def _det_gradient(a: Any, *directions: Any) -> Any:
    n, m = a.shape[-1], len(directions) + 1
    if m > n:
        return np.zeros_like(a)
    if n <= 3 and m == 1:
        return _cofactors(a)
    if n == 2:
        return _cofactors(directions[0])
    if n == 3 and m == 2:
        d = directions[0]
        return _cofactors(a + d) - _cofactors(a) - _cofactors(d)  # the polar form of a quadratic
    check_size(prod(a.shape[:-2]) * n**m, "a higher derivative of det")
    u, s, vt = np.linalg.svd(a)
    v = np.swapaxes(vt, -1, -2)
    turned = [np.swapaxes(u, -1, -2) @ d @ v for d in directions]
    others = _products_of_others(s, m)
    letters = "abcdefghij"[:m]
    out = np.zeros_like(a)
    for p in permutations(range(m)):
        terms = [f"...{letters}", *(f"...{letters[r]}{letters[p[r]]}" for r in range(m - 1))]
        last = letters[-1]
        fixed = p[-1] == m - 1
        target = f"...{last}" if fixed else f"...{last}{letters[p[-1]]}"
        part = _sign(p) * np.einsum(f"{','.join(terms)}->{target}", others, *turned)
        if fixed:
            out[..., range(n), range(n)] += part
        else:
            out += part
    sign = np.linalg.det(u) * np.linalg.det(vt)
    return np.round(sign)[..., None, None] * (u @ out @ vt)


def _pull(g: Any, _y: Any, a: Any, *directions: Any, index: int) -> Any:
    """det_gradient is multilinear and symmetric in the directions; in A it gains one."""
    if index == 0:
        return det_gradient(a, *directions, g)
    return det_gradient(a, *directions[: index - 1], *directions[index:], g)


det_gradient = primitive(
    "det_gradient",
    _det_gradient,
    [_pull],
    variadic=True,
    grad_fn="LinalgDetBackward0",
    about="the gradient of det (the matrix of cofactors), or of its derivative in some directions",
)


def _pivots(a: Any) -> tuple[Any, Any]:
    """The pivots (..., n) of Gaussian elimination with row exchanges, and the sign (...) of the exchanges."""
    n = a.shape[-1]
    u = np.array(a, copy=True).reshape(prod(a.shape[:-2]), n, n)
    each = np.arange(len(u))
    sign = np.ones(len(u), a.dtype)
    for k in range(n):
        p = np.abs(u[:, k:, k]).argmax(axis=-1) + k
        swapped = u[each, p]
        u[each, p] = u[:, k]
        u[:, k] = swapped
        sign = np.where(p == k, sign, -sign)
        pivot = u[:, k, k]
        factor = u[:, k + 1 :, k] * (1.0 / np.where(pivot == 0.0, 1.0, pivot))[:, None]
        u[:, k + 1 :, k + 1 :] -= factor[:, :, None] * u[:, k, None, k + 1 :]
    return u.diagonal(axis1=-2, axis2=-1).reshape(a.shape[:-1]), sign.reshape(a.shape[:-2])


ELIMINATED = 100  # up to this size the pivots are multiplied; numpy's exp of a sum of logarithms loses digits


def _det(a: Any) -> Any:
    if a.shape[-1] > ELIMINATED:
        return np.linalg.det(a)
    pivots, sign = _pivots(a)
    return pivots.prod(axis=-1) * sign


def _sign_and_log(a: Any) -> tuple[Any, Any]:
    if a.shape[-1] > ELIMINATED:
        return tuple(np.linalg.slogdet(a))
    pivots, sign = _pivots(a)
    signs = np.subtract(pivots > 0.0, pivots < 0.0, dtype=a.dtype)
    return signs.prod(axis=-1) * sign, np.log(np.abs(pivots)).sum(axis=-1)


determinant = primitive(
    "det",
    _det,
    [lambda g, y, a: scalars(g) * det_gradient(a)],
    grad_fn="LinalgDetBackward0",
    formulas=("expand(g * y) * inv(a).mT",),
    about="the determinant of each matrix",
)
logabsdet = primitive(
    "slogdet_log",
    lambda a: _sign_and_log(a)[1],
    [lambda g, y, a: scalars(g) * mT(inverse(a, check=False))],
    grad_fn="LinalgSlogdetBackward0",
    formulas=("expand(g) * inv(a).mT",),
    about="the logarithm of the determinant's size",
)
det_sign = primitive(
    "slogdet_sign",
    lambda a: _sign_and_log(a)[0],
    [lambda _g, _y, _a: None],
    grad_fn="LinalgSlogdetBackward0",
    formulas=("0",),
    about="the sign of the determinant",
)
LinalgSlogdet = named("linalg_slogdet", "sign", "logabsdet")
Slogdet = named("slogdet", "sign", "logabsdet")


@public("det", places=("linalg",), ops=(determinant,))
def det(A: Tensor) -> Tensor:
    """The determinant of each matrix.

    Raises:
        RuntimeFault: not square matrices.
    """
    return determinant(floating_matrices(A, "det", square=True))


@public("det", ops=(determinant,))
def torch_det(input: Tensor) -> Tensor:
    """The determinant of each matrix."""
    return determinant(floating_matrices(input, "det", "input", square=True))


def _slogdet(t: Tensor) -> tuple[Tensor, Tensor]:
    sign, log = _sign_and_log(t.value)
    return (
        attach(wrap(settle(sign)), det_sign, (t,), {}),
        attach(wrap(settle(log)), logabsdet, (t,), {}),
    )


@public("slogdet", places=("linalg",), ops=(det_sign, logabsdet))
def slogdet(A: Tensor) -> Any:
    """The sign of the determinant, and the logarithm of its size: for determinants that overflow.

    Raises:
        RuntimeFault: not square matrices.
    """
    return LinalgSlogdet(_slogdet(floating_matrices(A, "slogdet", square=True)))


@public("slogdet", ops=(det_sign, logabsdet))
def torch_slogdet(input: Tensor) -> Any:
    """The sign of the determinant, and the logarithm of its size."""
    return Slogdet(_slogdet(floating_matrices(input, "slogdet", "input", square=True)))


@public("logdet", ops=(logabsdet,))
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant: nan where that is negative, -inf where it is 0.

    Raises:
        RuntimeFault: not square matrices.
    """
    sign, log = _slogdet(floating_matrices(input, "logdet", "input", square=True))
    return where(lt(sign, 0.0), float("nan"), log)
