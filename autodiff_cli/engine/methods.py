"""What a tensor can do: its operators and methods, attached from the registry.

A method is a public function whose place is "Tensor", loaded or not (families.py); the operators are the table below.
`fit_tensor` is the tensor form of `backward.fit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autodiff_cli.engine import autograd, changes, families, hooks
from autodiff_cli.engine.arguments import type_name
from autodiff_cli.engine.device import CPU
from autodiff_cli.engine.dtypes import dtype_of
from autodiff_cli.engine.inplace import copy_into, in_place
from autodiff_cli.engine.ops import (
    arithmetic,
    comparison,
    conversion,
    division,
    indexing,
    matmul,
    powers,
    shaping,
    signs,
    structure,
)
from autodiff_cli.engine.registry import FUNCTIONS, Op, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.views import alias, move
from autodiff_cli.errors import RuntimeFault, TypeFault

NUMBERS = (float, int, bool)


def fit_tensor(d: Any, target: Any) -> Tensor:
    """A cotangent in the shape and dtype of the raw value `target`, as a tensor on the graph."""
    if not isinstance(d, Tensor):
        d = wrap(d if type(d) is float else float(d))
    shape = shape_of(target)
    if d.shape != shape:
        if d.ndim > len(shape) or any(n == 1 != m for n, m in zip(shape[::-1], d.shape[::-1], strict=False)):
            d = structure.summed_to(d, shape)
        if d.shape != shape:
            d = structure.expand_to(d, shape=shape)
    dtype = dtype_of(target)
    fitted: Tensor = d if d.dtype is dtype else structure.cast(d, dtype=dtype)
    return fitted


def _operator(op: Callable[..., Any]) -> Callable[[Tensor, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, Tensor) or type(other) in NUMBERS:
            return op(self, other)
        return NotImplemented

    return method


def _reflected(op: Callable[..., Any]) -> Callable[[Tensor, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        return op(other, self) if type(other) in NUMBERS else NotImplemented

    return method


BINARY: dict[str, Callable[..., Any]] = {
    "add": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": arithmetic.mul,
    "truediv": arithmetic.div,
    "floordiv": division.quotient,
    "mod": division.modulo,
    "pow": powers.power,
    "and": comparison.bitwise_and,
    "or": comparison.bitwise_or,
    "xor": comparison.bitwise_xor,
    "lshift": comparison.bitwise_left_shift,
    "rshift": comparison.bitwise_right_shift,
}
# What a number with a tensor on the right is to PyTorch, which asks the tensor: these take the tensor first.
NUMBER_FIRST: dict[str, Callable[..., Any]] = {
    "add": arithmetic.add,
    "mul": arithmetic.mul,
    "sub": arithmetic.reflected_subtract,
    "truediv": arithmetic.reflected_divide,
}
COMPARISONS: dict[str, Op] = {
    "eq": comparison.eq,
    "ne": comparison.ne,
    "lt": comparison.lt,
    "le": comparison.le,
    "gt": comparison.gt,
    "ge": comparison.ge,
}


def _augmented(op: Callable[..., Any]) -> Callable[[Tensor, Any], Any]:
    changed = in_place(op)

    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, Tensor) or type(other) in NUMBERS:
            return changed(self, other)
        return NotImplemented

    return method


def _version(self: Tensor) -> int:
    """How often the tensor's memory was changed in place."""
    version = None if self.aux is None else self.aux.version
    if version is None and self.node is not None and self.node.meta is not None:
        version = self.node.meta.version
    return 0 if version is None else version.count


def _get_data(self: Tensor) -> Tensor:
    return alias(self, own_version=True)


def _set_data(self: Tensor, other: Any) -> None:
    if not isinstance(other, Tensor):
        raise TypeFault(f".data is a tensor, not {type_name(other)}")
    if self.requires_grad and not other.dtype.is_floating_point:
        raise RuntimeFault(f".data of a tensor that requires a gradient can't become {other.dtype}")
    before = self.value
    move(self, other)
    if tape.events is not None:
        tape.events.replaced(self, before)


