"""The documents of `--json`: one line of JSON that every reader of JSON takes.

Every number is the shortest text that reads back to the same float64 (a float32 is written as the float64 it
equals). JSON has no nan and no infinities, and readers that meet such words drop or change them: they are
written as the strings "nan", "inf" and "-inf", and a document's `nonfinite` list tells where they stand.

The walk keeps its own stack, so a program's deeply nested list is no recursion; an array is handed whole to
the encoder of the standard library, which writes a million numbers in about a second.

Invariant: `json.loads(dumps(x))` gives x back, non-finite numbers as strings aside.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from autodiff_cli.errors import ValueFault

try:  # what json.encoder has under this name; the package compiles expressions when it is imported, for 1.5 ms
    from _json import encode_basestring
except ImportError:  # a Python without the module in C
    from json.encoder import encode_basestring

# A place in the document: (the place around it, key or index); made text only where needed.
_Place = tuple[Any, "str | int"] | None
_Child = tuple[str, _Place, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")


def dumps(document: Any) -> str:
    """The JSON text of dicts, lists, tuples, strings, numbers, None and ndarrays: one line, keys in order.

    In a dict at the top, the value of the key `nonfinite` is replaced by the paths to every number below
    that is nan or infinite: `value`, `gradients.x[2]`, `graph.nodes[3].value`, `value[0][1]`.
    Raises ValueFault for a list that contains itself; TypeError for an object of another kind.
    """
    writer = _Writer()
    writer.write(document)
    if writer.hole is not None:
        writer.pieces[writer.hole] = f"[{', '.join(map(encode_basestring, writer.nonfinite))}]"
    return "".join(writer.pieces)


class _Writer:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.nonfinite: list[str] = []
        self.hole: int | None = None  # where in `pieces` the list of paths goes

    def write(self, root: Any) -> None:
        stack: list[tuple[Iterator[_Child], str, int]] = [(iter([("", None, root)]), "", 0)]
        open_ids: set[int] = set()
        while stack:
            children, closing, container = stack[-1]
            for before, place, value in children:
                self.pieces.append(before)
                if isinstance(value, (dict, list, tuple)):
                    if id(value) in open_ids:
                        raise ValueFault("a list that contains itself cannot be written as JSON")
                    open_ids.add(id(value))
                    stack.append(self._opened(value, place))
                    break
                self.pieces.append(self._leaf(value, place))
            else:
                self.pieces.append(closing)
                open_ids.discard(container)
                stack.pop()

    def _opened(self, value: Any, place: _Place) -> tuple[Iterator[_Child], str, int]:
        if isinstance(value, dict):
            self.pieces.append("{")
            return self._members(value, place), "}", id(value)
        self.pieces.append("[")
        return _elements(value, place), "]", id(value)

    def _members(self, value: dict[Any, Any], place: _Place) -> Iterator[_Child]:
        separator = ""
        for key, member in value.items():
            before = f"{separator}{_string(str(key))}: "
            separator = ", "
            if place is None and key == "nonfinite":
                self.pieces.append(before)
                self.hole = len(self.pieces)
                self.pieces.append("[]")
            else:
                yield before, (place, str(key)), member

    def _leaf(self, value: Any, place: _Place) -> str:
        if isinstance(value, str):
            return _string(value)
        if isinstance(value, float):
            return float.__repr__(value) if math.isfinite(value) else self._nonfinite(value, place)
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return int.__repr__(value)
        if hasattr(value, "tolist"):  # numpy's arrays and scalars
            return self._array(value, place) if value.ndim else self._leaf(value.item(), place)
        raise TypeError(f"{type(value).__name__} has no JSON text")

    def _array(self, array: Any, place: _Place) -> str:
        import json

        if array.dtype.kind != "f":
            return json.dumps(array.tolist())
        import numpy as np

        strange = ~np.isfinite(array)
        if not strange.any():
            return json.dumps(array.tolist())
        cells = array.astype(object)  # of Python floats, so that a cell can become a string
        path = _path(place)
        for index in np.argwhere(strange).tolist():
            cells[tuple(index)] = _word(cells[tuple(index)])
            self.nonfinite.append(path + "".join([f"[{i}]" for i in index]))
        return json.dumps(cells.tolist())

    def _nonfinite(self, value: float, place: _Place) -> str:
        self.nonfinite.append(_path(place))
        return f'"{_word(value)}"'


def _elements(value: list[Any] | tuple[Any, ...], place: _Place) -> Iterator[_Child]:
    for index, element in enumerate(value):
        yield ", " if index else "", (place, index), element


def _word(value: float) -> str:
    return "nan" if value != value else "inf" if value > 0 else "-inf"


def _path(place: _Place) -> str:
    parts: list[str] = []
    while place is not None:
        place, key = place
        parts.append(f"[{key}]" if isinstance(key, int) else key if place is None else f".{key}")
    return "".join(reversed(parts))


def _string(text: str) -> str:
    """A JSON string. Half a surrogate pair (a byte of a file's name that isn't UTF-8) is escaped."""
    quoted = encode_basestring(text)
    return quoted if text.isascii() else _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", quoted)
