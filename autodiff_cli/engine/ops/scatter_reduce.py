"""scatter_reduce: entries of a source combined into the places that an index names, by sum, product, mean or
extreme.

Every reduction has rules for both operands. Of a product only factors that are not 0 are divided by; entries
that tie for an extreme share its slope evenly, as in PyTorch.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.gathering import (
    corner,
    gather_op,
    part_of,
    places_of,
    scatter_add_op,
    scatter_value_op,
    source_part,
)
from autodiff_cli.engine.ops.placing import scatter_places
from autodiff_cli.engine.registry import OPS, Op, primitive, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault

_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")


def _neutral(reduce: str, dtype: Any) -> Any:
    if reduce == "prod":
        return 1
    if reduce not in ("amax", "amin"):
        return 0
    limits = (-np.inf, np.inf) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return limits[0] if reduce == "amax" else limits[1]


def _scatter_reduce(x: Any, index: Any, src: Any, *, dim: int, reduce: str, include_self: bool) -> Any:
    out, index = np.array(x, order="C"), np.asarray(index)
    if not index.size:
        return out
    flat, places = out.reshape(-1), places_of(index, dim, out.shape)
    if not include_self:
        flat[places] = _neutral(reduce, out.dtype)
    ufunc = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}.get(reduce, np.add)
    ufunc.at(flat, places, corner(src, index))
    if reduce == "mean":
        counts = np.full(out.size, int(include_self))
        np.add.at(counts, places, 1)
        counts = np.maximum(counts, 1).reshape(out.shape)
        out = out / counts if out.dtype.kind == "f" else out // counts
    return out.astype(np.asarray(x).dtype)


def _counts(x: Any, index: Any, src: Any, dim: int, include_self: bool) -> Any:
    """In a rule: how many entries each place is the mean of (at least 1)."""
    ones = x * 0.0 + float(include_self)
    counted = scatter_add_op(ones, index, src * 0.0 + 1.0, dim=dim)
    return OPS["where"](counted == 0.0, 1.0, counted)


def _own_slope(y: Any, x: Any, index: Any, src: Any, *, dim: int, reduce: str, include_self: bool) -> Any:
    """In a rule: d y / d x where x takes part."""
    if reduce == "sum":
        return 1.0
    if reduce == "mean":
        return 1.0 / _counts(x, index, src, dim, include_self)
    if reduce == "prod":
        others = scatter_reduce_op(x * 0.0 + 1.0, index, src, dim=dim, reduce="prod", include_self=True)
        return others
    return OPS["where"](x == y, 1.0, 0.0) / _attaining(y, x, index, src, dim, include_self)


def _attaining(y: Any, x: Any, index: Any, src: Any, dim: int, include_self: bool) -> Any:
    """In a rule: how many entries attain the extreme at each place (at least 1)."""
    where = OPS["where"]
    own = where(x == y, 1.0, 0.0)
    if not include_self:
        own = scatter_value_op(own, index, dim=dim, value=0.0)
    theirs = where(part_of(src, index) == gather_op(y, index, dim=dim), 1.0, 0.0)
    counted = scatter_add_op(own, index, theirs, dim=dim)
    return where(counted == 0.0, 1.0, counted)


def _own_rule(g: Any, y: Any, x: Any, index: Any, src: Any, **params: Any) -> Any:
    d = g * _own_slope(y, x, index, src, **params)
    return d if params["include_self"] else scatter_value_op(d, index, dim=params["dim"], value=0.0)


def _source_rule(g: Any, y: Any, x: Any, index: Any, src: Any, *, dim: int, reduce: str, include_self: bool) -> Any:
    where = OPS["where"]
    if reduce == "mean":
        g = g / _counts(x, index, src, dim, include_self)
    elif reduce in ("amax", "amin"):
        g = g / _attaining(y, x, index, src, dim, include_self)
    d = gather_op(g, index, dim=dim)
    part = part_of(src, index)
    if reduce in ("amax", "amin"):
        d = where(part == gather_op(y, index, dim=dim), d, 0.0)
    elif reduce == "prod":
        d = d * _others(x, index, part, dim, include_self)
    return source_part(d, src)


def _others(x: Any, index: Any, part: Any, dim: int, include_self: bool) -> Any:
    """In a rule: for each entry of the source the product of all the others that go to its place."""
    where = OPS["where"]
    params = {"dim": dim, "reduce": "prod", "include_self": True}
    start = x if include_self else x * 0.0 + 1.0
    safe = where(part == 0.0, 1.0, part)
    product = scatter_reduce_op(where(start == 0.0, 1.0, start), index, safe, **params)
    zeros = scatter_add_op(where(start == 0.0, 1.0, 0.0), index, where(part == 0.0, 1.0, 0.0), dim=dim)
    left = gather_op(zeros, index, dim=dim) - where(part == 0.0, 1.0, 0.0)
    return where(left == 0.0, gather_op(product, index, dim=dim) / safe, 0.0)


scatter_reduce_op: Op = primitive(
    "scatter_reduce",
    _scatter_reduce,
    [_own_rule, None, _source_rule],
    kinks="entries that tie for an extreme share the slope evenly",
    about="a copy of x with src combined into it at an index along a dimension",
)


@public("scatter_reduce", in_place=True, ops=(scatter_reduce_op,), about="src combined into a copy at an index")
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """A copy; index and source as in scatter_add. include_self=False: what is there does not count.

    Raises:
        RuntimeFault: an unknown reduce, or as scatter_add.
    """
    t, source = tensor_arg(input, "scatter_reduce"), tensor_arg(src, "scatter_reduce", "src")
    places, at = scatter_places(t, dim, index, source, "scatter_reduce")
    if reduce not in _REDUCTIONS:
        raise RuntimeFault(f"scatter_reduce: reduce is one of {', '.join(_REDUCTIONS)}, not {reduce!r}")
    params = {"dim": at, "reduce": reduce, "include_self": bool(include_self)}
    return apply(scatter_reduce_op, (t, places, source), params)
