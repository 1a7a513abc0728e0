"""The random generator: the same numbers everywhere, the right distributions, PyTorch's errors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff_cli.engine.random import DEFAULT_SEED, Generator
from autodiff_cli.errors import Fault, NotImplementedFault, RuntimeFault, ValueFault

N = 100_000
Draw = Callable[[Generator], Any]
DRAWS: list[tuple[str, Draw]] = [
    ("rand", lambda g: g.rand((3, 2))),
    ("randn", lambda g: g.randn((5,))),
    ("randint", lambda g: g.randint(-5, 100, (4,))),
    ("randperm", lambda g: g.randperm(20)),
    ("normal", lambda g: g.normal(np.zeros((2, 1)), np.ones(3))),
    ("bernoulli", lambda g: g.bernoulli(np.full(20, 0.5))),
    ("dropout_mask", lambda g: g.dropout_mask((20,), 0.25)),
]


@pytest.mark.parametrize("draw", [d for _, d in DRAWS], ids=[n for n, _ in DRAWS])
def test_a_seed_gives_the_same_numbers(draw: Draw) -> None:
    first, again, other = draw(Generator(7)), draw(Generator(7)), draw(Generator(8))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("draw", [d for _, d in DRAWS], ids=[n for n, _ in DRAWS])
def test_seeding_again_begins_again(draw: Draw) -> None:
    generator = Generator(7)
    first, second = draw(generator), draw(generator)
    assert not np.array_equal(first, second)
    assert generator.manual_seed(7) is generator
    np.testing.assert_array_equal(draw(generator), first)


# what PyTorch 2.13 gives one after the other from seed 0
RECORDED: list[tuple[Draw, list[Any]]] = [
    (lambda g: g.rand((2,)), [0.9700530018065531, 0.707819864399788]),
    (lambda g: g.randint(0, 1000, (4,)), [963, 379, 427, 503]),
    (lambda g: g.randperm(6), [1, 4, 3, 5, 0, 2]),
    (lambda g: g.randn((3,)), [-0.3353951191618524, 0.4563527811756777, -0.625465829322795]),
    (lambda g: g.randn(()), 0.4538792286628924),
    (
        lambda g: g.randn((17,))[[0, 8, 15, 16]],
        [-0.815676051905963, -0.8827263771024026, 0.1419929337793272, 1.701672688677523],
    ),
    (lambda g: g.rand((2,), "float32"), [0.2711215615272522, 0.6922780871391296]),
    (lambda g: g.randint(-5, 2**40, (2,)), [440912242567, 48133889538]),
    (lambda g: g.bernoulli(0.5, (6,)), [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda g: g.bernoulli(np.full(6, 0.5, np.float32)), [1.0, 1.0, 1.0, 1.0, 0.0, 1.0]),
    (lambda g: g.exponential(2.0, (2,)), [0.23381176966936645, 0.4964245787037991]),
    (lambda g: g.normal(np.zeros(2), 3.0), [-1.3226434681712211, -1.354069374549954]),
    (lambda g: g.dropout_mask((4,), 0.2), [0.0, 1.25, 0.0, 1.25]),
]


def test_the_numbers_are_those_of_pytorch() -> None:
    """Programs that set a seed print what follows from these."""
    g = Generator(0)
    for draw, expected in RECORDED:
        np.testing.assert_allclose(draw(g), expected, rtol=1e-14)


def test_a_seed_forgets_the_second_of_a_pair_of_normals() -> None:
    g = Generator(4)
    first = g.randn((1,))
    np.testing.assert_array_equal(g.manual_seed(4).randn((1,)), first)


def test_going_back_to_a_state() -> None:
    g = Generator(3)
    assert g.state() is None
    g.randn((3,))
    state = g.state()
    drawn = g.randn((4,)), g.rand((2,))
    assert g.state() != state
    g.restore(state)
    assert g.state() == state
    np.testing.assert_array_equal(np.concatenate([g.randn((4,)), g.rand((2,))]), np.concatenate(drawn))


def test_another_process_draws_the_same() -> None:
    program = (
        "from autodiff_cli.engine.random import Generator; g = Generator()\n"
        "print([d.tolist() for d in (g.randn((3,)), g.rand((2,)), g.randperm(5), g.randint(0, 9, (3,)))])"
    )
    g = Generator()
    here = str([d.tolist() for d in (g.randn((3,)), g.rand((2,)), g.randperm(5), g.randint(0, 9, (3,)))])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == here


def test_numpy_is_not_imported_before_a_draw() -> None:
    program = (
        "import sys; from autodiff_cli.engine.random import Generator\n"
        "g = Generator().manual_seed(3); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_global_state_of_numpy_is_untouched() -> None:
    np.random.seed(0)
    expected = np.random.random_sample()
    np.random.seed(0)
    Generator(1).rand((10,))
    assert np.random.random_sample() == expected


def test_seeds() -> None:
    assert Generator().initial_seed() == DEFAULT_SEED
    assert Generator(-1).initial_seed() == 2**64 - 1
    assert Generator(-(2**63)).initial_seed() == 2**63
    np.testing.assert_array_equal(Generator(-1).rand((3,)), Generator(2**64 - 1).rand((3,)))
    for seed in (2**64, -(2**63) - 1):
        with pytest.raises(ValueFault, match="does not fit in 64 bits"):
            Generator(seed)


@pytest.mark.parametrize(
    ("draw", "mean", "std"),
    [
        (lambda g: g.rand((N,)), 0.5, 12**-0.5),
        (lambda g: g.rand((N,), "float32"), 0.5, 12**-0.5),
        (lambda g: g.randn((N,)), 0.0, 1.0),
        (lambda g: g.randint(-3, 7, (N,)), 1.5, 8.25**0.5),
        (lambda g: g.normal(3.0, 2.0, (N,)), 3.0, 2.0),
        (lambda g: g.normal(np.full(N, -1.0), 0.5), -1.0, 0.5),
        (lambda g: g.bernoulli(0.3, (N,)), 0.3, 0.21**0.5),
        (lambda g: g.bernoulli(np.full(N, 0.9)), 0.9, 0.3),
        (lambda g: g.dropout_mask((N,), 0.2), 1.0, 0.5),
    ],
)
def test_distributions(draw: Draw, mean: float, std: float) -> None:
    drawn = draw(Generator(1)).astype(float)
    assert abs(drawn.mean() - mean) < 5 * std / N**0.5
    assert abs(drawn.std() - std) < 0.02 * std


def test_ranges() -> None:
    g = Generator(2)
    assert set(g.randint(-2, 3, (1000,)).tolist()) == {-2, -1, 0, 1, 2}
    assert sorted(g.randperm(100).tolist()) == list(range(100))
    assert set(g.bernoulli(0.5, (100,)).tolist()) == {0.0, 1.0}
    assert set(g.dropout_mask((100,), 0.5).tolist()) == {0.0, 2.0}
    assert g.dropout_mask((3,), 1.0).tolist() == [0.0, 0.0, 0.0]
    assert g.dropout_mask((3,), 0.0).tolist() == [1.0, 1.0, 1.0]
    assert g.bernoulli(np.array([0.0, 1.0] * 50)).tolist() == [0.0, 1.0] * 50
    assert g.randint(2**63 - 2, 2**63 - 1, (2,)).tolist() == [2**63 - 2] * 2


class Constant:
    """A stream of one word only."""

    def __init__(self, word: int) -> None:
        self.word = word

    def random_raw(self, n: int) -> Any:
        return np.full(n, self.word, dtype=np.uint64)


def test_the_greatest_word_is_below_one() -> None:
    """The interval is half open, for a float32 too."""
    generator = Generator()
    generator._twister = Constant(2**32 - 1)
    drawn = generator.rand((1,), "float32")
    assert drawn.dtype == np.float32 and drawn[0] == 1 - 2.0**-24
    assert generator.rand((1,))[0] == 1 - 2.0**-53
    assert np.isfinite(generator.randn((20,))).all() and np.isfinite(generator.exponential(1.0, (1,))).all()


def test_probability_zero_and_one_at_the_ends_of_the_stream() -> None:
    generator = Generator()
    generator._twister = Constant(0)
    assert generator.bernoulli(0.0, (1,)).tolist() == [0.0]
    generator._twister = Constant(2**32 - 1)
    assert generator.bernoulli(1.0, (1,)).tolist() == [1.0]


@pytest.mark.parametrize(
    ("draw", "shape", "dtype"),
    [
        (lambda g: g.rand(()), (), "float64"),
        (lambda g: g.randn((2, 0), "float32"), (2, 0), "float32"),
        (lambda g: g.randint(0, 2, (2,), "bool"), (2,), "bool"),
        (lambda g: g.randint(0, 5, (), "float32"), (), "float32"),
        (lambda g: g.randint(-128, 128, (2,), "int8"), (2,), "int8"),
        (lambda g: g.randperm(0), (0,), "int64"),
        (lambda g: g.randperm(3, "float32"), (3,), "float32"),
        (lambda g: g.normal(np.zeros((2, 1)), np.ones(3)), (2, 3), "float64"),
        (lambda g: g.normal(0.0, 1.0, (), "float32"), (), "float32"),
        (lambda g: g.bernoulli(0.5), (), "float64"),
        (lambda g: g.dropout_mask((2,), 0.3, "float32"), (2,), "float32"),
    ],
)
def test_shapes_and_dtypes(draw: Draw, shape: tuple[int, ...], dtype: str) -> None:
    drawn = draw(Generator())
    assert isinstance(drawn, np.ndarray) and drawn.shape == shape and drawn.dtype == dtype


@pytest.mark.parametrize(
    ("draw", "fault", "message"),
    [
        (lambda g: g.rand((-1,)), RuntimeFault, "negative length"),
        (lambda g: g.randperm(-1), RuntimeFault, "negative length"),
        (lambda g: g.rand((2,), "int64"), NotImplementedFault, "int64"),
        (lambda g: g.randn((2,), "bool"), NotImplementedFault, "bool"),
        (lambda g: g.randint(3, 3, (2,)), RuntimeFault, "low is 3 and high is 3"),
        (lambda g: g.randint(0, 257, (2,), "uint8"), RuntimeFault, "do not fit in uint8"),
        (lambda g: g.randint(-200, 100, (2,), "int8"), RuntimeFault, "do not fit in int8"),
        (lambda g: g.randperm(300, "uint8"), RuntimeFault, "do not fit in uint8"),
        (lambda g: g.normal(0.0, -1.0, (2,)), RuntimeFault, "but is -1.0"),
        (lambda g: g.normal(0.0, float("nan"), (2,)), RuntimeFault, "but is nan"),
        (lambda g: g.normal(np.zeros(2), np.array([1.0, -1.0])), RuntimeFault, "at least 0 everywhere"),
        (lambda g: g.bernoulli(1.5, (2,)), RuntimeFault, "but is 1.5"),
        (lambda g: g.bernoulli(np.array([0.5, float("nan")])), RuntimeFault, "between 0 and 1"),
        (lambda g: g.dropout_mask((2,), 1.5), ValueFault, "but is 1.5"),
        (lambda g: g.dropout_mask((2,), float("nan")), ValueFault, "but is nan"),
    ],
)
def test_faults(draw: Draw, fault: type[Fault], message: str) -> None:
    with pytest.raises(fault, match=message):
        draw(Generator())


def test_a_generator_prints_as_pytorchs():
    assert repr(Generator(3)) == "<torch._C.Generator object>"
