"""Functions of a program: parameters, frames, calls.

A frame is a list: the closure's cells, then a slot for each local name. A slot that an inner function captures holds
a cell, a list of one, made anew for every frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import RecursionFault, TypeFault
from autodiff_cli.runtime.heat import Heat
from autodiff_cli.runtime.objects import UNSET, Frame, Native, Run
from autodiff_cli.runtime.state import CallRun, State


class Signature:
    """The parameters of a function, in the order of its first slots."""

    __slots__ = ("count", "kinds", "names", "plain", "positional")

    def __init__(self, names: tuple[str, ...], kinds: tuple[str, ...]) -> None:
        self.names = names
        self.kinds = kinds
        self.count = len(names)
        self.positional = sum(1 for k in kinds if k in ("positional", "normal"))
        self.plain = self.positional == self.count  # no *args, no keyword-only, no **kw


class Body:
    """The statements of a function, shared by all that one `def` makes.

    `run(frame)` gives a 1-tuple on `return`, None at the end; it is replaced when the function has been called often.
    """

    __slots__ = ("run",)

    def __init__(self, run: Run, hot: Callable[[], Run] | None) -> None:
        self.run = run if hot is None else self._counted(run, Heat(hot))

    def _counted(self, run: Run, heat: Heat) -> Run:
        def counted(f: Frame) -> Any:
            code = heat.up()
            if code is None:
                return run(f)
            self.run = code
            return code(f)

        return counted


class UserFunction:
    """A `def` or a `lambda`, with its closure."""

    __slots__ = (
        "__weakref__",
        "body",
        "cells",
        "closure",
        "defaults",
        "name",
        "padding",
        "plain_count",
        "signature",
        "site",
        "size",
        "state",
        "weight",
    )

    def __init__(
        self,
        name: str,
        signature: Signature,
        defaults: dict[int, Any],
        closure: tuple[Any, ...],
        body: Body,
        size: int,
        cells: tuple[int, ...],
        weight: int,
        state: State,
        site: Any,
    ) -> None:
        self.name = name
        self.signature = signature
        self.defaults = defaults  # by parameter number
        self.closure = closure
        self.body = body
        self.size = size  # slots of a frame, the closure's included
        self.cells = cells
        self.plain_count = signature.count if signature.plain and not cells else -1  # see inline.Writer.call
        self.padding = (UNSET,) * (size - 1 - signature.count)  # the slots after the parameters
        self.weight = weight  # statements, for the step limit
        self.state = state
        self.site = site

    def __repr__(self) -> str:
        return f"<function {self.name}>"

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.run(self.bind(args, keywords))

    def frame(self, args: tuple[Any, ...] | list[Any]) -> Frame:
        """A frame with the parameters set to `args`, one each."""
        f: Frame = [self.closure, *args, *self.padding]
        for i in self.cells:
            f[i + 1] = [f[i + 1]]
        return f

    def run(self, f: Frame) -> Any:
        """Run the body in a frame.

        Raises:
            RecursionFault: the calls are nested deeper than the limit.
        """
        state = self.state
        state.fuel -= self.weight
        if state.fuel < 0:
            state.refuel(self.site)
        if state.depth >= state.max_depth:
            self.refuse_depth()
        state.depth += 1
        start = tape.seq
        try:
            result = self.body.run(f)
        finally:
            state.depth -= 1
            if tape.seq != start < state.log_until:
                state.calls.append(CallRun(self.name, start, tape.seq, len(state.loops)))
        return None if result is None else result[0]

    def refuse_depth(self) -> None:
        """Raises RecursionFault: the calls are nested deeper than the limit."""
        raise RecursionFault(
            f"calls are nested more than {self.state.max_depth:,} deep",
            hint=f"look for the case in which {self.name} does not call itself; --max-depth allows more",
            span=self.site.span,
        )

    def bind(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Frame:
        """The frame of a call.

        Raises:
            TypeFault: the arguments do not fit the parameters.
        """
        signature = self.signature
        if not keywords and signature.plain and len(args) == signature.count:
            return self.frame(args)
        slots: list[Any] = [UNSET] * signature.count
        rest = list(keywords.items())
        slots[: signature.positional] = args[: signature.positional]
        slots.extend([UNSET] * (signature.count - len(slots)))
        extra = args[signature.positional :]
        by_name = {n: i for i, n in enumerate(signature.names) if signature.kinds[i] in ("normal", "keyword")}
        others: dict[str, Any] = {}
        for name, value in rest:
            i = by_name.get(name, -1)
            if i < 0:
                others[name] = value
            elif slots[i] is not UNSET:
                raise TypeFault(f"{self.name}() gets the argument '{name}' twice", hint=self._usage())
            else:
                slots[i] = value
        self._collect(slots, extra, others)
        missing = []
        for i, value in enumerate(slots):
            if value is UNSET:
                if i in self.defaults:
                    slots[i] = self.defaults[i]
                else:
                    missing.append(f"'{signature.names[i]}'")
        if missing:
            raise TypeFault(f"{self.name}() is called without {' and '.join(missing)}", hint=self._usage())
        return self.frame(slots)

    def _collect(self, slots: list[Any], extra: tuple[Any, ...], others: dict[str, Any]) -> None:
        """Put what is left over into `*args` and `**kw`, or refuse it."""
        for i, kind in enumerate(self.signature.kinds):
            if kind == "vararg":
                slots[i] = tuple(extra)
                extra = ()
            elif kind == "kwarg":
                slots[i] = others
                others = {}
        if extra:
            given = self.signature.positional + len(extra)
            raise TypeFault(
                f"{self.name}() takes {self.signature.positional} arguments, and {given} are given", hint=self._usage()
            )
        if others:
            raise TypeFault(f"{self.name}() has no parameter '{next(iter(others))}'", hint=self._usage())

    def _usage(self) -> str:
        marks = {"vararg": "*", "kwarg": "**"}
        names = [marks.get(k, "") + n for n, k in zip(self.signature.names, self.signature.kinds, strict=True)]
        return f"it is defined as {self.name}({', '.join(names)})"


class GradMode:
    """`torch.no_grad()` and its family: what a `with` enters, and what decorates a function."""

    __slots__ = ("before", "enabled", "name")

    def __init__(self, enabled: bool, name: str) -> None:
        self.enabled = enabled
        self.name = name
        self.before: list[bool] = []

    def enter(self) -> None:
        self.before.append(tape.grad_enabled)
        tape.grad_enabled = self.enabled
        if tape.events is not None:
            tape.events.mode(self.enabled, self.name)

    def leave(self) -> None:
        tape.grad_enabled = self.before.pop()
        if tape.events is not None:
            tape.events.mode_left()

    def __call__(self, function: Any) -> Any:
        """Decorate: the function runs in this mode."""
        if not callable(function):
            raise TypeFault(f"{self.name} decorates a function")

        def run(*args: Any, **keywords: Any) -> Any:
            self.enter()
            try:
                return function(*args, **keywords)
            finally:
                self.leave()

        return Native(getattr(function, "name", self.name), run)

    def __repr__(self) -> str:
        return f"<{self.name}>"
