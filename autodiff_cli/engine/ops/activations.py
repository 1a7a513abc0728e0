"""Activation functions: the piecewise linear ones and the smooth ones. Their slopes at the kinks are in gates.py."""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.lazy import np, special
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.declare import form_in_place, takes
from autodiff_cli.engine.ops.elementary import tanh, tanh_backward
from autodiff_cli.engine.ops.gates import (
    OFF_ZERO,
    elu_backward,
    hardsigmoid_backward,
    hardswish_backward,
    hardtanh_backward,
    leaky_relu_backward,
    prelu_backward,
    prelu_weight_backward,
    shrink_backward,
    threshold_backward,
)
from autodiff_cli.engine.ops.special_functions import ROOT_HALF, ndtr, normal_density, sigmoid
from autodiff_cli.engine.registry import Op, pointwise
from autodiff_cli.errors import RuntimeFault

# --- piecewise linear -----------------------------------------------------------------------------


def _hardtanh(x: Any, *, low: float, high: float) -> Any:
    x = np.asarray(x)
    low, high = np.asarray(low).astype(x.dtype), np.asarray(high).astype(x.dtype)
    return np.where(x < low, low, np.where(x > high, high, x))


def _threshold(x: Any, *, threshold: float, value: float) -> Any:
    x = np.asarray(x)
    return np.where(x <= threshold, np.asarray(value).astype(x.dtype), x)


relu = pointwise(
    "relu",
    lambda x: 0.0 if x < 0.0 else x,
    takes("fi", "relu", lambda x: np.where(np.less(x, 0), 0, x).astype(np.asarray(x).dtype), RuntimeFault),
    [lambda g, y, _x: threshold_backward(g, y, threshold=0.0)],
    formulas=("1 if x > 0 else 0",),
    domain=OFF_ZERO,
    kinks="relu'(0) = 0",
    about="x where it is positive, else 0",
)
threshold = pointwise(
    "threshold",
    lambda x, *, threshold, value: value if x <= threshold else x,
    takes("fi", "threshold", _threshold),
    [lambda g, _y, x, *, threshold, value: threshold_backward(g, x, threshold=threshold)],
    formulas=("1 if x > threshold else 0",),
    domain=OFF_ZERO,
    kinks="at the threshold the derivative is 0",
    about="x where it is above a threshold, else a value",
)
form_in_place(threshold)
hardtanh = pointwise(
    "hardtanh",
    lambda x, *, low, high: low if x < low else high if x > high else x,
    takes("fi", "hardtanh", _hardtanh, RuntimeFault),
    [lambda g, _y, x, *, low, high: hardtanh_backward(g, x, low=low, high=high)],
    formulas=("1 if low < x < high else 0",),
    domain=((0.1, 0.9),),
    kinks="at a bound the derivative is 0",
    about="x, kept within two bounds",
)
leaky_relu = pointwise(
    "leaky_relu",
    lambda x, *, slope: x if x > 0.0 else x * slope,
    takes("f", "leaky_relu", lambda x, *, slope: np.where(x > 0, x, x * slope)),
    [lambda g, _y, x, *, slope: leaky_relu_backward(g, x, slope=slope)],
    formulas=("1 if x > 0 else slope",),
    domain=OFF_ZERO,
    kinks="at 0 the derivative is the slope",
    about="x where it is positive, else x times a small slope",
)
form_in_place(leaky_relu)
hardshrink = pointwise(
    "hardshrink",
    lambda x, *, lambd: 0.0 if -lambd <= x <= lambd else x,
    takes("f", "hardshrink", lambda x, *, lambd: np.where((x >= -lambd) & (x <= lambd), 0, x)),
    [lambda g, _y, x, *, lambd: shrink_backward(g, x, lambd=lambd)],
    formulas=("0 if -lambd <= x <= lambd else 1",),
    domain=((0.6, 2.0),),
    kinks="at -lambd and lambd the derivative is 0",
    about="0 within -lambd and lambd, else x",
)
softshrink = pointwise(
    "softshrink",
    lambda x, *, lambd: x - lambd if x > lambd else x + lambd if x < -lambd else 0.0 * x + 0.0,
    takes(
        "f",
        "softshrink",
        lambda x, *, lambd: np.where(x > lambd, x - lambd, np.where(x < -lambd, x + lambd, 0.0 * x + 0.0)),
    ),
    [lambda g, _y, x, *, lambd: shrink_backward(g, x, lambd=lambd)],
    formulas=("0 if -lambd <= x <= lambd else 1",),
    domain=((0.6, 2.0),),
    kinks="at -lambd and lambd the derivative is 0",
    about="x drawn toward 0 by lambd",
)
hardsigmoid = pointwise(
    "hardsigmoid",
    lambda x: min(max(x + 3.0, 0.0), 6.0) / 6.0,
    takes("f", "hardsigmoid", lambda x: np.minimum(np.maximum(x + 3, 0), 6) / 6),
    [lambda g, _y, x: hardsigmoid_backward(g, x)],
    formulas=("1 / 6 if -3 < x < 3 else 0",),
    kinks="at -3 and 3 the derivative is 0",
    about="a straight line from 0 at -3 to 1 at 3",
)
hardswish = pointwise(
    "hardswish",
    lambda x: x * min(max(x + 3.0, 0.0), 6.0) / 6.0,
    takes("f", "hardswish", lambda x: x * np.minimum(np.maximum(x + 3, 0), 6) / 6),
    [lambda g, _y, x: hardswish_backward(g, x)],
    formulas=("0 if x <= -3 else x / 3 + 1 / 2 if x < 3 else 1",),
    kinks="at -3 the derivative is 0, at 3 it is 1",
    about="x * hardsigmoid(x)",
)


