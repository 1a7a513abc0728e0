"""Counting and telling apart: unique, unique_consecutive, isin, bincount, histc. None of these has a derivative."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, attach, check_size
from autodiff_cli.engine.arguments import dim_arg, int_arg, tensor_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.declare import NOT_IMPLEMENTED, NUMBERS, no_rule, number_arg
from autodiff_cli.engine.registry import Op, primitive, public, settle
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault

# --- unique -------------------------------------------------------------------------------------------------


def _no_derivative(name: str, grad_fn: str) -> Op:
    """PyTorch gives the result a node, and backward through it fails."""

    def rule(_g: Any, _y: Any, _x: Any) -> Any:
        raise NotImplementedFault(f"{name} has no derivative: PyTorch does not implement one")

    return primitive(name, lambda x: x, [rule], grad_fn=grad_fn, about="the entries without repeats")


unique_op = _no_derivative("unique", "Unique2Backward0")
unique_dim_op = _no_derivative("unique_dim", "UniqueDimBackward0")
consecutive_op = _no_derivative("unique_consecutive", "UniqueConsecutiveBackward0")


def _result(t: Tensor, op: Op, values: Any, inverse: Any, counts: Any, wanted: tuple[Any, Any]) -> Any:
    parts: list[Tensor] = [attach(wrap(values), op, (t,), NO_PARAMS)]
    if wanted[0]:
        parts.append(wrap(np.asarray(inverse)))
    if wanted[1]:
        parts.append(wrap(np.asarray(counts)))
    return parts[0] if len(parts) == 1 else tuple(parts)


@public("unique", about="the different entries, in order")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    t = tensor_arg(input, "unique")
    x = np.asarray(t.value)
    axis = None if dim is None else dim_arg(dim, t.ndim, "unique")
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=axis, equal_nan=False)
    inverse = inverse.reshape(x.shape if axis is None else (x.shape[axis],))
    return _result(
        t,
        unique_op if axis is None else unique_dim_op,
        values,
        inverse,
        counts,
        (return_inverse, return_counts),
    )


@public("unique_consecutive", about="the entries without those that repeat their predecessor")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    t = tensor_arg(input, "unique_consecutive")
    x = np.asarray(t.value)
    at = 0 if dim is None else dim_arg(dim, t.ndim, "unique_consecutive")
    rows = x.reshape(-1) if dim is None else np.moveaxis(x, at, 0)
    fresh = np.ones(len(rows), bool)
    if len(rows) > 1:
        fresh[1:] = (rows[1:] != rows[:-1]).reshape(len(rows) - 1, -1).any(1)
    starts = np.flatnonzero(fresh)
    inverse = (np.cumsum(fresh) - 1).reshape(x.shape if dim is None else (len(rows),))
    values = rows[starts] if dim is None else np.moveaxis(rows[starts], 0, at)
    counts = np.diff(np.append(starts, len(rows)))
    return _result(t, consecutive_op, values, inverse, counts, (return_inverse, return_counts))


# --- bincount and histc -------------------------------------------------------------------------------------


def _bincount(x: Any, weights: Any, *, minlength: int) -> Any:
    return np.bincount(np.asarray(x), np.asarray(weights), minlength)


bincount_op: Op = primitive(
    "bincount",
    _bincount,
    [None, lambda g, _y, _x, _weights, *, minlength: no_rule("bincount")(g, None)],
    grad_fn=NOT_IMPLEMENTED,
    about="how often, or with what total weight, each number occurs",
)


@public("bincount", ops=(bincount_op,), about="how often each of 0, 1, 2, ... occurs")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """int64 counts, or sums of the weights, of the numbers 0, 1, ...: a vector of max(minlength, largest + 1).

    Raises:
        NotImplementedFault: the tensor is not of integers.
        RuntimeFault: no vector, a negative entry, or weights of another shape.
    """
    t = tensor_arg(input, "bincount")
    x, least = np.asarray(t.value), int_arg(minlength, "bincount", "minlength")
    if t.dtype.category != 1:
        raise NotImplementedFault(f"bincount counts integers, not {t.dtype}", hint="convert with .long()")
    if x.ndim != 1 or (x.size and x.min() < 0):
        raise RuntimeFault(f"bincount: a vector of integers that aren't negative is expected; the shape is {t.shape}")
    if least < 0:
        raise RuntimeFault(f"bincount: minlength can't be negative: {least}")
    check_size(max(least, int(x.max()) + 1 if x.size else 0), "bincount")
    if weights is None:
        return wrap(np.bincount(x, None, least))
    w = tensor_arg(weights, "bincount", "weights")
    if w.shape != t.shape:
        raise RuntimeFault(f"bincount: the weights have shape {w.shape} and the numbers {t.shape}")
    return apply(bincount_op, (t, w), {"minlength": least})


@public("histc", about="how many entries lie in each of a number of equal intervals")
def histc(input: Tensor, bins: int = 100, min: Any = 0, max: Any = 0) -> Tensor:
    """`bins` counts, in the tensor's dtype, of equal intervals from min to max (of all there is where these are equal).

    Raises:
        NotImplementedFault: the tensor is not floating.
        RuntimeFault: no interval, or bounds that are not finite or the wrong way round.
    """
    t = tensor_arg(input, "histc")
    if t.dtype.category < 2:
        raise NotImplementedFault(f"histc is not defined for {t.dtype}", hint="convert it with .double()")
    count = int_arg(bins, "histc", "bins")
    low, high = float(number_arg(min, "histc", "min")), float(number_arg(max, "histc", "max"))
    x = np.asarray(t.value).reshape(-1)
    if count <= 0:
        raise RuntimeFault(f"histc: the number of intervals must be positive, not {count}")
    check_size(count, "histc")
    if low == high and x.size:
        low, high = float(x.min()), float(x.max())
    if low == high:
        low, high = low - 1.0, high + 1.0
    if not (np.isfinite(low) and np.isfinite(high)) or low > high:
        raise RuntimeFault(f"histc: there are no intervals from {low} to {high}")
    found = np.histogram(x[(x >= low) & (x <= high)], count, (low, high))[0]
    return wrap(found.astype(t.dtype.name))


@public("isin", places=("torch",), numbers=True)
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Which elements are among others (with `invert`, which are not): bool, in the shape of the elements.

    Raises:
        TypeFault: neither is a tensor, or one is no tensor and no number; RuntimeFault: one is bool.
    """
    given = (elements, test_elements)
    if not any(type(x) is Tensor for x in given) or not all(type(x) is Tensor or type(x) in NUMBERS for x in given):
        kinds = " and ".join(map(type_name, given))
        raise TypeFault(f"isin: it takes two tensors, or a tensor and a number, not {kinds}")
    values, wanted = (np.asarray(x.value if type(x) is Tensor else x) for x in given)
    if "b" in (values.dtype.kind, wanted.dtype.kind):
        raise RuntimeFault("isin is not defined for bool tensors", hint="convert them first, as with x.long()")
    return wrap(settle(np.isin(values, wanted, invert=bool(invert))))
