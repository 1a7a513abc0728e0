"""Losses of numbers: squared, absolute, between the two; cross entropies of probabilities and logits;
likelihoods.

A loss that is one operation in PyTorch is one op here, reduction included; the others are built of the
operations that PyTorch builds them of, so their graphs have the same nodes.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.apply import apply, raw
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.dtypes import dtype_of
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import div, mul, sub, subtract, where
from autodiff_cli.engine.ops.cross_entropies import binary_cross_entropy, binary_cross_entropy_with_logits
from autodiff_cli.engine.ops.declare import TWO, kind, number_arg
from autodiff_cli.engine.ops.expanding import common_shape
from autodiff_cli.engine.ops.loss_reduction import (
    loss_op,
    reduced_tensor,
    reduction_arg,
    refuse_gradient,
    same_shapes,
    share,
)
from autodiff_cli.engine.ops.powers import power
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.signs import abs_
from autodiff_cli.engine.ops.special_functions import sigmoid
from autodiff_cli.engine.ops.structure import cast
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, ValueFault

# --- differences ----------------------------------------------------------------------------------


def _square_slope(g: Any, x: Any, t: Any, reduction: str) -> Any:
    return share(2.0, x, reduction) * (x - t) * g


mse_loss = loss_op(
    "mse_loss",
    lambda x, t: (x - t) * (x - t),
    lambda x, t: np.square(x - t),
    [
        lambda g, _y, x, t, *, reduction: _square_slope(g, x, t, reduction),
        lambda g, _y, x, t, *, reduction: _square_slope(g, t, x, reduction),
    ],
    domain=TWO,
    formulas=("2 * (x - t) / n", "2 * (t - x) / n"),
    about="the squares of differences",
)


def _smooth(d: Any, *, beta: float) -> Any:
    z = np.abs(d)
    return np.where(z < beta, 0.5 * z * z / beta, z - 0.5 * beta)


def _smooth_scalar(x: float, t: float, *, beta: float) -> float:
    z = abs(x - t)
    return 0.5 * z * z / beta if z < beta else z - 0.5 * beta


def _smooth_slope(g: Any, x: Any, t: Any, reduction: str, beta: float) -> Any:
    d = x - t
    g = share(g, x, reduction)
    middle = where(d == d, g * d / beta, math.nan)  # nan has no second derivative
    return where(d <= -beta, -g, where(d >= beta, g, middle))


smooth_l1_loss = loss_op(
    "smooth_l1_loss",
    _smooth_scalar,
    lambda x, t, *, beta: _smooth(x - t, beta=beta),
    [
        lambda g, _y, x, t, *, reduction, beta: _smooth_slope(g, x, t, reduction, beta),
        lambda g, _y, x, t, *, reduction, beta: _smooth_slope(g, t, x, reduction, beta),
    ],
    grad_fn="SmoothL1LossBackward0",
    domain=TWO,
    formulas=("clamp((x - t) / beta, -1, 1) / n", "clamp((t - x) / beta, -1, 1) / n"),
    about="the absolute difference, a parabola where it is less than beta",
)


def _huber(d: Any, *, delta: float) -> Any:
    z = np.abs(d)
    return np.where(z <= delta, 0.5 * z * z, delta * (z - 0.5 * delta))


def _huber_scalar(x: float, t: float, *, delta: float) -> float:
    z = abs(x - t)
    return 0.5 * z * z if z <= delta else delta * (z - 0.5 * delta)


def _huber_slope(g: Any, x: Any, t: Any, reduction: str, delta: float) -> Any:
    values = raw(x), raw(t)  # a symbol, where the rule is written as a formula, has no dtype
    if all(type(v) is float or hasattr(v, "dtype") for v in values) and dtype_of(values[0]) is not dtype_of(values[1]):
        raise RuntimeFault(
            "huber_loss has no derivative where input and target have different dtypes, in PyTorch either",
            hint="convert the target first, as with target.to(input.dtype)",
        )
    d = x - t
    g = share(g, x, reduction)
    middle = where(d == d, g * d, math.nan)
    return where(d <= -delta, -g * delta, where(d >= delta, g * delta, middle))


huber_loss = loss_op(
    "huber_loss",
    _huber_scalar,
    lambda x, t, *, delta: _huber(x - t, delta=delta),
    [
        lambda g, _y, x, t, *, reduction, delta: _huber_slope(g, x, t, reduction, delta),
        lambda g, _y, x, t, *, reduction, delta: _huber_slope(g, t, x, reduction, delta),
    ],
    domain=TWO,
    formulas=("clamp(x - t, -delta, delta) / n", "clamp(t - x, -delta, delta) / n"),
    about="half the square of the difference, a straight line where it is more than delta",
)

# --- margins --------------------------------------------------------------------------------------

soft_margin_loss = loss_op(
    "soft_margin_loss",
    lambda x, t: -min(x * t, 0.0) + math.log1p(math.exp(-abs(x * t))),
    lambda x, t: -np.minimum(x * t, 0) + np.log1p(np.exp(-np.abs(x * t))),
    [lambda g, _y, x, t, *, reduction: share(g, x, reduction) * (-t * sigmoid(-t * x)), None],
    domain=((-2.0, 2.0), (-2.0, 2.0)),
    formulas=("-t * sigmoid(-t * x) / n", ""),
    about="log(1 + exp(-t x))",
)

# --- as functions ---------------------------------------------------------------------------------


def _operands(function: str, input: Any, target: Any) -> tuple[Tensor, ...]:
    return same_shapes(function, tensor_arg(input, function), tensor_arg(target, function, "target"))


def _weighted(function: str, entries: Tensor, weight: Any, reduction: str, *, by_weight: bool) -> Tensor:
    """Entries times weights; the mean is over the weights' sum or over the entries' number."""
    w = tensor_arg(weight, function, "weight")
    if w.shape != entries.shape:
        raise ValueFault(f"{function}: the weight has shape {w.shape} and the input {entries.shape}")
    weighted: Tensor = mul(entries, w)
    if reduction == "mean" and by_weight:
        ratio: Tensor = div(sum_(weighted), sum_(w))
        return ratio
    return reduced_tensor(weighted, reduction)


@public("mse_loss", places=("F",), ops=(mse_loss,), numbers=True)
def _mse_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Tensor:
    """The mean of the squared differences."""
    x, t = _operands("mse_loss", input, target)
    how = reduction_arg(reduction, size_average, reduce)
    if weight is None:
        return apply(mse_loss, (x, t), {"reduction": how})
    entries: Tensor = power(sub(x, t), 2)
    return _weighted("mse_loss", entries, weight, how, by_weight=True)


@public("l1_loss", places=("F",), ops=(abs_, sub), numbers=True)
def _l1_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Tensor:
    """The mean of the absolute differences."""
    x, t = _operands("l1_loss", input, target)
    how = reduction_arg(reduction, size_average, reduce)
    entries: Tensor = abs_(subtract(x, t))
    if weight is None:
        return reduced_tensor(entries, how)
    return _weighted("l1_loss", entries, weight, how, by_weight=True)


@public("smooth_l1_loss", places=("F",), ops=(smooth_l1_loss,), numbers=True)
def _smooth_l1_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: Any = 1.0,
) -> Tensor:
    """The mean absolute difference, a parabola where it is less than beta.

    Raises:
        RuntimeFault: beta is negative.
    """
    x, t = _operands("smooth_l1_loss", input, target)
    how = reduction_arg(reduction, size_average, reduce)
    width = float(number_arg(beta, "smooth_l1_loss", "beta"))
    if width < 0.0:
        raise RuntimeFault(f"smooth_l1_loss: beta can't be negative, and it is {width}")
    if width == 0.0:
        found: Tensor = _l1_loss(x, t, reduction=how)
        return found
    return apply(smooth_l1_loss, (x, t), {"reduction": how, "beta": width})


@public("huber_loss", places=("F",), ops=(huber_loss,), numbers=True)
def _huber_loss(input: Any, target: Any, reduction: str = "mean", delta: Any = 1.0, weight: Any = None) -> Tensor:
    """Half the mean squared difference, a straight line where it is more than delta.

    Raises:
        RuntimeFault: delta is not positive, or the loss is of a larger category than the input.
        ValueFault: a weight of another shape.
    """
    x, t = _operands("huber_loss", input, target)
    how = reduction_arg(reduction) if weight is None else "none"
    width = float(number_arg(delta, "huber_loss", "delta"))
    if width <= 0.0:
        raise RuntimeFault(f"huber_loss: delta must be positive, and it is {width}")
    if weight is None:
        return _in_input("huber_loss", x, t, apply(huber_loss, (x, t), {"reduction": how, "delta": width}))
    entries = apply(huber_loss, (x, t), {"reduction": "none", "delta": width})
    return _weighted("huber_loss", entries, weight, reduction_arg(reduction), by_weight=False)


def _in_input(function: str, x: Tensor, t: Tensor, loss: Tensor) -> Tensor:
    """The loss in the input's dtype, which PyTorch writes it in.

    Raises:
        RuntimeFault: the input is of a lesser category than the loss.
    """
    if loss.dtype is x.dtype:
        return loss
    if loss.dtype.category > x.dtype.category:
        raise RuntimeFault(
            f"{function}: the loss of a {x.dtype} input and a {t.dtype} target is {loss.dtype}, which {x.dtype} can't hold",
            hint="convert the input, as with input.double()",
        )
    return cast(loss, dtype=x.dtype)


def _equal_shapes(function: str, x: Tensor, t: Tensor) -> None:
    if x.shape != t.shape:
        raise ValueFault(
            f"{function}: the target has shape {t.shape} and the input {x.shape}; they must be equal",
            hint="reshape one of them, as with .view_as(...)",
        )


def _constant(function: str, weight: Any, name: str, x: Tensor) -> Any:
    """A weight in the input's dtype: 1 where there is none.

    Raises:
        RuntimeFault: it requires a gradient, which it can't be given, or doesn't broadcast to the input.
    """
    if weight is None:
        return 1.0
    w = tensor_arg(weight, function, name)
    refuse_gradient(function, w, name)
    if common_shape([w.shape, x.shape], function) != x.shape:
        raise RuntimeFault(f"{function}: the {name} has shape {w.shape} and the input {x.shape}")
    return w if w.dtype is x.dtype else cast(w, dtype=x.dtype)


def _floating_target(function: str, t: Tensor) -> None:
    if kind(t.value) != "f":
        raise RuntimeFault(f"{function}: the target is {t.dtype} and must be floating", hint="write target.double()")


@public("binary_cross_entropy", places=("F",), ops=(binary_cross_entropy,), numbers=True)
def _binary_cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean cross entropy of probabilities and targets, both between 0 and 1.

    Raises:
        ValueFault: shapes that differ.
        RuntimeFault: dtypes that differ, an entry outside of 0 to 1, a weight that requires a gradient.
    """
    name = "binary_cross_entropy"
    how = reduction_arg(reduction, size_average, reduce)
    x, t = tensor_arg(input, name), tensor_arg(target, name, "target")
    _equal_shapes(name, x, t)
    _floating_target(name, t)
    if t.dtype is not x.dtype:
        raise RuntimeFault(f"{name}: the input is {x.dtype} and the target {t.dtype}: they must agree")
    w = _constant(name, weight, "weight", x)
    inside = 0.0 <= x.value <= 1.0 if type(x.value) is float else np.all((x.value >= 0) & (x.value <= 1))
    if not inside:
        raise RuntimeFault(
            f"{name}: the input has entries that are no probabilities (between 0 and 1)",
            hint="put them through torch.sigmoid, or use binary_cross_entropy_with_logits",
        )
    return apply(binary_cross_entropy, (x, t, w), {"reduction": how})


