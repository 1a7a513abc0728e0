"""Numbers for people: the text of one number, and of an array in one line.

Without a format, a float is the shortest text that reads back to it, without a trailing `.0`: `49`, `0.1`,
`1e-09`. `--ofmt FORMAT` puts one printf conversion in its place, for floats only.

Invariant: a line of `array_text` is never wider than asked, and costs what its text costs: of a large array
only the elements that are shown are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from autodiff_cli.errors import UsageFault

_OFMT = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?:l|ll|L)?(?P<kind>[efgEFG])", re.ASCII
)
_MOST = 1_000  # columns and decimals that a format may ask for


def parse_ofmt(text: str) -> str:
    """A checked `--ofmt`: one printf conversion of a float, such as `%.6g`, `%10.3f`, `%.3e`.

    A C length modifier (`%.6lf`) is dropped. Raises UsageFault.
    """
    match = _OFMT.fullmatch(text)
    if match is None:
        hint = "write one conversion of the kinds e, f or g, such as %.6g, %10.3f or %.3e"
        if not text.startswith("%") and _OFMT.fullmatch("%" + text):
            hint = f"write %{text}"
        raise UsageFault(f"--ofmt {text!r} is not a format of a number", hint=hint)
    for size in (match["width"], match["precision"] or ""):
        if size and (len(size) > 9 or int(size) > _MOST):
            raise UsageFault(f"--ofmt {text!r} asks for more than {_MOST:,} columns")
    precision = f".{match['precision']}" if match["precision"] is not None else ""
    return f"%{match['flags']}{match['width']}{precision}{match['kind']}"


def format_number(x: Any, ofmt: str | None = None) -> str:
    """The text of a number: a float by `ofmt` (from `parse_ofmt`) where one is given, else `number_text`."""
    if ofmt is None or not _is_float(x):
        return number_text(x)
    return str(ofmt % x)


def number_text(x: Any, digits: int | None = None) -> str:
    """The shortest text that reads back to `x`, `.0` left off; `True` or `False` for a truth value.

    A float32 is shown by the shortest text that reads back to the same float32. With `digits`, a float that
    has more significant digits is rounded to so many.
    """
    if not _is_float(x):
        return str(x)
    # numpy's str of a float32 is the shortest for a float32; as a float64 it gets Python's notation
    value = float(str(x)) if getattr(x, "itemsize", 8) < 8 else float(x)
    text = float.__repr__(value).removesuffix(".0")
    if digits is not None and _significant(text) > digits:
        text = f"{value:.{digits}g}"
    return text


def _is_float(x: Any) -> bool:
    return isinstance(x, float) or (hasattr(x, "dtype") and x.dtype.kind == "f")


def _significant(text: str) -> int:
    mantissa = text.partition("e")[0].lstrip("-")
    digits = mantissa.replace(".", "").lstrip("0")
    return len(digits if "." in mantissa else digits.rstrip("0"))


def shape_text(shape: tuple[int, ...]) -> str:
    """`2x3`; the empty text for a scalar."""
    return "x".join(map(str, shape))


def array_text(
    value: Any, width: int, *, ofmt: str | None = None, digits: int | None = None, ascii_only: bool = False
) -> str:
    """A value in one line of at most `width` columns.

    A number, or an array as nested lists where that fits: `[[1, 2], [3, 4]]`. Else the beginning and what it
    is the beginning of: a vector with its last element and its length, `[1, 2.5, … 3] (1000)`; a matrix with
    its shape before it, `20x3 [[1, 2, 3], …]`. An empty array of several dimensions has its shape, too.
    """
    dots = "..." if ascii_only else "\u2026"

    def write(x: Any) -> str:
        return number_text(x, digits) if ofmt is None else format_number(x, ofmt).strip()

    shape: tuple[int, ...] = getattr(value, "shape", ())
    if not shape:
        return _clipped(write(value), width, dots)
    if 0 in shape:
        return _clipped("[]" if len(shape) == 1 else f"{shape_text(shape)} []", width, dots)
    if value.size <= width:
        whole = _nested(value, write)
        if len(whole) <= width:
            return whole
    if len(shape) == 1:
        return _clipped(_vector(value, width, write, dots), width, dots)
    prefix = shape_text(shape) + " "
    return _clipped(prefix + _beginning(value, width - len(prefix), write, dots), width, dots)


Write = Callable[[Any], str]


def _nested(array: Any, write: Write) -> str:
    if array.ndim == 0:
        return write(array[()])
    return "[" + ", ".join(_nested(part, write) for part in array) + "]"


def _fitting(texts: Iterator[str], room: int) -> list[str]:
    """As many texts, each with a comma and a space after it, as fit into `room` columns."""
    taken: list[str] = []
    for text in texts:
        room -= len(text) + 2
        if room < 0:
            break
        taken.append(text)
    return taken


def _vector(array: Any, width: int, write: Write, dots: str) -> str:
    length = f" ({len(array)})"
    end = f"{dots} {write(array[-1])}]{length}"
    if len(end) + 1 > width:
        return f"[{dots}]{length}"
    head = _fitting((write(x) for x in array[:-1]), width - 1 - len(end))
    return "[" + "".join(text + ", " for text in head) + end


def _beginning(array: Any, room: int, write: Write, dots: str) -> str:
    """The first parts of an array that doesn't fit whole; the beginning of the first where none fits."""
    inner = room - len(f"[{dots}]")
    if array.ndim == 1:
        parts = _fitting((write(x) for x in array), inner)
    else:
        parts = _fitting((_nested(part, write) if part.size <= room else "x" * room for part in array), inner)
    if not parts and array.ndim > 1:
        first = _beginning(array[0], inner - 2, write, dots)
        return f"[{first}, {dots}]" if len(first) <= inner - 2 else f"[{dots}]"
    return "[" + "".join(part + ", " for part in parts) + dots + "]"


def _clipped(text: str, width: int, dots: str) -> str:
    if len(text) <= width:
        return text
    return (text[: max(0, width - len(dots))] + dots)[: max(0, width)]
