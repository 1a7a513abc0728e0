"""numpy, imported when a program first has an array.

A scalar program never pays for the import (about 80 ms). `np.name` looks the name up once and keeps it in the
instance, so later accesses cost what a module attribute costs.

Invariant: while `quiet()` is entered, numpy's floating-point warnings are off whether numpy was loaded before or
after; on leaving, the caller's settings are back.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Lazy:
    """A module that is imported on the first attribute access."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        module = sys.modules.get(self._module)
        if module is None:
            __import__(self._module)
            module = sys.modules[self._module]
            if self._module == "numpy" and _quiet.depth:
                _quiet.saved = module.seterr(all="ignore")
        value = getattr(module, name)
        setattr(self, name, value)
        return value


class _Quiet:
    depth = 0
    saved: dict[str, Any] | None = None


_quiet = _Quiet()
np = _Lazy("numpy")
special = _Lazy("scipy.special")
scipy_linalg = _Lazy("scipy.linalg")


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
