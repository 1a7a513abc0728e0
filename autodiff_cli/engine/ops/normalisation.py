"""Normalisation: layer_norm, rms_norm, batch_norm, group_norm.

All of them bring entries to mean 0 and variance 1 over some dimensions (`standard`); what differs is which,
and how weight and bias meet the result. The derivative (`pull`) is that of Ioffe and Szegedy, "Batch
Normalization" (2015). Both are written in ops, so they run on arrays and on tensors, and can be
differentiated again.
"""

from __future__ import annotations

from math import prod
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.inplace import replace
from autodiff_cli.engine.ops.arithmetic import add, mul
from autodiff_cli.engine.ops.declare import kind
from autodiff_cli.engine.ops.elementary import rsqrt
from autodiff_cli.engine.ops.powers import power
from autodiff_cli.engine.ops.reductions import mean_dim, sum_dim
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.registry import primitive, public, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

Shape = tuple[int, ...]


def standard(x: Any, dims: Shape, eps: float) -> tuple[Any, Any]:
    """(x - mean) / sqrt(variance + eps) over some dimensions, and 1 / sqrt(variance + eps)."""
    away = x - mean_dim(x, dim=dims, keepdim=True)
    scale = rsqrt(mean_dim(away * away, dim=dims, keepdim=True) + eps)
    return away * scale, scale


def pull(g: Any, x: Any, dims: Shape, eps: float) -> Any:
    """The cotangent of x, from that of `standard(x)`."""
    y, scale = standard(x, dims, eps)
    level = mean_dim(g, dim=dims, keepdim=True)
    return scale * (g - level - y * mean_dim(g * y, dim=dims, keepdim=True))


def _last(x: Any, count: int) -> Shape:
    ndim = len(shape_of(x))
    return tuple(range(ndim - count, ndim))


def _channels(x: Any) -> Shape:
    """All dimensions but that of the channels."""
    return (0, *range(2, len(shape_of(x))))


def _by_channel(w: Any, x: Any) -> Any:
    """One number a channel, in a shape that broadcasts to x; a plain number as it is."""
    shape = shape_of(w)
    return w if not shape else reshape_to(w, shape=(1, shape[0], *(1,) * (len(shape_of(x)) - 2)))


def _to_channels(d: Any) -> Any:
    """The cotangent of one number a channel."""
    return sum_dim(d, dim=_channels(d), keepdim=False)


# --- layer_norm -----------------------------------------------------------------------------------

layer_norm = primitive(
    "layer_norm",
    lambda x, w, b, *, count, eps: standard(x, _last(x, count), eps)[0] * w + b,
    [
        lambda g, _y, x, w, _b, *, count, eps: pull(g * w, x, _last(x, count), eps),
        lambda g, _y, x, _w, _b, *, count, eps: g * standard(x, _last(x, count), eps)[0],
        lambda g, _y, _x, _w, _b, *, count, eps: g,
    ],
    grad_fn="NativeLayerNormBackward0",
    formulas=("rstd * (g*w - mean(g*w) - xhat * mean(g*w * xhat))", "g * xhat", "g"),
    about="entries at mean 0 and variance 1 over the last dimensions, times w plus b",
)


def _normalized_shape(x: Tensor, shape: Any, function: str) -> Shape:
    if not isinstance(shape, (list, tuple)) or not all(type(n) is int for n in shape):
        raise TypeFault(f"{function}: normalized_shape must be a tuple of ints", hint="write (n,) for one dimension")
    sizes = tuple(shape)
    if not sizes:
        raise RuntimeFault(f"{function}: normalized_shape is empty")
    if x.shape[-len(sizes) :] != sizes:
        raise RuntimeFault(
            f"{function}: normalized_shape is {sizes}, and the input's shape {x.shape} does not end in that"
        )
    return sizes


def _parameter(value: Any, shape: Shape, x: Tensor, function: str, name: str, missing: float) -> Any:
    """A weight or a bias; `missing` where there is none."""
    if value is None:
        return missing
    p = tensor_arg(value, function, name)
    if p.shape != shape:
        raise RuntimeFault(f"{function}: the {name} has shape {p.shape}, and {shape} goes with the input")
    if p.dtype is not x.dtype:
        raise RuntimeFault(f"{function}: the {name} is {p.dtype} and the input {x.dtype}: they must agree")
    return p


def _floating(x: Any, function: str) -> Tensor:
    t = tensor_arg(x, function)
    if kind(t.value) != "f":
        raise NotImplementedFault(f"{function} is not defined for {t.dtype}", hint="convert with .double()")
    return t


