"""Cross entropies of two classes: of probabilities, and of logits."""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.activations import logsigmoid
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.elementary import log, log1p
from autodiff_cli.engine.ops.extrema import clamp_low
from autodiff_cli.engine.ops.loss_reduction import loss_op, share
from autodiff_cli.engine.ops.special_functions import sigmoid
from autodiff_cli.engine.registry import Op, pointwise

LEAST_LOG = -100.0  # PyTorch bounds the logarithms there, so that 0 * log(0) is 0
EPS = 1e-12  # PyTorch adds it to the factors of the second derivative
LEAST_PRODUCT = 9.999999960041972e-13  # and x (1 - x) in the derivative: 1e-12 in single precision


def _bce_scalar(x: float, t: float, w: float) -> float:
    near_0 = max(math.log1p(-x), LEAST_LOG)
    near_1 = max(math.log(x), LEAST_LOG)
    return ((t - 1.0) * near_0 - t * near_1) * w


def _bce(x: Any, t: Any, w: Any) -> Any:
    return ((t - 1) * np.maximum(np.log1p(-x), LEAST_LOG) - t * np.maximum(np.log(x), LEAST_LOG)) * w


# PyTorch's derivative of it is no derivative of the bounded quotient: it is 0 where x and t are both 0, or both 1
binary_slope: Op = pointwise(
    "binary_cross_entropy_backward",
    lambda g, x, t, w: g * (x - t) / max((1.0 - x) * x, LEAST_PRODUCT) * w,
    lambda g, x, t, w: g * (x - t) / np.maximum((1.0 - x) * x, LEAST_PRODUCT) * w,
    [
        lambda d, _y, _g, x, t, w: binary_slope(d, x, t, w),
        lambda d, _y, g, x, t, w: (
            d * g * w * (x * x - 2.0 * x * t + t) / ((x + EPS) * (x + EPS) * (1.0 - x + EPS) * (1.0 - x + EPS))
        ),
        lambda d, _y, g, x, _t, w: -d * g * w / clamp_low((1.0 - x) * x, EPS),
        None,
    ],
    grad_fn="BinaryCrossEntropyBackwardBackward0",
    domain=((-2.0, 2.0), (0.1, 0.9), (0.1, 0.9), (1.0, 1.0)),
    formulas=(
        "(x - t) / (x * (1 - x))",
        "g * (x**2 - 2 * x * t + t) / (x * (1 - x))**2",
        "-g / (x * (1 - x))",
        "",
    ),
    about="g times the slope of the cross entropy of probabilities",
)
binary_cross_entropy = loss_op(
    "binary_cross_entropy",
    _bce_scalar,
    _bce,
    [
        lambda g, _y, x, t, w, *, reduction: binary_slope(share(g, x, reduction), x, t, w),
        lambda g, _y, x, _t, w, *, reduction: share(g, x, reduction) * -(log(x) - log1p(-x)) * w,
        None,
    ],
    domain=((0.1, 0.9), (0.1, 0.9), (1.0, 1.0)),
    formulas=("(x - t) / (x * (1 - x)) / n", "(log(1 - x) - log(x)) / n", ""),
    about="the cross entropy of probabilities",
)


def _logits_scalar(x: float, t: float, w: float, p: float) -> float:
    soft = min(x, 0.0) - math.log1p(math.exp(-abs(x)))
    return ((1.0 - t) * x - ((p - 1.0) * t + 1.0) * soft) * w


def _logits(x: Any, t: Any, w: Any, p: Any) -> Any:
    soft = np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))
    return ((1 - t) * x - ((p - 1) * t + 1) * soft) * w


binary_cross_entropy_with_logits = loss_op(
    "binary_cross_entropy_with_logits",
    _logits_scalar,
    _logits,
    [
        # sigmoid(x) - t loses the digits of a prediction that is nearly right
        lambda g, _y, x, t, w, p, *, reduction: (
            share(g, x, reduction) * ((1.0 - t) * sigmoid(x) - p * t * sigmoid(-x)) * w
        ),
        lambda g, _y, x, _t, w, p, *, reduction: (
            share(g, x, reduction) * ((1.0 - p) * logsigmoid(where(p == 1.0, 0.0, x)) - x) * w
        ),
        None,
        None,
    ],
    domain=((-2.0, 2.0), (0.1, 0.9), (1.0, 1.0), (1.0, 1.0)),
    formulas=("(sigmoid(x) - t) / n", "-x / n", "", ""),
    about="the cross entropy of logits",
)
