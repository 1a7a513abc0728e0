"""Tensors from data, constants, ranges, grids and chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import check, leaf, torch, values

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.random import DEFAULT_SEED, default_generator
from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import LimitFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    "data, dtype, shape",
    [
        (1, "int64", ()),
        (1.5, "float64", ()),
        (True, "bool", ()),
        ([], "float64", (0,)),
        ([[], []], "float64", (2, 0)),
        ([1, 2.5], "float64", (2,)),
        ([True, 2], "int64", (2,)),
        ([[True], [False]], "bool", (2, 1)),
        (range(3), "int64", (3,)),
        ([(1, 2), [3, 4]], "int64", (2, 2)),
        ([torch.tensor(1), torch.tensor(2.5)], "float64", (2,)),
        ([torch.tensor([1.0]), 2.0], "float64", (2,)),
        ([torch.tensor(1.0).float()], "float32", (1,)),
    ],
)
def test_dtype_and_shape_come_from_the_data(data: Any, dtype: str, shape: tuple[int, ...]) -> None:
    t = torch.tensor(data)
    assert t.dtype.name == dtype and t.shape == shape


def test_data_is_copied() -> None:
    x = leaf([1.0, 2.0])
    y = torch.tensor(x)
    y[0] = 9.0
    assert values(x) == [1.0, 2.0] and not y.requires_grad and torch.as_tensor(x) is x


def test_dtypes_on_request() -> None:
    assert values(torch.tensor([1.7, 2], dtype=dtypes.int64)) == [1, 2]
    assert values(torch.tensor([0, 2.5], dtype=dtypes.bool_)) == [False, True]
    assert torch.tensor(1, dtype=dtypes.float32).dtype is dtypes.float32
    assert torch.as_tensor(leaf([1.0]), dtype=dtypes.float32).dtype is dtypes.float32
    assert torch.scalar_tensor(3).dtype is dtypes.float64


def test_the_default_dtype_is_followed() -> None:
    tape.default_dtype = dtypes.float32
    try:
        made = [torch.tensor(1.0), torch.tensor([1.0]), torch.zeros(2), torch.full((2,), 0.5), torch.eye(2)]
        made += [torch.arange(0.0, 1.0), torch.linspace(0, 1, 3), torch.rand(2), torch.scalar_tensor(1)]
        assert {t.dtype.name for t in made} == {"float32"}
    finally:
        tape.default_dtype = dtypes.float64


@pytest.mark.parametrize(
    "data, fault",
    [
        ([[1, 2], [3]], ValueFault),
        ([[1, 2], 3], TypeFault),
        ([torch.zeros(2), torch.zeros(2)], ValueFault),
        (2**63, ValueFault),
        ([2**63], ValueFault),
        (None, RuntimeFault),
        ([None], RuntimeFault),
        ({1: 2}, RuntimeFault),
        ("a", TypeFault),
        (1j, NotImplementedFault),
    ],
)
def test_what_is_no_data(data: Any, fault: type) -> None:
    with pytest.raises(fault):
        torch.tensor(data)


def test_constants() -> None:
    assert (
        values(torch.zeros(2, 3)) == values(torch.zeros((2, 3))) == values(torch.zeros(size=[2, 3])) == [[0.0] * 3] * 2
    )
    assert torch.ones(()).item() == 1.0 and torch.zeros(2, dtype=dtypes.bool_).tolist() == [False, False]
    assert torch.full((2,), 3).dtype is dtypes.int64 and torch.full((2,), True).dtype is dtypes.bool_
    assert values(torch.full((2,), 3.7, dtype=dtypes.int64)) == [3, 3]
    assert values(torch.eye(2, 3)) == [[1, 0, 0], [0, 1, 0]]
    n = torch.tensor([[1, 2]])
    assert values(torch.zeros_like(n)) == [[0, 0]] and values(torch.full_like(n, 2.7)) == [[2, 2]]
    assert torch.ones_like(n, dtype=dtypes.float64).dtype is dtypes.float64
    assert n.new_zeros(2).dtype is dtypes.int64 and values(n.new_full((2,), 3)) == [3, 3]
    assert values(n.new_tensor([1.9])) == [1] and n.new_ones(1, dtype=dtypes.float64).item() == 1.0
    assert torch.zeros(2, requires_grad=True).requires_grad and torch.ones_like(leaf(1.0), requires_grad=True).is_leaf


def test_ranges() -> None:
    assert values(torch.arange(3)) == values(torch.arange(end=3)) == [0, 1, 2]
    assert values(torch.arange(5, 0, -2)) == [5, 3, 1] and values(torch.arange(2, 2)) == []
    assert torch.arange(3.0).dtype is dtypes.float64 and values(torch.arange(0, 1, 0.25)) == [0.0, 0.25, 0.5, 0.75]
    assert len(torch.arange(0, 0.9, 0.1)) == 9 and values(torch.range(1, 2, 0.5)) == [1.0, 1.5, 2.0]
    assert values(torch.linspace(0, 1, 5)) == [0.0, 0.25, 0.5, 0.75, 1.0] and values(torch.linspace(3, 9, 1)) == [3.0]
    assert torch.linspace(0, 1, 7)[-1].item() == 1.0  # the end is met exactly
    assert values(torch.linspace(0, 10, 7, dtype=dtypes.int64)) == [0, 1, 3, 5, 6, 8, 10]
    assert values(torch.logspace(0, 2, 3)) == [1.0, 10.0, 100.0] and values(torch.logspace(0, 2, 3, base=2)) == [
        1,
        2,
        4,
    ]
    assert values(torch.tril_indices(2, 3, -1)) == [[1], [0]] and values(torch.triu_indices(2, 2)) == [
        [0, 0, 1],
        [0, 1, 1],
    ]


def test_grids() -> None:
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])
    for indexing in ("ij", "xy"):
        ours = torch.meshgrid(leaf(a), leaf(b), indexing=indexing)
        assert [values(g) for g in ours] == [g.tolist() for g in np.meshgrid(a, b, indexing=indexing)]
    assert values(torch.cartesian_prod(leaf(a), leaf(b)))[:4] == [[1, 3], [1, 4], [1, 5], [2, 3]]
    assert values(torch.combinations(leaf(b))) == [[3, 4], [3, 5], [4, 5]]
    assert len(torch.combinations(leaf(a), 3, True)) == 4
    check(lambda x, y: torch.meshgrid(x, y, indexing="xy")[0] * torch.cartesian_prod(x, y).sum(), a, b)
    check(lambda y: torch.combinations(y * y, 2), b)


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda: torch.zeros(), TypeFault),
        (lambda: torch.zeros(-1), RuntimeFault),
        (lambda: torch.zeros(2.0), TypeFault),
        (lambda: torch.zeros(10**5, 10**5), LimitFault),
        (lambda: torch.zeros(2, dtype=dtypes.int64, requires_grad=True), RuntimeFault),
        (lambda: torch.zeros(2, device="cuda"), RuntimeFault),
        (lambda: torch.full(2, 3.0), TypeFault),
        (lambda: torch.full((2,), leaf(1.0)), TypeFault),
        (lambda: torch.eye(-1), RuntimeFault),
        (lambda: torch.arange(), TypeFault),
        (lambda: torch.arange(1, 5, 0), RuntimeFault),
        (lambda: torch.arange(1, 5, -1), RuntimeFault),
        (lambda: torch.arange(0, INF), RuntimeFault),
        (lambda: torch.arange(10**12), LimitFault),
        (lambda: torch.linspace(0, 1, -1), RuntimeFault),
        (lambda: torch.tensor([NAN], dtype=dtypes.int64), RuntimeFault),
        (lambda: torch.meshgrid(torch.zeros(2, 2)), RuntimeFault),
        (lambda: torch.meshgrid(torch.zeros(2), indexing="yx"), RuntimeFault),
        (lambda: torch.meshgrid(*[torch.zeros(1000)] * 4), LimitFault),
    ],
)
def test_refused(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call()


# --- chance -----------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _fresh_stream() -> Any:
    default_generator.manual_seed(DEFAULT_SEED)
    yield
    default_generator.manual_seed(DEFAULT_SEED)


def test_a_seed_gives_the_same_numbers_again() -> None:
    torch.manual_seed(3)
    first = [values(torch.rand(3)), values(torch.randn(2)), values(torch.randperm(5)), values(torch.randint(9, (4,)))]
    torch.manual_seed(3)
    again = [values(torch.rand(3)), values(torch.randn(2)), values(torch.randperm(5)), values(torch.randint(9, (4,)))]
    assert first == again and torch.initial_seed() == 3


def test_shapes_dtypes_and_ranges_of_random_tensors() -> None:
    assert torch.rand(2, 3).shape == torch.randn((2, 3)).shape == torch.randn_like(torch.zeros(2, 3)).shape == (2, 3)
    assert torch.rand(3, dtype=dtypes.float32).dtype is dtypes.float32 and torch.randn(2, requires_grad=True).is_leaf
    n = torch.randint(2, 5, (200,))
    assert n.dtype is dtypes.int64 and set(values(n)) == {2, 3, 4}
    assert set(values(torch.randint(high=2, size=(50,)))) == {0, 1}
    assert torch.randint_like(torch.zeros(3), 2).dtype is dtypes.float64
    assert sorted(values(torch.randperm(6))) == list(range(6))
    assert abs(torch.normal(5.0, 0.1, (500,)).mean().item() - 5.0) < 0.05
    assert torch.normal(torch.zeros(2, 1), torch.ones(3)).shape == (2, 3)


def test_random_results_have_a_node_and_gradient_zero() -> None:
    p = leaf([0.5, 0.5])
    y = torch.bernoulli(p) + torch.normal(p, 1.0)
    y.sum().backward()
    assert p.grad.tolist() == [0.0, 0.0]


def test_drawing_with_weights() -> None:
    w = torch.tensor([[0.0, 1.0, 3.0], [2.0, 0.0, 0.0]])
    drawn = w.multinomial(400, replacement=True)
    assert set(values(drawn)[0]) == {1, 2} and set(values(drawn)[1]) == {0}
    assert 0.65 < np.mean(np.array(values(drawn)[0]) == 2) < 0.85
    assert sorted(values(torch.ones(4).multinomial(4))) == [0, 1, 2, 3]


def test_filling_at_random() -> None:
    x = torch.zeros(300)
    assert x.uniform_(0, 2).min().item() >= 0 and 1.5 < x.max().item() < 2
    assert x.normal_(3, 0.01).mean().item() == pytest.approx(3, abs=0.01)
    assert x.exponential_().min().item() >= 0 and set(values(x.bernoulli_(0.5))) == {0.0, 1.0}
    assert set(values(x.random_(3))) == {0.0, 1.0, 2.0}
    y = leaf([1.0]) * 2.0
    assert y.uniform_().grad_fn.name() == "UniformBackward0"
    with pytest.raises(RuntimeFault):
        leaf([1.0]).normal_()


@pytest.mark.parametrize(
    "call, fault",
    [
        (lambda: torch.rand(2, dtype=dtypes.int64), NotImplementedFault),
        (lambda: torch.randint(3, 3, (2,)), RuntimeFault),
        (lambda: torch.randint(0, 3, 2), TypeFault),
        (lambda: torch.randperm(-1), RuntimeFault),
        (lambda: torch.normal(0.0, 1.0), TypeFault),
        (lambda: torch.normal(torch.zeros(2), -1.0), RuntimeFault),
        (lambda: torch.bernoulli(torch.tensor([2.0])), RuntimeFault),
        (lambda: torch.ones(2).multinomial(3), RuntimeFault),
        (lambda: torch.zeros(2).multinomial(1), RuntimeFault),
        (lambda: torch.rand(2, generator=3), TypeFault),
        (lambda: torch.zeros(2).uniform_(1, 0), RuntimeFault),
    ],
)
def test_refused_at_random(call: Any, fault: type) -> None:
    with pytest.raises(fault):
        call()
