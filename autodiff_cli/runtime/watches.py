"""Watched expressions: evaluated after every statement, told when they have changed.

An expression that reads a function's own names is looked at while that function runs; any other at every statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.errors import Fault
from autodiff_cli.runtime.evaluation import Expression, locals_of
from autodiff_cli.runtime.stops import Level

NO_VALUE = object()  # of an expression that cannot be evaluated where the program is


class Watched:
    """One expression. `value`: its last value, for showing it: raw where it is a tensor, and a copy."""

    __slots__ = ("expression", "key", "level", "number", "value")

    def __init__(self, number: int, expression: Expression, level: Level) -> None:
        self.number = number
        self.expression = expression
        self.level = level  # where it has a meaning; its frame is the module's, or that of an earlier call
        self.key: Any = None
        self.value: Any = NO_VALUE


class Watches:
    """The watched expressions of one program, by number. `evaluate` gives an expression's value at a level."""

    def __init__(self, evaluate: Callable[[Expression, Level], list[Any]]) -> None:
        self.evaluate = evaluate
        self.all: dict[int, Watched] = {}

    def add(self, number: int, expression: Expression, level: Level, top: Level) -> Watched:
        """Watch an expression from now on.

        Raises:
            Fault: it reads a name that is not there.
        """
        own = locals_of(level.scope) if level.scope is not top.scope else {}
        made = Watched(number, expression, level if own.keys() & expression.names else top)
        try:
            made.key, made.value = self._value(made, level)
        except Fault as fault:
            if not expression.is_bound(made.level.scope):
                raise
            del fault
        self.all[number] = made
        return made

    def look(self, level: Level, top: Level) -> list[tuple[Watched, Any]]:
        """Those that the statement at `level` has changed, each with its value before."""
        found = []
        for one in self.all.values():
            if one.level.scope is top.scope:
                at = top
            elif one.level.scope is level.scope:
                at = level
            else:
                continue
            try:
                key, value = self._value(one, at)
            except Fault:
                key, value = None, NO_VALUE
            if key != one.key:
                found.append((one, one.value))
                one.key, one.value = key, value
        return found

    def _value(self, one: Watched, level: Level) -> tuple[Any, Any]:
        values = self.evaluate(one.expression, level if one.level.scope is level.scope else one.level)
        value = values[0] if len(values) == 1 else tuple(values)
        return fingerprint(value), snapshot_of(value)


def fingerprint(value: Any) -> Any:
    """Something that is equal for equal values, and stays as it is when the value is changed in place."""
    if type(value) is tuple:
        return tuple([fingerprint(one) for one in value])
    if not isinstance(value, Tensor):
        return repr(value)
    raw = value.value
    content = repr(raw) if isinstance(raw, (int, float)) else (raw.shape, raw.dtype.str, raw.tobytes())
    return content, value.requires_grad, current_node(value) is None


def snapshot_of(value: Any) -> Any:
    """What to show of a value later: a tensor's raw value, in memory of its own; the text of anything else."""
    if not isinstance(value, Tensor):
        return repr(value)
    return value.value.copy() if hasattr(value.value, "copy") else value.value
