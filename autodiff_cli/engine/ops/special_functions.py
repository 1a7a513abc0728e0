"""The sigmoid and its inverse, the error function's family, logarithms of sums and products.

Values and slopes keep their digits in the tails: `sigmoid'(40)` is exp(-40) and not 0, `ndtr(-10)` is
7.6e-24 and not 0.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np, special
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.declare import (
    METHOD,
    POSITIVE,
    TWO,
    binary,
    floating,
    floating_check,
    number_arg,
    refuse_flags,
    unary,
)
from autodiff_cli.engine.ops.elementary import LN2, exp, log, near, near_scalar
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor

UNIT = ((0.1, 0.9),)

# --- sigmoid --------------------------------------------------------------------------------------


def _sigmoid_scalar(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -700.0 else math.exp(x)


def _sigmoid(x: Any) -> Any:
    return np.where(x > -700, np.true_divide(1.0, 1.0 + np.exp(-x)), np.exp(np.minimum(x, 0.0))).astype(x.dtype)


def _slope_scalar(g: float, y: float, x: float) -> float:
    rest = 1.0 - y
    return g * (near_scalar(rest, _sigmoid_scalar(-x)) if y > 0.5 else rest) * y


def _slope(g: Any, y: Any, x: Any) -> Any:
    rest = 1.0 - y
    return g * np.where(y > 0.5, near(rest, _sigmoid(np.negative(x))), rest) * y


# 1 - y is 0 for x > 37, where the slope is exp(-x).
sigmoid_backward: Op = pointwise(
    "sigmoid_backward",
    _slope_scalar,
    _slope,
    [
        lambda g, _d, _g, y, hint_x: sigmoid_backward(g, y, hint_x),
        lambda g, _d, g1, y, hint_x: g * (g1 * sigmoid_bend(y, hint_x)),
        None,
    ],
    grad_fn="SigmoidBackwardBackward0",
    domain=((-2.0, 2.0), (0.1, 0.4), (3.0, 4.0)),
    formulas=("y * (1 - y)", "g1 * (1 - 2 * y)", ""),
    about="the slope of the sigmoid times a cotangent, from y = sigmoid(x) and x",
)
# 1 - 2 y is -tanh(x / 2), which near x = 0 has more digits.
sigmoid_bend: Op = pointwise(
    "sigmoid_bend",
    lambda y, x: near_scalar(1.0 - 2.0 * y, -math.tanh(0.5 * x)),
    lambda y, x: near(1.0 - 2.0 * y, -np.tanh(0.5 * x)),
    [lambda g, _y, _s, _x: -2.0 * g, None],
    grad_fn="RsubBackward1",
    domain=((0.1, 0.4), (3.0, 4.0)),
    formulas=("-2", ""),
    about="1 - 2 y, from y = sigmoid(x) and x",
)
sigmoid = floating(
    "sigmoid",
    _sigmoid_scalar,
    lambda x: _sigmoid(np.asarray(x)),
    lambda g, y, hint_x: sigmoid_backward(g, y, hint_x),
    "1 / (1 + exp(-x))",
    formulas=("y * (1 - y)",),
)


def _logit_scalar(x: float, *, eps: float | None) -> float:
    if eps is not None and eps >= 0.0:
        x = min(max(x, eps), 1.0 - eps)
    if 0.3 < x < 0.65:  # the quotient is near 1, and its logarithm loses digits
        return math.log1p(2.0 * x - 1.0) - math.log1p(1.0 - 2.0 * x)
    return math.log(x / (1.0 - x))


def _logit(x: Any, *, eps: float | None) -> Any:
    if eps is not None and eps >= 0.0:
        x = np.minimum(np.maximum(x, eps), 1.0 - eps)
    middle = (x > 0.3) & (x < 0.65)
    d = np.where(middle, 2.0 * x - 1.0, 0.0)
    return np.where(middle, np.log1p(d) - np.log1p(-d), np.log(x / (1.0 - x)))


def _logit_slope(g: Any, _y: Any, x: Any, *, eps: float | None) -> Any:
    if eps is None or eps < 0.0:
        return where((x < 0.0) | (x > 1.0), math.nan, g / (x * (1.0 - x)))
    within = (x >= eps) & (x <= 1.0 - eps)
    inside = where(within, x, 0.5)  # keeps the infinite slopes of the ends out of the second derivative
    return where(within, g / (inside * (1.0 - inside)), 0.0)


logit = floating(
    "logit",
    _logit_scalar,
    _logit,
    _logit_slope,
    "log(x / (1 - x)), the inverse of the sigmoid",
    formulas=("1 / (x * (1 - x))",),
    domain=UNIT,
    kinks="outside of [eps, 1 - eps] the derivative is 0",
)

# --- the error function and the normal distribution -----------------------------------------------

TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)
ROOT_HALF = math.sqrt(0.5)
ROOT_TWO_PI = math.sqrt(2.0 * math.pi)

erf = floating(
    "erf",
    math.erf,
    lambda x: special.erf(x),
    lambda g, _y, x: TWO_OVER_ROOT_PI * exp(-(x * x)) * g,
    "the error function",
)
erfc = floating(
    "erfc",
    math.erfc,
    lambda x: special.erfc(x),
    lambda g, _y, x: -TWO_OVER_ROOT_PI * exp(-(x * x)) * g,
    "1 - erf(x), exact where it is small",
)
erfinv: Op = floating(
    "erfinv",
    None,
    lambda x: np.copysign(special.erfinv(x), x),
    lambda g, _y, x: (1.0 / TWO_OVER_ROOT_PI) * exp(square(erfinv(x))) * g,
    "the inverse of the error function",
    formulas=("sqrt(pi) / 2 * exp(y**2)",),
    domain=((-0.9, 0.9),),
)
# (1 + erf) / 2, PyTorch's form, is 0 for x < -8
ndtr = floating(
    "ndtr",
    lambda x: 0.5 * math.erfc(-x * ROOT_HALF),
    lambda x: special.ndtr(x),
    lambda g, _y, x: g * normal_density(x),
    "the standard normal distribution",
    grad_fn="MulBackward1",
    formulas=("exp(-x**2 / 2) / sqrt(2 * pi)",),
)
normal_density: Op = floating(
    "normal_density",
    lambda x: math.exp(-0.5 * x * x) / ROOT_TWO_PI,
    lambda x: np.exp(-0.5 * x * x) / ROOT_TWO_PI,
    lambda g, y, x: g * (-x * y),
    "the standard normal density, exp(-x**2 / 2) / sqrt(2 pi)",
    grad_fn="MulBackward0",
)
ndtri = floating(
    "ndtri",
    None,
    lambda x: special.ndtri(x),
    lambda g, y, _x: g * ROOT_TWO_PI * exp(square(y) / 2.0),
    "the inverse of the standard normal distribution",
    grad_fn="SpecialNdtriBackward0",
    domain=UNIT,
)


def square(x: Any) -> Any:
    """In a rule: x * x, of an operand that takes a while to compute."""
    return x * x


# --- logarithms of sums and of products -----------------------------------------------------------


def _logaddexp_scalar(a: float, b: float) -> float:
    if a == b and math.isinf(a):
        return a
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


def _logaddexp(a: Any, b: Any) -> Any:
    same = np.isinf(a) & np.equal(a, b)
    return np.where(same, a, np.maximum(a, b) + np.log1p(np.exp(-np.abs(np.subtract(a, b)))))


def _logaddexp2_scalar(a: float, b: float) -> float:
    if a == b and math.isinf(a):
        return a
    return max(a, b) + math.log1p(math.exp2(-abs(a - b))) / LN2


def _logaddexp2(a: Any, b: Any) -> Any:
    same = np.isinf(a) & np.equal(a, b)
    return np.where(same, a, np.maximum(a, b) + np.log1p(np.exp2(-np.abs(np.subtract(a, b)))) * (1.0 / LN2))


def difference(a: Any, b: Any) -> Any:
    """In a rule: a - b."""
    refuse_flags("logaddexp", a, b)
    return a - b


logaddexp = pointwise(
    "logaddexp",
    _logaddexp_scalar,
    _logaddexp,
    [lambda g, _y, a, b: g * sigmoid(difference(a, b)), lambda g, _y, a, b: g * sigmoid(difference(b, a))],
    domain=TWO,
    formulas=("1 / (1 + exp(b - a))", "1 / (1 + exp(a - b))"),
    about="log(exp(a) + exp(b)) without overflow",
)
logaddexp2 = pointwise(
    "logaddexp2",
    _logaddexp2_scalar,
    _logaddexp2,
    [
        lambda g, _y, a, b: g * sigmoid(difference(a, b) * LN2),
        lambda g, _y, a, b: g * sigmoid(difference(b, a) * LN2),
    ],
    domain=TWO,
    formulas=("1 / (1 + 2**(b - a))", "1 / (1 + 2**(a - b))"),
    about="log2(2**a + 2**b) without overflow",
)


def _xlogy_scalar(x: float, y: float) -> float:
    return 0.0 if x == 0.0 and y == y else x * math.log(y)


def _xlog1py_scalar(x: float, y: float) -> float:
    return 0.0 if x == 0.0 and y == y else x * math.log1p(y)


def _product_slopes(product: Any, edge: float) -> tuple[Any, Any]:
    """The rules of x * log(y - edge): 0 * log is 0 where it isn't nan."""

    def first(g: Any, _p: Any, x: Any, y: Any) -> Any:
        flat = (x == 0.0) & (y <= edge)
        return where(flat, 0.0, product()(g, where(flat, edge + 1.0, y)))

    def second(g: Any, _p: Any, x: Any, y: Any) -> Any:
        return g * x / (y - edge)

    return first, second


