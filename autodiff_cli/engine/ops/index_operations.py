"""`index` and `index_put`: entries read and written by one integer tensor over dimensions seen as one.

indexing.py turns every advanced index of a program into such a tensor.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.cutting import zeros_for
from autodiff_cli.engine.ops.gathering import add_at
from autodiff_cli.engine.ops.structure import Shape, inverse, product
from autodiff_cli.engine.registry import Op, primitive, shape_of
from autodiff_cli.errors import IndexFault


class Layout:
    """An array with its indexed dimensions merged into one.

    Neighbouring dimensions stay in their place; others come first, as in numpy and PyTorch.
    """

    __slots__ = ("after", "at", "before", "order", "sizes")

    def __init__(self, shape: Shape, dims: Shape) -> None:
        first, count = dims[0], len(dims)
        self.sizes = tuple(shape[d] for d in dims)
        if dims == tuple(range(first, first + count)):
            self.order: Shape | None = None
            self.before, self.after = shape[:first], shape[first + count :]
        else:
            rest = tuple(d for d in range(len(shape)) if d not in dims)
            self.order = (*dims, *rest)
            self.before, self.after = (), tuple(shape[d] for d in rest)
        self.at = len(self.before)

    def merge(self, x: Any) -> Any:
        if self.order is None and len(self.sizes) == 1:
            return x
        if self.order is not None:
            x = x.transpose(self.order)
        return x.reshape((*self.before, product(self.sizes), *self.after))

    def split(self, merged: Any) -> Any:
        x = merged.reshape((*self.before, *self.sizes, *self.after))
        return x if self.order is None else x.transpose(inverse(self.order))


def _index(x: Any, index: Any, *, dims: Shape) -> Any:
    x = np.asarray(x)
    layout = Layout(x.shape, dims)
    if 0 in layout.before or 0 in layout.after:  # nothing is read, so PyTorch looks at no entry of the index
        return np.zeros((*layout.before, *np.shape(index), *layout.after), x.dtype)
    try:
        return layout.merge(x).take(np.asarray(index), layout.at)
    except IndexError:
        raise out_of_range(index, x.shape[dims[0]], dims[0]) from None


def out_of_range(index: Any, size: int, dim: int) -> IndexFault:
    """The fault that names the first entry of an index that is out of range."""
    entries = np.asarray(index)
    bad = entries[(entries < -size) | (entries >= size)].reshape(-1)
    return IndexFault(f"index {bad[0] if bad.size else 0} is out of range for dimension {dim} of size {size}")


def _index_sum(g: Any, index: Any, *, dims: Shape, shape: Shape) -> Any:
    layout, entries = Layout(shape, dims), np.asarray(index)
    size = product(layout.sizes)
    entries = np.where(entries < 0, entries + size, entries)
    return layout.split(add_at(zeros_for(g, (*layout.before, size, *layout.after)), layout.at, entries, g))


def _index_put(x: Any, index: Any, value: Any, *, dims: Shape, accumulate: bool) -> Any:
    out = np.array(x, order="C")
    layout = Layout(out.shape, dims)
    if 0 in layout.before or 0 in layout.after:
        return out
    if layout.order is None:  # a view, as `out` is contiguous
        target, key = layout.merge(out), (*(slice(None),) * layout.at, np.asarray(index))
    else:
        target, key = out.transpose(layout.order), np.unravel_index(index, layout.sizes)
    if accumulate:
        np.add.at(target, key, np.asarray(value).astype(out.dtype))
    else:
        target[key] = value
    return out


index_op: Op = primitive(
    "index",
    _index,
    [lambda g, _y, like_x, index, *, dims: index_sum(g, index, dims=dims, shape=shape_of(like_x)), None],
    formulas=("1", ""),
    about="x[index]: entries by an integer tensor, or where a mask is True",
)
index_sum: Op = primitive(
    "index_backward",
    _index_sum,
    [lambda g, _y, _x, index, *, dims, shape: index_op(g, index, dims=dims), None],
    grad_fn="IndexPutBackward0",
    formulas=("1", ""),
    about="entries summed into zeros at the places that an index reads",
)
index_put_op: Op = primitive(
    "index_put",
    _index_put,
    [
        lambda g, _y, _x, index, _value, *, dims, accumulate: (
            g if accumulate else index_put_op(g, index, 0.0, dims=dims, accumulate=False)
        ),
        None,
        lambda g, _y, _x, index, _value, *, dims, accumulate: index_op(g, index, dims=dims),
    ],
    formulas=("0 where written, else 1", "", "1"),
    about="x with x[index] = value, or += value",
)
