"""Arithmetic: the operators' primitives, what they are called as functions, and `where`, which all rules
need.

PyTorch's overloads with different backward nodes are different ops here: `1 - x` is `rsub_number`, `1 / x`
is a reciprocal and a product.
"""

from __future__ import annotations

import operator
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import METHOD, NUMBERS, TWO, floating, kind, takes, tensor_or_number, unary
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault

NONZERO = ((-2.0, 2.0), (0.5, 2.0))

add = pointwise(
    "add",
    operator.add,
    lambda a, b: np.add(a, b),
    [lambda g, _y, _a, _b: g, lambda g, _y, _a, _b: g],
    domain=TWO,
    about="the sum",
)
sub = pointwise(
    "sub",
    operator.sub,
    takes("fi", "subtraction", lambda a, b: np.subtract(a, b), RuntimeFault),
    [lambda g, _y, _a, _b: g, lambda g, _y, _a, _b: -g],
    domain=TWO,
    about="the difference",
)
mul = pointwise(
    "mul",
    operator.mul,
    lambda a, b: np.multiply(a, b),
    [lambda g, _y, _a, b: g * b, lambda g, _y, a, _b: g * a],
    domain=TWO,
    about="the product",
)
div = pointwise(
    "div",
    operator.truediv,
    lambda a, b: np.true_divide(a, b),
    [lambda g, _y, _a, b: g / b, lambda g, _y, a, b: -g * ((a / b) / b)],
    policy="float",
    formulas=("1 / b", "-a / b**2"),
    domain=NONZERO,
    about="the quotient",
)
neg = pointwise(
    "neg",
    operator.neg,
    takes("fi", "the negative", lambda x: np.negative(x), RuntimeFault),
    [lambda g, _y, _x: -g],
    about="the negative",
)
reciprocal = floating(
    "reciprocal",
    lambda x: 1.0 / x,
    lambda x: np.true_divide(1.0, x),
    lambda g, y, _x: -g * (y * y),
    "one over x",
    domain=((0.5, 2.0),),
)
# sums, products and quotients with a plain number, as PyTorch itself writes them in composed functions
mul_number = pointwise(
    "mul_number",
    operator.mul,
    lambda a, b: np.multiply(a, b),
    [lambda g, _y, _a, plain_b: g * plain_b, None],
    grad_fn="MulBackward1",
    domain=TWO,
    about="the product with a plain number",
)
add_number = pointwise(
    "add_number",
    operator.add,
    lambda a, b: np.add(a, b),
    [lambda g, _y, _a, _b: g, None],
    grad_fn="AddBackward1",
    domain=TWO,
    about="the sum with a plain number",
)
div_number = pointwise(
    "div_number",
    operator.truediv,
    lambda a, b: np.true_divide(a, b),
    [lambda g, _y, _a, plain_b: g / plain_b, None],
    policy="float",
    grad_fn="DivBackward1",
    domain=NONZERO,
    about="the quotient by a plain number",
)
add_scaled = pointwise(
    "add_scaled",
    lambda a, b, *, alpha: a + alpha * b,
    lambda a, b, *, alpha: np.add(a, np.multiply(b, alpha, dtype=_dtype(b))),
    [lambda g, _y, _a, _b, *, alpha: g, lambda g, _y, _a, _b, *, alpha: g * alpha],
    grad_fn="AddBackward0",
    domain=TWO,
    about="the sum, with the second term times alpha",
)
sub_scaled = pointwise(
    "sub_scaled",
    lambda a, b, *, alpha: a - alpha * b,
    lambda a, b, *, alpha: np.subtract(a, np.multiply(b, alpha, dtype=_dtype(b))),
    [lambda g, _y, _a, _b, *, alpha: g, lambda g, _y, _a, _b, *, alpha: -g * alpha],
    grad_fn="SubBackward0",
    domain=TWO,
    about="the difference, with the second term times alpha",
)
rsub = pointwise(
    "rsub",
    lambda a, b: b - a,
    takes("fi", "subtraction", lambda a, b: np.subtract(b, a), RuntimeFault),
    [lambda g, _y, _a, _b: -g, lambda g, _y, _a, _b: g],
    domain=TWO,
    about="the second minus the first",
)
rsub_scaled = pointwise(
    "rsub_scaled",
    lambda a, b, *, alpha: b - alpha * a,
    lambda a, b, *, alpha: np.subtract(b, np.multiply(a, alpha, dtype=_dtype(a))),
    [lambda g, _y, _a, _b, *, alpha: -g * alpha, lambda g, _y, _a, _b, *, alpha: g],
    grad_fn="RsubBackward0",
    domain=TWO,
    about="the second minus alpha times the first",
)
rsub_number_scaled = pointwise(
    "rsub_number_scaled",
    lambda a, b, *, alpha: b - alpha * a,
    lambda a, b, *, alpha: np.subtract(b, np.multiply(a, alpha, dtype=_dtype(a))),
    [lambda g, _y, _a, _b, *, alpha: -g * alpha, None],
    grad_fn="RsubBackward1",
    domain=TWO,
    about="a plain number minus alpha times the tensor",
)
rsub_number = pointwise(
    "rsub_number",
    lambda a, b: b - a,
    takes("fi", "subtraction", lambda a, b: np.subtract(b, a), RuntimeFault),
    [lambda g, _y, _a, _b: -g, None],
    grad_fn="RsubBackward1",
    domain=TWO,
    about="a plain number minus the tensor",
)
where: Op = pointwise(
    "where",
    lambda c, a, b: a if c else b,
    lambda c, a, b: np.where(c, a, b),
    [
        None,
        lambda g, _y, c, _a, _b: where(c, g, 0.0),
        lambda g, _y, c, _a, _b: where(c, 0.0, g),
    ],
    promote_from=1,
    scalar_types=frozenset((bool, float)),
    domain=((0.0, 1.0), (-2.0, 2.0), (-2.0, 2.0)),
    kinks="the branch not taken gets 0 (which an infinite slope further down turns into nan)",
    about="a where the condition holds, else b",
)


