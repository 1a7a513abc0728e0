"""Conversions (`to`, `double`, `long`, `clone`, `contiguous`) and questions about a tensor (`size`, `stride`,
...).

The language has float64, float32, the integers and bool; half precision and other devices than the CPU are
refused.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.apply import apply, common_dtype
from autodiff_cli.engine.arguments import dim_arg, tensor_arg, type_name
from autodiff_cli.engine.array import Array
from autodiff_cli.engine.dtypes import DType, promote
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.making import TORCH, device_arg
from autodiff_cli.engine.ops.shaping import contiguous_memory
from autodiff_cli.engine.ops.structure import MISSING, PLAIN, cast, clone, dtype_arg, product
from autodiff_cli.engine.registry import public, settle
from autodiff_cli.engine.results import FInfo, IInfo, Size
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.views import alias, materialise
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

METHOD = ("Tensor",)

# PyTorch's old names of dtypes, as type() gives and takes them
_TYPES = {
    "DoubleTensor": dtypes.float64,
    "FloatTensor": dtypes.float32,
    "LongTensor": dtypes.int64,
    "IntTensor": dtypes.int32,
    "ShortTensor": dtypes.int16,
    "CharTensor": dtypes.int8,
    "ByteTensor": dtypes.uint8,
    "BoolTensor": dtypes.bool_,
}
_TYPE_NAMES = {dtype: f"torch.{name}" for name, dtype in _TYPES.items()}


# --- dtypes and devices -------------------------------------------------------------------------------------


def converted(t: Tensor, dtype: DType, copy: bool = False) -> Tensor:
    """The tensor in a dtype: itself where it has it (a clone with `copy`)."""
    if t.dtype is dtype:
        return apply(cast, (t,), {"dtype": dtype, "copy": True}) if copy else t
    return apply(cast, (t,), {"dtype": dtype})


@public("to", places=METHOD, ops=(cast, clone), about="in another dtype; itself where nothing changes")
def to(
    input: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    other: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """`to(dtype)`, `to(device)`, `to(device, dtype)`, `to(other)`, each also with `copy=True`.

    Raises:
        TypeFault: the argument is none of these; RuntimeFault: a device that is not the CPU.
    """
    rest = list(args)
    if rest:
        first = rest.pop(0)
        if isinstance(first, Tensor):
            other = first
        elif isinstance(first, DType):
            dtype = first
        else:
            device = first
            if rest and (isinstance(rest[0], DType) or rest[0] is None):
                dtype = rest.pop(0)
    if not all(isinstance(r, bool) for r in rest):
        raise TypeFault("to: non_blocking and copy are True or False")
    if rest:
        rest.pop(0)  # non_blocking: everything is on the CPU
    if rest:
        copy = rest.pop(0)
    if rest:
        raise TypeFault("to: there are too many arguments", hint="write x.to(torch.float32)")
    device_arg(device, "to")
    if other is not None:
        dtype = tensor_arg(other, "to", "other").dtype
    return converted(input, input.dtype if dtype is None else dtype_arg(dtype, "to"), bool(copy))


def _conversion(name: str, dtype: DType) -> None:
    def call(input: Tensor, *, memory_format: Any = None) -> Tensor:
        return input if input.dtype is dtype else apply(cast, (input,), {"dtype": dtype})

    public(name, places=METHOD, ops=(cast,), about=f"as {dtype}")(call)


for _name, _dtype in (
    ("double", dtypes.float64),
    ("float", dtypes.float32),
    ("long", dtypes.int64),
    ("int", dtypes.int32),
    ("short", dtypes.int16),
    ("char", dtypes.int8),
    ("byte", dtypes.uint8),
    ("bool", dtypes.bool_),
):
    _conversion(_name, _dtype)


def _absent(name: str, what: str) -> None:
    def call(input: Tensor, *_args: Any, **_keywords: Any) -> Tensor:
        raise NotImplementedFault(
            f"{what} is not supported here", hint="the floating dtypes are torch.float64 and torch.float32"
        )

    public(name, places=METHOD, about="refused: there is no such dtype here")(call)


for _name, _what in (("half", "half precision"), ("bfloat16", "bfloat16"), ("cfloat", "a complex dtype")):
    _absent(_name, _what)


@public("cpu", places=METHOD, about="the tensor itself: everything is on the CPU")
def cpu(input: Tensor, *, memory_format: Any = None) -> Tensor:
    return input


@public("cuda", places=METHOD, about="refused: there is no such device here")
def cuda(input: Tensor, device: Any = None, non_blocking: bool = False) -> Tensor:
    """There is none.

    Raises:
        RuntimeFault: always.
    """
    raise RuntimeFault("cuda: there is no GPU here", hint='the only device is "cpu"; leave .cuda() out')


@public("type", places=METHOD, ops=(cast,), about="the name of the dtype, or in another dtype")
def type_of(input: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of its dtype as PyTorch's older programs write it; with `dtype`, the tensor converted.

    Raises:
        ValueFault: there is no type of that name.
    """
    if dtype is None:
        return _TYPE_NAMES[input.dtype]
    if isinstance(dtype, str):
        wanted = _TYPES.get(dtype.removeprefix("torch."))
        if wanted is None:
            raise ValueFault(f"type: there is no tensor type {dtype!r}", hint="as in x.type(torch.float32)")
        return converted(input, wanted)
    return converted(input, dtype_arg(dtype, "type"))


