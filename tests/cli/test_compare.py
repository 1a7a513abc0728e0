"""`autodiff compare`: what differs between the graphs that two runs built."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import autodiff

BRANCH = "y = x*x if x > 0 else -x\nz = y + 1"
LOOP = "z = x\nfor i in range(n) { if z > 5 { z = sin(z) } else { z = z*x } }\nz*2"
SHOWN = """\
the graphs differ: 2 nodes in both, 1 only in the first, 1 only in the second

line 1: x > 0: true | false

  graph       operation     first  second
  z = y + 1   AddBackward0      5       3
- ├─ y = x*x  MulBackward0      4
- │  ├─ ● x   leaf              2      -2
- │  └─ x
+ └─ y = -x   NegBackward0              2
+    └─ x

name  first  second  gradient, first  second
z         5       3
x         2      -2                4      -1
"""


def compared(*argv: str) -> dict:
    result = autodiff("compare", *argv, "--json")
    assert (result.status, result.err) == (0, "")
    return json.loads(result.out)


def who_has(document: dict) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"both": [], "first": [], "second": []}
    for node in document["nodes"]:
        found[node["in"]].append(node["text"] or node["name"])
    return found


def test_the_branch_that_was_taken() -> None:
    assert autodiff("compare", BRANCH, "--x", "2", "--vs", "--x=-2") == (0, SHOWN, "")


def test_as_json() -> None:
    document = compared(BRANCH, "--x", "2", "--vs", "--x=-2")
    assert document["differ"] is True
    assert document["counts"] == {"both": 2, "first": 1, "second": 1}
    assert who_has(document) == {"both": ["x", "y + 1"], "first": ["x*x"], "second": ["-x"]}
    assert document["decisions"] == [
        {"kind": "conditional", "line": 1, "text": "x > 0", "first": [True], "second": [False]}
    ]
    assert (document["first"]["gradients"], document["second"]["gradients"]) == ({"x": 4.0}, {"x": -1.0})


def test_the_turns_that_only_one_run_made() -> None:
    document = compared("n: const = 3\n" + LOOP, "--x", "2", "--vs", "--n", "5")
    assert who_has(document)["first"] == []
    turns = [node["loops"][0]["iteration"] for node in document["nodes"] if node["in"] == "second"]
    assert turns == [4, 5]
    told = {d["kind"]: (d["first"], d["second"]) for d in document["decisions"]}
    assert told["for"] == ([3], [5])
    assert told["if"] == ([False, False, True], [False, False, True, False, False])
    shown = autodiff("compare", "n: const = 3\n" + LOOP, "--x", "2", "--vs", "--n", "5").out
    assert "line 3: for i in range(n): 3 turns | 5 turns" in shown
    assert "line 3: if z > 5: alike 3 times, then not reached | false" in shown


def test_a_while_loop() -> None:
    shown = autodiff("compare", "z = x\nwhile z < 10 { z = z*2 }\nz", "--x", "1", "--vs", "--x", "6").out
    assert "line 2: while z < 10: 4 turns | 1 turn" in shown


@pytest.mark.parametrize(("x", "status"), [("4", 0), ("-4", 1)])
def test_the_exit_code_tells_whether_they_differ(x: str, status: int) -> None:
    assert autodiff("compare", BRANCH, "--x", "2", "--vs", f"--x={x}", "--exit-code").status == status
    assert autodiff("compare", BRANCH, "--x", "2", "--vs", f"--x={x}").status == 0


def test_the_same_graph_with_other_values() -> None:
    result = autodiff("compare", "x*y + 1", "--x", "2", "--y", "3", "--vs", "--x", "4")
    assert result.out.startswith("the two runs built the same graph: 4 nodes\n")
    assert ["x", "2", "4", "3", "3"] in [line.split() for line in result.out.splitlines()]  # y is as in the first run


def test_operands_in_another_order_are_a_difference() -> None:
    document = compared("a = x*2; b = y*3; a/b if x > 0 else b/a", "--x", "1", "--y", "1", "--vs", "--x=-1")
    assert who_has(document)["first"] == ["a/b"]


def test_two_programs(tmp_path: Path) -> None:
    old, new = tmp_path / "old.ad", tmp_path / "new.ad"
    old.write_text("h = tanh(w*x)\nh**2")
    new.write_text("h = relu(w*x) + b\nh**2")
    result = autodiff("compare", str(old), str(new), "--w", "1", "--x", "2", "--b", "3", "--exit-code")
    assert result.status == 1 and result.err == ""
    assert "- ├─ h = tanh(w*x)" in result.out and "+ └─ h = relu(w*x) + b" in result.out


def test_nothing_to_compare_with() -> None:
    result = autodiff("compare", "x*2", "--x", "1")
    assert result.status == 2
    assert "inputs of a second run follow --vs" in result.err


def test_which_run_failed() -> None:
    result = autodiff("compare", "assert x > 0\nx*2", "--x", "1", "--vs", "--x=-1")
    assert result.status == 1
    assert "in the second run: " in result.err


def test_a_recursive_loop_counts_its_own_turns() -> None:
    program = "def f(d) { s = x*0; for i in range(2) { s = s + (f(d-1) if d > 0 else x) }; return s }\nf(n)"
    document = compared("n: const = 1\n" + program, "--x", "1", "--vs", "--n", "2")
    loops = [d for d in document["decisions"] if d["kind"] == "for"]
    assert loops[0]["first"] == [2, 2, 2] and loops[0]["second"] == [2] * 7


@pytest.mark.parametrize("width", ["80", "200"])
def test_a_deep_difference_stays_on_the_page(width: str) -> None:
    program = "z = x\nfor i in range(30) { z = z*x if z < 50 else sin(z) }\nz"
    result = autodiff(
        "compare", program, "--x", "1.1", "--vs", "--x", "1.5", variables={"COLUMNS": width}, encoding="ascii"
    )
    assert result.status == 0 and result.out.isascii()
    assert max(len(line) for line in result.out.splitlines()) <= int(width)
    assert "below: z" in result.out


PARAMETERS = """\
k: const = 0
x = tensor([[1., 2., 3.], [3., 4., 5.]], requires_grad=True)
y = x.softmax(k) + x**(2 + k)
(y.norm(p=2 + k) + y[k].sum() + y.max(k).values.sum()).log()
"""


def test_the_same_operations_with_other_parameters() -> None:
    argv = ("compare", PARAMETERS, "--vs", "--k", "1", "--exit-code")
    result = autodiff(*argv)
    assert result.status == 1
    for told in (
        "x.softmax(k): dim 0 | 1\n",
        "x**(2 + k): exponent 2.0 | 3.0\n",
        "y.norm(p=2 + k): ord 2.0 | 3.0\n",
        "y[k]: index 0 | 1\n",
        "y.max(k): dim 0 | 1\n",
    ):
        assert told in result.out
    assert any(line.startswith("~ ") and "x**(2 + k)" in line for line in result.out.splitlines())
    document = json.loads(autodiff(*argv, "--json").out)
    assert {"dim": ["0", "1"]} in [node["parameters"] for node in document["nodes"]]
    assert autodiff("compare", PARAMETERS, "--vs", "--k", "0", "--exit-code").status == 0


def test_what_follows_from_the_shapes_of_the_inputs_is_no_difference() -> None:
    program = "x[1:].view(-1).sum() + x.expand(2, -1).sum()"
    assert autodiff("compare", program, "--x", "[1,2,3]", "--vs", "--x", "[1,2,3,4]", "--exit-code").status == 0


def test_what_is_met_again_nearer_to_the_root_is_drawn_there_alone() -> None:
    program = "y = x*k\nz = y\nfor i in range(20) { z = z*2 }\nz + y"
    shown = autodiff("compare", program, "--x", "1", "--k", "2", "--vs", "--k", "3", "--all").out
    assert "\n  y = x*k (above)" not in shown
