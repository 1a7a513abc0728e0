"""The largest and the smallest entry: max, min, amax, amin, aminmax, argmax, argmin.

Ties, as in PyTorch: `max()`, `amax` and `aminmax` share the slope evenly among the entries that attain the
extreme, `max(dim)` gives it to the one whose index is returned (the first). A nan is larger, and smaller,
than any number.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply, attach
from autodiff_cli.engine.arguments import dim_arg, dims_arg, tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.gathering import gather_op, gather_sum
from autodiff_cli.engine.ops.reductions import reduced, sum_dim, sum_op
from autodiff_cli.engine.ops.structure import MISSING, PLAIN, Shape, keep_arg, reshape_to, unsqueezed
from autodiff_cli.engine.registry import OPS, Op, primitive, public, settle, shape_of
from autodiff_cli.engine.results import AMinMax, Max, Min, Named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

SHARED = "entries that tie share the slope evenly"


def no_empty(t: Tensor, dim: Shape, function: str, fault: type = IndexFault) -> None:
    """Raises the fault when a dimension that is to be reduced has size 0."""
    for d in dim:
        if d < t.ndim and t.shape[d] == 0:
            raise fault(f"{function}: dimension {d} is empty, and nothing has no such entry")


# --- over all entries ---------------------------------------------------------------------------------------


def _share(g: Any, y: Any, x: Any) -> Any:
    """The cotangent shared by the entries that equal the result; a nan equals a nan here."""
    there = (x == y) | ((x != x) & (y != y))
    return OPS["where"](there, g / sum_op(there), 0.0)


def share_equal(g: Any, y: Any, x: Any) -> Any:
    """The rule of an order statistic over all entries, as `_share`."""
    return _share(g, y, x)


def _whole(name: str, grad_fn: str) -> Op:
    return primitive(
        f"{name}_all",
        lambda x: (np.maximum if name == "max" else np.minimum).reduce(np.asarray(x), None),
        [_share],
        scalar=lambda x: x,
        grad_fn=grad_fn,
        formulas=("where(x == expand(y), expand(g / count), 0)",),
        kinks=SHARED,
        about=f"the {'largest' if name == 'max' else 'smallest'} entry",
    )


max_all = _whole("max", "MaxBackward1")
min_all = _whole("min", "MinBackward1")

# --- over dimensions ----------------------------------------------------------------------------------------


def _share_dims(g: Any, y: Any, x: Any, *, dim: Shape, keepdim: bool) -> Any:
    there = OPS["eq"](x, unsqueezed(y, x, dim))
    return there * (unsqueezed(g, x, dim) / sum_dim(there, dim=dim, keepdim=True))


def _attained(name: str, largest: bool, grad_fn: str | None = None) -> Op:
    return primitive(
        name,
        lambda x, *, dim, keepdim: reduced((np.maximum if largest else np.minimum).reduce, np.asarray(x), dim, keepdim),
        [_share_dims],
        grad_fn=grad_fn,
        formulas=("where(x == expand(y), expand(g / count), 0)",),
        kinks=SHARED,
        about=f"the {'largest' if largest else 'smallest'} entry over dimensions",
    )


amax_op = _attained("amax", True)
amin_op = _attained("amin", False)
aminmax_max = _attained("aminmax_max", True, "AminmaxBackward0")
aminmax_min = _attained("aminmax_min", False, "AminmaxBackward0")


def _over_dims(op: Op) -> None:
    def call(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
        t = tensor_arg(input, op.name)
        dims = dims_arg(dim, t.ndim, op.name)
        no_empty(t, dims, op.name, RuntimeFault if dim == () else IndexFault)
        return apply(op, (t,), {"dim": dims, "keepdim": keep_arg(keepdim, op.name)})

    public(op.name, ops=(op,), about=op.about)(call)


_over_dims(amax_op)
_over_dims(amin_op)


@public("aminmax", ops=(aminmax_min, aminmax_max), about="the smallest and the largest entry")
def aminmax(input: Tensor, *, dim: Any = None, keepdim: bool = False) -> Named:
    t = tensor_arg(input, "aminmax")
    dims = dims_arg(None if dim is None else dim_arg(dim, t.ndim, "aminmax"), t.ndim, "aminmax")
    no_empty(t, dims, "aminmax", RuntimeFault if dim is None else IndexFault)
    params = {"dim": dims, "keepdim": keep_arg(keepdim, "aminmax")}
    return AMinMax((apply(aminmax_min, (t,), params), apply(aminmax_max, (t,), params)))


# --- with the index -----------------------------------------------------------------------------------------


def pick_along(x: Any, index: Any, *, dim: int, keepdim: bool) -> Any:
    """The entries at one index along a dimension (raw)."""
    x, index = np.asarray(x), np.asarray(index)
    if not x.ndim:
        return x.copy()
    kept = index if keepdim else np.expand_dims(index, dim)
    found = gather_op.array(x, kept, dim=dim)
    return found if keepdim else found.squeeze(dim)


def _pick_rule(g: Any, _y: Any, like_x: Any, index: Any, *, dim: int, keepdim: bool) -> Any:
    shape = shape_of(like_x)
    if not keepdim and shape:
        kept = (*shape[:dim], 1, *shape[dim + 1 :])
        g, index = reshape_to(g, shape=kept), reshape_to(index, shape=kept)
    return gather_sum(g, index, dim=dim, shape=shape)


def picker(name: str, grad_fn: str, about: str, kinks: str = "") -> Op:
    """The op of a reduction that chooses one entry of a dimension: its second operand is the index chosen."""
    return primitive(
        name,
        pick_along,
        [_pick_rule, None],
        grad_fn=grad_fn,
        formulas=("g at the entry chosen, else 0", ""),
        kinks=kinks,
        about=about,
    )


def picked(op: Op, t: Tensor, index: Any, dim: int, keepdim: bool, values: Any = None) -> tuple[Tensor, Tensor]:
    """Values (on the graph) and indices of a reduction that chose `index` (raw, without the dimension)."""
    if t.ndim and keepdim:
        index = np.expand_dims(index, dim)
    if values is None:
        values = pick_along(t.value, index, dim=dim, keepdim=keepdim)
    indices = wrap(settle(np.asarray(index)))
    return attach(wrap(settle(values)), op, (t, indices), {"dim": dim, "keepdim": keepdim}), indices


max_dim = picker("max_dim", "MaxBackward0", "the largest entry of a dimension", "a tie goes to the first")
min_dim = picker("min_dim", "MinBackward0", "the smallest entry of a dimension", "a tie goes to the first")


def _extreme(name: str, whole: Op, along: Op, result: type[Named]) -> None:
    def call(input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, other: Any = MISSING) -> Any:
        t = input if type(input) is Tensor else tensor_arg(input, name)
        if other is MISSING and type(dim) is Tensor:
            other = dim
        if other is not MISSING:
            return OPS["maximum" if name == "max" else "minimum"](t, tensor_arg(other, name, "other"))
        keep = keep_arg(keepdim, name, dim)
        if dim is MISSING:
            no_empty(t, tuple(range(t.ndim)), name, RuntimeFault)
            return apply(whole, (t,), NO_PARAMS)
        if dim is None:
            raise TypeFault(f"{name}: dim can't be None", hint=f"leave it out: x.{name}()")
        at = dim_arg(dim, t.ndim, name)
        no_empty(t, (at,), name)
        x = np.asarray(t.value)
        index = (x.argmax(at) if name == "max" else x.argmin(at)) if x.ndim else np.zeros((), np.int64)
        reduce = np.maximum.reduce if name == "max" else np.minimum.reduce
        return result(picked(along, t, index, at, keep, reduced(reduce, x, (at,), keep)))

    public(name, ops=(whole, along), about=f"{whole.about}, of all or of a dimension; or of two tensors")(call)


_extreme("max", max_all, max_dim, Max)
_extreme("min", min_all, min_dim, Min)


# --- the index alone: no derivative -------------------------------------------------------------------------


def _argument(name: str) -> None:
    def call(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        t = tensor_arg(input, name)
        if t.dtype.name == "bool":
            raise RuntimeFault(f"{name}: a bool tensor has no {name} in PyTorch", hint="convert it with .int()")
        dims = dims_arg(dim if dim is None else dim_arg(dim, t.ndim, name), t.ndim, name)
        no_empty(t, dims, name)
        if type(t.value) in PLAIN:
            return wrap(0)
        x = t.value
        at = None if dim is None or not x.ndim else dims[0]
        found = x.argmax(at) if name == "argmax" else x.argmin(at)
        if keepdim and x.ndim:
            found = np.reshape(found, (1,) * x.ndim) if at is None else np.expand_dims(found, at)
        return wrap(settle(found))

    public(name, about=f"the index of the {'largest' if name == 'argmax' else 'smallest'} entry")(call)


_argument("argmax")
_argument("argmin")
