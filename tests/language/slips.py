"""What a text's slip is, and how its message is written down: shared by the tests of messages.

Run as a script (`python tests/language/slips.py`) it writes tests/errors/syntax/ anew from the table and the
messages of today; read the difference before it is committed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.mistakes import slips
from autodiff_cli.language.parser import MAX_DEPTH, parse
from autodiff_cli.language.scope import analyse
from autodiff_cli.source import Source

GOLDEN = Path(__file__).resolve().parents[1] / "errors" / "syntax"

KNOWN = frozenset((
    "torch", "math", "F", "abs", "cos", "exp", "float", "int", "len", "list", "log", "max", "min", "print",
    "range", "sin", "sqrt", "sum", "tensor", "tuple", "ValueError",
))  # fmt: skip

# An example that says in short what is too long for the table.
SPELT_OUT = {"y = (((...)))": "y = " + "-" * (MAX_DEPTH + 1) + "x"}


def fault_of(text: str) -> SyntaxFault | None:
    """The fault of a program that is read and whose names are bound; None for a program without one."""
    source = Source(SPELT_OUT.get(text, text))
    try:
        analyse(parse(source), KNOWN)
    except SyntaxFault as fault:
        fault.source = source
        return fault
    return None


def slips_of(fault: SyntaxFault) -> set[str]:
    """The names of the slips whose message and hint these can be: one, but for a few that differ by their
    parts alone.
    """
    found = set()
    for name, slip in slips().items():
        hint = slip.hint if fault.hint is not None else None
        if _pattern(slip.message).fullmatch(fault.message) and _pattern(hint or "").fullmatch(fault.hint or ""):
            found.add(name)
    return found


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\{|\}\}|\{\w+\})", template)
    spelt = {"{{": r"\{", "}}": r"\}"}
    return re.compile("".join(spelt.get(p, ".*" if p.startswith("{") else re.escape(p)) for p in parts), re.DOTALL)


def rendered(fault: SyntaxFault) -> str:
    """Place, text, message and hint, as the golden files have them."""
    assert fault.source is not None and fault.span is not None
    begin, end = (fault.source.position(offset) for offset in fault.span)
    lines = [f"{begin.line}:{begin.column}-{end.line}:{end.column}", fault.message]
    lines += [f"hint: {fault.hint}"] if fault.hint else []
    for span, phrase in fault.notes:
        place = fault.source.position(span.start)
        lines.append(f"note: {place.line}:{place.column} {phrase}")
    return "\n".join(lines) + "\n"


def main() -> None:
    for path in GOLDEN.iterdir():
        path.unlink()
    for name, slip in slips().items():
        fault = fault_of(slip.example)
        assert fault is not None, name
        (GOLDEN / f"{name}.ad").write_bytes((slip.example + "\n").encode())
        (GOLDEN / f"{name}.txt").write_text(rendered(fault), encoding="utf-8")


if __name__ == "__main__":
    main()
