"""Random numbers that are the same in every run: the generator behind `rand`, `randn`, `dropout`.

The stream is numpy's PCG64 under `RandomState`, whose algorithms numpy has frozen; `numpy.random.Generator`
may change its own with any release. The seed is fixed unless a program sets one. PyTorch's own numbers are
not promised, only its distributions, its arguments and its errors.

Invariant: a generator's numbers depend on its seed and on the calls made since, on nothing else. Every
function returns a new ndarray; shapes have been checked against the run's limits by the caller.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, ValueFault

DEFAULT_SEED = 67280421310721  # that of a new torch.Generator

_WHOLE = {
    "bool": (0, 1),
    "uint8": (0, 2**8 - 1),
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
}


class Generator:
    """A stream of random numbers. Numpy is imported when the first is drawn.

    `shape` is a tuple of ints, `()` gives a 0-d array; `dtype` is a name such as "float64". RuntimeFault for
    a negative length, NotImplementedFault for a dtype that the distribution has no meaning for.
    """

    __slots__ = ("_seed", "_state")

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> Generator:
        """Begin the stream of `seed` (any int that fits in 64 bits; a negative one counts from 2^64 down).

        Raises ValueFault for an int that doesn't fit.
        """
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueFault(f"manual_seed: {seed} does not fit in 64 bits")
        self._seed = seed % 2**64
        self._state: Any = None
        return self

    def initial_seed(self) -> int:
        """The seed of the stream, between 0 and 2^64 - 1."""
        return self._seed

    def state(self) -> Any:
        """Where the stream stands, to compare or to go back to; None before the first number."""
        return None if self._state is None else self._state.get_state(legacy=False)

    def restore(self, state: Any) -> None:
        """Go back to where the stream stood when `state()` gave this."""
        if state is None:
            self._state = None
        else:
            self._stream().set_state(state)

    def rand(self, shape: tuple[int, ...], dtype: str = "float64") -> Any:
        """Uniform on [0, 1)."""
        _check(shape, dtype, "rand")
        drawn = np.asarray(self._stream().random_sample(shape))
        if dtype == "float32":  # cut to 24 bits: to round could give 1
            drawn = np.floor(drawn * 2.0**24) * 2.0**-24
        return drawn.astype(dtype, copy=False)

    def randn(self, shape: tuple[int, ...], dtype: str = "float64") -> Any:
        """Standard normal."""
        _check(shape, dtype, "randn")
        return np.asarray(self._stream().standard_normal(shape)).astype(dtype, copy=False)

    def randint(self, low: int, high: int, shape: tuple[int, ...], dtype: str = "int64") -> Any:
        """Whole numbers, each of low ... high - 1 as likely. RuntimeFault for an empty or unfitting range."""
        _check_lengths(shape)
        if low >= high:
            raise RuntimeFault(f"randint: low must be less than high, but low is {low} and high is {high}")
        least, most = _WHOLE.get(dtype, _WHOLE["int64"])
        if low < least or high - 1 > most:
            raise RuntimeFault(f"randint: the numbers {low} to {high - 1} do not fit in {dtype}")
        return np.asarray(self._stream().randint(low, high, size=shape, dtype=np.int64)).astype(dtype, copy=False)

    def randperm(self, n: int, dtype: str = "int64") -> Any:
        """The numbers 0 ... n - 1 in random order, shape (n,)."""
        _check_lengths((n,))
        if n - 1 > _WHOLE.get(dtype, _WHOLE["int64"])[1]:
            raise RuntimeFault(f"randperm: the numbers 0 to {n - 1} do not fit in {dtype}")
        return self._stream().permutation(n).astype(dtype, copy=False)

    def normal(self, mean: Any, std: Any, shape: tuple[int, ...] | None = None, dtype: str = "float64") -> Any:
        """Normal with `mean` and `std`, numbers or arrays that broadcast; `shape` where both are numbers.

        RuntimeFault for a negative or nan `std`.
        """
        if not np.all(np.asarray(std) >= 0):
            found = " everywhere" if np.ndim(std) else f", but is {std}"
            raise RuntimeFault(f"normal: std must be at least 0{found}")
        if shape is None:
            shape = np.broadcast_shapes(np.shape(mean), np.shape(std))
        _check(shape, dtype, "normal")
        return np.asarray(self.randn(shape) * std + mean).astype(dtype, copy=False)

    def bernoulli(self, p: Any, shape: tuple[int, ...] | None = None, dtype: str = "float64") -> Any:
        """1 with probability `p` (a number, or an array of the result's shape), else 0.

        RuntimeFault for a probability outside [0, 1].
        """
        probability = np.asarray(p)
        if not np.all((probability >= 0) & (probability <= 1)):
            bad = "" if probability.ndim else f", but is {p}"
            raise RuntimeFault(f"bernoulli: a probability must be between 0 and 1{bad}")
        shape = probability.shape if shape is None else shape
        _check_lengths(shape)
        return np.asarray(self.rand(shape) < probability).astype(dtype)

    def dropout_mask(self, shape: tuple[int, ...], p: float, dtype: str = "float64") -> Any:
        """What `dropout` multiplies with: 0 with probability `p`, else 1 / (1 - p); for p = 1 all 0.

        ValueFault for a probability outside [0, 1].
        """
        if not 0 <= p <= 1:
            raise ValueFault(f"dropout: the probability must be between 0 and 1, but is {p}")
        kept = self.bernoulli(1 - p, shape, dtype)
        return np.asarray(kept / np.asarray(1 - p, dtype=dtype)) if p < 1 else kept

    def _stream(self) -> Any:
        if self._state is None:
            self._state = np.random.RandomState(np.random.PCG64(self._seed))
        return self._state


def _check(shape: tuple[int, ...], dtype: str, what: str) -> None:
    if "float" not in dtype:
        raise NotImplementedFault(f"{what}: a tensor of {dtype} cannot hold such numbers", hint="use a float dtype")
    _check_lengths(shape)


def _check_lengths(shape: tuple[int, ...]) -> None:
    if any(length < 0 for length in shape):
        raise RuntimeFault(f"a dimension cannot have a negative length: {list(shape)}")


default_generator = Generator()  # the one that a program's `manual_seed` seeds; the runtime seeds it anew for each run
