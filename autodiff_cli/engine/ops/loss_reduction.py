"""What all losses share: the reduction of their entries, and how its derivative spreads back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.declare import takes
from autodiff_cli.engine.ops.expanding import broadcast_tensors
from autodiff_cli.engine.ops.reductions import mean, sum_
from autodiff_cli.engine.ops.summing import total
from autodiff_cli.engine.registry import Op, pointwise, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, ValueFault

REDUCTIONS = ("none", "mean", "sum")


def reduction_arg(reduction: Any, size_average: Any = None, reduce: Any = None) -> str:
    """The reduction's name; `size_average` and `reduce` are how old programs say it.

    Raises:
        ValueFault: there is no such reduction.
    """
    if size_average is not None or reduce is not None:
        if tape.warn is not None:
            tape.warn("size_average and reduce are the old way to write reduction='mean', 'sum' or 'none'")
        if reduce is False:
            return "none"
        return "sum" if size_average is False else "mean"
    if reduction not in REDUCTIONS:
        raise ValueFault(f"there is no reduction {reduction!r}", hint="it is 'mean', 'sum' or 'none'")
    return str(reduction)


def reduced_tensor(entries: Tensor, reduction: str) -> Tensor:
    """The entries, their sum or their mean, by an operation of its own."""
    if reduction == "none":
        return entries
    reduced: Tensor = mean(entries) if reduction == "mean" else sum_(entries)
    return reduced


def reduced_array(entries: Any, reduction: str) -> Any:
    """The raw entries, their sum or their mean (nan of none at all)."""
    if reduction == "none":
        return entries
    entries = np.asarray(entries)
    whole = total(entries)
    return whole if reduction == "sum" else np.true_divide(whole, entries.size).astype(entries.dtype)


def share(g: Any, x: Any, reduction: str) -> Any:
    """The cotangent of each entry, from that of the reduced loss of `x`'s entries."""
    return g / max(prod(shape_of(x)), 1) if reduction == "mean" else g


def loss_op(
    name: str,
    scalar: Callable[..., float],
    entries: Callable[..., Any],
    rules: Sequence[Any],
    **record: Any,
) -> Op:
    """A loss with its reduction as one op, as PyTorch's are.

    `entries(*operands, **params)` are the raw losses; the operands have one shape. A rule gets the
    cotangent of each entry (see `share`).
    """

    def array(*xs: Any, reduction: str, **params: Any) -> Any:
        return reduced_array(entries(*xs, **params), reduction)

    return pointwise(
        name,
        lambda *xs, reduction, **params: scalar(*xs, **params),
        takes("f", name, array),
        rules,
        **record,
    )


def refuse_gradient(function: str, t: Tensor, name: str) -> None:
    """Raises RuntimeFault when an operand that has no derivative requires one."""
    if t.requires_grad and tape.grad_enabled:
        raise RuntimeFault(
            f"{function} can't be differentiated with respect to its {name}", hint=f"write {name}.detach()"
        )


def same_shapes(function: str, *tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors, broadcast to one shape with a warning where they differ.

    Raises:
        RuntimeFault: the shapes do not go together.
    """
    if all(t.shape == tensors[0].shape for t in tensors):
        return tensors
    if tape.warn is not None:
        shapes = " and ".join(str(tuple(t.shape)) for t in tensors)
        tape.warn(f"{function}: the shapes {shapes} differ; broadcasting them is seldom what a loss means")
    spread: tuple[Tensor, ...] = broadcast_tensors(*tensors)
    return spread
