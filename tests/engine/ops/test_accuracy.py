"""Values, slopes and second derivatives against mpmath, from the middle of each function's domain to its tails.

The bar is 1e-12 relative. Where a result passes through a zero of its own (a root of digamma, the minimum of silu),
it is relative to the size of the terms there, which the row's `floor` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.methods import FUNCTIONS
from autodiff_cli.engine.tensor import new_leaf, wrap

mp = mpmath.mp.clone()
mp.dps = 60

MIDDLE = [-2.5, -1.3, -0.7, -0.2, 0.15, 0.4, 0.85, 1.7, 3.2]
TINY = [-1e-3, -1e-8, -1e-20, 1e-20, 1e-8, 1e-3]
TAILS = [-700.0, -300.0, -40.0, -18.0, -8.0, 8.0, 18.0, 40.0, 300.0, 700.0]
HUGE = [-1e200, -1e20, -1e6, 1e6, 1e20, 1e200]
INSIDE = [-1 + 1e-15, -1 + 1e-9, -0.99, -0.5, 0.2, 0.7, 0.999, 1 - 1e-9, 1 - 1e-15]
UNIT = [1e-300, 1e-20, 1e-3, 0.1, 0.3, 0.49, 0.5 + 1e-9, 0.6, 0.66, 0.9, 1 - 1e-9]
POSITIVE = [1e-300, 1e-20, 1e-3, 0.3, 0.9, 1 - 1e-9, 1 + 1e-9, 1.7, 40.0, 1e6, 1e200]


def sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def softplus(x: Any) -> Any:
    return mp.log1p(mp.exp(x))


def normal(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def sinc(x: Any) -> Any:
    return mp.sincpi(x)


def gelu_tanh(x: Any) -> Any:
    return x * sigmoid(2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf(0.044715) * x**3))


def elu(x: Any, scale: Any = 1, alpha: Any = 1) -> Any:
    return scale * (x if x > 0 else alpha * mp.expm1(x))


# name, the function in mpmath, points, floor, keywords. The derivatives are mpmath's too: by its Taylor coefficients.
CASES: list[tuple[str, Callable[[Any], Any], list[float], float, dict[str, Any]]] = [
    ("exp", mp.exp, MIDDLE + TAILS + TINY, 0, {}),
    ("exp2", lambda x: mp.mpf(2) ** x, MIDDLE + TAILS, 0, {}),
    ("expm1", mp.expm1, MIDDLE + TAILS + TINY, 0, {}),
    ("log", mp.log, POSITIVE, 0, {}),
    ("log2", lambda x: mp.log(x, 2), POSITIVE, 0, {}),
    ("log10", mp.log10, POSITIVE, 0, {}),
    ("log1p", mp.log1p, [-1 + 1e-12, -0.5, *TINY, 0.5, 40.0, 1e20, 1e200], 0, {}),
    ("sqrt", mp.sqrt, POSITIVE, 0, {}),
    ("rsqrt", lambda x: 1 / mp.sqrt(x), POSITIVE[1:], 0, {}),
    ("reciprocal", lambda x: 1 / x, [*MIDDLE, 1e-20, 1e20, 1e90], 0, {}),
    ("square", lambda x: x * x, [*MIDDLE, 1e-20, 1e20, 1e90], 0, {}),
    ("sin", mp.sin, [*MIDDLE, *TINY, 40.0, 1e6], 0, {}),
    ("cos", mp.cos, [*MIDDLE, *TINY, 40.0, 1e6], 0, {}),
    ("tan", mp.tan, [*MIDDLE, *TINY, 1.57, 40.0], 0, {}),
    ("asin", mp.asin, INSIDE + TINY, 0, {}),
    ("acos", mp.acos, INSIDE + TINY, 0, {}),
    ("atan", mp.atan, [*MIDDLE, *TINY, 1e6, -1e20], 0, {}),
    ("sinh", mp.sinh, MIDDLE + TINY + TAILS, 0, {}),
    ("cosh", mp.cosh, MIDDLE + TINY + TAILS, 0, {}),
    ("tanh", mp.tanh, MIDDLE + TINY + TAILS[1:-1], 0, {}),
    ("asinh", mp.asinh, [*MIDDLE, *TINY, 40.0, 1e20, -1e100], 0, {}),
    ("acosh", mp.acosh, [1 + 1e-12, 1 + 1e-6, 1.1, 2.0, 40.0, 1e20, 1e100], 0, {}),
    ("atanh", mp.atanh, INSIDE + TINY, 0, {}),
    ("sigmoid", sigmoid, MIDDLE + TINY + TAILS[1:-1], 0, {}),
    ("logit", lambda x: mp.log(x) - mp.log1p(-x), UNIT[1:], 0, {}),
    ("erf", mp.erf, [*MIDDLE, *TINY, -8.0, 8.0, 20.0], 0, {}),
    ("erfc", mp.erfc, [*MIDDLE, *TINY, -8.0, 8.0, 20.0, 25.0], 0, {}),
    ("erfinv", mp.erfinv, [-1 + 1e-9, -0.9, -0.3, 1e-3, 0.5, 0.99, 1 - 1e-12], 0, {}),
    ("lgamma", mp.loggamma, [1e-300, 1e-3, 0.3, 0.9, 1 - 1e-9, 1 + 1e-6, 1.3, 1.7, 2 + 1e-9, 2.4, 9.0, 1e6], 0, {}),
    ("digamma", mp.digamma, [-9.3, -2 + 1e-6, -1.5, 1e-3, 0.4, 1.3, 1.4616, 3.0, 40.0, 1e6], 0, {}),
    ("sinc", sinc, [-3.3, -1.0, -0.9, -0.4, *TINY, 0.0, 0.31, 0.32, 0.5, 1.7, 2.0, 40.25], 1e-3, {}),
    ("special.ndtr", normal, [*MIDDLE, -37.0, -20.0, -8.0, 8.0], 0, {}),
    ("special.ndtri", lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), [1e-20, 1e-3, 0.3, 0.5, 0.7, 1 - 1e-9], 1e-9, {}),
    ("special.entr", lambda x: -x * mp.log(x), [1e-20, 0.3, 0.9, 2.0, 1e20], 1e-3, {}),
    ("special.erfcx", lambda x: mp.exp(x * x) * mp.erfc(x), [-5.0, -1.0, *TINY, 0.5, 1.9, 2.1, 8.0, 50.0, 1e6], 0, {}),
    ("special.log_ndtr", lambda x: mp.log(normal(x)), [-1e6, -40.0, -5.0, -1.0, 0.3, 2.0, 6.0], 0, {}),
    ("special.i0", lambda x: mp.besseli(0, x), [*MIDDLE, *TINY, 0.0, -20.0, 30.0], 0, {}),
    ("special.i1", lambda x: mp.besseli(1, x), [*MIDDLE, *TINY, 0.0, -20.0, 30.0], 0, {}),
    ("special.i0e", lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), [*MIDDLE, 30.0], 1e-3, {}),
    ("special.i1e", lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), [*MIDDLE, 30.0], 1e-2, {}),
    ("F.silu", lambda x: x * sigmoid(x), MIDDLE + TINY + TAILS[1:-1], 0, {}),
    ("F.mish", lambda x: x * mp.tanh(softplus(x)), MIDDLE + TINY + TAILS[1:-2], 0, {}),
    ("F.gelu", lambda x: x * normal(x), [*MIDDLE, *TINY, -30.0, -8.0, 8.0, 30.0], 0, {}),
    ("F.gelu", gelu_tanh, [*MIDDLE, *TINY, -12.0, -8.0, 8.0], 1e-30, {"approximate": "tanh"}),
    ("F.softplus", softplus, [*MIDDLE, *TINY, -700.0, -40.0, 8.0, 18.0], 0, {}),
    ("F.softplus", lambda x: softplus(2 * x) / 2, [*MIDDLE, -40.0, 8.0], 0, {"beta": 2}),
    ("F.logsigmoid", lambda x: -softplus(-x), MIDDLE + TINY + TAILS[1:-1], 0, {}),
    ("F.elu", elu, [*MIDDLE, -1e-8, -40.0, 8.0], 0, {}),
    ("F.elu", lambda x: elu(x, 1, mp.mpf(0.3)), [*MIDDLE, -1e-8, -40.0, 8.0], 0, {"alpha": 0.3}),
    ("F.celu", lambda x: x if x > 0 else mp.mpf(0.7) * mp.expm1(x / mp.mpf(0.7)), MIDDLE, 0, {"alpha": 0.7}),
    ("F.softsign", lambda x: x / (1 + abs(x)), MIDDLE, 0, {}),
    ("F.hardswish", lambda x: x * (x + 3) / 6, [-2.9, -1.0, 0.5, 2.9], 1e-3, {}),
]


def function(name: str) -> Callable[..., Any]:
    place, _, bare = name.rpartition(".")
    return FUNCTIONS[place or "torch", bare].call


def three(call: Callable[..., Any], values: Any, keywords: dict[str, Any]) -> list[Any]:
    """The value, the slope and the second derivative, each as a list of floats."""
    with quiet():
        x = new_leaf(values)
        y = call(x, **keywords)
        one = wrap(np.ones_like(values) if isinstance(values, np.ndarray) else 1.0)
        (slope,) = autograd.grad(y, x, one, create_graph=True)
        (bend,) = autograd.grad(slope, x, one, allow_unused=True, materialize_grads=True)
        return [np.atleast_1d(np.asarray(t.value)).tolist() for t in (y, slope, bend)]


def exact(f: Callable[[Any], Any], x: float) -> list[Any]:
    """f, f', f'' at x, by mpmath."""
    at = mp.mpf(x)
    near = mp.mpf(10) ** -25 * (abs(at) if at != 0 else 1)
    before, here, after = f(at - near), f(at), f(at + near)
    return [here, (after - before) / (2 * near), (after - 2 * here + before) / near**2]


