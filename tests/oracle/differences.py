"""The differences from PyTorch that are kept: its number is wrong there, and ours is right.

`KEPT`, `ANSWERED` and `OPEN` (what is not mended yet) are the table. A row of KEPT has the function and its derivatives in mpmath, and what is wrong with
PyTorch's number. Where ours differs from PyTorch's, the right number is computed here: the value, the weighted derivative,
or the weighted derivative of that. A difference is accepted when our number is the right one. A row of ANSWERED says
where PyTorch raises though there is an answer. A row of either for which nothing was accepted fails the tests.

`rough` is for cases for which no right number can be had (see `right`): how far apart the two may be there.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from mpmath import mp, mpf

from oracle import right as truth
from oracle.case import Case, second_weight, weight

DIGITS = 60
ALL_DIGITS = 700  # enough for the difference of the largest and the smallest of doubles
FAR = mpf(10) ** 330  # stands for infinity: what a limit is taken at
NEAR = mpf(10) ** -400  # beside a pole


class Kept(NamedTuple):
    """`functions`: see right.py."""

    functions: tuple[Callable[..., Any], ...]
    why: str
    rough: float = 1e-12
    digits: int = DIGITS


class Answered(NamedTuple):
    """Where (of which case) PyTorch raises, or gives nan or an infinity, though there is an answer."""

    where: Callable[[Case], bool]
    why: str


_ONE_MINUS = (
    "the derivative of tanh or sigmoid is taken as 1 - y * y or y * (1 - y), which loses its digits as y nears 1"
)

KEPT: dict[str, Kept] = {
    "sigmoid": Kept(truth.SIGMOID, _ONE_MINUS),
    "tanh": Kept(truth.TANH, _ONE_MINUS),
    "expm1": Kept(truth.EXPM1, "the derivative is taken as y + 1, which keeps few digits where y is near -1"),
    "asinh": Kept(truth.ASINH, "x * x overflows in the derivative"),
    "acosh": Kept(truth.ACOSH, "x * x overflows in the derivative"),
    "erf": Kept(truth.ERF, "x * x overflows in the second derivative: inf * 0"),
    "erfc": Kept(truth.ERFC, "x * x overflows in the second derivative: inf * 0"),
    "lgamma": Kept(truth.LGAMMA, "trigamma is good to 1e-9 only", 1e-8),
    "digamma": Kept(truth.DIGAMMA, "trigamma is good to 1e-9 only", 1e-8),
    "polygamma": Kept(truth.POLYGAMMA, "trigamma is good to 1e-9 only", 1e-8),
    "sinc": Kept(truth.SINC, "sin(pi * x) of a rounded pi * x; the second derivative at 0 is nan"),
    "silu": Kept(truth.SILU, _ONE_MINUS),
    "mish": Kept(truth.MISH, _ONE_MINUS),
    "softplus": Kept(truth.SOFTPLUS, _ONE_MINUS),
    "logsigmoid": Kept(truth.LOGSIGMOID, _ONE_MINUS),
    "tanhshrink": Kept(truth.TANHSHRINK, _ONE_MINUS, digits=ALL_DIGITS),
    "gelu": Kept(truth.GELU, "1 + erf(x) and 1 + tanh(u) lose their digits for negative x; x * x overflows", 1e-9),
    "hardsigmoid": Kept(truth.HARDSIGMOID, "1 / 6 is rounded to float32", 1e-7),
    "celu": Kept(truth.CELU, "1 / alpha is rounded to float32", 1e-7),
    "logit": Kept(truth.LOGIT, "0 * inf outside the bounds"),
    "hypot": Kept(truth.HYPOT, "squares overflow and underflow in the second derivative"),
    "atan2": Kept(truth.ATAN2, "squares overflow and underflow in the derivatives"),
    "logaddexp": Kept(truth.LOGADDEXP, "exp overflows in the second derivative"),
    "logaddexp2": Kept(truth.LOGADDEXP2, "exp2 overflows in the second derivative"),
    "copysign": Kept(
        truth.COPYSIGN, "the derivative is taken as y / x: nan where x is infinite, and a rounding error in the second"
    ),
    "ndtr": Kept(truth.NDTR, "1 + erf(x) loses its digits for negative x", 1e-9),
    "erfcx": Kept(truth.ERFCX, "the derivative is a difference that cancels", 1e-9),
    "log_ndtr": Kept(truth.LOG_NDTR, "the second derivative is a difference that cancels", 1e-9),
    "pow": Kept(truth.POW, "0 * inf in the second derivative at base 0"),
    "float_power": Kept(truth.POW, "0 * inf in the second derivative at base 0"),
    "operators": Kept(truth.POW, "of **: 0 * inf in the second derivative at base 0"),
    "fmod": Kept(truth.FMOD, "nan where the quotient overflows", digits=ALL_DIGITS),
    "remainder": Kept(truth.REMAINDER, "nan where the quotient overflows", digits=ALL_DIGITS),
    "norm": Kept((truth.norm,), "the powers overflow or underflow"),
    "linalg.norm": Kept((truth.norm,), "the powers overflow or underflow"),
    "prod": Kept((truth.product,), "the derivative is taken as y / x, and y overflows"),
    "det": Kept((truth.det,), "the inverse of a singular matrix is taken in the gradient"),
}


def _in_place(case: Case) -> bool:
    return "_(" in case.text


def _always(_case: Case) -> bool:
    return True


def _single(case: Case) -> bool:
    return any(t.dtype == "float32" for t in case.tensors.values())


def _unbounded(case: Case) -> bool:
    return any(math.isinf(v) for t in case.tensors.values() for v in t.values)


def _based_on_zero(case: Case) -> bool:
    return (
        "True" in case.text
        or "(0, " in case.text
        or "0 ** " in case.text
        or "0.0 ** " in case.text
        or any(v == 0 for t in case.tensors.values() for v in t.values)
    )


def _holed(case: Case) -> bool:
    return any(math.isnan(v) or math.isinf(v) for t in case.tensors.values() for v in t.values)


def _huge(case: Case) -> bool:
    return any(abs(v) > 1e150 for t in case.tensors.values() for v in t.values)


def _singular(case: Case) -> bool:
    return any(t.values == (1.0, 2.0, 2.0, 4.0) for t in case.tensors.values())


_SINGULAR = "the second derivative solves with the singular matrix, and raises, where it is infinite"
_FLOAT32 = "its backward mixes float32 with the default dtype float64, and raises"
_RATIO = "the derivative is taken as y / x: nan, for the product of the others, where x is nan or infinite"
ANSWERED: dict[str, Answered] = {
    "layer_norm": Answered(
        lambda case: "bias=" in case.text, "its second backward passes a None on where there is a bias but no weight"
    ),
    "det": Answered(lambda case: _single(case) or _holed(case), _FLOAT32 + "; nan where a cofactor is none"),
    "slogdet": Answered(_singular, _SINGULAR),
    "logdet": Answered(_singular, _SINGULAR),
    "vmap": Answered(
        lambda case: " if " in case.text or ".item()" in case.text,
        "a batch has no one value; here each sample runs by itself",
    ),
    "cond": Answered(lambda case: "p=" in case.text, "its backward meets a value that it has changed in place itself"),
    "vander": Answered(_always, "its backward meets a value that it has changed in place itself"),
    "scatter": Answered(
        lambda case: "(1, b, c)" in case.text or "(a, 1, b, c)" in case.text,
        "its backward refuses a source larger than the index",
    ),
    "var_mean": Answered(
        lambda case: _unbounded(case) or _huge(case),
        "the mean of infinite values is nan, though mean() gives the infinity",
    ),
    "std_mean": Answered(
        lambda case: _unbounded(case) or _huge(case),
        "the mean of infinite values is nan, though mean() gives the infinity",
    ),
    "prod": Answered(_holed, _RATIO),
    **{
        name: Answered(
            _based_on_zero, "no derivative of a power of a bool; nan for the second derivative where the base is 0"
        )
        for name in ("pow", "operators", "float_power")
    },
    "logit": Answered(_holed, "nan for the second derivative of a constant piece"),
    "repeat": Answered(lambda case: "repeat(-1)" in case.text, "its backward refuses a repetition of nothing"),
    "copysign": Answered(_holed, "0 * nan, where the derivative is constant"),
    "cumprod": Answered(lambda case: _holed(case) or _huge(case), _RATIO + ", or y is"),
}


class Open(NamedTuple):
    """A difference that is not mended yet: in which cases, of which kinds."""

    where: Callable[[Case], bool]
    kinds: str
    why: str


OPEN: dict[str, Open] = {}


def right(group: str, case: Case, kind: str, part: int, index: int, offset: int) -> float | None:
    """The right number for element `index` of a value, or of the gradient with respect to leaf `part`.

    `kind`: "value", "grad" (or "first"), "grad2". None where there is none to be had: elements are nan, or the same infinity;
    the case is not pointwise, or not of the shape that a function of a whole tensor is for.
    """
    if group not in KEPT or not case.tensors:
        return None
    order = {"value": 0, "grad": 1, "first": 1, "grad2": 2}[kind]
    if len(KEPT[group].functions) == 1:
        return _of_whole(group, case, order, index)
    if not case.pointwise:
        return None
    element = index + offset
    at = tuple(float(t.values[index]) for t in case.tensors.values())
    if any(math.isnan(x) for x in at) or (len(at) > 1 and math.isinf(at[0]) and at[0] == at[1]):
        return None
    leaves = [i for i, t in enumerate(case.tensors.values()) if t.grad]
    point = tuple(map(float.hex, at))
    factor = weight(0, element)
    if order == 0:
        return _exact(group, case.text, (), point)
    if order == 1:
        return _times(factor, _exact(group, case.text, (leaves[part],), point))
    terms = [
        _times(factor * second_weight(k, element), _exact(group, case.text, tuple(sorted((leaf, leaves[part]))), point))
        for k, leaf in enumerate(leaves)
    ]
    return None if None in terms else sum(t for t in terms if t is not None)


def _times(factor: float, x: float | None) -> float | None:
    return None if x is None else factor * x


WHICH = {3: {(): 0, (0,): 1, (0, 0): 2}, 6: {(): 0, (0,): 1, (1,): 2, (0, 0): 3, (0, 1): 4, (1, 1): 5}}


def _call(text: str) -> tuple[list[ast.expr], dict[str, Any]]:
    """The positional arguments (tensors are names) and the keywords of the call, or the operands of the power, that a
    case is."""
    last = ast.parse(text).body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    if isinstance(call, ast.BinOp) and isinstance(call.op, ast.Pow):
        return [call.left, call.right], {}
    if not isinstance(call, ast.Call):
        raise ValueError("not a call")
    positional = list(call.args)
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(owner, ast.Name) and owner.id not in ("torch", "F"):
        positional.insert(0, owner)
    return positional, {k.arg or "": _literal(k.value) for k in call.keywords}


def _literal(node: ast.expr) -> Any:
    text = ast.unparse(node).replace("inf", "1e999")
    return ast.literal_eval(text)


def _mpf(x: float) -> Any:
    """A float in mpmath: infinity is far away, and a negative zero keeps its sign by being a little less."""
    if math.isinf(x):
        return FAR if x > 0 else -FAR
    return -NEAR if x == 0 and math.copysign(1, x) < 0 else mpf(x)


@cache
def _exact(group: str, text: str, derivative: tuple[int, ...], point: tuple[str, ...]) -> float | None:
    """A derivative, with respect to the numbered tensors, of the function of a group at a point (hexadecimal: 0 has a sign)."""
    try:
        positional, keywords = _call(text)
    except ValueError:
        return None
    functions = KEPT[group].functions
    places = [i for i, a in enumerate(positional) if isinstance(a, ast.Name)]
    if len(places) != len(point):
        return None
    variables = tuple(places[i] if len(functions) == 6 else i for i in derivative)
    function = functions[WHICH[len(functions)][variables]]

    def evaluate(digits: int, moved: Any) -> Any:
        with mp.workdps(digits):
            numbers = iter([_mpf(float.fromhex(x)) for x in point])
            arguments = [
                next(numbers) + moved if isinstance(a, ast.Name) else mp.mpmathify(_literal(a)) for a in positional
            ]
            found = function(*arguments, **keywords)
            return None if mp.im(found) else float(mp.re(found))

    try:
        return evaluate(KEPT[group].digits, 0)
    except (ValueError, ArithmeticError):
        pass
    try:  # a pole, perhaps: what its two sides agree in
        sides = {evaluate(ALL_DIGITS, d) for d in (NEAR, -NEAR)} if len(point) == 1 else set()
    except (ValueError, ArithmeticError):
        return None
    found = sides.pop() if len(sides) == 1 else None
    return found if found is None or math.isinf(found) else None


def _of_whole(group: str, case: Case, order: int, index: int) -> float | None:
    """The same for a function of all elements of the one tensor of a case, whose result has one element."""
    (function,) = KEPT[group].functions
    if len(case.tensors) != 1:
        return None
    (t,) = case.tensors.values()
    if not all(map(math.isfinite, t.values)) or not t.values:
        return None
    scale = max(abs(v) for v in t.values) or 1.0
    with mp.workdps(100):
        start, step = [mpf(v) for v in t.values], mpf(scale)
        tilt = [mpf(second_weight(0, k)) for k in range(len(start))]

        def f(s: Any, r: Any = 0) -> Any:
            moved = [
                x + step * (r * v + (s if k == index else 0)) for k, (x, v) in enumerate(zip(start, tilt, strict=True))
            ]
            return function(moved, t.shape, *arguments, **keywords)

        try:
            positional, keywords = _call(case.text)
            arguments = [_literal(a) for a in positional[1:]]
            if order == 0:
                return float(f(mpf(0)))
            if order == 1:
                return float(weight(0, 0) * mp.diff(f, 0) / step)
            return float(weight(0, 0) * mp.diff(f, (0, 0), (1, 1)) / step**2)
        except (ValueError, ArithmeticError, TypeError, SyntaxError):
            return None
