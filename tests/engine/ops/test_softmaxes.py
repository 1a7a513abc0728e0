"""Softmax and its logarithm, and logsumexp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import F, chain, check, gradient, leaf, torch, values

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import IndexFault, NotImplementedFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
INF = float("inf")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.softmax(1),
        lambda x: x.softmax(0),
        lambda x: x.log_softmax(-1),
        lambda x: F.softmin(x, 0),
        lambda x: x.logsumexp(0),
        lambda x: x.logsumexp((0, 1), True),
    ],
)
def test_derivatives(f: Any) -> None:
    check(f, X)


def test_nothing_overflows() -> None:
    x = leaf([1000.0, 999.0])
    assert x.softmax(0).tolist() == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.e)])
    assert x.logsumexp(0).item() == pytest.approx(1000 + np.log1p(np.exp(-1)))
    assert leaf([0.0, 1e4]).log_softmax(0).tolist() == [-1e4, 0.0]


def test_minus_infinity_is_a_mask() -> None:
    with quiet():
        assert gradient(lambda x: x.logsumexp(0), [-INF, 1.0]) == [0.0, 1.0]
        assert gradient(lambda x: x.softmax(0)[1], [-INF, 0.0]) == [0.0, 0.0]
        assert torch.tensor([-INF, -INF]).logsumexp(0).item() == -INF
        assert torch.tensor([INF, 1.0]).logsumexp(0).item() == INF
        assert torch.zeros(0).logsumexp(0).item() == -INF


def test_scalars_and_nothing() -> None:
    s = leaf(2.0)
    assert s.softmax(0).item() == 1.0 and s.log_softmax(-1).item() == 0.0 and s.logsumexp(0).item() == 2.0
    assert torch.zeros(0, 3).softmax(0).shape == (0, 3)


def test_where_no_dimension_is_named() -> None:
    for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 2, 3), 0), ((1, 2, 2, 3), 1)):
        x = torch.arange(float(np.prod(shape))).reshape(shape)
        assert values(F.softmax(x)) == values(F.softmax(x, dim))


def test_dtypes() -> None:
    x = leaf(X)
    assert chain(x.softmax(1, dtype=dtypes.float32)) == "SoftmaxBackward0(ToCopyBackward0(x))"
    assert x.softmax(1, dtype=dtypes.float32).dtype is dtypes.float32
    assert torch.tensor([1, 2]).logsumexp(0).dtype is dtypes.float64
    with pytest.raises(NotImplementedFault):
        torch.tensor([1, 2]).softmax(0)
    with pytest.raises(IndexFault):
        x.softmax(2)
    with pytest.raises(TypeFault):
        x.logsumexp(None)
