"""Evenly spaced numbers, and index patterns: arange, linspace, logspace, tril_indices, meshgrid and
theirs."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.apply import apply, check_size
from autodiff_cli.engine.arguments import int_arg, tensor_arg, type_name
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.joining import stack, tensors_arg
from autodiff_cli.engine.ops.making import TORCH, checked_shape, chosen, made
from autodiff_cli.engine.ops.picking import masked_select
from autodiff_cli.engine.ops.structure import (
    MISSING,
    Shape,
    as_view,
    clone,
    expand_to,
    product,
    reshape_to,
    unsafe_view,
)
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault

# --- ranges -------------------------------------------------------------------------------------------------


def _number(x: Any, function: str, name: str) -> Any:
    """A plain number, also from a tensor of one element."""
    if type(x) is Tensor and x.numel() == 1:
        return x.item()
    if type(x) in (float, int, bool):
        return x
    raise TypeFault(f"{function}: the argument '{name}' must be a number, not {type_name(x)}")


def _count(start: Any, end: Any, step: Any, function: str) -> int:
    """How many numbers there are from `start` before `end`.

    Raises:
        RuntimeFault: a step of 0, a step in the wrong direction, a bound that is not finite.
    """
    if not math.isfinite(start) or not math.isfinite(end) or not math.isfinite(step):
        raise RuntimeFault(f"{function}: a range from {start} to {end} by {step} has no end")
    if step == 0:
        raise RuntimeFault(f"{function}: the step can't be 0")
    if (end - start) * step < 0:
        raise RuntimeFault(
            f"{function}: from {start} to {end} is the wrong way for a step of {step}",
            hint="make the step negative to count down",
        )
    if type(start) is int and type(end) is int and type(step) is int:
        return -((start - end) // step)
    count: int = math.ceil((end - start) / step)
    return count


@public("arange", places=TORCH, about="the numbers from start to end, without end")
def arange(
    *bounds: Any,
    start: Any = MISSING,
    end: Any = MISSING,
    step: Any = MISSING,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
) -> Tensor:
    """`arange(end)`, `arange(start, end)` or `arange(start, end, step)`: int64 from ints, else floating.

    Raises:
        TypeFault: no numbers; RuntimeFault: a step of 0 or in the wrong direction.
    """
    given = list(bounds)
    if len(given) > 3:
        raise TypeFault(f"arange: start, end and step are three numbers, and {len(given)} are given")
    if end is MISSING:
        if not given:
            raise TypeFault("arange: the end is missing", hint="write torch.arange(5)")
        end = given.pop(1 if len(given) > 1 else 0)
    if given:
        start = given.pop(0)
    if given:
        step = given.pop(0)
    first = 0 if start is MISSING else _number(start, "arange", "start")
    last = _number(end, "arange", "end")
    by = 1 if step is MISSING else _number(step, "arange", "step")
    whole = all(type(x) is not float for x in (first, last, by))
    kind = chosen(dtype, dtypes.int64 if whole else tape.default_dtype, "arange")
    if kind.category == 1:
        first, last, by = int(first), int(last), int(by)
    count = _count(first, last, by, "arange")
    check_size(count, "arange")
    return made(_spaced(first, by, count, kind), device, requires_grad, "arange")


def _spaced(start: Any, step: Any, count: int, dtype: DType) -> Any:
    numbers = np.arange(count)
    if dtype.category == 2:
        return (start + numbers * float(step)).astype(dtype.name)
    return (start + numbers * step).astype(dtype.name)


@public("range", places=TORCH, about="the numbers from start to end, with end")
def inclusive_range(
    start: Any, end: Any, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    first, last, by = (_number(x, "range", name) for x, name in ((start, "start"), (end, "end"), (step, "step")))
    _count(first, last, by, "range")
    count = math.floor((last - first) / by) + 1
    check_size(count, "range")
    kind = chosen(dtype, tape.default_dtype, "range")
    return made(_spaced(first, by, count, kind), device, requires_grad, "range")


def _even(start: Any, end: Any, steps: Any, dtype: Any, function: str) -> tuple[Any, DType]:
    """`steps` numbers from start to end, counted from the nearer end, so that both are met exactly."""
    count = int_arg(steps, function, "steps")
    if count < 0:
        raise RuntimeFault(f"{function}: the number of steps can't be negative: {count}")
    check_size(count, function)
    kind = chosen(dtype, tape.default_dtype, function)
    first, last = float(_number(start, function, "start")), float(_number(end, function, "end"))
    if count <= 1:
        return np.full(count, first), kind
    work = np.float32 if kind is dtypes.float32 else np.float64
    numbers = np.arange(count).astype(work)
    step = (work(last) - work(first)) / work(count - 1)
    return np.where(numbers < count // 2, work(first) + step * numbers, work(last) - step * (count - 1 - numbers)), kind


@public("linspace", places=TORCH, about="a number of evenly spaced numbers from start to end, with end")
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
) -> Tensor:
    numbers, kind = _even(start, end, steps, dtype, "linspace")
    return made(numbers.astype(kind.name), device, requires_grad, "linspace")


@public("logspace", places=TORCH, about="powers of base with evenly spaced exponents from start to end")
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
) -> Tensor:
    numbers, kind = _even(start, end, steps, dtype, "logspace")
    return made(np.power(float(base), numbers).astype(kind.name), device, requires_grad, "logspace")


# --- index patterns -----------------------------------------------------------------------------------------


def _triangle(name: str, about: str) -> None:
    def call(
        row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None, layout: Any = None
    ) -> Tensor:
        rows, columns = int_arg(row, name, "row"), int_arg(col, name, "col")
        checked_shape((rows, columns), name)
        make = np.tril_indices if name == "tril_indices" else np.triu_indices
        kind = chosen(dtype, dtypes.int64, name)
        return made(
            np.stack(make(rows, int_arg(offset, name, "offset"), columns)).astype(kind.name),
            device,
            False,
            name,
        )

    public(name, places=TORCH, about=about)(call)


_triangle("tril_indices", "the rows and columns of a lower triangle")
_triangle("triu_indices", "the rows and columns of an upper triangle")


# --- grids --------------------------------------------------------------------------------------------------


def _vectors(tensors: tuple[Any, ...], function: str) -> list[Tensor]:
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    found = [tensor_arg(x, function, "tensors") for x in tensors]
    if not found:
        raise RuntimeFault(f"{function}: there are no tensors")
    return found


@public(
    "meshgrid",
    places=TORCH,
    ops=(reshape_to, expand_to),
    about="the coordinates of a grid, one tensor a dimension",
)
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Views of the vectors, each of the grid's shape; 'xy' makes the first vector the columns.

    Raises:
        RuntimeFault: no tensors, one that is no vector, dtypes that differ, another indexing.
    """
    axes = _vectors(tensors, "meshgrid")
    for x in axes:
        if x.ndim > 1:
            raise RuntimeFault(f"meshgrid: a tensor of shape {x.shape} stands among the vectors")
        if x.dtype is not axes[0].dtype:
            raise RuntimeFault(f"meshgrid: the tensors differ in dtype: {axes[0].dtype} and {x.dtype}")
    if indexing not in (None, "ij", "xy"):
        raise RuntimeFault(f"meshgrid: indexing is 'ij' or 'xy', not {indexing!r}")
    if indexing is None and tape.warn is not None:
        tape.warn("meshgrid without indexing=: rows come first ('ij'); name it to say so")
    places = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        places[:2] = [1, 0]
    shape = tuple(axes[places[i]].numel() for i in range(len(axes)))
    check_size(product(shape) * len(axes), "meshgrid")
    return tuple(_along(x, place, shape) for x, place in zip(axes, places, strict=True))


