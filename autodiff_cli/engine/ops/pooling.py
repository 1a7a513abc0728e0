"""Pools: the mean or the largest of each window, in one or two dimensions.

An op gets its windows as bounds within the input, or as the number of the entry that each takes: stride, padding, dilation
and `ceil_mode` are worked out once, before it. In one dimension it is the op of two, with a dimension of size 1 put in.

Invariant: no window is empty, and none begins in the padding after the input.
"""

from __future__ import annotations

from itertools import product as all_of
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import kind
from autodiff_cli.engine.ops.gathering import gather_op, gather_sum
from autodiff_cli.engine.ops.reductions import mean
from autodiff_cli.engine.ops.shaping import squeeze, unsqueeze
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

Sizes = tuple[int, ...]
Bounds = tuple[tuple[tuple[int, int], ...], ...]  # for each dimension the windows, as (start, stop) within the input


def _sizes(value: Any, n: int, function: str, name: str, least: int) -> Sizes:
    given = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    sizes = tuple(int_arg(v, function, name) for v in given)
    sizes = sizes * n if len(sizes) == 1 else sizes
    if len(sizes) != n or any(s < least for s in sizes):
        raise RuntimeFault(f"{function}: '{name}' is {value!r}; it must be {n} numbers of {least} or more, or one")
    return sizes


def _windows(
    function: str, n: int, x: Tensor, kernel: Any, stride: Any, padding: Any, dilation: Any
) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    """Kernel, stride, padding and dilation, a number for each dimension.

    Raises:
        RuntimeFault: one is no such numbers, or the padding is more than half of the kernel.
        NotImplementedFault: the tensor is bool.
    """
    if kind(x.value) == "b":
        raise NotImplementedFault(f"{function} is not defined for bool tensors", hint="convert with .double()")
    k = _sizes(kernel, n, function, "kernel_size", 1)
    s = k if stride in (None, (), []) else _sizes(stride, n, function, "stride", 1)
    p, d = _sizes(padding, n, function, "padding", 0), _sizes(dilation, n, function, "dilation", 1)
    if any(2 * b > a for a, b in zip(k, p, strict=True)):
        raise RuntimeFault(f"{function}: the padding {p} is more than half of the kernel {k}")
    return k, s, p, d


