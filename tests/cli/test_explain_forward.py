"""`autodiff explain --forward`: which node each line made, and why some made none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cli.harness import autodiff


def steps(program: str, *argv: str) -> list[dict[str, Any]]:
    result = autodiff("explain", program, "--forward", *argv, "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)["steps"]


def step(program: str, line: int, *argv: str) -> dict[str, Any]:
    return [s for s in steps(program, *argv) if s["span"]["line"] == line][-1]


def test_the_nodes_that_a_line_made() -> None:
    assert step("y = (x*2 + 1).sin()", 1, "--x", "3")["nodes"] == ["MulBackward0", "AddBackward0", "SinBackward0"]


REASONS = [
    *(
        (f"y = x*x\n{line}\nx*y", 2, "gradient", "no: gradients have a graph with create_graph=True alone")
        for line in (
            "d, = torch.autograd.grad(y.sum(), x, retain_graph=True)",
            "d = torch.autograd.grad(y.sum(), x, retain_graph=True)[0]",
        )
    ),
    ("k = torch.ones(2)\nc = k*3\nx*c", 2, "operands", "no: k requires no gradient"),
    ("k = torch.ones(2)\nx*k", 1, "fresh", "no: a new constant"),
    ("with torch.no_grad():\n    q = x*2\nx*1", 2, "no_grad", "no: torch.no_grad() at line 1"),
    (
        "torch.set_grad_enabled(False)\nq = x*2\ntorch.set_grad_enabled(True)\nx*1",
        2,
        "no_grad",
        "no: torch.set_grad_enabled(False) at line 1",
    ),
    ("d = x.detach() * 2\nx*d", 1, "detach", "no: detach() at line 1"),
    ("d = (x*2).detach()\nx*d", 1, "detach", "no: detach() at line 1"),
    ("d = x.data * 2\nx*d", 1, "detach", "no: .data at line 1"),
    ("n = (x*2).sum().item()\nx*n", 1, "number", "no: item() at line 1 made a number"),
    ("b = x > 1\nx*b", 1, "dtype", "no: bool values have no gradient"),
    ("k = x.argmax()\nx*k", 1, "dtype", "no: int64 values have no gradient"),
    ("k = x.long()\nx*k", 1, "dtype", "no: int64 values have no gradient"),
    ("k = torch.ones_like(x)\nx*k", 1, "fresh", "no: a new constant"),
    ("with torch.inference_mode():\n    q = x*2\nx*1", 2, "no_grad", "no: torch.inference_mode() at line 1"),
    ("with torch.no_grad():\n    q = (x, x*2)\nx*1", 2, "no_grad", "no: torch.no_grad() at line 1"),
    (
        "pass\n@torch.no_grad()\ndef f(t):\n    return t*2\nq = f(x)\nx*1",
        5,
        "no_grad",
        "no: @torch.no_grad() at line 2",
    ),
    (
        "def f(t):\n    q = t*2\n    return q\nwith torch.no_grad():\n    f(x)\nx*1",
        2,
        "no_grad",
        "no: torch.no_grad() at line 4",
    ),
    (
        "pass\n@torch.no_grad()\ndef g(t):\n    return f(t)\ndef f(t):\n    q = t*2\n    return q\ng(x)\nx*1",
        6,
        "no_grad",
        "no: @torch.no_grad() at line 2",
    ),
    ("d = x.detach()\ne = d\nx*e", 2, "detach", "no: detach() at line 1"),
]


@pytest.mark.parametrize(("program", "line", "reason", "told"), REASONS)
def test_why_nothing_was_recorded(program: str, line: int, reason: str, told: str) -> None:
    found = step(program, line, "--x", "[1.0, 2.0]")
    assert (found["reason"], found["nodes"], found["told"]) == (reason, [], told)


def test_enable_grad_inside_no_grad_records() -> None:
    program = "with torch.no_grad():\n    with torch.enable_grad():\n        q = x*2\n    r = x*3\nq"
    assert step(program, 3, "--x", "2")["nodes"] == ["MulBackward0"]
    assert step(program, 4, "--x", "2")["told"] == "no: torch.no_grad() at line 1"


def test_lists_and_several_targets_are_looked_into() -> None:
    program = "y = [t*2 for t in (x, x)]\na, b = y[0]*3, y[1]\na + b"
    assert step(program, 1, "--x", "2")["nodes"] == ["MulBackward0"] * 2
    assert step(program, 2, "--x", "2")["nodes"] == ["MulBackward0"]


def test_a_long_reason_is_told_whole_on_a_narrow_page() -> None:
    program = "torch.set_grad_enabled(False)\nq = x*2\ntorch.set_grad_enabled(True)\nx*1"
    shown = autodiff("explain", program, "--forward", "--x", "2", variables={"COLUMNS": "60"}).out
    assert "False) at line 1" in " ".join(shown.split())


def test_an_input_that_is_a_constant() -> None:
    result = autodiff("explain", "x*y", "--forward", "--x", "1", "--y", "2", "--no-grad", "y")
    assert "a leaf: it requires a gradient" in result.out
    assert "a constant: it requires no gradient" in result.out


def test_a_branch_not_taken() -> None:
    program = "if x > 1:\n    y = x*2\nelse:\n    y = -x\n    y = y*y\nz = y if x > 9 else y*3"
    found = steps(program, "--x", "2")
    assert [s["told"] for s in found if s["kind"] == "decision"] == ["not run: lines 4 to 5", "not computed: y"]
    assert "not run: y = x*2" in autodiff("explain", program, "--forward", "--x", "0.5").out


def test_a_change_in_place_that_is_not_recorded() -> None:
    program = "w = tensor(1.0, requires_grad=True)\nwith torch.no_grad():\n    w -= 0.5\nw*2"
    assert step(program, 1)["kind"] == "leaf"
    assert step(program, 3)["told"] == "no, in place: torch.no_grad() at line 2"


def test_nodes_of_a_function_belong_to_its_own_lines() -> None:
    program = "def f(t):\n    u = t*t\n    return u + 1\ny = f(x) * 2"
    found = steps(program, "--x", "3")
    assert [(s["span"]["line"], s["nodes"]) for s in found] == [
        (2, ["MulBackward0"]),
        (3, ["AddBackward0"]),
        (4, ["MulBackward0"]),
    ]


def test_every_node_is_told_of_once_and_turns_are_counted() -> None:
    program = "z = x\nfor i in range(3):\n    z = z*x + 1\nz"
    found = [s for s in steps(program, "--x", "2") if s["nodes"]]
    assert [s["loops"][0]["iteration"] for s in found] == [1, 2, 3]
    assert sum(len(s["nodes"]) for s in found) == 6


def test_a_followed_run_computes_the_same() -> None:
    program = "def f(t, n): return t if n == 0 else f(t.sin(), n - 1) * t\ny = f(x, 4)\ny"
    followed = json.loads(autodiff("explain", program, "--forward", "--x", "0.7", "--json").out)
    plain = json.loads(autodiff("eval", program, "--x", "0.7", "--json").out)
    assert (followed["value"], followed["inputs"]) == (plain["value"], plain["inputs"])


@pytest.mark.parametrize("width", ["80", "200"])
def test_the_page_holds(width: str) -> None:
    program = "z = x\nfor i in range(100):\n    z = (z*x + 1).tanh() + (z.sin() * z.cos()).exp()\n    if z > 3: z = z.detach()\nz"
    result = autodiff("explain", program, "--forward", "--x", "2", variables={"COLUMNS": width}, encoding="ascii")
    assert result.status == 0 and result.out.isascii()
    assert max(len(line) for line in result.out.splitlines()) <= int(width)
    assert " more" in result.out


def test_only_as_text_and_json() -> None:
    result = autodiff("explain", "x*2", "--forward", "--x", "1", "--to", "latex")
    assert result.status == 2 and "--forward is told as text or json" in result.err


def test_a_function_that_calls_itself_costs_no_more_than_its_nodes() -> None:
    """A value that each of many statements leads to is looked at once by each."""
    program = "def f(t, n): return t*t + t if n == 0 else f(t + t*0.1, n - 1)\ny = f(x, 200)\ny"
    assert sum(len(s["nodes"]) for s in steps(program, "--x", "0.001")) == 402


def test_totals_hold_what_was_left_out() -> None:
    program = "z = x\nfor i in range(12000):\n    z = z*1.0\n    d = z.detach()\nz"
    result = autodiff("explain", program, "--forward", "--x", "1")
    assert "12,000 nodes were recorded; 12,000 values left the graph" in result.out
    assert "4,002 later steps were not kept" in result.out
