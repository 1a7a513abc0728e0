"""`x[...]`, read and written, against numpy on hundreds of random indices; the graph; what is refused."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, torch, values

from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import new_leaf, wrap
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault, ValueFault

C = np.sin(np.arange(24.0)).reshape(2, 3, 4)
ALL = slice(None)


def _part(rng: random.Random, n: int) -> Any:
    """A random index of one dimension of size n."""
    kind = rng.choice(["int", "slice", "slice", "list", "array", "mask"])
    if kind == "int":
        return rng.randrange(-n, n)
    if kind == "slice":
        ends = [None, *range(-n - 1, n + 2)]
        return slice(rng.choice(ends), rng.choice(ends), rng.choice([None, 1, 2, 3]))
    if kind == "mask":
        return np.array([rng.random() < 0.6 for _ in range(n)])
    entries = [rng.randrange(-n, n) for _ in range(rng.choice([1, 2, 2]))]
    return entries if kind == "list" else np.array([entries])


def _index(rng: random.Random, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """A random index whose tensors broadcast (a mask stands alone, as its length is not known)."""
    parts = [_part(rng, n) for n in shape[: rng.randrange(1, len(shape) + 1)]]
    if sum(isinstance(p, (list, np.ndarray)) for p in parts) > 1:
        lengths = {1}
        for i, p in enumerate(parts):
            if isinstance(p, np.ndarray) and p.dtype == bool:
                parts[i] = ALL
            elif isinstance(p, (list, np.ndarray)):
                lengths.add(np.size(p))
        if len(lengths) > 2:
            parts = [p if not isinstance(p, (list, np.ndarray)) else [0] for p in parts]
    if rng.random() < 0.3:
        parts.insert(rng.randrange(len(parts) + 1), None)
    if rng.random() < 0.2:
        parts.append(Ellipsis)
    return tuple(parts)


def _ours(index: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(wrap(p) if isinstance(p, np.ndarray) else p for p in index)


def _theirs(x: Any, index: tuple[Any, ...]) -> Any:
    """numpy's answer in PyTorch's order: an int picks its entry before the tensors are looked at."""
    at, rest = 0, []
    for part in index:
        if isinstance(part, int):
            x = x.take(part, at)
            continue
        rest.append(part)
        at += 0 if part is Ellipsis else 1
        if part is None:
            x = np.expand_dims(x, at - 1)
            rest[-1] = ALL
    return x[tuple(rest)]


@pytest.mark.parametrize("seed", range(6))
def test_reading_agrees_with_numpy(seed: int) -> None:
    rng = random.Random(seed)
    for base in (C, C.transpose(2, 0, 1), C[:, 1], C[0, 0]):
        for _ in range(25):
            index = _index(rng, base.shape)
            x = new_leaf(base)
            y = x[_ours(index)]
            want = _theirs(base, index)
            assert y.shape == want.shape and np.array_equal(np.asarray(y.value), want), index
            counts = np.zeros(base.shape)
            places = _theirs(np.arange(base.size).reshape(base.shape), index)
            np.add.at(counts.reshape(-1), places.reshape(-1), 1.0)
            if y.numel():
                y.sum().backward()
                assert np.array_equal(x.grad.value, counts), index


@pytest.mark.parametrize("seed", range(6))
def test_writing_agrees_with_numpy(seed: int) -> None:
    rng = random.Random(100 + seed)
    for base in (C, C[:, 1], C[0, 0]):
        for _ in range(15):
            index = _index(rng, base.shape)
            want, places = base.copy(), _theirs(np.arange(base.size).reshape(base.shape), index)
            want.reshape(-1)[places.reshape(-1)] = 7.0
            x = wrap(base.copy())
            x[_ours(index)] = 7.0
            assert np.array_equal(x.value, want), index
            leaf_, source = new_leaf(base.copy()), leaf(2.0)
            y = leaf_ * 1.0
            y[_ours(index)] = source
            y.sum().backward()
            written = np.zeros(base.size, bool)
            written[places.reshape(-1)] = True
            assert np.array_equal(leaf_.grad.value, (~written.reshape(base.shape)).astype(float)), index
            assert source.grad is None or source.grad.item() == places.size, index


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x[1],
        lambda x: x[..., 1:3],
        lambda x: x[:, [0, 2, 0]],
        lambda x: x[[1, 0, 1], :, [3, 3, 0]],
        lambda x: x[torch.tensor((C > 0.3).tolist())],
        lambda x: x[torch.tensor([[0, 1], [1, 1]])],
        lambda x: x[None, 0, ..., None],
        lambda x: x.index_put((torch.tensor([0, 0]), torch.tensor([1, 1])), x[0, 0], accumulate=True),
    ],
)
def test_derivatives(f: Any) -> None:
    check(lambda x: f(x) * f(x * x), C)


def test_derivatives_of_what_is_written() -> None:
    def table(x: Any) -> Any:
        y = x * 2.0
        y[0] = x[1] * x[1]
        y[:, 1, [0, 0]] = x[:, 0, :2] * 3.0
        y[..., -1] *= x[..., 0]
        y[y > 1.0] = x.sum()
        return y * y

    check(table, C)


GRAPHS = [
    (lambda x: x[0], "SelectBackward0(x)"),
    (lambda x: x[0, 1], "SelectBackward0(SelectBackward0(x))"),
    (lambda x: x[:], "SliceBackward0(x)"),
    (lambda x: x[:, :], "AliasBackward0(x)"),
    (lambda x: x[...], "AliasBackward0(x)"),
    (lambda x: x[:, 1], "SelectBackward0(x)"),
    (lambda x: x[1:, 1], "SelectBackward0(SliceBackward0(x))"),
    (lambda x: x[None, 0], "SelectBackward0(UnsqueezeBackward0(x))"),
    (lambda x: x[True], "IndexBackward0(UnsqueezeBackward0(x))"),
    (lambda x: x[[0, 1], 0], "IndexBackward0(SelectBackward0(x))"),
    (lambda x: x[torch.tensor(1)], "SelectBackward0(x)"),
    (lambda x: x[[slice(0, 1)]], "SliceBackward0(x)"),
]


@pytest.mark.parametrize("f, graph", GRAPHS)
def test_the_graph_is_pytorchs(f: Any, graph: str) -> None:
    assert chain(f(leaf(C))) == graph


def test_basic_indices_are_views_and_advanced_ones_are_not() -> None:
    x = torch.zeros(2, 3)
    x[1][2] = 5.0
    row, picked = x[1], x[[1]]
    x[1, 0] = 4.0
    assert values(row) == [4.0, 0.0, 5.0] and values(picked) == [[0.0, 0.0, 5.0]]
    corner = x[0, 0]
    corner += 9.0
    assert x[0, 0].item() == 9.0


def test_values_are_broadcast_and_cast_into_place() -> None:
    x, n = torch.zeros(2, 3), torch.zeros(3).long()
    x[:, 1] = torch.tensor([[[1.0, 2.0]]])  # leading ones are dropped
    x[0] = 7
    n[0] = 2.9
    n[torch.tensor([False, True, False])] = torch.tensor(1.7)
    assert values(x) == [[7.0, 7.0, 7.0], [0.0, 2.0, 0.0]] and values(n) == [2, 1, 0]
    f = torch.zeros(2).float()
    f[0] = leaf(1.5)
    assert f.dtype.name == "float32" and f.requires_grad


def test_duplicates_add_up_in_backward() -> None:
    assert gradient(lambda x: x[[0, 0, 2]] * torch.tensor([1.0, 10.0, 100.0]), [1.0, 1.0, 1.0]) == [11.0, 0.0, 100.0]
    x = torch.zeros(3)
    x.index_put_((torch.tensor([1, 1]),), torch.tensor([2.0, 3.0]), accumulate=True)
    assert values(x) == [0.0, 5.0, 0.0]


def test_scalars_and_nothing() -> None:
    s = leaf(2.0)
    assert values(s[None]) == [2.0] and s[()].item() == 2.0 and values(s[True]) == [2.0] and values(s[False]) == []
    assert leaf(C)[[]].shape == (0, 3, 4) and leaf(C)[5:].shape == (0, 3, 4)
    assert leaf(C)[2:, [7]].shape == (0, 1, 4)  # an index that reads nothing is not looked at
    assert torch.zeros(0)[torch.zeros(0) > 0].shape == (0,)


def test_changing_an_index_before_backward_is_noticed() -> None:
    x, i = leaf([1.0, 2.0]), torch.tensor([0, 0])
    y = x[i]
    i += 1
    with pytest.raises(RuntimeFault):
        y.sum().backward()


def test_backward_twice_through_an_index_is_refused_as_it_keeps_it() -> None:
    y = leaf([1.0, 2.0])[[0]].sum()
    y.backward()
    with pytest.raises(RuntimeFault):
        y.backward()


def test_iteration() -> None:
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    rows = list(x)
    (rows[0] * rows[1]).sum().backward()
    assert x.grad.tolist() == [[3.0, 4.0], [1.0, 2.0]]


@pytest.mark.parametrize(
    "index, fault",
    [
        (2, IndexFault),
        ((0, -4), IndexFault),
        ((0, 0, 0, 0), IndexFault),
        ([0, 2], IndexFault),
        (([0, 1], [0, 1, 2]), IndexFault),
        (1.0, IndexFault),
        ({0}, IndexFault),
        ("a", TypeFault),
        (["a"], TypeFault),
        (slice(None, None, -1), ValueFault),
        (slice(None, None, 0), ValueFault),
        (slice(0.5), TypeFault),
        ([True, False, True], IndexFault),
        (wrap(np.array([0.0])), IndexFault),
        (wrap(np.zeros((2, 2), bool)), IndexFault),
    ],
)
def test_refused(index: Any, fault: type) -> None:
    with pytest.raises(fault):
        leaf(C)[index]
    with pytest.raises(fault):
        torch.tensor(C.tolist())[index] = 1.0


def test_the_error_names_entry_dimension_and_size() -> None:
    with pytest.raises(IndexFault, match="index 5 is out of range for dimension 1 of size 3"):
        leaf(C)[0:1, 5]
    with pytest.raises(IndexFault, match="index -9 is out of range for dimension 2 of size 4"):
        leaf(C)[:, :, [0, -9]]


@pytest.mark.parametrize(
    "index, value, fault",
    [
        (0, [1.0], TypeFault),
        (0, None, TypeFault),
        (0, "a", TypeFault),
        (0, np.ones(2), TypeFault),
        (0, wrap(np.ones(5)), RuntimeFault),
        ([0], wrap(np.ones(5)), RuntimeFault),
        ([0], wrap(np.array([1])), RuntimeFault),
        ([0], wrap(np.ones((2, 1, 3, 4))), RuntimeFault),
    ],
)
def test_refused_values(index: Any, value: Any, fault: type) -> None:
    with pytest.raises(fault):
        torch.tensor(C.tolist())[index] = value


def test_leaves_that_require_a_gradient_are_not_written() -> None:
    x = leaf([1.0, 2.0])
    for index in (0, [0], x > 0, ...):
        with pytest.raises(RuntimeFault):
            x[index] = 0.0
    with tape.grad_mode(False):
        x[0] = 5.0
    assert values(x) == [5.0, 2.0] and x.is_leaf
