"""Formulas of what operations on arrays send: each is evaluated, and is what the engine sent."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff_cli import Program
from autodiff_cli.engine.trail import Trail
from autodiff_cli.runtime.observers import Observers
from autodiff_cli.source import Source
from autodiff_cli.views.explain import Explanation, explanation, operands_of
from autodiff_cli.views.explain_arrays import array_formula

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.ad"))
MAKE = """
A = torch.tensor([[1., 2., -1.], [3., .5, 4.]], requires_grad=True)
S = torch.tensor([[2., .3], [.7, 4.]], requires_grad=True)
T = torch.tensor([[[1., 2.], [3., 4.]], [[.5, -1.], [2., .1]]], requires_grad=True)
v = torch.tensor([1., -2., .5], requires_grad=True)
u = torch.tensor([.4, 3.], requires_grad=True)
w = torch.tensor([[1., .2, 3.], [-.4, 5., .6]])
"""
# a result of any shape, and the formula of what its first operand gets
FORMULAS = {
    "S @ A": "g @ A.mT",
    "torch.mm(S, A)": "g @ A.mT",
    "A @ v": "outer(g, v)",
    "u @ A": None,
    "T @ S": None,
    "torch.bmm(T, T)": "g @ T.mT",
    "torch.dot(v, v)": "v",
    "torch.addmm(A, S, A, beta=2, alpha=3)": "2 * g",
    "torch.addmv(u, A, v)": "g",
    "torch.addr(S, u, u)": "g",
    "torch.addbmm(S, T, T)": "g",
    "torch.baddbmm(T, T, T, alpha=.5)": "g",
    "torch.outer(u, v)": None,
    "F.linear(A, w, u)": None,
    "torch.einsum('ij,j->i', A, v)": "einsum('i,j->ij', g, v)",
    "torch.einsum('ij,ik,k->j', A, S, u)": None,
    "torch.einsum('ij->ji', A)": "einsum('ji->ij', g)",
    "A.softmax(1)": "r * (g - (g * r).sum(1, keepdim=True))",
    "A.log_softmax(0)": "g - exp(r) * g.sum(0, keepdim=True)",
    "torch.logsumexp(A, 1)": "expand(g) * exp(A - expand(r))",
    "A.logcumsumexp(1)": "exp(A) * (g * exp(-r)).flip(1).cumsum(1).flip(1)",
    "A.cumsum(0)": "g.flip(0).cumsum(0).flip(0)",
    "A.cumprod(1)": "(g * r).flip(1).cumsum(1).flip(1) / A",
    "A.sum()": "expand(g)",
    "A.sum(1)": "expand(g)",
    "A.sum((0, 1), keepdim=True)": "expand(g)",
    "A.mean()": "expand(g) / n",
    "A.mean(0)": "expand(g) / n",
    "A.var()": "2 * expand(g) * (A - A.mean((0, 1), keepdim=True)) / (n - 1)",
    "A.var(1, correction=0)": "2 * expand(g) * (A - A.mean(1, keepdim=True)) / n",
    "A.std(0)": "expand(g) * (A - A.mean(0, keepdim=True)) / (n - 1) / expand(r)",
    "A.amax(1)": "where(A == expand(r), expand(g / count), 0)",
    "A.max()": "where(A == expand(r), expand(g / count), 0)",
    "A.norm()": "expand(g) * A / expand(r)",
    "torch.linalg.vector_norm(A, 3, 1)": "expand(g) * sign(A) * (abs(A) / expand(r)) ** 2",
    "torch.linalg.vector_norm(A, 1)": "expand(g) * sign(A)",
    "torch.linalg.vector_norm(A, float('inf'), 0)": "where(abs(A) == expand(r), expand(g / count), 0) * sign(A)",
    "torch.trace(S)": "g * I",
    "torch.linalg.det(S)": "expand(g * r) * inv(S).mT",
    "torch.linalg.slogdet(T)[1]": None,
    "torch.linalg.inv(S)": "-r.mT @ g @ r.mT",
    "torch.linalg.solve(S, A)": "-solve(S.mT, g) @ r.mT",
    "torch.linalg.pinv(A)": None,
    "torch.linalg.cross(A, w, dim=1)": "cross(w, g, -1)",
    "A.mT": "g.mT",
    "T.transpose(0, 1)": "g.transpose(0, 1)",
    "T.permute(2, 0, 1)": "g.permute(1, 2, 0)",
    "A.reshape(3, 2)": "g.reshape(2, 3)",
    "v.unsqueeze(0)": "g.reshape(3)",
    "F.mse_loss(A, w)": None,
    "F.cross_entropy(A, torch.tensor([2, 0]))": None,
}


def explained(program: str) -> tuple[Any, Explanation]:
    source = Source(program, "test.ad")
    trail = Trail()
    run = Program.load(source).run({}, observers=Observers(trail=trail))
    return run, explanation(run, trail, source)


def evaluated(step: Any, operands: list[Any]) -> Any:
    """The value of a step's formula, in the names of the rule; None: it is in words, or multiplies g."""
    record = step.node.record
    from autodiff_cli.views.explain import formula_text
    from autodiff_cli.views.explain_arrays import _rule_names

    names = _rule_names(record, len(operands))
    node = step.node._replace(name="y_", text="", part=False)
    called = [x._replace(name=f"{name}_", text="", part=False) for name, x in zip(names, operands, strict=False)]
    text, _ = array_formula(node, called, step.position, formula_text(record.op, step.position, record.params)) or (
        "",
        0,
    )
    try:
        words = {n.id for n in ast.walk(ast.parse(text or "", mode="eval")) if isinstance(n, ast.Name)}
    except SyntaxError:
        return None
    shape = np.shape(operands[step.position].value)
    if "g" not in words or words & {"rstd", "xhat", "phi"} or ("I" in words and len(set(shape)) > 1):
        return None
    kept, n = (1,) * len(shape), int(np.prod(shape))
    dim = record.params.get("dim")
    if dim is not None:
        dims = {d % max(1, len(shape)) for d in (dim if isinstance(dim, tuple) else (dim,))}
        kept = tuple(1 if i in dims else size for i, size in enumerate(shape))
        n = int(np.prod([shape[i] for i in dims]))
    elif step.node.shape and "expand" in words:  # of a batch of matrices
        kept = (*shape[:-2], 1, 1)
    values = {"g": step.incoming, "y_": step.node.value}
    values |= {f"{name}_": x.value for name, x in zip(names, operands, strict=False)}
    prelude = f"def expand(v):\n    return v.reshape({kept}).expand({shape})\n"
    prelude += f"n = {n}\nI = torch.eye({shape[-1] if shape else 1})\n"
    if "count" in words:
        other = "abs(x_)" if "abs" in words else "x_"
        prelude += f"count = ({other} == expand(y_)).double().sum({tuple(range(len(shape))) if dim is None else dim}, "
        prelude += f"keepdim=True).reshape({np.shape(step.node.value)})\n"
    given = {name: v for name, v in values.items() if name in words or name in prelude}
    return np.asarray(
        Program.load(f"from torch import einsum, outer\nfrom torch.linalg import inv, solve\n{prelude}{text}")
        .run(given, backward=False)
        .value
    )


