"""Attributes that programs may name."""

from __future__ import annotations

import pytest

from autodiff_cli.engine.results import Named
from autodiff_cli.runtime.attributes import known_attributes
from autodiff_cli.runtime.program import Program


@pytest.mark.parametrize("cls", Named.__subclasses__(), ids=lambda cls: cls._name)
def test_the_parts_of_a_result_can_be_named(cls: type[Named]) -> None:
    assert set(cls._fields) <= known_attributes({})


def test_the_parts_of_a_decomposition() -> None:
    text = """
A = torch.tensor([[2.0, 0.0], [0.0, 3.0]])
print(torch.linalg.eigh(A).eigenvalues, torch.linalg.slogdet(A).logabsdet, torch.linalg.svd(A).S)
print(torch.linalg.qr(A).R.abs())
"""
    got = Program.load(text).run()
    assert "".join(got.printed) == (
        "tensor([2., 3.]) tensor(1.7918) tensor([3., 2.])\ntensor([[2., 0.],\n        [0., 3.]])\n"
    )
