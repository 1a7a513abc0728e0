"""The families of operations: modules whose functions stand in the registry before they are loaded.

There are about eighty of them, which take longer to import than all the rest, and a scalar program uses four. So an index of
what each declares (`_families.py`, written by `grammar/build.py` when the package is built) fills the registry with stand-ins:
functions that load their module when they are first called, and from then on give way to the real ones. Operations
looked up by name (`OPS["where"]`) load theirs in the same way. Without the index every family is loaded at once.

Invariant: what a program can see does not depend on what is loaded. `listeners` are told what has become real, so that tables
made of functions follow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module, util
from typing import Any

from autodiff_cli.engine.registry import FUNCTIONS, OPS, Function, Op

Key = tuple[str, str]  # of a function: place and name

INDEX = "autodiff_cli.engine._families"

# what registers functions besides the modules of `ops`: what takes functions
OF_FUNCTIONS = ("functional", "gradcheck", "jacobians", "transforms", "vmap")

listeners: list[Callable[[list[Key]], None]] = []
_waiting: dict[Key, str] = {}  # the stand-ins, and what to load for each
_homes: dict[str, str] = {}  # the module of each operation that is not loaded


def names() -> list[str]:
    """The modules of all families."""
    from pkgutil import iter_modules

    from autodiff_cli.engine import ops

    found = [f"{ops.__name__}.{m.name}" for m in iter_modules(ops.__path__)]
    return [*found, *(f"autodiff_cli.engine.{name}" for name in OF_FUNCTIONS)]


def declare() -> None:
    """Put stand-ins into the registry for what is not loaded."""
    if util.find_spec(INDEX) is None:
        load_all()
        return
    index = import_module(INDEX)
    for module, functions in index.FUNCTIONS.items():
        if module not in sys.modules:
            for function in functions:
                _stand_in(module, *function)
    _homes.update(index.OPS)
    OPS.load = _load_op


def _stand_in(module: str, names: tuple[str, ...], places: tuple[str, ...], numbers: bool, in_place: bool) -> None:
    for place in places:
        for name in names:
            FUNCTIONS[place, name] = Function(
                _loading(module, (place, name)), names, places, (), "", numbers, in_place, stand_in=True
            )
            _waiting[place, name] = module


def _loading(module: str, key: Key) -> Callable[..., Any]:
    """A function that loads its module, and calls what that has in its place."""

    def call(*args: Any, **keywords: Any) -> Any:
        if key in _waiting:
            load(module)
        assert not FUNCTIONS[key].stand_in, f"{module} has no {key[1]}: the index is stale"
        real = call.__wrapped__ = FUNCTIONS[key].call  # type: ignore[attr-defined]  # its parameters are what messages tell
        return real(*args, **keywords)

    call.__name__ = call.__qualname__ = key[1]
    return call


def _load_op(name: str) -> Op | None:
    """The operation that an unloaded family has under a name."""
    module = _homes.get(name)
    if module is None:
        return None
    load(module)
    return OPS[name]


def load(*modules: str) -> None:
    """Load families, and tell the listeners."""
    for module in modules:
        import_module(module)
    settle()


def load_all() -> None:
    """Load every family."""
    load(*names())


def settle() -> None:
    """Tell the listeners which functions have become real: some by a plain import."""
    found = [key for key in _waiting if not FUNCTIONS[key].stand_in]
    for key in found:
        del _waiting[key]
    if found:
        for tell in listeners:
            tell(found)