@public("type_as", places=METHOD, ops=(cast,), about="in the dtype of another tensor")
def type_as(input: Tensor, other: Tensor) -> Tensor:
    return converted(input, tensor_arg(other, "type_as", "other").dtype)


@public("numpy", places=METHOD, about="the values as a numpy array that shares the memory")
def numpy(input: Tensor, *, force: bool = False) -> Array:
    """The values as an array, outside of the graph (see array.py).

    Raises:
        RuntimeFault: it requires a gradient, and not `force`.
    """
    if input.requires_grad and not force:
        raise RuntimeFault(
            "numpy() of a tensor that requires a gradient: the array could not carry it",
            hint="write x.detach().numpy()",
        )
    return Array(input.value)


@public("from_numpy", places=("torch",), about="a tensor that shares the memory of a numpy array")
def from_numpy(ndarray: Any) -> Tensor:
    """Raises TypeFault: it is no array."""
    if type(ndarray) is not Array:
        raise TypeFault(
            f"from_numpy() takes what .numpy() gives, not {type_name(ndarray)}",
            hint="write torch.tensor(...) for numbers and lists",
        )
    return wrap(ndarray.value if ndarray.ndim else settle(ndarray.value))


# --- copies -------------------------------------------------------------------------------------------------


@public("clone", ops=(clone,), about="a copy that keeps its place in the graph")
def clone_of(input: Tensor, *, memory_format: Any = None) -> Tensor:
    return apply(clone, (tensor_arg(input, "clone"),), NO_PARAMS)


@public("detach", places=TORCH, about="the same entries outside the graph, sharing memory")
def detach(input: Tensor) -> Tensor:
    return alias(tensor_arg(input, "detach"))


@public(
    "contiguous",
    places=METHOD,
    ops=(clone,),
    about="itself where its memory is in order, else a copy that is",
)
def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    return input if contiguous_memory(input) else apply(clone, (input,), {"contiguous": True})


# --- questions ----------------------------------------------------------------------------------------------


@public("is_contiguous", places=METHOD, about="whether the entries lie in memory in order")
def is_contiguous(input: Tensor, *, memory_format: Any = None) -> bool:
    return contiguous_memory(input)


@public("size", places=METHOD, about="the shape, or the size of one dimension")
def size(input: Tensor, dim: int | None = None) -> Any:
    if dim is None:
        return Size(input.shape)
    return input.shape[_existing_dim(dim, input.ndim, "size")]


def _existing_dim(dim: Any, ndim: int, function: str) -> int:
    if not ndim:
        raise IndexFault(f"{function}: a 0-d tensor has no dimensions")
    return dim_arg(dim, ndim, function)


