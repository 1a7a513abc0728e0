"""Variance, standard deviation, distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import check, gradient, leaf, torch, values

from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
INF = float("inf")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.var(),
        lambda x: x.var(0, correction=0),
        lambda x: x.var(1, False, True),
        lambda x: x.std(),
        lambda x: x.std((0, 1), unbiased=False),
        lambda x: torch.var_mean(x, 1),
        lambda x: torch.std_mean(x, correction=0.5),
    ],
)
def test_derivatives(f: Any) -> None:
    check(f, X)


@pytest.mark.parametrize("p", [1, 2, 3, 0.5, INF])
def test_distance(p: float) -> None:
    a, b = np.array([1.0, -2.0, 0.5]), np.array([0.25, 1.5, 2.0])
    assert torch.dist(leaf(a), leaf(b), p).item() == pytest.approx(np.linalg.norm(a - b, p))
    check(lambda x, y: torch.dist(x, y, p), a, b)


def test_values_agree_with_numpy() -> None:
    x = leaf(X)
    assert x.var().item() == pytest.approx(X.var(ddof=1)) and x.std(0).tolist() == pytest.approx(X.std(0, ddof=1))
    assert values(x.var(1, correction=2)) == pytest.approx(X.var(1, ddof=2))
    assert x.var(False).item() == x.var(unbiased=False).item() == x.var(correction=0).item()


def test_without_freedom() -> None:
    with quiet():
        assert np.isnan(leaf([1.0]).var().item())
        assert gradient(lambda x: x.var(correction=5), [1.0, 2.0]) == [INF, INF]
        assert np.isnan(gradient(lambda x: x.std(), [1.0])[0])


def test_equal_entries_and_equal_points_have_slope_zero() -> None:
    assert gradient(lambda x: x.std(), [1.0, 1.0]) == [0.0, 0.0]
    assert gradient(lambda a, b: torch.dist(a, b), [1.0, 2.0], [1.0, 2.0]) == [[0.0, 0.0], [0.0, 0.0]]
    x = leaf([1.0, 1.0])
    check(lambda t: (t * 0 + x.detach()).std(), [1.0, 1.0], order=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.long().var(),
        lambda x: torch.dist(x.long(), x.long()),
    ],
)
def test_refused(call: Any) -> None:
    with pytest.raises(RuntimeFault):
        call(leaf(X))
    with pytest.raises(TypeFault):
        leaf(X).var(0, unbiased=True, correction=1)
    with pytest.raises(RuntimeFault):
        torch.dist(leaf(X), leaf(X), 0).backward()
