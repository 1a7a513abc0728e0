"""Covariance and correlation of the rows of a matrix: cov, corrcoef."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import div, div_number, mul, sub
from autodiff_cli.engine.ops.elementary import sqrt
from autodiff_cli.engine.ops.extrema import clamp
from autodiff_cli.engine.ops.matmul import matmul
from autodiff_cli.engine.ops.rearranging import diag
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.shaping import reshape, squeeze, transpose, unsqueeze
from autodiff_cli.engine.ops.structure import cast
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault


def _weights(w: Any, name: str, count: int, whole: bool) -> Tensor | None:
    """Weights of the observations: whole numbers of times, or floating.

    Raises:
        TypeFault: no tensor; RuntimeFault: not one weight an observation, another kind of number, a negative one.
    """
    if w is None:
        return None
    if type(w) is not Tensor:
        raise TypeFault(f"cov: the argument '{name}' must be a tensor, not {type_name(w)}")
    if w.ndim > 1 or w.numel() != count:
        raise RuntimeFault(f"cov: {name} has shape {tuple(w.shape)}, and there are {count} observations")
    if whole != (w.dtype.category == 1):
        raise RuntimeFault(f"cov: {name} must be {'integers' if whole else 'floating'}, not {w.dtype}")
    if bool(np.any(np.asarray(w.value) < 0)):
        raise RuntimeFault(f"cov: {name} has a negative entry")
    return w


@public("cov")
def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariances of the rows of a matrix (variables, observations); of a vector its variance.

    Raises:
        RuntimeFault: more than two dimensions, a bool tensor, weights that do not fit.
    """
    t = tensor_arg(input, "cov")
    if t.ndim > 2:
        raise RuntimeFault(f"cov: a matrix of (variables, observations) is expected, not shape {tuple(t.shape)}")
    if t.dtype.category == 0:
        raise RuntimeFault("cov is not defined for bool tensors", hint="convert them first, as with x.double()")
    x = reshape(t, (1, -1)) if t.ndim < 2 else t
    count = x.shape[1]
    w = _weights(fweights, "fweights", count, True)
    a = _weights(aweights, "aweights", count, False)
    if a is not None:
        w = a if w is None else mul(w, a)
    total: Any = count if w is None else sum_(w)
    if count and w is not None and not float(np.asarray(total.value)):
        raise RuntimeFault("cov: the weights sum to 0")
    weighted = x if w is None else mul(x, w)
    mean = div(sum_(weighted, 1), total) if w is not None else div_number(sum_(x, 1), float(total))
    if mean.dtype is not x.dtype:
        x = cast(x, dtype=mean.dtype)
    centred = sub(x, unsqueeze(mean, 1))
    right = centred if w is None else mul(centred, w)
    products = matmul(centred, transpose(right, 0, 1))
    if a is None or w is None:
        scale: Any = total - correction if w is None else sub(total, wrap(correction))
    else:
        scale = sub(total, div(mul(sum_(mul(w, a)), wrap(float(correction))), total))
    found = _scaled(products, scale)
    squeezed: Tensor = squeeze(found)
    return squeezed


def _scaled(products: Tensor, scale: Any) -> Tensor:
    """The products over their number, which counts as 0 where it is negative."""
    number = float(scale) if type(scale) is not Tensor else float(np.asarray(scale.value))
    if number <= 0:
        if tape.warn is not None:
            tape.warn("cov: there are no degrees of freedom left")
        number, scale = 0.0, 0.0
    found: Tensor = div(products, scale) if type(scale) is Tensor else div(products, wrap(number))
    return found


@public("corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """The correlations of the rows of a matrix: covariances over the deviations, kept within -1 and 1.

    Raises:
        RuntimeFault: more than two dimensions.
    """
    t = tensor_arg(input, "corrcoef")
    if t.ndim > 2:
        raise RuntimeFault(f"corrcoef: a matrix is expected, not shape {tuple(t.shape)}")
    c = cov(t)
    if not c.ndim:
        alone: Tensor = div(c, c)
        return alone
    deviations = sqrt(diag(c))
    scaled = div(div(c, reshape(deviations, (-1, 1))), reshape(deviations, (1, -1)))
    return apply(clamp, (scaled, -1.0, 1.0), {})