@pytest.mark.parametrize(("name", "f", "points", "floor", "keywords"), CASES)
def test_against_mpmath(
    name: str, f: Callable[[Any], Any], points: list[float], floor: float, keywords: dict[str, Any]
) -> None:
    call = function(name)
    arrays = three(call, np.array(points), keywords)
    for i, x in enumerate(points):
        with mp.workdps(400):
            wanted = exact(f, x)
        scalars = three(call, x, keywords)
        for order in range(3):
            want = float(mp.re(wanted[order]))
            for got in (arrays[order][i], scalars[order][0]):
                bound = 1e-12 * max(abs(want), floor) + 1e-305
                assert abs(got - want) <= bound or got == want, (name, order, x, got, want)


POLYGAMMA = [(n, x) for n in (0, 1, 2, 3) for x in (-2.5, 0.3, 1.0, 1.7, 9.0, 1e6)]


@pytest.mark.parametrize(("n", "x"), POLYGAMMA)
def test_polygamma(n: int, x: float) -> None:
    value, slope, bend = three(lambda t: FUNCTIONS["torch", "polygamma"].call(n, t), x, {})
    for order, got in enumerate((value, slope, bend)):
        assert math.isclose(got[0], float(mp.polygamma(n + order, x)), rel_tol=1e-12)
