"""Every sample runs, and so holds what it asserts; what its numbers stand on is written beside them.

A sample that does not assert, or that does not say by what its numbers were computed, proves nothing: that
is tested.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from programs.running import ROOT, run_program

SAMPLES = sorted((ROOT / "samples").rglob("*.ad"))
WITNESS = re.compile(r"by (hand|SymPy|PyTorch \d|mpmath at \d+ digits)", re.IGNORECASE)


def name(path: Path) -> str:
    return path.relative_to(ROOT / "samples").as_posix()


@pytest.mark.parametrize("path", SAMPLES, ids=name)
def test_sample_holds_what_it_asserts(path: Path) -> None:
    status, _, err = run_program(path)
    assert status == 0, err


@pytest.mark.parametrize("path", SAMPLES, ids=name)
def test_sample_says_what_it_is_and_who_says_so(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert "assert " in text
    assert WITNESS.search(text)
    assert len(text.splitlines()) <= 35


def test_readme_lists_every_sample() -> None:
    readme = (ROOT / "samples" / "README.md").read_text(encoding="utf-8")
    assert [name(path) for path in SAMPLES if path.stem not in re.split(r"\W+", readme)] == []
