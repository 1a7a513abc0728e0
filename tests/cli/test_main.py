"""What becomes of everything that can go wrong in a process."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from cli.harness import Result, Stream, autodiff

from autodiff_cli.cli import main as entry
from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import LimitFault, Status


def failing(error: BaseException, monkeypatch: pytest.MonkeyPatch, *argv: str) -> Result:
    """The result of a command line whose command raises `error`."""

    def dispatch(argv: list[str], env: Environment) -> NoReturn:
        env.write("so far\n")
        raise error

    monkeypatch.setattr(entry, "dispatch", dispatch)
    return autodiff("eval", "x", *argv)


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(KeyboardInterrupt(), monkeypatch) == (130, "so far\n", "")


def test_a_fault_gives_its_own_status(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(LimitFault("too long"), monkeypatch) == (4, "so far\n", "error: too long\n")


def test_a_fault_of_this_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    result = failing(ValueError("odd\nthing"), monkeypatch)
    assert result.status == 70
    assert result.err.splitlines()[0] == "error: this is a fault of autodiff itself: ValueError: odd thing"
    assert "Traceback" not in result.err
    assert "--debug" in result.err


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(ValueError("odd"), monkeypatch, "--debug").err.startswith("Traceback (most recent call last)")


def test_a_fault_of_this_program_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    error = json.loads(failing(KeyError("odd"), monkeypatch, "--json").err)["error"]
    assert error["code"] == "internal"


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(MemoryError(), monkeypatch).err == "error: there is not enough memory for this\n"


def test_a_result_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    result = failing(OSError(28, "No space left on device"), monkeypatch)
    assert (result.status, result.err) == (
        2,
        "error: the result cannot be written: no space left on device\n",
    )


def test_a_closed_pipe_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(BrokenPipeError(), monkeypatch) == (141, "so far\n", "")


def test_a_pipe_that_breaks_while_the_error_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Stream):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    env = Environment(None, Stream(), Broken(), {})
    assert entry.main(["eval", "x +"], env) == Status.SYNTAX


@pytest.mark.parametrize("argv", [("--color=always",), ("--color", "always")])
def test_colour_of_a_message_about_the_command_line_itself(argv: tuple[str, ...]) -> None:
    assert "\x1b[1;31merror: \x1b[0m" in autodiff("eval", "x", "--nope-nope", "1", *argv).err
    assert "\x1b" not in autodiff("eval", "x", "--nope-nope", "1", terminal=True, variables={"NO_COLOR": "1"}).err


def test_long_messages_are_broken_between_words_on_a_terminal_alone() -> None:
    argv: Any = ("eval", "x*y", "--" + "z" * 30 + "-" + "z" * 30, "1")
    assert (
        max(
            map(
                len,
                autodiff(*argv, terminal=True, variables={"COLUMNS": "60", "NO_COLOR": "1"}).err.split("\n"),
            )
        )
        < 80
    )
    assert len(autodiff(*argv, variables={"COLUMNS": "60"}).err.splitlines()) == 2
