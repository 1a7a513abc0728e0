"""erfcx and log_ndtr: the error function and the normal distribution, scaled so that their tails stay in range.

With u_n(x) = exp(x**2) times the n-th repeated integral of erfc (Abramowitz and Stegun 7.2), u_0 = erfcx and
u_n' = -2 (n + 1) u_(n+1): every derivative is one positive function, with no difference of nearly equal terms.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.lazy import np, special
from autodiff_cli.engine.ops.declare import floating, unary
from autodiff_cli.engine.ops.special_functions import ROOT_HALF, TWO_OVER_ROOT_PI
from autodiff_cli.engine.registry import Op

TERMS = 200  # of the continued fraction, which gives all digits from x = 2 on with half as many


def _repeated(x: Any, *, n: int = 1) -> Any:
    """u_n(x).

    u_(n-1) = 2 x u_n + 2 (n + 1) u_(n+1) is stable upward for small x and negative x; for larger x the ratios
    u_n / u_(n-1) come from the continued fraction that it makes downward.
    """
    x = np.asarray(x)
    z = x.astype(np.float64)
    before, here = np.full_like(z, TWO_OVER_ROOT_PI), special.erfcx(z)
    for k in range(1, n + 1):
        before, here = here, (before - 2.0 * z * here) / (2.0 * k)
    large = z >= 2.0
    at = np.where(large, z, 2.0)
    ratio = np.zeros_like(z)
    product = special.erfcx(at)
    for k in range(n + TERMS, 0, -1):
        ratio = 1.0 / (2.0 * at + 2.0 * (k + 1) * ratio)
        if k <= n:
            product = product * ratio
    return np.where(large, product, here).astype(x.dtype)


repeated_erfcx: Op = floating(
    "repeated_erfcx",
    None,
    _repeated,
    lambda g, _y, x, *, n=1: g * (-2.0 * (n + 1) * repeated_erfcx(x, n=n + 1)),
    "exp(x**2) times the n-th repeated integral of erfc",
    grad_fn="SpecialErfcxBackward0",
    formulas=("-2 * (n + 1) * repeated_erfcx(x, n + 1)",),
)
erfcx = floating(
    "erfcx",
    None,
    lambda x: special.erfcx(x),
    lambda g, _y, x: g * (-2.0 * repeated_erfcx(x, n=1)),
    "exp(x**2) * erfc(x)",
    grad_fn="SpecialErfcxBackward0",
    formulas=("2 * x * y - 2 / sqrt(pi)",),
)
log_ndtr = floating(
    "log_ndtr",
    None,
    lambda x: special.log_ndtr(x),
    lambda g, _y, x: g * (math.sqrt(2.0 / math.pi) / erfcx(-ROOT_HALF * x)),
    "the logarithm of the standard normal distribution",
    grad_fn="SpecialLogNdtrBackward0",
    formulas=("exp(-x**2 / 2 - y) / sqrt(2 * pi)",),
)

unary(erfcx, "erfcx", places=("special",), in_place=False)
unary(log_ndtr, "log_ndtr", places=("special",), in_place=False)
