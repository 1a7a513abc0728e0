"""Colour, width and characters, by stream and by variables (CLI.md, convention 3)."""

from __future__ import annotations

import pytest
from cli.harness import Stream

from autodiff_cli.cli.environment import Environment


def environment(color: str = "auto", **variables: str) -> Environment:
    env = Environment(None, Stream(), Stream(), variables)
    env.color = color
    return env


@pytest.mark.parametrize(
    ("color", "terminal", "variables", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(color: str, terminal: bool, variables: dict[str, str], expected: bool) -> None:
    assert environment(color, **variables).colored(Stream(terminal)) is expected


def test_width_is_columns_or_the_terminals_or_100() -> None:
    assert environment(COLUMNS="42").width(Stream(True)) == 42
    assert environment(COLUMNS="wide").width(Stream(False)) == 100
    assert environment().width(Stream(True)) == 100  # claims to be a terminal and has no size


def test_boxes_go_by_the_encoding() -> None:
    assert environment().boxes(Stream(encoding="utf-8"))
    assert not environment().boxes(Stream(encoding="ascii"))
    assert not environment().boxes(Stream(encoding="latin-1"))
    assert not environment().boxes(Stream(encoding="no-such"))


def test_a_closed_stream_swallows_what_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stdin", None)
    env = Environment()
    env.write("x")
    env.stdout.close()
    assert env.stdin is None
