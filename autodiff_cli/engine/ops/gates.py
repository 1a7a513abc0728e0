"""The slopes of the activation functions that have kinks, each times a cotangent: a gate, an op of its own.

A gate (`ThresholdBackward` and its like in PyTorch) passes the cotangent or not, with a derivative of its own in the
operand. So a cotangent that is nan stays out of where the slope is 0. Conventions at the kinks are PyTorch's:
relu'(0) = 0, the slope of hardtanh, relu6 and hardsigmoid is 0 at both ends, that of elu at 0 is the left one. At nan
the slope is that of where no comparison holds: PyTorch's own for a tensor of one element (its loop over eight at a time
gives 0 for hardtanh and the shrinks).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.declare import NOT_IMPLEMENTED, no_rule
from autodiff_cli.engine.registry import Op, pointwise

OFF_ZERO = ((0.1, 2.0),)


def _gate(name: str, scalar: Callable[..., float], array: Callable[..., Any], title: str, about: str) -> Op:
    """An op (g, x) -> g or a part of it, by where x lies."""
    op = pointwise(
        name,
        scalar,
        array,
        [lambda g, _y, _g, x, **params: op(g, x, **params), lambda _g, _y, _g1, _x, **_params: 0.0],
        grad_fn=f"{title}BackwardBackward0",
        domain=((-2.0, 2.0), (0.1, 0.2)),
        about=about,
    )
    return op


threshold_backward = _gate(
    "threshold_backward",
    lambda g, x, *, threshold: 0.0 if x <= threshold else g,
    lambda g, x, *, threshold: np.where(x <= threshold, 0, g),
    "Threshold",
    "g where x is above the threshold, else 0",
)
hardtanh_backward = _gate(
    "hardtanh_backward",
    lambda g, x, *, low, high: 0.0 if x <= low or x >= high else g,
    lambda g, x, *, low, high: np.where((x <= low) | (x >= high), 0, g),
    "Hardtanh",
    "g where x is between the bounds, else 0",
)
leaky_relu_backward = _gate(
    "leaky_relu_backward",
    lambda g, x, *, slope: g if x > 0.0 else g * slope,
    lambda g, x, *, slope: np.where(x > 0, g, g * slope),
    "LeakyRelu",
    "g where x is positive, else g times the slope",
)
shrink_backward = _gate(
    "shrink_backward",
    lambda g, x, *, lambd: 0.0 if -lambd <= x <= lambd else g,
    lambda g, x, *, lambd: np.where((x >= -lambd) & (x <= lambd), 0, g),
    "Hardshrink",
    "0 where x is within -lambd and lambd, else g",
)
hardsigmoid_backward = pointwise(
    "hardsigmoid_backward",
    lambda g, x: g / 6.0 if -3.0 < x < 3.0 else 0.0,
    lambda g, x: np.where((x > -3) & (x < 3), g / 6, 0),
    [no_rule("the gradient of hardsigmoid")] * 2,
    grad_fn=NOT_IMPLEMENTED,
    domain=((-2.0, 2.0), (0.1, 0.2)),
    about="g / 6 where x is between -3 and 3, else 0",
)
hardswish_backward: Op = pointwise(
    "hardswish_backward",
    lambda g, x: 0.0 if x <= -3.0 else g * (x / 3.0 + 0.5) if x < 3.0 else g,
    lambda g, x: np.where(x <= -3, 0, np.where(x < 3, g * (x / 3 + 0.5), g)),
    [
        lambda d, _y, _g, x: hardswish_backward(d, x),
        lambda d, _y, g, x: where((x > -3.0) & (x < 3.0), d * g / 3.0, 0.0),
    ],
    grad_fn="HardswishBackwardBackward0",
    formulas=("0 if x <= -3 else x / 3 + 1 / 2 if x < 3 else 1", "g / 3 if -3 < x < 3 else 0"),
    about="g times the slope of hardswish at x",
)


def _elu_gate(g: Any, x: Any, *, alpha: float, scale: float, input_scale: float) -> Any:
    left = g * (input_scale * alpha * scale) * np.exp(np.minimum(x, 0) * input_scale)
    return np.where(x <= 0, left, g * scale)


def _elu_gate_scalar(g: float, x: float, *, alpha: float, scale: float, input_scale: float) -> float:
    return g * (input_scale * alpha * scale) * math.exp(x * input_scale) if x <= 0.0 else g * scale


elu_backward: Op = pointwise(
    "elu_backward",
    _elu_gate_scalar,
    _elu_gate,
    [
        lambda d, _y, _g, x, **params: elu_backward(d, x, **params),
        lambda d, _y, g, x, *, alpha, scale, input_scale: (
            elu_backward(d * g * input_scale, x, alpha=alpha, scale=scale, input_scale=input_scale) * (x < 0.0)
        ),
    ],
    grad_fn="EluBackwardBackward0",
    domain=((-2.0, 2.0), OFF_ZERO[0]),
    formulas=(
        "scale if x > 0 else input_scale * alpha * scale * exp(input_scale * x)",
        "0 if x >= 0 else g * input_scale**2 * alpha * scale * exp(input_scale * x)",
    ),
    about="g times the slope of elu at x",
)


def _below(x: Any, low: Any, high: Any) -> Any:
    """In a rule: `high` where x >= 0, else `low` (for nan as well)."""
    return where(x >= 0.0, high, low)


# PyTorch's two gradients of prelu are one node, whose own derivative takes the kink at 0 for the right side.
prelu_backward: Op = pointwise(
    "prelu_backward",
    lambda g, x, weight: g if x > 0.0 else weight * g,
    lambda g, x, weight: np.where(np.greater(x, 0), g, np.multiply(weight, g)),
    [
        lambda d, _y, _g, x, weight: _below(x, d * weight, d),
        lambda _d, _y, _g, _x, _weight: 0.0,
        lambda d, _y, g, x, _weight: _below(x, d * g, 0.0),
    ],
    grad_fn="PreluKernelBackwardBackward0",
    domain=((-2.0, 2.0), OFF_ZERO[0], (0.1, 0.9)),
    formulas=("1 if x >= 0 else weight", "0", "0 if x >= 0 else g"),
    about="g times the slope of prelu at x",
)
prelu_weight_backward: Op = pointwise(
    "prelu_weight_backward",
    lambda g, x: 0.0 if x > 0.0 else x * g,
    lambda g, x: np.where(np.greater(x, 0), 0, np.multiply(x, g)),
    [lambda d, _y, _g, x: _below(x, d * x, 0.0), lambda d, _y, g, x: _below(x, d * g, 0.0)],
    grad_fn="PreluKernelBackwardBackward0",
    domain=((-2.0, 2.0), OFF_ZERO[0]),
    formulas=("0 if x >= 0 else x", "0 if x >= 0 else g"),
    about="g times the slope of prelu in its weight",
)
