"""Division in all its roundings: div, floor_divide, remainder, fmod.

`remainder` (and `%`) has the sign of the divisor, `fmod` that of the dividend. Rounded quotients are
piecewise constant; `//` has no derivative at all in PyTorch, `div(rounding_mode=...)` has a zero one. A
remainder's slope in the divisor is the quotient it left out. Integers divided by zero are an error, floats
give inf or nan.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import NONZERO, div
from autodiff_cli.engine.ops.declare import (
    METHOD,
    NOT_IMPLEMENTED,
    NUMBERS,
    binary,
    kind,
    no_rule,
    takes,
    tensor_or_number,
)
from autodiff_cli.engine.ops.structure import MISSING
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

Array = Callable[[Any, Any], Any]


def _whole(name: str, integers: Array, floats: Array) -> Array:
    """An array form with one way for integers, which refuses a zero divisor, and one for floats.

    The operands have one dtype, except in rules, where a constant one may still have its own.
    """

    def divide(a: Any, b: Any) -> Any:
        kinds = kind(a) + kind(b)
        if kinds == "ff":
            return floats(a, b)
        if "f" in kinds:
            return floats(1.0 * a, 1.0 * b)
        if "b" in kinds:
            raise NotImplementedFault(f"{name} is not defined for bool tensors", hint="convert them, as with .int()")
        if not np.all(b):
            raise RuntimeFault(
                f"{name}: an integer is divided by zero",
                hint="floating point numbers give inf or nan there: write 0.0, or x.double()",
            )
        return integers(a, b)

    return divide


def _floor_floats(a: Any, b: Any) -> Any:
    """floor(a / b), exact where a / b is rounded up to a whole number, as C Python and PyTorch do it."""
    rest = np.fmod(a, b)
    quotient = (a - rest) / b
    quotient = np.where((rest != 0) & ((b < 0) != (rest < 0)), quotient - 1, quotient)
    rounded = np.floor(quotient)
    rounded = np.where(quotient - rounded > 0.5, rounded + 1, rounded)
    rounded = np.where(quotient == 0, np.copysign(0.0, a / b), rounded)
    return np.where(b == 0, np.true_divide(a, b), rounded).astype(np.result_type(a, b))


def _remainder_floats(a: Any, b: Any) -> Any:
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((b < 0) != (rest < 0)), rest + b, rest).astype(np.result_type(a, b))


def _remainder_scalar(a: float, b: float) -> float:
    rest = math.fmod(a, b)
    return rest + b if rest != 0.0 and (b < 0.0) != (rest < 0.0) else rest


def _floor_scalar(a: float, b: float) -> float:
    rest = math.fmod(a, b)  # raises for b == 0
    quotient = (a - rest) / b
    if rest != 0.0 and (b < 0.0) != (rest < 0.0):
        quotient -= 1.0
    if quotient == 0.0:
        return math.copysign(0.0, a / b)
    rounded = float(math.floor(quotient))
    return rounded + 1.0 if quotient - rounded > 0.5 else rounded


def _trunc_integers(a: Any, b: Any) -> Any:
    quotient = np.floor_divide(a, b)
    return quotient + ((quotient < 0) & (quotient * b != a))


_floor = _whole("floor division", lambda a, b: np.floor_divide(a, b), _floor_floats)
_trunc = _whole("truncating division", _trunc_integers, lambda a, b: np.trunc(np.true_divide(a, b)))
_remainder = _whole("remainder", lambda a, b: np.remainder(a, b), _remainder_floats)
_fmod = _whole("fmod", lambda a, b: np.fmod(a, b), lambda a, b: np.fmod(a, b))


def _flat(_g: Any, _y: Any, _a: Any, b: Any) -> float:
    return 0.0  # what it names is what PyTorch saves


def _flat_in_divisor(_g: Any, _y: Any, a: Any, b: Any) -> float:
    return 0.0


def _rounded(name: str, scalar: Callable[[float, float], float], array: Array, about: str) -> Op:
    return pointwise(
        name,
        scalar,
        array,
        [_flat, _flat_in_divisor],
        grad_fn="DivBackward2",
        formulas=("0", "0"),
        domain=NONZERO,
        kinks="the derivative is 0 everywhere",
        about=about,
    )


def _trunc_scalar(a: float, b: float) -> float:
    return math.copysign(float(math.trunc(a / b)), a / b)


div_floor = _rounded("div_floor", _floor_scalar, _floor, "the quotient rounded down")
div_trunc = _rounded("div_trunc", _trunc_scalar, _trunc, "the quotient rounded toward zero")
div_unrounded = pointwise(
    "div_unrounded",
    div.scalar,
    div.array,
    div.vjps,
    policy=div.policy,
    grad_fn="DivBackward2",
    formulas=div.formulas,
    domain=NONZERO,
    about="the quotient, where rounding_mode=None is written out",
)
_NO_SLOPE = no_rule("floor division (//)")


def _floor_division(name: str, rules: list[Any]) -> Op:
    return pointwise(
        name,
        _floor_scalar,
        _floor,
        rules,
        grad_fn=NOT_IMPLEMENTED,
        domain=NONZERO,
        about="the quotient rounded down; it has no derivative (div(rounding_mode='floor') has: 0)",
    )


floor_divide = _floor_division("floor_divide", [_NO_SLOPE, _NO_SLOPE])
floor_divide_number = _floor_division("floor_divide_number", [_NO_SLOPE, None])
floor_divide_of_number = _floor_division("floor_divide_of_number", [None, _NO_SLOPE])


def _rest(name: str, scalar: Any, array: Any, quotient: Op, about: str) -> tuple[Op, Op]:
    """The two ops of what is left, a - b * quotient(a, b): by a plain number (Backward0) and by a tensor (Backward1)."""
    made = [
        pointwise(
            name + suffix,
            scalar,
            array,
            [lambda g, _y, _a, _b: g, slope],
            grad_fn=f"{name.capitalize()}Backward{i}",
            domain=((0.6, 0.9), (0.5, 0.55)),
            kinks="at whole quotients the derivative is that of one side",
            about=about,
        )
        for i, (suffix, slope) in enumerate((("_number", None), ("", lambda g, _y, a, b: -g * quotient(a, b))))
    ]
    return made[0], made[1]


remainder_number, remainder = _rest(
    "remainder", _remainder_scalar, _remainder, div_floor, "what division leaves, with the divisor's sign"
)
fmod_number, fmod = _rest("fmod", math.fmod, _fmod, div_trunc, "what division leaves, with the dividend's sign")
remainder_of_number = pointwise(
    "remainder_of_number",
    _remainder_scalar,
    _remainder,
    [None, no_rule("the remainder of a plain number")],
    grad_fn=NOT_IMPLEMENTED,
    domain=NONZERO,
    about="what the division of a plain number leaves; PyTorch has no derivative of it",
)


def modulo(a: Any, b: Any) -> Tensor:
    """`a % b`, at least one a tensor."""
    if type(a) is not Tensor:
        return apply(remainder_of_number, (a, b), {})
    return apply(remainder if type(b) is Tensor else remainder_number, (a, b), {})


def quotient(a: Any, b: Any) -> Tensor:
    """`a // b`, at least one a tensor."""
    if type(a) is not Tensor:
        return apply(floor_divide_of_number, (a, b), {})
    return apply(floor_divide if type(b) is Tensor else floor_divide_number, (a, b), {})


@public("div", "divide", places=METHOD, ops=(div, div_unrounded, div_floor, div_trunc), numbers=True, in_place=True)
def _div(input: Any, other: Any, *, rounding_mode: Any = MISSING) -> Tensor:
    """The quotient; rounding_mode: None, "floor" (down) or "trunc" (toward zero).

    Raises:
        RuntimeFault: an unknown rounding_mode, or a rounded quotient of an integer by 0.
    """
    a, b = tensor_or_number(input, "div", "input"), tensor_or_number(other, "div")
    modes = {MISSING: div, None: div_unrounded, "floor": div_floor, "trunc": div_trunc}
    chosen = modes.get(rounding_mode)
    if chosen is None:
        raise RuntimeFault(f"div: there is no rounding_mode {rounding_mode!r}", hint="it is None, 'floor' or 'trunc'")
    if type(a) in NUMBERS and type(b) in NUMBERS:
        return wrap(chosen(*_as_floats(a, b)) if chosen in (div, div_unrounded) else chosen(a, b))
    return apply(chosen, (a, b), {})


def _as_floats(*xs: Any) -> list[float]:
    return [float(x) for x in xs]


@public("true_divide", places=METHOD, ops=(div,), numbers=True, in_place=True)
def _true_divide(input: Any, other: Any) -> Tensor:
    """The quotient."""
    found: Tensor = _div(input, other)
    return found


@public("floor_divide", places=METHOD, ops=(floor_divide,), numbers=True, in_place=True)
def _floor_divide(input: Any, other: Any) -> Tensor:
    """The quotient rounded down."""
    a, b = tensor_or_number(input, "floor_divide", "input"), tensor_or_number(other, "floor_divide")
    if type(a) in NUMBERS and type(b) in NUMBERS:
        a = wrap(a)
    return quotient(a, b)


@public("remainder", places=METHOD, ops=(remainder, remainder_number), numbers=True, in_place=True)
def _remainder_function(input: Any, other: Any) -> Tensor:
    """What division leaves, with the divisor's sign (Python's %)."""
    a, b = tensor_or_number(input, "remainder", "input"), tensor_or_number(other, "remainder")
    if type(b) is not Tensor:
        a = tensor_arg(a, "remainder")
    return modulo(a, b)


gcd = pointwise("gcd", None, takes("i", "gcd", lambda a, b: np.gcd(a, b)), None, about="the greatest common divisor")
lcm = pointwise("lcm", None, takes("i", "lcm", lambda a, b: np.lcm(a, b)), None, about="the least common multiple")

binary(fmod, "fmod", number=fmod_number)
binary(gcd, "gcd")
binary(lcm, "lcm")