def _dtype(value: Any) -> Any:
    return np.asarray(value).dtype


# --- as functions ---------------------------------------------------------------------------------


def _result(op: Any, a: Any, b: Any, **params: Any) -> Tensor:
    """The op on tensors and plain numbers, as a tensor also where both are numbers."""
    found = op(a, b, **params)
    return found if type(found) is Tensor else wrap(found)


def subtract(a: Any, b: Any) -> Any:
    """`a - b`, for the operator and the function.

    Raises:
        RuntimeFault: an operand is bool.
    """
    _refuse_bool(a, b)
    return sub(a, b)


def reflected_subtract(a: Any, b: Any) -> Any:
    """`b - a` for a plain number `b`."""
    _refuse_bool(a, b)
    return rsub_number(a, b)


def reflected_divide(a: Any, b: Any) -> Any:
    """`b / a` for a plain number `b`: PyTorch's reciprocal times the number."""
    return mul(reciprocal(a), b)


def _refuse_bool(a: Any, b: Any) -> None:
    for x in (a, b):
        value = x.value if type(x) is Tensor else x
        if type(value) is bool or (type(value) is not float and kind(value) == "b"):
            raise RuntimeFault(
                "a bool tensor can't be subtracted, nor subtracted from",
                hint="write ~mask for the opposite of a mask, mask ^ other for a difference",
            )


