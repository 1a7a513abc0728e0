"""Distances between the rows of two matrices: cdist."""

from __future__ import annotations

from math import prod
from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import no_rule
from autodiff_cli.engine.ops.matrices import require_floating, same_dtype
from autodiff_cli.engine.ops.norms import norm_along, pull_norm
from autodiff_cli.engine.ops.structure import reshape_to, sum_to
from autodiff_cli.engine.registry import primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, ValueFault

MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")


def _differences(a: Any, b: Any) -> Any:
    """d[..., i, j, :] = a[..., i, :] - b[..., j, :]."""
    s, t = shape_of(a), shape_of(b)
    return reshape_to(a, shape=(*s[:-1], 1, s[-1])) - reshape_to(b, shape=(*t[:-2], 1, *t[-2:]))


def _cdist(a: Any, b: Any, *, p: float) -> Any:
    d = _differences(a, b)
    return norm_along.array(d, ord=p, dim=(d.ndim - 1,), keepdim=False)


def _pull(g: Any, y: Any, a: Any, b: Any, *, p: float, axis: int) -> Any:
    """The cotangent of the rows of `a` (axis -3 of the differences) or of `b` (axis -2)."""
    d = _differences(a, b)
    pulled = pull_norm(g, y, d, ord=p, dim=(len(shape_of(d)) - 1,), keepdim=False)
    if pulled is None:
        return None
    shape = shape_of(d)
    at = len(shape) + (-2 if axis == -3 else -3)  # summed over the rows of the other one
    kept = sum_to(pulled, shape=(*shape[:at], 1, *shape[at + 1 :]))
    rows = reshape_to(kept, shape=(*shape[:at], *shape[at + 1 :]))
    return rows if axis == -3 else -rows


distance_backward = primitive(
    "cdist_backward",
    _pull,
    [no_rule("the gradient of cdist", NotImplementedFault)] * 4,
    grad_fn="CdistBackwardBackward0",
    about="the cotangent of the rows whose distances were taken",
)
distance_matrix = primitive(
    "cdist",
    _cdist,
    [
        lambda g, y, a, b, *, p: distance_backward(g, y, a, b, p=p, axis=-3),
        lambda g, y, a, b, *, p: distance_backward(g, y, a, b, p=p, axis=-2),
    ],
    kinks="at distance 0 the derivative is 0",
    formulas=(
        "sum over j of g[i, j] * the gradient of norm(a[i] - b[j])",
        "minus the sum over i of g[i, j] * the gradient of norm(a[i] - b[j])",
    ),
    about="the p-norm distance of each row of one matrix to each row of another",
)


def _pairs(n: int) -> tuple[Any, Any]:
    return np.triu_indices(n, 1)


def _pdist(x: Any, *, p: float) -> Any:
    i, j = _pairs(x.shape[0])
    return norm_along.array(x[i] - x[j], ord=p, dim=(1,), keepdim=False)


def _pdist_pull(g: Any, y: Any, x: Any, *, p: float) -> Any:
    i, j = _pairs(x.shape[0])
    pulled = pull_norm(g, y, x[i] - x[j], ord=p, dim=(1,), keepdim=False)
    out = np.zeros_like(x)
    if pulled is not None:
        np.add.at(out, i, pulled)
        np.subtract.at(out, j, pulled)
    return out


pdist_backward = primitive(
    "pdist_backward",
    _pdist_pull,
    [no_rule("the gradient of pdist", NotImplementedFault)] * 3,
    grad_fn="PdistBackwardBackward0",
    about="the cotangent of the rows whose distances were taken",
)
pair_distances = primitive(
    "pdist",
    _pdist,
    [lambda g, y, x, *, p: pdist_backward(g, y, x, p=p)],
    kinks="at distance 0 the derivative is 0",
    formulas=("sum over j of g[i, j] * the gradient of norm(x[i] - x[j])",),
    about="the p-norm distance of each pair of rows",
)


@public("pdist", places=("torch", "F"), ops=(pair_distances,))
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The distances of the rows of a matrix to each other, each pair once.

    Raises:
        RuntimeFault: not a matrix, a negative p, not floating.
    """
    t = tensor_arg(input, "pdist")
    if t.ndim != 2:
        raise RuntimeFault(f"pdist: a matrix is expected, not shape {tuple(t.shape)}")
    require_floating(t, "pdist")
    if p < 0:
        raise RuntimeFault(f"pdist: p must not be negative; it is {p:g}")
    check_size(t.shape[0] ** 2 // 2 * max(t.shape[1], 1), "pdist")
    return pair_distances(t, p=float(p) if t.shape[1] else 2.0)


@public("cdist", places=("torch",), ops=(distance_matrix,))
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = MODES[0]) -> Tensor:
    """The distances of the rows of x1 (..., P, M) to those of x2 (..., R, M), as (..., P, R), by differences.

    Raises:
        RuntimeFault: not matrices, rows of different lengths, a negative p, not floating, different dtypes.
        ValueFault: an unknown compute_mode.
    """
    a, b = tensor_arg(x1, "cdist", "x1"), tensor_arg(x2, "cdist", "x2")
    if compute_mode not in MODES:
        raise ValueFault(f"cdist: unknown compute_mode {compute_mode!r}", hint=", ".join(MODES))
    if a.ndim < 2 or b.ndim < 2:
        raise RuntimeFault(f"cdist: both tensors must be matrices or batches of them, not {a.shape} and {b.shape}")
    require_floating(a, "cdist")
    require_floating(b, "cdist")
    same_dtype("cdist", a, b)
    if a.shape[-1] != b.shape[-1]:
        raise RuntimeFault(f"cdist: the rows of the shapes {a.shape} and {b.shape} have different lengths")
    if p < 0:
        raise RuntimeFault(f"cdist: p must not be negative; it is {p:g}")
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise RuntimeFault(f"cdist: the batches of the shapes {a.shape} and {b.shape} do not go together") from None
    check_size(prod(batch) * a.shape[-2] * b.shape[-2] * max(a.shape[-1], 1), "cdist")
    return distance_matrix(a, b, p=float(p) if a.shape[-1] else 2.0)  # all norms of nothing are 0
