"""torch.nn.functional.pad (constant, reflect, replicate, circular) and one_hot.

A margin that is taken from the tensor is an index along each padded dimension in turn (`_source`); its rule sums what
came of one place back into that place. A negative width cuts off, and is the rule of a positive one.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, check_size
from autodiff_cli.engine.arguments import int_arg, list_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.cutting import zeros_for
from autodiff_cli.engine.ops.declare import number_arg
from autodiff_cli.engine.ops.gathering import add_at
from autodiff_cli.engine.ops.structure import Shape, product
from autodiff_cli.engine.registry import Op, primitive, public, settle, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

Pads = tuple[tuple[int, int], ...]  # for each dimension: how many before, how many after; negative ones cut off

# --- constant -----------------------------------------------------------------------------------------------


def _constant_pad(x: Any, *, pads: Pads, value: Any) -> Any:
    x = np.asarray(x)
    out = np.full(tuple(n + a + b for n, (a, b) in zip(x.shape, pads, strict=True)), value, x.dtype)
    inner = tuple(slice(max(a, 0), n + a + min(b, 0)) for n, (a, b) in zip(x.shape, pads, strict=True))
    outer = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, pads, strict=True))
    out[inner] = x[outer]
    return out


def _opposite(pads: Pads) -> Pads:
    return tuple((-a, -b) for a, b in pads)


constant_pad: Op = primitive(
    "constant_pad",
    _constant_pad,
    [lambda g, _y, _x, *, pads, value: constant_pad(g, pads=_opposite(pads), value=0.0)],
    grad_fn="ConstantPadNdBackward0",
    formulas=("1",),
    about="a margin of one number; negative widths cut off",
)

# --- from the tensor itself ---------------------------------------------------------------------------------


def _source(n: int, before: int, after: int, mode: str) -> Any:
    """For each place of a padded dimension the place it is taken from."""
    if mode == "circular":  # what is cut off is not part of the circle
        first, last = max(-before, 0), n - max(-after, 0)
        return np.arange(-max(before, 0), last - first + max(after, 0)) % max(last - first, 1) + first
    places = np.arange(-before, n + after)
    if mode == "replicate":
        return places.clip(0, n - 1)
    places = np.abs(places)
    return np.where(places >= n, 2 * (n - 1) - places, places)


def _pad(x: Any, *, pads: Pads, mode: str) -> Any:
    x = np.asarray(x)
    for d, (a, b) in enumerate(pads):
        if a or b:
            x = x.take(_source(x.shape[d], a, b, mode), d)
    return x


def _pad_back(g: Any, *, pads: Pads, mode: str, shape: Shape) -> Any:
    for d in reversed(range(len(pads))):
        a, b = pads[d]
        if a or b:
            out = zeros_for(g, (*g.shape[:d], shape[d], *g.shape[d + 1 :]))
            g = add_at(out, d, _source(shape[d], a, b, mode), g)
    return g


def _mode_op(name: str, grad_fn: str) -> Op:
    return primitive(
        name,
        _pad,
        [lambda g, _y, x, *, pads, mode: pad_back(g, pads=pads, mode=mode, shape=shape_of(x))],
        grad_fn=grad_fn,
        formulas=("1, summed over the copies",),
        about="a margin taken from the tensor itself",
    )


pad_back: Op = primitive(
    "pad_backward",
    _pad_back,
    [lambda g, _y, _x, *, pads, mode, shape: pad_op(mode, pads)(g, pads=pads, mode=mode)],
    grad_fn="ReflectionPadBackwardBackward0",
    formulas=("1",),
    about="a padded tensor folded back",
)
_OPS = {
    **{
        (mode, k): _mode_op(f"{mode}_pad_{k}d", f"{stem}Pad{k}DBackward0")
        for mode, stem in (("reflect", "Reflection"), ("replicate", "Replication"))
        for k in (1, 2, 3)
    },
    # PyTorch builds this one of slices that are copied in
    **{("circular", k): _mode_op(f"circular_pad_{k}d", "torch::autograd::CopySlices") for k in (1, 2, 3)},
}


def pad_op(mode: str, pads: Pads) -> Op:
    """The op of a mode; which of PyTorch's names it has depends on the number of dimensions padded."""
    return _OPS[mode, min(max(sum(1 for _ in _padded(pads)), 1), 3)]


def _padded(pads: Pads) -> tuple[int, ...]:
    """The dimensions from the first padded one on."""
    first = next((d for d, (a, b) in enumerate(pads) if a or b), len(pads) - 1)
    return tuple(range(first, len(pads)))


