"""The losses of classes: nll_loss, and cross_entropy as PyTorch builds it of log_softmax.

`nll_loss` is linear in its input, so its rule is its adjoint (`nll_spread`), whose rule is `nll_loss` again.
"""

from __future__ import annotations

from math import prod
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import add, add_number, div_number, mul, mul_number, neg
from autodiff_cli.engine.ops.declare import kind
from autodiff_cli.engine.ops.extrema import masked_fill
from autodiff_cli.engine.ops.loss_reduction import reduced_tensor, reduction_arg, refuse_gradient
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.shaping import reshape
from autodiff_cli.engine.ops.softmaxes import log_softmax_op
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, ValueFault

IGNORED = -100  # PyTorch's default of ignore_index

# --- the primitive --------------------------------------------------------------------------------


def _weights(shape: tuple[int, ...], target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """The targets with the ignored ones set to 0, and the weight of each (0 for an ignored one).

    Raises:
        IndexFault: a target is no class.
    """
    target = np.asarray(target)
    valid = target != ignore_index
    classes = shape[0] if len(shape) == 1 else shape[1]
    safe = np.where(valid, target, 0)
    if safe.size and (safe.min() < 0 or safe.max() >= classes):
        bad = safe[(safe < 0) | (safe >= classes)].reshape(-1)[0]
        raise IndexFault(
            f"nll_loss: there is no class {bad}: the input has {classes} of them, numbered from 0",
            hint=f"targets are class numbers, 0 to {classes - 1} (or ignore_index, {ignore_index})",
        )
    each = np.asarray(weight)[safe] if np.ndim(weight) else weight
    return safe, np.where(valid, each, 0)


def _nll(x: Any, target: Any, weight: Any, *, reduction: str, ignore_index: int) -> Any:
    safe, w = _weights(x.shape, target, weight, ignore_index)
    axis = 0 if x.ndim == 1 else 1
    picked = np.take_along_axis(x, np.expand_dims(safe, axis), axis).squeeze(axis)
    entries = np.where(w == 0, 0, -picked * w).astype(x.dtype)
    if reduction == "none":
        return entries
    total = entries.sum()
    return (total if reduction == "sum" else np.true_divide(total, w.sum())).astype(x.dtype)


def _spread(g: Any, x: Any, target: Any, weight: Any, *, reduction: str, ignore_index: int) -> Any:
    shape = x.shape
    safe, w = _weights(shape, target, weight, ignore_index)
    axis = 0 if len(shape) == 1 else 1
    g = np.asarray(g)
    if reduction == "mean":
        w = np.where(w == 0, 0, np.true_divide(w, w.sum()))  # all ignored: no cotangent, where the loss is nan
    share = g * w
    out = np.zeros(shape, g.dtype)
    np.put_along_axis(out, np.expand_dims(safe, axis), 0 - np.expand_dims(share, axis).astype(g.dtype), axis)
    return out


def _nll_op(name: str, grad_fn: str) -> Op:
    op = primitive(
        name,
        _nll,
        [
            lambda g, _y, x, target, weight, **params: nll_spread(g, x, target, weight, **params),
            None,
            None,
        ],
        grad_fn=grad_fn,
        formulas=("-weight[target] / n at the target's class, else 0", "", ""),
        about="minus the entries at the targets' classes",
    )
    return op


nll_loss = _nll_op("nll_loss", "NllLossBackward0")
nll_loss_2d = _nll_op("nll_loss_2d", "NllLoss2DBackward0")
nll_spread = primitive(
    "nll_spread",
    _spread,
    [
        lambda g, _y, _g, like_x, target, weight, **params: (nll_loss if len(shape_of(like_x)) < 3 else nll_loss_2d)(
            g, target, weight, **params
        ),
        lambda _g, _y, _g1, _x, _target, _weight, **_params: 0.0,
        None,
        None,
    ],
    grad_fn="NllLossBackwardBackward0",
    about="a loss's cotangent, spread to the targets' classes",
)

# --- as functions ---------------------------------------------------------------------------------


def _check_targets(x: Tensor, target: Tensor, function: str) -> Tensor:
    """The targets in the shape that goes with the input: () for (C,), (N, ...) for (N, C, ...)."""
    if x.ndim == 0:
        raise ValueFault(f"{function}: the input has no dimension of classes (its shape is ())")
    if x.ndim == 1:
        if target.numel() != 1:
            raise ValueFault(
                f"{function}: one row of {x.shape[0]} classes has one target, and there are {target.numel()}"
            )
        return target if target.ndim == 0 else reshape(target, ())
    if target.ndim == 0 or target.shape[0] != x.shape[0]:
        count = target.shape[0] if target.ndim else 1
        raise ValueFault(
            f"{function}: {x.shape[0]} rows in the input and {count} targets",
            hint="the target has one class number for each row; its shape is the input's without dimension 1",
        )
    if target.shape != (x.shape[0], *x.shape[2:]):
        raise RuntimeFault(
            f"{function}: the target has shape {target.shape}, and {(x.shape[0], *x.shape[2:])} goes with "
            f"an input of shape {x.shape}"
        )
    return target


def _check_weight(x: Tensor, weight: Any, function: str) -> Any:
    if weight is None:
        return 1.0
    w = tensor_arg(weight, function, "weight")
    refuse_gradient(function, w, "weight")
    classes = x.shape[0] if x.ndim == 1 else x.shape[1]
    if w.shape != (classes,):
        raise RuntimeFault(f"{function}: the weight has shape {w.shape}, and there are {classes} classes")
    if w.dtype is not x.dtype:
        raise RuntimeFault(f"{function}: the weight is {w.dtype} and the input {x.dtype}: they must agree")
    return w


def _nll_loss(x: Tensor, target: Tensor, weight: Any, how: str, ignore_index: int, function: str) -> Tensor:
    target = _check_targets(x, target, function)
    if kind(target.value) == "f":
        raise RuntimeFault(
            f"{function}: the target is {target.dtype}, and class numbers are integers",
            hint="convert it, as with target.long()",
        )
    if kind(x.value) != "f":
        raise NotImplementedFault(f"{function} is not defined for {x.dtype}", hint="convert with .double()")
    w = _check_weight(x, weight, function)
    params = {"reduction": how, "ignore_index": ignore_index}
    if x.ndim <= 2:
        return apply(nll_loss, (x, target, w), params)
    shape = target.shape
    if x.ndim != 4:  # PyTorch has one of images, and makes all others such
        x = reshape(x, (*x.shape[:2], 1, prod(x.shape[2:])))
        target = reshape(target, (shape[0], 1, prod(shape[1:])))
    loss = apply(nll_loss_2d, (x, target, w), params)
    return reshape(loss, shape) if loss.ndim and loss.shape != shape else loss


@public("nll_loss", places=("F",), ops=(nll_loss, nll_loss_2d), numbers=True)
def _nll_loss_function(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = IGNORED,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of minus the log-probabilities at the targets' classes (dimension 1)."""
    how = reduction_arg(reduction, size_average, reduce)
    x, t = tensor_arg(input, "nll_loss"), tensor_arg(target, "nll_loss", "target")
    return _nll_loss(x, t, weight, how, ignore_index, "nll_loss")


@public("cross_entropy", places=("F",), ops=(log_softmax_op, nll_loss, nll_loss_2d), numbers=True)
def _cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = IGNORED,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """The mean cross entropy of logits (classes in dimension 1) and class numbers or class probabilities.

    Raises:
        IndexFault: the input is 0-d, or a class is out of range.
        NotImplementedFault: the input is not floating.
        RuntimeFault: a target of another dtype or shape, label_smoothing outside of 0 to 1.
    """
    how = reduction_arg(reduction, size_average, reduce)
    x, t = tensor_arg(input, "cross_entropy"), tensor_arg(target, "cross_entropy", "target")
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeFault(f"cross_entropy: label_smoothing is {label_smoothing}, and lies between 0 and 1")
    probabilities = x.shape == t.shape
    if probabilities and kind(t.value) != "f":
        raise RuntimeFault(
            f"cross_entropy: a target of the input's shape holds probabilities, and this one is {t.dtype}",
            hint="class numbers have the input's shape without its dimension 1",
        )
    if not x.ndim:
        raise IndexFault("cross_entropy: the input has no dimension of classes (its shape is ())")
    if kind(x.value) != "f":
        raise NotImplementedFault(f"cross_entropy is not defined for {x.dtype}", hint="convert with .double()")
    if probabilities and ignore_index >= 0:
        raise RuntimeFault("cross_entropy: ignore_index goes with class numbers, not with probabilities")
    logp = apply(log_softmax_op, (x,), {"dim": 0 if x.ndim <= 1 else 1})
    if probabilities:
        return _of_probabilities(logp, t, weight, how, label_smoothing)
    loss = _nll_loss(logp, t, weight, how, ignore_index, "cross_entropy")
    if label_smoothing == 0.0:
        return loss
    smooth = _smooth(logp, _check_targets(x, t, "cross_entropy"), weight, how, ignore_index)
    classes = x.shape[0] if x.ndim == 1 else x.shape[1]
    mixed: Tensor = add(mul_number(loss, 1.0 - label_smoothing), mul_number(smooth, label_smoothing / classes))
    return mixed


def _by_class(logp: Tensor, weight: Any) -> Tensor:
    """The weight of each class, in a shape that broadcasts to the log-probabilities."""
    w = _check_weight(logp, weight, "cross_entropy")
    shape = (w.shape[0],) if logp.ndim == 1 else (1, w.shape[0], *(1,) * (logp.ndim - 2))
    spread: Tensor = reshape(w, shape)
    return spread


def _of_probabilities(logp: Tensor, target: Tensor, weight: Any, how: str, smoothing: float) -> Tensor:
    classes = logp.shape[0] if logp.ndim == 1 else logp.shape[1]
    if smoothing > 0.0:
        target = add_number(mul_number(target, 1.0 - smoothing), smoothing / classes)
    entries = mul(logp, target)
    if weight is not None:
        entries = mul(entries, _by_class(logp, weight))
    if how == "none":
        by_row: Tensor = neg(sum_(entries, 0 if logp.ndim == 1 else 1))
        return by_row
    total: Tensor = neg(sum_(entries))
    if how == "sum":
        return total
    mean: Tensor = div_number(total, max(logp.numel() // max(classes, 1), 1))
    return mean


def _smooth(logp: Tensor, target: Tensor, weight: Any, how: str, ignore_index: int) -> Tensor:
    """The loss of a target that is the same for all classes, where the target is not ignored."""
    entries = logp if weight is None else mul(logp, _by_class(logp, weight))
    loss: Tensor = neg(sum_(entries, 0 if logp.ndim == 1 else 1))
    ignored = np.asarray(target.value) == ignore_index
    if ignored.any():
        loss = masked_fill(loss, wrap(ignored), 0.0)
    if how != "mean":
        return reduced_tensor(loss, how)
    if weight is None:
        share = float(ignored.size - ignored.sum())
    else:
        share = float(np.asarray(weight.value)[np.asarray(target.value)[~ignored]].sum())
    mean: Tensor = div_number(sum_(loss), share)
    return mean
