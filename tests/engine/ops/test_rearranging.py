"""flip, roll, rot90, triangles, diagonals, windows; margins; one_hot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import F, chain, check, leaf, torch, values

from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault

X = np.array([[1.5, -2.0, 0.5, 4.0], [3.0, 0.25, -1.0, 0.75], [-0.5, 2.0, 6.0, 1.0]])
SAME = [
    (lambda x: x.flip(0), lambda x: np.flip(x, 0)),
    (lambda x: torch.flip(x, (0, 1)), lambda x: np.flip(x)),
    (lambda x: x.fliplr(), np.fliplr),
    (lambda x: x.flipud(), np.flipud),
    (lambda x: x.roll(2), lambda x: np.roll(x, 2)),
    (lambda x: x.roll((1, -2), (0, 1)), lambda x: np.roll(x, (1, -2), (0, 1))),
    (lambda x: x.rot90(), np.rot90),
    (lambda x: torch.rot90(x, -1, (1, 0)), lambda x: np.rot90(x, -1, (1, 0))),
    (lambda x: x.tril(-1), lambda x: np.tril(x, -1)),
    (lambda x: x.triu(1), lambda x: np.triu(x, 1)),
    (lambda x: x.diag(), np.diag),
    (lambda x: x.diagonal(-1), lambda x: np.diagonal(x, -1)),
    (lambda x: x[0].diag(1), lambda x: np.diag(x[0], 1)),
    (lambda x: x.diagflat(), lambda x: np.diagflat(x)),
    (lambda x: F.pad(x, (1, 2)), lambda x: np.pad(x, ((0, 0), (1, 2)))),
    (lambda x: F.pad(x, (0, 1, 2, 0), value=3.0), lambda x: np.pad(x, ((2, 0), (0, 1)), constant_values=3.0)),
    (lambda x: F.pad(x, (-1, 1)), lambda x: np.pad(x[:, 1:], ((0, 0), (0, 1)))),
    (lambda x: F.pad(x, (2, 1), "reflect"), lambda x: np.pad(x, ((0, 0), (2, 1)), "reflect")),
    (lambda x: F.pad(x, (2, 5), "replicate"), lambda x: np.pad(x, ((0, 0), (2, 5)), "edge")),
    (lambda x: F.pad(x, (3, 1), "circular"), lambda x: np.pad(x, ((0, 0), (3, 1)), "wrap")),
    (lambda x: F.pad(x[None], (1, 1, 2, 1), "reflect")[0], lambda x: np.pad(x, ((2, 1), (1, 1)), "reflect")),
    (lambda x: x.unfold(1, 2, 1), lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, 1)),
    (lambda x: x.unfold(0, 2, 1).unfold(1, 3, 1)[0], lambda x: np.stack([x[:2, :3].T, x[:2, 1:].T]).swapaxes(1, 2)),
]


@pytest.mark.parametrize("ours, numpys", SAME)
def test_agrees_with_numpy_and_has_derivatives(ours: Any, numpys: Any) -> None:
    assert values(ours(leaf(X))) == numpys(X).tolist()
    check(lambda x: ours(x) * ours(x * x), X)


def test_a_diagonal_laid_in_a_plane() -> None:
    assert values(leaf([[1.0, 2.0]]).diag_embed(-1, 0, 2)) == [[[0, 0, 0]], [[1, 0, 0]], [[0, 2, 0]]]
    check(lambda x: x.diag_embed(1, 0, -1) * x.diag_embed(1, 0, -1), X)


def test_diagonal_is_a_view_and_diag_a_copy() -> None:
    x = torch.zeros(2, 2)
    x.diagonal().fill_(1.0)
    x.diag().fill_(5.0)
    assert values(x) == [[1.0, 0.0], [0.0, 1.0]]
    assert [chain(t) for t in (leaf(X).diagonal(), leaf(X).diag(), leaf([1.0]).diag())] == [
        "DiagonalBackward0(x)",
        "DiagonalBackward0_copy(x)",
        "DiagEmbedBackward0(x)",
    ]


def test_windows_that_overlap_sum_up() -> None:
    x = leaf([1.0, 2.0, 3.0, 4.0])
    x.unfold(0, 3, 1).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0, 2.0, 1.0]


def test_scalars() -> None:
    s = leaf(2.0)
    assert s.flip(0).item() == s.roll(1).item() == F.pad(s, ()).item() == 2.0


def test_one_hot() -> None:
    assert values(F.one_hot(torch.tensor([2, 0]))) == [[0, 0, 1], [1, 0, 0]]
    assert F.one_hot(torch.tensor([[1]]), 4).shape == (1, 1, 4) and values(F.one_hot(torch.tensor(1))) == [0, 1]


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda x: x.flip(), TypeFault),
        (lambda x: x.flip(0, 0), RuntimeFault),
        (lambda x: x.flip(2), IndexFault),
        (lambda x: x[0].fliplr(), RuntimeFault),
        (lambda x: x.roll((1, 2), 0), RuntimeFault),
        (lambda x: x[0].rot90(), RuntimeFault),
        (lambda x: x.rot90(1, (0, 0)), RuntimeFault),
        (lambda x: x[0].tril(), RuntimeFault),
        (lambda x: x[None].diag(), RuntimeFault),
        (lambda x: x.diagonal(0, 1, 1), RuntimeFault),
        (lambda x: x.unfold(0, 4, 1), RuntimeFault),
        (lambda x: x.unfold(0, 1, 0), RuntimeFault),
        (lambda x: F.pad(x, (1,)), RuntimeFault),
        (lambda x: F.pad(x, (-3, -2)), RuntimeFault),
        (lambda x: F.pad(x, (4, 0), "reflect"), RuntimeFault),
        (lambda x: F.pad(x, (5, 0), "circular"), RuntimeFault),
        (lambda x: F.pad(x, (1, 1), "mirror"), NotImplementedFault),
        (lambda x: F.pad(x[0], (1, 1), "reflect"), NotImplementedFault),
        (lambda x: F.pad(x, (1, 1), "reflect", 2.0), RuntimeFault),
        (lambda x: F.one_hot(x), RuntimeFault),
        (lambda x: F.one_hot(torch.tensor([-1])), RuntimeFault),
        (lambda x: F.one_hot(torch.tensor([3]), 3), RuntimeFault),
        (lambda x: F.one_hot(torch.zeros(0).long()), RuntimeFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call(leaf(X))
