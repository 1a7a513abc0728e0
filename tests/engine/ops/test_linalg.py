"""Determinants, inverses, systems, pseudo-inverses, functions of matrices."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, names_in, torch, values

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.ops.determinants import ELIMINATED, det_gradient
from autodiff_cli.engine.ops.matrices import LinAlgFault
from autodiff_cli.engine.ops.solving import zero_pivot
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

linalg = names_in("linalg")
RNG = np.random.RandomState(7)
SQUARE = RNG.uniform(-1.0, 1.0, (3, 3)) + 2.0 * np.eye(3)
BATCH = RNG.uniform(-1.0, 1.0, (2, 3, 3)) + 2.0 * np.eye(3)
SINGULAR = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]])
INF = float("inf")


# --- determinants -------------------------------------------------------------------------------------------------


def leibniz(a: Any) -> Any:
    """The determinant as the polynomial that defines it, for tensors."""
    n = a.shape[-1]
    total: Any = 0.0
    for p in permutations(range(n)):
        sign = (-1.0) ** sum(p[i] > p[j] for j in range(n) for i in range(j))
        term: Any = sign
        for i, j in enumerate(p):
            term = term * torch.select(torch.select(a, -2, i), -1, j)
        total = total + term
    return total


def derivatives_along(f: Any, a: Any, directions: list[Any]) -> list[Any]:
    """The gradients of f and of its successive derivatives along the directions."""
    x = leaf(a)
    found = []
    value = f(x)
    for d in [*directions, None]:
        (g,) = autograd.grad(value.sum(), x, create_graph=True)
        found.append(np.asarray(g.value))
        if d is not None:
            value = (g * leaf(d).detach()).sum()
    return found


@pytest.mark.parametrize("rank", [4, 3, 2, 1, 0])
def test_all_derivatives_of_det_are_those_of_the_polynomial_at_any_rank(rank: int) -> None:
    a = np.round(RNG.uniform(-3, 3, (4, rank))) @ np.round(RNG.uniform(-3, 3, (rank, 4)))
    directions = [RNG.uniform(-1, 1, (4, 4)) for _ in range(3)]
    for mine, theirs in zip(
        derivatives_along(linalg.det, a, directions), derivatives_along(leibniz, a, directions), strict=True
    ):
        assert np.allclose(mine, theirs, rtol=1e-10, atol=1e-10 * max(1.0, np.abs(a).max() ** 3))


def test_det_of_small_and_batched_and_empty() -> None:
    for n in (1, 2, 3, 5):
        check(linalg.det, RNG.uniform(-1, 1, (n, n)), order=3, tolerance=1e-6)
    check(linalg.det, BATCH)
    assert linalg.det(leaf(np.zeros((0, 0)))).item() == 1.0
    assert gradient(torch.det, [[0.0, 0.0], [0.0, 0.0]]) == [[0.0, 0.0], [0.0, 0.0]]
    assert gradient(torch.det, [[1.0, 2.0], [2.0, 4.0]]) == [[4.0, -2.0], [-2.0, 1.0]]


def test_det_multiplies_pivots() -> None:
    assert linalg.det(leaf([[1.0, 2.0], [3.0, 4.0]])).item() == -2.0  # exp of a sum of logarithms misses this
    assert np.isnan(linalg.det(leaf([[float("nan"), 1.0], [1.0, 1.0]])).item())
    large = RNG.uniform(-1, 1, (ELIMINATED + 5, ELIMINATED + 5)) / 5
    assert linalg.det(leaf(large)).item() == pytest.approx(np.linalg.det(large))


def test_a_derivative_of_higher_order_than_the_size_is_zero() -> None:
    a, d = np.ones((2, 2)), np.ones((2, 2))
    assert np.all(det_gradient(a, d, d) == 0.0)


def test_large_terms_that_cancel_are_not_even_computed() -> None:
    x = leaf(1e8 * np.eye(4))
    (g,) = autograd.grad(linalg.det(x), x, create_graph=True)
    (h,) = autograd.grad((g * leaf(np.eye(4)).detach()).sum(), x)
    assert np.allclose(h.value, 3e16 * np.eye(4), rtol=1e-13)


def test_slogdet_and_logdet() -> None:
    sign, log = linalg.slogdet(leaf(-SQUARE))
    assert sign.item() == -1.0 and log.item() == pytest.approx(np.linalg.slogdet(SQUARE)[1])
    check(lambda a: linalg.slogdet(a).logabsdet, BATCH)
    check(torch.logdet, SQUARE)
    with quiet():
        assert np.isnan(torch.logdet(leaf(-SQUARE)).item())
        assert torch.logdet(leaf(np.zeros((2, 2)))).item() == -INF
    x = leaf(SQUARE)
    assert autograd.grad(linalg.slogdet(x).sign, x, allow_unused=True) == (None,)


# --- inverses and systems -----------------------------------------------------------------------------------------

SYSTEMS = [
    ((3, 3), (3,)),
    ((3, 3), (3, 2)),
    ((2, 3, 3), (2, 3)),
    ((2, 3, 3), (3, 2)),
    ((3, 3), (2, 3, 2)),
    ((2, 3, 3), (3,)),
]


@pytest.mark.parametrize(("a", "b"), SYSTEMS)
def test_solve(a: Any, b: Any) -> None:
    matrix, right = RNG.uniform(-1, 1, a) + 2.0 * np.eye(3), RNG.uniform(-1, 1, b)
    x = linalg.solve(leaf(matrix), leaf(right)).value
    vector = right.ndim == 1 or matrix.shape[:-1] == right.shape
    assert np.allclose(matrix @ x[..., None] if vector else matrix @ x, right[..., None] if vector else right)
    check(linalg.solve, matrix, right)


def test_solve_from_the_right_and_for_triangles() -> None:
    b = RNG.uniform(-1, 1, (2, 3))
    assert np.allclose(linalg.solve(leaf(SQUARE), leaf(b), left=False).value @ SQUARE, b)
    check(lambda a, b: linalg.solve(a, b, left=False), SQUARE, b)
    for upper in (True, False):
        for unit in (True, False):
            for left in (True, False):
                right = b.T if left else b
                options = {"upper": upper, "unitriangular": unit, "left": left}
                triangle = np.triu(SQUARE) if upper else np.tril(SQUARE)
                if unit:
                    np.fill_diagonal(triangle, 1.0)
                x = linalg.solve_triangular(leaf(SQUARE), leaf(right), **options).value
                assert np.allclose(triangle @ x if left else x @ triangle, right)
                check(lambda a, b, o=options: linalg.solve_triangular(a, b, **o), SQUARE, right)


def test_a_zero_pivot_of_a_triangle_gives_inf_not_an_error() -> None:
    with quiet():
        x = linalg.solve_triangular(leaf(np.zeros((1, 1))), leaf(np.ones((1, 1))), upper=True)
    assert x.item() == INF


def test_inverse() -> None:
    check(linalg.inv, BATCH)
    check(torch.inverse, SQUARE, order=3, tolerance=1e-6)
    assert np.allclose(linalg.inv(leaf(BATCH)).value @ BATCH, np.eye(3))
    inverse, info = linalg.inv_ex(leaf(SQUARE))
    assert info.item() == 0 and info.dtype.name == "int32" and np.allclose(inverse.value, np.linalg.inv(SQUARE))


def test_cholesky_systems() -> None:
    factor = np.tril(SQUARE)
    b = RNG.uniform(-1, 1, (3, 2))
    assert np.allclose(factor @ factor.T @ torch.cholesky_solve(leaf(b), leaf(factor)).value, b)
    assert np.allclose(torch.cholesky_inverse(leaf(factor)).value @ factor @ factor.T, np.eye(3))
    tril = lambda a: torch.tril(a)
    check(lambda b, a: torch.cholesky_solve(b, tril(a)), b, SQUARE, order=1)
    check(lambda a: torch.cholesky_inverse(tril(a)), SQUARE, order=1)
    check(lambda a: torch.cholesky_inverse(torch.triu(a), upper=True), SQUARE, order=1)


def test_old_and_rare_names() -> None:
    b = RNG.uniform(-1, 1, (3, 2))
    solution, copied = torch.triangular_solve(leaf(b), leaf(SQUARE), upper=False, transpose=True)
    assert np.allclose(np.tril(SQUARE).T @ solution.value, b) and np.allclose(copied.value, SQUARE)
    check(lambda b, a: torch.triangular_solve(b, a).solution, b, SQUARE)
    check(lambda a: linalg.tensorinv(a, ind=1), RNG.uniform(-1, 1, (4, 2, 2)))
    check(linalg.tensorsolve, RNG.uniform(-1, 1, (2, 2, 4)), RNG.uniform(-1, 1, (2, 2)))
    check(lambda x: linalg.vander(x, N=4), [0.5, -1.5])
    assert values(torch.vander(leaf([2.0, 3.0]))) == [[2.0, 1.0], [3.0, 1.0]]


def test_singular_matrices() -> None:
    with pytest.raises(LinAlgFault, match="pivot 3"):
        linalg.inv(leaf([[1.0, 2.0, 3.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]))
    with pytest.raises(RuntimeFault, match=r"\[1\]"):
        linalg.solve(leaf(np.stack([np.eye(2), np.ones((2, 2))])), leaf(np.ones((2, 2))))
    assert zero_pivot(np.eye(3)) == 0 and zero_pivot(np.ones((2, 2))) == 2
    with quiet():
        inverse, info = linalg.inv_ex(leaf(np.stack([np.eye(2), np.ones((2, 2))])))
    assert values(info) == [0, 2]
    assert values(inverse)[0] == [[1.0, 0.0], [0.0, 1.0]] and not np.isfinite(inverse.value[1]).all()


# --- where there is no inverse --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (3, 3), (2, 3, 2)])
def test_pinv(shape: Any) -> None:
    a = RNG.uniform(-1, 1, shape)
    assert np.allclose(linalg.pinv(leaf(a)).value, np.linalg.pinv(a))
    check(linalg.pinv, a, tolerance=1e-5)


def test_pinv_tolerances() -> None:
    a = np.diag([3.0, 1.0])
    assert values(linalg.pinv(leaf(a), rtol=0.5)) == [[1.0 / 3.0, 0.0], [0.0, 0.0]]
    assert values(linalg.pinv(leaf(a), atol=2.0)) == [[1.0 / 3.0, 0.0], [0.0, 0.0]]
    assert values(linalg.matrix_rank(leaf(a), atol=2.0)) == 1 and values(linalg.matrix_rank(leaf(SINGULAR))) == 2
    assert np.allclose(linalg.pinv(leaf(-np.eye(2)), hermitian=True).value, -np.eye(2))


@pytest.mark.parametrize(("a", "b"), [((4, 2), (4, 1)), ((4, 2), (4,)), ((2, 3), (2, 2)), ((2, 4, 2), (2, 4))])
def test_lstsq(a: Any, b: Any) -> None:
    matrix, right = RNG.uniform(-1, 1, a), RNG.uniform(-1, 1, b)
    check(lambda a, b: linalg.lstsq(a, b).solution, matrix, right, tolerance=1e-5)
    found = linalg.lstsq(leaf(matrix), leaf(right), driver="gelsd")
    if matrix.ndim == 2:
        x, residuals, rank, s = np.linalg.lstsq(matrix, right, rcond=None)
        assert np.allclose(found.solution.value, x) and found.rank.item() == rank
        assert np.allclose(found.residuals.value, residuals) and np.allclose(found.singular_values.value, s)
        assert linalg.lstsq(leaf(matrix), leaf(right)).residuals.shape == (0,)
    if a[-2] > a[-1]:
        check(lambda a, b: linalg.lstsq(a, b, driver="gelsd").residuals, matrix, right, tolerance=1e-5)


@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, INF, "fro", "nuc"])
def test_cond(p: Any) -> None:
    expected = np.linalg.cond(SQUARE, p)
    assert linalg.cond(leaf(SQUARE), p).item() == pytest.approx(expected)
    check(lambda a: linalg.cond(a, p), SQUARE, order=1)


def test_cond_of_a_singular_matrix_is_inf() -> None:
    with quiet():
        assert linalg.cond(leaf(np.ones((2, 2))), 1).item() == INF


# --- functions of matrices ------------------------------------------------------------------------------------------


def test_matrix_exp() -> None:
    check(linalg.matrix_exp, SQUARE, order=3, tolerance=1e-6)
    check(linalg.matrix_exp, BATCH, order=1)
    turn = leaf([[0.0, -1.0], [1.0, 0.0]])
    assert np.allclose(
        linalg.matrix_exp(turn * 30.0).value, [[np.cos(30), -np.sin(30)], [np.sin(30), np.cos(30)]], atol=1e-13
    )
    assert values(linalg.matrix_exp(leaf([[0.0, 3.0], [0.0, 0.0]]))) == [[1.0, 3.0], [0.0, 1.0]]


def test_a_large_cotangent_does_not_spoil_matrix_exp() -> None:
    x = leaf([[1.0, 2.0], [0.5, -1.0]])
    y = linalg.matrix_exp(x)
    (small,) = autograd.grad(y, x, leaf(np.ones((2, 2))).detach(), retain_graph=True)
    (large,) = autograd.grad(y, x, leaf(np.full((2, 2), 1e12)).detach())
    assert np.allclose(large.value / 1e12, small.value, rtol=1e-13)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, -1, -3])
def test_matrix_power(n: int) -> None:
    assert np.allclose(linalg.matrix_power(leaf(SQUARE), n).value, np.linalg.matrix_power(SQUARE, n))
    check(lambda a: linalg.matrix_power(a, n), SQUARE)


def test_names_of_nodes() -> None:
    a, b = leaf(SQUARE), leaf(np.ones(3))
    assert chain(linalg.det(a)) == "LinalgDetBackward0(x)"
    assert chain(linalg.inv(a)) == "LinalgInvExBackward0(x)"
    assert chain(linalg.solve(a, b)) == "LinalgSolveExBackward0(x,x)"
    assert chain(torch.logdet(a)).startswith("WhereBackward0(")
    assert chain(linalg.matrix_power(a, 5)) == ("MmBackward0(x,MmBackward0(MmBackward0(x,x),MmBackward0(x,x)))")


@pytest.mark.parametrize(
    "call",
    [
        lambda: linalg.det(leaf(np.ones((2, 3)))),
        lambda: linalg.det(leaf([1.0])),
        lambda: linalg.inv(torch.tensor([[1]])),
        lambda: linalg.solve(leaf(np.eye(3)), leaf([1.0, 2.0])),
        lambda: linalg.solve(leaf(np.eye(2)), torch.tensor([1.0, 2.0]).float()),
        lambda: linalg.solve_triangular(leaf(np.eye(2)), leaf([1.0, 2.0]), upper=True),
        lambda: linalg.matrix_exp(leaf(np.ones((2, 3)))),
        lambda: linalg.matrix_power(leaf(np.ones((2, 3))), 2),
        lambda: linalg.cond(leaf(np.eye(2)), "x"),
        lambda: linalg.cond(leaf(np.ones((2, 3))), 1),
        lambda: linalg.lstsq(leaf(np.ones((3, 2))), leaf(np.ones(2))),
        lambda: linalg.lstsq(leaf(np.ones((3, 2))), leaf(np.ones(3)), driver="x"),
        lambda: linalg.vander(leaf([1.0]), N=1),
        lambda: torch.vander(leaf([[1.0]])),
    ],
)
def test_refused(call: Any) -> None:
    with pytest.raises(RuntimeFault):
        call()


def test_what_pytorch_has_no_kernel_for() -> None:
    with pytest.raises(NotImplementedFault):
        linalg.eigh(torch.tensor([[1]]))
