"""What is judged less strictly than 1e-12 relative and kind for kind, and why."""

from __future__ import annotations

TOLERANCES: dict[str, tuple[float, str]] = {}

# group or family -> kinds that are not judged there
_OPERANDS = "what the operands' nodes are called does not show unless a program walks next_functions"
UNJUDGED: dict[str, tuple[frozenset[str], str]] = {}
