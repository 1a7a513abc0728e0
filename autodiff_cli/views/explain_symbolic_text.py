"""The formulas of `explain --symbolic` as lines and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.views.document import head
from autodiff_cli.views.explain_symbolic import Symbolic
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.text import Line, Look, clip, one_line

Path = Sequence[tuple[int, str, str]]  # line, text, what was decided


MOST = 40  # definitions that are shown of more


def symbolic_lines(
    found: Symbolic, path: Path, look: Look, wrt: Sequence[str] = (), *, full: bool = False
) -> list[Line]:
    """Each derivative with its formula and its value, what the names in them stand for, the path on which they hold.

    `full`: every definition.
    """
    lines = _formula(one_line(found.output), found.formula, found.value, look)
    lines.append([])
    for d in found.derivatives:
        if not wrt or d.name in wrt:
            lines += _formula(f"d/d{d.name}", d.formula, d.gradient, look)
    if found.definitions:
        cut = len(found.definitions) > MOST and not full
        lines += [[], [("with", "quiet")]]
        for name, text in found.definitions[:MOST] if cut else found.definitions:
            lines += _formula(name, text, None, look)
        if cut:
            lines.append([(f"{len(found.definitions) - MOST:,} more (--all shows them)", "quiet")])
    if found.at:
        told = ", ".join(f"{n} = {array_text(v, 24, ofmt=look.ofmt, ascii_only=not look.boxes)}" for n, v in found.at)
        lines += [[], [(clip(f"at {told}", look.width, look.glyphs.ellipsis), "quiet")]]
    if path:
        lines += [[], [("along this path:", "quiet")]]
        for line, text, told in path:
            room = max(20, look.width - len(told) - 2)
            lines.append([(f"{clip(f'  line {line}: {text}', room, look.glyphs.ellipsis)}: {told}", "quiet")])
    return lines


def _formula(name: str, text: str, value: Any, look: Look) -> list[Line]:
    """`name = formula = value`, over several lines where it is long."""
    shown = "" if value is None else array_text(value, 40, ofmt=look.ofmt, digits=None, ascii_only=not look.boxes)
    if text == shown:
        return [[(name, "name"), (" = ", ""), (shown, "gradient")]]
    equals: Line = [(f" = {shown}", "gradient")] if shown else []
    if len(name) + len(text) + len(shown) + 6 <= look.width:
        return [[(name, "name"), (" = ", ""), (text, "operation"), *equals]]
    import textwrap

    parts = textwrap.wrap(text, max(20, look.width - 4), break_long_words=False, break_on_hyphens=False)
    lines: list[Line] = [[(name, "name"), (" =", "")], *([("    ", ""), (part, "operation")] for part in parts)]
    return [*lines, [(f"    = {shown}", "gradient")]] if shown else lines


def symbolic_document(run: Any, found: Symbolic, path: Path, wrt: Sequence[str] = ()) -> dict[str, Any]:
    """The document for `--json`."""
    kept = [d for d in found.derivatives if not wrt or d.name in wrt]
    return {
        **head(run, {d.name: d.gradient for d in kept}),
        "formula": found.formula,
        "derivatives": {d.name: d.formula for d in kept},
        "at": dict(found.at),
        "definitions": [{"name": name, "formula": text} for name, text in found.definitions],
        "path": [{"line": line, "text": text, "decided": told} for line, text, told in path],
    }