def _products(name: str, title: str, scalar: Any, array: Any, edge: float, about: str) -> tuple[Op, Op, Op]:
    """Three ops: of tensors (Backward0), of a plain number first (Backward1), and second (Backward2)."""
    made: list[Op] = []
    first, second = _product_slopes(lambda: made[0], edge)
    log_text = "log(y)" if edge == 0.0 else "log(1 + y)"
    texts = (log_text, f"x / {'y' if edge == 0.0 else '(1 + y)'}")
    for i, (suffix, rules) in enumerate(
        (("", [first, second]), ("_of_number", [None, second]), ("_by_number", [first, None]))
    ):
        made.append(
            pointwise(
                name + suffix,
                scalar,
                array,
                rules,
                policy="float",
                grad_fn=f"{title}Backward{i}",
                formulas=tuple(t if r is not None else "" for t, r in zip(texts, rules, strict=True)),
                domain=((-2.0, 2.0), (0.3, 3.0)),
                kinks="0 where x is 0",
                about=about,
            )
        )
    return made[0], made[1], made[2]


xlogy, xlogy_of_number, xlogy_by_number = _products(
    "xlogy", "Xlogy", _xlogy_scalar, lambda x, y: special.xlogy(x, y), 0.0, "x log(y), and 0 where x is 0"
)
xlog1py, xlog1py_of_number, xlog1py_by_number = _products(
    "xlog1py",
    "SpecialXlog1Py",
    _xlog1py_scalar,
    lambda x, y: special.xlog1py(x, y),
    -1.0,
    "x log(1 + y), and 0 where x is 0",
)
entr = floating(
    "entr",
    lambda x: -x * math.log(x),
    lambda x: special.entr(x),
    lambda g, _y, x: g * -(1.0 + log(x)),
    "-x log(x); 0 at 0, -inf below",
    grad_fn="SpecialEntrBackward0",
    domain=POSITIVE,
)

