"""Likelihoods and divergences, of the operations that PyTorch builds them of: Gaussian, Poisson, kl_div."""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.inplace import in_place
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import add, div, mul, sub, subtract
from autodiff_cli.engine.ops.comparison import le
from autodiff_cli.engine.ops.elementary import exp, log
from autodiff_cli.engine.ops.extrema import clamp_min, masked_fill
from autodiff_cli.engine.ops.loss_reduction import REDUCTIONS, reduced_tensor, reduction_arg
from autodiff_cli.engine.ops.powers import power
from autodiff_cli.engine.ops.shaping import unsqueeze
from autodiff_cli.engine.ops.special_functions import xlogy
from autodiff_cli.engine.ops.structure import clone
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault

LOG_TWO_PI = math.log(2.0 * math.pi)


def _bounded(x: Tensor, least: float) -> Tensor:
    """A copy, no entry less than a bound, with the slope of the copy: PyTorch bounds it under no_grad."""
    y: Tensor = clone(x)
    with tape.grad_mode(False):
        in_place(clamp_min)(y, least)
    return y


def _variance(var: Any, x: Tensor) -> Tensor:
    """The variances, in a shape that goes with the input.

    Raises:
        ValueFault: it doesn't, or one is negative.
    """
    if type(var) is float:
        v = wrap(np.full(x.shape, float(var), x.dtype.name) if x.shape else float(var))
    else:
        v = tensor_arg(var, "gaussian_nll_loss", "var")
    if bool(np.any(np.asarray(v.value) < 0)):
        raise ValueFault("gaussian_nll_loss: a variance is negative", hint="make it positive, as with exp or softplus")
    if v.shape == x.shape:
        return v
    if v.shape == x.shape[:-1]:
        widened: Tensor = unsqueeze(v, -1)
        return widened
    if v.ndim == x.ndim and v.shape[:-1] == x.shape[:-1] and v.shape[-1] == 1:
        return v
    raise ValueFault(
        f"gaussian_nll_loss: var has shape {v.shape} and the input {x.shape}",
        hint="var has the input's shape, or that with the last dimension 1 or left out",
    )


@public("gaussian_nll_loss", places=("F",), numbers=True)
def _gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: Any = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """The mean of (log(var) + (input - target)**2 / var) / 2, var being at least eps.

    Raises:
        TypeFault, ValueFault: a variance that is negative or of another shape, an unknown reduction.
    """
    x = tensor_arg(input, "gaussian_nll_loss")
    t = target if type(target) in (float, int) else tensor_arg(target, "gaussian_nll_loss", "target")
    v = _variance(var, x)
    if not isinstance(reduction, str):
        raise TypeFault(f"gaussian_nll_loss: there is no reduction {reduction!r}", hint="it is 'mean', 'sum' or 'none'")
    if reduction not in REDUCTIONS:
        raise ValueFault(f"there is no reduction {reduction!r}", hint="it is 'mean', 'sum' or 'none'")
    v = _bounded(v, eps)
    loss: Tensor = mul(add(log(v), div(power(subtract(x, t), 2), v)), 0.5)
    if full:
        loss = add(loss, 0.5 * LOG_TWO_PI)
    return reduced_tensor(loss, reduction)


@public("poisson_nll_loss", places=("F",), numbers=True)
def _poisson_nll_loss(
    input: Any,
    target: Any,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of exp(input) - target * input; with log_input=False of input - target * log(input + eps)."""
    how = reduction_arg(reduction, size_average, reduce)
    x = tensor_arg(input, "poisson_nll_loss")
    t = tensor_arg(target, "poisson_nll_loss", "target")
    loss: Tensor = sub(exp(x), mul(t, x)) if log_input else sub(x, mul(t, log(add(x, eps))))
    if full:
        # Stirling's approximation of log(target!), for targets above 1
        stirling = add(sub(mul(t, log(t)), t), mul(log(mul(t, 2.0 * math.pi)), 0.5))
        loss = add(loss, masked_fill(stirling, le(t, 1), 0.0))
    return reduced_tensor(loss, how)


@public("kl_div", places=("F",), ops=(mul, sub, xlogy), numbers=True)
def _kl_div(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence of target from exp(input); with log_target, of exp(target).

    Raises:
        RuntimeFault: an operand that is not floating; ValueFault: an unknown reduction.
    """
    by_batch = reduction == "batchmean"
    how = "sum" if by_batch else reduction_arg(reduction, size_average, reduce)
    x, t = tensor_arg(input, "kl_div"), tensor_arg(target, "kl_div", "target")
    for name, given in (("input", x), ("target", t)):
        if given.dtype.category < 2:
            raise RuntimeFault(f"kl_div: the {name} is {given.dtype} and must be floating", hint="write .double()")
    entries: Tensor = mul(exp(t), sub(t, x)) if log_target else sub(xlogy(t, t), mul(t, x))
    if how == "mean" and tape.warn is not None:
        tape.warn("kl_div: reduction='mean' divides by the number of entries; 'batchmean' gives the divergence")
    loss = reduced_tensor(entries, how)
    if by_batch and x.ndim:
        ratio: Tensor = div(loss, x.shape[0])
        return ratio
    return loss


@public("kl_div", places=("torch",), ops=(mul, sub, xlogy))
def _torch_kl_div(input: Any, target: Any, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    """The Kullback-Leibler divergence; reduction is a number here: 0 none, 1 mean, 2 sum."""
    how = {1: "mean", 2: "sum"}.get(int_arg(reduction, "kl_div", "reduction"), "none")
    found: Tensor = _kl_div(input, target, reduction=how, log_target=log_target)
    return found
