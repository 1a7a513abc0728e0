"""Tensors put together and taken apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, leaf, torch, values

from autodiff_cli.errors import IndexFault, LimitFault, RuntimeFault, TypeFault, ValueFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
V = np.array([1.0, -2.0, 3.0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x, v: torch.cat([x, v[None], x[:1]]),
        lambda x, v: torch.cat((x, x), dim=-1),
        lambda x, v: torch.stack([v, x[0], v], 1),
        lambda x, v: torch.hstack([v, x[1]]),
        lambda x, v: torch.vstack([v, x]),
        lambda x, v: torch.dstack([x, x]),
        lambda x, v: torch.column_stack([v, x.T]),
        lambda x, v: x.repeat(2, 1, 2),
        lambda x, v: v.tile(2, 2),
        lambda x, v: x.repeat_interleave(2, 1),
        lambda x, v: x.repeat_interleave(torch.tensor([0, 2]), 0),
        lambda x, v: x.split([1, 2], 1),
        lambda x, v: x.split(2, 1),
        lambda x, v: x.chunk(2),
        lambda x, v: x.unbind(1),
        lambda x, v: x.tensor_split((1,), 1),
        lambda x, v: torch.stack(list(v)),
    ],
)
def test_derivatives(f: Any) -> None:
    check(lambda x, v: f(x * x, v * v), X, V)


def test_joined_as_numpy_joins() -> None:
    x, v = leaf(X), leaf(V)
    assert values(torch.cat([x, x], 1)) == np.concatenate([X, X], 1).tolist()
    assert values(torch.stack([v, v], -1)) == np.stack([V, V], -1).tolist()
    assert values(torch.hstack([x, x])) == np.hstack([X, X]).tolist()
    assert values(torch.vstack([v, x])) == np.vstack([V, X]).tolist()
    assert values(torch.dstack([v, v])) == np.dstack([V, V]).tolist()
    assert values(torch.column_stack([v, x.T])) == np.column_stack([V, X.T]).tolist()
    assert values(torch.hstack([leaf(1.0), leaf(2.0)])) == [1.0, 2.0]
    assert values(x.repeat(2, 2)) == np.tile(X, (2, 2)).tolist() and values(x.tile(2)) == np.tile(X, 2).tolist()
    assert values(v.repeat_interleave(2)) == np.repeat(V, 2).tolist()
    assert values(torch.repeat_interleave(torch.tensor([2, 0, 1]))) == [0, 0, 2]


def test_an_empty_vector_stands_in_any_cat() -> None:
    assert torch.cat([torch.zeros(0), leaf(X)], 1).shape == (2, 3)
    assert torch.cat([torch.zeros(0), torch.zeros(0)]).shape == (0,)
    e = leaf([])
    torch.cat([leaf(X), e]).sum().backward()
    assert e.grad.shape == (0,)


def test_dtypes_meet() -> None:
    ints, flags, single = torch.tensor([1]), torch.tensor([True]), torch.tensor([1.5]).float()
    assert torch.cat([flags, ints]).dtype.name == "int64"
    assert torch.cat([ints, single]).dtype.name == "float32"
    assert torch.stack([ints[0], single[0]]).dtype.name == "float32"
    y = torch.cat([leaf([1.0]), single.requires_grad_()])
    y.sum().backward()
    assert y.dtype.name == "float64" and single.grad.dtype.name == "float32"


def test_parts() -> None:
    x = leaf(X)
    assert [p.shape for p in x.split(2, 1)] == [(2, 2), (2, 1)]
    assert [p.shape for p in x.chunk(5, 1)] == [(2, 1)] * 3
    assert [p.shape for p in x.tensor_split(2, 1)] == [(2, 2), (2, 1)]
    assert [p.shape for p in x.tensor_split([1, -1], 1)] == [(2, 1)] * 3
    assert [p.shape for p in torch.hsplit(x, 3)] == [(2, 1)] * 3 and len(torch.vsplit(x, 2)) == 2
    assert [values(p) for p in x.unbind(1)] == X.T.tolist()
    assert [chain(p) for p in (x.split(1)[0], x.split([2], 0)[0], x.chunk(2)[1], x.unbind()[0], list(x)[1])] == [
        "SplitBackward0(x)",
        "SplitWithSizesBackward0(x)",
        "SplitBackward0(x)",
        "UnbindBackward0(x)",
        "UnbindBackward0(x)",
    ]


def test_parts_are_views() -> None:
    x = torch.zeros(4)
    x.split(2)[1][0] = 7.0
    x.unbind()[0].fill_(5.0)
    assert values(x) == [5.0, 0.0, 7.0, 0.0]


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: torch.cat([]), ValueFault),
        (lambda x: torch.cat(x), TypeFault),
        (lambda x: torch.cat([x, 1.0]), TypeFault),
        (lambda x: torch.cat([x, x[0]]), RuntimeFault),
        (lambda x: torch.cat([x, x[:, :2]]), RuntimeFault),
        (lambda x: torch.cat([x[0, 0], x[0, 0]]), RuntimeFault),
        (lambda x: torch.cat([x, x], 2), IndexFault),
        (lambda x: torch.stack([]), RuntimeFault),
        (lambda x: torch.stack([x, x[0]]), RuntimeFault),
        (lambda x: x.repeat(2), RuntimeFault),
        (lambda x: x.repeat(-1, 1), RuntimeFault),
        (lambda x: x.repeat(10**6, 10**6), LimitFault),
        (lambda x: x.repeat_interleave(torch.tensor([1, 1, 1]), 0), RuntimeFault),
        (lambda x: x.split(0), RuntimeFault),
        (lambda x: x.split([1, 1], 1), RuntimeFault),
        (lambda x: x.chunk(0), RuntimeFault),
        (lambda x: x.unbind(2), IndexFault),
        (lambda x: x[0, 0].unbind(), IndexFault),
        (lambda x: iter(x[0, 0]), TypeFault),
        (lambda x: torch.hsplit(x, 2), RuntimeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))
