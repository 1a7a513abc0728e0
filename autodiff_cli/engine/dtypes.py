"""Element types, and PyTorch's rules of promotion between them.

A raw value's type tells its dtype: a Python float is a 0-d float64, an int a 0-d int64, a bool a 0-d bool; an
ndarray says its own. Promotion follows c10's `result_type`: tensors with dimensions count most, 0-d tensors less,
plain numbers least; a lesser operand decides only when its category (bool < int < float) is higher.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np


class DType:
    """An element type; `str(dtype)` is PyTorch's `torch.float64`."""

    __slots__ = ("category", "itemsize", "limits", "name")

    def __init__(self, name: str, category: int, itemsize: int) -> None:
        self.name = name
        self.category = category  # 0 bool, 1 integer, 2 floating
        self.itemsize = itemsize

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    @property
    def is_floating_point(self) -> bool:
        return self.category == 2

    @property
    def is_complex(self) -> bool:
        return False

    @property
    def numpy(self) -> Any:
        """The numpy dtype."""
        return np.dtype(self.name)


bool_ = DType("bool", 0, 1)
uint8 = DType("uint8", 1, 1)
int8 = DType("int8", 1, 1)
int16 = DType("int16", 1, 2)
int32 = DType("int32", 1, 4)
int64 = DType("int64", 1, 8)
float32 = DType("float32", 2, 4)
float64 = DType("float64", 2, 8)

ALL = (bool_, uint8, int8, int16, int32, int64, float32, float64)
BY_NAME = {d.name: d for d in ALL}
_OF_NUMPY: dict[Any, DType] = {}
_OF_PYTHON = {float: float64, int: int64, bool: bool_}


def dtype_of(value: Any) -> DType:
    """The dtype of a raw value (float, int, bool or ndarray)."""
    found = _OF_PYTHON.get(type(value))
    if found is not None:
        return found
    dtype = value.dtype
    found = _OF_NUMPY.get(dtype)
    if found is None:  # a dtype's name takes microseconds to make
        found = _OF_NUMPY[dtype] = BY_NAME[dtype.name]
    return found


def promote(a: DType | None, b: DType | None) -> DType | None:
    """The smallest dtype that holds both, in PyTorch's lattice; None is the identity."""
    if a is None or a is b:
        return b
    if b is None:
        return a
    if a.category != b.category:
        return a if a.category > b.category else b
    if a.category == 1 and (a is uint8) != (b is uint8):  # unsigned with signed: the next wider signed
        signed = b if a is uint8 else a
        return int16 if signed is int8 else signed
    return a if a.itemsize >= b.itemsize else b


def combine(higher: DType | None, lower: DType | None) -> DType | None:
    """c10's combine_categories: `lower` decides only by a higher category."""
    if higher is None or lower is None:
        return higher or lower
    if higher.category == 2:
        return higher
    if higher is bool_ or lower.category == 2:
        return promote(higher, lower)
    return higher
