"""Which of equal entries comes first where PyTorch promises no order: the order that its CPU kernels give.

`sort` past 16 entries, `topk` and `kthvalue` are not stable in PyTorch. They run the introspective sort and selection
of the C++ library (quicksort with the median of three as pivot, heaps for a few out of many, insertion for the rest;
Musser, "Introspective sorting and selection algorithms", 1997), and a quickselect (Numerical Recipes, section 8.5).
These are followed step by step, so that the indices of ties, and the entries that their gradients go to, agree.

Everything here works on `keys`, numbers that are equal where entries are and less where they come first, and gives the
places of entries. Rows longer than LIMIT are left to a stable sort.
"""

from __future__ import annotations

from collections.abc import Sequence

LIMIT = 4096  # entries of a row: past that, Python would take too long
_SMALL = 16  # stretches up to this length are left to insertion


def sorted_places(keys: Sequence[float]) -> list[int]:
    """The places of all entries, in order."""
    row = _Row(keys)
    row.sort(0, len(keys))
    return row.places


def top_places(keys: Sequence[float], k: int, in_order: bool = True) -> list[int]:
    """The places of the first `k` entries in order; with `in_order=False`, in the order that selection leaves."""
    row = _Row(keys)
    n = len(keys)
    if k * 64 <= n:
        row.heap_first(0, k, n)
    elif k:
        row.select(0, k - 1, n)
        if in_order:
            row.sort(0, k - 1)
    return row.places[:k]


def kth_place(keys: Sequence[float], k: int) -> int:
    """The place of the k-th entry in order (from 0), by quickselect."""
    row = _Row(keys)
    low, high = 0, len(keys) - 1
    while high > low:
        if high == low + 1:
            row.put_in_order(low, high)
            break
        row.swap(low + (high - low) // 2, low + 1)
        row.put_in_order(low + 1, high)
        row.put_in_order(low, high)
        row.put_in_order(low + 1, low)
        pivot, i, j = row.key(low), low + 1, high
        while True:
            i += 1
            while row.key(i) < pivot:
                i += 1
            j -= 1
            while pivot < row.key(j):
                j -= 1
            if j < i:
                break
            row.swap(i, j)
        row.swap(low, j)
        if j <= k:
            low = i
        if j >= k:
            high = j - 1
    return row.places[k]


class _Row:
    """The places of entries while they are put in order by their keys. Ranges are from `first` to before `last`."""

    __slots__ = ("keys", "places")

    def __init__(self, keys: Sequence[float]) -> None:
        self.keys = keys
        self.places = list(range(len(keys)))

    def key(self, i: int) -> float:
        return self.keys[self.places[i]]

    def swap(self, i: int, j: int) -> None:
        places = self.places
        places[i], places[j] = places[j], places[i]

    def put_in_order(self, i: int, j: int) -> None:
        if self.key(j) < self.key(i):
            self.swap(i, j)

    # --- quicksort and selection ------------------------------------------------------------------------------

    def sort(self, first: int, last: int) -> None:
        if last - first < 2:
            return
        self._quicksort(first, last, 2 * ((last - first).bit_length() - 1))
        self._insert(first, min(first + _SMALL, last))
        for i in range(first + _SMALL, last):
            self._sink(i)

    def _quicksort(self, first: int, last: int, depth: int) -> None:
        while last - first > _SMALL:
            if depth == 0:
                self.heap_first(first, last, last)
                return
            depth -= 1
            cut = self._partition(first, last)
            self._quicksort(cut, last, depth)
            last = cut

    def select(self, first: int, nth: int, last: int) -> None:
        """Put the entry that belongs at `nth` there, with none before it that comes after it."""
        depth = 2 * ((last - first).bit_length() - 1)
        while last - first > 3:
            if depth == 0:
                self._heap_select(first, nth + 1, last)
                self.swap(first, nth)
                return
            depth -= 1
            cut = self._partition(first, last)
            if cut <= nth:
                first = cut
            else:
                last = cut
        self._insert(first, last)

    def _partition(self, first: int, last: int) -> int:
        """Split around the median of the second, the middle and the last entry; gives where the right part begins."""
        self.swap(first, self._median(first + 1, first + (last - first) // 2, last - 1))
        pivot, i, j = self.key(first), first + 1, last
        while True:
            while self.key(i) < pivot:
                i += 1
            j -= 1
            while pivot < self.key(j):
                j -= 1
            if i >= j:
                return i
            self.swap(i, j)
            i += 1

    def _median(self, a: int, b: int, c: int) -> int:
        x, y, z = self.key(a), self.key(b), self.key(c)
        if x < y:
            return b if y < z else c if x < z else a
        return a if x < z else c if y < z else b

    # --- insertion ----------------------------------------------------------------------------------------------

    def _insert(self, first: int, last: int) -> None:
        places = self.places
        for i in range(first + 1, last):
            if self.key(i) < self.key(first):
                places.insert(first, places.pop(i))
            else:
                self._sink(i)

    def _sink(self, i: int) -> None:
        """Move an entry down to where it belongs; an entry that is not greater stands before it."""
        places, keys = self.places, self.keys
        place = places[i]
        key = keys[place]
        while key < keys[places[i - 1]]:
            places[i] = places[i - 1]
            i -= 1
        places[i] = place

    # --- heaps ----------------------------------------------------------------------------------------------------

    def heap_first(self, first: int, middle: int, last: int) -> None:
        """The first `middle - first` entries in order, by a heap of that size."""
        self._heap_select(first, middle, last)
        for end in range(middle - 1, first, -1):
            self._pop(first, end, end)

    def _heap_select(self, first: int, middle: int, last: int) -> None:
        size = middle - first
        for parent in range((size - 2) // 2, -1, -1):
            self._settle(first, parent, size, self.places[first + parent])
        for i in range(middle, last):
            if self.key(i) < self.key(first):
                self._pop(first, middle, i)

    def _pop(self, first: int, last: int, result: int) -> None:
        """Move the largest of a heap out to `result`, and what stood there in."""
        places = self.places
        place, places[result] = places[result], places[first]
        self._settle(first, 0, last - first, place)

    def _settle(self, first: int, hole: int, size: int, place: int) -> None:
        """Let the hole sink to the leaves along the larger children, then the entry rise from there."""
        places, keys = self.places, self.keys
        top, child = hole, hole
        while child < (size - 1) // 2:
            child = 2 * (child + 1)
            if self.key(first + child) < self.key(first + child - 1):
                child -= 1
            places[first + hole] = places[first + child]
            hole = child
        if size % 2 == 0 and child == (size - 2) // 2:
            child = 2 * child + 1
            places[first + hole] = places[first + child]
            hole = child
        while hole > top and keys[places[first + (hole - 1) // 2]] < keys[place]:
            places[first + hole] = places[first + (hole - 1) // 2]
            hole = (hole - 1) // 2
        places[first + hole] = place
