"""unique, bincount, histc; differences and integrals of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, leaf, torch, values

from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
T = np.array([0.0, 0.5, 2.0])


def test_unique() -> None:
    t = torch.tensor([3, 1, 1, 2])
    assert values(torch.unique(t)) == [1, 2, 3]
    assert values(torch.unique(t, return_inverse=True, return_counts=True)) == [[1, 2, 3], [2, 0, 0, 1], [2, 1, 1]]
    rows = torch.tensor([[1, 2], [1, 2], [0, 1]])
    assert values(rows.unique(dim=0, return_counts=True)) == [[[0, 1], [1, 2]], [1, 2]]
    assert len(torch.tensor([float("nan")] * 2).unique()) == 2
    assert values(torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_inverse=True, return_counts=True)) == [
        [1, 2, 1],
        [0, 0, 1, 2],
        [2, 1, 1],
    ]
    assert values(rows.unique_consecutive(dim=0)) == [[1, 2], [0, 1]]
    with pytest.raises(NotImplementedFault):
        torch.unique(leaf([1.0])).sum().backward()


def test_counts() -> None:
    n = torch.tensor([0, 1, 1])
    assert values(n.bincount(minlength=4)) == [1, 2, 0, 0]
    assert values(n.bincount(torch.tensor([0.5, 1.0, 2.0]))) == [0.5, 3.0]
    assert values(torch.histc(torch.tensor([1.0, 2.0, 3.0]), 4, 0, 4)) == [0, 1, 1, 1]
    assert values(torch.histc(torch.tensor([2.0, 2.0]), 2)) == [0, 2]


@pytest.mark.parametrize(
    "f",
    [
        lambda x, t: x.diff(),
        lambda x, t: torch.diff(x, n=2, dim=1),
        lambda x, t: torch.diff(x, dim=0, prepend=t[None]),
        lambda x, t: torch.trapezoid(x),
        lambda x, t: torch.trapezoid(x, t),
        lambda x, t: torch.trapezoid(x, dx=0.5, dim=0),
        lambda x, t: torch.trapz(x, x * x),
        lambda x, t: torch.cumulative_trapezoid(x, t),
        lambda x, t: torch.cumulative_trapezoid(x, dx=0.25, dim=0),
    ],
)
def test_derivatives_of_sampled_values(f: Any) -> None:
    check(lambda x, t: f(x * x, t * t), X, T)


def test_integrals_agree_with_numpy() -> None:
    x, t = leaf(X), leaf(T)
    assert values(torch.trapezoid(x, t)) == pytest.approx(np.trapezoid(X, T))
    assert values(torch.trapezoid(x, dx=2.0, dim=0)) == pytest.approx(np.trapezoid(X, dx=2.0, axis=0))
    assert values(torch.cumulative_trapezoid(x, t))[0] == pytest.approx(
        [np.trapezoid(X[0, :2], T[:2]), np.trapezoid(X[0], T)]
    )
    assert values(torch.trapezoid(x[:, :1])) == [0.0, 0.0]
    assert torch.trapezoid(torch.tensor([0, 1, 1])).item() == 1.5


def test_differences() -> None:
    assert values(torch.tensor([1, 4, 9]).diff()) == [3, 5] and values(torch.tensor([1, 4, 9]).diff(n=5)) == []
    assert values(torch.tensor([True, False, False]).diff()) == [True, False]
    assert chain(leaf(T).diff()) == "SubBackward0(SliceBackward0(x),SliceBackward0(x))"


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x[0].bincount(), NotImplementedFault),
        (lambda x: torch.tensor([-1]).bincount(), RuntimeFault),
        (lambda x: torch.tensor([1]).bincount(x[0]), RuntimeFault),
        (lambda x: torch.histc(torch.tensor([1])), NotImplementedFault),
        (lambda x: torch.histc(x, 0), RuntimeFault),
        (lambda x: x[0, 0].diff(), RuntimeFault),
        (lambda x: x.diff(n=-1), RuntimeFault),
        (lambda x: x.diff(append=x[0]), RuntimeFault),
        (lambda x: torch.trapezoid(x, x[:, 0]), RuntimeFault),
        (lambda x: torch.trapezoid(x, 2.0), TypeFault),
        (lambda x: torch.trapezoid(x[0, 0]), IndexFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))
