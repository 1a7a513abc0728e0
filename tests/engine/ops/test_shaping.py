"""Shapes: view, reshape, flatten, transpose, permute, squeeze, expand; what shares memory and what does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, leaf, torch, values

from autodiff_cli.errors import IndexFault, LimitFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
C = np.arange(24.0).reshape(2, 3, 4) / 7

SHAPED = [
    (lambda x: x.view(3, -1), (3, 2), "ViewBackward0(x)"),
    (lambda x: x.view((6,)), (6,), "ViewBackward0(x)"),
    (lambda x: x.reshape(-1), (6,), "ViewBackward0(x)"),
    (lambda x: torch.reshape(x, (1, 6)), (1, 6), "ViewBackward0(x)"),
    (lambda x: x.T.reshape(6), (6,), "UnsafeViewBackward0(CloneBackward0(PermuteBackward0(x)))"),
    (lambda x: x.T.reshape(3, 1, 2), (3, 1, 2), "ReshapeAliasBackward0(PermuteBackward0(x))"),
    (lambda x: x.flatten(), (6,), "ViewBackward0(x)"),
    (lambda x: x.unflatten(1, (3, -1)), (2, 3, 1), "ViewBackward0(x)"),
    (lambda x: x.T.ravel(), (6,), "ViewBackward0(CloneBackward0(PermuteBackward0(x)))"),
    (lambda x: x.view_as(torch.zeros(6)), (6,), "ViewBackward0(x)"),
    (lambda x: x.reshape_as(torch.zeros(3, 2)), (3, 2), "ViewBackward0(x)"),
    (lambda x: x.T, (3, 2), "PermuteBackward0(x)"),
    (lambda x: x.mT, (3, 2), "TransposeBackward0(x)"),
    (lambda x: x.t(), (3, 2), "TBackward0(x)"),
    (lambda x: x.transpose(0, -1), (3, 2), "TransposeBackward0(x)"),
    (lambda x: x.swapaxes(0, 1), (3, 2), "TransposeBackward0(x)"),
    (lambda x: x.permute(-1, 0), (3, 2), "PermuteBackward0(x)"),
    (lambda x: x.movedim(0, 1), (3, 2), "PermuteBackward0(x)"),
    (lambda x: x.unsqueeze(1), (2, 1, 3), "UnsqueezeBackward0(x)"),
    (lambda x: x.unsqueeze(-1).squeeze(), (2, 3), "SqueezeBackward0(UnsqueezeBackward0(x))"),
    (lambda x: x.unsqueeze(0).squeeze(0), (2, 3), "SqueezeBackward1(UnsqueezeBackward0(x))"),
    (lambda x: x.unsqueeze(0).squeeze((0, 1)), (2, 3), "SqueezeBackward2(UnsqueezeBackward0(x))"),
    (lambda x: x.expand(4, -1, 3), (4, 2, 3), "ExpandBackward0(x)"),
    (lambda x: torch.broadcast_to(x, (1, 2, 3)), (1, 2, 3), "ExpandBackward0(x)"),
    (lambda x: x.expand_as(torch.zeros(2, 2, 3)), (2, 2, 3), "ExpandBackward0(x)"),
]


@pytest.mark.parametrize("f, shape, graph", SHAPED)
def test_shape_graph_and_derivatives(f: Any, shape: tuple[int, ...], graph: str) -> None:
    y = f(leaf(X))
    assert y.shape == shape and chain(y) == graph
    check(lambda x: f(x * x) * f(x), X)


@pytest.mark.parametrize("f", [f for f, _, graph in SHAPED if "Clone" not in graph])
def test_views_share_memory(f: Any) -> None:
    x = torch.tensor(X.tolist())
    y = f(x)
    x[0, 0] = 9.0
    assert 9.0 in y.flatten().tolist()


def test_copies_do_not() -> None:
    x = torch.tensor(X.tolist())
    y = x.T.reshape(6)
    x.zero_()
    assert y.sum().item() == X.sum()


def test_values_go_where_numpy_puts_them() -> None:
    c = torch.tensor(C.tolist())
    assert values(c.permute(2, 0, 1)) == C.transpose(2, 0, 1).tolist()
    assert values(c.movedim((0, 1), (1, 0))) == np.moveaxis(C, (0, 1), (1, 0)).tolist()
    assert values(c.moveaxis(0, -1)) == np.moveaxis(C, 0, -1).tolist()
    assert values(c.transpose(0, 2)) == C.swapaxes(0, 2).tolist()
    assert values(c.flatten(1)) == C.reshape(2, 12).tolist() and values(c.flatten(0, 1)) == C.reshape(6, 4).tolist()
    assert values(c.T) == C.T.tolist() and values(c.mT) == C.swapaxes(1, 2).tolist()
    assert values(torch.zeros(1, 2, 1).squeeze()) == [0.0, 0.0]


def test_scalars() -> None:
    s = leaf(2.0)
    for f in (
        lambda x: x.reshape(1, 1),
        lambda x: x.view(()),
        lambda x: x.flatten(),
        lambda x: x.T,
        lambda x: x.t(),
        lambda x: x.transpose(0, -1),
        lambda x: x.squeeze(),
        lambda x: x.squeeze(0),
        lambda x: x.unsqueeze(-1),
        lambda x: x.expand(3),
    ):
        assert set(np.ravel(values(f(s)))) == {2.0}
        check(lambda x, f=f: f(x) * x, 2.0)
    plain = torch.tensor(2.0)
    row = plain.reshape(1)
    row[0] = 5.0
    assert plain.item() == 5.0


def test_a_tensor_that_is_flat_already_is_returned_itself() -> None:
    v = leaf([1.0, 2.0])
    assert v.flatten() is v and v.contiguous() is v


def test_broadcasting() -> None:
    a, b = torch.broadcast_tensors(leaf([1.0, 2.0]), leaf([[3.0], [4.0]]))
    assert values(a) == [[1.0, 2.0], [1.0, 2.0]] and values(b) == [[3.0, 3.0], [4.0, 4.0]]
    assert torch.broadcast_shapes((3, 1), (2,), ()) == (3, 2)
    assert values(torch.zeros(0, 1).expand(0, 3)) == []


def test_what_is_spread_cannot_be_written() -> None:
    with pytest.raises(RuntimeFault):
        torch.zeros(3).expand(2, 3).add_(1.0)
    x = torch.zeros(3)
    x.expand(2, 3)[0] = 1.0  # one row is no trouble
    assert values(x) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x.view(4), RuntimeFault),
        (lambda x: x.view(-1, -1), RuntimeFault),
        (lambda x: x.view(-2, 3), RuntimeFault),
        (lambda x: x.T.view(6), RuntimeFault),
        (lambda x: torch.zeros(0).view(-1, 0), RuntimeFault),
        (lambda x: x.reshape(), TypeFault),
        (lambda x: x.reshape(2.0, 3), TypeFault),
        (lambda x: x.flatten(1, 0), RuntimeFault),
        (lambda x: x.unflatten(1, (2, 2)), RuntimeFault),
        (lambda x: x.transpose(0, 2), IndexFault),
        (lambda x: x.permute(0, 0), RuntimeFault),
        (lambda x: x.permute(0), RuntimeFault),
        (lambda x: x.movedim((0, 1), (1,)), RuntimeFault),
        (lambda x: x[None].t(), RuntimeFault),
        (lambda x: x[0].mT, RuntimeFault),
        (lambda x: x.squeeze(2), IndexFault),
        (lambda x: x.unsqueeze(4), IndexFault),
        (lambda x: x.expand(3), RuntimeFault),
        (lambda x: x.expand(4, 3), RuntimeFault),
        (lambda x: x.expand(-1, 2, 3), RuntimeFault),
        (lambda x: torch.broadcast_tensors(x, x.T), RuntimeFault),
        (lambda x: torch.tensor(1.0).expand(10**10), LimitFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))
