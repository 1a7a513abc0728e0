"""The largest and the smallest: values, who gets the slope, indices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, torch, values

from autodiff_cli.engine.results import Max
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
NAN = float("nan")
TIES = [3.0, 1.0, 3.0, 1.0, 2.0]


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.max(),
        lambda x: x.min(1).values,
        lambda x: x.max(0, keepdim=True)[0],
        lambda x: x.amax((0, 1)),
        lambda x: x.amin(0, True),
        lambda x: x.aminmax(dim=1),
        lambda x: torch.max(x, x * x),
    ],
)
def test_derivatives(f: Any) -> None:
    check(lambda x: f(x * x * x), X)


@pytest.mark.parametrize(
    "f, shares",
    [
        (lambda x: x.max(), [0.5, 0.0, 0.5, 0.0, 0.0]),
        (lambda x: x.min(), [0.0, 0.5, 0.0, 0.5, 0.0]),
        (lambda x: x.amax(0), [0.5, 0.0, 0.5, 0.0, 0.0]),
        (lambda x: x.amin(), [0.0, 0.5, 0.0, 0.5, 0.0]),
        (lambda x: x.aminmax().max, [0.5, 0.0, 0.5, 0.0, 0.0]),
        (lambda x: x.max(0).values, [1.0, 0.0, 0.0, 0.0, 0.0]),
        (lambda x: x.min(0).values, [0.0, 1.0, 0.0, 0.0, 0.0]),
    ],
)
def test_ties(f: Any, shares: list[float]) -> None:
    assert gradient(f, TIES) == shares


def test_nan_is_the_largest_and_the_smallest() -> None:
    x = torch.tensor([1.0, NAN, 3.0])
    assert np.isnan([x.max().item(), x.min().item(), x.amax().item(), x.max(0).values.item()]).all()
    assert x.max(0).indices.item() == x.argmin().item() == 1
    assert gradient(lambda t: t.max(), [NAN, 1.0, NAN]) == [0.5, 0.0, 0.5]


def test_results_have_names() -> None:
    found = leaf(X).max(1)
    assert isinstance(found, Max) and found.values is found[0] and found.indices is found[1]
    assert repr(torch.tensor([1.0, 5.0]).max(0)) == ("torch.return_types.max(\nvalues=tensor(5.),\nindices=tensor(1))")
    best, at = found
    assert at.tolist() == [0, 0] and not at.requires_grad and chain(best) == "MaxBackward0(x)"


def test_indices() -> None:
    x = torch.tensor(X.tolist())
    assert x.argmax().item() == 3 and values(x.argmax(0)) == [1, 1, 0] and values(x.argmin(1, True)) == [[1], [2]]
    assert x.argmax(keepdim=True).shape == (1, 1)
    assert torch.tensor(2.0).argmax().item() == 0 and values(torch.tensor(2.0).max(0)) == [2.0, 0]


def test_changing_the_index_spoils_backward() -> None:
    x = leaf(X)
    best = (x * 2).max(1)
    best.indices.add_(1)
    with pytest.raises(RuntimeFault):
        best.values.sum().backward()


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda e: e.max(), RuntimeFault),
        (lambda e: e.max(0), IndexFault),
        (lambda e: e.amax(), RuntimeFault),
        (lambda e: e.amax(0), IndexFault),
        (lambda e: e.argmax(), IndexFault),
        (lambda e: e.aminmax(), RuntimeFault),
        (lambda e: e.max(None), TypeFault),
        (lambda e: (e > 0).argmax(), RuntimeFault),
        (lambda e: e.max(keepdim=True), TypeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(torch.zeros(0, 3))


def test_an_empty_dimension_that_stays_is_no_obstacle() -> None:
    assert torch.zeros(0, 3).max(1).values.shape == torch.zeros(0, 3).amax(1).shape == (0,)
