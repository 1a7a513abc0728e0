"""What `tensor.numpy()` gives: the numbers as a numpy array, as far as programs about gradients use one.

It shares the tensor's memory, is outside of every graph, and prints as numpy prints it. It can be indexed, gone over,
reduced, and put into arithmetic with numbers and with other arrays; `torch.from_numpy` and `torch.tensor` take it back.
A single entry is a plain Python number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault


class Array:
    """A numpy array of a program; `value` is an ndarray of any shape."""

    __slots__ = ("value",)

    PROPERTIES = ("shape", "ndim", "size", "dtype", "T")

    def __init__(self, value: Any) -> None:
        self.value = np.asarray(value)

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return repr(self.value)

    def __format__(self, spec: str) -> str:
        if spec and self.value.ndim:
            raise TypeFault("an array has no format", hint="format its entries")
        return format(self.value.item() if spec else self.value, spec)

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape)

    @property
    def ndim(self) -> int:
        return int(self.value.ndim)

    @property
    def size(self) -> int:
        return int(self.value.size)

    @property
    def dtype(self) -> str:
        """The name of the dtype, as numpy prints it."""
        return str(self.value.dtype)

    @property
    def T(self) -> Array:
        return Array(self.value.T)

    def __len__(self) -> int:
        if not self.value.ndim:
            raise TypeFault("len() of an array without dimensions")
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        if not self.value.ndim:
            raise TypeFault("an array without dimensions can't be gone over")
        return (_taken(entry) for entry in self.value)

    def __getitem__(self, index: Any) -> Any:
        return _run(lambda: self.value[_raw(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeFault("an array is not written into here", hint="write into the tensor, and take .numpy() again")

    def __float__(self) -> float:
        return float(self._single("float"))

    def __int__(self) -> int:
        return int(self._single("int"))

    def _single(self, kind: str) -> Any:
        if self.value.ndim:
            raise TypeFault(f"{kind}() of an array with dimensions", hint="take an entry, as in a[0], or .item()")
        return self.value.item()

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueFault("an array of several entries is neither true nor false", hint="use .any() or .all()")
        return bool(self.value.item())

    def __hash__(self) -> int:
        return id(self)

    # --- methods --------------------------------------------------------------------------------------------------

    def item(self) -> Any:
        """The one entry as a Python number; ValueFault: there are more, or none."""
        if self.size != 1:
            raise ValueFault(f"item() of an array with {self.size} entries: only one can become a number")
        return self.value.item()

    def tolist(self) -> Any:
        return self.value.tolist()

    def copy(self) -> Array:
        return Array(self.value.copy())

    def flatten(self) -> Array:
        return Array(self.value.flatten())

    def reshape(self, *shape: Any) -> Any:
        return _run(lambda: self.value.reshape(*shape))

    def astype(self, dtype: Any) -> Any:
        """A copy in the dtype of that name."""
        if dtype not in ("float64", "float32", "int64", "int32", "bool"):
            raise TypeFault(f"astype() takes the name of a dtype, as 'float32', not {dtype!r}")
        return Array(self.value.astype(dtype))

    def __neg__(self) -> Any:
        return _run(lambda: -self.value)

    def __abs__(self) -> Any:
        return _run(lambda: abs(self.value))


def _raw(x: Any) -> Any:
    return x.value if type(x) is Array else tuple(map(_raw, x)) if type(x) is tuple else x


def _taken(x: Any) -> Any:
    """A result: an array, or the Python number that a single entry is."""
    return Array(x) if isinstance(x, np.ndarray) else x.item()


def _run(compute: Callable[[], Any]) -> Any:
    """Raises RuntimeFault where numpy refuses the shapes or the index."""
    try:
        with np.errstate(all="ignore"):
            return _taken(compute())
    except (ValueError, TypeError, IndexError) as error:
        raise RuntimeFault(f"numpy: {error}") from None


def _operator(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)

    def forward(self: Array, other: Any) -> Any:
        if type(other) not in (Array, float, int, bool):
            return NotImplemented
        return _run(lambda: function(self.value, _raw(other)))

    return forward


def _reflected(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)

    def backward(self: Array, other: Any) -> Any:
        if type(other) not in (float, int, bool):
            return NotImplemented
        return _run(lambda: function(other, self.value))

    return backward


def _reduction(name: str) -> Callable[..., Any]:
    def reduce(self: Array, axis: Any = None, keepdims: bool = False) -> Any:
        return _run(lambda: getattr(self.value, name)(axis=axis, keepdims=keepdims))

    reduce.__name__ = name
    return reduce


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Array, f"__{_name}__", _operator(_name))
    setattr(Array, f"__r{_name}__", _reflected(_name))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Array, f"__{_name}__", _operator(_name))
REDUCTIONS = ("sum", "mean", "max", "min", "std", "var", "prod", "any", "all", "argmax", "argmin")
for _name in REDUCTIONS:
    setattr(Array, _name, _reduction(_name))
Array.__name__ = Array.__qualname__ = "ndarray"