def _prelu(x: Any, weight: Any) -> Any:
    return np.where(np.greater(x, 0), x, np.multiply(weight, x))


prelu = pointwise(
    "prelu",
    lambda x, weight: x if x > 0.0 else weight * x,
    takes("f", "prelu", _prelu),
    [
        lambda g, _y, x, weight: prelu_backward(g, x, weight),
        lambda g, _y, x, _weight: prelu_weight_backward(g, x),
    ],
    grad_fn="PreluKernelBackward0",
    formulas=("1 if x > 0 else weight", "0 if x > 0 else x"),
    domain=(*OFF_ZERO, (0.1, 0.9)),
    kinks="at 0 the derivative is the weight",
    about="x where it is positive, else x times a weight",
)

# --- smooth ---------------------------------------------------------------------------------------

SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def _elu_scalar(x: float, *, alpha: float, scale: float, input_scale: float) -> float:
    return math.expm1(x * input_scale) * (alpha * scale) if x < 0.0 else x * scale


def _elu(x: Any, *, alpha: float, scale: float, input_scale: float) -> Any:
    return np.where(x < 0, np.expm1(np.minimum(x, 0) * input_scale) * (alpha * scale), x * scale)


def _elu_op(name: str) -> Op:
    return pointwise(
        name,
        _elu_scalar,
        takes("f", "elu", _elu),
        [lambda g, _y, x, **params: elu_backward(g, x, **params)],
        formulas=("scale if x > 0 else input_scale * alpha * scale * exp(input_scale * x)",),
        domain=OFF_ZERO,
        kinks="at 0 the derivative is that of the left side, the second one 0",
        about="x where it is positive, else an exponential that falls to -alpha",
    )


elu, celu = _elu_op("elu"), _elu_op("celu")
form_in_place(elu)
form_in_place(celu)


def _softplus_scalar(x: float, *, beta: float, threshold: float) -> float:
    z = x * beta
    return x if z > threshold or z > 40.0 else math.log1p(math.exp(z)) / beta


def _softplus(x: Any, *, beta: float, threshold: float) -> Any:
    z = x * beta
    return np.where((z > threshold) | (z > 40), x, np.log1p(np.exp(np.minimum(z, 40))) / beta)


