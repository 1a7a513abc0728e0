"""Where 1e-12 relative is more than two right implementations agree to. Each with its reason."""

from __future__ import annotations

TOLERANCES: dict[str, tuple[float, str]] = {}
