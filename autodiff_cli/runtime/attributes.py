"""Attributes: which there are, on what, and how a method is called.

A program can read exactly what is listed here or registered as a function or method of tensors; every other name is
refused before the program runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine import dtypes, families, methods
from autodiff_cli.engine.array import REDUCTIONS, Array
from autodiff_cli.engine.autograd import GradFn
from autodiff_cli.engine.device import Device
from autodiff_cli.engine.hooks import HookHandle
from autodiff_cli.engine.levels import Derived
from autodiff_cli.engine.random import Generator
from autodiff_cli.engine.results import FInfo, IInfo, Named, Size
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import AttributeFault, Fault, IndexFault, ValueFault
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.arithmetic import kind_of
from autodiff_cli.runtime.functions import UserFunction
from autodiff_cli.runtime.lengths import COMPARING, LENGTHS, bounded, comparing
from autodiff_cli.runtime.objects import Bound, Namespace, Native
from autodiff_cli.runtime.types import TypeName

_PLAIN_METHODS: dict[type, str] = {
    list: "append extend insert pop remove index count sort reverse copy clear",
    tuple: "index count",
    dict: "get items keys values pop update setdefault copy clear popitem",
    set: "add remove discard pop union intersection difference symmetric_difference update intersection_update "
    "difference_update symmetric_difference_update isdisjoint issubset issuperset copy clear",
    frozenset: "union intersection difference symmetric_difference isdisjoint issubset issuperset copy",
    str: "join split rsplit strip lstrip rstrip partition rpartition replace startswith endswith upper lower swapcase "
    "casefold format find rfind count index rindex capitalize title isdigit isdecimal isnumeric isalpha isalnum "
    "isspace isupper islower istitle isidentifier isascii splitlines expandtabs rjust ljust center zfill removeprefix "
    "removesuffix",
    range: "index count",
    float: "is_integer as_integer_ratio hex conjugate",
    int: "bit_length bit_count as_integer_ratio conjugate",
}

_PROPERTIES: dict[type, str] = {
    Tensor: "requires_grad is_leaf grad grad_fn data shape ndim dtype device T mT H mH retains_grad is_sparse is_cuda "
    "itemsize nbytes _version",
    Device: "type index",
    dtypes.DType: "is_floating_point is_complex itemsize",
    GradFn: "next_functions variable",
    FInfo: "bits dtype eps max min resolution smallest_normal tiny",
    IInfo: "bits dtype max min",
    Generator: "device",
    Array: " ".join(Array.PROPERTIES),
    int: "real imag numerator denominator",
    float: "real imag",
    slice: "start stop step",
    range: "start stop step",
}
_OBJECT_METHODS: dict[type, str] = {
    GradFn: "name register_hook register_prehook",
    Generator: "manual_seed initial_seed",
    HookHandle: "remove",
    Array: "item tolist copy flatten reshape astype " + " ".join(REDUCTIONS),
    Size: "numel index count",
}


def _format_method(text: str, *args: Any, **keywords: Any) -> str:
    """`str.format` with fields by name and position only: a field reaches into nothing."""
    from string import Formatter

    from autodiff_cli.runtime.expressions import format_any

    out, automatic = [], 0
    for literal, field, spec, conversion in Formatter().parse(text):
        out.append(literal)
        if field is None:
            continue
        if not field:
            field, automatic = str(automatic), automatic + 1
        if not field.isidentifier() and not field.isdigit():
            raise ValueFault(f"the field {{{field}}} of format() reaches into a value", hint="write an f-string")
        if field.isdigit() and int(field) >= len(args):
            raise IndexFault(f"format() has no value for field number {int(field)}, counted from 0")
        value = args[int(field)] if field.isdigit() else keywords[field]
        if conversion:
            value = repr(value) if conversion == "r" else ascii(value) if conversion == "a" else str(value)
        out.append(format_any(value, _format_method(spec or "", *args, **keywords)))
    return "".join(out)


def _table() -> dict[type, dict[str, Callable[..., Any]]]:
    found = {kind: {name: getattr(kind, name) for name in names.split()} for kind, names in _PLAIN_METHODS.items()}
    for kind, lengths in LENGTHS.items():
        found[kind].update((name, bounded(found[kind][name], length)) for name, length in lengths.items())
    for kind in (list, tuple):
        found[kind].update((name, comparing(found[kind][name])) for name in COMPARING if name in found[kind])
    found[str]["format"] = _format_method
    found[Tensor] = methods.tensor_methods()
    for kind, names in _OBJECT_METHODS.items():
        found[kind] = {name: getattr(kind, name) for name in names.split()}
    return found


METHODS = _table()


def _loaded(keys: list[families.Key]) -> None:
    """Take over the methods that have become real."""
    METHODS[Tensor].update(methods.tensor_methods(keys))


families.listeners.append(_loaded)
PROPERTIES: dict[type, frozenset[str]] = {kind: frozenset(names.split()) for kind, names in _PROPERTIES.items()}


def method_of(x: Any, name: str) -> Callable[..., Any] | None:
    """The function behind a method, to be called with the value first."""
    table = METHODS.get(type(x))
    if table is None:
        return METHODS[tuple].get(name) if isinstance(x, tuple) else None
    return table.get(name)


def has_attribute(x: Any, name: str) -> bool:
    """Python's hasattr, over what the language has."""
    try:
        get_attribute(x, name)
    except AttributeFault:
        return False
    return True