def _count(size: int, kernel: int, stride: int, pad: int, dilation: int, ceil: bool) -> int:
    """How many windows there are: with `ceil` the last one may end past the input, but must not begin there."""
    room = size + 2 * pad - dilation * (kernel - 1) - 1
    count = -(-room // stride) + 1 if ceil else room // stride + 1
    return count - 1 if ceil and (count - 1) * stride >= size + pad else count


def _batched(function: str, n: int, input: Any) -> tuple[Tensor, bool]:
    x = tensor_arg(input, function)
    if x.ndim not in (n + 1, n + 2) or 0 in x.shape[1:]:
        raise RuntimeFault(
            f"{function}: the input has shape {tuple(x.shape)}; (batch,) channels and {n} more dimensions are expected"
        )
    return (x, False) if x.ndim == n + 2 or n == 2 else (unsqueeze(x, 0), True)


def _unbatched(y: Tensor, single: bool) -> Tensor:
    return squeeze(y, 0) if single else y


# --- means ----------------------------------------------------------------------------------------------------------


def _means(x: Any, *, bounds: Bounds, divisors: Any) -> Any:
    out = np.empty((*x.shape[:-2], *(len(b) for b in bounds)), x.dtype)
    for place in all_of(*(range(len(b)) for b in bounds)):
        window = tuple(slice(*b[i]) for b, i in zip(bounds, place, strict=True))
        out[(..., *place)] = x[(..., *window)].sum((-2, -1)) / divisors[place]
    return out


def _shared(g: Any, *, bounds: Bounds, divisors: Any, shape: Sizes) -> Any:
    out = np.zeros(shape, g.dtype)
    for place in all_of(*(range(len(b)) for b in bounds)):
        window = tuple(slice(*b[i]) for b, i in zip(bounds, place, strict=True))
        out[(..., *window)] += (g[(..., *place)] / divisors[place])[(..., *(None,) * len(place))]
    return out


def _mean_ops(name: str, title: str) -> Op:
    op = primitive(
        name,
        _means,
        [lambda g, _y, x, *, bounds, divisors: back(g, bounds=bounds, divisors=divisors, shape=shape_of(x))],
        grad_fn=f"{title}Backward0",
        formulas=("g over the number of entries, in each window",),
        about="the mean of each window",
    )
    back: Op = primitive(
        f"{name}_backward",
        _shared,
        [lambda d, _y, _g, *, bounds, divisors, shape: op(d, bounds=bounds, divisors=divisors)],
        grad_fn=f"{title}BackwardBackward0",
        formulas=("the mean of each window of d",),
        about="the cotangents of windows' means, shared out to the entries",
    )
    return op


avg_pool = _mean_ops("avg_pool2d", "AvgPool2D")
adaptive_avg_pool = _mean_ops("adaptive_avg_pool2d", "AdaptiveAvgPool2D")


def _average(
    function: str, n: int, input: Any, kernel: Any, stride: Any, padding: Any, ceil: bool, inside: bool, divisor: Any
) -> Tensor:
    x, single = _batched(function, n, input)
    k, s, p, _ = _windows(function, n, x, kernel, stride, padding, 1)
    if divisor == 0:
        raise RuntimeFault(f"{function}: divisor_override is 0")
    whole: list[list[tuple[int, int]]] = []
    for size, a, b, c in zip(x.shape[-n:], k, s, p, strict=True):
        count = _count(size, a, b, c, 1, ceil)
        if count <= 0:
            raise RuntimeFault(f"{function}: a kernel of {k} does not fit in an input of shape {tuple(x.shape)}")
        whole.append([(i * b - c, min(i * b - c + a, size + c)) for i in range(count)])
    bounds = tuple(
        tuple((max(u, 0), min(v, size)) for u, v in row) for row, size in zip(whole, x.shape[-n:], strict=True)
    )
    divisors = _entries(whole if inside else bounds)
    if divisor is not None:
        divisors = np.full(divisors.shape, int_arg(divisor, function, "divisor_override"))
    return _unbatched(_pooled(avg_pool, x, bounds, divisors, n), single)


def _entries(bounds: Any) -> Any:
    """How many entries each window has: an array with a place for every window."""
    counts = np.ones(())
    for row in bounds:
        counts = np.multiply.outer(counts, [stop - start for start, stop in row])
    return counts


def _pooled(op: Op, x: Tensor, bounds: Bounds, divisors: Any, n: int) -> Tensor:
    """By the op of two dimensions; PyTorch has it for one as well, under the same node."""
    if n == 1:
        x, bounds, divisors = unsqueeze(x, 2), (((0, 1),), *bounds), divisors[None]
    y = apply(op, (x,), {"bounds": bounds, "divisors": divisors})
    if n == 1:
        y = squeeze(y, -2)
    return y


@public("avg_pool1d", places=("torch", "F"), ops=(avg_pool,), about="the means of windows")
def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    return _average("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@public("avg_pool2d", places=("F",), ops=(avg_pool,), about="the means of windows")
def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
) -> Tensor:
    return _average(
        "avg_pool2d", 2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def _adaptive(function: str, n: int, input: Any, output_size: Any) -> Tensor:
    x, single = _batched(function, n, input)
    given = tuple(output_size) if isinstance(output_size, (list, tuple)) else (output_size,) * n
    if len(given) != n:
        raise RuntimeFault(f"{function}: output_size is {output_size!r}; {n} numbers are expected")
    out = tuple(
        m if size is None else int_arg(size, function, "output_size")
        for size, m in zip(given, x.shape[-n:], strict=True)
    )
    if n == 2 and out == (1, 1):  # PyTorch's way
        return _unbatched(mean(x, (-1, -2), True), single)
    if any(m < 0 for m in out):
        raise RuntimeFault(f"{function}: a size can't be negative: {out}")
    bounds = tuple(
        tuple((i * size // m, -(-(i + 1) * size // m)) for i in range(m))
        for m, size in zip(out, x.shape[-n:], strict=True)
    )
    if n == 1 and out == (1,):
        y = squeeze(mean(unsqueeze(x, 2), (-1, -2), True), -2)
        return _unbatched(y, single)
    return _unbatched(_pooled(adaptive_avg_pool, x, bounds, _entries(bounds), n), single)


@public("adaptive_avg_pool1d", places=("torch", "F"), ops=(adaptive_avg_pool,), about="means, as many as asked for")
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    return _adaptive("adaptive_avg_pool1d", 1, input, output_size)


@public("adaptive_avg_pool2d", places=("F",), ops=(adaptive_avg_pool,), about="means, as many as asked for")
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    return _adaptive("adaptive_avg_pool2d", 2, input, output_size)


# --- largest entries ------------------------------------------------------------------------------------------------


def _flat(x: Any) -> Any:
    shape = shape_of(x)
    return reshape_to(x, shape=(*shape[:-2], shape[-2] * shape[-1]))


def _picked(x: Any, index: Any) -> Any:
    return gather_op.array(_flat(x), _flat(index), dim=x.ndim - 2).reshape(index.shape)


def _put_back(g: Any, _y: Any, x: Any, index: Any) -> Any:
    shape = shape_of(x)
    flat = gather_sum(_flat(g), _flat(index), dim=len(shape) - 2, shape=(*shape[:-2], shape[-2] * shape[-1]))
    return reshape_to(flat, shape=shape)


max_pool: Op = primitive(
    "max_pool2d",
    _picked,
    [_put_back, None],
    grad_fn="MaxPool2DWithIndicesBackward0",
    formulas=("g for the largest entry of each window", ""),
    kinks="of entries that tie the first has the slope",
    about="the largest entry of each window",
)


def _largest(
    function: str, n: int, input: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool
) -> tuple[Tensor, Tensor]:
    x, single = _batched(function, n, input)
    k, s, p, d = _windows(function, n, x, kernel, stride, padding, dilation)
    out = tuple(_count(*row, ceil) for row in zip(x.shape[-n:], k, s, p, d, strict=True))
    if any(m <= 0 for m in out):
        raise RuntimeFault(f"{function}: a kernel of {k} does not fit in an input of shape {tuple(x.shape)}")
    index = wrap(_places(np.asarray(x.value), out, k, s, p, d))
    if n == 1:
        y = apply(max_pool, (unsqueeze(x, 2), wrap(np.asarray(index.value)[:, :, None])), {})
        y = squeeze(y, -2)
    else:
        y = apply(max_pool, (x, index), {})
    return _unbatched(y, single), _unbatched(index, single)


def _places(x: Any, out: Sizes, k: Sizes, s: Sizes, p: Sizes, d: Sizes) -> Any:
    """For each window the number, in the flattened input, of its largest entry: nan above all, the first of equals."""
    lead = x.shape[: x.ndim - len(out)]
    size = x.shape[len(lead) :]
    numbers = np.arange(int(np.prod(size))).reshape(size)
    flat = x.reshape(*lead, -1)
    found = np.empty((*lead, *out), np.int64)
    for place in all_of(*map(range, out)):
        axes = [
            [v for v in range(i * b - c, i * b - c + a * e, e) if 0 <= v < m]
            for i, a, b, c, e, m in zip(place, k, s, p, d, size, strict=True)
        ]
        where = numbers[np.ix_(*axes)].reshape(-1)
        window = flat[..., where]
        best = np.where(np.isnan(window), np.inf, window) if x.dtype.kind == "f" else window
        at = best.argmax(-1)
        if x.dtype.kind == "f" and np.isnan(window).any():  # the last nan counts, as in PyTorch's loop
            nans = np.isnan(window)
            last = window.shape[-1] - 1 - nans[..., ::-1].argmax(-1)
            at = np.where(nans.any(-1), last, at)
        found[(..., *place)] = where[at]
    return found


def _declare(n: int) -> None:
    name = f"max_pool{n}d"

    @public(name, places=("torch", "F"), ops=(max_pool,), about="the largest entries of windows")
    def pool(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        y, index = _largest(name, n, input, kernel_size, stride, padding, dilation, ceil_mode)
        return (y, index) if return_indices else y


_declare(1)
_declare(2)
