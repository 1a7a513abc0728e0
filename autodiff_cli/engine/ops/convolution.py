"""Convolutions (cross-correlations, as everywhere in neural networks) in one to three dimensions, and their transposes.

`convolve(x, w)` has two companions, its two derivatives: `spread` (from the result's cotangent to the input's) and
`kernel_of` (to the weight's). All three are bilinear, and each one's derivatives are the other two, so every order is
exact. They go over the offsets of the kernel, a product of matrices for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product as all_of
from math import prod
from typing import Any

from autodiff_cli.engine.apply import apply, check_size
from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import kind
from autodiff_cli.engine.ops.shaping import squeeze, unsqueeze
from autodiff_cli.engine.ops.structure import reshape_to, sum_to
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault

Sizes = tuple[int, ...]


def _offsets(
    kernel: Sizes, out: Sizes, stride: Sizes, dilation: Sizes
) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
    """Each place of the kernel, and where the padded input meets it."""
    for place in all_of(*map(range, kernel)):
        yield (
            place,
            tuple(
                slice(k * d, k * d + s * (n - 1) + 1, s)
                for k, d, s, n in zip(place, dilation, stride, out, strict=True)
            ),
        )


def _by_group(x: Any, groups: int) -> Any:
    """(N, groups * C, ...) as (groups, N, C, the places in one)."""
    n, c = x.shape[:2]
    return x.reshape(n, groups, c // groups, -1).transpose(1, 0, 2, 3)


def _out(size: Sizes, kernel: Sizes, stride: Sizes, padding: Any, dilation: Sizes) -> Sizes:
    return tuple(
        (n + a + b - d * (k - 1) - 1) // s + 1
        for n, k, s, (a, b), d in zip(size, kernel, stride, padding, dilation, strict=True)
    )


def _padded(x: Any, padding: Any) -> Any:
    return np.pad(x, ((0, 0), (0, 0), *padding)) if any(a or b for a, b in padding) else x


def _convolve(x: Any, w: Any, *, stride: Sizes, padding: Any, dilation: Sizes, groups: int) -> Any:
    n, outputs, kernel = x.shape[0], w.shape[0], w.shape[2:]
    out = _out(x.shape[2:], kernel, stride, padding, dilation)
    wide = _padded(x, padding)
    total = np.zeros((groups, n, outputs // groups, prod(out)), x.dtype)
    grouped = w.reshape(groups, outputs // groups, *w.shape[1:])
    for place, where in _offsets(kernel, out, stride, dilation):
        total += grouped[(..., *place)][:, None] @ _by_group(wide[(..., *where)], groups)
    return total.transpose(1, 0, 2, 3).reshape(n, outputs, *out)


def _spread(g: Any, w: Any, *, size: Sizes, stride: Sizes, padding: Any, dilation: Sizes, groups: int) -> Any:
    n, outputs, kernel, out = g.shape[0], w.shape[0], w.shape[2:], g.shape[2:]
    wide = np.zeros((n, w.shape[1] * groups, *(m + a + b for m, (a, b) in zip(size, padding, strict=True))), g.dtype)
    grouped = w.reshape(groups, outputs // groups, *w.shape[1:])
    parts = _by_group(g, groups)
    for place, where in _offsets(kernel, out, stride, dilation):
        part = grouped[(..., *place)].transpose(0, 2, 1)[:, None] @ parts
        wide[(..., *where)] += part.transpose(1, 0, 2, 3).reshape(n, -1, *out)
    return wide[(..., *(slice(a, a + m) for m, (a, _) in zip(size, padding, strict=True)))]


def _kernel_of(x: Any, g: Any, *, kernel: Sizes, stride: Sizes, padding: Any, dilation: Sizes, groups: int) -> Any:
    outputs, inputs, out = g.shape[1], x.shape[1] // groups, g.shape[2:]
    wide, parts = _padded(x, padding), _by_group(g, groups)
    w = np.zeros((groups, outputs // groups, inputs, *kernel), x.dtype)
    for place, where in _offsets(kernel, out, stride, dilation):
        seen = _by_group(wide[(..., *where)], groups)
        w[(..., *place)] = (parts @ seen.transpose(0, 1, 3, 2)).sum(1)
    return w.reshape(outputs, inputs, *kernel)


def _plus(y: Any, b: Any) -> Any:
    """The entries plus the number of their channel (0 where there is none)."""
    return y if type(b) is float else y + b.reshape(-1, *(1,) * (y.ndim - 2))


convolve: Op = primitive(
    "convolution",
    lambda x, w, b, **how: _plus(_convolve(x, w, **how), b),
    [
        lambda g, _y, like_x, w, _b, **how: spread(g, w, size=shape_of(like_x)[2:], **how),
        lambda g, _y, x, like_w, _b, **how: kernel_of(x, g, kernel=shape_of(like_w)[2:], **how),
        lambda g, _y, _x, _w, _b, **_how: _channel_sum(g),
    ],
    formulas=("the transposed convolution of g with w", "the correlation of x with g", "the sum of g by channel"),
    about="a convolution: sums of products of the kernel with each part of the input, plus a number for each channel",
)
spread: Op = primitive(
    "convolution_input",
    _spread,
    [
        lambda d, _y, _g, w, *, size, **how: convolve(d, w, 0.0, **how),
        lambda d, _y, g, like_w, *, size, **how: kernel_of(d, g, kernel=shape_of(like_w)[2:], **how),
    ],
    grad_fn="ConvolutionBackward0",
    formulas=("the convolution of d with w", "the correlation of d with g"),
    about="a transposed convolution",
)
kernel_of: Op = primitive(
    "convolution_weight",
    _kernel_of,
    [
        lambda d, _y, like_x, g, *, kernel, **how: spread(g, d, size=shape_of(like_x)[2:], **how),
        lambda d, _y, x, _g, *, kernel, **how: convolve(x, d, 0.0, **how),
    ],
    grad_fn="ConvolutionBackward0",
    formulas=("the transposed convolution of g with d", "the convolution of x with d"),
    about="the correlation of a convolution's input with the cotangent of its result",
)
transposed: Op = primitive(
    "convolution_transpose",
    lambda x, w, b, **how: _plus(_spread(x, w, **how), b),
    [
        lambda g, _y, _x, w, _b, *, size, **how: convolve(g, w, 0.0, **how),
        lambda g, _y, x, like_w, _b, *, size, **how: kernel_of(g, x, kernel=shape_of(like_w)[2:], **how),
        lambda g, _y, _x, _w, _b, **_how: _channel_sum(g),
    ],
    grad_fn="ConvolutionBackward0",
    formulas=("the convolution of g with w", "the correlation of g with x", "the sum of g by channel"),
    about="a transposed convolution plus a number for each channel",
)


def _channel_sum(g: Any) -> Any:
    shape = shape_of(g)
    return reshape_to(sum_to(g, shape=(1, shape[1], *(1,) * (len(shape) - 2))), shape=(shape[1],))


def _sizes(value: Any, n: int, function: str, name: str, least: int) -> Sizes:
    """One whole number for every dimension, or one for all."""
    given = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    sizes = tuple(int_arg(v, function, name) for v in given)
    if len(sizes) == 1:
        sizes *= n
    if len(sizes) != n or any(s < least for s in sizes):
        raise RuntimeFault(f"{function}: '{name}' is {value!r}; it must be {n} numbers of {least} or more, or one")
    return sizes


def _padding(value: Any, n: int, kernel: Sizes, stride: Sizes, dilation: Sizes, function: str) -> Any:
    if value == "valid":
        return ((0, 0),) * n
    if value == "same":
        if any(s != 1 for s in stride):
            raise RuntimeFault(f"{function}: padding='same' goes with a stride of 1")
        totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
        return tuple((t // 2, t - t // 2) for t in totals)
    if isinstance(value, str):
        raise RuntimeFault(f"{function}: padding is 'valid', 'same' or numbers, not {value!r}")
    return tuple((p, p) for p in _sizes(value, n, function, "padding", 0))


def _operands(function: str, n: int, input: Any, weight: Any, bias: Any) -> tuple[Tensor, Tensor, Tensor | None, bool]:
    """Input (with a batch), weight and bias, and whether the batch was added."""
    x, w = tensor_arg(input, function), tensor_arg(weight, function, "weight")
    b = None if bias is None else tensor_arg(bias, function, "bias")
    if w.ndim != n + 2:
        raise RuntimeFault(f"{function}: the weight has shape {tuple(w.shape)}; {n + 2} dimensions are expected")
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeFault(
            f"{function}: the input has shape {tuple(x.shape)}; {n + 1} or {n + 2} dimensions are expected",
            hint="its dimensions are (batch,) channels, and the places",
        )
    for t in (w, b):
        if t is not None and (t.dtype is not x.dtype or kind(t.value) != "f"):
            raise RuntimeFault(f"{function}: the input is {x.dtype} and a parameter {t.dtype}: both must be floating")
    return (x, w, b, False) if x.ndim == n + 2 else (unsqueeze(x, 0), w, b, True)


def _convolution(function: str, n: int, args: tuple[Any, ...]) -> Tensor:
    input, weight, bias, stride, padding, dilation, groups = args
    x, w, b, single = _operands(function, n, input, weight, bias)
    kernel, count = tuple(w.shape[2:]), int_arg(groups, function, "groups")
    by, apart = _sizes(stride, n, function, "stride", 1), _sizes(dilation, n, function, "dilation", 1)
    pads = _padding(padding, n, kernel, by, apart, function)
    if count <= 0 or w.shape[0] % count or x.shape[1] != w.shape[1] * count:
        raise RuntimeFault(
            f"{function}: {x.shape[1]} channels do not go with a weight of shape {tuple(w.shape)} in {count} groups",
            hint="the weight's shape is (output channels, input channels / groups, kernel)",
        )
    if b is not None and tuple(b.shape) != (w.shape[0],):
        raise RuntimeFault(f"{function}: the bias has shape {tuple(b.shape)}, and there are {w.shape[0]} channels")
    out = _out(tuple(x.shape[2:]), kernel, by, pads, apart)
    if any(m <= 0 for m in out) or 0 in kernel:
        raise RuntimeFault(f"{function}: a kernel of {kernel} does not fit in an input of shape {tuple(x.shape)}")
    check_size(x.shape[0] * w.shape[0] * prod(out), function)
    how = {"stride": by, "padding": pads, "dilation": apart, "groups": count}
    y = apply(convolve, (x, w, 0.0 if b is None else b), how)
    return squeeze(y, 0) if single else y


def _transposed(function: str, n: int, args: tuple[Any, ...]) -> Tensor:
    input, weight, bias, stride, padding, output_padding, groups, dilation = args
    x, w, b, single = _operands(function, n, input, weight, bias)
    kernel, count = tuple(w.shape[2:]), int_arg(groups, function, "groups")
    by, apart = _sizes(stride, n, function, "stride", 1), _sizes(dilation, n, function, "dilation", 1)
    pads, more = _sizes(padding, n, function, "padding", 0), _sizes(output_padding, n, function, "output_padding", 0)
    if count <= 0 or x.shape[1] != w.shape[0] or w.shape[0] % count:
        raise RuntimeFault(
            f"{function}: {x.shape[1]} channels do not go with a weight of shape {tuple(w.shape)} in {count} groups"
        )
    if any(m >= max(s, d) for m, s, d in zip(more, by, apart, strict=True)):
        raise RuntimeFault(f"{function}: output_padding must be less than the stride or the dilation")
    size = tuple(
        (m - 1) * s - 2 * p + d * (k - 1) + o + 1
        for m, s, p, d, k, o in zip(x.shape[2:], by, pads, apart, kernel, more, strict=True)
    )
    if any(m <= 0 for m in size):
        raise RuntimeFault(f"{function}: the result would have the sizes {size}")
    channels = w.shape[1] * count
    check_size(x.shape[0] * channels * prod(size), function)
    how = {"size": size, "stride": by, "padding": tuple((p, p) for p in pads), "dilation": apart, "groups": count}
    if b is not None and tuple(b.shape) != (channels,):
        raise RuntimeFault(f"{function}: the bias has shape {tuple(b.shape)}, and there are {channels} channels")
    y = apply(transposed, (x, w, 0.0 if b is None else b), how)
    return squeeze(y, 0) if single else y


def _declare(n: int) -> None:
    name = f"conv{n}d"

    @public(name, places=("torch", "F"), ops=(convolve,), about=f"a convolution in {n} dimensions")
    def conv(
        input: Tensor,
        weight: Tensor,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        return _convolution(name, n, (input, weight, bias, stride, padding, dilation, groups))

    other = f"conv_transpose{n}d"

    @public(other, places=("torch", "F"), ops=(transposed,), about=f"a transposed convolution in {n} dimensions")
    def conv_transpose(
        input: Tensor,
        weight: Tensor,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Tensor:
        return _transposed(other, n, (input, weight, bias, stride, padding, output_padding, groups, dilation))


for _n in (1, 2, 3):
    _declare(_n)
