"""Dimensions of size 1 spread without a copy: expand, broadcast_to, broadcast_tensors, broadcast_shapes."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import shape_arg, tensor_arg
from autodiff_cli.engine.ops.structure import MISSING, Shape, as_view, expand_to, product
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.results import Size
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault


def expanded_shape(shape: Shape, sizes: Shape, function: str) -> Shape:
    """The shape that `sizes`, in which -1 keeps a dimension, asks for.

    Raises:
        RuntimeFault: the tensor of `shape` can't be spread to it.
    """
    lead = len(sizes) - len(shape)
    if lead < 0:
        raise RuntimeFault(f"{function}: {len(sizes)} sizes are given for a tensor with {len(shape)} dimensions")
    wanted = []
    for i, n in enumerate(sizes):
        have = shape[i - lead] if i >= lead else None
        if n == -1 and have is not None:
            n = have
        if n < 0:
            raise RuntimeFault(f"{function}: dimension {i} is new and needs a size, not {n}")
        if have is not None and have != n and have != 1:
            raise RuntimeFault(
                f"{function}: shape {shape} does not spread to {list(sizes)}: size {have} in dimension {i}",
                hint="only dimensions of size 1 can be spread",
            )
        wanted.append(n)
    return tuple(wanted)


@public("expand", places=("Tensor",), ops=(expand_to,), about="dimensions of size 1 spread, nothing copied")
def expand(input: Tensor, *sizes: Any, size: Any = MISSING, implicit: bool = False) -> Tensor:
    shape = expanded_shape(input.shape, shape_arg((size,) if size is not MISSING else sizes, "expand"), "expand")
    check_size(product(shape), "expand")
    return as_view(expand_to, input, {"shape": shape})


@public("expand_as", places=("Tensor",), ops=(expand_to,), about="expand to the shape of another tensor")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    return expand(input, tensor_arg(other, "expand_as", "other").shape)


@public("broadcast_to", ops=(expand_to,), about="spread to a shape")
def broadcast_to(input: Tensor, *sizes: Any, size: Any = MISSING) -> Tensor:
    return expand(tensor_arg(input, "broadcast_to"), *sizes, size=size)


@public("broadcast_shapes", places=("torch",), about="the shape that shapes broadcast to")
def broadcast_shapes(*shapes: Any) -> Shape:
    """A torch.Size; nothing is computed.

    Raises:
        TypeFault, RuntimeFault: an argument is no shape, or they do not go together; ValueFault: a negative size.
    """
    wanted = []
    for s in shapes:
        sizes = s if isinstance(s, (list, tuple)) else () if s is None else (s,)
        if not all(isinstance(n, int) for n in sizes):
            raise (TypeFault if isinstance(s, str) else RuntimeFault)(
                f"broadcast_shapes: a shape is a tuple of ints, not {s!r}"
            )
        if any(n < 0 for n in sizes):
            raise ValueFault(f"broadcast_shapes: a size can't be negative: {s}")
        wanted.append(tuple(map(int, sizes)))
    return Size(common_shape(wanted, "broadcast_shapes"))


def common_shape(shapes: list[Shape], function: str) -> Shape:
    """The shape that all of these broadcast to.

    Raises:
        RuntimeFault: there is none.
    """
    out: list[int] = []
    for shape in shapes:
        out = [1] * (len(shape) - len(out)) + out
        for i, n in enumerate(reversed(shape), 1):
            if n != 1 and out[-i] not in (1, n):
                raise RuntimeFault(f"{function}: the shapes {', '.join(map(str, shapes))} do not go together")
            if n != 1:
                out[-i] = n
    return tuple(out)


@public("broadcast_tensors", places=("torch",), ops=(expand_to,), about="tensors spread to their common shape")
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    many = [tensor_arg(x, "broadcast_tensors", "tensors") for x in tensors]
    shape = common_shape([x.shape for x in many], "broadcast_tensors")
    check_size(product(shape), "broadcast_tensors")
    return tuple(x if x.shape == shape else as_view(expand_to, x, {"shape": shape}) for x in many)
