"""What a running program is made of, besides tensors and Python's own values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.errors import Status

Frame = list[Any]  # a function's: [closure cells, slot 0, slot 1, ...]; the module's: the globals themselves
Run = Callable[[Frame], Any]  # what an expression or a statement is turned into


class Marker:
    """A unique value with a name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


UNSET = Marker("UNSET")  # a slot that nothing was assigned to
BREAK = Marker("BREAK")  # what a statement returns to leave a loop ...
CONTINUE = Marker("CONTINUE")  # ... or its turn; a `return` gives a 1-tuple, everything else None


class Namespace:
    """`torch`, `math`, `F`, ...: names and what they mean."""

    __slots__ = ("name", "table")

    def __init__(self, name: str, table: dict[str, Any]) -> None:
        self.name = name
        self.table = table

    def __repr__(self) -> str:
        return f"<module '{self.name}'>"


class Native:
    """A function of the language's library that is Python's or the engine's, under the name a program calls it by.

    `plain`: it works on Python's values, so the exceptions of Python that it raises are the program's own mistakes.
    `scalar_op`: the operation of one operand that it is, if it is no more than that (see `ops.declare.unary`).
    """

    __slots__ = ("call", "name", "plain", "scalar_op")

    def __init__(self, name: str, call: Callable[..., Any], plain: bool = False) -> None:
        self.name = name
        self.plain = plain
        self.set_call(call)

    def set_call(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.scalar_op = getattr(call, "scalar_op", None)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.call(*args, **keywords)

    def __repr__(self) -> str:
        return f"<function {self.name}>"


class Bound:
    """A method of a value, not called yet: `f = x.sum`."""

    __slots__ = ("name", "owner", "run")

    def __init__(self, owner: Any, name: str, run: Callable[..., Any]) -> None:
        self.owner = owner
        self.name = name
        self.run = run

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.run(self.owner, *args, **keywords)

    def __repr__(self) -> str:
        return f"<method {self.name}>"


class Exit(Exception):
    """Carries a status out of a run that has nothing more to say."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status
