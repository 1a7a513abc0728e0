"""Scans along a dimension: cumsum, cumprod, cummax, cummin, logcumsumexp.

Rules need no division. They rest on `recurrence`, s[k] = a[k] * s[k-1] + b[k], which is closed under its own
rule (the adjoint of a linear recurrence is one in the other direction), so cumprod and prod are exact at
zeros and differentiable to any order.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, attach
from autodiff_cli.engine.arguments import dim_arg, tensor_arg
from autodiff_cli.engine.dtypes import DType, bool_
from autodiff_cli.engine.inplace import refuse_leaf, replace
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.gathering import gather_op, gather_sum
from autodiff_cli.engine.ops.rearranging import flip_op
from autodiff_cli.engine.ops.reductions import array_of, whole_sums
from autodiff_cli.engine.registry import OPS, Op, primitive, public, settle, shape_of
from autodiff_cli.engine.results import CumMax, CumMin, Named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import NotImplementedFault

LEAST = -3.4028234663852886e38  # stands for the logarithm of 0; -inf less an infinite result would be nan

# --- tools of the rules -------------------------------------------------------------------------------------


def _shift(x: Any, *, dim: int, by: int = 1, fill: float = 0.0) -> Any:
    x = np.asarray(x)
    out = np.full_like(x, fill)
    if x.ndim and x.shape[dim] > 1:
        lead = (slice(None),) * dim
        ahead, behind = (*lead, slice(1, None)), (*lead, slice(None, -1))
        if by == 1:
            out[ahead] = x[behind]
        else:
            out[behind] = x[ahead]
    return out


shift: Op = primitive(
    "shift",
    _shift,
    [lambda g, _y, _x, *, dim, by=1, fill=0.0: shift(g, dim=dim, by=-by)],
    grad_fn="ConstantPadNdBackward0",
    formulas=("1",),
    about="the entries one place further (or back) along a dimension, a number in the place left free",
)


def _recurrence(a: Any, b: Any, *, dim: int) -> Any:
    a, b = np.asarray(a), np.asarray(b)
    if not b.ndim:
        return b.copy()
    if b.ndim == 1:  # one chain: Python's floats are faster than arrays of one
        out: list[float] = []
        s = 0.0
        for f, x in zip(a.tolist(), b.tolist(), strict=True):
            s = f * s + x if out else x
            out.append(s)
        return np.array(out, b.dtype)
    rows, factors = np.moveaxis(b, dim, 0), np.moveaxis(np.broadcast_to(a, b.shape), dim, 0)
    sums = rows.copy()
    for k in range(1, len(sums)):
        sums[k] += factors[k] * sums[k - 1]
    return np.moveaxis(sums, 0, dim)


def _reversed_recurrence(a: Any, b: Any, dim: int) -> Any:
    """In a rule: s[k] = b[k] + a[k] * s[k+1], from the end."""
    dims = (dim,)
    return flip_op(recurrence(flip_op(a, dims=dims), flip_op(b, dims=dims), dim=dim), dims=dims)


def _adjoint(g: Any, a: Any, dim: int) -> Any:
    return _reversed_recurrence(shift(a, dim=dim, by=-1), g, dim)


recurrence: Op = primitive(
    "recurrence",
    _recurrence,
    [
        lambda g, y, a, _b, *, dim: _adjoint(g, a, dim) * shift(y, dim=dim),
        lambda g, _y, a, _b, *, dim: _adjoint(g, a, dim),
    ],
    grad_fn="CumsumBackward0",
    formulas=("s[k-1] * (the adjoint recurrence)", "the adjoint recurrence"),
    about="s[k] = a[k] * s[k-1] + b[k] along a dimension",
)


# --- cumsum and cumprod -------------------------------------------------------------------------------------


def _cumsum(x: Any, *, dim: int, dtype: DType | None = None) -> Any:
    x = array_of(x, dtype)
    out = np.add.accumulate(x, dim) if x.ndim else x.copy()
    if x.dtype.kind == "f":
        out += 0  # PyTorch begins with 0.0, so -0.0 becomes 0.0
    return out


def _cumprod(x: Any, *, dim: int, dtype: DType | None = None) -> Any:
    x = array_of(x, dtype)
    return np.multiply.accumulate(x, dim) if x.ndim else x.copy()


def _cumsum_rule(g: Any, _y: Any, _x: Any, *, dim: int, dtype: DType | None = None) -> Any:
    return flip_op(cumsum_op(flip_op(g, dims=(dim,)), dim=dim), dims=(dim,))


cumsum_op: Op = primitive(
    "cumsum", _cumsum, [_cumsum_rule], formulas=("g.flip(dim).cumsum(dim).flip(dim)",), about="running sums"
)
cumprod_op: Op = primitive(
    "cumprod",
    _cumprod,
    [lambda g, y, x, *, dim, dtype=None: _adjoint(g, x, dim) * shift(y, dim=dim, fill=1.0)],
    formulas=("(g * y).flip(dim).cumsum(dim).flip(dim) / x",),
    about="running products",
)


def _running(name: str, op: Op) -> None:
    def call(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        t = tensor_arg(input, name)
        params = whole_sums(t, dtype, name)
        return apply(op, (t,), {"dim": dim_arg(dim, t.ndim, name), **params})

    public(name, ops=(op,), about=op.about)(call)

    def change(self: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        refuse_leaf(self)
        if self.dtype is bool_ and not self.ndim:
            return self
        if self.dtype is bool_:
            raise NotImplementedFault(f"{name}_ is not defined for bool tensors", hint="convert with .long()")
        return replace(self, call(self, dim, dtype=dtype))

    public(f"{name}_", places=("Tensor",), ops=(op,), about=op.about)(change)


_running("cumsum", cumsum_op)
_running("cumprod", cumprod_op)


# --- logcumsumexp -------------------------------------------------------------------------------------------


def _logcumsumexp(x: Any, *, dim: int) -> Any:
    x = np.asarray(x)
    return (np.logaddexp.accumulate(x, dim) if x.ndim else x.copy()) + x.dtype.type(0)


def _logcumsumexp_rule(g: Any, y: Any, x: Any, *, dim: int) -> Any:
    # the sum over k >= i of g[k] * exp(x[i] - y[k]), in logarithms, the positive g[k] and the negative ones apart;
    # an entry that is infinite then leaves the others alone, as in PyTorch
    if not shape_of(x):
        return g

    def part(chosen: Any) -> Any:
        size = OPS["where"](chosen, OPS["log"](OPS["abs"](g)), LEAST)
        tail = flip_op(logcumsumexp_op(flip_op(size - y, dims=(dim,)), dim=dim), dims=(dim,))
        return OPS["exp"](tail + x)

    return part(g > 0.0) - part(g < 0.0)


logcumsumexp_op: Op = primitive(
    "logcumsumexp",
    _logcumsumexp,
    [_logcumsumexp_rule],
    formulas=("exp(x) * (g * exp(-y)).flip(dim).cumsum(dim).flip(dim)",),
    about="the logarithm of running sums of exponentials",
)


@public("logcumsumexp", ops=(logcumsumexp_op,), about="the logarithm of running sums of exponentials")
def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """Of the tensor's shape; no partial sum overflows.

    Raises:
        NotImplementedFault: the tensor is not floating.
    """
    t = tensor_arg(input, "logcumsumexp")
    if t.dtype.category < 2:
        raise NotImplementedFault(f"logcumsumexp is not defined for {t.dtype}", hint="convert it with .double()")
    return apply(logcumsumexp_op, (t,), {"dim": dim_arg(dim, t.ndim, "logcumsumexp")})


# --- cummax and cummin --------------------------------------------------------------------------------------


def _record_op(name: str) -> Op:
    return primitive(
        name,
        lambda x, index, *, dim: gather_op.array(x, index, dim=dim),
        [lambda g, _y, x, index, *, dim: gather_sum(g, index, dim=dim, shape=shape_of(x)), None],
        formulas=("the sum of g over the results that are this entry", ""),
        kinks="a tie goes to the later entry",
        about=f"the {'largest' if name == 'cummax' else 'smallest'} entries so far",
    )


def _records(name: str, op: Op, result: type[Named]) -> None:
    def call(input: Tensor, dim: int) -> Named:
        t = tensor_arg(input, name)
        at = dim_arg(dim, t.ndim, name)
        x = np.asarray(t.value)
        if x.ndim:
            best = (np.maximum if name == "cummax" else np.minimum).accumulate(x, at)
            places = np.arange(x.shape[at]).reshape((-1,) + (1,) * (x.ndim - at - 1))
            index = np.maximum.accumulate(np.where((x == best) | (x != x), places, 0), at)
        else:
            best, index = x.copy(), np.zeros((), np.int64)
        indices = wrap(settle(index))
        return result((attach(wrap(settle(best)), op, (t, indices), {"dim": at}), indices))

    public(name, places=("torch", "Tensor"), ops=(op,), about=op.about)(call)


cummax_op = _record_op("cummax")
cummin_op = _record_op("cummin")
_records("cummax", cummax_op, CumMax)
_records("cummin", cummin_op, CumMin)
