"""The inputs of a program, and the check of what the caller gives for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from autodiff_cli.errors import UsageFault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Input
from autodiff_cli.nearest import nearest
from autodiff_cli.source import Span


class InputInfo(NamedTuple):
    """An input: its default where that is a plain number (else None), whether a gradient is taken with respect to it."""

    name: str
    default: Any
    differentiable: bool
    span: Span
    has_default: bool


def default_of(declared: Input) -> Any:
    """The default of a declared input, when it is a plain number."""
    e = declared.default
    if type(e) is nodes.UnaryOp and e.op == "-" and type(e.operand) is nodes.Constant:
        value: Any = e.operand.value
        return -value if type(value) in (int, float) else None
    return e.value if type(e) is nodes.Constant and type(e.value) in (int, float, bool) else None


def check_given(program: Any, given: Mapping[str, Any], no_grad: Collection[str]) -> None:
    """Compare what is given with what the program asks for.

    Raises:
        UsageFault: names that are no inputs, or (all listed at once) inputs without a value.
    """
    known = {i.name: i for i in program.inputs}
    for name in [*given, *no_grad]:
        if name not in known:
            raise _stranger(program, name, list(known))
    missing = [i for i in program.inputs if not i.has_default and i.name not in given]
    if missing:
        names = ", ".join(i.name for i in missing)
        flags = " ".join(f"--{i.name} 1.0" for i in missing)
        one = len(missing) == 1
        raise UsageFault(
            f"the program reads {names}, and {'it has' if one else 'they have'} no value",
            hint=f"give {'it' if one else 'each'} one, as in {flags}{_constants(missing)}",
            span=missing[0].span,
            source=program.source,
        )


def _constants(missing: list[InputInfo]) -> str:
    known = {"pi": "math.pi", "e": "math.e", "inf": "math.inf", "nan": "math.nan"}
    found = [f"{known[i.name]} for the constant {i.name}" for i in missing if i.name in known]
    return f"; or write {' and '.join(found)}" if found else ""


def _stranger(program: Any, name: str, inputs: list[str]) -> UsageFault:
    """A value for a name that is no input."""

    if name in program.scopes.module.locals:
        return UsageFault(
            f"the program gives {name} a value itself, so {name} is no input",
            hint=f"to set it from outside, declare it in the program: {name}: input = 1.0",
        )
    close = nearest(name, inputs)
    if close:
        hint = f"did you mean --{close}?"
    elif inputs:
        hint = f"its inputs are {', '.join(inputs)}"
    else:
        hint = "it has no inputs"
    return UsageFault(f"the program never reads {name}", hint=hint)