def _softplus_slope(g: Any, _y: Any, x: Any, *, beta: float, threshold: float) -> Any:
    z = x * beta
    # PyTorch's second derivative is 0 from the threshold on, that value included
    return where(z > threshold, g, g * sigmoid(where(z >= threshold, threshold, z)))


softplus = pointwise(
    "softplus",
    _softplus_scalar,
    takes("f", "softplus", _softplus),
    [_softplus_slope],
    formulas=("1 / (1 + exp(-beta * x))",),
    kinks="above beta * x = threshold it is x, with derivative 1",
    about="log(1 + exp(beta x)) / beta",
)
logsigmoid = pointwise(
    "logsigmoid",
    lambda x: min(x, 0.0) - math.log1p(math.exp(-abs(x))),
    takes("f", "logsigmoid", lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))),
    [lambda g, _y, x: g * sigmoid(-x)],
    grad_fn="LogSigmoidBackward0",
    formulas=("1 / (1 + exp(x))",),
    about="log(1 / (1 + exp(-x)))",
)


def _silu_slope(g: Any, _y: Any, x: Any) -> Any:
    return g * (sigmoid(x) * (1.0 + x * sigmoid(-x)))


silu = pointwise(
    "silu",
    lambda x: x / (1.0 + math.exp(-x)),
    takes("f", "silu", lambda x: np.true_divide(x, 1.0 + np.exp(-x))),
    [_silu_slope],
    formulas=("sigmoid(x) * (1 + x * (1 - sigmoid(x)))",),
    about="x * sigmoid(x)",
)


def _mish_slope(g: Any, _y: Any, x: Any) -> Any:
    soft = -logsigmoid(-x)  # softplus
    level = tanh(soft)
    return g * (level + x * tanh_backward(sigmoid(x), level, soft))


mish = pointwise(
    "mish",
    lambda x: x * math.tanh(math.log1p(math.exp(x))),
    takes("f", "mish", lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    [_mish_slope],
    formulas=("tanh(softplus(x)) + x * sigmoid(x) / cosh(softplus(x))**2",),
    about="x * tanh(softplus(x))",
)

# 1 + erf(x / sqrt(2)), PyTorch's form, is 0 for x < -8; erfc is not.
gelu = pointwise(
    "gelu",
    lambda x: x * 0.5 * math.erfc(-x * ROOT_HALF),
    takes("f", "gelu", lambda x: x * special.ndtr(x)),
    [lambda g, _y, x: g * (ndtr(x) + x * normal_density(x))],
    formulas=("ndtr(x) + x * exp(-x**2 / 2) / sqrt(2 * pi)",),
    about="x times the normal distribution of x",
)

CUBIC = 0.044715
TWICE_ROOT = 2.0 * math.sqrt(2.0 / math.pi)


def _gelu_tanh_scalar(x: float) -> float:
    u = TWICE_ROOT * (x + CUBIC * x * x * x)
    return x / (1.0 + math.exp(-u))


def _gelu_tanh(x: Any) -> Any:
    u = TWICE_ROOT * (x + CUBIC * x * x * x)
    return np.true_divide(x, 1.0 + np.exp(-u))


def _gelu_tanh_slope(g: Any, _y: Any, x: Any) -> Any:
    # (1 + tanh(u)) / 2 as a sigmoid of 2 u; past 30 all but the sigmoid has vanished, and x cubed could
    # overflow
    x = where(x > 30.0, 30.0, where(x < -30.0, -30.0, x))
    u = TWICE_ROOT * (x + CUBIC * x * x * x)
    level = sigmoid(u)
    return g * (level + x * level * sigmoid(-u) * TWICE_ROOT * (1.0 + 3.0 * CUBIC * x * x))


gelu_tanh = pointwise(
    "gelu_tanh",
    _gelu_tanh_scalar,
    takes("f", "gelu", _gelu_tanh),
    [_gelu_tanh_slope],
    grad_fn="GeluBackward0",
    formulas=("(1 + tanh(u)) / 2 + x / 2 * sqrt(2 / pi) * (1 + 0.134145 * x**2) / cosh(u)**2",),
    about="gelu by its tanh approximation",
)
