"""How long a person waits for `autodiff`: whole processes against bare `python -c pass` of the same environment.

Run it with the Python of an environment into which the package was installed (`pip install .`, not editable: an
installed package has its bytecode). Prints ratios of wall time, median of the runs side by side.
"""

from __future__ import annotations

import os
import pty
import shutil
import sys
from pathlib import Path

from common import PEER_PYTHON, RUNS, median, peer_has, side_by_side, table

SEED = ["z=(x*y+1)**2", "--x", "2", "--y", "3"]
TORCH = (
    "import torch; x=torch.tensor(2.,requires_grad=True); y=torch.tensor(3.,requires_grad=True); "
    "z=(x*y+1)**2; z.backward(); print(z, x.grad, y.grad)"
)
JAX = "import jax; print(jax.value_and_grad(lambda x, y: (x*y+1)**2, (0, 1))(2., 3.))"


def on_a_terminal(argv: list[str]) -> list[str]:
    """The command run on a pseudo terminal: this script again, as the terminal's keeper."""
    return [sys.executable, __file__, "--terminal", *argv]


def keep_terminal(argv: list[str]) -> int:
    os.environ.pop("NO_COLOR", None)
    os.environ["TERM"] = "xterm-256color"
    return os.waitstatus_to_exitcode(pty.spawn(argv))


def main() -> int:
    python = [sys.executable, "-c", "pass"]
    command = str(Path(sys.executable).with_name("autodiff"))
    commands: dict[str, list[str]] = {
        "python -c pass": python,
        "autodiff eval --json": [command, "eval", *SEED, "--json"],
        "autodiff --help": [command, "--help"],
        "python -c pass, on a terminal": on_a_terminal(python),
        "autodiff eval, on a terminal": on_a_terminal([command, "eval", *SEED]),
        "python -c 'import click'": [sys.executable, "-c", "import click"],
    }
    if shutil.which("qalc"):
        commands["qalc"] = ["qalc", "-t", "(2*3+1)^2"]
    if peer_has("torch"):
        commands["PyTorch script"] = [str(PEER_PYTHON), "-c", TORCH]
    if peer_has("jax"):
        commands["JAX script"] = [str(PEER_PYTHON), "-c", JAX]
    samples = side_by_side(commands, max(RUNS, 11))
    bare = median([s.wall for s in samples["python -c pass"]])
    keeper = median([s.wall for s in samples["python -c pass, on a terminal"]]) - bare
    bars = {"autodiff eval --json": "8", "autodiff --help": "5", "autodiff eval, on a terminal": "11"}
    rows = [["what", "ms", "times bare Python", "bar"]]
    for name, runs in samples.items():
        wall = median([s.wall for s in runs]) - (keeper if "terminal" in name else 0.0)
        rows.append([name, f"{wall * 1e3:.1f}", f"{wall / bare:.2f}", bars.get(name, "")])
    table("Start-up, whole process", rows)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--terminal"]:
        sys.exit(keep_terminal(sys.argv[2:]))
    sys.exit(main())
