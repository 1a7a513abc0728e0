"""Number literals: Python's notation, ints up to 64 bits, floats of 64."""

from __future__ import annotations

LARGEST_INT = 2**63 - 1

BASES = {"x": 16, "o": 8, "b": 2}


def number_value(written: str) -> int | float | None:
    """The value of a literal, None if it is none. An int may be too large (a float is what it rounds to)."""
    try:
        if written[:1] == "0" and written[1:2].lower() in BASES:
            return int(written[2:].removeprefix("_"), BASES[written[1].lower()])
        if written.replace("_", "").isdigit():
            return _decimal(written)
        return float(written) if written[-1:].isdigit() or written[-1:] == "." else None
    except ValueError:
        return None


def _decimal(written: str) -> int | None:
    if written[0] == "0" and written.strip("0_"):
        return None  # 007: an octal number in other languages
    try:
        return int(written)
    except ValueError:  # more digits than Python converts, or a misplaced `_`
        float(written)
        return LARGEST_INT + 1
