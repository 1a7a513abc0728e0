"""How fast a program is read: `python tests/benchmarks/parsing.py`.

A program of 20,000 lines to our tree, against Lark with its own Python grammar to its parse tree (same text, same run,
median of 5); and what the first parse of a short program adds to a fresh process. Ratios are what to look at: both
sides run on the same machine at the same time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

LINES = 20_000
ROUNDS = 5

PROGRAM = """
def step(x, y, lr=0.1):
    # one step of gradient descent
    z = (x * y + 1) ** 2
    for i in range(3):
        z = z * x + torch.sin(y[i]) / 2.5
        if z > 9 and i != 1:
            break
        elif not z:
            w = [a for a in xs if a > 0]
        else:
            w = {"a": 1, "b": x}
    loss = F.mse_loss(z, y, reduction="mean")
    loss.backward()
    print(f"step {i}: {loss:.4f}", x.grad, sep="")
    with torch.no_grad():
        x -= lr * x.grad
        x.grad.zero_()
    return z.sum(dim=0, keepdim=True)
"""

IMPORTS = "import enum, re, typing"  # what click loads as well
FIRST_PARSE = """
from autodiff_cli.language.parser import parse
from autodiff_cli.language.scope import analyse
from autodiff_cli.source import Source
analyse(parse(Source("z=(x*y+1)**2")), frozenset())
"""


def timed(work: Callable[[], object]) -> float:
    """Seconds, the median of the rounds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - started)
        del result
    return statistics.median(taken)


def long_program() -> None:
    from lark import Lark
    from lark.indenter import PythonIndenter

    from autodiff_cli.language.parser import parse
    from autodiff_cli.language.scope import analyse
    from autodiff_cli.source import Source

    text = PROGRAM * (LINES // PROGRAM.count("\n"))
    lines = text.count("\n")
    lark = Lark.open_from_package(
        "lark", "python.lark", ["grammars"], parser="lalr", postlex=PythonIndenter(), start="file_input"
    )
    ours = timed(lambda: parse(Source(text)))
    theirs = timed(lambda: lark.parse(text))
    module = parse(Source(text))
    bound = timed(lambda: analyse(module, frozenset(("torch", "F", "range", "print"))))
    print(f"{lines} lines, in ms a line (median of {ROUNDS})")
    print(f"  parse, to our tree            {ours / lines * 1e3:8.4f}")
    print(f"  Lark's Python, to its tree    {theirs / lines * 1e3:8.4f}")
    print(f"  ratio                         {ours / theirs:8.2f}   (the bar is 1.2)")
    print(f"  names to slots, on top        {bound / lines * 1e3:8.4f}")


def first_parse() -> None:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def process(code: str) -> Callable[[], object]:
            return lambda: subprocess.run([sys.executable, "-c", code], env=environment, check=True)

        process(FIRST_PARSE)()  # fills the cache
        bare, standard, parsed = (timed(process(code)) for code in ("pass", IMPORTS, IMPORTS + FIRST_PARSE))
    print(f"the first parse of a process, in ms (median of {ROUNDS})")
    print(f"  python alone                  {bare * 1e3:8.1f}")
    print(f"  and {IMPORTS[7:]:26}{standard * 1e3:8.1f}")
    print(f"  and the parse, names bound    {parsed * 1e3:8.1f}   (+{(parsed - standard) * 1e3:.1f})")


if __name__ == "__main__":
    long_program()
    first_parse()
