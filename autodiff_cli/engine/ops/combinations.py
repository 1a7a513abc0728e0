"""Operations on three operands at once: lerp, addcmul, addcdiv."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import METHOD, NUMBERS, TWO, kind, takes, tensor_or_number
from autodiff_cli.engine.registry import pointwise, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault


def _dtype(value: Any) -> Any:
    return np.asarray(value).dtype


def _lerp_scalar(a: float, b: float, w: float) -> float:
    return a + w * (b - a) if abs(w) < 0.5 else b - (b - a) * (1.0 - w)


def _lerp(a: Any, b: Any, w: Any) -> Any:
    d = b - a
    return np.where(np.abs(w) < 0.5, a + w * d, b - d * (1 - w))


lerp_number = pointwise(
    "lerp_number",
    _lerp_scalar,
    takes("f", "lerp", _lerp),
    [
        lambda g, _y, _a, _b, plain_w: g * (1.0 - plain_w),
        lambda g, _y, _a, _b, plain_w: g * plain_w,
        None,
    ],
    grad_fn="LerpBackward0",
    domain=(*TWO, (0.1, 0.9)),
    about="a + w * (b - a) with a plain number w",
)
lerp = pointwise(
    "lerp",
    _lerp_scalar,
    takes("f", "lerp", _lerp),
    [
        lambda g, _y, _a, _b, w: g * (1.0 - w),
        lambda g, _y, _a, _b, w: g * w,
        lambda g, _y, a, b, _w: g * (b - a),
    ],
    grad_fn="LerpBackward1",
    domain=(*TWO, (0.1, 0.9)),
    about="a + w * (b - a)",
)
addcmul = pointwise(
    "addcmul",
    lambda a, b, c, *, value: a + value * b * c,
    takes(
        "fi",
        "addcmul",
        lambda a, b, c, *, value: np.add(a, np.multiply(np.multiply(b, value, dtype=_dtype(b)), c)),
    ),
    [
        lambda g, _y, _a, _b, _c, *, value: g,
        lambda g, _y, _a, _b, c, *, value: g * (c * value),
        lambda g, _y, _a, b, _c, *, value: g * (b * value),
    ],
    domain=(*TWO, (-2.0, 2.0)),
    about="a + value * b * c",
)
addcdiv = pointwise(
    "addcdiv",
    lambda a, b, c, *, value: a + value * b / c,
    lambda a, b, c, *, value: np.add(a, np.true_divide(np.multiply(b, value, dtype=_dtype(b)), c)),
    [
        lambda g, _y, _a, _b, _c, *, value: g,
        lambda g, _y, _a, _b, c, *, value: g * (value / c),
        # the quotients one after the other: c * c would overflow long before the derivative does
        lambda g, _y, _a, b, c, *, value: -g * (value * (b / c) / c),
    ],
    formulas=("1", "value / c", "-value * b / c**2"),
    domain=(*TWO, (0.5, 2.0)),
    about="a + value * b / c",
)

# --- as functions -----------------------------------------------------------------------------------


@public("lerp", places=METHOD, ops=(lerp, lerp_number), numbers=True, in_place=True)
def _lerp_function(input: Any, end: Any, weight: Any) -> Tensor:
    """Linear interpolation: input + weight * (end - input).

    Raises:
        NotImplementedFault: integers; RuntimeFault: dtypes that differ.
    """
    tensors = [tensor_arg(input, "lerp"), tensor_arg(end, "lerp", "end")]
    if kind(tensors[0].value) != "f":
        raise NotImplementedFault("lerp is not defined for integer tensors", hint="convert first, as with x.double()")
    weight = tensor_or_number(weight, "lerp", "weight")
    if type(weight) is Tensor and (weight.ndim or tensors[0].ndim == 0):
        tensors.append(weight)
    _same_dtype("lerp", tensors)
    return apply(lerp if type(weight) is Tensor else lerp_number, (input, end, weight), {})


def _same_dtype(name: str, tensors: list[Tensor]) -> None:
    for t in tensors[1:]:
        if t.dtype is not tensors[0].dtype:
            raise RuntimeFault(
                f"{name}: the tensors must have one dtype, and these are {tensors[0].dtype} and {t.dtype}",
                hint=f"convert one of them, as with .to({tensors[0].dtype})",
            )


def _three(name: str, input: Any, tensor1: Any, tensor2: Any, value: Any) -> tuple[Tensor, Tensor, Tensor]:
    if type(value) not in NUMBERS:
        raise TypeFault(f"{name}: value must be a number, not {type(value).__name__}")
    return tensor_arg(input, name), tensor_arg(tensor1, name, "tensor1"), tensor_arg(tensor2, name, "tensor2")


@public("addcmul", places=METHOD, ops=(addcmul,), numbers=True, in_place=True)
def _addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """input + value * tensor1 * tensor2."""
    xs = _three("addcmul", input, tensor1, tensor2, value)
    if all(kind(x.value) != "f" for x in xs):
        value = int(value)
    return apply(addcmul, xs, {"value": value})


@public("addcdiv", places=METHOD, ops=(addcdiv,), numbers=True, in_place=True)
def _addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """input + value * tensor1 / tensor2.

    Raises:
        RuntimeFault: a quotient of integers.
    """
    xs = _three("addcdiv", input, tensor1, tensor2, value)
    if kind(xs[1].value) != "f" and kind(xs[2].value) != "f":
        raise RuntimeFault(
            "addcdiv: both tensors of the quotient are integers",
            hint="write input + value * (tensor1 / tensor2), or convert one, as with .double()",
        )
    return apply(addcdiv, xs, {"value": value})
