"""Right numbers, by mpmath, for the functions of which PyTorch's are wrong somewhere (see differences.py).

A function is given with its derivatives by formula: f, f', f'' of one variable, or f, fx, fy, fxx, fxy, fyy of two. One of a
whole tensor is given alone and differentiated by differences, in many digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp, mpf

Functions = tuple[Callable[..., Any], ...]


def sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def bell(x: Any) -> Any:
    """sigmoid'."""
    return 1 / (2 + mp.exp(-x) + mp.exp(x))


def bell_slope(x: Any) -> Any:
    return -bell(x) * mp.tanh(x / 2)


def sech2(x: Any) -> Any:
    return mp.sech(x) ** 2


def plus(x: Any) -> Any:
    """log(1 + exp(x))."""
    return mp.log1p(mp.exp(x)) if x < 0 else x + mp.log1p(mp.exp(-x))


def psi(n: int, x: Any) -> Any:
    """psi, psi', psi'', ...; by reflection where mpmath would count up from a negative x."""
    if x < -1e6 and n > 2:
        raise ValueError("not by reflection here, and mpmath counts up")
    if x > -10 or n > 2:
        return mp.psi(n, x)
    sine, cosine = mp.sinpi(x), mp.cospi(x)
    reflected = (mp.pi * cosine / sine, (mp.pi / sine) ** 2, 2 * mp.pi**3 * cosine / sine**3)[n]
    return mp.psi(n, 1 - x) - reflected if n != 1 else reflected - mp.psi(n, 1 - x)


def _sinc_slope(x: Any) -> Any:
    return (mp.cospi(x) - mp.sincpi(x)) / x if abs(x) > 1e-20 else -(mp.pi**2) * x / 3


def _sinc_bend(x: Any) -> Any:
    return -(mp.pi**2) * mp.sincpi(x) - 2 * _sinc_slope(x) / x if abs(x) > 1e-20 else -(mp.pi**2) / 3


def _mish(order: int, x: Any) -> Any:
    t, s, g = mp.tanh(plus(x)), sech2(plus(x)), sigmoid(x)
    return (x * t, t + x * g * s, 2 * g * s + x * s * (bell(x) - 2 * t * g * g))[order]


def _gelu(order: int, x: Any, approximate: str = "none") -> Any:
    if approximate == "none":
        phi = mp.npdf(x)
        return (
            lambda: x * mp.erfc(-x / mp.sqrt(2)) / 2,
            lambda: mp.erfc(-x / mp.sqrt(2)) / 2 + x * phi,
            lambda: phi * (2 - x * x),
        )[order]()
    k, c = mp.sqrt(2 / mp.pi), mpf("0.044715")
    u, du, ddu = k * (x + c * x**3), k * (1 + 3 * c * x * x), 6 * k * c * x
    half = sigmoid(2 * u)  # (1 + tanh(u)) / 2, without a difference
    t, s = mp.tanh(u), 4 * bell(2 * u)
    return (x * half, half + x * s * du / 2, s * du + x * (s * ddu - 2 * t * s * du * du) / 2)[order]


