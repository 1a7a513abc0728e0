"""Tensors from nothing: from numbers and nested lists, constants, ranges.

All of these are new leaves, outside the graph unless `requires_grad=True`. Random ones are in sampling.py.

Invariant: no tensor made here has more elements than `tape.max_elements`; what would is refused before memory
is asked for.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.apply import cast_raw, check_size
from autodiff_cli.engine.arguments import int_arg, list_arg, shape_arg, tensor_arg, type_name
from autodiff_cli.engine.array import Array
from autodiff_cli.engine.dtypes import DType, dtype_of, promote
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.structure import MISSING, PLAIN, Shape, clone, dtype_arg, duplicate, product
from autodiff_cli.engine.registry import public, settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault, ValueFault

TORCH = ("torch",)
METHOD = ("Tensor",)


def device_arg(device: Any, function: str) -> None:
    """The argument `device`: None or the CPU.

    Raises:
        RuntimeFault: another device; TypeFault: no device.
    """
    if device is None:
        return
    kind = device if type(device) is str else getattr(device, "type", None)
    if type(kind) is not str:
        raise TypeFault(f"{function}: the argument 'device' must be a device, not {type_name(device)}")
    if kind.split(":")[0] != "cpu":
        raise RuntimeFault(f"{function}: there is no device '{kind}' here", hint='the only device is "cpu"')


def made(value: Any, device: Any, requires_grad: bool, function: str) -> Tensor:
    """A new leaf over a raw value.

    Raises:
        RuntimeFault: another device than the CPU, or `requires_grad` for a dtype that isn't floating.
    """
    if device is not None:
        device_arg(device, function)
    return new_leaf(value) if requires_grad else wrap(value)


def chosen(dtype: Any, default: DType, function: str) -> DType:
    """The dtype given, or the default where it is None."""
    return default if dtype is None else dtype_arg(dtype, function)


def sizes_arg(sizes: tuple[Any, ...], size: Any, function: str) -> Shape:
    """A shape from `f(2, 3)`, `f((2, 3))` or `f(size=(2, 3))`, with the size limit checked.

    Raises:
        TypeFault: it is missing or no shape; RuntimeFault: a negative entry; LimitFault: too many elements.
    """
    if size is not MISSING:
        sizes = (size,)
    elif not sizes:
        raise TypeFault(f"{function}: the size is missing", hint=f"write torch.{function}(2, 3)")
    return checked_shape(shape_arg(sizes, function), function)


def checked_shape(shape: Shape, function: str) -> Shape:
    """The shape, once a tensor may have it.

    Raises:
        RuntimeFault: a negative entry; LimitFault: more elements than `tape.max_elements`.
    """
    for n in shape:
        if n < 0:
            raise RuntimeFault(f"{function}: a dimension can't have the size {n}")
    check_size(product(shape), function)
    return shape


def filled(shape: Shape, value: Any, dtype: DType) -> Any:
    """A raw value of a shape whose entries are all `value`."""
    if not shape:
        return cast_raw(value, dtype)
    if not value:
        return np.zeros(shape, dtype.name)
    return np.full(shape, value, dtype.name)


# --- from data ----------------------------------------------------------------------------------------------


MAX_DIMENSIONS = 64  # of an array of numpy's


def _flattened(data: Any) -> tuple[list[Any], Shape]:
    """The numbers of nested lists in order, and the shape.

    Raises:
        ValueFault: the lists of one level differ in length; TypeFault: numbers and lists side by side.
    """
    flat: Any = data
    shape = [len(data)]
    while flat:
        kinds = set(map(type, flat))
        lists = {k for k in kinds if issubclass(k, (list, tuple, range))}
        if not lists:
            break
        if len(lists) != len(kinds):
            raise TypeFault(
                f"a list for a tensor has numbers and lists side by side at depth {len(shape)}",
                hint="all entries of a list must be lists of one length, or all numbers",
            )
        lengths = list(map(len, flat))
        if min(lengths) != max(lengths):
            at = next(i for i, n in enumerate(lengths) if n != lengths[0])
            raise ValueFault(
                f"lists for a tensor differ in length at depth {len(shape)}: {lengths[0]} and {lengths[at]}",
                hint="all rows must have the same length",
            )
        shape.append(lengths[0])
        if len(shape) > MAX_DIMENSIONS:  # a list that has itself as an entry is endless
            raise ValueFault(f"lists for a tensor are nested more than {MAX_DIMENSIONS} deep")
        check_size(len(flat) * lengths[0], "tensor")
        flat = list(chain.from_iterable(flat))
        check_size(len(flat), "tensor")
    return list(flat), tuple(shape)


def _element(x: Any) -> tuple[Any, DType]:
    """An entry of a list as a plain number, with its dtype."""
    kind = type(x)
    if kind is float:
        return x, tape.default_dtype
    if kind is bool:
        return x, dtypes.bool_
    if kind is int:
        if not -(2**63) <= x < 2**63:
            raise ValueFault(f"the whole number {x} does not fit in 64 bits", hint=f"write {x}.0 for a float")
        return x, dtypes.int64
    if kind is Tensor:
        if x.numel() != 1:
            raise ValueFault(
                f"a tensor of shape {x.shape} stands in a list for a new tensor; only single numbers can",
                hint="torch.stack([...]) puts tensors together, and keeps their gradients",
            )
        return x.item(), x.dtype
    if kind is complex:
        raise NotImplementedFault("complex numbers are not supported", hint="keep real and imaginary parts apart")
    if kind is str:
        raise TypeFault("a tensor can't be made of text", hint="float(...) turns text into a number")
    raise RuntimeFault(f"a tensor can't be made of {type_name(x)}", hint="its entries are numbers and bools")


def _common(flat: list[Any]) -> tuple[list[Any], DType]:
    """Plain numbers from the entries, and the dtype that holds them all."""
    kinds = set(map(type, flat))
    if kinds == {float}:
        return flat, tape.default_dtype
    if kinds == {int}:
        _element(max(flat)), _element(min(flat))
        return flat, dtypes.int64
    found: DType | None = None
    numbers = []
    for x in flat:
        number, dtype = _element(x)
        numbers.append(number)
        found = promote(found, dtype)
    return numbers, found or tape.default_dtype


def from_data(data: Any, dtype: DType | None) -> Any:
    """A raw value from a number, nested lists of numbers, or a tensor (copied)."""
    kind = type(data)
    if kind is Tensor or kind is Array:
        copied = duplicate(settle(data.value) if kind is Array else data.value)
        return copied if dtype is None else cast_raw(copied, dtype)
    if kind not in (list, tuple, range) and not isinstance(data, (list, tuple)):
        number, own = _element(data)
        return _converted(number, dtype or own)
    flat, shape = _flattened(data)
    check_size(len(flat), "tensor")
    numbers, own = _common(flat)
    try:
        array = np.array(numbers, (dtype or own).name)
    except (ValueError, OverflowError):
        raise RuntimeFault(f"a number in the list can't become {dtype or own}") from None
    return array.reshape(shape)


def _converted(number: Any, dtype: DType) -> Any:
    if dtype.category == 1 and type(number) is float and not math.isfinite(number):
        raise RuntimeFault(f"{number} can't become {dtype}")
    return cast_raw(number, dtype)


@public("tensor", places=TORCH, about="a new tensor from a number or from nested lists of numbers")
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """`torch.tensor`, a copy: the default dtype from floats, int64 from ints, bool from bools.

    Raises:
        ValueFault: lists of different lengths; TypeFault, RuntimeFault: entries that are no numbers.
    """
    if dtype is not None:
        dtype_arg(dtype, "tensor")
    return made(from_data(data, dtype), device, requires_grad, "tensor")


@public("as_tensor", places=TORCH, about="the tensor itself, or a new one from numbers")
def as_tensor(data: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    if type(data) is Tensor:
        from autodiff_cli.engine.ops.conversion import converted

        device_arg(device, "as_tensor")
        return data if dtype is None else converted(data, dtype_arg(dtype, "as_tensor"))
    return tensor(data, dtype=dtype, device=device)


@public("asarray", places=TORCH, about="the tensor itself, or a new one from numbers")
def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    if type(obj) is Tensor and copy:
        obj = clone(obj)
    made_now = as_tensor(obj, dtype=dtype, device=device)
    if type(obj) is not Tensor and requires_grad:
        made_now.requires_grad_()
    return made_now


@public("scalar_tensor", places=TORCH, about="a 0-d tensor")
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    if s is None or isinstance(s, (list, tuple)):
        raise TypeFault(f"scalar_tensor: the argument 's' must be a number, not {type_name(s)}")
    number, _own = _element(s)
    kind = chosen(dtype, tape.default_dtype, "scalar_tensor")
    return made(_converted(number, kind), device, requires_grad, "scalar_tensor")


# --- constants ----------------------------------------------------------------------------------------------


def _constant(name: str, value: float, about: str) -> None:
    """`zeros`, `ones` and `empty`, with their `_like` and `new_` forms."""

    def call(
        *sizes: Any,
        size: Any = MISSING,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        kind = chosen(dtype, tape.default_dtype, name)
        return made(filled(sizes_arg(sizes, size, name), value, kind), device, requires_grad, name)

    def like(
        input: Tensor,
        *,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        memory_format: Any = None,
    ) -> Tensor:
        return made(_like(input, value, dtype, f"{name}_like"), device, requires_grad, f"{name}_like")

    def new(
        input: Tensor,
        *sizes: Any,
        size: Any = MISSING,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:
        kind = chosen(dtype, input.dtype, f"new_{name}")
        return made(filled(sizes_arg(sizes, size, f"new_{name}"), value, kind), device, requires_grad, name)

    public(name, places=TORCH, about=f"a tensor {about}")(call)
    public(f"{name}_like", places=TORCH, about=f"a tensor {about}, of another's shape and dtype")(like)
    public(f"new_{name}", places=METHOD, about=f"a tensor {about}, of this one's dtype")(new)


def _like(t: Any, value: Any, dtype: Any, function: str) -> Any:
    """A raw value like a tensor's (shape, dtype, memory order), filled."""
    x = tensor_arg(t, function).value
    kind = dtype_of(x) if dtype is None else dtype_arg(dtype, function)
    if type(x) in PLAIN or not x.ndim:
        return cast_raw(value, kind)
    order = "C" if 0 in x.strides else "K"
    return np.zeros_like(x, kind.name, order) if not value else np.full_like(x, value, kind.name, order)


