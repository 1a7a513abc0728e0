"""Runs one program as `autodiff run -q FILE` does, for the tests of programs and of samples.

In this process, because two hundred starts of Python would take longer than the programs. So one program's modes,
dtype and random state must not reach the next, which a user of `autodiff run` with several files relies on too.
`run_as_process` is the same from outside, for a doubt about that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from cli.harness import autodiff

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 20.0

Outcome = tuple[int, str, str]


def run_here(path: Path) -> Outcome:
    """(exit status, stdout, stderr) of `autodiff run -q PATH`, run in this process."""
    status, out, err = autodiff("run", "-q", str(path))
    return status, out, err


def run_as_process(path: Path) -> Outcome:
    """The same, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "autodiff_cli", "run", "-q", str(path)],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT_S,
    )
    return done.returncode, done.stdout, done.stderr


run_program: Callable[[Path], Outcome] = run_here
