"""Norms: vector_norm, matrix_norm, linalg.norm, norm.

One primitive, the vector norm along dimensions; matrix norms are made of it, of singular values and of
extrema, in PyTorch's steps. At 0 the derivative is 0, as PyTorch has it (0 is a subgradient there).

Values that overflow or vanish when they are raised to the power are scaled by the largest entry first, and
rules use quotients of entry and norm, so that norms near the ends of the floating-point range and their
gradients are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.apply import raw
from autodiff_cli.engine.arguments import dim_arg, dims_arg, tensor_arg, type_name
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import where
from autodiff_cli.engine.ops.extremes import amax_op, amin_op, no_empty
from autodiff_cli.engine.ops.matrices import constant, floating_matrices, require_floating
from autodiff_cli.engine.ops.powers import pow_scalar
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.shaping import unsqueeze
from autodiff_cli.engine.ops.signs import abs_, sign
from autodiff_cli.engine.ops.spectral import svdvals
from autodiff_cli.engine.ops.structure import as_view, cast, kept_shape, permute, sum_to, unsqueezed
from autodiff_cli.engine.registry import primitive, public, settle, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault

Dims = tuple[int, ...]
INF = float("inf")


# --- the primitive ------------------------------------------------------------------------------------------


def _norm(x: Any, *, ord: float, dim: Dims, keepdim: bool) -> Any:
    a = np.abs(np.asarray(x))
    if ord == 0:
        return np.count_nonzero(a, axis=dim, keepdims=keepdim).astype(a.dtype)
    if ord == INF:
        return a.max(axis=dim, keepdims=keepdim)
    if ord == -INF:
        return a.min(axis=dim, keepdims=keepdim)
    if ord == 1:
        return a.sum(axis=dim, keepdims=keepdim)
    y = _power_mean(a, ord, dim)
    lost = ~np.isfinite(y) | (y == 0.0)
    if lost.any() and a.size:
        top = a.max(axis=dim, keepdims=True)
        scale = np.where(np.isfinite(top) & (top > 0.0), top, 1.0)
        y = np.where(lost, scale * _power_mean(a / scale, ord, dim), y)
    return y.astype(a.dtype) if keepdim else y.astype(a.dtype).reshape(_without(a.shape, dim))


def _power_mean(a: Any, ord: float, dim: Dims) -> Any:
    if ord == 2:
        return np.sqrt(np.sum(a * a, axis=dim, keepdims=True))
    return np.sum(a**ord, axis=dim, keepdims=True) ** (1.0 / ord)


def _without(shape: Dims, dim: Dims) -> Dims:
    return tuple(n for i, n in enumerate(shape) if i not in dim)


def pull_norm(g: Any, y: Any, x: Any, *, ord: float, dim: Dims, keepdim: bool) -> Any:
    """The rule of the vector norm."""
    if ord == 0:
        return None
    g, y = unsqueezed(g, x, dim), unsqueezed(y, x, dim)
    if ord == 1:
        return g * sign(x)
    if ord in (INF, -INF):  # the entries that attain it share evenly
        there = where((abs_(x) == y) | (x != x), 1.0, 0.0)
        count = sum_to(there, shape=kept_shape(shape_of(x), dim))
        return sign(x) * (g / count * there)
    if ord == 2:
        return g * where(y == 0.0, 0.0, x / y)
    if ord % 2 == 0 and ord > 0:  # an odd power of the entry itself: smooth at 0, to any order
        return g * pow_scalar(x / where(y == 0.0, 1.0, y), ord - 1.0)
    # sign(x) * abs(x)**(ord - 1) * y**(1 - ord), of quotients by the value of y, to keep them in range
    scale = _value(y, x)
    entry = pow_scalar(abs_(x) / scale, ord - 1.0)
    if ord > 2:  # the entries' power is flat enough at 0 for second derivatives to be 0, not nan
        return g * (sign(x) * entry * pow_scalar(where(y == 0.0, 1.0, y) / scale, 1.0 - ord))
    whole = pow_scalar(y / scale, 1.0 - ord)
    if ord < 1:
        return g * (sign(x) * where(x == 0.0, 0.0, entry) * whole)
    return g * (sign(x) * entry * where(y == 0.0, 0.0, whole))


def _value(y: Any, like: Any) -> Any:
    """The norm as a constant to divide by: 1 where it is 0, inf or nan."""
    value = np.asarray(raw(y))
    return constant(settle(np.where(np.isfinite(value) & (value != 0.0), value, np.ones((), value.dtype))), like)


def norm_formula(ord: float | None = None, **_: Any) -> str:
    """The rule of the vector norm as text, of its order."""
    if ord == 1:
        return "expand(g) * sign(x)"
    if ord == 2:
        return "expand(g) * x / expand(y)"
    if ord in (INF, -INF):
        return "where(abs(x) == expand(y), expand(g / count), 0) * sign(x)"
    return "0" if ord == 0 else "expand(g) * sign(x) * (abs(x) / expand(y))**(ord - 1)"


norm_along = primitive(
    "vector_norm",
    _norm,
    [pull_norm],
    grad_fn="LinalgVectorNormBackward0",
    domain=((0.3, 3.0),),
    kinks="at 0 the derivative is 0; entries that tie in the inf norm share it evenly",
    formulas=(norm_formula,),
    about="the norm of the entries along dimensions",
)


# --- vector norms -------------------------------------------------------------------------------------------


def _order(ord: Any, function: str) -> float:
    if isinstance(ord, Tensor) and ord.ndim == 0:
        ord = ord.item()
    if isinstance(ord, (int, float)):
        return float(ord)
    raise TypeFault(f"{function}: 'ord' must be a number, not {type_name(ord)}")


def _converted(t: Tensor, dtype: Any, function: str) -> Tensor:
    require_floating(t, function)
    if dtype is None:
        return t
    if not isinstance(dtype, DType):
        raise TypeFault(f"{function}: dtype is torch.float64 or the like, not {type_name(dtype)}")
    if not dtype.is_floating_point or dtype.itemsize < t.dtype.itemsize:
        raise RuntimeFault(f"{function}: {t.dtype} can't become {dtype} without loss", hint="convert first: x.float()")
    return t if t.dtype is dtype else cast(t, dtype=dtype)


def _vector_norm(t: Tensor, ord: float, dim: Any, keepdim: bool, function: str) -> Tensor:
    dims = dims_arg(dim, t.ndim, function)
    if ord < 0 or ord == INF:
        empty = [d for d in dims if t.ndim and t.shape[d] == 0]
        if empty and 0 not in _without(t.shape, dims):
            raise RuntimeFault(f"{function}: the {ord:g} norm of nothing does not exist; the shape is {t.shape}")
    return norm_along(t, ord=ord, dim=dims if t.ndim else (), keepdim=bool(keepdim))


@public("vector_norm", places=("linalg",), ops=(norm_along,))
def vector_norm(input: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The p-norm of all entries or along `dim`.

    (The sum of abs(x)**ord)**(1/ord); inf and -inf: the extrema of abs(x); 0: the number of entries that are not 0.

    Raises:
        RuntimeFault: not floating, an empty tensor where the norm needs an entry.
        TypeFault: an order that is no number.
    """
    order = _order(ord, "vector_norm")
    t = _converted(tensor_arg(input, "vector_norm"), dtype, "vector_norm")
    return _vector_norm(t, order, dim, keepdim, "vector_norm")


