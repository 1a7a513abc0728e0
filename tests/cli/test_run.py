"""`autodiff run`: batches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import autodiff

from autodiff_cli.cli import progress

GOOD = "print('good')\nx: input = 2.0\ny = x*x\n"
FAILS = "x: input = 1.0\nassert x > 1, 'too small'\n"
BROKEN = "x = = 1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two good programs, one that fails and one that is none."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "a/good.ad": GOOD,
        "a/more.ad": "z = 3\n",
        "b/fails.ad": FAILS,
        "b/broken.ad": BROKEN,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_batch_shows_each_file_and_counts() -> None:
    result = autodiff("run", "a")
    assert result.status == 0
    assert result.out.startswith("== a/good.ad ==\ngood\ny = 4\n\ngraph")
    assert result.out.endswith("== a/more.ad ==\nz = 3\n")
    assert result.err == "2 passed, 0 failed\n"


def test_a_failure_is_told_and_the_rest_goes_on() -> None:
    result = autodiff("run", "b", "a")
    assert result.status == 1
    assert "b/broken.ad:1:" in result.err
    assert "b/fails.ad:2:" in result.err
    assert "too small" in result.err
    assert result.err.endswith("2 passed, 2 failed\n")
    assert "y = 4" in result.out


@pytest.mark.parametrize(("file", "status"), [("a/more.ad", 0), ("b/fails.ad", 1), ("b/broken.ad", 3)])
def test_one_file_gives_its_own_status(file: str, status: int) -> None:
    result = autodiff("run", file)
    assert result.status == status
    assert "passed" not in result.err


def test_quiet_is_what_the_programs_print() -> None:
    assert autodiff("run", "-q", "a") == (0, "good\n", "2 passed, 0 failed\n")
    assert autodiff("run", "-q", "a/good.ad") == (0, "good\n", "")


def test_a_summary_is_one_row_a_file() -> None:
    result = autodiff("run", "--summary", "a", "b")
    lines = result.out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["file", "result"],
        ["a/good.ad", "passed"],
        ["a/more.ad", "passed"],
        ["b/broken.ad", "failed"],
        ["b/fails.ad", "failed"],
    ]
    assert lines[1].endswith("y = 4")
    assert "line 2: " in lines[4]
    assert autodiff("run", "--summary", "a/good.ad").out.splitlines()[1].endswith("y = 4")


def test_json_is_a_line_a_file() -> None:
    result = autodiff("run", "a", "b", "--json")
    assert result.status == 1
    documents = [json.loads(line) for line in result.out.splitlines()]
    assert [document["file"] for document in documents] == ["a/good.ad", "a/more.ad"]
    assert [document["value"] for document in documents] == [4.0, 3]
    errors = [json.loads(line)["error"] for line in result.err.splitlines()]
    assert [(error["file"], error["line"]) for error in errors] == [("b/broken.ad", 1), ("b/fails.ad", 2)]


def test_inputs_are_for_the_programs_that_read_them() -> None:
    assert "y = 25" in autodiff("run", "a", "--x", "5").out
    assert "passed" in autodiff("run", "--summary", "a", "b/fails.ad", "--x", "5", "--no-grad", "x").out
    result = autodiff("run", "a", "--xx", "5")
    assert (result.status, result.out) == (2, "")
    assert result.err == "error: no program of the batch reads xx\nhint: did you mean --x?\n"
    assert autodiff("run", "a", "--sumary", "5").err.endswith("did you mean --summary?\n")
    # a single file is as strict as eval
    assert autodiff("run", "a/more.ad", "--x", "5").status == 2


def test_standard_input_and_patterns() -> None:
    assert autodiff("run", "-", stdin=b"z = 2\n").out == "z = 2\n"
    assert autodiff("run", "a/*.ad", "-q").out == "good\n"
    assert autodiff("run").status == 2
    assert autodiff("run", "c").status == 2


def test_progress_only_on_a_terminal_and_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert "\r" not in autodiff("run", "a").err
    err = autodiff("run", "a", "b", terminal=True).err
    assert "1 of 4: a/good.ad" in err
    wiped = err.split("\r\x1b[2K")
    assert all(part == "" or part.startswith(("1 of", "2 of", "3 of", "4 of")) or "\n" in part for part in wiped)
    assert err.count("\r\x1b[2K") == 8  # each line is written once and wiped once
    monkeypatch.setattr(progress, "PATIENCE", 1e9)
    assert "\r" not in autodiff("run", "a", terminal=True).err
