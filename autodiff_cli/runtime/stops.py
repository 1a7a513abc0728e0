"""What the debugger stops at, and what it can be told to stop at: the records that `debugger.py` works with."""

from __future__ import annotations

from typing import Any, NamedTuple

from autodiff_cli.engine.node import FREED, PENDING, Node
from autodiff_cli.engine.replay import sent
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope
from autodiff_cli.runtime.evaluation import Expression
from autodiff_cli.runtime.objects import Frame

# kinds of stops
LINE, CALL, WALK, END, DONE, FAILED = "line", "call", "walk", "end", "done", "failed"
OVER = (DONE, FAILED)  # after these the program does not go on

# orders: how the program is to go on
STEP, NEXT, FINISH, CONTINUE, BACK, RESTART, QUIT = "step", "next", "finish", "continue", "back", "restart", "quit"


class Level(NamedTuple):
    """A statement that is being run. `depth`: 1 at the top level of the program, one more for each call around it.

    For a backward walk `statement` is None, and `frame` and `scope` are those of the code that called backward().
    """

    statement: nodes.Stmt | None
    line: int
    scope: Scope
    frame: Frame
    depth: int


class Breakpoint(NamedTuple):
    """Stops at a line, or at the calls of a function, where `condition` is true (None: always)."""

    number: int
    line: int
    function: str
    condition: Expression | None


class Walked(NamedTuple):
    """A node that a backward walk has just left.

    `number` of `size` nodes; `gradient` is its own, raw; `sent`: (operand, what it got, the sum of what it has so
    far), raw, for each operand that got something; the sum is None where it cannot be told any more.
    """

    number: int
    size: int
    node: Any
    gradient: Any
    sent: list[tuple[Any, Any, Any]]


class Stop:
    """Where the run waits.

    Attributes:
        kind: LINE before a statement, CALL in breakpoint(), WALK after a node of a backward walk, END before the
            backward pass that follows the program, DONE after everything, FAILED where a fault was raised.
        clock: how many steps (statements begun, nodes visited) led here.
        stack: the statements that are being run, outermost first.
        breakpoint: the one that stopped here, or None.
        walked: of WALK. fault: of FAILED. outcome: the run's, of DONE.
        interrupted: somebody has stopped the run here.
        returned: (function, value) of the last return, after FINISH.
    """

    __slots__ = ("breakpoint", "clock", "fault", "interrupted", "kind", "outcome", "returned", "stack", "walked")

    def __init__(self, kind: str, clock: int, stack: list[Level]) -> None:
        self.kind = kind
        self.clock = clock
        self.stack = stack
        self.breakpoint: Breakpoint | None = None
        self.walked: Walked | None = None
        self.fault: Fault | None = None
        self.outcome: Any = None
        self.interrupted = False
        self.returned: tuple[str, Any] | None = None

    @property
    def depth(self) -> int:
        return self.stack[-1].depth if self.stack else 1


class Rewind(BaseException):
    """Unwinds a run that is to be repeated up to a step."""

    def __init__(self, clock: int) -> None:
        super().__init__(clock)
        self.clock = clock


class Ended(BaseException):
    """Unwinds a run that nobody wants to go on."""


def shares(node: Node, gradient: Any) -> list[tuple[Any, Any, Any]]:
    """What each operand got from a node, and what it has so far."""
    found = []
    for i, x in enumerate(node.inputs):
        if type(x) is not Node or x.cot is None:
            continue
        share = sent(node, i, gradient)
        if share is not None:
            total = x.cot.value if isinstance(x.cot, Tensor) else x.cot
            found.append((x, share, None if total is PENDING or total is FREED else total))
    return found
