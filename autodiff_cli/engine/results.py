"""What operations return besides a tensor: shapes, named results, and the limits of dtypes.

* `Size`: a tensor's shape. A tuple that prints as PyTorch's and stays a `Size` when it is sliced or joined.
* `named(...)`: the class of a result with several parts (`torch.return_types.max(values=..., indices=...)`):
  a tuple whose entries have names.
* `FInfo`, `IInfo`: `torch.finfo` and `torch.iinfo`.

Invariant: everything here is a tuple or immutable, and nothing here imports numpy.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, SupportsIndex

from autodiff_cli.engine.dtypes import DType
from autodiff_cli.errors import AttributeFault, TypeFault


class Size(tuple[int, ...]):
    """A shape, dimensionless whole numbers: `torch.Size([2, 3])`.

    Raises:
        TypeFault: an entry is no whole number.
    """

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = ()) -> Size:
        if type(sizes) is not tuple and not isinstance(sizes, Size):
            try:
                entries = tuple(sizes)
            except TypeError:
                raise TypeFault(
                    f"torch.Size takes a list of ints, not {type(sizes).__name__}",
                    hint="write torch.Size([2, 3])",
                ) from None
            sizes = tuple(_whole(n) for n in entries)
        return tuple.__new__(cls, sizes)

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        total = 1
        for n in self:
            total *= n
        return total

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        found: Any = tuple.__getitem__(self, key)
        return tuple.__new__(Size, found) if type(key) is slice else found

    def __add__(self, other: Any) -> Any:
        return tuple.__new__(Size, tuple.__add__(self, other)) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return tuple.__new__(Size, tuple.__add__(other, self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: SupportsIndex) -> Size:
        return tuple.__new__(Size, tuple.__mul__(self, times))

    __rmul__ = __mul__


def _whole(n: Any) -> int:
    if type(n) is int:
        return n
    if hasattr(n, "__index__"):
        return int(n.__index__())
    raise TypeFault(f"an entry of a shape is an int, not {type(n).__name__}")


class Named(tuple[Any, ...]):
    """A tuple whose entries have names; classes are made by `named`."""

    __slots__ = ()
    _name = ""
    _fields: tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"torch.return_types.{self._name}(\n{parts})"

    def __getattr__(self, name: str) -> Any:
        raise AttributeFault(
            f"a result of {self._name} has no part '{name}'", hint=f"its parts are {', '.join(self._fields)}"
        )


def named(name: str, *fields: str) -> type[Named]:
    """The class of PyTorch's `torch.return_types.<name>` with these parts; call it with one tuple of the
    parts.
    """
    parts: dict[str, Any] = {field: property(itemgetter(i)) for i, field in enumerate(fields)}
    return type(name, (Named,), {"__slots__": (), "_name": name, "_fields": fields, **parts})


Max = named("max", "values", "indices")
Min = named("min", "values", "indices")
Median = named("median", "values", "indices")
NanMedian = named("nanmedian", "values", "indices")
Mode = named("mode", "values", "indices")
Sort = named("sort", "values", "indices")
TopK = named("topk", "values", "indices")
KthValue = named("kthvalue", "values", "indices")
CumMax = named("cummax", "values", "indices")
CumMin = named("cummin", "values", "indices")
AMinMax = named("aminmax", "min", "max")


# --- limits of dtypes ---------------------------------------------------------------------------------------

# dtype -> eps, largest, smallest normal, decimal resolution (IEEE 754 binary64 and binary32), dimensionless
_FLOATING = {
    "float64": (2.0**-52, (2.0 - 2.0**-52) * 2.0**1023, 2.0**-1022, 1e-15),
    "float32": (2.0**-23, (2.0 - 2.0**-23) * 2.0**127, 2.0**-126, 1e-6),
}


class FInfo:
    """`torch.finfo(dtype)`: the limits of a floating dtype.

    Raises:
        TypeFault: the dtype is not floating.
    """

    __slots__ = ("_dtype", "bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, type: DType) -> None:
        _check_dtype(type, "finfo")
        if type.category != 2:
            raise TypeFault(f"torch.finfo is for floating dtypes, and this is {type}", hint="write torch.iinfo")
        self._dtype = type
        self.dtype = type.name
        self.bits = 8 * type.itemsize
        self.eps, self.max, self.tiny, self.resolution = _FLOATING[type.name]
        self.min = -self.max
        self.smallest_normal = self.tiny

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FInfo) and other._dtype is self._dtype

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.tiny:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class IInfo:
    """`torch.iinfo(dtype)`: the limits of an integer dtype.

    Raises:
        TypeFault: the dtype is no integer one.
    """

    __slots__ = ("_dtype", "bits", "dtype", "max", "min")

    def __init__(self, type: DType) -> None:
        _check_dtype(type, "iinfo")
        if type.category != 1:
            hint = "write torch.finfo" if type.category == 2 else None
            raise TypeFault(f"torch.iinfo is for integer dtypes, and this is {type}", hint=hint)
        self._dtype = type
        self.dtype = type.name
        self.bits = 8 * type.itemsize
        unsigned = type.name.startswith("u")
        self.min = 0 if unsigned else -(2 ** (self.bits - 1))
        self.max = 2**self.bits - 1 if unsigned else 2 ** (self.bits - 1) - 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IInfo) and other._dtype is self._dtype

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def _check_dtype(x: Any, function: str) -> None:
    if not isinstance(x, DType):
        raise TypeFault(f"{function}: the argument is a dtype, not {type(x).__name__}", hint="as in torch.float64")