@public("layer_norm", places=("torch", "F"), ops=(layer_norm,))
def _layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    """Entries at mean 0 and variance 1 over the last dimensions, times weight plus bias."""
    x = _floating(input, "layer_norm")
    shape = _normalized_shape(x, normalized_shape, "layer_norm")
    w = _parameter(weight, shape, x, "layer_norm", "weight", 1.0)
    b = _parameter(bias, shape, x, "layer_norm", "bias", 0.0)
    return apply(layer_norm, (x, w, b), {"count": len(shape), "eps": eps})


@public("rms_norm", places=("torch", "F"), ops=(mul, rsqrt))
def _rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Tensor:
    """Entries divided by the root of their mean square over the last dimensions, times weight."""
    if not tensor_arg(input, "rms_norm").ndim:
        raise ValueFault("rms_norm: a 0-d tensor has no dimension to take the mean over")
    x = _floating(input, "rms_norm")
    shape = _normalized_shape(x, normalized_shape, "rms_norm")
    w = _parameter(weight, shape, x, "rms_norm", "weight", 1.0)
    if eps is None:
        eps = 2.0**-52 if x.dtype.name == "float64" else 2.0**-23
    square = mean_dim(power(x, 2), dim=_last(x, len(shape)), keepdim=True)
    y: Tensor = mul(x, rsqrt(add(square, eps)))
    return mul(y, w) if type(w) is Tensor else y


# --- batch_norm -----------------------------------------------------------------------------------

batch_norm_training = primitive(
    "batch_norm_training",
    lambda x, w, b, *, eps: standard(x, _channels(x), eps)[0] * _by_channel(w, x) + _by_channel(b, x),
    [
        lambda g, _y, x, w, _b, *, eps: pull(g * _by_channel(w, x), x, _channels(x), eps),
        lambda g, _y, x, _w, _b, *, eps: _to_channels(g * standard(x, _channels(x), eps)[0]),
        lambda g, _y, _x, _w, _b, *, eps: _to_channels(g),
    ],
    grad_fn="NativeBatchNormBackward0",
    formulas=("rstd * (g*w - mean(g*w) - xhat * mean(g*w * xhat))", "sum(g * xhat)", "sum(g)"),
    about="entries at mean 0 and variance 1 over all dimensions but the channels'",
)


def _settled(x: Any, mean: Any, variance: Any, eps: float) -> Any:
    return (x - _by_channel(mean, x)) * _by_channel(rsqrt(variance + eps), x)


batch_norm_running = primitive(
    "batch_norm_running",
    lambda x, w, b, m, v, *, eps: _settled(x, m, v, eps) * _by_channel(w, x) + _by_channel(b, x),
    [
        lambda g, _y, x, w, _b, _m, v, *, eps: g * _by_channel(w, x) * _by_channel(rsqrt(v + eps), x),
        lambda g, _y, x, _w, _b, m, v, *, eps: _to_channels(g * _settled(x, m, v, eps)),
        lambda g, _y, _x, _w, _b, _m, _v, *, eps: _to_channels(g),
        None,
        None,
    ],
    grad_fn="NativeBatchNormBackward0",
    formulas=("g * w * rstd", "sum(g * xhat)", "sum(g)", "", ""),
    about="entries less a running mean, over the root of a running variance",
)


def _update(running: Tensor, found: Any, momentum: float) -> None:
    """Move a running statistic toward what was found, in place."""
    with tape.grad_mode(False):
        replace(running, wrap((1.0 - momentum) * running.value + momentum * found))


