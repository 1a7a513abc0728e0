"""Sorting and what is picked from the order: topk, kthvalue, median, mode, quantile; searching."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, torch, values

from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5, 4.0], [3.0, 0.25, -1.0, 0.75]])
INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.sort(1).values,
        lambda x: x.sort(0, descending=True)[0],
        lambda x: x.msort(),
        lambda x: x.topk(2).values,
        lambda x: x.topk(1, 0, largest=False).values,
        lambda x: x.kthvalue(3, 1, True).values,
        lambda x: x.median(),
        lambda x: x.median(1).values,
        lambda x: x.nanmedian(),
        lambda x: x.mode(0).values,
        lambda x: x.quantile(0.3),
        lambda x: x.quantile(torch.tensor([0.2, 0.9]), 1, True),
        lambda x: x.quantile(0.4, 0, interpolation="midpoint"),
    ],
)
def test_derivatives(f: Any) -> None:
    check(lambda x: f(x * x * x), X)


def test_the_derivative_of_a_quantile_in_its_fraction() -> None:
    check(lambda q: torch.tensor(X.tolist()).quantile(q), 0.35)


def test_order() -> None:
    x = torch.tensor([3.0, NAN, 1.0, 3.0, -INF])
    assert x.sort().indices.tolist() == [4, 2, 0, 3, 1]  # stable, nan last
    assert x.sort(descending=True).indices.tolist() == [1, 0, 3, 2, 4]
    assert x.argsort(descending=True).tolist() == [1, 0, 3, 2, 4]
    assert x.topk(2).indices.tolist() == [1, 3] and x.topk(2, largest=False).values.tolist() == [-INF, 1.0]
    assert torch.tensor([[3, 1], [2, 5]]).sort(0).values.tolist() == [[2, 1], [3, 5]]
    assert torch.tensor([True, False]).sort().values.tolist() == [False, True]


def test_medians() -> None:
    assert torch.tensor([4.0, 1.0, 3.0, 2.0]).median().item() == 2.0  # the lower of two
    assert np.isnan(torch.tensor([1.0, NAN, 3.0]).median().item())
    assert torch.tensor([1.0, NAN, 3.0]).nanmedian().item() == 1.0
    assert values(torch.tensor([[1, 9, 4], [8, 2, 6]]).median(1)) == [[4, 6], [2, 2]]
    assert gradient(lambda x: x.median(), [1.0, 1.0, 2.0, 2.0]) == [0.5, 0.5, 0.0, 0.0]
    assert sorted(gradient(lambda x: x.median(0).values, [1.0, 1.0, 2.0, 2.0])) == [0.0, 0.0, 0.0, 1.0]
    with quiet():
        assert np.isnan(torch.zeros(0).median().item())


def test_the_most_frequent() -> None:
    assert values(torch.tensor([2.0, 1.0, 2.0, 1.0]).mode()) == [1.0, 3]
    assert values(torch.tensor([[5, 5, 1], [7, 0, 0]]).mode(1, True)) == [[[5], [0]], [[1], [2]]]


def test_quantiles_agree_with_numpy() -> None:
    x = torch.tensor(X.tolist())
    for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
        for q in (0.0, 0.3, 0.77, 1.0):
            assert x.quantile(q, interpolation=mode).item() == pytest.approx(np.quantile(X, q, method=mode))
            assert values(x.quantile(q, 1, interpolation=mode)) == pytest.approx(np.quantile(X, q, 1, method=mode))
    assert np.isnan(torch.tensor([1.0, NAN]).quantile(0.1).item())
    assert torch.tensor([1.0, NAN, 3.0]).nanquantile(0.5).item() == 2.0
    assert x.quantile(torch.tensor([0.1, 0.2, 0.3]), 0).shape == (3, 4)


def test_the_nodes_of_a_quantile_are_pytorchs() -> None:
    picked = "GatherBackward0(ViewBackward0(SortBackward0(ViewBackward0(x))))"
    assert chain(leaf(X).quantile(0.3)) == f"SqueezeBackward4(LerpBackward1({picked},{picked},-))"


def test_ties_in_each_row_of_any_dimension() -> None:
    x = torch.tensor([[1.0, 2.0, 2.0, 1.0, 2.0, 1.0], [2.0, 2.0, 1.0, 3.0, 1.0, 1.0]])
    assert values(x.topk(2).indices) == values(x.T.topk(2, 0).indices.T) == [[2, 4], [3, 1]]  # as PyTorch 2.13 has it
    assert values(x.kthvalue(3).indices) == values(x.t().kthvalue(3, 0).indices) == [0, 5]
    assert values(x.mode().indices) == [5, 5] and values(x.topk(3, largest=False).indices)[0] == [3, 5, 0]
    assert sum(gradient(lambda t: t.topk(2).values, [1.0, 2.0, 2.0, 1.0, 2.0, 1.0])) == 2.0
    assert torch.ones(20).sort(stable=True).indices.tolist() == list(range(20))


def test_searching() -> None:
    edges = torch.tensor([1.0, 3.0, 3.0, 5.0])
    assert torch.searchsorted(edges, torch.tensor([3.0, NAN])).tolist() == [1, 4]
    assert torch.searchsorted(edges, 3.0, side="right").item() == 3
    rows = torch.tensor([[1, 4], [2, 3]])
    assert torch.searchsorted(rows, torch.tensor([[2], [2]])).tolist() == [[1], [0]]
    assert torch.bucketize(torch.tensor([[0.0, 4.0]]), edges, right=True).tolist() == [[0, 3]]
    assert torch.bucketize(2.0, edges, out_int32=True).dtype.name == "int32"


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x.topk(5), RuntimeFault),
        (lambda x: x.kthvalue(0), RuntimeFault),
        (lambda x: x[:0].kthvalue(1, 0), IndexFault),
        (lambda x: x[:0].median(0), IndexFault),
        (lambda x: (x > 0).median(), NotImplementedFault),
        (lambda x: x.quantile(1.5), RuntimeFault),
        (lambda x: x.quantile("a"), TypeFault),
        (lambda x: x.long().quantile(0.5), RuntimeFault),
        (lambda x: x.quantile(0.5, interpolation="spline"), RuntimeFault),
        (lambda x: torch.searchsorted(x, x[0]), RuntimeFault),
        (lambda x: torch.searchsorted(x[0], x, side="middle"), RuntimeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))
