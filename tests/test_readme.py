"""What README.md shows is what the program does (see `readme.py`, which makes it)."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from readme import README, ROOT, output, rendered

TEXT = README.read_text(encoding="utf-8")


def test_outputs_and_tables_are_up_to_date() -> None:
    assert rendered(TEXT) == TEXT, "run: python tests/readme.py"


def test_the_python_block_says_what_it_prints() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    result = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == re.findall(r"  # (.*)$", block, re.MULTILINE)


def test_there_are_the_two_commands_that_ci_runs() -> None:
    commands = [line for line in TEXT.splitlines() if re.match(r"(python3 -m venv ~/|~/)\.venvs/autodiff", line)]
    assert len(commands) == 2
    assert 'autodiff eval "z=(x*y+1)**2" --x 2 --y 3' in commands[0]
    assert "-m pytest" in commands[1]


def test_no_command_of_the_page_is_a_fault_of_the_program() -> None:
    assert "this is a fault of autodiff itself" not in TEXT


@pytest.mark.parametrize(
    ("command", "shown"), [("echo one; echo two >&2", "one\ntwo\n"), ("autodiff --nope", "error: ")]
)
def test_both_streams_are_shown(command: str, shown: str) -> None:
    assert output(command).startswith(shown)


def test_what_is_said_not_to_be_there_is_not() -> None:
    (section,) = re.findall(r"^## Not there yet\n(.*?)^## ", TEXT, re.DOTALL | re.MULTILINE)
    names = re.findall(r"`(torch\.[\w.]+)`", section)
    assert len(names) >= 3
    for name in names:
        assert "error: " in output(f"autodiff eval {name}"), name