_constant("zeros", 0, "of zeros")
_constant("ones", 1, "of ones")
_constant("empty", 0, "whose entries are to be written (here zeros)")


def _fill_value(x: Any, function: str) -> tuple[Any, DType]:
    if type(x) is Tensor and (x.ndim or x.requires_grad):
        raise TypeFault(
            f"{function}: the fill value is a number, not a tensor of shape {x.shape}"
            + (" that requires a gradient" if x.requires_grad else ""),
            hint="multiply by ones to fill with a tensor that keeps its gradient: x * torch.ones(3)",
        )
    if type(x) is not Tensor and type(x) not in PLAIN:
        raise TypeFault(f"{function}: the fill value is a number, not {type_name(x)}")
    return _element(x)


@public("full", places=TORCH, about="a tensor of one number")
def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
) -> Tensor:
    if not isinstance(size, (list, tuple)):
        raise TypeFault(f"full: the size is a tuple, not {type_name(size)}", hint="write torch.full((3,), 1.0)")
    number, own = _fill_value(fill_value, "full")
    kind = chosen(dtype, own, "full")
    return made(filled(sizes_arg((size,), MISSING, "full"), number, kind), device, requires_grad, "full")


@public("full_like", places=TORCH, about="a tensor of one number, of another's shape and dtype")
def full_like(
    input: Tensor,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    memory_format: Any = None,
) -> Tensor:
    number, _own = _fill_value(fill_value, "full_like")
    return made(_like(input, number, dtype, "full_like"), device, requires_grad, "full_like")


@public("new_full", places=METHOD, about="a tensor of one number, of this one's dtype")
def new_full(
    input: Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    size = list_arg(size, "new_full", "size")
    number, _own = _fill_value(fill_value, "new_full")
    kind = chosen(dtype, input.dtype, "new_full")
    return made(filled(sizes_arg((size,), MISSING, "new_full"), number, kind), device, requires_grad, "new_full")


@public("new_tensor", places=METHOD, about="a new tensor from data, of this one's dtype")
def new_tensor(
    input: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    if data is None:
        raise TypeFault("new_tensor: None is no number")
    kind = chosen(dtype, input.dtype, "new_tensor")
    return made(from_data(data, kind), device, requires_grad, "new_tensor")


@public("eye", places=TORCH, about="the identity matrix")
def eye(
    n: int,
    m: Any = MISSING,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
) -> Tensor:
    rows = int_arg(n, "eye", "n")
    columns = rows if m is MISSING else int_arg(m, "eye", "m")
    checked_shape((rows, columns), "eye")
    kind = chosen(dtype, tape.default_dtype, "eye")
    return made(np.eye(rows, columns, dtype=kind.name), device, requires_grad, "eye")
