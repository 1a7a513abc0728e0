#!/usr/bin/env python3
"""Runs the samples under real PyTorch: what they assert must hold there as well.

    python check_samples.py [FILTER ...]        (with a Python that has torch)

A sample is a Python program but for two additions of the language, which are translated here: a declared
input, `x: input = 2.0`, becomes a leaf tensor, and `n: const = 5` a plain assignment; the names that the
language knows without an import are looked up in torch, then in torch.nn.functional. Samples with brace
blocks are no Python and are left out by name. Exit status 1 when one fails.
"""

from __future__ import annotations

import ast
import builtins
import math
import sys
import traceback
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
WITH_BRACES = {"control/brace_blocks"}


class _Declarations(ast.NodeTransformer):
    """`x: input = e` -> `x = torch.tensor(e, requires_grad=True)`; `x: const = e` -> `x = e`."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if not isinstance(node.annotation, ast.Name) or node.value is None:
            return node
        value: ast.expr = node.value
        if node.annotation.id == "input":
            text = f"torch.tensor({ast.unparse(value)}, dtype=torch.float64, requires_grad=True)"
            value = ast.parse(text, mode="eval").body
        return ast.copy_location(ast.Assign([node.target], value), node)


def namespace(tree: ast.AST) -> dict[str, Any]:
    """The global names that a sample starts with; Python's functions win over torch's of the same name."""
    names: dict[str, Any] = {"__name__": "__main__", "torch": torch, "math": math, "F": F}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in names and not hasattr(builtins, node.id):
            for module in (torch, F):
                if hasattr(module, node.id):
                    names[node.id] = getattr(module, node.id)
                    break
    return names


def run(path: Path) -> None:
    tree = _Declarations().visit(ast.parse(path.read_text(encoding="utf-8"), str(path)))
    code = compile(ast.fix_missing_locations(tree), str(path), "exec")
    torch.set_grad_enabled(True)
    exec(code, namespace(tree))


def main(filters: list[str]) -> int:
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    passed, failed = 0, []
    for path in sorted(SAMPLES.rglob("*.ad")):
        name = path.relative_to(SAMPLES).with_suffix("").as_posix()
        if name in WITH_BRACES or (filters and not any(f in name for f in filters)):
            continue
        try:
            run(path)
            passed += 1
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            line = next((f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)), where)
            print(f"{name}:{line.lineno}: {line.line}\n    {type(error).__name__}: {error}")
            failed.append(name)
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
