"""Training a small net with hand-written updates, inside the process: autodiff against PyTorch (one thread).

A 1-16-1 tanh net on 64 points, 1,000 steps. The same text runs on both sides; each process times it and prints the last
loss, which must agree.
"""

from __future__ import annotations

import sys

from common import PEER_PYTHON, ROOT, have_peers, median, side_by_side, table

PROGRAM = """
x = torch.linspace(-3, 3, 64).reshape(64, 1)
t = torch.sin(x)
k = torch.arange(16.0)
w1 = (0.5 * torch.cos(k)).reshape(1, 16).clone().requires_grad_()
b1 = torch.zeros(16, requires_grad=True)
w2 = (0.5 * torch.sin(k + 1)).reshape(16, 1).clone().requires_grad_()
b2 = torch.zeros(1, requires_grad=True)
for step in range({steps}):
    h = torch.tanh(x @ w1 + b1)
    loss = ((h @ w2 + b2 - t) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in [w1, b1, w2, b2]:
            p -= 0.05 * p.grad
            p.grad = None
print(loss.item())
"""
OURS = """
import json, sys, time
sys.path.insert(0, {root!r})
from autodiff_cli import Program
Program.load({warm!r}).run(graph=False, backward=False)
program = Program.load({text!r})
t = time.perf_counter()
run = program.run(graph=False, backward=False)
print(json.dumps({{"seconds": time.perf_counter() - t, "loss": float(run.printed[0])}}))
"""
PYTORCH = """
import contextlib, io, json, time
import torch
torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
code = compile({text!r}, "program", "exec")
out = io.StringIO()
exec(compile({warm!r}, "warm", "exec"), {{"torch": torch, "print": lambda *a: None}})
t = time.perf_counter()
with contextlib.redirect_stdout(out):
    exec(code, {{"torch": torch}})
print(json.dumps({{"seconds": time.perf_counter() - t, "loss": float(out.getvalue())}}))
"""


def main() -> int:
    if not have_peers():
        print("the peers are not installed: run setup_peers.py first")
        return 1
    text, warm = PROGRAM.format(steps=1000), PROGRAM.format(steps=10)
    commands = {
        "autodiff": [sys.executable, "-c", OURS.format(root=str(ROOT), text=text, warm=warm)],
        "PyTorch, 1 thread": [str(PEER_PYTHON), "-c", PYTORCH.format(text=text, warm=warm)],
    }
    samples = side_by_side(commands)
    seconds = {name: median([s.report()["seconds"] for s in runs]) for name, runs in samples.items()}
    losses = [runs[0].report()["loss"] for runs in samples.values()]
    assert abs(losses[0] - losses[1]) <= 1e-6 * abs(losses[1]), losses
    rows = [["side", "seconds", "last loss"]]
    rows += [[name, f"{seconds[name]:.3f}", f"{samples[name][0].report()['loss']:.9f}"] for name in commands]
    rows.append(["ratio (bar 1.0)", f"{seconds['autodiff'] / seconds['PyTorch, 1 thread']:.2f}", ""])
    table("Training a 1-16-1 tanh net on 64 points, 1,000 steps", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
