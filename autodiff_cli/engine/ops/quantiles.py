"""quantile and nanquantile: sorted entries, picked or interpolated, in PyTorch's steps (so with its
nodes)."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, tensor_arg
from autodiff_cli.engine.dtypes import int64
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.expanding import broadcast_tensors
from autodiff_cli.engine.ops.filling import squeeze_in_place, transpose_in_place, unsqueeze_in_place
from autodiff_cli.engine.ops.gathering import gather_op
from autodiff_cli.engine.ops.ordering import sort
from autodiff_cli.engine.ops.shaping import flatten, reshape, transpose, unsqueeze
from autodiff_cli.engine.ops.structure import Shape
from autodiff_cli.engine.registry import FUNCTIONS, OPS, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.views import alias
from autodiff_cli.errors import RuntimeFault, TypeFault

_MODES = ("linear", "lower", "higher", "midpoint", "nearest")


def _fractions(t: Tensor, q: Any, function: str) -> Tensor:
    """The argument `q` as a tensor of numbers between 0 and 1.

    Raises:
        TypeFault: it is no number and no tensor.
        RuntimeFault: out of range, another dtype, or more dimensions.
    """
    if type(q) is Tensor:
        if q.ndim > 1:
            raise RuntimeFault(f"{function}: q is a number or has one dimension, not {q.ndim}")
        if q.dtype is not t.dtype:
            raise RuntimeFault(f"{function}: q is {q.dtype} and the tensor {t.dtype}; they must be the same")
        found = q
    elif type(q) in (float, int, bool):
        found = apply(OPS["cast"], (wrap(float(q)),), {"dtype": t.dtype})
    else:
        raise TypeFault(f"{function}: q must be a number or a tensor, not {type(q).__name__}")
    outside = [x for x in reshape(alias(found), (-1,)).tolist() if not 0.0 <= x <= 1.0]
    if outside:
        raise RuntimeFault(f"{function}: q must be between 0 and 1, not {outside[0]}")
    return found


def _in_order(t: Tensor) -> Tensor:
    values: Tensor = sort(t)[0]
    return values


def _sorted_last(t: Tensor, dim: int | None) -> Tensor:
    """The entries in order, the dimension asked about being the last."""
    if dim is None:
        return _in_order(flatten(t))
    if t.ndim and dim == t.ndim - 1:
        return _in_order(t)
    return _in_order(transpose(unsqueeze(t, -1), dim, -1))


def _shapes(t: Tensor, dim: int | None, keepdim: bool) -> Shape:
    """The shape of the result for one q."""
    if dim is None:
        return (1,) * t.ndim if keepdim else ()
    return (*t.shape[:dim], *((1,) if keepdim and t.ndim else ()), *t.shape[dim + 1 :])


def _ranks(ordered: Tensor, q: Tensor, skip_nan: bool) -> Tensor:
    """Where in the order the quantiles lie: whole numbers and what is between."""
    last = ordered.shape[-1] - 1
    missing = OPS["ne"](alias(ordered), alias(ordered))
    if skip_nan:
        there = OPS["sum_dim"](OPS["bitwise_not"](missing), dim=(ordered.ndim - 1,), keepdim=True)
        ranks = OPS["mul"](q, OPS["sub"](there, 1))
        return apply(OPS["where"], (OPS["lt"](ranks, 0.0), 0.0, ranks), NO_PARAMS)
    spoiled = OPS["any"](missing, dim=(ordered.ndim - 1,), keepdim=True)
    ranks, spoiled = broadcast_tensors(OPS["mul_number"](q, float(last)), spoiled)
    return apply(OPS["masked_fill"], (ranks, spoiled, float(last)), NO_PARAMS)  # a nan stands last


def _quantile(input: Any, q: Any, dim: Any, keepdim: Any, interpolation: Any, skip_nan: bool, name: str) -> Tensor:
    t = tensor_arg(input, name)
    if t.dtype.category < 2:
        raise RuntimeFault(f"{name}: a floating tensor is expected, not {t.dtype}", hint="convert it with .double()")
    if not t.numel():
        raise RuntimeFault(f"{name}: the tensor is empty")
    if interpolation not in _MODES:
        raise RuntimeFault(f"{name}: interpolation is one of {', '.join(_MODES)}, not {interpolation!r}")
    at = None if dim is None else dim_arg(dim, t.ndim, name)
    fraction = _fractions(t, q, name)
    shape = _shapes(t, at, bool(keepdim))
    ordered = _sorted_last(t, at)
    ordered = reshape(ordered, (*shape, ordered.shape[-1]))
    ranks = _ranks(ordered, fraction, skip_nan)
    if interpolation in ("lower", "higher", "nearest"):
        ranks = OPS[{"lower": "floor", "higher": "ceil", "nearest": "round"}[interpolation]](ranks)
    below = _place(ranks)
    values = apply(gather_op, (ordered, below), {"dim": ordered.ndim - 1})
    if interpolation in ("linear", "midpoint"):
        above = _place(OPS["ceil"](alias(ranks)))
        upper = apply(gather_op, (ordered, above), {"dim": ordered.ndim - 1})
        weight = (
            OPS["sub"](ranks, below) if interpolation == "linear" else OPS["add"](OPS["mul"](alias(ranks), 0.0), 0.5)
        )
        values = FUNCTIONS["torch", "lerp"].call(values, upper, weight)
    if fraction.ndim:
        transpose_in_place(unsqueeze_in_place(values, 0), 0, -1)
    return squeeze_in_place(values, -1)


def _place(ranks: Tensor) -> Tensor:
    return apply(OPS["cast"], (alias(ranks),), {"dtype": int64})


def _declare(name: str, skip_nan: bool, about: str) -> None:
    def call(
        input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
    ) -> Tensor:
        return _quantile(input, q, dim, keepdim, interpolation, skip_nan, name)

    public(name, ops=(gather_op,), about=about)(call)


_declare("quantile", False, "the value below which a fraction of the entries lies")
_declare("nanquantile", True, "the quantile of the entries that are not nan")