def _softplus(order: int, x: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    if beta * x > threshold:
        return (x, mpf(1), mpf(0))[order]
    return (lambda: plus(beta * x) / beta, lambda: sigmoid(beta * x), lambda: beta * bell(beta * x))[order]()


def _logit(order: int, x: Any, eps: Any = None) -> Any:
    if eps is not None and not mpf(eps) <= x <= 1 - mpf(eps):
        x, order = min(max(x, mpf(eps)), 1 - mpf(eps)), -order
    if order < 0:
        return mpf(0)
    return (lambda: mp.log(x / (1 - x)), lambda: 1 / (x * (1 - x)), lambda: (2 * x - 1) / (x * (1 - x)) ** 2)[order]()


def _celu(order: int, x: Any, alpha: Any = 1) -> Any:
    if x > 0:
        return (x, mpf(1), mpf(0))[order]
    return (alpha * mp.expm1(x / alpha), mp.exp(x / alpha), mp.exp(x / alpha) / alpha)[order]


def _hardsigmoid(order: int, x: Any) -> Any:
    inside = abs(x) < 3
    return (min(max(x / 6 + mpf(1) / 2, mpf(0)), mpf(1)), mpf(1) / 6 if inside else mpf(0), mpf(0))[order]


def by_order(f: Callable[..., Any]) -> Functions:
    """The three functions of one that takes the order of derivative first."""
    return tuple(lambda *xs, n=n, **words: f(n, *xs, **words) for n in range(3))


SIGMOID: Functions = (sigmoid, bell, bell_slope)
TANH: Functions = (mp.tanh, sech2, lambda x: -2 * mp.tanh(x) * sech2(x))
EXPM1: Functions = (mp.expm1, mp.exp, mp.exp)
ASINH: Functions = (mp.asinh, lambda x: 1 / mp.sqrt(x * x + 1), lambda x: -x / mp.sqrt(x * x + 1) ** 3)
ACOSH: Functions = (mp.acosh, lambda x: 1 / mp.sqrt(x * x - 1), lambda x: -x / mp.sqrt(x * x - 1) ** 3)
LGAMMA: Functions = (lambda x: mp.re(mp.loggamma(x)), lambda x: psi(0, x), lambda x: psi(1, x))
DIGAMMA: Functions = (lambda x: psi(0, x), lambda x: psi(1, x), lambda x: psi(2, x))
POLYGAMMA: Functions = (psi, lambda n, x: psi(n + 1, x), lambda n, x: psi(n + 2, x))
SINC: Functions = (mp.sincpi, _sinc_slope, _sinc_bend)
SILU: Functions = (
    lambda x: x * sigmoid(x),
    lambda x: sigmoid(x) + x * bell(x),
    lambda x: 2 * bell(x) + x * bell_slope(x),
)
MISH = by_order(_mish)
GELU = by_order(_gelu)
SOFTPLUS = by_order(_softplus)
LOGSIGMOID: Functions = (lambda x: -plus(-x), lambda x: sigmoid(-x), lambda x: -bell(x))
TANHSHRINK: Functions = (lambda x: x - mp.tanh(x), lambda x: mp.tanh(x) ** 2, lambda x: 2 * mp.tanh(x) * sech2(x))
ERF: Functions = (
    mp.erf,
    lambda x: 2 * mp.exp(-x * x) / mp.sqrt(mp.pi),
    lambda x: -4 * x * mp.exp(-x * x) / mp.sqrt(mp.pi),
)
ERFC: Functions = (mp.erfc, lambda x: -ERF[1](x), lambda x: -ERF[2](x))
LOGIT = by_order(_logit)
CELU = by_order(_celu)
HARDSIGMOID = by_order(_hardsigmoid)


def _erfcx(order: int, x: Any) -> Any:
    f = mp.exp(x * x) * mp.erfc(x)
    slope = 2 * x * f - 2 / mp.sqrt(mp.pi)
    return (f, slope, 2 * f + 2 * x * slope)[order]


def _log_ndtr(order: int, x: Any) -> Any:
    ratio = mp.sqrt(2 / mp.pi) / _erfcx(0, -x / mp.sqrt(2))
    return (mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), ratio, -ratio * (x + ratio))[order]


ERFCX = by_order(_erfcx)
LOG_NDTR = by_order(_log_ndtr)


def _radius(a: Any, b: Any) -> Any:
    return mp.sqrt(a * a + b * b)


