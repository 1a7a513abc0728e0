"""Entries read and written by an index along a dimension: gather, scatter, index_add, take, put, masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, torch, values

from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
SRC = np.array([[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]])
ZEROS = np.array([[2.0, 0.0, 3.0], [0.0, 0.0, 4.0]])
I = torch.tensor([[0, 2, 2], [1, 1, 0]])
ROW = torch.tensor([2, 0, 2])
MASK = torch.tensor([[True, False, True], [False, False, True]])


@pytest.mark.parametrize(
    "f",
    [
        lambda x, s: x.gather(1, I),
        lambda x, s: x.gather(0, torch.tensor([[1, 0]])),
        lambda x, s: x.index_select(1, ROW),
        lambda x, s: x.take(torch.tensor([[0, -1], [3, 3]])),
        lambda x, s: x.take_along_dim(torch.tensor([[1]]), 1),
        lambda x, s: x.take_along_dim(torch.tensor([5, 5])),
        lambda x, s: x.masked_select(MASK),
        lambda x, s: x.scatter(1, torch.tensor([[0, 2], [1, 0]]), s),
        lambda x, s: x.scatter(1, I, 2.0),
        lambda x, s: x.scatter_add(1, I, s),
        lambda x, s: x.scatter_add(0, torch.tensor([[1, 1]]), s),
        lambda x, s: x.index_add(1, ROW, s, alpha=3.0),
        lambda x, s: x.index_copy(0, torch.tensor([1, 0]), s),
        lambda x, s: x.index_fill(1, torch.tensor([0, 0]), s[0, 0]),
        lambda x, s: x.index_fill(1, torch.tensor([-1]), 4.0),
        lambda x, s: x.put(torch.tensor([0, -1]), s[0, :2]),
        lambda x, s: x.put(torch.tensor([1, 1]), s[0, :2], accumulate=True),
        lambda x, s: x.masked_scatter(MASK, s),
    ],
)
def test_derivatives(f: Any) -> None:
    check(lambda x, s: f(x * x, s * x) * f(x, s), X, SRC / 10)


@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amax", "amin"])
@pytest.mark.parametrize("include_self", [True, False])
def test_derivatives_of_scatter_reduce(reduce: str, include_self: bool) -> None:
    check(lambda x, s: x.scatter_reduce(1, I, s, reduce, include_self=include_self), X, SRC / 10)
    if reduce == "prod":
        check(lambda x, s: x.scatter_reduce(1, I, s, "prod", include_self=include_self), ZEROS, ZEROS + 0.0, order=1)


def test_reading() -> None:
    x = leaf(X)
    assert values(x.gather(1, I)) == np.take_along_axis(X, np.asarray(I.value), 1).tolist()
    assert values(x.gather(0, torch.tensor([[1, 0]]))) == [[3.0, -2.0]]  # a smaller index reads a corner
    assert values(x.index_select(1, ROW)) == X[:, [2, 0, 2]].tolist()
    assert values(x.take(torch.tensor([-1, 1]))) == [-1.0, -2.0]
    assert values(x.take_along_dim(torch.tensor([[-1]]), 1)) == [[0.5], [-1.0]]
    assert values(x.masked_select(MASK)) == [1.5, 0.5, -1.0]
    assert values(x.masked_select(torch.tensor([True, False, False]))) == [1.5, 3.0]
    assert values(x.nonzero())[-1] == [1, 2] and values(torch.zeros(2).nonzero()) == []
    rows, columns = torch.tensor(ZEROS.tolist()).nonzero(as_tuple=True)
    assert (values(rows), values(columns)) == ([0, 0, 1], [0, 2, 2])
    assert torch.tensor(3.0).nonzero().shape == (1, 0)


def test_writing() -> None:
    z = torch.zeros(2, 3)
    assert values(z.scatter(1, I, torch.tensor(SRC.tolist()))) == [[10.0, 0.0, 30.0], [60.0, 50.0, 0.0]]
    assert values(z.scatter(1, I, 1.0)) == [[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    assert values(z.scatter_add(1, I, torch.tensor(SRC.tolist()))) == [[10.0, 0.0, 50.0], [60.0, 90.0, 0.0]]
    assert values(z.scatter(1, I, 2.0, reduce="add")) == [[2.0, 0.0, 4.0], [2.0, 4.0, 0.0]]
    assert values(z.index_add(1, ROW, torch.ones(2, 3))) == [[1.0, 0.0, 2.0]] * 2
    assert values(z.index_fill(0, torch.tensor(1), 5)) == [[0.0] * 3, [5.0] * 3]
    assert values(z.put(torch.tensor([1, -1]), torch.tensor([8.0, 9.0]))) == [[0.0, 8.0, 0.0], [0.0, 0.0, 9.0]]
    assert values(z.masked_scatter(MASK, torch.arange(1.0, 5.0))) == [[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]]
    ones = torch.ones(2, 3)
    assert values(ones.scatter_reduce(1, I, torch.tensor(SRC.tolist()), "mean")) == [
        [5.5, 1.0, 17.0],
        [30.5, 91 / 3, 1.0],
    ]
    assert values(ones.scatter_reduce(1, I, ones * 4, "prod", include_self=False)) == [[4, 1, 16], [4, 16, 1]]


def test_a_source_larger_than_its_index_gets_zeros_elsewhere() -> None:
    at = torch.tensor([[0, 1]])
    assert gradient(lambda s: torch.zeros(2, 3).scatter(1, at, s), SRC) == [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    assert gradient(lambda s: torch.zeros(2, 3).scatter_add(1, at, s), SRC) == [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_an_entry_listed_twice_is_filled_once() -> None:
    assert gradient(lambda v: torch.zeros(3).index_fill(0, torch.tensor([1, 1]), v), 2.0) == 1.0


def test_ties_of_an_extreme_share() -> None:
    x, s = leaf([[1.0, 3.0]]), leaf([[3.0, 3.0]])
    x.scatter_reduce(1, torch.tensor([[1, 1]]), s, "amax").sum().backward()
    assert x.grad.tolist() == [[1.0, pytest.approx(1 / 3)]] and s.grad.tolist() == [[pytest.approx(1 / 3)] * 2]


def test_scalars_nothing_and_single_precision() -> None:
    s, none = leaf(2.0), torch.zeros(0).long()
    assert values(s.gather(0, torch.tensor([0, 0]))) == [2.0, 2.0] and s.index_select(0, torch.tensor(0)).item() == 2.0
    assert leaf(X).gather(1, none).shape == (0,) and leaf(X).scatter_add(1, none, torch.zeros(0)).shape == (2, 3)
    f = leaf(X).float()
    y = f.gather(1, I).sum() + f.index_select(0, torch.tensor([0, 0])).sum() + f.take(I).sum()
    y.backward()
    assert y.dtype.name == "float32"


def test_in_place() -> None:
    x = torch.zeros(3)
    x.index_add_(0, torch.tensor([0]), torch.tensor([1.0])).scatter_add_(0, torch.tensor([1]), torch.tensor([2.0]))
    x.index_fill_(0, torch.tensor([2]), 3.0)
    assert values(x) == [1.0, 2.0, 3.0]
    y = leaf([1.0, 2.0, 3.0]) * 1.0
    y.index_copy_(0, torch.tensor([0]), torch.tensor([9.0]))
    assert chain(y).startswith("IndexCopyBackward0(MulBackward0")


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x.gather(1, I + 2), RuntimeFault),
        (lambda x: x.gather(1, ROW), RuntimeFault),
        (lambda x: x.gather(0, torch.zeros(1, 4).long()), RuntimeFault),
        (lambda x: x.gather(1, x), RuntimeFault),
        (lambda x: x.gather(2, I), IndexFault),
        (lambda x: x.index_select(1, I), IndexFault),
        (lambda x: x.index_select(1, ROW - 1), RuntimeFault),
        (lambda x: x.take(torch.tensor([6])), IndexFault),
        (lambda x: x.masked_select(I), RuntimeFault),
        (lambda x: x.masked_scatter(MASK, x[0, :2]), RuntimeFault),
        (lambda x: x.scatter(1, I, x.float()), RuntimeFault),
        (lambda x: x.scatter(1, I, x[:1]), RuntimeFault),
        (lambda x: x.scatter(1, I), TypeFault),
        (lambda x: x.scatter(1, I, 1.0, reduce="mean"), RuntimeFault),
        (lambda x: x.scatter_add(1, I, 2.0), TypeFault),
        (lambda x: x.scatter_reduce(1, I, x, "median"), RuntimeFault),
        (lambda x: x.index_add(1, ROW, x[:, :2]), RuntimeFault),
        (lambda x: x.index_copy(1, ROW + 1, x), IndexFault),
        (lambda x: x.index_fill(1, ROW, x), RuntimeFault),
        (lambda x: x.put(torch.tensor([6]), x[0, :1]), IndexFault),
        (lambda x: x.scatter(1, I, x, reduce="add").sum().backward(), RuntimeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))
