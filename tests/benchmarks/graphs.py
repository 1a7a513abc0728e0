"""Graphs as pictures: a large one folded, one of 5,000 nodes laid out.

A million nodes: the whole process that draws the graph folded, less the one that only runs the program, so what a
picture costs on top. 5,000 nodes: the whole process that draws them unfolded. Seconds of processor time, which other work
on the machine changes least.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from common import median, side_by_side, table

LOOPS = {
    "for": "for i in range({n}): z = z*x + y\nz",
    "while": "i = 0\nwhile i < {n}:\n    z = z*x + y\n    i += 1\nz",
    "nested": "for i in range({n}//500):\n    for j in range(500): z = z*x + y\nz",
    "calls": "def f(a): return a*x + y\nfor i in range({n}): z = f(z)\nz",
    "its own backward": "for i in range({n}): z = z*x + y\nz.backward()\nz",
}
INPUTS = ("--z", "1", "--x", "0.5", "--y", "0.3")
TURNS = 500_000  # of two nodes
FOLDED, LAID_OUT = 5.0, 10.0  # seconds: the bars


def command(*argv: str) -> Sequence[str]:
    return [sys.executable, "-m", "autodiff_cli", *argv]


def folded() -> None:
    rows = [
        ["loop of a million nodes", "run alone, CPU s", "with the picture, CPU s", "picture, s", f"bar {FOLDED:g} s"]
    ]
    for name, program in LOOPS.items():
        text = program.format(n=TURNS)
        runs = side_by_side(
            {
                "alone": command("eval", text, *INPUTS, "--graph", "none"),
                "picture": command("graph", text, *INPUTS, "--to", "svg"),
            },
            3,
        )
        alone, picture = (median([s.cpu for s in runs[side]]) for side in ("alone", "picture"))
        verdict = "met" if picture - alone < FOLDED else "missed"
        rows.append([name, f"{alone:.2f}", f"{picture:.2f}", f"{picture - alone:.2f}", verdict])
    table("A million nodes, folded", rows)


def laid_out() -> None:
    program = "for i in range(1667):\n    x = sin(x*y) + k\nx"
    inputs = ("--x", "1", "--y", "0.5", "--k", "0.1")
    rows = [["5,000 nodes unfolded", "whole process, CPU s", f"bar {LAID_OUT:g} s"]]
    with TemporaryDirectory() as folder:
        for ending in ("svg", "dot", "html"):
            path = str(Path(folder) / f"graph.{ending}")
            argv = command("graph", program, *inputs, "--unfold", "-o", path)
            seconds = median([s.cpu for s in side_by_side({ending: argv}, 3)[ending]])
            rows.append([ending, f"{seconds:.2f}", "met" if seconds < LAID_OUT else "missed"])
    table("5,000 nodes laid out", rows)


def main() -> int:
    folded()
    laid_out()
    return 0


if __name__ == "__main__":
    sys.exit(main())