def get_attribute(x: Any, name: str) -> Any:
    """`x.name`.

    Raises:
        AttributeFault: there is no such attribute.
    """
    kind = type(x)
    if kind is Namespace:
        if name in x.table:
            return x.table[name]

        close = nearest(name, x.table)
        raise AttributeFault(
            f"{x.name} has no '{name}' here", hint=f"did you mean {x.name}.{close}?" if close else None
        )
    run = method_of(x, name)
    if run is not None:
        return Bound(x, name, run)
    if kind is Tensor and name == "shape":
        return Size(x.shape)
    if (
        name in PROPERTIES.get(kind, ())
        or name in getattr(kind, "PROPERTIES", ())
        or name in getattr(kind, "_fields", ())
    ):
        return getattr(x, name)
    if name == "__name__" and isinstance(x, (TypeName, UserFunction, Native, Derived)):
        return x.name
    if name == "__class__":
        from autodiff_cli.runtime.builtins import _type

        return _type(x)
    if isinstance(x, Fault) and name == "args":
        return x.args
    if isinstance(x, TypeName) and x.cls in METHODS and name in METHODS[x.cls]:
        return Native(name, METHODS[x.cls][name], plain=x.cls is not Tensor)
    if isinstance(x, TypeName) and x.cls is dict and name == "fromkeys":
        return Native(name, dict.fromkeys, plain=True)
    raise _no_attribute(x, name)


def attributes_of(kind: type) -> list[str]:
    """The attributes and methods of a class of values."""
    return [*METHODS.get(kind, ()), *PROPERTIES.get(kind, ())]


def _no_attribute(x: Any, name: str) -> AttributeFault:

    close = nearest(name, attributes_of(type(x)))
    hint = f"did you mean .{close}?" if close else None
    return AttributeFault(f"{kind_of(x)} has no attribute '{name}'", hint=hint)


def known_attributes(namespaces: dict[str, Any]) -> frozenset[str]:
    """Every attribute name that some value has: others are refused before a program runs."""
    names = {"__name__", "__class__", "args", "fromkeys"}
    for table in METHODS.values():
        names.update(table)
    for properties in PROPERTIES.values():
        names.update(properties)
    stack = [n for n in namespaces.values() if type(n) is Namespace]
    while stack:
        space = stack.pop()
        names.update(space.table)
        stack.extend(n for n in space.table.values() if type(n) is Namespace)
    for cls in Named.__subclasses__():  # svd's parts are defined beside svd
        names.update(cls._fields)
    return frozenset(names)
