"""The library as the registry knows it: one `Entry` a function, with its derivatives as formulas.

Nothing is written by hand here: names, places, signatures, formulas and conventions are read off
`engine/registry.py`, the families are the modules of `engine/ops/`, their titles those modules' first lines.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine import families, methods
from autodiff_cli.engine.registry import FUNCTIONS, OPS, Function, Op
from autodiff_cli.engine.symbol import formula, operand_names

_PREFIX = {
    "torch": "torch.",
    "F": "torch.nn.functional.",
    "linalg": "torch.linalg.",
    "special": "torch.special.",
    "autograd": "torch.autograd.",
    "autograd.functional": "torch.autograd.functional.",
    "func": "torch.func.",
}
_FAMILIES = methods.__package__ + ".ops."
_SHARED = _FAMILIES + "declare"  # makes functions for all families

Derivative = tuple[str, str | None]  # an operand, the local derivative with respect to it (None: a rule on arrays)


class Entry:
    """One function of the library.

    Attributes:
        name: the canonical one; `aliases`: the others.
        spellings: how programs can call it: `torch.sin`, `x.sin`, `F.relu` in full.
        signature: PyTorch's parameters.
        about: one line.
        family: the title of its module.
        ops: the primitives that it runs.
    """

    __slots__ = ("about", "aliases", "family", "name", "ops", "signature", "spellings")

    def __init__(self, name: str, functions: list[Function]) -> None:
        first = functions[0]
        self.name = name
        self.aliases = tuple(dict.fromkeys(n for f in functions for n in f.names if n != name))
        self.spellings = tuple(_spelt(place, f.name) for f in functions for place in f.places)
        self.signature = _signature(first.call)
        self.about = first.about
        self.family = _family(first)
        self.ops = tuple(dict.fromkeys(op for f in functions for op in f.ops))


def catalogue() -> list[Entry]:
    """All functions, by family and name."""
    families.load_all()
    groups: dict[str, list[Function]] = {}
    for function in dict.fromkeys(FUNCTIONS.values()):
        groups.setdefault(function.name, []).append(function)
    entries = [Entry(name, functions) for name, functions in groups.items()]
    return sorted(entries, key=lambda entry: (entry.family, entry.name))


def derivatives(op: Op) -> list[Derivative] | None:
    """The local derivatives of an op that the rules give; None: it has none at all."""
    if op.vjps is None:
        return None
    if op.variadic:
        return [("each", None)]
    names = operand_names(op)
    return [(names[i], formula(op, i)) for i, rule in enumerate(op.vjps) if rule is not None]


def find(name: str) -> list[Entry]:
    """The functions of a name, an alias (`arcsin`), a spelling (`torch.sin`), or of an op (`pow_scalar`)."""
    entries = catalogue()
    bare = name.rpartition(".")[2]
    exact = [e for e in entries if name == e.name or name in e.spellings or bare == e.name or bare in e.aliases]
    if exact:
        return exact
    return [e for e in entries if any(name in (op.name, op.grad_fn) for op in e.ops)]


def known_names() -> list[str]:
    """Every name that `find` takes, for suggestions."""
    families.load_all()
    return [*(name for _, name in FUNCTIONS), *OPS]


def _spelt(place: str, name: str) -> str:
    return f"x.{name}" if place == "Tensor" else _PREFIX.get(place, place + ".") + name


def _signature(call: Callable[..., Any]) -> str:
    """The parameters with their defaults, without annotations."""
    found = inspect.signature(call)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values()]
    return str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def _home(function: Callable[..., Any]) -> str:
    """The module that a function was written in, also where a wrapper of another module is around it."""
    while function.__module__ == _SHARED:
        inside = [cell.cell_contents for cell in function.__closure__ or () if callable(cell.cell_contents)]
        if not inside:
            break
        function = inside[0]
    return function.__module__


def _family(function: Function) -> str:
    """The title of the module that a function is declared in."""
    candidates = [function.call.__module__]
    for op in function.ops:
        candidates += [_home(f) for f in (op.array, *(op.vjps or ())) if f is not None]
    own = [name for name in candidates if name.startswith(_FAMILIES) and name != _SHARED]
    module = sys.modules[own[0] if own else candidates[0]]
    first = (module.__doc__ or module.__name__).strip().split("\n\n")[0]
    return " ".join(first.split()).split(":")[0].split(". ")[0].rstrip(".")
