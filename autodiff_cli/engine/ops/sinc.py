"""sinc(x) = sin(pi x) / (pi x), 1 at 0.

It is exactly 0 at whole numbers, and its derivatives of any order are right at 0 and near it: there the
textbook's quotient is a difference of nearly equal terms (PyTorch's second derivative at 0 is nan).
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import floating, unary
from autodiff_cli.engine.registry import Op, pointwise


def _sin_pi_scalar(x: float) -> float:
    r = math.remainder(x, 2.0)  # exact
    return math.sin(math.pi * (math.copysign(1.0, r) - r if abs(r) > 0.5 else r))


def _sin_pi(x: Any, shift: int = 0) -> Any:
    """sin(pi x + shift pi/2), by an exact reduction of x."""
    r = x - 2.0 * np.rint(0.5 * x)
    if shift % 2:
        r = 0.5 - np.abs(r)  # the cosine
    r = np.where(np.abs(r) > 0.5, np.copysign(1.0, r) - r, r)
    y = np.sin(np.pi * r)
    return -y if shift % 4 >= 2 else y


def _sinc(x: Any) -> Any:
    x = np.abs(x)
    safe = np.where(x == 0, 1.0, x)
    return np.where(x == 0, 1.0, _sin_pi(safe) / (np.pi * safe)).astype(np.asarray(x).dtype)


def _sinc_derivative(x: Any, *, order: int) -> Any:
    """The derivative of sinc of some order.

    With z = pi x, near 0 the series sum (-1)^k z^(2k - n) / ((2k + 1) (2k - n)!); elsewhere n times
    differentiated x sinc(x) = sin(pi x) / pi gives x s_n + n s_(n-1) = pi^(n-1) sin(pi x + n pi/2), stable
    for |z| > n.
    """
    x = np.asarray(x)
    z = np.pi * np.asarray(x, dtype=np.float64)
    small = np.abs(z) < max(1.0, 0.6 * order)
    far = np.where(small, 1.0, x)
    s = _sin_pi(far) / (np.pi * far)
    for n in range(1, order + 1):
        s = (np.pi ** (n - 1) * _sin_pi(far, n) - n * s) / far
    near_0 = np.where(small, z, 0.0)
    total = np.zeros_like(near_0)
    for k in range((order + 1) // 2, (order + 1) // 2 + 14 + order):
        total += (-1) ** k * near_0 ** (2 * k - order) / ((2 * k + 1) * math.factorial(2 * k - order))
    return np.where(small, np.pi**order * total, s).astype(x.dtype)


sinc_derivative: Op = pointwise(
    "sinc_derivative",
    None,
    _sinc_derivative,
    [lambda g, _y, x, *, order: g * sinc_derivative(x, order=order + 1)],
    grad_fn="SincBackward0",
    about="a derivative of sinc",
)
sinc = floating(
    "sinc",
    lambda x: _sin_pi_scalar(abs(x)) / (math.pi * abs(x)) if x else 1.0,
    _sinc,
    lambda g, _y, x: g * sinc_derivative(x, order=1),
    "sin(pi x) / (pi x), and 1 at 0",
    formulas=("(cos(pi*x) - sinc(x)) / x",),
)

unary(sinc, "sinc", special=("sinc",))