def _along(x: Tensor, dim: int, shape: Shape) -> Tensor:
    """A vector along one dimension of a grid, spread over the others."""
    flat = tuple(n if i == dim else 1 for i, n in enumerate(shape))
    return as_view(expand_to, as_view(reshape_to, x, {"shape": flat}), {"shape": shape})


@public(
    "cartesian_prod",
    places=TORCH,
    ops=(expand_to, clone),
    about="all combinations of one entry from each vector",
)
def cartesian_prod(*tensors: Any) -> Tensor:
    """A row for each combination, a column for each vector; of one vector, itself.

    Raises:
        RuntimeFault: one that is no vector, or dtypes that differ.
    """
    axes = tensors_arg(tensors, "cartesian_prod")
    for x in axes:
        if x.ndim != 1:
            raise RuntimeFault(f"cartesian_prod: vectors are expected, not shape {x.shape}")
        if x.dtype is not axes[0].dtype:
            raise RuntimeFault(f"cartesian_prod: the vectors are {axes[0].dtype} and {x.dtype}: they must agree")
    if len(axes) == 1:
        return axes[0]
    shape = tuple(x.numel() for x in axes)
    check_size(product(shape) * len(axes), "cartesian_prod")
    columns = []
    for i, x in enumerate(axes):
        copied = apply(clone, (_along(x, i, shape),), {"contiguous": True})
        columns.append(apply(unsafe_view, (copied,), {"shape": (product(shape),)}))
    return stack(columns, 1)


@public("combinations", places=TORCH, about="all combinations of r entries of a vector")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """A row for each combination of r entries, in the order of their places.

    Raises:
        RuntimeFault: no vector, or a negative r.
    """
    x = tensor_arg(input, "combinations")
    count = int_arg(r, "combinations", "r")
    if x.ndim != 1:
        raise RuntimeFault(f"combinations: a vector is expected, not shape {x.shape}")
    if count < 0:
        raise RuntimeFault(f"combinations: r can't be negative: {count}")
    if count == 0:
        return wrap(np.zeros(0, x.dtype.name))
    n = x.numel()
    shape = (n,) * count
    check_size(n**count, "combinations")
    places = np.indices(shape)
    keep = np.ones(shape, bool)
    for earlier, later in pairwise(places):
        keep &= (earlier <= later) if with_replacement else (earlier < later)
    mask = wrap(keep)
    return stack([masked_select(_along(x, i, shape), mask) for i in range(count)], 1)
