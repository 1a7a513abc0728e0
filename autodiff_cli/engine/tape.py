"""What the engine remembers while a program runs: the gradient mode, the clock of the graph, where execution is.

One object with slots, `tape`, read in every operation. The modes are changed only through `grad_mode` (a context
manager, so an exception cannot leave them changed).

`seq` numbers the nodes in the order in which they were made: backward sorts by it, loops and calls are joined to
nodes by it, and a change in place is older or newer than a node by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autodiff_cli.engine import dtypes


class Tape:
    """The state that operations read and the walk keeps: modes, limits, counters, observers; `tape` is the one there is."""

    __slots__ = (
        "anomaly",
        "backwards",
        "captured",
        "changed",
        "default_dtype",
        "events",
        "grad_enabled",
        "gradient_limit",
        "gradients",
        "hooked",
        "levels",
        "max_elements",
        "mutations",
        "roots",
        "seq",
        "site",
        "stepper",
        "trail",
        "walk_seconds",
        "walking",
        "warn",
    )

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """The state in which a run begins."""
        self.seq = 0
        self.site: Any = None  # the tree node that is being evaluated
        self.grad_enabled = True
        self.mutations = 0  # changes in place so far
        self.changed = 0  # the clock at the latest of them: what was saved since cannot be stale
        self.backwards = 0  # calls of backward() so far
        self.roots: Any = ()  # where the last backward walk began, kept for views when gradients are
        self.walk_seconds = 0.0  # seconds spent in backward walks so far
        self.hooked = False  # a hook was registered: until then no walk looks for one
        self.levels: list[Any] = []  # the runs of functions that torch.func transforms (nesting.py)
        self.captured: Any = None  # tells whether a tensor is a variable of the program, where one runs
        self.walking = False  # a backward walk is going on
        self.anomaly = False
        self.default_dtype = dtypes.float64
        self.max_elements = 2**27
        self.gradients: dict[Any, Any] | None = None  # node -> cotangent, kept for views when asked
        self.gradient_limit = 10_000  # ... unless a walk has more nodes than this
        self.trail: Any = None  # a Trail that keeps a walk for views, where one is asked for
        self.events: Any = None  # a Ledger that is told what happens to gradients, where one is kept
        self.stepper: Any = None  # goes through backward walks node by node, where a debugger does
        self.warn: Any = None  # called with a message

    @contextmanager
    def grad_mode(self, enabled: bool) -> Iterator[None]:
        """Gradient mode set to `enabled`, and back on the way out."""
        before = self.grad_enabled
        self.grad_enabled = enabled
        try:
            yield
        finally:
            self.grad_enabled = before


tape = Tape()
