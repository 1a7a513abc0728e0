"""Sums, means, products, truth and counts."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, torch, values

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
ZEROS = np.array([[2.0, 0.0, 3.0], [0.0, 0.0, 4.0], [1.0, 5.0, -2.0]])
NAN = float("nan")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.sum(),
        lambda x: x.sum(1),
        lambda x: x.sum((0, 1), keepdim=True),
        lambda x: x.sum(()),
        lambda x: x.mean(),
        lambda x: x.mean(-1, keepdim=True),
        lambda x: x.nansum(0),
        lambda x: x.prod(),
        lambda x: x.prod(0),
        lambda x: x.prod(1, keepdim=True),
    ],
)
def test_derivatives(f: Any) -> None:
    check(lambda x: f(x * x), X)


@pytest.mark.parametrize("f", [lambda x: x.prod(), lambda x: x.prod(0), lambda x: x.prod(1)])
def test_products_are_exact_at_zeros_to_any_order(f: Any) -> None:
    check(f, ZEROS, order=3)


def test_the_product_of_the_others_is_not_a_quotient() -> None:
    assert gradient(lambda x: x.prod(), [0.0, 2.0, 3.0]) == [6.0, 0.0, 0.0]
    assert gradient(lambda x: x.prod(), [1e-200, 1e-200, 1.0])[:2] == [1e-200, 1e-200]
    assert gradient(lambda x: x.prod(), [float("inf"), 2.0, 3.0])[0] == 6.0


def test_sum_and_mean_agree_with_numpy() -> None:
    x = leaf(X)
    for dim in (0, 1, -1, (0, 1)):
        for keep in (False, True):
            assert values(x.sum(dim, keep)) == pytest.approx(X.sum(dim, keepdims=keep), abs=1e-15)
            assert values(x.mean(dim, keepdim=keep)) == pytest.approx(X.mean(dim, keepdims=keep), abs=1e-15)


def test_the_overloads_are_different_nodes() -> None:
    x = leaf(X)
    assert [chain(t) for t in (x.sum(), x.sum(0), x.sum(None), x.mean(), x.mean(1), x.prod(), x.prod(1))] == [
        f"{name}(x)"
        for name in (
            "SumBackward0",
            "SumBackward1",
            "SumBackward1",
            "MeanBackward0",
            "MeanBackward1",
            "ProdBackward0",
            "ProdBackward1",
        )
    ]


def test_integers_and_bools_sum_to_int64() -> None:
    n = torch.tensor([[True, False], [True, True]])
    assert n.sum().dtype is dtypes.int64 and n.sum().item() == 3
    assert values(n.sum(0)) == [2, 1]
    assert torch.tensor([2, 3]).int().prod().dtype is dtypes.int64
    assert torch.tensor([1, 2]).sum(dtype=dtypes.float32).dtype is dtypes.float32


def test_dtype_of_the_gradient_is_that_of_the_operand() -> None:
    x = leaf(X)
    total = x.sum(dtype=dtypes.float32)
    total.backward()
    assert total.dtype is dtypes.float32 and x.grad.dtype is dtypes.float64


def test_of_nothing() -> None:
    e = torch.zeros(0, 3)
    assert e.sum().item() == 0.0 and e.prod().item() == 1.0
    with quiet():
        assert np.isnan(e.mean().item())
    assert values(e.sum(0)) == [0.0, 0.0, 0.0] and values(e.sum(1)) == []
    assert not e.any().item() and e.all().item()


def test_of_a_scalar() -> None:
    s = leaf(2.0)
    for t in (s.sum(), s.sum(0), s.mean(-1), s.prod(), s.prod(0, True), s.nansum()):
        assert t.shape == () and t.item() == 2.0 and t.requires_grad
    assert gradient(lambda x: x.sum(0) * x.mean() * x.prod(), 2.0) == 12.0


def test_nan_is_skipped_and_gets_no_gradient() -> None:
    assert gradient(lambda x: x.nansum(), [NAN, 1.0]) == [0.0, 1.0]
    assert gradient(lambda x: x.nanmean(), [NAN, 1.0, 3.0]) == [0.0, 0.5, 0.5]
    with quiet():
        assert np.isnan(torch.tensor([NAN]).nanmean().item())


def test_truth_and_counts() -> None:
    x = torch.tensor(ZEROS.tolist())
    assert values(x.all(1)) == [False, False, True]
    assert values(x.any(0, keepdim=True)) == [[True, True, True]]
    assert x.count_nonzero().item() == 6 and values(x.count_nonzero(0)) == [2, 1, 3]
    assert x.any(dim=()).shape == (3, 3)  # as PyTorch: over no dimension, where sum takes all
    assert torch.tensor(3.0).count_nonzero().item() == 1


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x.sum(2), IndexFault),
        (lambda x: x.sum((0, 0)), RuntimeFault),
        (lambda x: x.sum(0, 1), TypeFault),  # meant as two dimensions
        (lambda x: x.sum(keepdim=True), TypeFault),
        (lambda x: x.mean(dtype=dtypes.int64), RuntimeFault),
        (lambda x: x.long().mean(), RuntimeFault),
        (lambda x: x.long().nanmean(), RuntimeFault),
        (lambda x: x.sum(dtype="float32"), TypeFault),
        (lambda x: x.sum(dtype=dtypes.int64), RuntimeFault),
        (lambda x: torch.sum(3.0), TypeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))


def test_of_a_scalar_needs_no_numpy() -> None:
    program = """
import sys
from autodiff_cli.engine.methods import FUNCTIONS
x = FUNCTIONS["torch", "tensor"].call(2.0, requires_grad=True)
y = x.sum() * x.mean() + x.max() * x.prod() + x.median() + x.clone() + FUNCTIONS["torch", "ones_like"].call(x)
y.backward()
print(x.grad.item(), "numpy" in sys.modules)
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told == "10.0 False\n"