def check(explained: Explanation) -> int:
    """Evaluate every formula of a pass that is one; how many."""
    operands, count = operands_of(explained.graph), 0
    for step in explained.steps:
        found = evaluated(step, operands[step.node.id])
        if found is None or step.product is None:
            continue
        if found.shape != np.shape(step.product):  # the operand was broadcast
            extra = tuple(range(found.ndim - np.ndim(step.product)))
            found = found.sum(extra)
        np.testing.assert_allclose(
            found, step.product, rtol=1e-9, atol=1e-12, err_msg=f"{step.node.text}: {step.formula}"
        )
        count += 1
    return count


@pytest.mark.parametrize(("call", "formula"), FORMULAS.items(), ids=FORMULAS)
def test_a_formula_is_the_rule(call: str, formula: str | None) -> None:
    _, told = explained(MAKE + f"r = {call}\n(r * torch.linspace(.5, 2., r.numel()).reshape(r.shape)).sum()\n")
    steps = [step for step in told.steps if step.node.name == "r" or step.node.text == call]
    assert steps
    if formula is not None:
        assert steps[0].formula == formula
    for step in told.steps:
        assert step.formula is not None or step.local is not None, step.node.text
    check(told)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_formulas_of_the_samples(sample: Path) -> None:
    _, told = explained(sample.read_text(encoding="utf-8"))
    check(told._replace(steps=told.steps[:300]))
