"""`autodiff run --probe`: values on the way, without stopping."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import autodiff

PROGRAM = """\
def f(a):
    b = a * 2
    return b + 1

x: input = 3.0
s = 0 * x
for i in range(3):
    h = f(x) * i
    t = 1; s = s + h
    if i == 1:
        break
print(s)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "p.ad"
    path.write_text(PROGRAM)
    return str(path)


def probe(program: str, *probes: str) -> list[str]:
    options = [word for text in probes for word in ("--probe", text)]
    result = autodiff("run", "-q", program, *options)
    assert (result.status, result.err) == (0, "")
    return result.out.replace(program, "p.ad").splitlines()


def test_after_the_line_has_run_each_time_among_what_is_printed(program: str) -> None:
    assert probe(program, "9: i, float(s), t") == [
        "p.ad:9: i = 0",
        "p.ad:9: float(s) = 0.0",
        "p.ad:9: t = 1",
        "p.ad:9: i = 1",
        "p.ad:9: float(s) = 7.0",
        "p.ad:9: t = 1",
        "tensor(7., grad_fn=<AddBackward0>)",
    ]


def test_a_line_that_opens_a_block_is_looked_at_when_it_is_entered(program: str) -> None:
    assert probe(program, "7: i", "10: i", "1: a")[:-1] == [
        "p.ad:7: i = 0",
        "p.ad:1: a = tensor(3., requires_grad=True)",
        "p.ad:7: i = 1",
        "p.ad:1: a = tensor(3., requires_grad=True)",
        "p.ad:10: i = 1",
    ]


def test_a_break_and_a_return_are_lines_too(program: str) -> None:
    assert probe(program, "11: i", "3: b + i") == [
        "p.ad:3: b + i = tensor(6., grad_fn=<AddBackward0>)",
        "p.ad:3: b + i = tensor(7., grad_fn=<AddBackward0>)",
        "p.ad:11: i = 1",
        "tensor(7., grad_fn=<AddBackward0>)",
    ]


def test_one_line_programs(tmp_path: Path) -> None:
    path = tmp_path / "p.ad"
    path.write_text("z = 1; for i in range(3) { z = z*2; if z > 3 { break } }; z + 1")
    assert probe(str(path), "1: z") == [f"p.ad:1: z = {z}" for z in (1, 2, 4, 4, 4)]


def test_gradients_of_what_no_leaf_holds_come_with_the_backward_pass(program: str) -> None:
    lines = probe(program, "8: h, h.grad, x.grad")
    assert lines[:2] == ["p.ad:8: h = tensor(0., grad_fn=<MulBackward0>)", "p.ad:8: x.grad = None"]
    assert sorted(lines[-2:]) == ["p.ad:8: h.grad (time 1) = tensor(1.)", "p.ad:8: h.grad (time 2) = tensor(1.)"]


def test_a_gradient_that_never_comes_is_none(tmp_path: Path) -> None:
    path = tmp_path / "p.ad"
    path.write_text("x: input = 1.0\nh = x * 2\nz = x * 3")
    assert probe(str(path), "2: h.grad") == ["p.ad:2: h.grad (time 1) = None"]


def test_an_expression_that_fails_says_why_and_the_program_goes_on(program: str) -> None:
    lines = probe(program, "8: [1][i]", "5: s")
    assert lines[:3] == [
        "p.ad:5: s = ('s' has no value here)",
        "p.ad:8: [1][i] = 1",
        "p.ad:8: [1][i] = (the list has no such element)",
    ]
    assert lines[-1] == "tensor(7., grad_fn=<AddBackward0>)"


def test_a_probed_run_is_the_run_without(program: str) -> None:
    plain = json.loads(autodiff("run", "--json", program).out)
    seen = json.loads(autodiff("run", "--json", program, "--probe", "8: torch.rand(2), h.exp(), f(h)").out)
    probes = seen.pop("probes")
    assert {**seen, "graph": None} == {**plain, "graph": None}
    assert [p["value"] for p in probes if p["expression"] == "f(h)"] == [1.0, 15.0]
    assert [sorted(p) for p in probes[:1]] == [["expression", "line", "value"]]


def test_json_has_arrays_times_and_none(program: str) -> None:
    probes = json.loads(autodiff("run", "--json", program, "--probe", "8: h.grad, x.grad, torch.ones(2), f").out)[
        "probes"
    ]
    assert {"line": 8, "expression": "torch.ones(2)", "value": [1.0, 1.0]} in probes
    assert {"line": 8, "expression": "x.grad", "value": None} in probes
    assert {"line": 8, "expression": "f", "value": "<function f>"} in probes
    assert {"line": 8, "expression": "h.grad", "value": 1.0, "time": 2} in probes


@pytest.mark.parametrize(
    ("text", "told", "status"),
    [
        ("4: x", "the next one begins on line 5", 2),
        ("99: x", "the program ends before", 2),
        ("8", "not of the form LINE: EXPRESSION", 2),
        ("8: ", "not of the form LINE: EXPRESSION", 2),
        ("8: s = 1", "not a statement", 3),
        ("8: s +", "something is missing", 3),
        ("8: q", "there is no q here", 4),
        ("8: b", "there is no b here", 4),
        ("8: s.foo", "no attribute or method 'foo'", 3),
    ],
)
def test_a_wrong_probe_is_told_before_anything_runs(program: str, text: str, told: str, status: int) -> None:
    result = autodiff("run", program, "--probe", text)
    assert (result.status, result.out, told in result.err) == (status, "", True)


def test_probes_are_for_one_file(program: str, tmp_path: Path) -> None:
    (tmp_path / "q.ad").write_text("1")
    result = autodiff("run", str(tmp_path), "--probe", "8: h")
    assert result.status == 2 and "one program" in result.err


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("3 if i == 2: s", ["3: s = tensor(6., grad_fn=<AddBackward0>)"]),
        ("3 if i > 0: i", ["3: i = 1", "3: i = 2"]),
        ("3 if later > 1: i", []),
        ("4 if later > 1: later", ["4: later = 2"]),
        ("3 if x*torch.ones(2): i", ["3: i = (a tensor with 2 elements is neither true nor false)"] * 3),
    ],
)
def test_a_condition_picks_the_times(spec: str, told: list[str], tmp_path: Path) -> None:
    file = tmp_path / "p.ad"
    file.write_text("s = 0\nfor i in range(3):\n    s = s + x*i\nlater = 2\n")
    result = autodiff("run", str(file), "-q", "--x", "2", "--probe", spec)
    assert [line.rpartition("p.ad:")[2] for line in result.out.splitlines()] == told
