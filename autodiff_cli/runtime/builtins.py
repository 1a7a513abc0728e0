"""Python's own functions and types, as far as the language has them.

They behave as Python's; what could run for ever or fill the memory (`list(range(10**12))`) is bounded.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.autograd import GradFn
from autodiff_cli.engine.levels import Derived
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault, LimitFault, TypeFault, ValueFault, class_name
from autodiff_cli.runtime import types
from autodiff_cli.runtime.arithmetic import MAX_LENGTH, NATIVE, checked, kind_of, refuse_nesting
from autodiff_cli.runtime.functions import UserFunction
from autodiff_cli.runtime.objects import Bound, Native
from autodiff_cli.runtime.state import State
from autodiff_cli.runtime.types import TypeName


def bounded(iterable: Any) -> Any:
    """The iterable, unless its length is known and over the limit.

    Raises:
        LimitFault: it is.
    """
    if type(iterable) is range and len(iterable) > MAX_LENGTH:
        raise LimitFault(f"a range of {len(iterable):,} elements; the limit here is {MAX_LENGTH:,}")
    return iterable


def _of_iterable(function: Callable[..., Any], compares: bool = False) -> Callable[..., Any]:
    def run(*args: Any, **keywords: Any) -> Any:
        if compares:
            refuse_nesting(*args)
        return function(*map(bounded, args), **keywords)

    return run


def _sum(iterable: Any, start: Any = 0, **keywords: Any) -> Any:
    """Python's sum; `sum(x, dim=...)` on a tensor is PyTorch's."""
    if keywords:
        return _torch_of("sum", iterable, keywords)
    if isinstance(start, str):
        raise TypeFault("sum() does not join strings", hint='write "".join(strings)')
    total = start
    for item in bounded(iterable):
        total = checked(total + item)
    return total


def _extremum(name: str) -> Callable[..., Any]:
    function = getattr(builtins, name)

    def run(*args: Any, **keywords: Any) -> Any:
        if keywords and isinstance(args[0], Tensor) and not keywords.keys() & {"key", "default"}:
            return _torch_of(name, args[0], keywords)
        refuse_nesting(*args)
        return function(*map(bounded, args), **keywords)

    return run


def _torch_of(name: str, x: Any, keywords: dict[str, Any]) -> Any:
    from autodiff_cli.engine.registry import FUNCTIONS

    if not isinstance(x, Tensor):
        raise TypeFault(f"{name}() of {kind_of(x)} takes no such keyword")
    return FUNCTIONS["torch", name].call(x, **keywords)


def _round(x: Any, ndigits: Any = None, **keywords: Any) -> Any:
    if isinstance(x, Tensor):
        from autodiff_cli.engine.registry import FUNCTIONS

        if ndigits is not None:
            keywords["decimals"] = ndigits
        return FUNCTIONS["torch", "round"].call(x, **keywords)
    return round(x, ndigits)


def _pow(x: Any, n: Any, mod: Any = None) -> Any:
    return NATIVE["**"](x, n) if mod is None else pow(x, n, mod)


def _int(x: Any = 0, base: int | None = None) -> int:
    return int(checked(int(x) if base is None else int(x, base)))


def _str(x: Any = "") -> str:
    refuse_nesting(x)
    return str(x)


def _repr(x: Any) -> str:
    refuse_nesting(x)
    return repr(x)


def _type(x: Any) -> TypeName:
    if isinstance(x, Fault):
        own = getattr(type(x), "python_name", None)
        if own is not None:
            return TypeName(own, type(x), module="torch._C.")
        return types.ERRORS.get(class_name(x), types.ERRORS["Exception"])
    for known in TYPES.values():
        if type(x) is known.cls:
            return known
    for known in (types.TENSOR, types.DTYPE, types.FUNCTION, types.NONE, types.MODULE, types.BUILTIN, types.METHOD):
        if type(x) is known.cls:
            return known
    if type(x) is GradFn:
        return TypeName(x.name().rsplit("::", 1)[-1], GradFn)
    return TypeName(type(x).__name__, type(x), module="torch." if type(x).__module__.endswith("results") else "")


def _isinstance(x: Any, kind: Any) -> bool:
    if isinstance(kind, tuple):
        return any(_isinstance(x, k) for k in kind)
    if not isinstance(kind, TypeName):
        raise TypeFault("isinstance() takes a type or a tuple of types", hint="as in isinstance(x, (int, float))")
    return isinstance(x, kind.cls)


def _callable(x: Any) -> bool:
    return isinstance(x, (UserFunction, Native, Bound, Derived))


def _format(x: Any, spec: str = "") -> str:
    from autodiff_cli.runtime.expressions import format_any

    return format_any(x, spec)


def _map(function: Any, *iterables: Any) -> Any:
    return map(function, *iterables)


def _hasattr(x: Any, name: str) -> bool:
    from autodiff_cli.runtime.attributes import has_attribute

    return has_attribute(x, name)


_HERE = object()


def _next(iterator: Any, default: Any = _HERE) -> Any:
    return next(iterator) if default is _HERE else next(iterator, default)


TYPES: dict[str, TypeName] = {
    "int": TypeName("int", int, _int),
    "float": TypeName("float", float, lambda x=0.0: float(x)),
    "bool": TypeName("bool", bool, lambda x=False: bool(x)),
    "str": TypeName("str", str, _str),
    "list": TypeName("list", list, _of_iterable(list)),
    "tuple": TypeName("tuple", tuple, _of_iterable(tuple)),
    "dict": TypeName("dict", dict, dict),
    "set": TypeName("set", set, _of_iterable(set, True)),
    "frozenset": TypeName("frozenset", frozenset, _of_iterable(frozenset, True)),
    "range": TypeName("range", range, range),
    "slice": TypeName("slice", slice, slice),
    "object": TypeName("object", object),
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "all": _of_iterable(all),
    "any": _of_iterable(any),
    "ascii": ascii,
    "bin": bin,
    "callable": _callable,
    "chr": chr,
    "divmod": divmod,
    "enumerate": enumerate,
    "filter": filter,
    "format": _format,
    "hasattr": _hasattr,
    "hash": hash,
    "hex": hex,
    "id": id,
    "isinstance": _isinstance,
    "iter": lambda x: iter(x),
    "len": len,
    "map": _map,
    "max": _extremum("max"),
    "min": _extremum("min"),
    "next": _next,
    "oct": oct,
    "ord": ord,
    "pow": _pow,
    "repr": _repr,
    "reversed": reversed,
    "round": _round,
    "sorted": _of_iterable(sorted, True),
    "sum": _sum,
    "type": _type,
    "zip": zip,
}


def printer(state: State) -> Native:
    """`print`, writing to where the run's output goes."""

    def write(*values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: bool = False) -> None:
        for option, value in (("sep", sep), ("end", end)):
            if value is not None and not isinstance(value, str):
                raise TypeFault(f"print: {option} must be a string, not {kind_of(value)}")
        if file is not None:
            raise ValueFault("print(file=...) is not in the language: a program prints to standard output")
        refuse_nesting(*values)
        text = (" " if sep is None else sep).join([str(v) for v in values]) + ("\n" if end is None else end)
        state.printed.append(text)
        if state.write is not None:
            state.write(text)

    return Native("print", write, plain=True)


def table(state: State) -> dict[str, Any]:
    """The built-in names of a run."""
    found: dict[str, Any] = {name: Native(name, call, plain=True) for name, call in _FUNCTIONS.items()}
    found.update(TYPES)
    found.update(types.ERRORS)
    found["print"] = printer(state)
    found["breakpoint"] = Native("breakpoint", lambda: None, plain=True)
    found["__name__"] = "__main__"
    return found
