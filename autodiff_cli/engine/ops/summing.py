"""Sums of float64 arrays in the order in which PyTorch adds.

The last digits of a sum depend on the order, and people see them: `softmax(x, 0).sum()` prints `1.` in one order and
`1.0000` in another, a sum that should be nothing prints `0.` or `1.3878e-17`. So the order is PyTorch's, on a
processor with vectors of four doubles: entries that lie one after the other are added in four lanes, in four
accumulators each, which are added at the end; columns are added row by row.

Longer sums (where PyTorch goes by runs of 16, and shares the work among threads), other dtypes and other layouts are
added in numpy's order.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np

_LANES = 4
_ACCUMULATORS = 4
_ROW = _LANES * _ACCUMULATORS
_LONG = 256  # from here on PyTorch adds run by run
_MANY = 2**12  # of so many entries nobody looks at the last digits of every sum
_FEW = 32  # so many entries are added faster one by one, as Python floats


def total(x: Any) -> Any:
    """The sum of all entries of an array: a number of its dtype (numpy's scalar)."""
    n = x.size
    if n <= _LANES or n >= _LONG or x.dtype != np.float64 or not x.flags.forc:
        return np.add.reduce(x, None)
    if x.ndim > 1:
        x = x.reshape(-1) if x.flags.c_contiguous else x.T.reshape(-1)
    if n <= _FEW:
        return np.float64(_listed(x.tolist()))
    rows = n // _ROW
    sums = np.add.reduce(x[: rows * _ROW].reshape(rows, _ROW), 0)
    return np.float64(_finished(sums.tolist(), x[rows * _ROW :].tolist()))


def along(x: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
    """The sums over the dimensions `dim` (sorted or not, none negative) of an array of at least one dimension."""
    if x.size <= _LANES or x.size > _MANY or x.dtype != np.float64 or not dim:
        return np.add.reduce(x, dim, None, None, keepdim)
    if not x.flags.c_contiguous:
        if x.ndim == 2 and x.flags.f_contiguous:
            return along(x.T, tuple(1 - d for d in dim), keepdim).T
        return np.add.reduce(x, dim, None, None, keepdim)
    if x.ndim == 2 and dim == (1,):
        sums = _row_sums(x)
        return sums[:, None] if keepdim else sums
    first, last = min(dim), max(dim) + 1
    if last - first != len(dim):
        return np.add.reduce(x, dim, None, None, keepdim)
    before, after = x.shape[:first], x.shape[last:]
    blocks = x.reshape(_product(before), _product(x.shape[first:last]), _product(after))
    sums = _row_sums(blocks[:, :, 0]) if blocks.shape[2] == 1 else _column_sums(blocks)
    return sums.reshape((*before, *([1] * len(dim) if keepdim else ()), *after))


def _product(sizes: tuple[int, ...]) -> int:
    result = 1
    for n in sizes:
        result *= n
    return result


def _listed(entries: list[float]) -> float:
    """The sum of few numbers that lie one after the other."""
    n = len(entries)
    if n < 2 * _LANES:
        result = 0.0
        for entry in entries[_LANES:]:
            result += entry
        return result + entries[0] + entries[1] + entries[2] + entries[3]
    if n < _ROW:
        return _finished([0.0] * _ROW, entries)
    sums = entries[:_ROW]
    for start in range(_ROW, n - _ROW + 1, _ROW):
        sums = [a + b for a, b in zip(sums, entries[start : start + _ROW], strict=True)]
    return _finished(sums, entries[n // _ROW * _ROW :])


def _finished(sums: list[float], rest: list[float]) -> float:
    """The sum of 16 accumulators' sums, and of fewer than 16 numbers more."""
    a, b, c, d = sums[:_LANES]
    whole = len(rest) // _LANES * _LANES
    for i in range(0, whole, _LANES):
        a += rest[i]
        b += rest[i + 1]
        c += rest[i + 2]
        d += rest[i + 3]
    result = 0.0
    for entry in rest[whole:]:
        result += entry
    return (
        result
        + (a + sums[4] + sums[8] + sums[12])
        + (b + sums[5] + sums[9] + sums[13])
        + (c + sums[6] + sums[10] + sums[14])
        + (d + sums[7] + sums[11] + sums[15])
    )


def _row_sums(x: Any) -> Any:
    """The sums over the second dimension, whose entries lie one after the other: shape (rows, n) -> (rows,)."""
    rows, n = x.shape
    if n <= _LANES:
        return np.add.reduce(x, 1)
    if x.size <= _FEW:
        return np.array([_listed(row) for row in x.tolist()])
    whole = n // _LANES
    lanes = _accumulated(x[:, : whole * _LANES].reshape(rows, whole, _LANES))
    result = np.zeros(rows)
    for column in (*x[:, whole * _LANES :].T, *lanes.T):
        result += column
    return result


def _column_sums(x: Any) -> Any:
    """The sums over the second dimension: shape (blocks, n, columns) -> (blocks, columns)."""
    if x.shape[1] <= _ACCUMULATORS:
        return np.add.reduce(x, 1)
    apart = x.shape[2] // _ROW * _ROW
    if not apart:
        return _accumulated(x)
    if apart == x.shape[2]:
        return np.add.reduce(x, 1)
    return np.concatenate([np.add.reduce(x[:, :, :apart], 1), _accumulated(x[:, :, apart:])], axis=1)


def _accumulated(x: Any) -> Any:
    """The sums over the second dimension in four accumulators: shape (blocks, n, columns) -> (blocks, columns)."""
    blocks, n, columns = x.shape
    turns = n // _ACCUMULATORS
    rest = turns * _ACCUMULATORS
    parts = np.zeros((blocks, _ACCUMULATORS, columns))
    if turns:
        parts += np.add.reduce(x[:, :rest].reshape(blocks, turns, -1), 1).reshape(parts.shape)
    result = parts[:, 0]
    for i in range(rest, n):
        result += x[:, i]
    for k in range(1, _ACCUMULATORS):
        result += parts[:, k]
    return result
