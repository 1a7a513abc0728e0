"""The record of a slip; the modules of this folder are the table, by subject (see `mistakes.py`)."""

from __future__ import annotations

from typing import NamedTuple


class Slip(NamedTuple):
    """A mistake that the language knows. In the texts `{part}` is filled in, and `{{` stands for a brace."""

    example: str  # a program that makes this slip and no other
    message: str  # what is wrong, in the user's own text
    hint: str | None = None  # what to write
