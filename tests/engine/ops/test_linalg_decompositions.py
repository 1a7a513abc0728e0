"""Cholesky, QR, eigenvalues and singular values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, names_in, torch, values

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.ops.matrices import LinAlgFault
from autodiff_cli.errors import RuntimeFault

linalg = names_in("linalg")
RNG = np.random.RandomState(3)
TALL, WIDE, SQUARE = (RNG.uniform(-1.0, 1.0, s) for s in ((4, 2), (2, 4), (3, 3)))
BATCH = RNG.uniform(-1.0, 1.0, (2, 3, 2))
DEFINITE = SQUARE @ SQUARE.T + np.eye(3)
SYMMETRIC = SQUARE + SQUARE.T


def definite(a: Any) -> Any:
    return a @ a.mT + leaf(np.eye(a.shape[-1])).detach()


# --- Cholesky -----------------------------------------------------------------------------------------------------


def test_cholesky() -> None:
    factor = linalg.cholesky(leaf(DEFINITE)).value
    assert np.allclose(factor @ factor.T, DEFINITE) and factor[0, 2] == 0.0
    upper = linalg.cholesky(leaf(DEFINITE), upper=True).value
    assert np.allclose(upper, factor.T)
    for option in (True, False):
        check(lambda a, o=option: linalg.cholesky(definite(a), upper=o), SQUARE)
    check(lambda a: linalg.cholesky(definite(a)), RNG.uniform(-1, 1, (2, 2, 2)), order=3, tolerance=1e-6)


def test_the_gradient_of_cholesky_is_symmetric() -> None:
    g = np.array(gradient(linalg.cholesky, DEFINITE))
    assert np.allclose(g, g.T)


def test_only_one_triangle_is_read() -> None:
    spoiled = DEFINITE + np.triu(np.full((3, 3), 9.0), 1)
    assert np.allclose(linalg.cholesky(leaf(spoiled)).value, np.linalg.cholesky(DEFINITE))
    assert np.allclose(linalg.cholesky(leaf(spoiled.T), upper=True).value, np.linalg.cholesky(DEFINITE).T)


def test_not_positive_definite() -> None:
    with pytest.raises(LinAlgFault, match="order 2"):
        linalg.cholesky(leaf([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(LinAlgFault):
        linalg.cholesky(leaf([[float("nan"), 0.0], [0.0, 1.0]]))
    factor, info = linalg.cholesky_ex(leaf([[1.0, 2.0], [2.0, 1.0]]))
    assert info.item() == 2 and np.isnan(factor.value).all()
    factor, info = linalg.cholesky_ex(leaf(np.stack([np.eye(2), -np.eye(2)])))
    assert values(info) == [0, 1] and np.allclose(factor.value[0], np.eye(2))


# --- QR -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [TALL, WIDE, SQUARE, BATCH, BATCH.swapaxes(-1, -2)])
def test_qr(a: Any) -> None:
    q, r = linalg.qr(leaf(a))
    assert np.allclose(q.value @ r.value, a)
    check(lambda x: tuple(linalg.qr(x)), a)
    check(lambda x: linalg.qr(x).Q, a)
    check(lambda x: linalg.qr(x).R, a)


def test_qr_modes() -> None:
    q, r = linalg.qr(leaf(TALL), "complete")
    assert q.shape == (4, 4) and r.shape == (4, 2)
    with pytest.raises(RuntimeFault, match="complete"):
        q.sum().backward()
    empty, r = linalg.qr(leaf(TALL), mode="r")
    assert empty.shape == (0,) and np.allclose(np.abs(r.value), np.abs(np.linalg.qr(TALL)[1]))
    with pytest.raises(RuntimeFault, match="mode='r'"):
        r.sum().backward()
    with pytest.raises(RuntimeFault):
        linalg.qr(leaf(TALL), "x")
    assert torch.qr(leaf(TALL), some=False).Q.shape == (4, 4)
    check(lambda x: tuple(linalg.qr(x, "complete")), WIDE)


# --- eigenvalues ----------------------------------------------------------------------------------------------------


def test_eigh() -> None:
    w, v = linalg.eigh(leaf(SYMMETRIC))
    assert np.allclose(v.value @ np.diag(w.value) @ v.value.T, SYMMETRIC)
    symmetric = lambda a: a + a.mT
    for uplo in ("L", "U"):
        check(lambda a, u=uplo: linalg.eigh(symmetric(a), UPLO=u)[0], SQUARE, order=3, tolerance=1e-5)
        check(lambda a, u=uplo: linalg.eigh(symmetric(a), UPLO=u).eigenvectors ** 2, SQUARE, tolerance=1e-5)
        check(lambda a, u=uplo: linalg.eigvalsh(symmetric(a), UPLO=u), RNG.uniform(-1, 1, (2, 2, 2)))


def test_a_function_of_a_symmetric_matrix_through_its_eigenvalues() -> None:
    def exponential(a: Any) -> Any:
        w, v = linalg.eigh(a + a.mT)
        return v * w.exp().unsqueeze(-2) @ v.mT

    assert np.allclose(gradient(exponential, SQUARE), gradient(lambda a: torch.matrix_exp(a + a.mT), SQUARE), atol=1e-9)


def test_equal_eigenvalues_have_derivatives_and_their_vectors_have_none() -> None:
    assert gradient(lambda a: linalg.eigvalsh(a).sum(), np.eye(2)) == [[1.0, 0.0], [0.0, 1.0]]
    with quiet():
        g = np.array(gradient(lambda a: linalg.eigh(a).eigenvectors * leaf([[1.0, 2.0], [3.0, 4.0]]), np.eye(2)))
    assert not np.isfinite(g).all()


def test_the_results_of_a_decomposition_are_freed_together() -> None:
    x = leaf(SYMMETRIC)
    w, _ = linalg.eigh(x)
    w.sum().backward()
    with pytest.raises(RuntimeFault):
        w.sum().backward()


# --- singular values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [TALL, WIDE, SQUARE, BATCH])
def test_svd(a: Any) -> None:
    u, s, vh = linalg.svd(leaf(a), full_matrices=False)
    assert np.allclose(u.value * s.value[..., None, :] @ vh.value, a)
    check(linalg.svdvals, a, order=3, tolerance=1e-5)
    check(lambda x: linalg.svd(x, full_matrices=False).U ** 2, a, tolerance=1e-5)
    check(lambda x: linalg.svd(x, full_matrices=False).Vh ** 2, a, tolerance=1e-5)


def test_full_matrices_and_the_older_name() -> None:
    u, _, vh = linalg.svd(leaf(TALL))
    assert u.shape == (4, 4) and vh.shape == (2, 2)
    check(lambda x: torch.narrow(linalg.svd(x).U, 1, 0, 2) ** 2, TALL, tolerance=1e-5)
    _, s, v = torch.svd(leaf(TALL))
    assert np.allclose(v.value, vh.value.T) and s.shape == (2,)
    check(lambda x: torch.svd(x).V ** 2, TALL, tolerance=1e-5)
    zeros = torch.svd(leaf(TALL), compute_uv=False)
    assert np.all(zeros.U.value == 0.0) and zeros.U.shape == (4, 4)


def test_the_parts_put_together_again_have_the_identity_for_a_derivative() -> None:
    def rebuilt(x: Any) -> Any:
        u, s, vh = linalg.svd(x, full_matrices=False)
        return u * s.unsqueeze(-2) @ vh

    weights = RNG.uniform(-1, 1, TALL.shape)
    x = leaf(TALL)
    (g,) = autograd.grad(rebuilt(x), x, leaf(weights).detach())
    assert np.allclose(g.value, weights)


def test_names_and_printing() -> None:
    assert chain(linalg.svdvals(leaf(TALL))) == "LinalgSvdBackward0(x)"
    assert chain(linalg.qr(leaf(TALL)).R) == "LinalgQrBackward0(x)"
    assert chain(linalg.cholesky(leaf(DEFINITE))) == "LinalgCholeskyExBackward0(x)"
    assert chain(linalg.eigvalsh(leaf(DEFINITE))) == "LinalgEighBackward0(x)"
    text = repr(linalg.eigh(leaf(np.eye(1))))
    assert text == (
        "torch.return_types.linalg_eigh(\n"
        "eigenvalues=tensor([1.], grad_fn=<LinalgEighBackward0>),\n"
        "eigenvectors=tensor([[1.]], grad_fn=<LinalgEighBackward0>))"
    )
    with pytest.raises(RuntimeFault, match="UPLO"):
        linalg.eigh(leaf(np.eye(2)), UPLO="X")
