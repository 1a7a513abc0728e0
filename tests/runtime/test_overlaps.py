"""Changes in place of memory that an operand shares, or that stands for several entries. PyTorch's answers."""

from __future__ import annotations

import pytest

from autodiff_cli.runtime.program import Program

REFUSED = (
    "v = torch.ones(3, 1); v.mul_(v[0])",
    "v = torch.ones(3); v[1:].add_(v[:-1])",
    "v = torch.ones(3); v[1:] = v[:-1]",
    "v = torch.ones(3); v[1:] += v[:-1]",
    "v = torch.ones(2, 2); v.t().add_(v)",
    "v = torch.ones(2); v.index_add_(0, torch.tensor([0, 0]), v)",
    "w = torch.ones(3, requires_grad=True); v = w * 1; u = v[0]; v.add_(u, alpha=2)",
    "e = torch.ones(1).expand(3); e.mul_(2.0)",
)
ALLOWED = {
    "v = torch.ones(3, 1); v.mul_(v); print(v.sum())": "tensor(3.)",
    "v = torch.ones(2, 2); v[0].add_(v[1]); print(v)": "tensor([[2., 2.],\n        [1., 1.]])",
    "v = torch.ones(2, 2); v[0].add_(v[:, 0]); print(v)": "tensor([[2., 2.],\n        [1., 1.]])",
    "b = torch.ones(1); e = b.expand(3); e.fill_(2.0); print(b)": "tensor([2.])",
    "e = torch.ones(1).expand(3); e.zero_(); print(e)": "tensor([0., 0., 0.])",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    caught = f"try:\n    {text}\nexcept RuntimeError:\n    print('caught')"
    assert "".join(Program.load(caught).run().printed) == "caught\n"


@pytest.mark.parametrize("text", ALLOWED)
def test_allowed(text: str) -> None:
    assert "".join(Program.load(text).run().printed) == ALLOWED[text] + "\n"
