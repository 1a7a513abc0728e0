"""Python's exceptions and the engine's faults, told as faults at a place in the program.

`located(error, site)` is what every closure raises from: a fault without a place gets the tree node's span, an
exception of Python that is the program's own mistake (`1/0`, a missing key) becomes the fault of the same class.
Anything else is returned as it is: it is a bug, and must be seen as one.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_cli import errors
from autodiff_cli.errors import Fault

_FAULT_OF: tuple[tuple[type[Exception], type[Fault]], ...] = (
    (ZeroDivisionError, errors.ZeroDivisionFault),
    (OverflowError, errors.OverflowFault),
    (KeyError, errors.KeyFault),
    (IndexError, errors.IndexFault),
    (StopIteration, errors.StopIterationFault),
    (NotImplementedError, errors.NotImplementedFault),
    (RecursionError, errors.LimitFault),
    (MemoryError, errors.LimitFault),
    (TypeError, errors.TypeFault),
    (ValueError, errors.ValueFault),
    (RuntimeError, errors.RuntimeFault),
)

_WORDS: tuple[tuple[str, str], ...] = (
    (r"division by zero|integer modulo by zero|float modulo|float floor division.*", "division by zero"),
    (r"list index out of range", "the list has no such element"),
    (r"tuple index out of range", "the tuple has no such element"),
    (r"string index out of range", "the string has no such character"),
    (r"pop from empty list", "pop from an empty list"),
    (r"maximum recursion depth exceeded.*", "the program is nested too deep"),
)


def located(error: BaseException, site: Any) -> BaseException:
    """The error as a fault with a place, where it is one of the program's own; else the error."""
    if isinstance(error, Fault):
        if error.span is None:
            error.span = site.span if error.site is None else error.site.span
        return error
    for kind, fault in _FAULT_OF:
        if isinstance(error, kind):
            made = fault(_in_words(error), span=site.span)
            made.args = error.args  # a program that prints it sees Python's words
            made.__cause__ = error
            return made
    return error


def _in_words(error: BaseException) -> str:
    if isinstance(error, KeyError) and error.args:
        return f"there is no key {error.args[0]!r}"
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    text = str(error)
    for pattern, words in _WORDS:
        if re.fullmatch(pattern, text):
            return words
    return text or type(error).__name__
