"""Methods that make a string or a list longer: refused where the result would pass the limit, before memory is taken. And those
that compare what is in a list, which is a recursion in C.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.runtime.arithmetic import refuse_length, refuse_nesting


def _width(_x: str, width: int, *_: Any) -> int:
    return width


def _joined(separator: str, parts: Any) -> int:
    return sum(map(len, parts)) + len(separator) * len(parts) if type(parts) in (list, tuple) else 0


def _replaced(text: str, old: str, new: str, *_: Any) -> int:
    return len(text) + text.count(old) * (len(new) - len(old))


def _extended(x: list[Any], more: Any) -> int:
    return len(x) + len(more)


# for each method that can: how long its result will be, at most
LENGTHS: dict[type, dict[str, Callable[..., int]]] = {
    str: {
        "ljust": _width,
        "rjust": _width,
        "center": _width,
        "zfill": _width,
        "join": _joined,
        "replace": _replaced,
        "expandtabs": lambda text, tabsize=8: len(text) + text.count("\t") * tabsize,
    },
    list: {"extend": _extended},
}


def comparing(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that compares with what is in a list, with a look at how deep that is nested first."""

    def run(x: Any, *args: Any, **keywords: Any) -> Any:
        refuse_nesting(x, *args)
        return method(x, *args, **keywords)

    run.__wrapped__ = method  # type: ignore[attr-defined]
    return run


COMPARING = ("count", "index", "remove", "sort")


def bounded(method: Callable[..., Any], length: Callable[..., int]) -> Callable[..., Any]:
    """The method, with a look at the length of its result first.

    Raises (when called):
        LimitFault: it would be too long.
    """

    def run(*args: Any, **keywords: Any) -> Any:
        try:
            found = length(*args, **keywords)
        except (TypeError, AttributeError):
            found = 0  # the arguments do not fit: the method says it
        if type(found) is int:
            refuse_length(found)
        return method(*args, **keywords)

    run.__wrapped__ = method  # type: ignore[attr-defined]
    return run
