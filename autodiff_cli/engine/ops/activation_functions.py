"""The activations as programs call them: torch.nn.functional's signatures, with `inplace=`.

`inplace=True` writes the result into the operand, with PyTorch's rules about leaves; the functions with a
trailing underscore do the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.inplace import replace
from autodiff_cli.engine.ops import activations as acts
from autodiff_cli.engine.ops.arithmetic import add, div, subtract
from autodiff_cli.engine.ops.declare import named, number_arg, unary
from autodiff_cli.engine.ops.elementary import tanh
from autodiff_cli.engine.ops.signs import abs_
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.registry import Op, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import AttributeFault, RuntimeFault, ValueFault


def _finish(input: Tensor, op: Op, inplace: Any, **params: Any) -> Tensor:
    result = apply(op, (input,), params)
    return replace(input, result) if inplace else result


def _underscored(name: str, function: Callable[..., Any]) -> None:
    """Declare F's `name_`."""

    def call(input: Any, *args: Any, **keywords: Any) -> Tensor:
        found: Tensor = function(input, *args, **keywords, inplace=True)
        return found

    public(f"{name}_", places=("F",), about=(function.__doc__ or "").split("\n")[0])(named(call, f"{name}_"))


def _without_parameters(op: Op, name: str) -> None:
    @public(name, places=("F",), ops=(op,), about=op.about, numbers=True)
    def call(input: Any, inplace: Any = False) -> Tensor:
        return _finish(tensor_arg(input, name), op, inplace)

    named(call, name)


unary(acts.relu, "relu")
for _op in (acts.relu, acts.hardsigmoid, acts.hardswish, acts.silu, acts.mish):
    _without_parameters(_op, _op.name)
unary(acts.logsigmoid, "logsigmoid", places=("F",), in_place=False)


@public("relu6", places=("F",), ops=(acts.hardtanh,), numbers=True)
def _relu6(input: Any, inplace: Any = False) -> Tensor:
    """x, kept within 0 and 6."""
    return _finish(tensor_arg(input, "relu6"), acts.hardtanh, inplace, low=0.0, high=6.0)


@public("hardtanh", places=("F",), ops=(acts.hardtanh,), numbers=True)
def _hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0, inplace: Any = False) -> Tensor:
    """x, kept within min_val and max_val.

    Raises:
        ValueFault: min_val is above max_val.
    """
    x = tensor_arg(input, "hardtanh")
    low, high = number_arg(min_val, "hardtanh", "min_val"), number_arg(max_val, "hardtanh", "max_val")
    if low > high:
        raise ValueFault(f"hardtanh: min_val is {low} and max_val is {high}: the lower bound is above the upper")
    return _finish(x, acts.hardtanh, inplace, low=float(low), high=float(high))


@public("threshold", places=("F",), ops=(acts.threshold,), numbers=True)
def _threshold(input: Any, threshold: Any, value: Any, inplace: Any = False) -> Tensor:
    """x where it is above a threshold, else a value."""
    x = tensor_arg(input, "threshold")
    bound = float(number_arg(threshold, "threshold", "threshold"))
    fill = float(number_arg(value, "threshold", "value"))
    return _finish(x, acts.threshold, inplace, threshold=bound, value=fill)


@public("threshold", places=("torch",), ops=(acts.threshold,), numbers=True)
def _torch_threshold(input: Any, threshold: Any, value: Any) -> Tensor:
    """x where it is above a threshold, else a value."""
    found: Tensor = _threshold(input, threshold, value)
    return found


@public("leaky_relu", places=("F",), ops=(acts.leaky_relu,), numbers=True)
def _leaky_relu(input: Any, negative_slope: Any = 0.01, inplace: Any = False) -> Tensor:
    """x where it is positive, else x times negative_slope."""
    slope = float(number_arg(negative_slope, "leaky_relu", "negative_slope"))
    return _finish(tensor_arg(input, "leaky_relu"), acts.leaky_relu, inplace, slope=slope)


@public("elu", places=("F",), ops=(acts.elu,), numbers=True)
def _elu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Tensor:
    """x where it is positive, else alpha * (exp(x) - 1)."""
    a = float(number_arg(alpha, "elu", "alpha"))
    return _finish(tensor_arg(input, "elu"), acts.elu, inplace, alpha=a, scale=1.0, input_scale=1.0)


@public("selu", places=("F",), ops=(acts.elu,), numbers=True)
def _selu(input: Any, inplace: Any = False) -> Tensor:
    """elu with the constants of self-normalising networks."""
    params = {"alpha": acts.SELU_ALPHA, "scale": acts.SELU_SCALE, "input_scale": 1.0}
    return _finish(tensor_arg(input, "selu"), acts.elu, inplace, **params)


@public("selu", places=("torch",), ops=(acts.elu,), numbers=True)
def _torch_selu(input: Any) -> Tensor:
    """elu with the constants of self-normalising networks."""
    found: Tensor = _selu(input)
    return found


