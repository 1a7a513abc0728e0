"""Factors of matrices: cholesky, qr, eigh, svd.

A decomposition with several results is computed once; each result is an op of its own on the matrix, and all of them
carry the computed factors (`Parts`), so that a rule finds the factors that belong together. Rules with tensors (for
derivatives of derivatives) tie these same factors to the graph again.

What a decomposition leaves open (the signs of singular vectors and eigenvectors, their choice where values are equal,
the signs in Q) must not matter for what is differentiated: the derivative exists only for such functions, and only where
the values that a vector belongs to are distinct. At equal values the rules divide by zero and say inf or nan.

Sources of the rules: I. Murray, "Differentiation of the Cholesky decomposition" (2016); M. Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008); M. Seeger et al., "Auto-differentiating
linear algebra" (2017) for QR; J. Townsend, "Differentiating the singular value decomposition" (2016).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.apply import attach
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.matrices import (
    LinAlgFault,
    antisymmetric,
    column,
    columns_from,
    columns_into,
    floating_matrices,
    identity,
    keep,
    mT,
    row,
    symmetric,
    times,
)
from autodiff_cli.engine.ops.solving import triangular
from autodiff_cli.engine.registry import Op, primitive, public, settle, shape_of
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault


class Parts(tuple):
    """The computed factors that results of one decomposition share; private to this file."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} factors>"


class Factors:
    """A decomposition: how it is computed, and the op of each of its parts."""

    def __init__(self, compute: Callable[..., Sequence[Any]]) -> None:
        self.compute = compute
        self.ops: list[Op] = []

    def part(self, name: str, rule: Callable[..., Any], grad_fn: str, about: str, formula: str = "") -> Op:
        """Define the op of the next part. `rule(g, parts, x, **params)` gets all parts, raw or on the graph."""
        index = len(self.ops)

        def array(x: Any, *, parts: Any = None, **params: Any) -> Any:
            return (self.compute(x, **params) if parts is None else parts)[index]

        def vjp(g: Any, y: Any, like_x: Any, *, parts: Any = None, **params: Any) -> Any:
            return rule(g, self.parts(like_x, parts, params), like_x, **params)

        op = primitive(
            name, array, [vjp], grad_fn=grad_fn, about=about, formulas=(formula,) if formula else ()
        )
        self.ops.append(op)
        return op

    def parts(self, x: Any, parts: Any, params: dict[str, Any]) -> Sequence[Any]:
        """The factors of x: raw, or tensors tied to x."""
        if parts is None:
            parts = Parts(self.compute(x.value if isinstance(x, Tensor) else x, **params))
        if not isinstance(x, Tensor):
            return parts
        return [
            attach(wrap(settle(value)), op, (x,), {"parts": parts, **params})
            for value, op in zip(parts, self.ops, strict=True)
        ]

    def __call__(self, x: Tensor, **params: Any) -> list[Tensor]:
        return list(self.parts(x, None, params))


# --- Cholesky -----------------------------------------------------------------------------------------------------


def _lower(a: Any) -> Any:
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        order = 1
        while not bool((np.linalg.det(a[..., :order, :order]) <= 0).any()) and order < a.shape[-1]:
            order += 1
        raise LinAlgFault(
            f"cholesky: the matrix is not positive definite (its leading minor of order {order} is not positive)",
            hint="A @ A.mT + eye(n) is positive definite for any A",
        ) from None


def _cholesky(a: Any, *, upper: bool = False) -> Any:
    return np.swapaxes(_lower(np.swapaxes(a, -1, -2)), -1, -2) if upper else _lower(a)


def _cholesky_pull(g: Any, y: Any, _a: Any, *, upper: bool = False) -> Any:
    """Phi(L.mT g) between the inverses of L.mT and L, symmetrised; Phi takes the lower triangle and half the diagonal."""
    factor, g = (mT(y), mT(g)) if upper else (y, g)
    inner = times(mT(factor), g)
    phi = keep(inner, part="strict_lower") + keep(inner, part="diagonal") * 0.5
    half = triangular(factor, phi, upper=False, left=False)
    return symmetric(triangular(mT(factor), half, upper=True))


