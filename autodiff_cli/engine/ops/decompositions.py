"""Factors of matrices: cholesky and qr.

Sources of the rules: I. Murray, "Differentiation of the Cholesky decomposition" (2016); M. Seeger and others,
"Auto-differentiating linear algebra" (2017) for QR.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.apply import attach
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.factors import Factors
from autodiff_cli.engine.ops.matrices import (
    LinAlgFault,
    columns_from,
    columns_into,
    floating_matrices,
    keep,
    mT,
    symmetric,
    times,
)
from autodiff_cli.engine.ops.triangular import triangular
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

# --- Cholesky -----------------------------------------------------------------------------------------------


def _lower(a: Any) -> Any:
    try:
        factor = np.linalg.cholesky(a)
        if not np.isnan(factor).any():
            return factor
        raise LinAlgFault("cholesky: the matrix is not positive definite: there is a nan in it")
    except np.linalg.LinAlgError:
        order = 1
        while not bool((np.linalg.det(a[..., :order, :order]) <= 0).any()) and order < a.shape[-1]:
            order += 1
        raise LinAlgFault(
            f"cholesky: the matrix is not positive definite (not so its leading minor of order {order})",
            hint="A @ A.mT + eye(n) is positive definite for any A",
        ) from None


def _cholesky(a: Any, *, upper: bool = False) -> Any:
    return np.swapaxes(_lower(np.swapaxes(a, -1, -2)), -1, -2) if upper else _lower(a)


def _cholesky_pull(g: Any, y: Any, _a: Any, *, upper: bool = False) -> Any:
    """Phi(L.mT g) between the inverses of L.mT and L, symmetrised; Phi takes the lower triangle and half the
    diagonal."""
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
    """The lower triangular L with L @ L.mT = A for each positive definite matrix.

    With upper=True the U with U.mT @ U = A.

    Raises:
        LinAlgFault: a matrix is not positive definite.
        RuntimeFault: not square matrices.
    """
    return cholesky_factor(floating_matrices(input, "cholesky", square=True), upper=upper)


@public("cholesky", ops=(old_cholesky_factor,))
def torch_cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """The Cholesky factor (linalg.cholesky is the newer name)."""
    return old_cholesky_factor(
        floating_matrices(input, "cholesky", "input", square=True, fault=NotImplementedFault), upper=upper
    )


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


# --- QR -----------------------------------------------------------------------------------------------------


def _qr(a: Any, *, mode: str = "reduced") -> tuple[Any, Any]:
    if mode == "r":
        return np.zeros(0, a.dtype), np.linalg.qr(a, mode="r")
    return tuple(np.linalg.qr(a, mode=mode))


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
    """Q with orthonormal columns and an upper triangular R, with A = Q R.

    The signs on R's diagonal are LAPACK's choice.

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
