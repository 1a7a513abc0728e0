"""`beta * input + alpha * product` as one operation: addmm, addmv, addr, addbmm, baddbmm."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import tensor_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.matrices import column, mm, mT, no_bool, same_dtype, times, uncolumn
from autodiff_cli.engine.ops.structure import expand_to
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault

Shape = tuple[int, ...]


def _scaled(x: Any, factor: float) -> Any:
    return x if factor == 1 else x * factor


def _adder(
    name: str,
    product: Callable[[Any, Any], Any],
    left: Any,
    right: Any,
    about: str,
    formulas: tuple[str, str],
    policy: str | None = None,
) -> Op:
    """The op `beta * input + alpha * product(a, b)`; `left` and `right` are the product's rules, and their texts."""

    def array(x: Any, a: Any, b: Any, *, beta: float, alpha: float) -> Any:
        y = _scaled(product(a, b), alpha)
        # beta = 0 ignores the input altogether: its nan and inf do not spread
        return y + _scaled(x, beta) if beta != 0 else y

    return primitive(
        name,
        array,
        [
            lambda g, _y, _x, _a, _b, *, beta, alpha: _scaled(g, beta),
            lambda g, _y, _x, _a, b, *, beta, alpha: _scaled(left(g, b), alpha),
            lambda g, _y, _x, a, _b, *, beta, alpha: _scaled(right(g, a), alpha),
        ],
        policy=policy,
        formulas=("beta * g", f"alpha * {formulas[0]}", f"alpha * {formulas[1]}"),
        about=about,
    )


def _repeated(g: Any, like: Any) -> Any:
    """A matrix, the same for each of the batch `like`."""
    return expand_to(g, shape=(shape_of(like)[0], *shape_of(g)))


add_mm = _adder(
    "addmm",
    lambda a, b: np.matmul(a, b),
    lambda g, b: mm(g, mT(b)),
    lambda g, a: mm(mT(a), g),
    "a matrix plus a product of matrices",
    ("g @ b.mT", "a.mT @ g"),
)
add_mv = _adder(
    "addmv",
    lambda a, v: np.matmul(a, v),
    lambda g, v: column(g) * v,
    lambda g, a: uncolumn(mm(mT(a), column(g))),
    "a vector plus the product of a matrix and a vector",
    ("outer(g, b)", "a.mT @ g"),
)
add_r = _adder(
    "addr",
    lambda u, v: np.multiply.outer(u, v),
    lambda g, v: uncolumn(mm(g, column(v))),
    lambda g, u: uncolumn(mm(mT(g), column(u))),
    "a matrix plus an outer product",
    ("g @ b", "g.mT @ a"),
    policy="promote",
)
add_bmm = _adder(
    "addbmm",
    lambda a, b: np.matmul(a, b).sum(axis=0),
    lambda g, b: times(_repeated(g, b), mT(b)),
    lambda g, a: times(mT(a), _repeated(g, a)),
    "a matrix plus the sum of products of matrices",
    ("g @ b.mT", "a.mT @ g"),
)
batch_add_bmm = _adder(
    "baddbmm",
    lambda a, b: np.matmul(a, b),
    lambda g, b: times(g, mT(b)),
    lambda g, a: times(mT(a), g),
    "matrices plus products of matrices, in a batch",
    ("g @ b.mT", "a.mT @ g"),
)


@public("addmm", ops=(add_mm,), in_place=True)
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2).

    Raises:
        RuntimeFault: ranks or shapes that do not go together, different dtypes.
    """
    a, b = _factors("addmm", ("mat1", "mat2"), mat1, mat2, (2, 2))
    return _add(add_mm, input, a, b, (a.shape[0], b.shape[1]), beta, alpha)


@public("addmv", ops=(add_mv,), in_place=True)
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """beta * input + alpha * (mat @ vec)."""
    a, b = _factors("addmv", ("mat", "vec"), mat, vec, (2, 1))
    return _add(add_mv, input, a, b, (a.shape[0],), beta, alpha)


@public("addr", ops=(add_r,), in_place=True)
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """beta * input + alpha * outer(vec1, vec2)."""
    a, b = _factors("addr", ("vec1", "vec2"), vec1, vec2, (1, 1))
    return _add(add_r, input, a, b, (a.shape[0], b.shape[0]), beta, alpha)


@public("addbmm", ops=(add_bmm,), in_place=True)
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """beta * input + alpha * (the sum of batch1[i] @ batch2[i])."""
    a, b = _factors("addbmm", ("batch1", "batch2"), batch1, batch2, (3, 3))
    return _add(add_bmm, input, a, b, (a.shape[1], b.shape[2]), beta, alpha)


@public("baddbmm", ops=(batch_add_bmm,), in_place=True)
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """beta * input + alpha * bmm(batch1, batch2)."""
    a, b = _factors("baddbmm", ("batch1", "batch2"), batch1, batch2, (3, 3))
    return _add(batch_add_bmm, input, a, b, (a.shape[0], a.shape[1], b.shape[2]), beta, alpha)


def _factors(function: str, names: tuple[str, str], a: Any, b: Any, ranks: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """The two factors, once their ranks and shapes go together."""
    a, b = tensor_arg(a, function, names[0]), tensor_arg(b, function, names[1])
    if (a.ndim, b.ndim) != ranks:
        # PyTorch reads the sizes of batches before it counts the dimensions
        raise (IndexFault if ranks == (3, 3) and min(a.ndim + 1, b.ndim) < 3 else RuntimeFault)(
            f"{function}: '{names[0]}' and '{names[1]}' must have {ranks[0]} and {ranks[1]} dimensions; "
            f"their shapes are {a.shape} and {b.shape}"
        )
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if ranks != (1, 1) and (a.shape[-1] != inner or (ranks == (3, 3) and a.shape[0] != b.shape[0])):
        raise RuntimeFault(f"{function}: the shapes {a.shape} and {b.shape} do not go together")
    return a, b


def _add(op: Op, x: Any, a: Tensor, b: Tensor, shape: Shape, beta: Any, alpha: Any) -> Tensor:
    """The op on checked factors whose product has `shape`, to which the input broadcasts."""
    x = tensor_arg(x, op.name)
    if op.policy is None:
        same_dtype(op.name, x, a, b)
    no_bool(op.name, a)
    if x.ndim > len(shape) or any(n not in (1, m) for n, m in zip(x.shape[::-1], shape[::-1], strict=False)):
        raise RuntimeFault(f"{op.name}: the input's shape {x.shape} does not broadcast to the product's, {shape}")
    check_size(prod(shape), op.name)
    return op(x, a, b, beta=_factor(beta, op.name, "beta"), alpha=_factor(alpha, op.name, "alpha"))


def _factor(x: Any, function: str, name: str) -> float | int:
    if isinstance(x, Tensor):
        x = x.item()
    if isinstance(x, (int, float)):
        return x
    raise TypeFault(f"{function}: '{name}' must be a number, not {type_name(x)}")