def _factor(name: str, a: Any, b: Any, alpha: Any) -> Any:
    """The factor `alpha`, fit for the operands' dtypes.

    Raises:
        TypeFault: it is no number.
        RuntimeFault: a fraction for integers, a bool for numbers.
    """
    if type(alpha) not in NUMBERS:
        raise TypeFault(f"{name}: alpha must be a number, not {type(alpha).__name__}")
    kinds = [kind(x.value if type(x) is Tensor else x) for x in (a, b)]
    if type(alpha) is bool and kinds != ["b", "b"]:
        raise RuntimeFault(f"{name}: alpha={alpha} goes with bool tensors only", hint="write a number")
    if type(alpha) is float and "f" not in kinds:
        raise RuntimeFault(
            f"{name}: alpha={alpha} is no whole number, and the operands are integers",
            hint="convert them first, as with x.double()",
        )
    return alpha != 0 if kinds == ["b", "b"] else alpha


def _scaled(name: str, plain: Any, scaled: Any, a: Any, b: Any, alpha: Any) -> Tensor:
    if type(alpha) is int and alpha == 1:
        return _result(plain, a, b)
    alpha = _factor(name, a, b, alpha)
    return _result(plain, a, b) if alpha == 1 else _result(scaled, a, b, alpha=alpha)


@public("add", places=METHOD, ops=(add, add_scaled), numbers=True, in_place=True)
def _add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """The sum: input + alpha * other."""
    a, b = tensor_or_number(input, "add", "input"), tensor_or_number(other, "add")
    return _scaled("add", add, add_scaled, a, b, alpha)


@public("sub", "subtract", places=METHOD, ops=(sub, sub_scaled), numbers=True, in_place=True)
def _sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """The difference: input - alpha * other."""
    a, b = tensor_or_number(input, "sub", "input"), tensor_or_number(other, "sub")
    _refuse_bool(a, b)
    return _scaled("sub", sub, sub_scaled, a, b, alpha)


@public("rsub", places=("torch",), ops=(rsub, rsub_number, rsub_scaled, rsub_number_scaled), numbers=True)
def _rsub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """The difference the other way round: other - alpha * input."""
    a, b = tensor_arg(input, "rsub"), tensor_or_number(other, "rsub")
    _refuse_bool(a, b)
    plain, scaled = (rsub, rsub_scaled) if type(b) is Tensor else (rsub_number, rsub_number_scaled)
    return _scaled("rsub", plain, scaled, a, b, alpha)


@public("mul", "multiply", places=METHOD, ops=(mul,), numbers=True, in_place=True)
def _mul(input: Any, other: Any) -> Tensor:
    """The product."""
    return _result(mul, tensor_or_number(input, "mul", "input"), tensor_or_number(other, "mul"))


@public("where", places=("torch",), ops=(where,), numbers=True)
def _where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """input where the condition holds, else other; with the condition alone: the indices where it holds.

    Raises:
        RuntimeFault: the condition is not bool.
    """
    condition = tensor_arg(condition, "where", "condition")
    if input is None and other is None:
        found = np.nonzero(np.atleast_1d(np.asarray(condition.value)))
        return tuple(wrap(ids) for ids in found)
    a, b = tensor_or_number(input, "where", "input"), tensor_or_number(other, "where")
    if kind(condition.value) != "b":
        raise RuntimeFault(
            f"where: the condition must be a bool tensor, and this one is {condition.dtype}",
            hint="write a comparison, as in where(x != 0, a, b)",
        )
    return apply(where, (condition, a, b), {})


@public("where", places=("Tensor",), ops=(where,))
def _where_method(self: Any, condition: Any, other: Any) -> Tensor:
    """self where the condition holds, else other."""
    found: Tensor = _where(condition, self, other)
    return found


@public("positive", places=METHOD, numbers=True)
def positive(input: Any) -> Tensor:
    """The tensor itself.

    Raises:
        RuntimeFault: the tensor is bool.
    """
    x = tensor_arg(input, "positive")
    if kind(x.value) == "b":
        raise RuntimeFault("the + sign does not go with a bool tensor", hint="convert it first, as with mask.int()")
    return x


unary(neg, "neg", "negative")
unary(reciprocal, "reciprocal")
