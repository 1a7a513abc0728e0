"""The larger, the smaller, and values kept within bounds.

Conventions: `maximum` and `minimum` share the slope at a tie, half each, and give nan where one side is
nan; `fmax` and `fmin` give it to the first side, and ignore a nan. `clamp` passes the slope at its bounds.
A tensor that bounds gets the slope where it is what comes out, except at a tie.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.declare import METHOD, NUMBERS, TWO, binary, kind, tensor_or_number
from autodiff_cli.engine.registry import Op, pointwise, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, TypeFault

BOUNDED = ((-2.0, 2.0), (-1.5, -0.5), (0.5, 1.5))
ONE_BOUND = ((-2.0, 2.0), (-0.5, 0.5))


def _maximum(a: float, b: float) -> float:
    return a if a > b or a != a else b


def _minimum(a: float, b: float) -> float:
    return a if a < b or a != a else b


def _larger_gets(g: Any, _y: Any, a: Any, b: Any) -> Any:
    return where(a < b, 0.0, where(a == b, g / 2.0, g))


def _smaller_gets(g: Any, _y: Any, a: Any, b: Any) -> Any:
    return where(a > b, 0.0, where(a == b, g / 2.0, g))


maximum = pointwise(
    "maximum",
    _maximum,
    lambda a, b: np.maximum(a, b),
    [_larger_gets, _smaller_gets],
    domain=TWO,
    formulas=("1 if a > b else 0", "1 if b > a else 0"),
    kinks="at a tie each side gets 1/2; at nan each side gets 1",
    about="the larger; nan where one is nan",
)
minimum = pointwise(
    "minimum",
    _minimum,
    lambda a, b: np.minimum(a, b),
    [_smaller_gets, _larger_gets],
    domain=TWO,
    formulas=("1 if a < b else 0", "1 if b < a else 0"),
    kinks="at a tie each side gets 1/2; at nan each side gets 1",
    about="the smaller; nan where one is nan",
)
fmax = pointwise(
    "fmax",
    lambda a, b: a if a >= b or b != b else b,
    lambda a, b: np.where(np.greater_equal(a, b) | np.isnan(b), a, b),
    [
        lambda g, _y, a, b: where((a >= b) | (b != b), g, 0.0),
        lambda g, _y, a, b: where((a >= b) | (b != b), 0.0, g),
    ],
    domain=TWO,
    formulas=("1 if a >= b else 0", "0 if a >= b else 1"),
    kinks="at a tie the first side gets all",
    about="the larger; the other one where one is nan",
)
fmin = pointwise(
    "fmin",
    lambda a, b: a if a <= b or b != b else b,
    lambda a, b: np.where(np.less_equal(a, b) | np.isnan(b), a, b),
    [
        lambda g, _y, a, b: where((a <= b) | (b != b), g, 0.0),
        lambda g, _y, a, b: where((a <= b) | (b != b), 0.0, g),
    ],
    domain=TWO,
    formulas=("1 if a <= b else 0", "0 if a <= b else 1"),
    kinks="at a tie the first side gets all",
    about="the smaller; the other one where one is nan",
)

# --- bounds: plain numbers ------------------------------------------------------------------------

PASSES = "at a bound the derivative is 1"


def _raise_scalar(x: float, low: float, _nothing: Any = None) -> float:
    return low if x < low or low != low else x  # a bound that is nan gives nan


def _lower_scalar(x: float, high: float, _nothing: Any = None) -> float:
    return high if x > high or high != high else x


def _raise(x: Any, low: Any, _nothing: Any = None) -> Any:
    return np.where(np.less(x, low) | np.not_equal(low, low), low, x)


def _lower(x: Any, high: Any, _nothing: Any = None) -> Any:
    return np.where(np.greater(x, high) | np.not_equal(high, high), high, x)


def _clamp_scalar(x: float, low: float, high: float) -> float:
    return _lower_scalar(_raise_scalar(x, low), high)


def _clamp(x: Any, low: Any, high: Any) -> Any:
    return _lower(_raise(x, low), high)


def _at_least(g: Any, _y: Any, x: Any, low: Any) -> Any:
    return where(x >= low, g, 0.0)


def _at_most(g: Any, _y: Any, x: Any, high: Any) -> Any:
    return where(x <= high, g, 0.0)


_RAISE, _LOWER, _CLAMP = (_raise_scalar, _raise), (_lower_scalar, _lower), (_clamp_scalar, _clamp)


def _bound(name: str, grad_fn: str, forms: tuple[Any, Any], rules: list[Any], domain: Any, about: str) -> Op:
    return pointwise(name, *forms, rules, grad_fn=grad_fn, domain=domain, kinks=PASSES, about=about)


clamp = _bound(
    "clamp",
    "ClampBackward1",
    _CLAMP,
    [lambda g, _y, x, low, high: where((x >= low) & (x <= high), g, 0.0), None, None],
    BOUNDED,
    "x, kept within two numbers",
)
# clamp(x, min=0.0) and clamp_min(x, 0.0) differ in the node that PyTorch leaves
_LEAST, _MOST = "x, but no less than a number", "x, but no more than a number"
clamp_low = _bound("clamp_low", "ClampBackward1", _RAISE, [_at_least, None], ONE_BOUND, _LEAST)
clamp_high = _bound("clamp_high", "ClampBackward1", _LOWER, [_at_most, None], ONE_BOUND, _MOST)
clamp_min = _bound("clamp_min", "ClampMinBackward0", _RAISE, [_at_least, None], ONE_BOUND, _LEAST)
clamp_max = _bound("clamp_max", "ClampMaxBackward0", _LOWER, [_at_most, None], ONE_BOUND, _MOST)

# --- bounds: tensors ------------------------------------------------------------------------------

clamp_tensor = _bound(
    "clamp_tensor",
    "ClampBackward0",
    _CLAMP,
    [
        lambda g, _y, x, low, high: where((x >= low) & (x <= high), g, 0.0),
        lambda g, _y, x, low, high: where((low < high) & (x < low), g, 0.0),
        lambda g, _y, x, low, high: where((x > high) | (high < low), g, 0.0),
    ],
    BOUNDED,
    "x, kept within the entries of two tensors",
)
# PyTorch's node of clamp has three operands, also where a bound is left out: False stands for it
_NOTHING = False
_LEAST_ENTRIES, _MOST_ENTRIES = "x, but no less than a tensor's entries", "x, but no more than a tensor's entries"
clamp_low_tensor = _bound(
    "clamp_low_tensor",
    "ClampBackward0",
    _RAISE,
    [
        lambda g, _y, x, low, _nothing: where(x >= low, g, 0.0),
        lambda g, _y, x, low, _nothing: where(x < low, g, 0.0),
        lambda _g, _y, _x, _low, _nothing: 0.0,
    ],
    (*TWO, (0.0, 0.0)),
    _LEAST_ENTRIES,
)
clamp_high_tensor = _bound(
    "clamp_high_tensor",
    "ClampBackward0",
    (lambda x, _nothing, high: _lower_scalar(x, high), lambda x, _nothing, high: _lower(x, high)),
    [
        lambda g, _y, x, _nothing, high: where(x <= high, g, 0.0),
        lambda _g, _y, _x, _nothing, _high: 0.0,
        lambda g, _y, x, _nothing, high: where(x > high, g, 0.0),
    ],
    ((-2.0, 2.0), (0.0, 0.0), (-2.0, 2.0)),
    _MOST_ENTRIES,
)
_LOW = [_at_least, lambda g, _y, x, low: where(x < low, g, 0.0)]
_HIGH = [_at_most, lambda g, _y, x, high: where(x > high, g, 0.0)]
clamp_min_tensor = _bound("clamp_min_tensor", "ClampMinBackward1", _RAISE, _LOW, TWO, _LEAST_ENTRIES)
clamp_max_tensor = _bound("clamp_max_tensor", "ClampMaxBackward1", _LOWER, _HIGH, TWO, _MOST_ENTRIES)

# --- masks ----------------------------------------------------------------------------------------


def _masked_fill(x: Any, mask: Any, value: Any) -> Any:
    x = np.asarray(x)
    return np.where(mask, np.asarray(value).astype(x.dtype), x)


masked_fill = pointwise(
    "masked_fill",
    None,
    _masked_fill,
    [lambda g, _y, _x, mask, _value: where(mask, 0.0, g), None, None],
    policy=None,
    domain=((-2.0, 2.0), (0.0, 1.0), (-2.0, 2.0)),
    about="x with a number written where the mask holds",
)
masked_fill_tensor = pointwise(
    "masked_fill_tensor",
    None,
    _masked_fill,
    [
        lambda g, _y, _x, mask, _value: where(mask, 0.0, g),
        None,
        lambda g, _y, _x, mask, _value: where(mask, g, 0.0),
    ],
    policy=None,
    grad_fn="MaskedFillBackward1",
    domain=((-2.0, 2.0), (0.0, 1.0), (-2.0, 2.0)),
    about="x with a 0-d tensor written where the mask holds",
)

# --- as functions ---------------------------------------------------------------------------------

binary(maximum, "maximum", in_place=False)
binary(minimum, "minimum", in_place=False)
binary(fmax, "fmax", in_place=False)
binary(fmin, "fmin", in_place=False)
binary(clamp_min_tensor, "clamp_min", number=clamp_min)
binary(clamp_max_tensor, "clamp_max", number=clamp_max)

_CLAMPS = (clamp, clamp_low, clamp_high, clamp_tensor, clamp_low_tensor, clamp_high_tensor)


@public("clamp", "clip", places=METHOD, ops=_CLAMPS, numbers=True, in_place=True)
def _clamp_function(input: Any, min: Any = None, max: Any = None) -> Tensor:
    """Every entry kept within min and max: plain numbers, or tensors.

    Raises:
        TypeFault: one bound is a number and the other a tensor with dimensions or a gradient.
        RuntimeFault: there is no bound.
    """
    x = tensor_arg(input, "clamp")
    if min is None and max is None:
        raise RuntimeFault("clamp: neither min nor max is given", hint="write clamp(x, min=0.0), for example")
    bounds = [tensor_or_number(b, "clamp", name) for b, name in ((min, "min"), (max, "max")) if b is not None]
    tensors = [type(b) is Tensor for b in bounds]
    if any(tensors) and not all(tensors):
        if any(type(b) is Tensor and (b.ndim or b.requires_grad) for b in bounds):
            raise TypeFault(
                "clamp: min and max must both be numbers or both be tensors",
                hint="make a tensor of the number, as with torch.tensor(0.5)",
            )
        bounds, tensors = [b.item() if type(b) is Tensor else b for b in bounds], [False]
    numbers = not any(tensors)
    if len(bounds) == 2:
        op = clamp if numbers else clamp_tensor
    elif min is not None:
        op = clamp_low if numbers else clamp_low_tensor
    else:
        op = clamp_high if numbers else clamp_high_tensor
    if op is clamp_low_tensor:
        bounds = [*bounds, _NOTHING]
    elif op is clamp_high_tensor:
        bounds = [_NOTHING, *bounds]
    return apply(op, (x, *bounds), {})


@public("masked_fill", places=METHOD, ops=(masked_fill, masked_fill_tensor), numbers=True, in_place=True)
def _masked_fill_function(input: Any, mask: Any, value: Any) -> Tensor:
    """The tensor with `value` (a number or a 0-d tensor) written where the mask holds.

    Raises:
        RuntimeFault: a mask that is not bool, a value with dimensions or one that the dtype has not.
    """
    x, mask = tensor_arg(input, "masked_fill"), tensor_arg(mask, "masked_fill", "mask")
    value = tensor_or_number(value, "masked_fill", "value")
    if kind(mask.value) != "b":
        raise RuntimeFault(
            f"masked_fill: the mask must be a bool tensor, and this one is {mask.dtype}",
            hint="write a comparison, as in x.masked_fill(m != 0, 0.0)",
        )
    if type(value) in NUMBERS:
        if kind(x.value) != "f" and not math.isfinite(value):
            raise RuntimeFault(f"masked_fill: {x.dtype} has no {value}", hint="convert it first, as with x.double()")
        return apply(masked_fill, (x, mask, value), {})
    if value.ndim:
        raise RuntimeFault(
            f"masked_fill: the value must be a number or a 0-d tensor, and it has shape {value.shape}",
            hint="write torch.where(mask, values, x) to fill with different values",
        )
    return apply(masked_fill_tensor, (x, mask, value), {})
