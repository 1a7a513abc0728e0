"""Random numbers: those that PyTorch's CPU generator gives for the same seed and the same calls.

The stream is the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded with the lower 32 bits of the
seed as in its authors' `init_genrand`; numpy's has the same words. What is made of the words is the contract
of this page, and what programs that set a seed and print depend on:

* a float64 on [0, 1) takes two words, the first the higher, of which it keeps the lower 53 bits; a float32 takes
  one and keeps 24;
* normals come in pairs by Box and Muller's transform of two uniforms: from 16 on in blocks of 16 (the last 16
  drawn anew where the length is no multiple of 16), below that one pair after another, the second of a pair kept
  for the next call;
* a whole number is a word, or two where the range has 2^28 numbers or more, modulo the range;
* a permutation swaps each place with a later one.

The seed is fixed unless a program sets one.

Invariant: a generator's numbers depend on its seed and on the calls made since, on nothing else. Every
function returns a new ndarray; shapes have been checked against the run's limits by the caller.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.device import Device
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

    __slots__ = ("_seed", "_spare", "_twister")

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.manual_seed(seed)

    def __repr__(self) -> str:
        return "<torch._C.Generator object>"

    def manual_seed(self, seed: int) -> Generator:
        """Begin the stream of `seed` (any int that fits in 64 bits; a negative one counts from 2^64 down).

        Raises ValueFault for an int that doesn't fit.
        """
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueFault(f"manual_seed: {seed} does not fit in 64 bits")
        self._seed = seed % 2**64
        self._twister: Any = None
        self._spare: float | None = None  # the second normal of a pair, not given out yet
        return self

    def initial_seed(self) -> int:
        """The seed of the stream, between 0 and 2^64 - 1."""
        return self._seed

    @property
    def device(self) -> Device:
        """Where the numbers are made."""
        return Device("cpu")

    def state(self) -> Any:
        """Where the stream stands, to compare or to go back to; None before the first number."""
        if self._twister is None:
            return None
        words = self._twister.state["state"]
        return words["key"].tobytes(), words["pos"], self._spare

    def restore(self, state: Any) -> None:
        """Go back to where the stream stood when `state()` gave this."""
        if state is None:
            self._twister = self._spare = None
            return
        self._words(0)
        key, place, self._spare = state
        words = {"key": np.frombuffer(key, self._twister.state["state"]["key"].dtype), "pos": place}
        self._twister.state = {"bit_generator": "MT19937", "state": words}

    def rand(self, shape: tuple[int, ...], dtype: str = "float64") -> Any:
        """Uniform on [0, 1)."""
        _check(shape, dtype, "rand")
        return self._uniform(math.prod(shape), dtype).reshape(shape)

    def randn(self, shape: tuple[int, ...], dtype: str = "float64") -> Any:
        """Standard normal."""
        _check(shape, dtype, "randn")
        n = math.prod(shape)
        drawn = self._pairs(n).astype(dtype, copy=False) if n < _BLOCK else self._blocks(n, dtype)
        return drawn.reshape(shape)

    def exponential(self, rate: float, shape: tuple[int, ...], dtype: str = "float64") -> Any:
        """Exponential with `rate` > 0."""
        _check(shape, dtype, "exponential")
        return (np.log1p(-self._uniform(math.prod(shape))) / -rate).astype(dtype, copy=False).reshape(shape)

    def randint(
        self, low: int, high: int, shape: tuple[int, ...], dtype: str = "int64", wide: bool | None = None
    ) -> Any:
        """Whole numbers, each of low ... high - 1 as likely. RuntimeFault for an empty or unfitting range.

        `wide`: whether each is made of two words; None: where the range needs it.
        """
        _check_lengths(shape)
        if low >= high:
            raise RuntimeFault(f"randint: low must be less than high, but low is {low} and high is {high}")
        least, most = _WHOLE.get(dtype, _WHOLE["int64"])
        if low < least or high - 1 > most:
            raise RuntimeFault(f"randint: the numbers {low} to {high - 1} do not fit in {dtype}")
        span, n = high - low, math.prod(shape)
        wide = span >= 2**28 if wide is None else wide
        drawn = self._double_words(n) if wide else self._words(n)
        if span < 2**64:
            drawn = drawn % np.uint64(span)
        return (drawn.view(np.int64) + np.int64(low)).astype(dtype, copy=False).reshape(shape)

    def randperm(self, n: int, dtype: str = "int64") -> Any:
        """The numbers 0 ... n - 1 in random order, shape (n,)."""
        _check_lengths((n,))
        if n - 1 > _WHOLE.get(dtype, _WHOLE["int64"])[1]:
            raise RuntimeFault(f"randperm: the numbers 0 to {n - 1} do not fit in {dtype}")
        order = list(range(n))
        for i, word in enumerate(self._words(max(n - 1, 0)).tolist()):
            j = i + word % (n - i)
            order[i], order[j] = order[j], order[i]
        return np.array(order, dtype=dtype)

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
        return np.asarray(self.randn(shape, dtype) * std + mean).astype(dtype, copy=False)

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
        # an array of float32 is met with uniform numbers of its own dtype
        like = "float32" if probability.ndim and probability.dtype == "float32" else "float64"
        return np.asarray(self._uniform(math.prod(shape), like).reshape(shape) < probability).astype(dtype)

    def dropout_mask(self, shape: tuple[int, ...], p: float, dtype: str = "float64") -> Any:
        """What `dropout` multiplies with: 0 with probability `p`, else 1 / (1 - p); for p = 1 all 0.

        ValueFault for a probability outside [0, 1].
        """
        if not 0 <= p <= 1:
            raise ValueFault(f"dropout: the probability must be between 0 and 1, but is {p}")
        if p == 1:  # nothing is drawn for it
            return np.zeros(shape, dtype)
        return np.asarray(self.bernoulli(1 - p, shape, dtype) / np.asarray(1 - p, dtype=dtype))

    def _words(self, n: int) -> Any:
        """The next `n` words of 32 bits, as uint64."""
        if self._twister is None:
            self._twister = np.random.RandomState(self._seed % 2**32)._bit_generator
        return self._twister.random_raw(n)

    def _double_words(self, n: int) -> Any:
        words = self._words(2 * n)
        return (words[0::2] << np.uint64(32)) | words[1::2]

    def _uniform(self, n: int, dtype: str = "float64") -> Any:
        if dtype == "float32":
            return ((self._words(n) & np.uint64(2**24 - 1)) * 2.0**-24).astype(np.float32)
        return ((self._double_words(n) & np.uint64(2**53 - 1)) * 2.0**-53).astype(dtype, copy=False)

    def _pairs(self, n: int) -> Any:
        drawn: list[float] = []
        if n and self._spare is not None:
            drawn.append(self._spare)
            self._spare = None
        missing = n - len(drawn)
        uniform = self._uniform(missing + missing % 2).tolist()
        for turn, length in zip(uniform[0::2], uniform[1::2], strict=True):
            radius, angle = math.sqrt(-2.0 * math.log1p(-length)), 2.0 * math.pi * turn
            drawn += radius * math.cos(angle), radius * math.sin(angle)
        if missing % 2:
            self._spare = drawn.pop()
        return np.array(drawn)

    def _blocks(self, n: int, dtype: str) -> Any:
        drawn, whole = self._uniform(n, dtype), n - n % _BLOCK
        drawn[:whole] = _box_muller(drawn[:whole])
        if whole < n:
            drawn[-_BLOCK:] = _box_muller(self._uniform(_BLOCK, dtype))
        return drawn


_BLOCK = 16  # so many normals are made at a time: the first half of a block are cosines, the second sines


def _box_muller(uniform: Any) -> Any:
    """Normals from uniform numbers on [0, 1), shape (n,), n a multiple of 16; in the dtype given."""
    halves = uniform.reshape(-1, 2, _BLOCK // 2)
    radius, angle = np.sqrt(-2 * np.log(1 - halves[:, 0])), 2 * math.pi * halves[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()


def _check(shape: tuple[int, ...], dtype: str, what: str) -> None:
    if "float" not in dtype:
        raise NotImplementedFault(f"{what}: a tensor of {dtype} cannot hold such numbers", hint="use a float dtype")
    _check_lengths(shape)


def _check_lengths(shape: tuple[int, ...]) -> None:
    if any(length < 0 for length in shape):
        raise RuntimeFault(f"a dimension cannot have a negative length: {list(shape)}")


default_generator = Generator()  # the one that a program's `manual_seed` seeds; the runtime seeds it anew for each run
