"""Comparisons, logic and bits: results that are bool or integer, and have no derivative."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import METHOD, binary, kind, takes, unary
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, TypeFault

FLAGS = frozenset((bool,))


# --- order ----------------------------------------------------------------------------------------


def _comparison(name: str, scalar: Callable[[Any, Any], bool], array: Callable[..., Any], sign: str) -> Op:
    return pointwise(name, scalar, array, None, policy="compare", about=f"a {sign} b")


eq = _comparison("eq", operator.eq, lambda a, b: np.equal(a, b), "==")
ne = _comparison("ne", operator.ne, lambda a, b: np.not_equal(a, b), "!=")
lt = _comparison("lt", operator.lt, lambda a, b: np.less(a, b), "<")
le = _comparison("le", operator.le, lambda a, b: np.less_equal(a, b), "<=")
gt = _comparison("gt", operator.gt, lambda a, b: np.greater(a, b), ">")
ge = _comparison("ge", operator.ge, lambda a, b: np.greater_equal(a, b), ">=")

binary(eq, "eq", number=eq)
binary(ne, "ne", "not_equal", number=ne)
binary(lt, "lt", "less", number=lt)
binary(le, "le", "less_equal", number=le)
binary(gt, "gt", "greater", number=gt)
binary(ge, "ge", "greater_equal", number=ge)

# --- logic: any dtype, nonzero is true ------------------------------------------------------------


def _logical(name: str, array: Callable[..., Any], about: str) -> Op:
    return pointwise(name, None, array, None, policy=None, about=about)


logical_and = _logical("logical_and", lambda a, b: np.logical_and(a, b), "both are true")
logical_or = _logical("logical_or", lambda a, b: np.logical_or(a, b), "at least one is true")
logical_xor = _logical("logical_xor", lambda a, b: np.logical_xor(a, b), "exactly one is true")
logical_not = pointwise(
    "logical_not",
    operator.not_,
    lambda x: np.logical_not(x),
    None,
    policy=None,
    scalar_types=frozenset((bool, float, int)),
    about="it is false",
)
binary(logical_and, "logical_and")
binary(logical_or, "logical_or")
binary(logical_xor, "logical_xor")
unary(logical_not, "logical_not")

# --- bits -----------------------------------------------------------------------------------------


def _bits(name: str, scalar: Callable[..., Any], array: Callable[..., Any], about: str) -> Op:
    return pointwise(name, scalar, takes("ib", name.replace("_", " "), array), None, scalar_types=FLAGS, about=about)


bitwise_and = _bits("bitwise_and", operator.and_, lambda a, b: np.bitwise_and(a, b), "a & b")
bitwise_or = _bits("bitwise_or", operator.or_, lambda a, b: np.bitwise_or(a, b), "a | b")
bitwise_xor = _bits("bitwise_xor", operator.xor, lambda a, b: np.bitwise_xor(a, b), "a ^ b")


def _flip(x: bool) -> bool:
    if type(x) is not bool:
        raise ValueError  # the array form says what is wrong
    return not x


bitwise_not = _bits("bitwise_not", _flip, lambda x: np.invert(x), "~a")
bitwise_left_shift = pointwise(
    "bitwise_left_shift",
    None,
    takes("i", "a shift", lambda a, b: np.where((b < 0) | (b > 63), 0, np.left_shift(a, np.clip(b, 0, 63)))),
    None,
    about="a << b",
)
bitwise_right_shift = pointwise(
    "bitwise_right_shift",
    None,
    takes("i", "a shift", lambda a, b: np.right_shift(a, np.where((b < 0) | (b > 63), 63, b))),
    None,
    about="a >> b",
)
for _op in (bitwise_and, bitwise_or, bitwise_xor, bitwise_left_shift, bitwise_right_shift):
    binary(_op, _op.name, number=_op, first_number=_op)
unary(bitwise_not, "bitwise_not")


def invert(x: Tensor) -> Tensor:
    """`~x`.

    Raises:
        TypeFault: the tensor is floating.
    """
    if kind(x.value) == "f":
        raise TypeFault(f"~ is for bool and integer tensors, and this one is {x.dtype}")
    return apply(bitwise_not, (x,), {})


# --- what kind of number --------------------------------------------------------------------------


def _predicate(name: str, scalar: Callable[[float], bool], array: Callable[..., Any], about: str) -> Op:
    op = pointwise(name, scalar, array, None, policy=None, about=about)
    unary(op, name, in_place=False)
    return op


isnan = _predicate("isnan", math.isnan, lambda x: np.isnan(x), "whether it is nan")
isinf = _predicate("isinf", math.isinf, lambda x: np.isinf(x), "whether it is inf or -inf")
isfinite = _predicate("isfinite", math.isfinite, lambda x: np.isfinite(x), "whether it is neither nan nor infinite")
isposinf = _predicate("isposinf", lambda x: x == math.inf, lambda x: np.equal(x, np.inf), "whether it is inf")
isneginf = _predicate("isneginf", lambda x: x == -math.inf, lambda x: np.equal(x, -np.inf), "whether it is -inf")
isreal = _predicate(
    "isreal", lambda _x: True, lambda x: np.ones(np.shape(x), bool), "true: there are no complex numbers"
)

# --- closeness ------------------------------------------------------------------------------------


def _close(a: Any, b: Any, *, rtol: float, atol: float, equal_nan: bool) -> Any:
    with np.errstate(invalid="ignore"):
        close = np.equal(a, b) | (
            np.isfinite(b) & np.isfinite(a) & (np.abs(np.subtract(a, b, dtype=_wide(a))) <= atol + rtol * np.abs(b))
        )
    return close | (np.isnan(a) & np.isnan(b)) if equal_nan else close


def _wide(a: Any) -> Any:
    """The dtype to take differences in: bools have none, and integers overflow."""
    return np.asarray(a).dtype if kind(a) == "f" else np.float64


isclose = pointwise("isclose", None, _close, None, policy=None, about="equal within rtol * |other| + atol")


def _close_operands(name: str, input: Any, other: Any, rtol: float, atol: float) -> tuple[Tensor, Tensor]:
    a, b = tensor_arg(input, name), tensor_arg(other, name, "other")
    if a.dtype is not b.dtype:
        raise RuntimeFault(
            f"{name}: the tensors have different dtypes, {a.dtype} and {b.dtype}",
            hint=f"convert one, as with .to({a.dtype})",
        )
    if rtol < 0 or atol < 0:
        raise RuntimeFault(f"{name}: rtol and atol can't be negative, and they are {rtol} and {atol}")
    return a, b


@public("isclose", places=METHOD, ops=(isclose,), numbers=True)
def _isclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether |input - other| <= atol + rtol * |other|, entry by entry."""
    operands = _close_operands("isclose", input, other, rtol, atol)
    return apply(isclose, operands, {"rtol": rtol, "atol": atol, "equal_nan": equal_nan})


@public("allclose", places=METHOD, ops=(isclose,), numbers=True)
def _allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all entries are close: |input - other| <= atol + rtol * |other|."""
    a, b = _close_operands("allclose", input, other, rtol, atol)
    return bool(np.all(isclose.compute((a.value, b.value), {"rtol": rtol, "atol": atol, "equal_nan": equal_nan})))


@public("equal", places=METHOD, numbers=True)
def _equal(input: Any, other: Any) -> bool:
    """Whether two tensors have the same shape and the same entries (nan equals nothing)."""
    a, b = tensor_arg(input, "equal"), tensor_arg(other, "equal", "other")
    return a.shape == b.shape and bool(np.all(np.equal(a.value, b.value)))
