"""Makes what README.md shows: the outputs of its `console` blocks, and its tables.

    python tests/readme.py       writes README.md anew
    rendered(text)               README's text as it should be (the test compares)

Every line of a `console` block that begins with `$ ` is run by bash in the checkout, with `autodiff` being
this tree's; what it prints (both streams) follows it. Between `<!-- name -->` and `<!-- end -->` stands a
table, made from the same tables as `--help`, or from the registry.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_TABLE = re.compile(r"^<!-- (\w+) -->\n(.*?)^<!-- end -->$", re.DOTALL | re.MULTILINE)


def rendered(text: str) -> str:
    """The text with all outputs and tables made anew."""
    text = _TABLE.sub(lambda m: f"<!-- {m[1]} -->\n{TABLES[m[1]]()}<!-- end -->", text)
    return _CONSOLE.sub(lambda m: f"```console\n{_session(m[1])}```", text)


def _session(block: str) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    shown = [f"{command}\n{output(command[2:])}" for command in commands]
    return "\n".join(shown)


def output(command: str) -> str:
    """What a shell command prints, on both streams."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("AUTODIFF_", "COLUMNS", "FORCE_COLOR"))}
    variables.update(PYTHONPATH=str(ROOT), NO_COLOR="1", PYTHONUTF8="1")
    preamble = f'autodiff() {{ "{sys.executable}" -m autodiff_cli "$@"; }}\nexec 2>&1\n'
    result = subprocess.run(
        ["bash", "-c", preamble + command],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def _with_head(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return _rows([head, ("---",) * len(head)]) + _rows(rows)


def commands_table() -> str:
    from autodiff_cli.cli.help import command_rows

    return _with_head(("command", "prints"), ((f"`{usage}`", about) for usage, about in command_rows()))


def options_table() -> str:
    from autodiff_cli.cli.commands import RUNNING
    from autodiff_cli.cli.help import option_row
    from autodiff_cli.cli.options import OPTIONS

    rows = (option_row(OPTIONS[name]) for name in RUNNING)
    return _with_head(("option", ""), ((f"`{spelt}`", about) for spelt, about in rows))


def statuses_table() -> str:
    from autodiff_cli.cli.help import status_rows

    return _with_head(("exit code", ""), status_rows())


def library_table() -> str:
    from autodiff_cli.views.catalogue import catalogue

    rows = []
    for family, entries in groupby(catalogue(), key=lambda entry: entry.family):
        rows.append((family, ", ".join(f"`{entry.name}`" for entry in entries)))
    return _with_head(("family", "functions"), rows)


def later_line() -> str:
    from autodiff_cli.cli.commands import LATER

    return f"* Commands that are planned: {', '.join(f'`{name}`' for name in LATER)}.\n"


def picture() -> str:
    """A graph in the notation that web sites draw."""
    drawn = output('autodiff graph "z=(x*y+1)**2" --x 2 --y 3 --to mermaid --edges local')
    return f"```mermaid\n{drawn}```\n"


TABLES = {
    "commands": commands_table,
    "options": options_table,
    "statuses": statuses_table,
    "library": library_table,
    "later": later_line,
    "picture": picture,
}

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    README.write_text(rendered(README.read_text(encoding="utf-8")), encoding="utf-8")
