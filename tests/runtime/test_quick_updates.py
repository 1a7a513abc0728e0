"""The short ways of changes in place leave what the long way leaves."""

from __future__ import annotations

import random

import pytest

from autodiff_cli import Program
from autodiff_cli.errors import Fault
from autodiff_cli.runtime import statements

HEAD = """
x: input = 1.5
c: const = 0.75
def show(fn):
    return "." if fn is None else fn.name() + "(" + ",".join(show(f) for f, _ in fn.next_functions) + ")"
"""
STEPS = [
    "z += x", "z -= c", "z *= x", "z /= x", "z += 1", "z *= 0.5", "z -= True", "z /= 0.0", "z += z", "z *= z", "z += t", "t += z",
    "u = z * z", "u = u + z", "z += u", "u += z", "v = z.detach()", "v += 1.0", "w = z.view(1)", "w *= 2.0", "z += w[0]",
    "z = z * 2", "u = torch.exp(z)", "u = u * z", "r.append(z * x)", "z.retain_grad()", "h = z.register_hook(lambda g: g * 2)",
    "print(z._version, show(z.grad_fn))", "print(u.grad_fn.name(), z)", "z.data *= 2.0", "z += v", "u.backward(retain_graph=True)",
    "with torch.no_grad(): z += 1.0", "with torch.no_grad(): z *= x", "u = sum(r)", "s += z", "s -= 0.5", "u = u + s", "n += z", "u = u + n",
]  # fmt: skip
SETTING = "z = x * 2\nu = z + 0\nt = torch.ones(2) * x\ns = torch.tensor(2.0)\nr = [x * 1]\nv = torch.tensor(1.0)\nw = torch.ones(1)\nn = 3.0\n"


def outcome(text):
    try:
        run = Program.load(text).run(graph=False, backward=False)
    except Fault as fault:
        return type(fault).__name__, fault.message, fault.span
    return run.printed, repr(run.value)


def test_random_programs_are_the_same_with_and_without(monkeypatch):
    chosen = random.Random(5)
    ends = "u.backward()\nprint(x.grad, u)\nprint(show(u.grad_fn), z._version)\n"
    short = statements.quick_update
    taken, failed = [], 0
    for _ in range(400):
        body = "\n".join(chosen.choice(STEPS) for _ in range(chosen.randint(2, 9)))
        text = f"{HEAD}{SETTING}{body}\nu = u + z\n{ends}"
        monkeypatch.setattr(statements, "quick_update", lambda *a: taken.append(short(*a)) or taken[-1])
        with_it = outcome(text)
        monkeypatch.setattr(statements, "quick_update", lambda *_: False)
        assert outcome(text) == with_it, body
        failed += isinstance(with_it[0], str)
    assert taken.count(True) > 200
    assert 50 < failed < 350


@pytest.mark.parametrize("step", ["z += x", "z -= x", "z *= x", "z /= x", "z += 2", "z -= 0.5", "z *= 3"])
def test_what_saved_the_old_value_is_stale(step):
    text = f"{HEAD}z = x * 2\ny = z * z\n{step}\ny.backward()\n"
    with pytest.raises(Fault, match="changed in place"):
        Program.load(text).run(backward=False)
    Program.load(text.replace("y = z * z", "y = z + z")).run(backward=False)  # which saves nothing