@public("binary_cross_entropy_with_logits", places=("F",), ops=(binary_cross_entropy_with_logits,), numbers=True)
def _binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Tensor:
    """The mean cross entropy of the logits' sigmoids and targets between 0 and 1."""
    name = "binary_cross_entropy_with_logits"
    how = reduction_arg(reduction, size_average, reduce)
    x, t = tensor_arg(input, name), tensor_arg(target, name, "target")
    _equal_shapes(name, x, t)
    _floating_target(name, t)
    w, p = _constant(name, weight, "weight", x), _constant(name, pos_weight, "pos_weight", x)
    return apply(binary_cross_entropy_with_logits, (x, t, w, p), {"reduction": how})


@public("soft_margin_loss", places=("F",), ops=(soft_margin_loss,), numbers=True)
def _soft_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """The mean of log(1 + exp(-t x)), t being 1 or -1.

    Raises:
        RuntimeFault: a target that is larger than the input, or requires a gradient.
    """
    how = reduction_arg(reduction, size_average, reduce)
    name = "soft_margin_loss"
    shape = tensor_arg(input, name).shape
    x, t = _operands(name, input, target)
    if x.shape != shape:
        raise RuntimeFault(f"{name}: the target of shape {tuple(target.shape)} does not fit in the input's {shape}")
    refuse_gradient(name, t, "target")
    return _in_input(name, x, t, apply(soft_margin_loss, (x, t), {"reduction": how}))
