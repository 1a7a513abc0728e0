"""Running sums, products, records and logarithms of sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import check, gradient, leaf, torch, values

from autodiff_cli.engine import dtypes
from autodiff_cli.errors import IndexFault, NotImplementedFault

X = np.array([[1.5, -2.0, 0.5, 2.0], [3.0, 0.25, -1.0, -0.5]])
ZEROS = np.array([2.0, 0.0, 3.0, 0.0, -1.0])
INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "logcumsumexp"])
@pytest.mark.parametrize("dim", [0, 1])
def test_derivatives(name: str, dim: int) -> None:
    check(lambda x: getattr(x, name)(dim), X)


def test_second_derivatives_of_large_exponents() -> None:
    check(lambda x: x.logcumsumexp(0) * 1e-3, [1000.0, 999.5, 1001.0], tolerance=1e-6)


def test_running_products_are_exact_at_zeros_to_any_order() -> None:
    check(lambda x: x.cumprod(0), ZEROS, order=3)
    check(lambda x: x.cumprod(0), np.stack([ZEROS, ZEROS[::-1]], 1), order=2)
    assert gradient(lambda x: x.cumprod(0), [1.0, 0.0, 3.0, 4.0]) == [1.0, 16.0, 0.0, 0.0]


def test_no_infinity_spoils_what_it_does_not_touch() -> None:
    assert gradient(lambda x: x.cumprod(0), [1.0, INF, 3.0])[1:] == [4.0, INF]


def test_values_agree_with_numpy() -> None:
    x = leaf(X)
    for dim in (0, 1):
        assert values(x.cumsum(dim)) == pytest.approx(X.cumsum(dim))
        assert values(x.cumprod(dim)) == pytest.approx(X.cumprod(dim))
        assert values(x.logcumsumexp(dim)) == pytest.approx(np.log(np.exp(X).cumsum(dim)))


def test_logarithms_of_sums_neither_overflow_nor_lose_what_is_finite() -> None:
    x = leaf([1000.0, 1000.0, -1000.0])
    y = x.logcumsumexp(0)
    assert y.tolist() == pytest.approx([1000.0, 1000.0 + np.log(2), 1000.0 + np.log(2)])
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([2.0, 1.0, 0.0], abs=1e-12)
    assert gradient(lambda t: t.logcumsumexp(0), [1.0, INF, 2.0])[0] == 1.0
    assert gradient(lambda t: t.logcumsumexp(0)[1:], [-INF, 1.0, -INF])[1:] == [2.0, 0.0]


def test_records_go_to_the_later_of_equal_entries() -> None:
    best = leaf([1.0, 1.0, 3.0, NAN, 4.0]).cummax(0)
    assert best.indices.tolist() == [0, 1, 2, 3, 3]
    assert best.values.tolist()[:3] == [1.0, 1.0, 3.0] and np.isnan(best.values.tolist()[3:]).all()
    least = leaf([2.0, 1.0, 1.0, 5.0]).cummin(0)
    assert values(least) == [[2.0, 1.0, 1.0, 1.0], [0, 1, 2, 2]]
    assert gradient(lambda x: x.cummin(0).values, [2.0, 1.0, 1.0, 5.0]) == [1.0, 1.0, 2.0, 0.0]
    check(lambda x: x.cummax(1).values, X)
    check(lambda x: x.cummin(0).values, X)


def test_scalars_and_nothing() -> None:
    s = leaf(2.0)
    assert s.cumsum(0).item() == s.cumprod(-1).item() == s.logcumsumexp(0).item() == 2.0
    assert values(s.cummax(0)) == [2.0, 0]
    e = torch.zeros(0, 3)
    assert e.cumsum(0).shape == e.cumprod(1).shape == e.cummax(0).values.shape == (0, 3)


def test_dtypes() -> None:
    assert torch.tensor([True, True]).cumsum(0).tolist() == [1, 2]
    assert leaf([1.0]).cumsum(0, dtype=dtypes.float32).dtype is dtypes.float32
    with pytest.raises(NotImplementedFault):
        torch.tensor([1, 2]).logcumsumexp(0)
    with pytest.raises(IndexFault):
        leaf(X).cumsum(2)


@pytest.mark.parametrize("call", [lambda x: x.cumsum_(0), lambda x: x.cumprod_(1)])
def test_in_place(call: Any) -> None:
    x = torch.ones(2, 3)
    assert call(x) is x and x.sum().item() in (9.0, 6.0)
