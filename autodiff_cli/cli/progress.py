"""One line on standard error that says how far a batch is: only on a terminal, and only after half a second.

The line is wiped before anything else is written, and at the end; the cursor is never hidden, so nothing is
left to put right after a failure.
"""

from __future__ import annotations

import time

from autodiff_cli.cli.environment import Environment
from autodiff_cli.views.text import clip

PATIENCE = 0.5  # seconds


class Progress:
    """`total` steps; say each with `step`, wipe the line with `clear`."""

    def __init__(self, env: Environment, total: int) -> None:
        self.env = env
        self.total = total
        self.shown = False
        self.wanted = total > 1 and env.is_terminal(env.stderr)
        self.started = time.monotonic()

    def step(self, number: int, what: str) -> None:
        """Step `number` (from 1) begins."""
        if self.wanted and time.monotonic() - self.started > PATIENCE:
            width = self.env.width(self.env.stderr) - 1
            self.env.tell("\r\x1b[2K" + clip(f"{number} of {self.total}: {what}", width, "..."))
            self.shown = True

    def clear(self) -> None:
        """Wipe the line, if there is one."""
        if self.shown:
            self.env.tell("\r\x1b[2K")
            self.shown = False
