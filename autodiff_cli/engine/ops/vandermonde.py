"""Vandermonde matrices: the powers of numbers, a row each."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import int_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.joining import cat, cat_op
from autodiff_cli.engine.ops.rearranging import flip_op
from autodiff_cli.engine.ops.scans import cumprod_op
from autodiff_cli.engine.ops.shaping import unsqueeze
from autodiff_cli.engine.ops.structure import as_view, expand_to
from autodiff_cli.engine.registry import primitive, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault

written = primitive(
    "vander_columns",
    lambda x: np.array(x, copy=True),
    [lambda g, _y, _x: g],
    grad_fn="torch::autograd::CopySlices",
    about="the powers, under the name that PyTorch's column by column writing leaves",
)


def _powers(t: Tensor, count: int) -> Tensor:
    """x**0 ... x**(count - 1) along a new last dimension."""
    check_size(t.numel() * count, "vander")
    ones = wrap(np.ones((*t.shape, 1), np.asarray(t.value).dtype))
    if count == 1:
        return ones
    repeated = as_view(expand_to, unsqueeze(t, -1), {"shape": (*t.shape, count - 1)})
    return cat([ones, cumprod_op(repeated, dim=t.ndim)], t.ndim)


@public("vander", places=("linalg",), ops=(cat_op, cumprod_op))
def linalg_vander(x: Tensor, *, N: Any = None) -> Tensor:
    """The powers 0 ... N - 1 of each entry, ascending, along a new last dimension.

    Raises:
        RuntimeFault: N is less than 2.
    """
    t = tensor_arg(x, "vander", "x")
    if t.dtype.category == 0:
        raise RuntimeFault("vander is not defined for bool tensors", hint="convert them first, as with x.double()")
    count = (t.shape[-1] if t.ndim else 1) if N is None else int_arg(N, "vander", "N")
    if count < 2:
        raise RuntimeFault(f"vander: N must be greater than 1, not {count}")
    return _powers(t, count)


@public("vander", places=("torch",), ops=(cat_op, cumprod_op))
def vander(x: Tensor, N: Any = None, increasing: bool = False) -> Tensor:
    """The powers of each entry of a vector, a row each, with N columns in descending order (or ascending).

    Raises:
        RuntimeFault: not a vector, a negative N.
    """
    t = tensor_arg(x, "vander", "x")
    if t.ndim != 1:
        raise RuntimeFault(f"vander: the tensor must be a vector (1-D); it has shape {tuple(t.shape)}")
    count = t.shape[0] if N is None else int_arg(N, "vander", "N")
    if count < 0:
        raise RuntimeFault(f"vander: N must not be negative, not {count}")
    if count == 0:
        return wrap(np.zeros((t.shape[0], 0), np.asarray(t.value).dtype))
    powers = _powers(t, count)
    return written(powers) if increasing else flip_op(powers, dims=(1,))
