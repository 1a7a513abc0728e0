"""Variance and standard deviation, with their means; the distance of two tensors.

The degrees of freedom are n - correction (1 by default: Bessel's). Where none are left the variance is nan or
inf, as PyTorch has it. The standard deviation of equal entries has derivative 0.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dims_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import number_arg
from autodiff_cli.engine.ops.norms import norm_along
from autodiff_cli.engine.ops.reductions import mean_dim, reduced
from autodiff_cli.engine.ops.structure import MISSING, Shape, keep_arg, product, unsqueezed
from autodiff_cli.engine.registry import OPS, Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, TypeFault

NAN, INF = float("nan"), float("inf")


def _var(x: Any, *, dim: Shape, keepdim: bool, correction: float, whole: bool) -> Any:
    x = np.asarray(x)
    n = product([x.shape[d] for d in dim if d < x.ndim])
    mean = reduced(np.add.reduce, x, dim, True) / x.dtype.type(n)
    d = x - mean
    return reduced(np.add.reduce, d * d, dim, keepdim) / x.dtype.type(max(n - correction, 0.0))


def _std(x: Any, **params: Any) -> Any:
    return np.sqrt(_var(x, **params))


def _spread(g: Any, x: Any, *, dim: Shape, keepdim: bool, correction: float, whole: bool) -> Any:
    """The cotangent of x from that of the variance: g * 2 (x - mean) / (n - correction)."""
    shape = shape_of(x)
    g = unsqueezed(g, x, dim)
    mean = mean_dim(x, dim=dim, keepdim=True) if shape else x
    freedom = product([shape[d] for d in dim if d < len(shape)]) - correction
    if whole and freedom <= 0:  # PyTorch: infinity, and nan for an entry that is the mean
        return g * OPS["where"](x == mean, NAN, INF)
    if freedom == 0:
        return g * INF * (x - mean)
    return g * (2.0 / freedom) * (x - mean)


def _var_rule(g: Any, _y: Any, x: Any, **params: Any) -> Any:
    return _spread(g, x, **params)


def _std_rule(g: Any, y: Any, x: Any, **params: Any) -> Any:
    flat = y == 0.0
    return _spread(OPS["where"](flat, 0.0, g / (2.0 * OPS["where"](flat, 1.0, y))), x, **params)


_MOMENT = "expand(g) * (x - x.mean(dim, keepdim=True)) / (n - correction)"


def _moment(name: str, grad_fn: str, array: Any, rule: Any) -> Op:
    return primitive(
        name,
        array,
        [rule],
        grad_fn=grad_fn,
        formulas=(("2 * " if rule is _var_rule else "") + _MOMENT + ("" if rule is _var_rule else " / expand(y)"),),
        kinks="" if rule is _var_rule else "entries that are all equal: 0",
        about="the variance over dimensions" if rule is _var_rule else "the standard deviation over dimensions",
    )


var_op = _moment("var", "VarBackward0", _var, _var_rule)
std_op = _moment("std", "StdBackward0", _std, _std_rule)
var_of_pair = _moment("var_mean_var", "VarMeanBackward0", _var, _var_rule)
std_of_pair = _moment("std_mean_std", "StdMeanBackward0", _std, _std_rule)


def _mean_of_pair(name: str, grad_fn: str) -> Op:
    # one node in PyTorch: it saves the operand for the variance's sake
    return primitive(
        name,
        mean_dim.array,
        [lambda g, _y, x, *, dim, keepdim: mean_dim.vjps[0](g, None, x, dim=dim, keepdim=keepdim)],
        grad_fn=grad_fn,
        formulas=("expand(g) / n",),
        about="the mean",
    )


var_pair_mean = _mean_of_pair("var_mean_mean", "VarMeanBackward0")
std_pair_mean = _mean_of_pair("std_mean_mean", "StdMeanBackward0")


def _parameters(
    name: str, t: Tensor, dim: Any, unbiased: Any, keepdim: Any, correction: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of the variance and of the mean, from PyTorch's three ways to call."""
    if t.dtype.category < 2:
        raise RuntimeFault(f"{name}: a floating tensor is expected, not {t.dtype}", hint="convert it with .double()")
    if type(dim) is bool:  # var(unbiased)
        dim, unbiased = None, dim
    if correction is MISSING or correction is None:
        correction = 1 if unbiased is MISSING or unbiased is None or unbiased else 0
    elif unbiased is not MISSING:
        raise TypeFault(f"{name}: unbiased and correction say the same thing; give one of them")
    shape = {"dim": dims_arg(dim, t.ndim, name), "keepdim": keep_arg(keepdim, name)}
    whole = dim is None or not t.ndim
    return {**shape, "correction": float(number_arg(correction, name, "correction")), "whole": whole}, shape