# --- matrix norms -------------------------------------------------------------------------------------------


@public("matrix_norm", places=("linalg",), ops=(norm_along,))
def matrix_norm(
    input: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of matrices.

    "fro"; "nuc" (the sum of singular values); 2 and -2 (the largest, the smallest); 1 and -1 (the largest and the
    smallest column sum); inf and -inf (row sum).

    Raises:
        TypeFault: an order or dimensions of another type.
        RuntimeFault: another order, fewer than two dimensions, equal dimensions.
    """
    function = "matrix_norm"
    if not isinstance(ord, (str, int, float)):
        raise TypeFault(f"{function}: 'ord' must be a number, 'fro' or 'nuc', not {type_name(ord)}")
    if not isinstance(dim, (list, tuple)):
        raise TypeFault(f"{function}: 'dim' is a pair of dimensions, not {type_name(dim)}")
    t = _converted(tensor_arg(input, function), dtype, function)
    floating_matrices(t, function, "input")
    rows, columns = _pair(dim, t.ndim, function)
    if ord == "fro":
        return _vector_norm(t, 2.0, (rows, columns), keepdim, function)
    if ord in (1, -1, INF, -INF):
        inner, outer = (rows, columns) if ord in (1, -1) else (columns, rows)
        sums = _vector_norm(t, 1.0, inner, keepdim, function)
        at = outer - 1 if outer > inner and not keepdim else outer
        return _extreme(sums, at, keepdim, largest=ord > 0)
    if ord == "nuc" or ord in (2, -2):
        return _spectral_norm(t, ord, rows, columns, keepdim)
    raise RuntimeFault(
        f"{function}: no norm of order {ord!r}",
        hint="'fro', 'nuc', 1, -1, 2, -2, float('inf') or -float('inf')",
    )


def _pair(dim: Sequence[Any], ndim: int, function: str) -> tuple[int, int]:
    if len(dim) != 2:
        raise RuntimeFault(f"{function}: 'dim' is a pair of dimensions; it has {len(dim)}")
    rows, columns = (dim_arg(d, ndim, function) for d in dim)
    if rows == columns:
        raise RuntimeFault(f"{function}: the two dimensions must be different; both are {rows}")
    return rows, columns


def _extreme(t: Tensor, dim: int, keepdim: bool, largest: bool) -> Tensor:
    if largest and t.shape[dim] == 0:  # 0, the norm of nothing
        return wrap(settle(np.sum(t.value, axis=dim, keepdims=bool(keepdim))))
    no_empty(t, (dim,), "matrix_norm")
    return (amax_op if largest else amin_op)(t, dim=(dim,), keepdim=bool(keepdim))


def _spectral_norm(t: Tensor, ord: Any, rows: int, columns: int, keepdim: bool) -> Tensor:
    rest = tuple(d for d in range(t.ndim) if d not in (rows, columns))
    s = svdvals(as_view(permute, t, {"dims": (*rest, rows, columns)}))
    y = sum_(s, -1, keepdim) if ord == "nuc" else _extreme(s, s.ndim - 1, keepdim, largest=ord > 0)
    if not keepdim:
        return y
    order = (*rest, rows, columns)
    y = unsqueeze(y, -1)
    return as_view(permute, y, {"dims": tuple(order.index(d) for d in range(t.ndim))})


# --- norm ---------------------------------------------------------------------------------------------------


@public("norm", places=("linalg",), ops=(norm_along,))
def linalg_norm(input: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """A vector norm or a matrix norm, as `ord`, `dim` and the rank of the tensor say.

    Raises:
        RuntimeFault: an order that the tensor has no norm of.
    """
    t = tensor_arg(input, "norm")
    if dim is not None:
        dim = (dim,) if not isinstance(dim, (list, tuple)) else tuple(dim)
        if len(dim) not in (1, 2):
            raise RuntimeFault(f"norm: 'dim' is one dimension or a pair; it has {len(dim)}")
    if ord is None:
        return _vector_norm(_converted(t, dtype, "norm"), 2.0, dim, keepdim, "norm")
    if dim is None:
        if t.ndim not in (1, 2):
            raise RuntimeFault(
                f"norm: with 'ord' and without 'dim' the tensor must have 1 or 2 dimensions, not {t.ndim}",
                hint="torch.linalg.vector_norm takes all entries of a tensor of any rank",
            )
        dim = tuple(range(t.ndim))
    if len(dim) == 2 or isinstance(ord, str):
        return matrix_norm(t, ord, dim, keepdim, dtype=dtype)
    return vector_norm(t, ord, dim, keepdim, dtype=dtype)


@public("norm", ops=(norm_along,))
def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The p-norm of all entries or along `dim`; for p="nuc" the nuclear norm of a matrix.

    Raises:
        RuntimeFault: not floating; an order that does not exist.
    """
    t = tensor_arg(input, "norm")
    count = len(dim) if isinstance(dim, (list, tuple)) else 1
    if p is None or (p == "fro" and (dim is None or count <= 2)):
        return vector_norm(t, 2, dim, keepdim, dtype=dtype)
    if not isinstance(p, str):
        return vector_norm(t, p, dim, keepdim, dtype=dtype)
    if dim is None:
        dim = tuple(range(t.ndim))
    elif not isinstance(dim, (list, tuple)):
        dim = (dim,)
    return matrix_norm(t, p, dim, keepdim, dtype=dtype)
