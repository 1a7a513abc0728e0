"""Sums, means and products over dimensions; any, all, count_nonzero.

The rule of a sum hands the cotangent on as it is: the backward walk spreads it. `sum()` and `sum(dim)` are
two operations, as in PyTorch. A product's rule multiplies the others up, from the left and from the right:
nothing is divided by, so zeros are exact.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, dims_arg, tensor_arg
from autodiff_cli.engine.dtypes import DType, dtype_of
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.structure import MISSING, Shape, dtype_arg, keep_arg, product, unsqueezed
from autodiff_cli.engine.ops.summing import along, total
from autodiff_cli.engine.registry import OPS, Op, primitive, public, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.engine.views import alias
from autodiff_cli.errors import RuntimeFault

# --- what the families of reductions share ------------------------------------------------------------------


def array_of(x: Any, dtype: DType | None = None) -> Any:
    """The operand as an array, in a dtype."""
    x = np.asarray(x)
    return x if dtype is None or dtype_of(x) is dtype else x.astype(dtype.name)


def whole_sums(t: Tensor, dtype: Any, function: str) -> dict[str, Any]:
    """The parameters of a sum or product: with the dtype where one is asked for, or int64 for integers and bools.

    Raises:
        TypeFault: it is no dtype; RuntimeFault: the tensor requires a gradient, and the dtype can't have one.
    """
    if dtype is None:
        return NO_PARAMS if dtype_of(t.value).category == 2 else {"dtype": dtypes.int64}
    if dtype_arg(dtype, function).category < 2 and t.requires_grad and tape.grad_enabled:
        raise RuntimeFault(
            f"{function}: the tensor requires a gradient, and a result of {dtype} can't have one",
            hint="detach() it first",
        )
    return {"dtype": dtype}


def reduced(reduce: Any, x: Any, dim: Shape, keepdim: bool) -> Any:
    """A ufunc's reduction over dimensions; a 0-d operand is left as it is."""
    if not x.ndim:
        return x.copy()
    return reduce(x, dim[0] if len(dim) == 1 else dim, None, None, keepdim)


def _alone(x: float, *, dim: Shape = (), keepdim: bool = False, dtype: DType | None = None) -> float:
    """The sum, mean or product of one number.

    Raises:
        ValueError: in another dtype, which is for the array form.
    """
    if dtype is not None and dtype is not dtypes.float64:
        raise ValueError
    return x


# --- sum ----------------------------------------------------------------------------------------------------


def _sum_all(x: Any, *, dtype: DType | None = None) -> Any:
    return total(array_of(x, dtype))


def _sum_dim(x: Any, *, dim: Shape, keepdim: bool, dtype: DType | None = None) -> Any:
    x = array_of(x, dtype)
    return along(x, dim, keepdim) if x.ndim else x.copy()


sum_op: Op = primitive(
    "sum",
    _sum_all,
    [lambda g, _y, _x, *, dtype=None: g],
    scalar=_alone,
    scalar_types=frozenset((float, bool)),  # of flags: rules count them
    formulas=("expand(g)",),
    about="the sum of all entries",
)
sum_dim: Op = primitive(
    "sum_dim",
    _sum_dim,
    [lambda g, _y, like_x, *, dim, keepdim, dtype=None: unsqueezed(g, like_x, dim)],
    scalar=_alone,
    grad_fn="SumBackward1",
    formulas=("expand(g)",),
    about="the sum over dimensions",
)


