#!/usr/bin/env python3
"""Computes, by other means, the numbers that the samples assert: mpmath at 50 digits, SymPy, closed forms.

    python sample_references.py [FILTER ...]     print the numbers, to paste into a sample
    python sample_references.py --check          every long number in a sample is one that is computed here

No program is differentiated here: derivatives are mpmath's `diff` of a mathematical function (numerical at
high precision) or SymPy's, integrals of motion come from elliptic functions, roots from `findroot`. A
recurrence that is itself the sample's subject (a filter, a training loop) is repeated here in 50 digits with
its gradient worked out by `diff`. Needs mpmath and sympy; neither is needed to run the samples.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mpmath as mp
import sympy as sp

mp.mp.dps = 50
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
# A number of this many digits in a sample was computed, not thought of.
LONG = 9
REFERENCES: dict[str, Callable[[], Sequence[Any]]] = {}


def reference(sample: str) -> Callable[[Callable[[], Sequence[Any]]], Callable[[], Sequence[Any]]]:
    """Registers what computes the numbers of one sample, in the order in which they are asserted."""

    def register(f: Callable[[], Sequence[Any]]) -> Callable[[], Sequence[Any]]:
        REFERENCES[sample] = f
        return f

    return register


def value_and_gradient(f: Callable[..., Any], *at: Any) -> list[Any]:
    """[f, df/dx1, df/dx2, ...] at a point."""
    point = tuple(mp.mpf(str(v)) for v in at)

    def partial(i: int) -> Any:
        return mp.diff(lambda t: f(*point[:i], t, *point[i + 1 :]), point[i])

    return [f(*point), *map(partial, range(len(point)))]


@reference("basics/double_backward")
def _() -> Sequence[Any]:
    x = sp.Symbol("x")
    f = x**3 * sp.sin(x)
    return [sp.diff(f, x, n).subs(x, sp.Rational(6, 5)).evalf(30) for n in range(4)]


@reference("basics/retain_grad")
def _() -> Sequence[Any]:
    x = mp.mpf("0.8")
    u = mp.sin(x)
    w = mp.exp(u**2)
    return [w, w, w * 2 * u, w * 2 * u * mp.cos(x)]


@reference("control/newton_sqrt")
def _() -> Sequence[Any]:
    return value_and_gradient(mp.sqrt, 7)


@reference("control/kepler")
def _() -> Sequence[Any]:
    return value_and_gradient(lambda M, e: mp.findroot(lambda E: E - e * mp.sin(E) - M, M), 1, "0.3")


@reference("control/pendulum_period")
def _() -> Sequence[Any]:
    def period(length: Any, angle: Any) -> Any:
        return 4 * mp.sqrt(length / mp.mpf("9.81")) * mp.ellipk(mp.sin(angle / 2) ** 2)

    return value_and_gradient(period, 1, "1.2")


@reference("control/brace_blocks")
def _() -> Sequence[Any]:
    x = sp.Symbol("x")
    z = sum(x**k for k in range(9))
    return [z.subs(x, sp.Rational(3, 2)).evalf(30), sp.diff(z, x).subs(x, sp.Rational(3, 2)).evalf(30)]


@reference("control/continued_fraction")
def _() -> Sequence[Any]:
    return value_and_gradient(mp.tan, "0.9")


def _descend(w: Sequence[Any], gradient: Callable[[Sequence[Any]], Any], lr: str, steps: int) -> list[Any]:
    w = list(w)
    for _ in range(steps):
        w = [a - mp.mpf(lr) * g for a, g in zip(w, gradient(w), strict=True)]
    return w


@reference("learning/polynomial_sine")
def _() -> Sequence[Any]:
    xs = [-mp.pi + 2 * mp.pi * k / 40 for k in range(41)]

    def residuals(c: Sequence[Any]) -> list[Any]:
        return [c[0] + c[1] * x + c[2] * x**2 + c[3] * x**3 - mp.sin(x) for x in xs]

    def gradient(c: Sequence[Any]) -> list[Any]:
        r = residuals(c)
        return [2 * sum(e * x**k for e, x in zip(r, xs, strict=True)) for k in range(4)]

    c = _descend([mp.mpf(v) for v in ("0.2", "-0.1", "0.05", "0.1")], gradient, "5e-5", 300)
    return [sum(e**2 for e in residuals(c)), *c]


@reference("learning/linear_regression")
def _() -> Sequence[Any]:
    xs, ys = sp.Matrix([0, 1, 2, 3]), sp.Matrix([1, 3, 4, 8])
    X = sp.Matrix.hstack(sp.ones(4, 1), xs)
    b, w = (X.T * X).LUsolve(X.T * ys)
    loss = sum((b + w * x - y) ** 2 for x, y in zip(xs, ys, strict=True)) / 4
    return [b, w, loss]


LOGISTIC = [(0.5, 0), (1.0, 0), (1.5, 1), (2.0, 0), (2.5, 1), (3.0, 1)]


@reference("learning/logistic_regression")
def _() -> Sequence[Any]:
    def score(w: Any, b: Any) -> tuple[Any, Any]:
        errors = [(1 / (1 + mp.exp(-(w * x + b))) - y, x) for x, y in LOGISTIC]
        return sum(e * x for e, x in errors) / 6 + w / 10, sum(e for e, _ in errors) / 6 + b / 10

    w, b = mp.findroot(lambda w, b: score(w, b), (1, -1))
    loss = sum(mp.log(1 + mp.exp((1 - 2 * y) * (w * x + b))) for x, y in LOGISTIC) / 6 + (w**2 + b**2) / 20
    return [w, b, loss]


@reference("learning/xor")
def _() -> Sequence[Any]:
    table = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
    start = ["0.8", "-0.6", "0.5", "0.9", "0.1", "-0.1", "-0.7", "0.8", "0.0"]

    def loss(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any) -> Any:
        total = mp.mpf(0)
        for p, q, y in table:
            hidden = mp.tanh(a * p + c * q + e), mp.tanh(b * p + d * q + f)
            out = 1 / (1 + mp.exp(-(g * hidden[0] + h * hidden[1] + i)))
            total += (out - y) ** 2
        return total

    result = value_and_gradient(loss, *start)
    return [result[0], result[1], result[7]]


@reference("learning/softmax_cross_entropy")
def _() -> Sequence[Any]:
    def loss(a: Any, b: Any, c: Any) -> Any:
        return mp.log(mp.exp(a) + mp.exp(b) + mp.exp(c)) - a

    return value_and_gradient(loss, 2, 1, "0.1")


@reference("learning/recurrent_lengths")
def _() -> Sequence[Any]:
    data = [([1.0], 0.5), ([1.0, -1.0, 0.5], -0.25), ([0.5, 0.5, 0.5, 0.5, 2.0], 1.0)]

    def loss(w: Any, u: Any) -> Any:
        total = mp.mpf(0)
        for sequence, target in data:
            h = mp.mpf(0)
            for x in sequence:
                h = mp.tanh(w * x + u * h)
            total += (h - target) ** 2
        return total

    return value_and_gradient(loss, "0.8", "-0.4")


@reference("learning/tree_net")
def _() -> Sequence[Any]:
    def out(left: Any, right: Any) -> Any:
        def value(tree: Any) -> Any:
            if isinstance(tree, float):
                return mp.mpf(tree)
            return mp.tanh(left * value(tree[0]) + right * value(tree[1]))

        return value(((1.0, (0.5, -1.0)), (2.0, 0.25)))

    return value_and_gradient(out, "0.7", "-0.3")


@reference("optimisation/rosenbrock_hessian")
def _() -> Sequence[Any]:
    x, y = sp.symbols("x y")
    f = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    at = {x: sp.Rational(6, 5), y: 1}
    return [sp.N(sp.hessian(f, (x, y)).subs(at)[i], 30) for i in (0, 1, 3)]


@reference("optimisation/argmin")
def _() -> Sequence[Any]:
    return value_and_gradient(lambda x: mp.findroot(lambda y: y**3 + 2 * (y - x), 1), 2)


@reference("science/pendulum")
def _() -> Sequence[Any]:
    def angle(start: Any, ratio: Any) -> Any:
        k = mp.sin(start / 2)
        return 2 * mp.asin(k * mp.ellipfun("cd", mp.sqrt(ratio) * 1, k=k))

    return value_and_gradient(angle, 1, "9.81")


@reference("science/lotka_volterra")
def _() -> Sequence[Any]:
    mp.mp.dps = 25

    def prey(alpha: Any, beta: Any) -> Any:
        def slope(_t: Any, s: Sequence[Any]) -> list[Any]:
            return [s[0] * (alpha - beta * s[1]), s[1] * (mp.mpf("0.1") * s[0] - mp.mpf("0.4"))]

        return mp.odefun(slope, 0, [mp.mpf(10), mp.mpf(5)], tol=mp.mpf("1e-22"))(1)[0]

    try:
        h = mp.mpf("1e-6")
        a, b = mp.mpf("1.1"), mp.mpf("0.4")
        return [
            prey(a, b),
            (prey(a + h, b) - prey(a - h, b)) / (2 * h),
            (prey(a, b + h) - prey(a, b - h)) / (2 * h),
        ]
    finally:
        mp.mp.dps = 50


@reference("science/chemical_kinetics")
def _() -> Sequence[Any]:
    def bateman(k1: Any, k2: Any) -> Any:
        return k1 / (k2 - k1) * (mp.exp(-2 * k1) - mp.exp(-2 * k2))

    return value_and_gradient(bateman, "0.9", "0.4")


@reference("science/lens")
def _() -> Sequence[Any]:
    def focus(n: Any, r1: Any, r2: Any, d: Any) -> Any:
        return 1 / ((n - 1) * (1 / r1 + 1 / r2 - (n - 1) * d / (n * r1 * r2)))

    return value_and_gradient(focus, "1.5168", "0.1", "0.08", "0.012")


@reference("science/thermocouple")
def _() -> Sequence[Any]:
    coefficients = (
        "0 2.508355e1 7.860106e-2 -2.503131e-1 8.315270e-2 -1.228034e-2 9.804036e-4 -4.413030e-5"
        " 1.057734e-6 -1.052755e-8"
    )

    def temperature(e: Any) -> Any:
        return sum(mp.mpf(c) * e**k for k, c in enumerate(coefficients.split()))

    return value_and_gradient(temperature, "12.209")


@reference("science/sir_fit")
def _() -> Sequence[Any]:
    counts = [3, 7, 15, 31, 60, 105]

    def loss(beta: Any, gamma: Any) -> Any:
        s, i, total = mp.mpf(999), mp.mpf(1), mp.mpf(0)
        for seen in counts:
            for _ in range(4):
                new = beta * s * i / 1000 / 4
                s, i = s - new, i + new - gamma * i / 4
            total += (mp.log(i) - mp.log(seen)) ** 2
        return total

    return value_and_gradient(loss, "1.1", "0.35")


@reference("science/spring_network")
def _() -> Sequence[Any]:
    # a mass hangs from two springs fixed at (0, 0) and (3, 0), natural length 1 each, weight 2
    def energy(k1: Any, k2: Any, x: Any, y: Any) -> Any:
        d1, d2 = mp.sqrt(x**2 + y**2), mp.sqrt((x - 3) ** 2 + y**2)
        return k1 * (d1 - 1) ** 2 / 2 + k2 * (d2 - 1) ** 2 / 2 + 2 * y

    def rest(k1: Any, k2: Any) -> Any:
        def forces(x: Any, y: Any) -> tuple[Any, Any]:
            d1, d2 = mp.sqrt(x**2 + y**2), mp.sqrt((x - 3) ** 2 + y**2)
            f1, f2 = k1 * (1 - 1 / d1), k2 * (1 - 1 / d2)
            return f1 * x + f2 * (x - 3), f1 * y + f2 * y + 2

        return mp.findroot(forces, (1.5, -1.0))

    def least(k1: Any, k2: Any) -> Any:
        return energy(k1, k2, *rest(k1, k2))

    return [*rest(mp.mpf(3), mp.mpf(5)), *value_and_gradient(least, 3, 5)]


@reference("science/van_der_waals")
def _() -> Sequence[Any]:
    def volume(T: Any, p: Any) -> Any:
        a, b, R = mp.mpf("0.3640"), mp.mpf("4.267e-5"), mp.mpf("8.314462618")
        return mp.findroot(lambda V: (p + a / V**2) * (V - b) - R * T, R * T / p)

    return value_and_gradient(volume, 300, 1000000)


@reference("science/wien")
def _() -> Sequence[Any]:
    x = 5 + mp.lambertw(-5 * mp.exp(-5))
    return [x, x**5 / (mp.exp(x) - 1)]


BLACK_SCHOLES = (100, 110, "0.5", "0.02", "0.25")


def _call(S: Any, K: Any, T: Any, r: Any, sigma: Any) -> Any:
    d1 = (mp.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * mp.sqrt(T))
    return S * mp.ncdf(d1) - K * mp.exp(-r * T) * mp.ncdf(d1 - sigma * mp.sqrt(T))


@reference("finance/black_scholes")
def _() -> Sequence[Any]:
    point = [mp.mpf(str(v)) for v in BLACK_SCHOLES]
    gamma = mp.diff(lambda S: _call(S, *point[1:]), point[0], 2)
    return [*value_and_gradient(_call, *BLACK_SCHOLES), gamma]


@reference("finance/bond_duration")
def _() -> Sequence[Any]:
    def price(y: Any) -> Any:
        return sum(mp.mpf("2.5") / (1 + y / 2) ** k for k in range(1, 11)) + 100 / (1 + y / 2) ** 10

    y = mp.mpf("0.06")
    p = price(y)
    return [p, -mp.diff(price, y) / p, mp.diff(price, y, 2) / p]


@reference("finance/yield_to_maturity")
def _() -> Sequence[Any]:
    def rate(p: Any) -> Any:
        return mp.findroot(
            lambda y: sum(4 / (1 + y) ** k for k in range(1, 6)) + 100 / (1 + y) ** 5 - p, mp.mpf("0.04")
        )

    return value_and_gradient(rate, "97.5")


@reference("systems/kalman")
def _() -> Sequence[Any]:
    seen = [mp.mpf(v) for v in ("1.1", "0.7", "1.6", "1.3", "2.1")]

    def loglik(q: Any, r: Any) -> Any:
        m, P, total = mp.mpf(0), mp.mpf(1), mp.mpf(0)
        for z in seen:
            P = P + q
            S = P + r
            total -= (mp.log(2 * mp.pi * S) + (z - m) ** 2 / S) / 2
            m, P = m + P / S * (z - m), P - P**2 / S
        return total

    return value_and_gradient(loglik, "0.1", "0.2")


@reference("systems/pid")
def _() -> Sequence[Any]:
    def cost(kp: Any, ki: Any, kd: Any) -> Any:
        y, integral, last, total = mp.mpf(0), mp.mpf(0), mp.mpf(1), mp.mpf(0)
        for _ in range(40):
            e = 1 - y
            integral += e / 10
            u = kp * e + ki * integral + kd * (e - last) * 10
            last = e
            y += (u - y) / 10
            total += e**2 / 10
        return total

    return value_and_gradient(cost, 2, 1, "0.05")


@reference("graph/pagerank")
def _() -> Sequence[Any]:
    d = sp.Symbol("d")
    half = sp.Rational(1, 2)
    out = sp.Matrix([[0, half, half], [0, 0, 1], [1, 0, 0]])
    rank = (sp.eye(3) - d * out.T).LUsolve(sp.ones(3, 1) * (1 - d) / 3)
    at = {d: sp.Rational(17, 20)}
    return [sp.N(r.subs(at), 30) for r in rank] + [sp.N(sp.diff(sp.simplify(rank[0]), d).subs(at), 30)]


@reference("geometry/great_circle")
def _() -> Sequence[Any]:
    def distance(a1: Any, o1: Any, a2: Any, o2: Any) -> Any:
        a1, o1, a2, o2 = (mp.radians(v) for v in (a1, o1, a2, o2))
        h = mp.sin((a2 - a1) / 2) ** 2 + mp.cos(a1) * mp.cos(a2) * mp.sin((o2 - o1) / 2) ** 2
        return 2 * 6371 * mp.asin(mp.sqrt(h))

    return value_and_gradient(distance, "48.8566", "2.3522", "52.52", "13.405")


@reference("geometry/heron")
def _() -> Sequence[Any]:
    def area(a: Any, b: Any, c: Any) -> Any:
        s = (a + b + c) / 2
        return mp.sqrt(s * (s - a) * (s - b) * (s - c))

    return value_and_gradient(area, 4, 5, 7)


@reference("statistics/gaussian_loglik")
def _() -> Sequence[Any]:
    data = [mp.mpf(v) for v in ("4.9", "5.6", "5.1", "6.2", "4.4")]

    def loglik(mu: Any, sigma: Any) -> Any:
        return sum(-mp.log(sigma) - mp.log(2 * mp.pi) / 2 - ((x - mu) / sigma) ** 2 / 2 for x in data)

    return value_and_gradient(loglik, 5, "0.8")


@reference("statistics/mixture")
def _() -> Sequence[Any]:
    data = [mp.mpf(v) for v in ("-1.2", "-0.8", "0.9", "1.4", "1.1")]

    def loglik(a: Any, b: Any) -> Any:
        sigma = mp.mpf("0.5")
        parts = [(mp.mpf("0.4") * mp.npdf(x, a, sigma), mp.mpf("0.6") * mp.npdf(x, b, sigma)) for x in data]
        return sum(mp.log(sum(p)) for p in parts)

    return value_and_gradient(loglik, -1, 1)


@reference("statistics/propagation")
def _() -> Sequence[Any]:
    values = value_and_gradient(lambda length, t: 4 * mp.pi**2 * length / t**2, "0.995", "2.003")
    variance = (values[1] * mp.mpf("0.001")) ** 2 + (values[2] * mp.mpf("0.002")) ** 2
    return [*values, mp.sqrt(variance)]


def check() -> int:
    """The count of long numbers in samples that nothing here computes."""
    orphans = 0
    for path in sorted(SAMPLES.rglob("*.ad")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(SAMPLES).with_suffix("").as_posix()
        if "PyTorch 2.13" in text:
            continue  # its numbers are PyTorch's, which check_samples.py compares
        known = [float(v) for v in REFERENCES[name]()] if name in REFERENCES else []
        for line in text.splitlines():
            if not line.lstrip().startswith("assert"):
                continue
            for word in re.findall(r"\d+\.\d+(?:e-?\d+)?", line):
                if len(re.sub(r"\D", "", word.partition("e")[0]).lstrip("0")) < LONG:
                    continue
                if not any(abs(float(word) - abs(v)) <= 1e-14 * abs(v) for v in known):
                    print(f"{name}: {word} has no source")
                    orphans += 1
    return orphans


def main(words: list[str]) -> int:
    if words == ["--check"]:
        return 1 if check() else 0
    for name, compute in REFERENCES.items():
        if not words or any(word in name for word in words):
            print(name, *[f"  {sp.N(v, 16)}" for v in compute()], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