def _widths(t: Tensor, pad: Any) -> Pads:
    """Widths for each dimension, from PyTorch's list that begins with the last one.

    Raises:
        RuntimeFault: an odd number of widths, more than the dimensions have, or a negative size.
    """
    widths = list_arg(pad, "pad", "pad")
    if len(widths) % 2:
        raise RuntimeFault(f"pad: the widths come in pairs, and {len(widths)} are given", hint="pad(x, (left, right))")
    if len(widths) > 2 * t.ndim:
        raise RuntimeFault(f"pad: {len(widths)} widths are given for a tensor with {t.ndim} dimensions")
    pairs = [(widths[i], widths[i + 1]) for i in range(0, len(widths), 2)]
    pads = ((0, 0),) * (t.ndim - len(pairs)) + tuple(reversed(pairs))
    for d, (n, (a, b)) in enumerate(zip(t.shape, pads, strict=True)):
        if n + a + b < 0:
            raise RuntimeFault(f"pad: dimension {d} of size {n} would get the size {n + a + b}")
    check_size(product([n + a + b for n, (a, b) in zip(t.shape, pads, strict=True)]), "pad")
    return pads


@public("pad", places=("F",), ops=(constant_pad,), about="with a margin: constant, reflect, replicate or circular")
def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """`pad` has (before, after) of the last dimension first, then of those before it.

    Raises:
        NotImplementedFault: an unknown mode, or as many widths as it does not take.
        RuntimeFault: a margin that a dimension is too short for, or a value in another mode than constant.
    """
    t = tensor_arg(input, "pad")
    if mode == "constant":
        filling = 0 if value is None else number_arg(value, "pad", "value")
        return apply(constant_pad, (t,), {"pads": _widths(t, pad), "value": filling})
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedFault(f"pad: there is no mode {mode!r}", hint="constant, reflect, replicate or circular")
    if value is not None and value != 0:
        raise RuntimeFault(f"pad: mode {mode!r} takes no value", hint="the value is for mode='constant'")
    widths = list_arg(pad, "pad", "pad")
    k = len(widths) // 2
    if len(widths) % 2 or k not in (1, 2, 3) or t.ndim not in (k + 1, k + 2):
        raise NotImplementedFault(
            f"pad: mode {mode!r} does not take {len(widths)} widths for a tensor with {t.ndim} dimensions",
            hint="2 widths for 2 or 3 dimensions, 4 for 3 or 4, 6 for 4 or 5; unsqueeze() adds dimensions",
        )
    pads = _widths(t, pad)
    for n, (a, b) in zip(t.shape, pads, strict=True):
        if (mode == "reflect" and max(a, b) >= n and max(a, b) > 0) or (mode == "circular" and max(a, b) > n):
            raise RuntimeFault(f"pad: mode {mode!r} can't give a margin of ({a}, {b}) to a dimension of size {n}")
        if mode == "replicate" and n == 0 and (a or b):
            raise RuntimeFault("pad: mode 'replicate' can't pad an empty dimension")
    return apply(_OPS[mode, k], (t,), {"pads": pads, "mode": mode})


# --- one_hot ------------------------------------------------------------------------------------------------


@public("one_hot", places=("F",), about="a row of zeros with a 1 at each index")
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """int64, with a last dimension of num_classes (-1: the largest class and one more).

    Raises:
        RuntimeFault: other dtypes than int64, a negative class, or one that is too large.
    """
    t = tensor_arg(tensor, "one_hot", "tensor")
    if t.dtype.name != "int64":
        raise RuntimeFault(f"one_hot: the classes are int64, not {t.dtype}", hint="convert them with .long()")
    classes, count = np.asarray(t.value), int_arg(num_classes, "one_hot", "num_classes")
    if classes.size and classes.min() < 0:
        raise RuntimeFault("one_hot: a class can't be negative")
    if count == -1:
        if not classes.size:
            raise RuntimeFault("one_hot: an empty tensor does not say how many classes there are", hint="num_classes=3")
        count = int(classes.max()) + 1
    if count < 0 or (classes.size and classes.max() >= count) or (count == 0 and not classes.size):
        raise RuntimeFault(f"one_hot: a class is not smaller than num_classes = {count}")
    check_size(classes.size * count, "one_hot")
    return wrap(settle((classes[..., None] == np.arange(count)).astype(np.int64)))
