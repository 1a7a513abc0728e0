"""Norms and distances between rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, names_in, torch, values

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

linalg = names_in("linalg")
INF = float("inf")
X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
ORDERS = [1, 2, 3, 4, 0.5, 1.5, 2.5, -1, -2, INF, -INF, 0]


@pytest.mark.parametrize("p", ORDERS)
def test_vector_norms(p: float) -> None:
    assert linalg.vector_norm(leaf(X), p).item() == pytest.approx(np.linalg.norm(X.ravel(), p))
    assert values(linalg.vector_norm(leaf(X), p, dim=1)) == pytest.approx(np.linalg.norm(X, p, axis=1))
    assert linalg.vector_norm(leaf(X), p, dim=0, keepdim=True).shape == (1, 3)
    if p:
        check(lambda x: linalg.vector_norm(x, p), X)
        check(lambda x: linalg.vector_norm(x, p, dim=-1, keepdim=True), X)
        check(lambda x: torch.norm(x, p=p, dim=0), X)


@pytest.mark.parametrize("p", [2, 3, 4])
def test_third_derivatives(p: float) -> None:
    check(lambda x: linalg.vector_norm(x, p), [1.5, -2.0, 0.5], order=3, tolerance=1e-6)


@pytest.mark.parametrize("p", ["fro", "nuc", 1, -1, 2, -2, INF, -INF])
def test_matrix_norms(p: Any) -> None:
    assert linalg.matrix_norm(leaf(X), p).item() == pytest.approx(np.linalg.norm(X, p))
    check(lambda x: linalg.matrix_norm(x, p), X)
    batch = np.stack([X, 2.0 * X - 1.0], axis=1)  # matrices in dimensions 0 and 2
    check(lambda x: linalg.matrix_norm(x, p, dim=(0, 2)), batch, order=1)
    assert linalg.matrix_norm(leaf(batch), p, dim=(2, 0), keepdim=True).shape == (1, 2, 1)
    assert linalg.matrix_norm(leaf(batch), p, dim=(0, 2)).shape == (2,)


def test_norm_picks_the_vector_or_the_matrix() -> None:
    assert linalg.norm(leaf(X), 2).item() == pytest.approx(np.linalg.norm(X, 2))
    assert linalg.norm(leaf(X)).item() == pytest.approx(np.linalg.norm(X))
    assert linalg.norm(leaf(X[0]), 1).item() == 4.0
    assert linalg.norm(leaf(X), 1, dim=1).shape == (2,)
    assert torch.norm(leaf(X), p="nuc").item() == pytest.approx(np.linalg.norm(X, "nuc"))
    assert torch.norm(leaf(X), 2).item() == torch.norm(leaf(X)).item() == leaf(X).norm().item()


@pytest.mark.parametrize("p", [p for p in ORDERS if p])
def test_slope_zero_at_zero(p: float) -> None:
    with quiet():
        assert gradient(lambda x: linalg.vector_norm(x, p), [0.0, 0.0]) == [0.0, 0.0]
        g = gradient(lambda x: linalg.vector_norm(x, p), [3.0, 0.0])
    assert g == pytest.approx([0.0, 0.0] if p < 0 else [1.0, 0.0], rel=1e-14)


def test_conventions() -> None:
    assert gradient(lambda x: linalg.vector_norm(x, 0), [3.0, 0.0]) is None
    assert gradient(lambda x: linalg.vector_norm(x, INF), [2.0, -2.0]) == [0.5, -0.5]
    assert gradient(lambda x: linalg.vector_norm(x, -INF), [2.0, -2.0, 5.0]) == [0.5, -0.5, 0.0]
    assert gradient(lambda x: linalg.vector_norm(x, INF), [float("nan"), 1.0]) == [0.0, 0.0]
    assert np.isnan(linalg.vector_norm(leaf([float("nan"), 1.0])).item())
    assert gradient(lambda x: x.norm(), -2.0) == -1.0


@pytest.mark.parametrize("p", [2, 3, 1.5])
@pytest.mark.parametrize("scale", [1e200, 1e-200, 1.0])
def test_near_the_ends_of_the_range(p: float, scale: float) -> None:
    with quiet():
        y = linalg.vector_norm(leaf(np.array([3.0, -4.0]) * scale), p).item()
        g = gradient(lambda x: linalg.vector_norm(x, p), np.array([3.0, -4.0]) * scale)
    assert y == pytest.approx(scale * np.linalg.norm([3.0, -4.0], p), rel=1e-12)
    assert g == pytest.approx(gradient(lambda x: linalg.vector_norm(x, p), [3.0, -4.0]), rel=1e-12)


def test_an_even_norm_is_smooth_where_an_entry_is_zero() -> None:
    from autodiff_cli.engine import autograd

    x = leaf([3.0, 0.0])
    (g,) = autograd.grad(linalg.vector_norm(x), x, create_graph=True)
    (h,) = autograd.grad(g, x, leaf([0.0, 1.0]).detach())
    assert values(h) == [0.0, 1.0 / 3.0]


def test_the_4_norm_has_its_fourth_derivative_where_an_entry_is_zero() -> None:
    grad = names_in("func").grad
    f: Any = lambda t: linalg.vector_norm(torch.stack([leaf(3.0).detach(), t]), 4)
    for _ in range(4):
        f = grad(f)
    assert f(leaf(0.0).detach()).item() == pytest.approx(6.0 / 27.0)


def test_a_zero_entry_does_not_spoil_the_others_curvature() -> None:
    from autodiff_cli.engine import autograd

    x = leaf([3.0, 4.0, 0.0])
    with quiet():
        (g,) = autograd.grad(linalg.vector_norm(x, 1.5), x, create_graph=True)
        (h,) = autograd.grad(g, x, leaf([1.0, 0.0, 0.0]).detach())
    assert np.isfinite(h.value[:2]).all()


def test_empty() -> None:
    assert linalg.vector_norm(leaf(np.zeros(0))).item() == 0.0
    assert linalg.vector_norm(leaf(np.zeros((0, 3))), INF, dim=1).shape == (0,)
    with pytest.raises(RuntimeFault, match="nothing"):
        linalg.vector_norm(leaf(np.zeros(0)), INF)
    assert linalg.matrix_norm(leaf(np.zeros((0, 3))), 2).item() == 0.0


def test_dtype_argument() -> None:
    single = torch.tensor([3.0, 4.0]).float()
    assert linalg.vector_norm(single).dtype.name == "float32"
    assert linalg.vector_norm(single, dtype=leaf(1.0).dtype).dtype.name == "float64"
    with pytest.raises(RuntimeFault):
        linalg.vector_norm(leaf([1.0]), dtype=single.dtype)


def test_names_of_nodes() -> None:
    assert chain(leaf(X).norm()) == "LinalgVectorNormBackward0(x)"
    assert chain(linalg.matrix_norm(leaf(X), 1)) == "AmaxBackward0(LinalgVectorNormBackward0(x))"
    assert chain(linalg.matrix_norm(leaf(X), "nuc")) == "SumBackward1(LinalgSvdBackward0(PermuteBackward0(x)))"


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: linalg.vector_norm(torch.tensor([1])), RuntimeFault),
        (lambda: linalg.vector_norm(leaf(X), "fro"), TypeFault),
        (lambda: linalg.vector_norm(leaf(X), 2, dim=(0, 0)), RuntimeFault),
        (lambda: linalg.vector_norm(leaf(X), 2, dim=5), IndexFault),
        (lambda: linalg.matrix_norm(leaf(X), 3), RuntimeFault),
        (lambda: linalg.matrix_norm(leaf(X), "x"), RuntimeFault),
        (lambda: linalg.matrix_norm(leaf(X), 2, dim=(1, 1)), RuntimeFault),
        (lambda: linalg.matrix_norm(leaf(X), 2, dim=0), TypeFault),
        (lambda: linalg.matrix_norm(leaf(X[0])), RuntimeFault),
        (lambda: linalg.norm(leaf(X[None]), 2), RuntimeFault),
        (lambda: linalg.norm(leaf(X), 2, dim=(0, 1, 0)), RuntimeFault),
        (lambda: torch.cdist(leaf(X), leaf(X), compute_mode="x"), ValueFault),
        (lambda: torch.cdist(leaf(X), leaf(X), p=-1), RuntimeFault),
        (lambda: torch.cdist(leaf(X), leaf(X.T)), RuntimeFault),
        (lambda: torch.cdist(leaf(X[0]), leaf(X)), RuntimeFault),
    ],
)
def test_refused(call: Any, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        call()


@pytest.mark.parametrize("p", [1, 2, 3, INF, 0.5])
def test_cdist(p: float) -> None:
    a, b = X, np.array([[0.5, 1.0, -1.5], [2.0, 0.75, 1.0], [1.0, -1.25, 0.25]])
    expected = np.linalg.norm(a[:, None] - b, p, axis=-1)
    assert np.allclose(torch.cdist(leaf(a), leaf(b), p).value, expected)
    check(lambda x, y: torch.cdist(x, y, p), a, b, order=1)
    check(lambda x, y: torch.cdist(x, y, p), np.stack([a, a + 0.3]), b, order=1)


def test_cdist_has_no_second_derivative() -> None:
    x = leaf(X)
    (g,) = autograd.grad(torch.cdist(x, leaf(X + 1.0)).sum(), (x,), create_graph=True)
    with pytest.raises(NotImplementedFault, match="cdist"):
        autograd.grad(g.sum(), (x,))


def test_cdist_at_distance_zero() -> None:
    assert gradient(lambda x: torch.cdist(x, x.detach()), X[:1]) == [[0.0, 0.0, 0.0]]
