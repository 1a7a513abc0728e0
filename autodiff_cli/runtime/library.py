"""What a program can name without binding it, generated from the registry and the tables of this folder.

Importing this module also registers every part of the compiler.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from autodiff_cli.engine import families
from autodiff_cli.runtime import (
    assignment,
    attributes,
    builtins,
    calls,
    comprehensions,
    definitions,
    expressions,
    loops,
    statements,
    torch_names,
)
from autodiff_cli.runtime.state import Limits, State

_PARTS = (assignment, calls, comprehensions, definitions, expressions, loops, statements)

MODULES = "<modules>"  # the entry with what `import` finds; no name of a program


@lru_cache(maxsize=1)
def _shared() -> dict[str, Any]:
    """What is the same in every run."""
    torch = torch_names.torch_namespace()
    bare = torch_names.bare_functions()
    for name in ("no_grad", "enable_grad", "set_grad_enabled", "is_grad_enabled", "inference_mode"):
        bare[name] = torch.table[name]
    for name in ("nn", "linalg", "special"):
        bare[name] = torch.table[name]
    bare["torch"] = torch
    bare["F"] = torch.table["nn"].table["functional"]
    return bare


def library(state: State) -> dict[str, Any]:
    """The names of one run."""
    shared = _shared()
    math = torch_names.math_namespace(state)
    modules = {"torch": shared["torch"], "math": math}
    return {**shared, **builtins.table(state), "math": math, MODULES: modules}


@lru_cache(maxsize=1)
def known_names() -> frozenset[str]:
    """The names that every program knows."""
    return frozenset(library(State(Limits(), None, 0))) - {MODULES}


@lru_cache(maxsize=1)
def known_attributes() -> frozenset[str]:
    """The attribute names that some value of a program has."""
    return attributes.known_attributes(library(State(Limits(), None, 0)))


def is_attribute(name: str) -> bool:
    """Whether some value of a program has an attribute of that name. Results of families not loaded yet have names, too."""
    if name not in known_attributes():
        families.load_all()
        known_attributes.cache_clear()
    return name in known_attributes()


def star_names() -> dict[str, frozenset[str]]:
    """What `from M import *` brings, by module."""
    shared = _shared()
    functional = shared["F"]
    return {
        "torch": frozenset(shared["torch"].table),
        "torch.nn.functional": frozenset(functional.table),
        "math": frozenset(torch_names.math_namespace(State(Limits(), None, 0)).table),
    }