HYPOT: Functions = (
    _radius,
    lambda a, b: a / _radius(a, b),
    lambda a, b: b / _radius(a, b),
    lambda a, b: b * b / _radius(a, b) ** 3,
    lambda a, b: -a * b / _radius(a, b) ** 3,
    lambda a, b: a * a / _radius(a, b) ** 3,
)
ATAN2: Functions = (
    mp.atan2,
    lambda a, b: b / (a * a + b * b),
    lambda a, b: -a / (a * a + b * b),
    lambda a, b: -2 * a * b / (a * a + b * b) ** 2,
    lambda a, b: (a * a - b * b) / (a * a + b * b) ** 2,
    lambda a, b: 2 * a * b / (a * a + b * b) ** 2,
)
LOGADDEXP: Functions = (
    lambda a, b: b + plus(a - b) if a < b else a + plus(b - a),
    lambda a, b: sigmoid(a - b),
    lambda a, b: sigmoid(b - a),
    lambda a, b: bell(a - b),
    lambda a, b: -bell(a - b),
    lambda a, b: bell(a - b),
)
_LN2 = mp.ln2
LOGADDEXP2: Functions = (
    lambda a, b: LOGADDEXP[0](a * _LN2, b * _LN2) / _LN2,
    lambda a, b: sigmoid(_LN2 * (a - b)),
    lambda a, b: sigmoid(_LN2 * (b - a)),
    lambda a, b: _LN2 * bell(_LN2 * (a - b)),
    lambda a, b: -_LN2 * bell(_LN2 * (a - b)),
    lambda a, b: _LN2 * bell(_LN2 * (a - b)),
)


COPYSIGN: Functions = (
    lambda a, b: abs(a) if b >= 0 else -abs(a),
    lambda a, b: mp.sign(a) * (1 if b >= 0 else -1),
    lambda a, b: mpf(0),
    lambda a, b: mpf(0),
    lambda a, b: mpf(0),
    lambda a, b: mpf(0),
)


def _power(a: Any, b: Any, falling: int, logs: int) -> Any:
    """a ** b * log(a) ** logs, with factors as for derivatives with respect to a; at a = 0 from the right."""
    if a == 0:
        if b - falling <= 0:
            raise ValueError("no limit")
        return mpf(0)
    return a ** (b - falling) * mp.log(a) ** logs


POW: Functions = (
    lambda a, b: mp.power(a, b),
    lambda a, b: b * _power(a, b, 1, 0),
    lambda a, b: _power(a, b, 0, 1),
    lambda a, b: b * (b - 1) * _power(a, b, 2, 0) if b * (b - 1) else mpf(0),
    lambda a, b: _power(a, b, 1, 0) + b * _power(a, b, 1, 1),
    lambda a, b: _power(a, b, 0, 2),
)
NDTR: Functions = (lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, mp.npdf, lambda x: -x * mp.npdf(x))


def _whole(x: Any) -> Any:
    return mp.floor(x) if x > 0 else mp.ceil(x)


def _zero(_a: Any, _b: Any) -> Any:
    return mpf(0)


FMOD: Functions = (
    lambda a, b: a - b * _whole(a / b),
    lambda _a, _b: mpf(1),
    lambda a, b: -_whole(a / b),
    _zero,
    _zero,
    _zero,
)
REMAINDER: Functions = (
    lambda a, b: a - b * mp.floor(a / b),
    lambda _a, _b: mpf(1),
    lambda a, b: -mp.floor(a / b),
    _zero,
    _zero,
    _zero,
)


def norm(
    elements: list[Any],
    shape: tuple[int, ...],
    p: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    ord: Any = None,
    dtype: Any = None,
) -> Any:
    """The vector norm of a tensor of one dimension."""
    p = ord if ord is not None else p
    if p is None or p == "fro":
        p = 2
    if len(shape) != 1:
        raise ValueError("not a vector")
    sizes = [abs(x) for x in elements]
    if p == mp.inf or p == -mp.inf:
        return max(sizes) if p > 0 else min(sizes)
    return mp.fsum(x ** mpf(p) for x in sizes) ** (1 / mpf(p))


def product(elements: list[Any], shape: tuple[int, ...], dim: Any = None, dtype: Any = None) -> Any:
    """The product of the elements of a vector."""
    if len(shape) > 1:
        raise ValueError("not a vector")
    return mp.fprod(elements)


def det(elements: list[Any], shape: tuple[int, ...]) -> Any:
    """The determinant of one matrix, as the sum over permutations (exact where the matrix is singular)."""
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError("not a matrix")
    return _minor([elements[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])])


def _minor(rows: list[list[Any]]) -> Any:
    if not rows:
        return mpf(1)
    first, *rest = rows
    return mp.fsum((-1) ** j * x * _minor([r[:j] + r[j + 1 :] for r in rest]) for j, x in enumerate(first))