def _single(name: str, op: Op) -> None:
    def call(
        input: Tensor,
        dim: Any = None,
        unbiased: Any = MISSING,
        keepdim: Any = False,
        *,
        correction: Any = MISSING,
    ) -> Tensor:
        t = tensor_arg(input, name)
        return apply(op, (t,), _parameters(name, t, dim, unbiased, keepdim, correction)[0])

    public(name, ops=(op,), about=op.about)(call)


def _pair(name: str, op: Op, mean: Op) -> None:
    def call(
        input: Tensor,
        dim: Any = None,
        unbiased: Any = MISSING,
        keepdim: Any = False,
        *,
        correction: Any = MISSING,
    ) -> tuple[Tensor, Tensor]:
        t = tensor_arg(input, name)
        params, shape = _parameters(name, t, dim, unbiased, keepdim, correction)
        return apply(op, (t,), params), apply(mean, (t,), shape)

    public(name, places=("torch",), ops=(op, mean), about=f"{op.about}, and the mean")(call)


_single("var", var_op)
_single("std", std_op)
_pair("var_mean", var_of_pair, var_pair_mean)
_pair("std_mean", std_of_pair, std_pair_mean)


# --- distance -----------------------------------------------------------------------------------------------


def _all(x: Any) -> Shape:
    return tuple(range(len(shape_of(x))))


def _dist(a: Any, b: Any, *, p: float) -> Any:
    d = np.asarray(a) - np.asarray(b)
    return norm_along.array(d, ord=p, dim=_all(d), keepdim=False)


def _dist_rule(g: Any, y: Any, a: Any, b: Any, *, p: float) -> Any:
    d = a - b
    rule = norm_along.vjps[0]
    return rule(g, y, d, ord=p, dim=_all(d), keepdim=False)


def _other_rule(g: Any, y: Any, a: Any, b: Any, *, p: float) -> Any:
    d = _dist_rule(g, y, a, b, p=p)
    if d is None:
        raise RuntimeFault("dist with p=0 counts differences, which has no derivative")
    return -d


dist_op: Op = primitive(
    "dist",
    _dist,
    [_dist_rule, _other_rule],
    policy="promote",
    kinks="at distance 0 the derivative is 0",
    formulas=("sign(a - b) * (abs(a - b) / y)**(p - 1)", "-sign(a - b) * (abs(a - b) / y)**(p - 1)"),
    about="the p-norm of the difference",
)


@public("dist", ops=(dist_op,), about="the p-norm of the difference of two tensors")
def dist(input: Tensor, other: Tensor, p: Any = 2) -> Tensor:
    """0-d; the operands broadcast.

    Raises:
        RuntimeFault: operands that are not floating.
    """
    a, b = tensor_arg(input, "dist"), tensor_arg(other, "dist", "other")
    if (a.dtype.category < 2 and b.dtype.category < 2) or 0 in (a.dtype.category, b.dtype.category):
        raise RuntimeFault(f"dist: floating tensors are expected, not {a.dtype}", hint="convert them with .double()")
    return apply(dist_op, (a, b), {"p": float(number_arg(p, "dist", "p"))})
