"""Regions of a tensor's memory as operations: what a view shows of its base, read, written, filled and cleared.

A region is known by where its entries lie in the memory of its base, not by the operations that led there: so it is the
same after the base was transposed in place, and whatever way the base lies in memory. Two forms:

* `(offset, shape, strides)` in elements of a base that lies in memory in the order of its indices: PyTorch's `as_strided`;
* an integer array of the region's shape with positions in the base's entries, counted in the order of its indices, where
  the base lies otherwise.

`VIEW_OF` is the history of a view whose base was changed in place, `COPY_SLICES` that of a base which was changed through
a view (PyTorch's CopySlices). Both are linear, and the rules of all four operations are among themselves.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.registry import Op, primitive, shape_of

Region = Any


def region_of(view: Any, base: Any) -> Region:
    """Where the entries of an array lie in another one, whose memory it shares."""
    base = np.asarray(base)
    size = base.itemsize
    start = (view.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // size if view.size else 0
    strides = tuple(s // size for s in view.strides)
    if base.flags.c_contiguous:
        return start, view.shape, strides
    where = _offsets(base.shape, tuple(s // size for s in base.strides)).ravel()
    order = np.argsort(where, kind="stable")
    at = np.searchsorted(where, _offsets(view.shape, strides) + start, sorter=order)
    return order[at]


def _offsets(shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """How far each entry is from the first one, in elements."""
    total = np.zeros(shape, np.int64)
    for axis, (n, stride) in enumerate(zip(shape, strides, strict=True)):
        total += (np.arange(n) * stride).reshape((n,) + (1,) * (len(shape) - axis - 1))
    return total


def _seen(x: Any, region: tuple[int, tuple[int, ...], tuple[int, ...]]) -> Any:
    """The region of an array in C order, as a view of it."""
    offset, shape, strides = region
    if 0 in shape:
        return np.empty(shape, x.dtype)
    return np.ndarray(shape, x.dtype, x, offset * x.itemsize, [s * x.itemsize for s in strides])


def _overlaps(region: tuple[int, tuple[int, ...], tuple[int, ...]]) -> bool:
    """Whether two entries of a region may be one place in memory (`expand`, `unfold`)."""
    reach = 0
    for stride, n in sorted(zip(region[2], region[1], strict=True)):
        if n > 1:
            if stride <= reach:
                return True
            reach += stride * (n - 1)
    return False


def _view_of(base: Any, *, region: Region) -> Any:
    if type(region) is tuple:
        return np.array(_seen(np.ascontiguousarray(base).reshape(-1), region), copy=True)
    return np.asarray(base).reshape(-1)[region]


def _copy_slices(base: Any, part: Any, *, region: Region) -> Any:
    out = np.array(base, copy=True, order="C")
    if type(region) is tuple:
        _seen(out.reshape(-1), region)[...] = part
    else:
        out.reshape(-1)[region] = part
    return out


def _clear_slices(base: Any, *, region: Region) -> Any:
    return _copy_slices(base, 0, region=region)


def _fill_slices(part: Any, *, region: Region, shape: tuple[int, ...]) -> Any:
    part = np.asarray(part)
    out = np.zeros(shape, part.dtype)
    if type(region) is tuple and not _overlaps(region):
        _seen(out.reshape(-1), region)[...] = part
        return out
    places = _offsets(region[1], region[2]) + region[0] if type(region) is tuple else region
    np.add.at(out.reshape(-1), places, part)
    return out


BLANK: Op = primitive(
    "blank",
    lambda g: np.zeros_like(np.asarray(g)),
    None,
    about="zeros in place of a gradient, of which nothing depends on it",
)
VIEW_OF: Op = primitive(
    "view_of",
    _view_of,
    [lambda g, _y, like_x, *, region: FILL_SLICES(g, region=region, shape=shape_of(like_x))],
    grad_fn="AsStridedBackward0",
    about="a view of a tensor that was changed in place",
    formulas=("1",),
)
FILL_SLICES: Op = primitive(
    "fill_slices",
    _fill_slices,
    [lambda g, _y, _x, *, region, shape: VIEW_OF(g, region=region)],
    about="zeros with a region filled",
    formulas=("1",),
)
CLEAR_SLICES: Op = primitive(
    "clear_slices",
    _clear_slices,
    [lambda g, _y, _x, *, region: CLEAR_SLICES(g, region=region)],
    about="a copy with a region set to zero",
    formulas=("0 in the region, else 1",),
)
COPY_SLICES: Op = primitive(
    "copy_slices",
    _copy_slices,
    [
        lambda g, _y, _base, _part, *, region: CLEAR_SLICES(g, region=region),
        lambda g, _y, _base, _part, *, region: VIEW_OF(g, region=region),
    ],
    grad_fn="torch::autograd::CopySlices",
    about="a base after a region of it was written through a view",
    formulas=("0 where written, else 1", "1"),
)
COPY_SLICES.saves = True  # PyTorch's keeps the node of the change in itself, and lets go of it in backward
