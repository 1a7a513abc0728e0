"""Sums of exponentials and what is made of them: logsumexp, softmax, log_softmax, softmin.

The largest entry is subtracted before anything is raised, so nothing overflows.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, dims_arg, tensor_arg
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.reductions import reduced, sum_dim
from autodiff_cli.engine.ops.structure import Shape, cast, dtype_arg, keep_arg, unsqueezed
from autodiff_cli.engine.registry import OPS, Op, primitive, public, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault

# --- logsumexp ----------------------------------------------------------------------------------------------


def _peak(x: Any, dim: Shape) -> Any:
    """The largest entry along dimensions, kept; 0 where it is infinite (inf - inf would be nan)."""
    if not x.size:
        return x.dtype.type(0)
    top = reduced(np.maximum.reduce, x, dim, True)
    return np.where(np.isinf(top), x.dtype.type(0), top)


def _logsumexp(x: Any, *, dim: Shape, keepdim: bool) -> Any:
    x = np.asarray(x)
    top = _peak(x, dim)
    total = np.log(reduced(np.add.reduce, np.exp(x - top), dim, True)) + top
    return total if keepdim or not x.ndim else total.squeeze(dim)


logsumexp_op: Op = primitive(
    "logsumexp",
    _logsumexp,
    [lambda g, y, x, *, dim, keepdim: unsqueezed(g, x, dim) * OPS["exp"](x - unsqueezed(y, x, dim))],
    formulas=("expand(g) * exp(x - expand(y))",),
    about="the logarithm of the sum of exponentials over dimensions",
)


@public(
    "logsumexp",
    places=("torch", "Tensor", "special"),
    ops=(logsumexp_op,),
    about="log(sum(exp(x))) over dimensions",
)
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """Integers become the default dtype; the largest entry is taken out, so nothing overflows.

    Raises:
        TypeFault, RuntimeFault: no dimension is named.
    """
    t = tensor_arg(input, "logsumexp")
    if t.dtype.category < 2:
        t = apply(cast, (t,), {"dtype": tape.default_dtype})
    if dim is None:
        raise TypeFault("logsumexp: dim can't be None", hint="write logsumexp(x, 0), or a tuple of dimensions")
    if isinstance(dim, (tuple, list)) and not dim and not keepdim:
        raise RuntimeFault("logsumexp: an empty list of dimensions", hint="name the dimensions, as in logsumexp(x, 0)")
    params = {"dim": dims_arg(dim, t.ndim, "logsumexp"), "keepdim": keep_arg(keepdim, "logsumexp")}
    return apply(logsumexp_op, (t,), params)


# --- softmax and log_softmax --------------------------------------------------------------------------------


def _softmax(x: Any, *, dim: int) -> Any:
    x = np.asarray(x)
    if not x.size:
        return x.copy()
    e = np.exp(x - reduced(np.maximum.reduce, x, (dim,), True))
    return e * (1 / reduced(np.add.reduce, e, (dim,), True))  # as PyTorch rounds it


def _log_softmax(x: Any, *, dim: int) -> Any:
    x = np.asarray(x)
    if not x.size:
        return x.copy()
    d = x - reduced(np.maximum.reduce, x, (dim,), True)
    return d - np.log(reduced(np.add.reduce, np.exp(d), (dim,), True))


def _sum(g: Any, dim: int) -> Any:
    return sum_dim(g, dim=(dim,), keepdim=True) if shape_of(g) else g


softmax_backward: Op = primitive(
    "softmax_backward",
    lambda g, y, *, dim: y * (g - _sum(g * y, dim)),
    [
        lambda h, _d, _g, y, *, dim: softmax_backward(h, y, dim=dim),
        lambda h, _d, g, y, *, dim: h * (g - _sum(g * y, dim)) - g * _sum(h * y, dim),
    ],
    grad_fn="SoftmaxBackwardDataBackward0",
    about="what softmax gives its operand, from the cotangent and the result",
)
log_softmax_backward: Op = primitive(
    "log_softmax_backward",
    lambda g, y, *, dim: g - np.exp(y) * _sum(g, dim),
    [
        lambda h, _d, _g, y, *, dim: h - _sum(h * OPS["exp"](y), dim),
        lambda h, _d, g, y, *, dim: -h * OPS["exp"](y) * _sum(g, dim),
    ],
    grad_fn="LogSoftmaxBackwardDataBackward0",
    about="what log_softmax gives its operand, from the cotangent and the result",
)
softmax_op: Op = primitive(
    "softmax",
    _softmax,
    [lambda g, y, _x, *, dim: softmax_backward(g, y, dim=dim)],
    formulas=("y * (g - (g * y).sum(dim, keepdim=True))",),
    about="exp(x) / sum(exp(x)) along a dimension",
)
log_softmax_op: Op = primitive(
    "log_softmax",
    _log_softmax,
    [lambda g, y, _x, *, dim: log_softmax_backward(g, y, dim=dim)],
    formulas=("g - exp(y) * g.sum(dim, keepdim=True)",),
    about="log(exp(x) / sum(exp(x))) along a dimension",
)


def _normalised(op: Op, input: Any, dim: int, dtype: Any, name: str) -> Tensor:
    t = tensor_arg(input, name)
    at = dim_arg(dim, t.ndim, name)
    if dtype is not None:
        wanted: DType = dtype_arg(dtype, name)
        t = t if t.dtype is wanted else apply(cast, (t,), {"dtype": wanted})
    if t.dtype.category < 2 and t.numel():
        raise NotImplementedFault(
            f"{name} is not defined for {t.dtype}", hint=f"write {name}(..., dtype=torch.float64)"
        )
    return apply(op, (t,), {"dim": at})


def _implicit(ndim: int, name: str) -> int:
    """The dimension that torch.nn.functional takes where none is named, with its warning."""
    if tape.warn is not None:
        tape.warn(f"{name} without dim=: name the dimension to sum over")
    return 0 if ndim in (0, 1, 3) else 1


def _declare(name: str, op: Op) -> None:
    def call(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
        return _normalised(op, input, dim, dtype, name)

    def functional(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
        if dim is None:
            dim = _implicit(tensor_arg(input, name).ndim, name)
        return _normalised(op, input, dim, dtype, name)

    public(name, places=("torch", "Tensor", "special"), ops=(op,), about=op.about)(call)
    public(name, places=("F",), ops=(op,), about=op.about)(functional)


_declare("softmax", softmax_op)
_declare("log_softmax", log_softmax_op)


@public("softmin", places=("F",), ops=(softmax_op,), about="softmax of -x")
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    t = tensor_arg(input, "softmin")
    if dim is None:
        dim = _implicit(t.ndim, "softmin")
    return _normalised(softmax_op, OPS["neg"](t), dim, dtype, "softmin")
