"""Help, completion, man pages: all from the tables."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli.harness import autodiff

from autodiff_cli import __version__
from autodiff_cli.cli.commands import COMMANDS, LATER
from autodiff_cli.cli.options import OPTIONS
from autodiff_cli.errors import Status

SHOWN = [name for name, command in COMMANDS.items() if not command.hidden]


def test_help_shows_examples_first_then_all_commands_and_exit_codes() -> None:
    for argv in (("--help",), ("-h",), ("help",)):
        result = autodiff(*argv)
        assert (result.status, result.err) == (0, "")
        headings = [line for line in result.out.splitlines() if line.endswith(":") and not line.startswith(" ")]
        assert headings[0] == "Examples:"
    for name in SHOWN:
        assert f"\n  {name} " in result.out
    for status in Status:
        assert f"\n  {int(status)} " in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_all_its_options(name: str) -> None:
    result = autodiff(name, "--help")
    assert result == autodiff("help", name) == autodiff(name, "anything", "-h", "--json")
    assert result.status == 0
    for option in COMMANDS[name].options:
        assert option.spelt in result.out


@pytest.mark.parametrize("width", ["80", "200"])
def test_help_fits_the_width(width: str) -> None:
    for name in ("--help", *(f"{name} --help" for name in COMMANDS)):
        out = autodiff(*name.split(), variables={"COLUMNS": width}).out
        assert max(len(line) for line in out.splitlines()) <= int(width), name


def test_help_of_what_is_not_there() -> None:
    result = autodiff("help", "evl")
    assert (result.status, result.err) == (2, "error: there is no command evl\nhint: did you mean eval?\n")


def test_without_a_command_the_message_says_where_to_start() -> None:
    result = autodiff()
    assert result.status == 2
    assert result.err.splitlines()[-1].strip() == "see autodiff --help"


def test_version() -> None:
    assert autodiff("--version") == (0, f"autodiff {__version__}\n", "")


def test_later_commands_are_not_there_yet_and_say_so() -> None:
    assert not set(LATER) & set(COMMANDS)
    for name in LATER:
        assert "planned, and not there yet" in autodiff(name, "x").err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = autodiff("completion", shell)
    assert result.status == 0
    assert "_AUTODIFF_COMPLETE" in result.out
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=result.out, text=True).returncode == 0


def test_completion_of_no_shell() -> None:
    assert autodiff("completion").status == 2
    assert "bash or zsh or fish" in autodiff("completion", "tcsh").err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("autodiff ", set(SHOWN)),
        ("autodiff eval --max-", {f"--{name}" for name in OPTIONS if name.startswith("max-")}),
        ("autodiff eval x --x 2 --color ", {"auto", "always", "never"}),
        ("autodiff completion ", {"bash", "zsh", "fish"}),
        ("autodiff run --su", {"--summary"}),
    ],
)
def test_what_a_shell_is_told(words: str, expected: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    result = autodiff(variables={"_AUTODIFF_COMPLETE": "bash_complete"})
    assert result.status == 0
    assert {line.partition(",")[2] for line in result.out.splitlines()} == expected


def test_an_unknown_shell_asks_in_vain() -> None:
    assert autodiff(variables={"_AUTODIFF_COMPLETE": "tcsh_complete"}) == (2, "", "")


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_man_pages_say_what_help_says(name: str, tmp_path: Path) -> None:
    page = autodiff("man", *name.split()).out
    assert page.startswith(f'.TH "AUTODIFF{"-" * bool(name)}{name.upper()}" "1"')
    plain = page.replace("\\-", "-").replace("\\(dq", '"').replace("\\e", "\\").replace("\\&", "")
    for option in COMMANDS[name].options if name else ():
        assert option.spelt in plain
    for line in autodiff(*name.split(), "--help").out.splitlines():
        for word in line.split():
            assert word.rstrip(".") in plain or word.rstrip(":").upper() in plain, word


def test_man_of_several_commands_is_a_mistake() -> None:
    assert autodiff("man", "eval", "grad").status == 2
    assert autodiff("man", "evil").status == 2


@pytest.mark.parametrize("name", SHOWN)
def test_every_example_is_a_command_as_it_is_typed(name: str) -> None:
    out = autodiff(name, "--help", variables={"COLUMNS": "200"}).out
    examples = out.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    typed = [line for line in examples if line.startswith("  ") and not line.startswith("   ")]
    assert typed and all(re.match(r"  (\w+=\$\()?autodiff ", line) for line in typed)
