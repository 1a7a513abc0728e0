"""Eigenvalues of symmetric matrices and singular values.

What a decomposition leaves open (the signs of eigenvectors and singular vectors, their choice where values
are equal) must not matter for what is differentiated: the derivative exists only for such functions, and for
vectors only where the values are distinct. At equal values the rules of vectors divide by zero and say inf or
nan.

Sources of the rules: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008); J. Townsend, "Differentiating the singular value decomposition" (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.factors import Factors
from autodiff_cli.engine.ops.matrices import (
    LinAlgFault,
    antisymmetric,
    column,
    columns_from,
    floating_matrices,
    identity,
    mT,
    row,
    times,
)
from autodiff_cli.engine.registry import public, shape_of
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

# --- symmetric eigenproblems --------------------------------------------------------------------------------


def _eigh(a: Any, *, uplo: str = "L") -> tuple[Any, Any]:
    try:
        values, vectors = np.linalg.eigh(a, UPLO=uplo)
    except np.linalg.LinAlgError:
        raise LinAlgFault("eigh: the iteration did not converge (is there a nan?)") from None
    return values, vectors


def _differences(values: Any) -> Any:
    """D[i, j] = values[j] - values[i], and 1 on the diagonal."""
    return row(values) - column(values) + identity(row(values) - column(values))


def _vectors_pull(g: Any, parts: Sequence[Any], _x: Any, *, uplo: str = "L") -> Any:
    values, v = parts
    # half of the antisymmetric part: the gradient is then symmetric, as the matrices are
    inner = antisymmetric(times(mT(v), g)) * 0.5 / _differences(values)
    return times(v, inner, mT(v))


EIGH_FACTORS = Factors(_eigh)
eigh_values = EIGH_FACTORS.part(
    "eigh_values",
    lambda g, parts, _x, *, uplo="L": times(parts[1] * row(g), mT(parts[1])),
    "LinalgEighBackward0",
    "the eigenvalues of symmetric matrices",
    "V @ diag(g) @ V.mT",
)
eigh_vectors = EIGH_FACTORS.part(
    "eigh_vectors",
    _vectors_pull,
    "LinalgEighBackward0",
    "the eigenvectors of symmetric matrices",
    "V @ (antisymmetric part of V.mT @ g / (w[j] - w[i])) @ V.mT",
)
Eigh = named("linalg_eigh", "eigenvalues", "eigenvectors")


def _symmetric_parts(A: Any, UPLO: str, function: str) -> list[Tensor]:
    t = floating_matrices(A, function, square=True, fault=NotImplementedFault)
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise RuntimeFault(f"{function}: UPLO is 'L' or 'U', not {UPLO!r}")
    return EIGH_FACTORS(t, uplo=UPLO.upper())


@public("eigh", places=("linalg",), ops=(eigh_values, eigh_vectors))
def eigh(input: Tensor, UPLO: str = "L") -> Any:
    """Ascending eigenvalues and orthonormal eigenvectors (columns) of symmetric matrices.

    Only one triangle is read.

    Raises:
        LinAlgFault: no convergence.
        RuntimeFault: not square matrices, an unknown UPLO.
    """
    return Eigh(_symmetric_parts(input, UPLO, "eigh"))


@public("eigvalsh", places=("linalg",), ops=(eigh_values,))
def eigvalsh(input: Tensor, UPLO: str = "L") -> Tensor:
    """Ascending eigenvalues of symmetric matrices, of which one triangle is read."""
    return _symmetric_parts(input, UPLO, "eigvalsh")[0]


# --- singular values ----------------------------------------------------------------------------------------


def _svd(a: Any, *, full: bool = False) -> tuple[Any, Any, Any]:
    try:
        u, s, vh = np.linalg.svd(a, full_matrices=full)
    except np.linalg.LinAlgError:
        raise LinAlgFault("svd: the iteration did not converge (is there a nan?)") from None
    return u, s, vh


def _thin(parts: Sequence[Any]) -> tuple[Any, Any, Any]:
    """U, S, V with as many columns as there are singular values."""
    u, s, vh = parts
    v = mT(vh)
    k = shape_of(s)[-1]
    u = u if shape_of(u)[-1] == k else columns_from(u, start=0, stop=k)
    return u, s, v if shape_of(v)[-1] == k else columns_from(v, start=0, stop=k)


def _between(s: Any) -> Any:
    """E[i, j] = s[j]**2 - s[i]**2, and 1 on the diagonal."""
    difference = row(s) - column(s)
    return difference * (row(s) + column(s)) + identity(difference)


def _u_pull(g: Any, parts: Sequence[Any], _x: Any, *, full: bool = False) -> Any:
    u, s, v = _thin(parts)
    k = shape_of(s)[-1]
    if shape_of(g)[-1] > k:  # the further columns are an arbitrary basis of the rest
        g = columns_from(g, start=0, stop=k)
    utg = times(mT(u), g)
    inner = times(u, antisymmetric(utg) / _between(s) * row(s))
    if shape_of(u)[-2] > k:
        inner = inner + (g - times(u, utg)) / row(s)
    return times(inner, mT(v))


def _vh_pull(g: Any, parts: Sequence[Any], _x: Any, *, full: bool = False) -> Any:
    u, s, v = _thin(parts)
    k = shape_of(s)[-1]
    g = mT(g)
    if shape_of(g)[-1] > k:
        g = columns_from(g, start=0, stop=k)
    vtg = times(mT(v), g)
    inner = times(column(s) * (antisymmetric(vtg) / _between(s)), mT(v))
    if shape_of(v)[-2] > k:
        inner = inner + mT((g - times(v, vtg)) / row(s))
    return times(u, inner)


def _s_pull(g: Any, parts: Sequence[Any], _x: Any, *, full: bool = False) -> Any:
    u, _, v = _thin(parts)
    return times(u * row(g), mT(v))


SVD_FACTORS = Factors(_svd)
svd_u = SVD_FACTORS.part("svd_u", _u_pull, "LinalgSvdBackward0", "the left singular vectors")
svd_s = SVD_FACTORS.part("svd_s", _s_pull, "LinalgSvdBackward0", "the singular values", "U @ diag(g) @ Vh")
svd_vh = SVD_FACTORS.part("svd_vh", _vh_pull, "LinalgSvdBackward0", "the right singular vectors")
SVD = named("linalg_svd", "U", "S", "Vh")
OldSVD = named("svd", "U", "S", "V")


@public("svd", places=("linalg",), ops=(svd_u, svd_s, svd_vh))
def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Any:
    """U, S and Vh with A = U diag(S) Vh, S descending.

    The signs of the vectors are LAPACK's choice; a function of them that depends on the signs has no derivative.

    Raises:
        LinAlgFault: no convergence.
        RuntimeFault: not matrices.
    """
    return SVD(SVD_FACTORS(floating_matrices(A, "svd"), full=full_matrices))


@public("svdvals", places=("linalg",), ops=(svd_s,))
def svdvals(A: Tensor, *, driver: str | None = None) -> Tensor:
    """The singular values, descending."""
    return SVD_FACTORS(floating_matrices(A, "svdvals"), full=False)[1]


@public("svd", ops=(svd_u, svd_s, svd_vh))
def torch_svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """U, S and V (not Vh); linalg.svd is the newer name."""
    t = floating_matrices(input, "svd", "input")
    u, s, vh = SVD_FACTORS(t, full=not some)
    if not compute_uv:
        rows, columns = t.shape[-2:]
        batch, dtype = t.shape[:-2], t.value.dtype
        u, v = (wrap(np.zeros((*batch, n, n), dtype)) for n in (rows, columns))
        return OldSVD((u, s, v))
    return OldSVD((u, s, mT(vh)))