def _cholesky_op(name: str, grad_fn: str) -> Op:
    return primitive(
        name,
        _cholesky,
        [_cholesky_pull],
        grad_fn=grad_fn,
        formulas=("symmetric part of inv(L).mT @ phi(L.mT @ g) @ inv(L)",),
        about="the triangular L with L @ L.mT = A",
    )


cholesky_factor = _cholesky_op("cholesky", "LinalgCholeskyExBackward0")
old_cholesky_factor = _cholesky_op("cholesky_old", "CholeskyBackward0")
CholeskyEx = named("linalg_cholesky_ex", "L", "info")


@public("cholesky", places=("linalg",), ops=(cholesky_factor,))
def cholesky(input: Tensor, *, upper: bool = False) -> Tensor:
    """The lower triangular L with L @ L.mT = A for each positive definite matrix (upper: U with U.mT @ U = A).

    Raises:
        LinAlgFault: a matrix is not positive definite.
        RuntimeFault: not square matrices.
    """
    return cholesky_factor(floating_matrices(input, "cholesky", square=True), upper=upper)


@public("cholesky", ops=(old_cholesky_factor,))
def torch_cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """The Cholesky factor (linalg.cholesky is the newer name)."""
    return old_cholesky_factor(floating_matrices(input, "cholesky", "input", square=True), upper=upper)


