"""Arguments of public functions: what may stand where a tensor, a dimension or a shape is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault


def tensor_arg(x: Any, function: str, name: str = "input") -> Tensor:
    """The argument, which must be a tensor.

    Raises:
        TypeFault: it is something else.
    """
    if type(x) is Tensor:
        return x
    raise TypeFault(
        f"{function}: the argument '{name}' must be a tensor, not {type_name(x)}",
        hint="make one with torch.tensor(...)",
    )


def type_name(x: Any) -> str:
    """What a person calls the type of a value."""
    kind = type(x).__name__
    return {"NoneType": "None", "Tensor": "a tensor"}.get(kind, kind)


def int_arg(x: Any, function: str, name: str) -> int:
    """A whole number, given as one or as an integer tensor of one element.

    Raises:
        TypeFault: it is no whole number.
    """
    if type(x) is int:
        return x
    if type(x) is Tensor:
        return int(x.__index__())
    raise TypeFault(f"{function}: the argument '{name}' must be an int, not {type_name(x)}")


def dim_arg(dim: Any, ndim: int, function: str) -> int:
    """A dimension in `0 <= d < ndim`, from one that may count from the end; a 0-d tensor has dimensions 0 and -1.

    Raises:
        IndexFault: there is no such dimension.
    """
    number = int_arg(dim, function, "dim")
    size = max(ndim, 1)
    if not -size <= number < size:
        raise IndexFault(
            f"{function}: there is no dimension {number} in a tensor with {ndim} dimensions",
            hint=f"dimensions go from {-size} to {size - 1}",
        )
    return number % size


def dims_arg(dim: Any, ndim: int, function: str) -> tuple[int, ...]:
    """Dimensions from an int, a list or a tuple; all of them from None or an empty list.

    Raises:
        IndexFault: there is no such dimension.
        RuntimeFault: one is named twice.
    """
    if type(dim) is int:
        return (dim_arg(dim, ndim, function),)
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return tuple(range(ndim))
    if not isinstance(dim, (list, tuple)):
        dim = (dim,)
    dims = tuple(dim_arg(d, ndim, function) for d in dim)
    if len(set(dims)) != len(dims):
        raise RuntimeFault(f"{function}: dimension {next(d for d in dims if dims.count(d) > 1)} is named twice")
    return dims


def shape_arg(sizes: Sequence[Any], function: str) -> tuple[int, ...]:
    """A shape from `f(2, 3)`, `f((2, 3))` or `f([2, 3])`: `sizes` are the positional arguments.

    Raises:
        TypeFault: an entry is no whole number.
    """
    if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)):
        sizes = sizes[0]
    return tuple(int(n) if type(n) is bool and i else int_arg(n, function, "size") for i, n in enumerate(sizes))


def list_arg(sizes: Any, function: str, name: str) -> tuple[int, ...]:
    """Whole numbers, which come in a list or a tuple.

    Raises:
        TypeFault: it is none, or an entry is no whole number.
    """
    if not isinstance(sizes, (list, tuple)):
        raise TypeFault(f"{function}: the argument '{name}' must be a tuple of ints, not {type_name(sizes)}")
    return shape_arg((sizes,), function)