@public("batch_norm", places=("F",), ops=(batch_norm_training, batch_norm_running))
def _batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Entries at mean 0 and variance 1 over all dimensions but dimension 1, times weight plus bias.

    Raises:
        IndexFault: there is no dimension of channels.
        ValueFault: one value a channel in training.
        RuntimeFault: a parameter of another shape, or no running statistics without training.
    """
    name = "batch_norm"
    if not tensor_arg(input, name).ndim:
        raise IndexFault(f"{name}: the input has 0 dimensions, and dimension 1 is that of the channels")
    x = _floating(input, name)
    if x.ndim < 2:
        raise IndexFault(f"{name}: the input has {x.ndim} dimensions, and dimension 1 is that of the channels")
    channels = (x.shape[1],)
    w = _parameter(weight, channels, x, name, "weight", 1.0)
    b = _parameter(bias, channels, x, name, "bias", 0.0)
    mean = _parameter(running_mean, channels, x, name, "running_mean", 0.0)
    variance = _parameter(running_var, channels, x, name, "running_var", 1.0)
    if not training:
        if running_mean is None or running_var is None:
            raise RuntimeFault(f"{name}: without training=True it needs running_mean and running_var")
        return apply(batch_norm_running, (x, w, b, mean, variance), {"eps": eps})
    count = prod(x.shape) // max(channels[0], 1)
    if count <= 1:
        raise ValueFault(f"{name}: one value a channel has no variance (the input's shape is {x.shape})")
    y = apply(batch_norm_training, (x, w, b), {"eps": eps})
    axes = _channels(x)
    if type(mean) is Tensor:
        _update(mean, x.value.mean(axis=axes), momentum)
    if type(variance) is Tensor:
        _update(variance, x.value.var(axis=axes, ddof=1), momentum)
    return y


# --- group_norm -----------------------------------------------------------------------------------


def _grouped(x: Any, groups: int) -> Any:
    """x as (rows, groups, entries)."""
    shape = shape_of(x)
    return reshape_to(x, shape=(shape[0], groups, prod(shape[1:]) // groups))


def _group_standard(x: Any, groups: int, eps: float) -> Any:
    return reshape_to(standard(_grouped(x, groups), (2,), eps)[0], shape=shape_of(x))


group_norm = primitive(
    "group_norm",
    lambda x, w, b, *, groups, eps: _group_standard(x, groups, eps) * _by_channel(w, x) + _by_channel(b, x),
    [
        lambda g, _y, x, w, _b, *, groups, eps: reshape_to(
            pull(_grouped(g * _by_channel(w, x), groups), _grouped(x, groups), (2,), eps), shape=shape_of(x)
        ),
        lambda g, _y, x, _w, _b, *, groups, eps: _to_channels(g * _group_standard(x, groups, eps)),
        lambda g, _y, _x, _w, _b, *, groups, eps: _to_channels(g),
    ],
    grad_fn="NativeGroupNormBackward0",
    formulas=("rstd * (g*w - mean(g*w) - xhat * mean(g*w * xhat))", "sum(g * xhat)", "sum(g)"),
    about="entries at mean 0 and variance 1 over groups of channels",
)


@public("group_norm", places=("F",), ops=(group_norm,))
def _group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    """Entries at mean 0 and variance 1 over groups of channels (dimension 1), times weight plus bias.

    Raises:
        RuntimeFault: no dimension of channels, channels that do not make the groups, a parameter of another shape.
    """
    name = "group_norm"
    x = _floating(input, name)
    if x.ndim < 2:
        raise RuntimeFault(f"{name}: the input has {x.ndim} dimensions, and dimension 1 is that of the channels")
    channels = x.shape[1]
    num_groups = int_arg(num_groups, name, "num_groups")
    if num_groups <= 0 or channels % num_groups:
        raise RuntimeFault(f"{name}: {channels} channels do not make {num_groups} groups of one size")
    w = _parameter(weight, (channels,), x, name, "weight", 1.0)
    b = _parameter(bias, (channels,), x, name, "bias", 0.0)
    return apply(group_norm, (x, w, b), {"groups": num_groups, "eps": eps})


@public("instance_norm", places=("F",), ops=(batch_norm_training,))
def _instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Entries at mean 0 and variance 1 for each sample and channel, times weight plus bias.

    Raises:
        IndexFault: there is no dimension of channels.
        ValueFault: one value a channel.
        NotImplementedFault: running statistics.
    """
    from autodiff_cli.engine.ops.joining import repeat
    from autodiff_cli.engine.ops.shaping import reshape

    name = "instance_norm"
    x = _floating(input, name)
    if x.ndim < 2:
        raise IndexFault(f"{name}: the input has {x.ndim} dimensions, and dimension 1 is that of the channels")
    if running_mean is not None or running_var is not None or not use_input_stats:
        raise NotImplementedFault(f"{name}: running statistics are not supported")
    if prod(x.shape[2:]) == 1:
        raise ValueFault(f"{name}: one value a channel has no variance (the input's shape is {tuple(x.shape)})")
    samples = x.shape[0]
    spread = [None if p is None else repeat(tensor_arg(p, name), samples) for p in (weight, bias)]
    rows = reshape(x, (1, samples * x.shape[1], *x.shape[2:]))
    shaped: Tensor = reshape(_batch_norm(rows, None, None, spread[0], spread[1], True, momentum, eps), tuple(x.shape))
    return shaped