@public("stride", places=METHOD, about="the steps in memory between neighbours along each dimension, in elements")
def stride(input: Tensor, dim: int | None = None) -> Any:
    value = input.value
    if type(value) in PLAIN:
        steps: tuple[int, ...] = ()
    elif value.size:
        steps = tuple(s // value.itemsize for s in value.strides)
    else:  # an empty dimension counts as one
        steps = tuple(product([max(n, 1) for n in value.shape[i + 1 :]]) for i in range(value.ndim))
    return steps if dim is None else steps[_existing_dim(dim, input.ndim, "stride")]


@public(
    "storage_offset",
    places=METHOD,
    about="where the first element lies in the memory that is shared, in elements",
)
def storage_offset(input: Tensor) -> int:
    base = None if input.aux is None else input.aux.base
    if base is None or type(input.value) in PLAIN:
        return 0
    start = input.value.__array_interface__["data"][0] - base.value.__array_interface__["data"][0]
    return int(start // input.value.itemsize)


@public(
    "data_ptr",
    places=METHOD,
    about="where the first element lies in memory: equal for tensors that share it",
)
def data_ptr(input: Tensor) -> int:
    if type(input.value) in PLAIN:
        materialise(input)
    return int(input.value.__array_interface__["data"][0])


@public("numel", places=TORCH, about="the number of elements")
def numel(input: Tensor) -> int:
    return tensor_arg(input, "numel").numel()


@public("nelement", places=METHOD, about="the number of elements")
def nelement(input: Tensor) -> int:
    return input.numel()


@public("element_size", places=METHOD, about="the bytes of one element")
def element_size(input: Tensor) -> int:
    return input.dtype.itemsize


@public("ndimension", places=METHOD, about="the number of dimensions")
def ndimension(input: Tensor) -> int:
    return input.ndim


@public("is_floating_point", about="whether the dtype is floating")
def is_floating_point(input: Tensor) -> bool:
    return tensor_arg(input, "is_floating_point").dtype.category == 2


@public("is_complex", about="whether the dtype is complex: never")
def is_complex(input: Tensor) -> bool:
    tensor_arg(input, "is_complex")
    return False


@public("is_signed", places=METHOD, about="whether the dtype has negative numbers")
def is_signed(input: Tensor) -> bool:
    return input.dtype.name not in ("uint8", "bool")


@public("is_nonzero", about="whether the one element is not 0")
def is_nonzero(input: Tensor) -> bool:
    return bool(tensor_arg(input, "is_nonzero"))


@public("result_type", places=TORCH, about="the dtype in which two operands meet")
def result_type(tensor1: Any, tensor2: Any) -> DType:
    """The dtype that two operands promote to; a number counts by its category alone.

    Raises:
        TypeFault: an operand is neither a tensor nor a number.
    """
    for x in (tensor1, tensor2):
        if not isinstance(x, Tensor) and type(x) not in PLAIN:
            raise TypeFault(f"result_type: a tensor or a number is expected, not {type_name(x)}")
    return common_dtype((tensor1, tensor2))


@public("promote_types", places=TORCH, about="the smallest dtype that holds both")
def promote_types(type1: DType, type2: DType) -> DType:
    found = promote(dtype_arg(type1, "promote_types"), dtype_arg(type2, "promote_types"))
    assert found is not None
    return found


@public("can_cast", places=TORCH, about="whether a conversion keeps the category (bool < integer < floating)")
def can_cast(from_: DType, to: DType) -> bool:
    start, end = dtype_arg(from_, "can_cast"), dtype_arg(to, "can_cast")
    return start.category <= end.category


@public("finfo", places=TORCH, about="the limits of a floating dtype")
def finfo(type: Any = MISSING) -> FInfo:
    return FInfo(tape.default_dtype if type is MISSING else type)


@public("iinfo", places=TORCH, about="the limits of an integer dtype")
def iinfo(type: DType) -> IInfo:
    return IInfo(type)


@public("Size", places=TORCH, about="a shape")
def make_size(sizes: Any = ()) -> Size:
    return Size(sizes)


PROPERTIES = {
    "itemsize": element_size,
    "nbytes": lambda t: t.numel() * t.dtype.itemsize,
    "is_cuda": lambda t: False,
    "is_sparse": lambda t: False,
}