def _detach_in_place(self: Tensor) -> Tensor:
    if self.aux is not None and self.aux.base is not None:
        raise RuntimeFault("detach_() of a view: it would leave its base", hint="write y = x.detach() for a new tensor")
    self.extra.detached = self.node and tape.site
    if self.node is not None and self.node.meta is not None:
        self.extra.grad = self.node.meta.grad
    if tape.events is not None and self.node is not None:
        tape.events.detached(self, self.node)
    self.node = None
    return self


_CORE = (
    "backward detach detach_ register_hook register_post_accumulate_grad_hook copy_ retain_grad requires_grad_ item "
    "tolist dim numel"
)


def tensor_methods(keys: Iterable[families.Key] = FUNCTIONS) -> dict[str, Callable[..., Any]]:
    """Every method that programs may call on a tensor, by name; the tensor is the first argument.

    `keys`: of the functions that are looked at.
    """
    found = {name: getattr(Tensor, name) for name in _CORE.split()}
    for place, name in keys:
        if place == "Tensor":
            function = FUNCTIONS[place, name]
            found[name] = function.call
            if function.in_place:
                found[name + "_"] = getattr(Tensor, name + "_")
    return found


def _matmul(self: Tensor, other: Any) -> Any:
    return matmul.matmul(self, other) if isinstance(other, Tensor) else NotImplemented  # Python then refuses a number


def _backward(
    self: Tensor, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False, inputs: Any = None
) -> None:
    autograd.backward(self, gradient, retain_graph, create_graph, inputs)


def _copy(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    return copy_into(self, src)


def _detach(self: Tensor) -> Tensor:
    return alias(self)


def _members() -> dict[str, Any]:
    """What is no operation of the registry: protocols of Python, and the graph's own methods."""
    return {
        "__matmul__": _matmul,
        "__neg__": lambda self: arithmetic.neg(self),
        "__pos__": lambda self: arithmetic.positive(self),
        "__abs__": lambda self: signs.abs_(self),
        "__invert__": lambda self: comparison.invert(self),
        "__getitem__": indexing.getitem,
        "__setitem__": indexing.assign_item,
        "__iter__": indexing.iterate,
        "backward": _backward,
        "detach": _detach,
        "detach_": _detach_in_place,
        "copy_": _copy,
        "data": property(_get_data, _set_data),
        "device": property(lambda self: CPU),
        "grad_fn": property(autograd.grad_fn),
        "_version": property(_version),
        "register_hook": hooks.register_hook,
        "register_post_accumulate_grad_hook": hooks.register_post_accumulate_grad_hook,
    }


def _install() -> None:
    families.declare()
    for name, op in BINARY.items():
        setattr(Tensor, f"__{name}__", _operator(op))
        setattr(Tensor, f"__r{name}__", _operator(NUMBER_FIRST[name]) if name in NUMBER_FIRST else _reflected(op))
        setattr(Tensor, f"__i{name}__", _augmented(op))
    for name, compare in COMPARISONS.items():
        setattr(Tensor, f"__{name}__", _operator(compare))
    for name, get in {**shaping.PROPERTIES, **conversion.PROPERTIES}.items():
        setattr(Tensor, name, property(get))
    for name, member in _members().items():
        setattr(Tensor, name, member)
    _attach(list(FUNCTIONS))
    families.listeners.append(_attach)
    changes.declare()


def _attach(keys: list[tuple[str, str]]) -> None:
    """Give the tensor its methods, or the real ones for those that stood in."""
    for place, name in keys:
        if place == "Tensor":
            function = FUNCTIONS[place, name]
            setattr(Tensor, name, function.call)
            if function.in_place:
                setattr(Tensor, name + "_", in_place(function.call))


_install()
