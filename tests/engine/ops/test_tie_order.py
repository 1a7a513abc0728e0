"""The order of equal entries: a right order always, and PyTorch's where that was recorded."""

from __future__ import annotations

import random

import pytest

from autodiff_cli.engine.ops.tie_order import kth_place, sorted_places, top_places

# recorded with PyTorch 2.13 on a CPU: torch.ones(n), largest first
RECORDED = {
    3: ([0, 1, 2], [0, 1], 0),
    8: ([0, 1, 2, 3, 4, 5, 6, 7], [6, 5], 5),
    20: ([10, 19, 18, 17, 16, 15, 14, 13], [12, 14], 15),
    50: ([38, 26, 27, 28, 29, 30, 31, 32], [33, 34], 35),
}


@pytest.mark.parametrize("n", RECORDED)
def test_all_equal_as_recorded(n: int) -> None:
    order, top, second = RECORDED[n]
    keys = [0] * n
    assert sorted_places(keys)[:8] == order and top_places(keys, 2) == top and kth_place(keys, 1) == second


def _worst(n: int) -> list[int]:
    """A row on which the median of three is a bad pivot every time (Musser), so that the heaps take over."""
    half = n // 2
    odd = [k for i in range(1, half + 1, 2) for k in (i, half + i)]
    return odd + list(range(2, n + 1, 2))


@pytest.mark.parametrize("seed", range(40))
def test_every_order_is_right(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.choice([1, 2, 3, 4, 5, 16, 17, 18, 40, 130, 300])
    keys = [rng.randint(0, rng.choice([0, 1, 3, 50])) for _ in range(n)] if seed % 4 else _worst(2 * n)
    n, k = len(keys), rng.randint(0, len(keys))
    ordered = sorted(keys)
    assert [keys[i] for i in sorted_places(keys)] == ordered
    assert sorted(sorted_places(keys)) == list(range(n))
    assert [keys[i] for i in top_places(keys, k)] == ordered[:k]
    assert sorted(keys[i] for i in top_places(keys, k, in_order=False)) == ordered[:k]
    for few in (1, 2, n // 64):
        assert [keys[i] for i in top_places(keys, min(few, n))] == ordered[: min(few, n)]
    at = rng.randrange(n)
    assert keys[kth_place(keys, at)] == ordered[at]


def test_no_row_takes_quadratic_time() -> None:
    class Counted(int):
        compared = 0

        def __lt__(self, other: object) -> bool:
            Counted.compared += 1
            return int(self) < int(other)  # type: ignore[call-overload]

    keys = [Counted(k) for k in _worst(2000)]
    sorted_places(keys)
    top_places(keys, 900)
    assert Counted.compared < 250_000  # n log n; quadratic would be millions
