"""The exact message of each mistake that shows when a program runs: tests/errors/runtime/NAME.ad and NAME.txt.

A file's first line has the options it is run with. `python tests/runtime/test_error_messages.py` writes the messages
anew; read what changed before you commit it.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cli.harness import autodiff

FOLDER = Path(__file__).resolve().parents[1] / "errors" / "runtime"
PROGRAMS = sorted(FOLDER.glob("*.ad"))


def message_of(path: Path) -> str:
    """What `autodiff eval` says of the program on standard error, and its status."""
    head, text = path.read_text().split("\n", 1)
    options = shlex.split(head.removeprefix("# autodiff eval this"))
    result = autodiff("eval", "-", *options, stdin=text.encode())
    assert "Traceback" not in result.err
    return f"{result.err}exit status {result.status}\n"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_message(path):
    assert message_of(path) == path.with_suffix(".txt").read_text()


def test_every_message_is_an_error_with_a_status_of_the_contract():
    assert PROGRAMS
    for path in PROGRAMS:
        text = path.with_suffix(".txt").read_text()
        assert "error: " in text
        assert text.rstrip().rsplit(" ", 1)[-1] in {"1", "2", "3", "4"}


if __name__ == "__main__":
    for program in PROGRAMS:
        program.with_suffix(".txt").write_text(message_of(program))