@public("cholesky_ex", places=("linalg",), ops=(cholesky_factor,))
def cholesky_ex(input: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """The factor and `info`: 0, or the order of the minor that is not positive (then the factor is nan).

    Raises:
        LinAlgFault: with check_errors, a matrix is not positive definite.
    """
    t = floating_matrices(input, "cholesky_ex", square=True)
    info = np.zeros(t.shape[:-2], "int32")
    try:
        return CholeskyEx((cholesky_factor(t, upper=upper), wrap(info)))
    except LinAlgFault:
        if check_errors:
            raise
    out = np.full(t.shape, np.nan, t.value.dtype)
    for index in np.ndindex(t.shape[:-2]):
        a = t.value[index]
        minors = [bool(np.linalg.det(a[:k, :k]) > 0) for k in range(1, a.shape[-1] + 1)]
        if all(minors):
            out[index] = _cholesky(a, upper=upper)
        else:
            info[index] = minors.index(False) + 1
    return CholeskyEx((attach(wrap(out), cholesky_factor, (t,), {"upper": upper}), wrap(info)))


# --- QR -------------------------------------------------------------------------------------------------------------


def _qr(a: Any, *, mode: str = "reduced") -> tuple[Any, Any]:
    if mode == "r":
        return np.zeros(0, a.dtype), np.linalg.qr(a, mode="r")
    return tuple(np.linalg.qr(a, mode=mode))  # type: ignore[return-value]


def _qr_pull(gq: Any, gr: Any, parts: Sequence[Any], x: Any, mode: str) -> Any:
    """From the cotangents of Q and R (None: nothing); a wide A = [X Y] has R = [U V] with X = Q U and Y = Q V."""
    rows, columns = shape_of(x)[-2:]
    if mode == "r":
        raise RuntimeFault(
            "qr: with mode='r' there is no Q, which the derivative needs", hint="write qr(A, mode='reduced')"
        )
    if mode == "complete" and rows > columns:
        raise RuntimeFault(
            "qr: with mode='complete' and more rows than columns the extra columns of Q are arbitrary, "
            "so there is no derivative",
            hint="write qr(A, mode='reduced')",
        )
    q, r = parts
    if rows >= columns:
        return _square_qr_pull(gq, gr, q, r)
    y = columns_from(x, start=rows, stop=columns)
    gu = gv = None
    if gr is not None:
        gu, gv = columns_from(gr, start=0, stop=rows), columns_from(gr, start=rows, stop=columns)
        through = times(y, mT(gv))
        gq = through if gq is None else gq + through
    ga = columns_into(_square_qr_pull(gq, gu, q, columns_from(r, start=0, stop=rows)), start=0, width=columns)
    return ga if gv is None else ga + columns_into(times(q, gv), start=rows, width=columns)


def _square_qr_pull(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    """(gQ + Q copyltu(M)) R^-T with M = R gR.mT - gQ.mT Q; copyltu copies the lower triangle to the upper one."""
    m = None
    if gr is not None:
        m = times(r, mT(gr))
    if gq is not None:
        w = times(mT(gq), q)
        m = -w if m is None else m - w
    strict = keep(m, part="strict_lower")
    inner = times(q, strict + mT(strict) + keep(m, part="diagonal"))
    if gq is not None:
        inner = gq + inner
    return triangular(mT(r), inner, upper=False, left=False)


QR_FACTORS = Factors(_qr)
qr_q = QR_FACTORS.part(
    "qr_q",
    lambda g, parts, x, *, mode="reduced": _qr_pull(g, None, parts, x, mode),
    "LinalgQrBackward0",
    "the Q of A = Q R",
    "(g - Q @ copyltu(g.mT @ Q)) @ inv(R).mT",
)
qr_r = QR_FACTORS.part(
    "qr_r",
    lambda g, parts, x, *, mode="reduced": _qr_pull(None, g, parts, x, mode),
    "LinalgQrBackward0",
    "the R of A = Q R",
    "Q @ copyltu(R @ g.mT) @ inv(R).mT",
)
LinalgQR = named("linalg_qr", "Q", "R")
TorchQR = named("qr", "Q", "R")


@public("qr", places=("linalg",), ops=(qr_q, qr_r))
def qr(A: Tensor, mode: str = "reduced") -> Any:
    """Q with orthonormal columns and upper triangular R, A = Q R; the signs on R's diagonal are LAPACK's choice.

    Raises:
        RuntimeFault: an unknown mode; not matrices.
    """
    t = floating_matrices(A, "qr")
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeFault(f"qr: unknown mode {mode!r}", hint="'reduced' (the default), 'complete' or 'r'")
    return LinalgQR(QR_FACTORS(t, mode=mode))


@public("qr", ops=(qr_q, qr_r))
def torch_qr(input: Tensor, some: bool = True) -> Any:
    """Q and R (linalg.qr is the newer name)."""
    t = floating_matrices(input, "qr", "input")
    return TorchQR(QR_FACTORS(t, mode="reduced" if some else "complete"))


# --- symmetric eigenproblems ----------------------------------------------------------------------------------------


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
    t = floating_matrices(A, function, square=True)
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise RuntimeFault(f"{function}: UPLO is 'L' or 'U', not {UPLO!r}")
    return EIGH_FACTORS(t, uplo=UPLO.upper())


@public("eigh", places=("linalg",), ops=(eigh_values, eigh_vectors))
def eigh(input: Tensor, UPLO: str = "L") -> Any:
    """Ascending eigenvalues and orthonormal eigenvectors (columns) of symmetric matrices, of which one triangle is read.

    Raises:
        LinAlgFault: no convergence.
        RuntimeFault: not square matrices, an unknown UPLO.
    """
    return Eigh(_symmetric_parts(input, UPLO, "eigh"))


@public("eigvalsh", places=("linalg",), ops=(eigh_values,))
def eigvalsh(input: Tensor, UPLO: str = "L") -> Tensor:
    """Ascending eigenvalues of symmetric matrices, of which one triangle is read."""
    return _symmetric_parts(input, UPLO, "eigvalsh")[0]


# --- singular values ------------------------------------------------------------------------------------------------


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
    """A = U diag(S) Vh, S descending. The signs of the vectors are LAPACK's choice; a function of them that depends on
    the signs has no derivative.

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
