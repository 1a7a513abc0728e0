"""How often a loop or a function ran: what ran often is written out as Python (hot.py), which takes a moment once.

Writing out a statement of two operators takes about 1 ms, and saves about 0.5 µs a turn after that: what has run 2,000 times is
likely to run 2,000 times more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

HOT = 2_000  # turns, or calls


class Heat:
    """A count of turns, and the code that `build` gives once there were `HOT` of them; None until then."""

    __slots__ = ("_build", "_count", "code")

    def __init__(self, build: Callable[[], Callable[..., Any]]) -> None:
        self._build = build
        self._count = 0
        self.code: Callable[..., Any] | None = None

    def up(self) -> Callable[..., Any] | None:
        """Count one more; the code, if there is some now."""
        self._count += 1
        if self._count >= HOT and self.code is None:
            self.code = self._build()
        return self.code