@public("sum", ops=(sum_op, sum_dim), about="the sum of all entries, or over dimensions")
def sum_(input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    t = input if type(input) is Tensor else tensor_arg(input, "sum")
    params = whole_sums(t, dtype, "sum")
    keep = keepdim if keepdim is False else keep_arg(keepdim, "sum", dim)
    if dim is MISSING:
        return apply(sum_op, (t,), params)
    return apply(sum_dim, (t,), {"dim": dims_arg(dim, t.ndim, "sum"), "keepdim": keep, **params})


# --- mean ---------------------------------------------------------------------------------------------------


def _count(shape: Shape, dim: Shape) -> int:
    """The entries that are reduced into one."""
    return product([shape[d] for d in dim if d < len(shape)])


def _mean_all(x: Any, *, dtype: DType | None = None) -> Any:
    x = array_of(x, dtype)
    return total(x) / x.dtype.type(x.size)


def _mean_dim(x: Any, *, dim: Shape, keepdim: bool, dtype: DType | None = None) -> Any:
    x = array_of(x, dtype)
    return np.true_divide(along(x, dim, keepdim) if x.ndim else x, x.dtype.type(_count(x.shape, dim)))


mean_op: Op = primitive(
    "mean",
    _mean_all,
    [lambda g, _y, like_x, *, dtype=None: g / (float(product(shape_of(like_x))) or 1.0)],
    scalar=_alone,
    formulas=("expand(g) / n",),
    about="the mean of all entries",
)
mean_dim: Op = primitive(
    "mean_dim",
    _mean_dim,
    [
        lambda g, _y, like_x, *, dim, keepdim, dtype=None: (
            unsqueezed(g, like_x, dim) / (float(_count(shape_of(like_x), dim)) or 1.0)
        )
    ],
    scalar=_alone,
    grad_fn="MeanBackward1",
    formulas=("expand(g) / n",),
    about="the mean over dimensions",
)


@public("mean", ops=(mean_op, mean_dim), about="the mean of all entries, or over dimensions")
def mean(input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Without `dim` 0-d; `dtype` is converted to first.

    Raises:
        RuntimeFault: the result would not be floating.
    """
    t = input if type(input) is Tensor else tensor_arg(input, "mean")
    params = NO_PARAMS if dtype is None else {"dtype": dtype_arg(dtype, "mean")}
    kind = params.get("dtype", dtype_of(t.value))
    if kind.category < 2:
        raise RuntimeFault(
            f"mean: the mean of {kind} would be no {kind}",
            hint="write x.double().mean(), or mean(dtype=torch.float64)",
        )
    keep = keepdim if keepdim is False else keep_arg(keepdim, "mean", dim)
    if dim is MISSING:
        return apply(mean_op, (t,), params)
    return apply(mean_dim, (t,), {"dim": dims_arg(dim, t.ndim, "mean"), "keepdim": keep, **params})


# --- sums that skip nan -------------------------------------------------------------------------------------


def _nansum(x: Any, *, dim: Shape, keepdim: bool, dtype: DType | None = None) -> Any:
    x = array_of(x, dtype)
    if x.dtype.kind == "f":
        x = np.where(np.isnan(x), x.dtype.type(0), x)
    return reduced(np.add.reduce, x, dim, keepdim)


nansum_op: Op = primitive(
    "nansum",
    _nansum,
    [lambda g, _y, x, *, dim, keepdim, dtype=None: unsqueezed(g, x, dim) * OPS["eq"](x, x)],
    formulas=("where(isnan(x), 0, expand(g))",),
    about="the sum of the entries that are not nan",
)


@public("nansum", ops=(nansum_op,), about="the sum of the entries that are not nan")
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    t = tensor_arg(input, "nansum")
    params = whole_sums(t, dtype, "nansum")
    return apply(
        nansum_op,
        (t,),
        {"dim": dims_arg(dim, t.ndim, "nansum"), "keepdim": keep_arg(keepdim, "nansum"), **params},
    )


@public("nanmean", ops=(nansum_op,), about="the mean of the entries that are not nan")
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """nan where every entry is nan; without `dim` 0-d.

    Raises:
        RuntimeFault: the tensor is not floating.
    """
    t = tensor_arg(input, "nanmean")
    if t.dtype.category < 2:
        raise RuntimeFault(f"nanmean: a floating tensor is expected, not {t.dtype}", hint="convert it with .double()")
    counted = OPS["eq"](alias(t), alias(t))
    total, count = nansum(t, dim, keepdim, dtype=dtype), sum_(counted, dim, keepdim)
    return apply(OPS["div"], (total, count), NO_PARAMS)


# --- product ------------------------------------------------------------------------------------------------


def _prod_all(x: Any, *, dtype: DType | None = None) -> Any:
    return np.multiply.reduce(array_of(x, dtype), None)


def _prod_dim(x: Any, *, dim: int, keepdim: bool, dtype: DType | None = None) -> Any:
    return reduced(np.multiply.reduce, array_of(x, dtype), (dim,), keepdim)


def _others(x: Any, dim: int) -> Any:
    """In a rule: at each entry the product of all the others along a dimension."""
    if not shape_of(x):
        return 1.0
    before, after, flip = OPS["cumprod"], OPS["shift"], OPS["flip"]
    left = before(after(x, dim=dim, fill=1.0), dim=dim)
    right = flip(before(after(flip(x, dims=(dim,)), dim=dim, fill=1.0), dim=dim), dims=(dim,))
    return left * right


def _prod_rule(g: Any, y: Any, x: Any, *, dtype: DType | None = None) -> Any:  # y: saved by PyTorch
    shape = shape_of(x)
    if len(shape) < 2:
        return g * _others(x, 0)
    flat = OPS["reshape_to"](x, shape=(product(shape),))
    return g * OPS["reshape_to"](_others(flat, 0), shape=shape)


prod_op: Op = primitive(
    "prod",
    _prod_all,
    [_prod_rule],
    scalar=_alone,
    formulas=("g times the product of the other entries",),
    about="the product of all entries",
)
prod_dim: Op = primitive(
    "prod_dim",
    _prod_dim,
    [lambda g, y, x, *, dim, keepdim, dtype=None: unsqueezed(g, x, dim) * _others(x, dim)],
    grad_fn="ProdBackward1",
    formulas=("g times the product of the other entries",),
    about="the product over a dimension",
)


@public("prod", ops=(prod_op, prod_dim), about="the product of all entries, or over a dimension")
def prod(input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    t = tensor_arg(input, "prod")
    params = whole_sums(t, dtype, "prod")
    keep = keep_arg(keepdim, "prod", dim)
    if dim is MISSING:
        return apply(prod_op, (t,), params)
    return apply(prod_dim, (t,), {"dim": dim_arg(dim, t.ndim, "prod"), "keepdim": keep, **params})


# --- truth and counts: no derivatives -----------------------------------------------------------------------


def _logical(name: str, about: str) -> None:
    def array(x: Any, *, dim: Shape | None, keepdim: bool) -> Any:
        x = np.asarray(x)
        ufunc = np.logical_or if name == "any" else np.logical_and
        found = ufunc.reduce(x, axis=dim, keepdims=keepdim) if x.ndim and dim else x.astype(bool)
        return found.astype("uint8") if x.dtype == np.uint8 else found  # as PyTorch, for this dtype alone

    op = primitive(name, array, None, about=about)

    def call(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        t = tensor_arg(input, name)
        dims = () if dim is not None and dim in ((), []) else dims_arg(dim, t.ndim, name)  # PyTorch: none, not all
        return apply(op, (t,), {"dim": dims, "keepdim": keep_arg(keepdim, name)})

    public(name, ops=(op,), about=about)(call)


_logical("any", "whether an entry is not 0")
_logical("all", "whether all entries are not 0")

count_nonzero_op: Op = primitive(
    "count_nonzero",
    lambda x, *, dim: np.asarray(np.count_nonzero(np.asarray(x), axis=dim)),
    None,
    about="the number of entries that are not 0",
)


@public("count_nonzero", ops=(count_nonzero_op,), about="the number of entries that are not 0")
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    t = tensor_arg(input, "count_nonzero")
    dims = dims_arg(dim, t.ndim, "count_nonzero")
    return apply(count_nonzero_op, (t,), {"dim": dims if t.ndim else None})
