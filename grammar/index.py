"""Prints what each family of operations declares, for `autodiff_cli/engine/_families.py`; run by build.py.

FUNCTIONS: module -> (names, places, numbers, in_place) of each of its functions; OPS: operation -> module.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from autodiff_cli.engine import families, registry


def main() -> None:
    functions: dict[str, list[tuple[Any, ...]]] = {}
    operations: dict[str, str] = {}

    class Functions(dict[tuple[str, str], registry.Function]):
        def __setitem__(self, key: tuple[str, str], function: registry.Function) -> None:
            super().__setitem__(key, function)
            place, name = key
            row = ((name,), (place,), function.numbers, function.in_place)
            functions.setdefault(_declaring(), []).append(row)

    class Ops(registry.Ops):
        def __setitem__(self, name: str, op: registry.Op) -> None:
            super().__setitem__(name, op)
            operations[name] = _declaring()

    registry.FUNCTIONS, registry.OPS = Functions(), Ops()  # before the first of them is loaded
    for module in families.names():
        import_module(module)
    print({"FUNCTIONS": {module: tuple(_joined(rows)) for module, rows in functions.items()}, "OPS": operations})


def _declaring() -> str:
    """The module that is being loaded."""
    frame = sys._getframe(2)
    while frame.f_code.co_name != "<module>":
        assert frame.f_back is not None
        frame = frame.f_back
    return str(frame.f_globals["__name__"])


def _joined(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows that differ in their name or in their place only, as one."""
    by_name: dict[Any, list[str]] = {}
    for (name,), (place,), *rest in rows:
        by_name.setdefault((name, *rest), []).append(place)
    joined: dict[Any, list[str]] = {}
    for (name, *rest), places in by_name.items():
        joined.setdefault((tuple(places), *rest), []).append(name)
    return [(tuple(names), places, *rest) for (places, *rest), names in joined.items()]


if __name__ == "__main__":
    main()
