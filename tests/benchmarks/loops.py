"""Scalar loops, forward and backward, against the same loops in PyTorch: time and memory.

Each process measures itself: seconds of the loop and of backward, and its peak memory. Memory of an operation is the
difference of the peaks with many and with few operations, over their number.
"""

from __future__ import annotations

import sys

from common import PEER_PYTHON, ROOT, have_peers, median, side_by_side, table

LOOP = """
z = x
for i in range({n}):
    z = z*x + y
z
"""
LOOP_NO_GRAD = """
with torch.no_grad():
    z = x
    for i in range({n}):
        z = z*x + y
z
"""
WHILE = """
def step(v, k):
    if k % 3 == 0:
        return v*x + y
    elif v > 1.0:
        return v*0.5
    return v + y*0.25

v = x
k = 0
while k < {n}:
    v = step(v, k)
    if v < 0.1:
        v = v + 0.5
    k = k + 1
v
"""
PROGRAMS = {"loop": LOOP, "no_grad": LOOP_NO_GRAD, "while": WHILE}
X, Y = 0.999999, 1e-3

OURS = """
import json, resource, sys, time
sys.path.insert(0, {root!r})
from autodiff_cli import Program
text = {text!r}
program = Program.load(text)
t = time.perf_counter()
run = program.run({{"x": {x}, "y": {y}}}, graph=False, backward={backward})
print(json.dumps({{"seconds": time.perf_counter() - t, "nodes": run.nodes, "gradients": run.gradients,
                   "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}}))
"""
PYTORCH = """
import json, resource, time
import torch
torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
x = torch.tensor({x}, requires_grad=True)
y = torch.tensor({y}, requires_grad=True)
def program():
{indented}
    return {result}
t = time.perf_counter()
out = program()
if {backward}:
    out.backward()
seconds = time.perf_counter() - t
print(json.dumps({{"seconds": seconds, "gradients": {{"x": x.grad.item() if x.grad is not None else None}},
                   "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}}))
"""


def ours(kind: str, n: int, backward: bool = True) -> list[str]:
    text = PROGRAMS[kind].format(n=n)
    return [sys.executable, "-c", OURS.format(root=str(ROOT), text=text, x=X, y=Y, backward=backward)]


def pytorch(kind: str, n: int, backward: bool = True) -> list[str]:
    lines = PROGRAMS[kind].format(n=n).strip().splitlines()
    indented = "\n".join("    " + line for line in lines[:-1])
    return [str(PEER_PYTHON), "-c", PYTORCH.format(indented=indented, result=lines[-1], x=X, y=Y, backward=backward)]


def compare(kind: str, n: int, operations: int, bar: str, backward: bool = True) -> list[str]:
    """One row: the ratio of times against PyTorch."""
    samples = side_by_side({"autodiff": ours(kind, n, backward), "PyTorch": pytorch(kind, n, backward)})
    seconds = {name: median([s.report()["seconds"] for s in runs]) for name, runs in samples.items()}
    check_same(samples["autodiff"][0].report(), samples["PyTorch"][0].report())
    ratio = seconds["PyTorch"] / seconds["autodiff"]
    per = {name: f"{value / operations * 1e6:.2f}" for name, value in seconds.items()}
    return [kind, f"{operations:,}", per["autodiff"], per["PyTorch"], f"1/{ratio:.1f}", bar]


def check_same(a: dict[str, object], b: dict[str, object]) -> None:
    """The two sides must have computed the same gradient, or the comparison means nothing."""
    got, want = a["gradients"].get("x"), b["gradients"].get("x")  # type: ignore[attr-defined]
    assert (got is None and want is None) or abs(got - want) <= 1e-9 * abs(want), (got, want)


def memory_row(name: str, make: object, n: int, per_turn: int) -> list[str]:
    few, many = n // 50, n
    samples = side_by_side({"few": make(few), "many": make(many)}, 3)  # type: ignore[operator]
    peak = {k: median([s.report()["peak"] for s in runs]) for k, runs in samples.items()}
    return [name, f"{(peak['many'] - peak['few']) / ((many - few) * per_turn):.0f}"]


def main() -> int:
    if not have_peers():
        print("the peers are not installed: run setup_peers.py first")
        return 1
    rows = [["program", "operations", "µs an operation", "PyTorch", "ratio", "bar"]]
    rows.append(compare("loop", 500_000, 1_000_000, "1/8"))
    rows.append(compare("while", 150_000, 300_000, "1/7"))
    table("Scalar programs, forward and backward", rows)
    rows = [["program", "bytes an operation (peak)"]]
    ours_row = memory_row("autodiff", lambda n: ours("loop", n), 500_000, 2)
    torch_row = memory_row("PyTorch", lambda n: pytorch("loop", n), 500_000, 2)
    rows += [ours_row, torch_row, ["ratio (bar 1/5)", f"1/{float(torch_row[1]) / float(ours_row[1]):.2f}"]]
    rows.append(memory_row("autodiff, no_grad", lambda n: ours("no_grad", n, False), 500_000, 2))
    table("Memory of the loop", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
