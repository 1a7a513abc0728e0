"""What the benchmarks share: processes run side by side, their times and peak memory, medians and ratios.

The sides of a comparison take turns (A B C, A B C, ...), so that a machine whose speed drifts treats them alike, and each
figure is the median of the runs. A process that measures itself prints one JSON object as its last line.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PEERS = Path(os.environ.get("AUTODIFF_PEERS", Path(tempfile.gettempdir()) / "autodiff-peers"))
PEER_PYTHON = PEERS / "bin" / "python"
RUNS = int(os.environ.get("AUTODIFF_RUNS", "5"))


class Sample:
    """One run of a process: seconds of wall and of processor time, peak memory in bytes, what it printed."""

    def __init__(self, wall: float, cpu: float, peak: int, output: str) -> None:
        self.wall = wall
        self.cpu = cpu
        self.peak = peak
        self.output = output

    def report(self) -> dict[str, Any]:
        """The JSON object in the last line of the output."""
        return json.loads(self.output.strip().splitlines()[-1])


def run_once(argv: Sequence[str], stdin: str = "") -> Sample:
    """Run a process to its end. Raises RuntimeError when it fails."""
    env = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as given:
        given.write(stdin.encode())
        given.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(argv, stdin=given, stdout=out, stderr=subprocess.DEVNULL, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, argv))} ended with {process.returncode}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text)


def side_by_side(commands: dict[str, Sequence[str]], runs: int = RUNS) -> dict[str, list[Sample]]:
    """Run the commands in turn, `runs` times after one round that is not counted."""
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, argv in commands.items():
            sample = run_once(argv)
            if turn:
                samples[name].append(sample)
    return samples


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def have_peers() -> bool:
    return PEER_PYTHON.exists()


def peer_has(module: str) -> bool:
    """Whether a peer could be installed here."""
    return have_peers() and subprocess.run([PEER_PYTHON, "-c", f"import {module}"], capture_output=True).returncode == 0


def table(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print a table, columns aligned."""
    print(f"\n{title}")
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for n, row in enumerate(rows):
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if not n:
            print("  " + "  ".join("-" * width for width in widths))
    sys.stdout.flush()