@public("celu", places=("F",), ops=(acts.celu,), numbers=True)
def _celu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Tensor:
    """x where it is positive, else alpha * (exp(x / alpha) - 1).

    Raises:
        RuntimeFault: alpha is 0.
    """
    a = float(number_arg(alpha, "celu", "alpha"))
    if a == 0.0:
        raise RuntimeFault("celu: alpha is 0, and x is divided by it")
    return _finish(tensor_arg(input, "celu"), acts.celu, inplace, alpha=a, scale=1.0, input_scale=1.0 / a)


@public("celu", places=("torch",), ops=(acts.celu,), numbers=True)
def _torch_celu(input: Any, alpha: Any = 1.0) -> Tensor:
    """x where it is positive, else alpha * (exp(x / alpha) - 1)."""
    found: Tensor = _celu(input, alpha)
    return found


for _name, _function in (
    ("relu", lambda input, inplace: _finish(tensor_arg(input, "relu_"), acts.relu, inplace)),
    ("threshold", _threshold),
    ("hardtanh", _hardtanh),
    ("leaky_relu", _leaky_relu),
    ("elu", _elu),
    ("selu", _selu),
    ("celu", _celu),
):
    _underscored(_name, _function)


@public("gelu", places=("F",), ops=(acts.gelu, acts.gelu_tanh), numbers=True)
def _gelu(input: Any, *, approximate: str = "none") -> Tensor:
    """x times the normal distribution of x; approximate="tanh" for its approximation.

    Raises:
        RuntimeFault: an unknown approximation.
    """
    ops = {"none": acts.gelu, "tanh": acts.gelu_tanh}
    if approximate not in ops:
        raise RuntimeFault(f"gelu: there is no approximation {approximate!r}", hint="it is 'none' or 'tanh'")
    return apply(ops[approximate], (tensor_arg(input, "gelu"),), {})


@public("softplus", places=("F",), ops=(acts.softplus,), numbers=True)
def _softplus(input: Any, beta: Any = 1.0, threshold: Any = 20.0) -> Tensor:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold."""
    b = float(number_arg(beta, "softplus", "beta"))
    bound = float(number_arg(threshold, "softplus", "threshold"))
    return apply(acts.softplus, (tensor_arg(input, "softplus"),), {"beta": b, "threshold": bound})


@public("softsign", places=("F",), ops=(div, add, abs_), numbers=True)
def _softsign(input: Any) -> Tensor:
    """x / (1 + |x|)."""
    x = _owner_of_abs(input)
    found: Tensor = div(x, add(abs_(x), 1))
    return found


def _owner_of_abs(x: Any) -> Tensor:
    """PyTorch asks the operand for its abs(), whatever it is."""
    if type(x) in (float, int, bool):
        raise AttributeFault("softsign: a plain number has no abs(); a tensor has", hint="write torch.tensor(...)")
    return tensor_arg(x, "softsign")


@public("tanhshrink", places=("F",), ops=(tanh,), numbers=True)
def _tanhshrink(input: Any) -> Tensor:
    """x - tanh(x)."""
    x = tensor_arg(input, "tanhshrink")
    found: Tensor = subtract(x, tanh(x))
    return found


@public("hardshrink", places=("torch", "F", "Tensor"), ops=(acts.hardshrink,), numbers=True)
def _hardshrink(input: Any, lambd: Any = 0.5) -> Tensor:
    """0 within -lambd and lambd, else x."""
    bound = float(number_arg(lambd, "hardshrink", "lambd"))
    return apply(acts.hardshrink, (tensor_arg(input, "hardshrink"),), {"lambd": bound})


@public("softshrink", places=("F",), ops=(acts.softshrink,), numbers=True)
def _softshrink(input: Any, lambd: Any = 0.5) -> Tensor:
    """x drawn toward 0 by lambd.

    Raises:
        RuntimeFault: lambd is negative.
    """
    bound = float(number_arg(lambd, "softshrink", "lambd"))
    if not bound >= 0.0:
        raise RuntimeFault(f"softshrink: lambd can't be negative, and it is {bound}")
    return apply(acts.softshrink, (tensor_arg(input, "softshrink"),), {"lambd": bound})


@public("prelu", places=("torch", "F", "Tensor"), ops=(acts.prelu,), numbers=True)
def _prelu(input: Any, weight: Any) -> Tensor:
    """x where it is positive, else x times a weight: one, or one for each channel (dimension 1).

    Raises:
        RuntimeFault: a weight of another dtype, or neither one number nor one a channel.
    """
    x, w = tensor_arg(input, "prelu"), tensor_arg(weight, "prelu", "weight")
    if w.dtype is not x.dtype:
        raise RuntimeFault(f"prelu: the tensor is {x.dtype} and the weight {w.dtype}: they must agree")
    if w.numel() != 1:
        if w.ndim != 1:
            raise RuntimeFault(f"prelu: the weight has {w.ndim} dimensions; it may have none or one")
        channels = x.shape[1] if x.ndim >= 2 else 1
        if w.numel() != channels:
            raise RuntimeFault(f"prelu: {w.numel()} weights for {channels} channels (the size of dimension 1)")
    shape = tuple(w.numel() if i == 1 else 1 for i in range(x.ndim)) if x.ndim >= 2 else (1,) * x.ndim
    if w.shape != shape:
        w = reshape_to(w, shape=shape)
    return apply(acts.prelu, (x, w), {})
