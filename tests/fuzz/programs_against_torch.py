#!/usr/bin/env python3
"""Runs random programs under PyTorch and under autodiff, and compares what they print, line by line.

    PYTHONPATH=. python tests/fuzz/programs_against_torch.py --torch PYTHON [--seed 0] [--count 1000] [--out FILE]
    PYTHONPATH=. python tests/fuzz/programs_against_torch.py --torch PYTHON FILE.py ...    programs written by hand

`PYTHON` is an interpreter that has PyTorch: it is started once, makes the programs and answers for them. A program that
differs is made smaller while it still differs in the same way, and shown once for each kind of difference.
Numbers may differ by 1e-9 (1e-4 where a program has float32 in it); errors are compared by class.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import json
import math
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

HEADER = "import math\nimport torch\nimport torch.nn.functional as F\ntorch.set_default_dtype(torch.float64)\n"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w])")
GRAD_FN = re.compile(r",? ?<?grad_fn=<\w+>|<\w+ object>|\bNone\b")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")

CRASHED = "crashed"
Answer = tuple[str, str | None]  # what was printed; the class of the error that ended it, or None


# --- the side of PyTorch: a child process that answers one line of JSON for each line


def serve() -> None:
    import torch
    from generator import program

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    for line in sys.stdin:
        request = json.loads(line)
        chunks = program(request["seed"], request["length"]) if "seed" in request else request["chunks"]
        printed, error = run_torch("\n".join(chunks))
        print(json.dumps({"chunks": chunks, "printed": printed, "error": error}), flush=True)


def run_torch(text: str) -> Answer:
    import io

    import torch

    out = io.StringIO()
    error = None
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(HEADER + text, "<program>", "exec"), {"__name__": "__main__"})
    except Exception as e:
        error = class_of(e)
    torch.set_grad_enabled(True)
    torch.set_printoptions(profile="default")
    return ADDRESS.sub("", out.getvalue()), error


def class_of(error: BaseException) -> str:
    """The nearest of Python's own classes: PyTorch derives others from RuntimeError."""
    return plain(next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"))


def plain(name: str) -> str:
    """NotImplementedError is a RuntimeError, and PyTorch raises either."""
    return "RuntimeError" if name == "NotImplementedError" else name


class Torch:
    def __init__(self, python: str) -> None:
        self.child = subprocess.Popen(
            [python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.child.stdin and self.child.stdout
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:  # a few programs bring PyTorch down
            self.__init__(self.child.args[0])
            return {"chunks": request.get("chunks", []), "printed": "", "error": CRASHED}
        return json.loads(line)


# --- the side of autodiff


def run_here(text: str) -> Answer:
    from autodiff_cli.errors import Fault
    from autodiff_cli.runtime.program import Limits, Program

    parts: list[str] = []
    error = None
    try:
        Program.load(HEADER + text).run(write=parts.append, backward=False, graph=False, limits=Limits(timeout=20))
    except Fault as e:
        error = next(
            (c.__name__ for c in type(e).__mro__ if c.__module__ == "builtins" and issubclass(c, Exception)),
            "Exception",
        )
        error = plain(error)
        if error == "Exception":
            error = f"{e.code}: {e.message}"
    except Exception as e:
        error = f"BUG {type(e).__name__}: {e}"
    return "".join(parts), error


# --- comparison


def difference(text: str, ours: Answer, theirs: Answer) -> tuple[str, str] | None:
    """(kind, what differs), or None. The kind is coarse, so that a smaller program keeps it."""
    tolerance = 1e-4 if "float" in text.replace("set_default_dtype(torch.float64)", "") else 1e-9
    if str(ours[1]).startswith("usage") or (theirs[1] == "NameError" and str(ours[1]).startswith("usage")):
        return None  # a name that nothing binds is an input here, which is missing
    mine, right = ours[0].splitlines(), theirs[0].splitlines()
    for a, b in zip(mine, right, strict=False):
        if "create_graph" in text or ".func." in text or "vmap" in text or "functional" in text:
            a, b = GRAD_FN.sub("", a), GRAD_FN.sub("", b)  # how a gradient was computed is each one's own matter
        if a != b and (words := differing(a, b, tolerance)):
            return words, f"  ours   {a}\n  torch  {b}"
    if ours[1] != theirs[1]:
        return f"error {ours[1]} / {theirs[1]}", f"  ours   {ours[1]}\n  torch  {theirs[1]}"
    if len(mine) != len(right):
        return "length", f"  ours   {len(mine)} lines: {mine[-1:]}\n  torch  {len(right)} lines: {right[-1:]}"
    return None


def differing(a: str, b: str, tolerance: float) -> str:
    if "caught" in a or "caught" in b:
        return f"caught {a if 'caught' in a else '-'} / {b if 'caught' in b else '-'}"
    shape_a, shape_b = NUMBER.sub("#", a), NUMBER.sub("#", b)
    left, right = NUMBER.findall(a), NUMBER.findall(b)
    if re.sub(r"\s+", "", shape_a) != re.sub(r"\s+", "", shape_b) or len(left) != len(right):
        names = set(re.findall(r"[A-Za-z_]\w+", a)) ^ set(re.findall(r"[A-Za-z_]\w+", b))
        return "text " + " ".join(sorted(names))
    for x, y in zip(map(float, left), map(float, right), strict=True):
        if not (x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= tolerance * max(1.0, abs(x), abs(y))):
            return "number" + (
                " nan" if math.isnan(x) or math.isnan(y) else " inf" if math.isinf(x) or math.isinf(y) else ""
            )
    return "layout" if shape_a != shape_b and "e" not in shape_a else ""


# --- making programs smaller


class Reducer:
    def __init__(self, torch: Torch, kind: str, seconds: float) -> None:
        self.torch, self.kind, self.until = torch, kind, time.monotonic() + seconds

    def still(self, chunks: list[str]) -> bool:
        text = "\n".join(chunks)
        answer = self.torch.ask(chunks=chunks)
        found = difference(text, run_here(text), (answer["printed"], answer["error"]))
        return found is not None and found[0] == self.kind

    def reduce(self, chunks: list[str]) -> list[str]:
        changed = True
        while changed and time.monotonic() < self.until:
            changed = False
            for i in reversed(range(len(chunks))):
                if time.monotonic() > self.until:
                    break
                shorter = chunks[:i] + chunks[i + 1 :]
                if shorter and self.still(shorter):
                    chunks, changed = shorter, True
            for i in range(len(chunks)):
                for smaller in variants(chunks[i]):
                    if time.monotonic() > self.until:
                        break
                    if self.still([*chunks[:i], smaller, *chunks[i + 1 :]]):
                        chunks, changed = [*chunks[:i], smaller, *chunks[i + 1 :]], True
                        break
        return chunks


def variants(text: str) -> list[str]:
    """The statement with one expression replaced by a part of it, or without one of its inner statements."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    found = []
    count = sum(1 for _ in ast.walk(tree))
    for position in range(count):
        for way in range(4):
            copy = ast.parse(text)
            if _simplify(copy, list(ast.walk(copy))[position], way):
                with contextlib.suppress(ValueError):  # a part that cannot stand there
                    found.append(ast.unparse(copy))
    return sorted({f for f in found if f and len(f) < len(text)}, key=len)


def _simplify(tree: ast.AST, node: ast.AST, way: int) -> bool:
    if isinstance(node, ast.expr):
        parts = [
            c
            for c in ast.iter_child_nodes(node)
            if isinstance(c, ast.expr)
            and not (isinstance(node, ast.Call) and c is node.func and isinstance(c, ast.Name))
        ]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = [node.func.value, *node.args]
        parts = [p for p in parts if not (isinstance(p, ast.Name) and p.id in ("torch", "F", "math"))]
        if way < len(parts):
            return _replace(tree, node, [parts[way]])
    elif isinstance(node, ast.stmt) and node is not tree:
        body = getattr(node, "body", None)
        if way == 0:
            return _replace(tree, node, [])
        if way == 1 and body:
            return _replace(tree, node, body)
    return False


def _replace(tree: ast.AST, old: ast.AST, new: list[Any]) -> bool:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old and len(new) == 1:
                setattr(parent, field, new[0])
                return True
            if isinstance(value, list) and any(v is old for v in value):
                at = next(i for i, v in enumerate(value) if v is old)
                value[at : at + 1] = new
                return True
    return False


# --- the run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--torch", default=sys.executable)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--length", type=int, default=10)
    parser.add_argument("--reduce-seconds", type=float, default=8.0)
    parser.add_argument("--per-kind", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return 0
    torch = Torch(options.torch)
    requests = [{"chunks": [f.read_text()]} for f in options.files] or [
        {"seed": options.seed + i, "length": options.length} for i in range(options.count)
    ]
    kinds: collections.Counter[str] = collections.Counter()
    for request in requests:
        answer = torch.ask(**request)
        text = "\n".join(answer["chunks"])
        if answer["error"] == CRASHED:
            print(f"=== {request.get('seed', '')} PyTorch itself crashed")
            continue
        found = difference(text, run_here(text), (answer["printed"], answer["error"]))
        if found is None:
            continue
        kinds[found[0]] += 1
        if kinds[found[0]] > options.per_kind:
            continue
        show(torch, request, answer["chunks"], found, options.reduce_seconds)
    print(f"{len(requests)} programs, {sum(kinds.values())} differ:", dict(kinds.most_common()))
    return 1 if kinds else 0


def show(torch: Torch, request: dict[str, Any], chunks: list[str], found: tuple[str, str], seconds: float) -> None:
    small = Reducer(torch, found[0], seconds).reduce(chunks) if "seed" in request else chunks
    text = "\n".join(small)
    answer = torch.ask(chunks=small)
    found = difference(text, run_here(text), (answer["printed"], answer["error"])) or found
    print(f"=== {request.get('seed', '')} {found[0]}\n{text if 'seed' in request else ''}\n{found[1]}\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
