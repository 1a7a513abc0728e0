"""Closures of functions: which cells a new function object takes along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.language.scope import CELL, Scope
from autodiff_cli.runtime.objects import Frame


def closure_of(scope: Scope) -> Callable[[Frame], tuple[Any, ...]]:
    """What reads the closure's cells, in the frame of the scope that makes the function."""
    captures = scope.captures
    if not captures:
        return lambda f: ()
    pairs = [(kind == CELL, i) for kind, i in captures]
    return lambda f: tuple([f[i + 1] if own else f[0][i] for own, i in pairs])