# --- as functions ---------------------------------------------------------------------------------

unary(sigmoid, "sigmoid", special=("expit",))
unary(sigmoid, "sigmoid", places=("F",), in_place=False)
unary(erf, "erf", special=("erf",))
unary(erfc, "erfc", special=("erfc",))
unary(erfinv, "erfinv", special=("erfinv",))
unary(ndtr, "ndtr", places=("special",), in_place=False)
unary(ndtri, "ndtri", places=("special",), in_place=False)
unary(entr, "entr", places=("special",), in_place=False)
binary(logaddexp, "logaddexp", in_place=False, check=floating_check)
binary(logaddexp2, "logaddexp2", in_place=False, check=floating_check)
binary(xlogy, "xlogy", number=xlogy_by_number, first_number=xlogy_of_number, special=("xlogy",))
binary(
    xlog1py,
    "xlog1py",
    number=xlog1py_by_number,
    first_number=xlog1py_of_number,
    places=("special",),
    in_place=False,
)


@public("logit", places=METHOD, ops=(logit,), numbers=True, in_place=True)
@public("logit", places=("special",), ops=(logit,), numbers=True)
def _logit_function(input: Any, eps: Any = None) -> Tensor:
    """log(x / (1 - x)), the inverse of the sigmoid; with eps, x is first kept within [eps, 1 - eps]."""
    bound = None if eps is None else float(number_arg(eps, "logit", "eps"))
    return apply(logit, (tensor_arg(input, "logit"),), {"eps": bound})
