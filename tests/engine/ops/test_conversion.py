"""Dtypes, copies, questions about a tensor; shapes, named results, limits; what fills and reshapes in place."""

from __future__ import annotations

from typing import Any

import pytest
from derivatives import chain, leaf, torch, values

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.results import FInfo, IInfo, Size
from autodiff_cli.errors import AttributeFault, IndexFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault


def test_conversions_keep_the_graph() -> None:
    x = leaf([1.5, -2.5])
    y = x.float()
    y.sum().backward()
    assert chain(y) == "ToCopyBackward0(x)" and x.grad.dtype is dtypes.float64
    assert values(x.long()) == [1, -2] and values(x.bool()) == [True, True] and not x.long().requires_grad
    assert x.double() is x and x.to(dtypes.float64) is x and x.cpu() is x and x.to("cpu") is x
    assert chain(x.to(dtypes.float64, copy=True)) == "ToCopyBackward0(x)"
    assert x.to("cpu", dtypes.float32).dtype is x.to(torch.tensor(1.0).float()).dtype is dtypes.float32
    assert x.type_as(torch.tensor(1)).dtype is dtypes.int64 and x.type() == "torch.DoubleTensor"
    assert x.type("torch.FloatTensor").dtype is dtypes.float32 and x.int().dtype is dtypes.int32


def test_copies() -> None:
    x = torch.zeros(2, 3)
    y = x.T.clone()
    y[0, 0] = 1.0
    assert x.sum().item() == 0.0 and not y.is_contiguous() and y.contiguous().is_contiguous()
    assert x.expand(2, 2, 3).clone().is_contiguous()
    assert x.detach().numpy().tolist() == x.tolist()


def test_questions() -> None:
    x = torch.zeros(2, 3)
    assert x.size() == (2, 3) and x.size(-1) == 3 and x.stride() == (3, 1) and x.T.stride(0) == 1
    assert x[1, 1].storage_offset() == 4 and x.nelement() == torch.numel(x) == 6 and x.element_size() == 8
    assert x.ndimension() == 2 and x.nbytes == 48 and x.is_floating_point() and not torch.is_complex(x)
    assert torch.tensor(2.0).is_nonzero() and torch.tensor([1]).is_signed() and not torch.tensor(True).is_signed()
    assert torch.result_type(torch.tensor([1]), 2.0) is dtypes.float64
    assert torch.promote_types(dtypes.int64, dtypes.float32) is dtypes.float32
    assert torch.can_cast(dtypes.bool_, dtypes.int64) and not torch.can_cast(dtypes.float32, dtypes.int64)


def test_sizes() -> None:
    s = Size([2, 3])
    assert repr(s) == "torch.Size([2, 3])" and s == (2, 3) and s.numel() == 6
    assert [type(t) for t in (s[:1], s + (1,), (1,) + s, s * 2)] == [Size] * 4 and s[0] == 2
    assert torch.Size((torch.tensor(2),)) == (2,) and Size().numel() == 1


def test_named_results() -> None:
    found = torch.tensor([[1.0, 2.0]]).sort()
    assert repr(found) == "torch.return_types.sort(\nvalues=tensor([[1., 2.]]),\nindices=tensor([[0, 1]]))"
    with pytest.raises(AttributeFault):
        _ = found.vlaues


def test_limits_of_dtypes() -> None:
    assert torch.finfo(dtypes.float32).eps == 2.0**-23 and torch.finfo().max == 1.7976931348623157e308
    assert torch.iinfo(dtypes.int64).max == 2**63 - 1 and torch.iinfo(dtypes.uint8).min == 0
    assert repr(FInfo(dtypes.float64)).startswith("finfo(resolution=1e-15, min=-1.79769e+308,")
    assert repr(IInfo(dtypes.int32)) == "iinfo(min=-2.14748e+09, max=2.14748e+09, dtype=int32)"


def test_filling() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x * 1.0
    y.fill_(x.sum())
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0, 3.0] and chain(y).startswith("FillBackward3(MulBackward0")
    z = (x * 1.0).zero_()
    assert chain(z) == "ZeroBackward0(MulBackward0(x,-))" and values(z) == [0.0, 0.0, 0.0]
    assert values(torch.zeros(2).long().fill_(2.7)) == [2, 2]
    assert values(torch.zeros(3, 2).copy_(torch.tensor([1, 2]))) == [[1.0, 2.0]] * 3
    assert values(torch.zeros(5, 2).fill_diagonal_(9, wrap=True)) == [[9, 0], [0, 9], [0, 0], [9, 0], [0, 9]]
    assert values(torch.zeros(2, 3).fill_diagonal_(1)) == [[1, 0, 0], [0, 1, 0]]
    assert torch.zeros(2, 2, 2).fill_diagonal_(1).sum().item() == 2


def test_shapes_changed_in_place() -> None:
    x = leaf([[1.0, 2.0]])
    y = (x * 3.0).squeeze_().unsqueeze_(1).t_().transpose_(0, 1)
    assert y.shape == (2, 1)
    (y * torch.tensor([[1.0], [10.0]])).sum().backward()
    assert x.grad.tolist() == [[3.0, 30.0]]
    base = torch.zeros(2, 3)
    row = base[0]
    row.unsqueeze_(0)
    row[0, 1] = 5.0
    assert values(base) == [[0.0, 5.0, 0.0], [0.0, 0.0, 0.0]]


def test_a_scalar_leaf_may_be_seen_and_written_in_many_ways() -> None:
    w = leaf(2.0)
    loss = (w.reshape(1) * 3.0).sum() + w.squeeze() * w
    loss.backward()
    assert w.grad.item() == 7.0 and w.item() == 2.0


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x.half(), NotImplementedFault),
        (lambda x: x.cuda(), RuntimeFault),
        (lambda x: x.to("mps"), RuntimeFault),
        (lambda x: x.to(3), TypeFault),
        (lambda x: x.type("torch.ComplexTensor"), ValueFault),
        (lambda x: x.numpy(), RuntimeFault),
        (lambda x: x.size(2), IndexFault),
        (lambda x: x.sum().size(0), IndexFault),
        (lambda x: x.fill_(1.0), RuntimeFault),
        (lambda x: x.squeeze_(), RuntimeFault),
        (lambda x: (x * 1).fill_(x), RuntimeFault),
        (lambda x: (x[0] * 1).fill_diagonal_(1.0), RuntimeFault),
        (lambda x: (x * 1).squeeze_(5), IndexFault),
        (lambda x: torch.finfo(dtypes.int64), TypeFault),
        (lambda x: torch.iinfo(dtypes.bool_), TypeFault),
        (lambda x: torch.Size([2.0]), TypeFault),
        (lambda x: torch.promote_types(dtypes.int64, 3), TypeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf([[1.0, 2.0], [3.0, 4.0]]))
