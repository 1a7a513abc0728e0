"""What the debugger stops at, and what it can be told to stop at: the records that `debugger.py` works with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from autodiff_cli.engine.node import FREED, PENDING, Node
from autodiff_cli.engine.replay import sent
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope
from autodiff_cli.runtime.evaluation import Expression
from autodiff_cli.runtime.objects import Frame
from autodiff_cli.runtime.snapshot import gradient_of

# kinds of stops
LINE, CALL, WALK, END, DONE, FAILED = "line", "call", "walk", "end", "done", "failed"
OVER = (DONE, FAILED)  # after these the program does not go on

# orders: how the program is to go on
STEP, NEXT, FINISH, CONTINUE, BACK, RESTART, QUIT = "step", "next", "finish", "continue", "back", "restart", "quit"


class Level(NamedTuple):
    """A statement that is being run. `depth`: 1 at the top level of the program, one more for each call around it.

    In a lambda `statement` is its body, an expression. For a backward walk it is None, and `frame` and `scope` are those of
    the code that called backward().
    """

    statement: nodes.Stmt | nodes.Expr | None
    line: int
    scope: Scope
    frame: Frame
    depth: int


def name_of(scope: Scope) -> str:
    """The name of the function of a scope; "" at the top level."""
    return "<lambda>" if type(scope.node) is nodes.Lambda else getattr(scope.node, "name", "")


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
    def frames(self) -> list[Level]:
        """Of each call that is open the statement that it is at, outermost first; a backward walk is one, too."""
        pairs = zip(self.stack, [*self.stack[1:], None], strict=True)
        return [one for one, inner in pairs if inner is None or inner.frame is not one.frame or inner.statement is None]

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


def turns(source: Iterator[Any], again: Callable[[], None]) -> Iterator[Any]:
    """What a `for` goes through; `again` is called before each item but the first, and where they have ended."""
    end = object()
    item = next(source, end)
    while item is not end:
        yield item
        again()
        item = next(source, end)


def gradient_now(value: Tensor) -> tuple[Any, bool]:
    """The raw gradient that a value has (None: none), and whether a walk is still adding to it."""
    node = current_node(value)
    if node is None:
        return None, False
    waiting = node.cot  # None, or FREED, unless a walk is going on
    if waiting is not None and waiting is not PENDING and waiting is not FREED:
        return waiting.value if isinstance(waiting, Tensor) else waiting, True
    return gradient_of(node), waiting is PENDING


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
