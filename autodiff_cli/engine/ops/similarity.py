"""Distances and angles between vectors, and the losses that rank by them."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, tensor_arg
from autodiff_cli.engine.dtypes import promote
from autodiff_cli.engine.inplace import in_place
from autodiff_cli.engine.ops.arithmetic import add, add_number, div, mul, neg, rsub_number, sub, subtract, where
from autodiff_cli.engine.ops.comparison import eq, ne
from autodiff_cli.engine.ops.declare import kind
from autodiff_cli.engine.ops.elementary import sqrt
from autodiff_cli.engine.ops.expanding import broadcast_tensors, expand_as
from autodiff_cli.engine.ops.extrema import clamp_min, minimum
from autodiff_cli.engine.ops.loss_reduction import reduced_tensor, reduction_arg
from autodiff_cli.engine.ops.norms import norm, norm_along, vector_norm
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.structure import cast, clone
from autodiff_cli.engine.registry import primitive, public
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, ValueFault

norm_of_rows = primitive(
    "norm_of_rows",
    norm_along.array,
    norm_along.vjps,
    grad_fn="NormBackward1",
    domain=norm_along.domain,
    kinks=norm_along.kinks,
    formulas=norm_along.formulas,
    about="the norm of the entries along a dimension",
)


@public("pairwise_distance", places=("torch", "F"), numbers=True)
def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension.

    Raises:
        RuntimeFault: tensors that are not floating, or shapes that do not go together.
    """
    a, b = tensor_arg(x1, "pairwise_distance", "x1"), tensor_arg(x2, "pairwise_distance", "x2")
    apart = add_number(subtract(a, b), eps)
    if kind(apart.value) != "f":
        raise RuntimeFault("pairwise_distance is for floating point tensors", hint="convert with .double()")
    at = dim_arg(-1, apart.ndim, "pairwise_distance")
    return apply(norm_of_rows, (apart,), {"ord": float(p), "dim": (at,), "keepdim": keepdim})


@public("cosine_similarity", places=("torch", "F"), numbers=True)
def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along a dimension; norms count as eps at least."""
    name = "cosine_similarity"
    a, b = broadcast_tensors(tensor_arg(x1, name, "x1"), tensor_arg(x2, name, "x2"))
    common: Any = promote(a.dtype, b.dtype)
    if common.category == 2:
        a, b = (x if x.dtype is common else cast(x, dtype=common) for x in (a, b))
    at = dim_arg(dim, a.ndim, name)

    def unit(x: Tensor) -> Any:
        size = clone(vector_norm(x, 2, at, True))
        with tape.grad_mode(False):  # the bound has no part in the slope
            in_place(clamp_min)(size, eps)
        return div(x, size)

    cosine: Tensor = sum_(mul(unit(a), unit(b)), at)
    return cosine


@public("normalize", places=("F",), numbers=True)
def _normalize(input: Any, p: Any = 2.0, dim: Any = 1, eps: float = 1e-12, out: None = None) -> Tensor:
    """The vectors along a dimension divided by their p-norms (eps at least)."""
    x = tensor_arg(input, "normalize")
    found: Tensor = div(x, expand_as(clamp_min(norm(x, p, dim, True), eps), x))
    return found


@public("hinge_embedding_loss", places=("F",), numbers=True)
def _hinge_embedding_loss(
    input: Any,
    target: Any,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of the input where the target is 1, and of max(0, margin - input) where it is -1.

    Raises:
        RuntimeFault: the mean of integers.
    """
    how = reduction_arg(reduction, size_average, reduce)
    x = tensor_arg(input, "hinge_embedding_loss")
    t = tensor_arg(target, "hinge_embedding_loss", "target")
    if x.dtype.category < 2 and how == "mean":
        raise RuntimeFault(f"hinge_embedding_loss: the mean of {x.dtype} is not defined", hint="convert with .double()")
    apart = where(ne(t, 1), clamp_min(rsub_number(x, margin), 0.0), 0.0)
    entries: Tensor = add(apart, where(ne(t, -1), x, 0.0))
    return reduced_tensor(entries, how)


@public("margin_ranking_loss", places=("F",), numbers=True)
def _margin_ranking_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of max(0, -target * (input1 - input2) + margin).

    Raises:
        RuntimeFault: other many dimensions.
    """
    name = "margin_ranking_loss"
    how = reduction_arg(reduction, size_average, reduce)
    a, b = tensor_arg(input1, name, "input1"), tensor_arg(input2, name, "input2")
    t = tensor_arg(target, name, "target")
    if not a.ndim == b.ndim == t.ndim:
        raise RuntimeFault(
            f"{name}: the tensors have {a.ndim}, {b.ndim} and {t.ndim} dimensions; the numbers must agree"
        )
    entries: Tensor = clamp_min(add_number(mul(neg(t), sub(a, b)), margin), 0.0)
    return reduced_tensor(entries, how)


@public("cosine_embedding_loss", places=("F",), numbers=True)
def _cosine_embedding_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of 1 - cos where the target is 1, and of max(0, cos - margin) where it is -1.

    Raises:
        RuntimeFault: no matrices with a vector of targets, nor vectors with one.
    """
    name = "cosine_embedding_loss"
    how = reduction_arg(reduction, size_average, reduce)
    a, b = tensor_arg(input1, name, "input1"), tensor_arg(input2, name, "input2")
    t = tensor_arg(target, name, "target")
    if t.ndim > 1 or (t.ndim == 1 and not a.ndim == b.ndim == 2) or (t.ndim == 0 and not a.ndim == b.ndim == 1):
        raise RuntimeFault(
            f"{name}: the inputs have shapes {a.shape} and {b.shape}, the target {t.shape}",
            hint="matrices go with a vector of targets, vectors with one target",
        )
    at = t.ndim
    sizes = [add(sum_(mul(x, x), at), 1e-12) for x in (a, b)]
    cosine = div(sum_(mul(a, b), at), sqrt(mul(sizes[0], sizes[1])))
    together = where(eq(t, 1), rsub_number(cosine, 1.0), 0.0)
    apart = where(eq(t, -1), clamp_min(sub(cosine, margin), 0.0), 0.0)
    entries: Tensor = add(together, apart)
    return reduced_tensor(entries, how)


@public("triplet_margin_loss", places=("F",), numbers=True)
def _triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of max(0, distance(anchor, positive) - distance(anchor, negative) + margin).

    Raises:
        ValueFault: the margin is not positive; RuntimeFault: other many dimensions.
    """
    name = "triplet_margin_loss"
    how = reduction_arg(reduction, size_average, reduce)
    a, b = tensor_arg(anchor, name, "anchor"), tensor_arg(positive, name, "positive")
    c = tensor_arg(negative, name, "negative")
    if margin <= 0:
        raise ValueFault(f"{name}: the margin must be positive, and it is {margin}")
    if not a.ndim == b.ndim == c.ndim:
        raise RuntimeFault(f"{name}: the tensors have {a.ndim}, {b.ndim} and {c.ndim} dimensions")
    near, far = pairwise_distance(a, b, p, eps), pairwise_distance(a, c, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(b, c, p, eps))
    entries: Tensor = clamp_min(sub(add(near, margin), far), 0.0)
    return reduced_tensor(entries, how)
