"""The state of one run: limits, the output so far, the loops that went round.

Limits are counted in fuel. Every turn of a loop and every call burns as many units as it has statements; when the
tank is empty, `refuel` looks at all the limits at once. So the hot path pays one subtraction and one comparison.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import Node
from autodiff_cli.engine.registry import settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import LimitFault, TypeFault
from autodiff_cli.runtime.observers import NOBODY, Observers

TANK = 10_000  # steps between two looks at the limits
COLLECT_AFTER = 2_000  # tanks between two collections of cycles (closures that a program made and dropped)


class Limits:
    """How far a run may go. `max_steps`: statement executions; `max_nodes`: nodes of the graph alive at once;
    `max_depth`: calls within calls; `max_elements`: of one tensor; `timeout`: seconds, or None."""

    __slots__ = ("max_depth", "max_elements", "max_nodes", "max_steps", "timeout")

    def __init__(
        self,
        max_steps: int = 100_000_000,
        max_nodes: int = 20_000_000,
        max_depth: int = 1_000,
        max_elements: int = 2**27,
        timeout: float | None = None,
    ) -> None:
        self.max_steps = max_steps
        self.max_nodes = max_nodes
        self.max_depth = max_depth
        self.max_elements = max_elements
        self.timeout = timeout


def input_tensor(value: Any, differentiable: bool, site: Any = None) -> Any:
    """An input's value as the program gets it: a float64 tensor; a `const` whole number stays an int.

    Raises:
        TypeFault: it is no number, tensor or list of numbers.
    """
    if isinstance(value, Tensor):
        value = value.value
    if isinstance(value, (list, tuple)):
        value = np.asarray(value, dtype="float64")
    if type(value) in (int, float, bool):
        if not differentiable and site is not None and type(value) is int:
            return value
        value = float(value)
    elif not hasattr(value, "dtype"):
        raise TypeFault("an input's default is a number or a list of numbers", span=None if site is None else site.span)
    else:
        value = settle(np.array(value, dtype="float64"))
    t = wrap(value)
    if differentiable:
        t.requires_grad_()
    return t


class LoopRun:
    """One run of a loop: for each turn that made nodes its number and the tape's clock at its end."""

    __slots__ = ("ends", "loop", "start", "turns")

    def __init__(self, loop: Any, start: int) -> None:
        self.loop = loop  # the tree node
        self.start = start
        self.ends = array("q")
        self.turns = array("q")


class CallRun:
    """One call of a function of the program that made nodes: those with `start < seq <= end`.

    `loops`: how many loops had been logged when it ended: they are inside of it, or before it.
    """

    __slots__ = ("end", "loops", "name", "start")

    def __init__(self, name: str, start: int, end: int, loops: int) -> None:
        self.name = name
        self.start = start
        self.end = end
        self.loops = loops


class State:
    """What one run knows of itself: its inputs, how much it may still do, and what it has written and warned of."""

    __slots__ = (
        "calls",
        "depth",
        "frozen",
        "fuel",
        "given",
        "globals",
        "handling",
        "last",
        "last_value",
        "limits",
        "log_until",
        "loops",
        "max_depth",
        "nodes_seen",
        "observers",
        "printed",
        "steps",
        "tanks",
        "warnings",
        "write",
    )

    def __init__(
        self,
        limits: Limits,
        write: Callable[[str], None] | None,
        log_until: int,
        observers: Observers = NOBODY,
    ) -> None:
        self.limits = limits
        self.observers = observers
        self.write = write
        self.fuel = 0
        self.steps = 0
        self.tanks = 0
        self.depth = 0
        self.max_depth = limits.max_depth
        self.nodes_seen = 0
        self.last: Any = None  # the statement that computed the output so far
        self.last_value: Any = None
        self.printed: list[str] = []
        self.warnings: list[str] = []
        self.loops: list[LoopRun] = []
        self.calls: list[CallRun] = []
        self.log_until = log_until  # loops and calls are logged while the tape's clock is below this
        self.handling: list[Any] = []  # the faults of the `except` blocks that are running
        self.given: dict[str, Any] = {}  # input -> its tensor
        self.frozen: frozenset[str] = frozenset()  # inputs that are to be constants
        self.globals: list[Any] = []

    def refuel(self, site: Any) -> None:
        """Fill the tank again, if no limit is passed.

        Raises:
            LimitFault: the steps, or the nodes alive, are over their limit.
        """
        self.steps += TANK - self.fuel if self.steps else 0
        limits = self.limits
        if self.steps > limits.max_steps:
            raise LimitFault(
                f"the program ran {limits.max_steps:,} statements without ending",
                hint="look for a loop whose condition never becomes false; --max-steps allows more",
                span=site.span,
            )
        if not self.steps:
            self.steps = 1
        self.tanks += 1
        if self.tanks % COLLECT_AFTER == 0:
            gc.collect()
        if tape.seq - self.nodes_seen > limits.max_nodes:
            self._count_nodes(site)
        self.fuel = min(TANK, limits.max_steps - self.steps + 1)

    def _count_nodes(self, site: Any) -> None:
        """Count the nodes that are alive; done only when as many were made as may be."""
        alive = sum(1 for thing in gc.get_objects() if type(thing) is Node)
        limit = self.limits.max_nodes
        if alive > limit:
            raise LimitFault(
                f"the graph has more than {limit:,} nodes",
                hint="detach() the state that is carried from turn to turn, or compute under no_grad() what needs "
                "no gradient; --max-nodes allows more",
                span=site.span,
            )
        self.nodes_seen = tape.seq - alive

    def declare(self, declared: Any, default: Callable[[Any], Any] | None, frame: Any) -> None:
        """Run `x: input = 2.0`: bind the value given, else the default.

        Raises:
            TypeFault: the default is no number, tensor or list of numbers.
        """
        name = declared.name
        if name not in self.given:
            assert default is not None  # an input without a default and a value is refused before the run
            self.given[name] = input_tensor(
                default(frame), declared.kind == "input" and name not in self.frozen, declared.declaration
            )
        self.globals[declared.slot] = self.given[name]

    def warn(self, message: str) -> None:
        """A warning, said once however often it comes up."""
        if message not in self.warnings:
            self.warnings.append(message)
