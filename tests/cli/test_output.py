"""`-o FILE`: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli.harness import Stream

from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.output import redirected
from autodiff_cli.errors import UsageFault


@pytest.fixture
def env() -> Environment:
    return Environment(None, Stream(), Stream(), {})


def test_the_file_has_what_was_written(tmp_path: Path, env: Environment) -> None:
    stdout = env.stdout
    with redirected(env, str(tmp_path / "a")):
        env.write("é\n")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "é\n"
    assert env.stdout is stdout
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_no_file_and_minus_are_standard_output(env: Environment) -> None:
    for path in (None, "-"):
        stdout = env.stdout
        with redirected(env, path):
            assert env.stdout is stdout


def test_after_a_failure_the_file_is_as_it_was(tmp_path: Path, env: Environment) -> None:
    target = tmp_path / "a"
    target.write_text("before")
    stdout = env.stdout
    with pytest.raises(RuntimeError), redirected(env, str(target)):
        env.write("half")
        raise RuntimeError
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert env.stdout is stdout


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path, env: Environment) -> None:
    target, link = tmp_path / "a", tmp_path / "b"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    with redirected(env, str(link)):
        env.write("after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    assert target.stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_written_directly(env: Environment) -> None:
    with redirected(env, os.devnull):
        env.write("gone")
    assert not os.path.isfile(os.devnull)


def test_a_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path, env: Environment) -> None:
    with (
        pytest.raises(UsageFault, match="cannot be written: no such file"),
        redirected(env, str(tmp_path / "no" / "a")),
    ):
        pass
    with pytest.raises(UsageFault, match="cannot be written: is a directory"), redirected(env, str(tmp_path)):
        pass
