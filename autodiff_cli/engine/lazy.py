"""numpy, imported when a program first has an array.

A scalar program never pays for the import (about 80 ms). At the first access the names of the module become those of the
object, which from then on is a plain module: with `__getattr__` in its class, each access would take three times as long.

Invariant: while `quiet()` is entered, numpy's floating-point warnings are off whether numpy was loaded before or
after; on leaving, the caller's settings are back.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class _Lazy(ModuleType):
    """A module that is imported on the first attribute access."""

    def __getattr__(self, name: str) -> Any:
        loaded = self.__name__ in sys.modules
        __import__(self.__name__)
        module = sys.modules[self.__name__]
        if self.__name__ == "numpy" and _quiet.depth and not loaded:
            _quiet.saved = module.seterr(all="ignore")
        self.__dict__.update(module.__dict__)
        self.__class__ = ModuleType  # type: ignore[assignment]
        return getattr(module, name)


class _Quiet:
    depth = 0
    saved: dict[str, Any] | None = None


_quiet = _Quiet()
np: Any = _Lazy("numpy")
special: Any = _Lazy("scipy.special")


@contextmanager
def quiet() -> Iterator[None]:
    """Turn numpy's floating-point warnings off: IEEE results (inf, nan) are answers here, not accidents."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and not _quiet.depth:
        _quiet.saved = numpy.seterr(all="ignore")
    _quiet.depth += 1
    try:
        yield
    finally:
        _quiet.depth -= 1
        if not _quiet.depth and _quiet.saved is not None:
            sys.modules["numpy"].seterr(**_quiet.saved)
            _quiet.saved = None
