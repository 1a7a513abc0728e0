"""What may follow a run besides its result: for views that tell how a value came to be, and for the debugger.

Nothing of this costs a run that nobody follows: `Compiler` asks when it turns the tree, not while it runs.

A `Watch` wraps closures. `statement(c, s, run)` gets the closure of a statement and returns the one to be run in its
place: it calls `run(frame)`, and hands on what that returns (`compiler.block` says what it means). `decision(c, site,
test)` does the same for the test of an `if`, a `while` or a conditional expression: what it gives is a truth value.
`iteration(c, s, items)` does it for what a `for` goes through, `body(c, e, run)` for the body of a lambda.
`c` is the compiler at that place, so that `c.expr(tree)` is a closure that reads a variable there, in the same frame.
The other methods are told how far the run is.

Invariant: a run that is followed computes what it computes without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.runtime.objects import Run

if TYPE_CHECKING:
    from autodiff_cli.engine.ledger import Ledger
    from autodiff_cli.engine.trail import Trail
    from autodiff_cli.runtime.compiler import Compiler


class Watch:
    """Follows a run statement by statement; this one only looks on."""

    def statement(self, c: Compiler, s: nodes.Stmt, run: Run) -> Run:
        """The closure to be run for a statement."""
        return run

    def decision(self, c: Compiler, site: nodes.Node, test: Run) -> Run:
        """The closure to be run for a test, which gives its truth."""
        return test

    def iteration(self, c: Compiler, s: nodes.For, items: Run) -> Run:
        """The closure to be run for the iterable of a loop; what it gives is gone through once."""
        return items

    def body(self, c: Compiler, e: nodes.Lambda, run: Run) -> Run:
        """The closure to be run for the body of a lambda; it gives a 1-tuple, as `return` does."""
        return run

    def begin(self, c: Compiler) -> None:
        """A run begins; nothing of the tree has been turned yet."""

    def turned(self) -> None:
        """The whole tree has been turned; the first statement is about to run."""

    def ended(self) -> None:
        """The last statement has run; the backward pass for the user is still to come."""

    def done(self, outcome: Any) -> None:
        """All is done; `outcome` is the run's."""

    def failed(self, fault: Fault) -> None:
        """The run, or the turning of the tree, has failed."""


class Observers:
    """Who follows a run: `trail` keeps a backward walk, `ledger` what happens to gradients, `watch` every statement."""

    __slots__ = ("ledger", "trail", "watch")

    def __init__(self, trail: Trail | None = None, ledger: Ledger | None = None, watch: Watch | None = None) -> None:
        self.trail = trail
        self.ledger = ledger
        self.watch = watch

    @property
    def look_back(self) -> bool:
        """Whether something is to be described when the run has ended."""
        return self.trail is not None or self.ledger is not None or self.watch is not None


NOBODY = Observers()
