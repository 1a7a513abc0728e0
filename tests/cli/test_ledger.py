"""`--ledger`: what happened to gradients over the life of hand-made programs, each number counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.harness import autodiff


def ledger(program: str, *argv: str) -> dict[str, Any]:
    result = autodiff("eval", program, *argv, "--ledger", "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)["ledger"]


def entries(program: str, *argv: str) -> list[dict[str, Any]]:
    return ledger(program, *argv)["entries"]


def kinds(program: str, *argv: str) -> list[str]:
    return [entry["kind"] for entry in entries(program, *argv)]


def only(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [entry for entry in found if entry["kind"] == kind]


def test_each_accumulation_from_what_to_what() -> None:
    found = entries("y = x*x; y.backward(retain_graph=True); y.backward()", "--x", "3")
    assert [e["kind"] for e in found] == ["backward", "accumulate", "backward", "accumulate", "free"]
    assert [(e["before"], e["after"]) for e in only(found, "accumulate")] == [(None, 6.0), (6.0, 12.0)]
    assert [e["detail"] for e in only(found, "backward")] == ["retained", None]
    assert [e["count"] for e in only(found, "backward")] == [1, 1]


def test_clears_of_both_kinds() -> None:
    found = entries("(2*x).backward(); x.grad.zero_(); (3*x).backward(); x.grad = None; (x*4).backward()", "--x", "1")
    clears = only(found, "clear")
    assert [(e["before"], e["after"], e["detail"]) for e in clears] == [(2.0, 0.0, "in place"), (3.0, None, "None")]
    assert [(e["before"], e["after"]) for e in only(found, "accumulate")] == [(None, 2.0), (0.0, 3.0), (None, 4.0)]


def test_clearing_nothing_is_no_entry() -> None:
    assert kinds("x.grad = None; y = x*2", "--x", "1") == ["backward", "accumulate"]


def test_values_freed_and_their_bytes() -> None:
    """tanh saves its result; * saves both operands, of which x is a leaf, whose value stays; sum saves nothing."""
    program = "h = (x*2).tanh(); l = (h*x).sum(); l.backward()"
    (freed,) = only(entries(program, "--x", "[1,2,3]"), "free")
    assert (freed["count"], freed["bytes"]) == (1, 24)


def test_a_value_that_two_nodes_saved_is_freed_once() -> None:
    program = "h = x.exp(); l = h*h; l.backward()"
    (freed,) = only(entries(program, "--x", "1"), "free")
    assert (freed["count"], freed["bytes"]) == (1, 8)


def test_what_is_not_recorded_under_no_grad() -> None:
    """exp would have saved its result (24 bytes), * that and a leaf, + nothing; what needs no gradient counts not."""
    program = "with torch.no_grad():\n    m = x.exp() * x + 1\n    k = torch.ones(3) * 2\ny = (x*2).sum()"
    (stretch,) = only(entries(program, "--x", "[1,2,3]"), "no_grad")
    assert (stretch["count"], stretch["bytes"]) == (3, 24)
    assert stretch["span"]["line"] == 1


def test_a_scalar_program_tells_the_same() -> None:
    program = "with torch.no_grad():\n    m = -(x.exp() * x)\ny = x*2"
    (stretch,) = only(entries(program, "--x", "1"), "no_grad")
    assert (stretch["count"], stretch["bytes"]) == (3, 8)


@pytest.mark.parametrize(
    "formula",
    ["x.exp()*x", "(x*x).sin()*(x*x).exp()", "x.tanh().softmax(0)", "(x.outer(x) @ x).norm()", "h*h*h/h"],
)
def test_what_no_grad_did_not_keep_is_what_a_walk_would_have_freed(formula: str) -> None:
    inside = f"with torch.no_grad():\n    h = x*2\n    l = ({formula}).sum()\n(x*1).sum()"
    outside = f"h = x*2\nl = ({formula}).sum()\nl.backward()\n(x*1).sum()"
    (stretch,) = only(entries(inside, "--x", "[1,2,3]"), "no_grad")
    (freed,) = only(entries(outside, "--x", "[1,2,3]"), "free")
    assert stretch["bytes"] == freed["bytes"] > 0


def test_data_that_a_program_sets() -> None:
    found = entries("w = x*1; w.data = w.data*2; x.data = torch.tensor(5.0); y = x*w", "--x", "3")
    told = only(found, "data")
    assert [(e["name"], e["before"], e["after"], e["span"]["line"]) for e in told] == [
        ("w", 3.0, 6.0, 1),
        ("x", 3.0, 5.0, 1),
    ]
    assert "set .data" in autodiff("eval", "x.data = x.data + 1; x*2", "--x", "1", "--ledger").out


def test_hooks_that_replaced_a_gradient_and_the_line_of_what_follows() -> None:
    program = "h = x*2\nh.register_hook(lambda g: g*10)\nx.register_hook(lambda g: None)\nh.backward()"
    found = entries(program, "--x", "3")
    (hook,) = only(found, "hook")
    assert (hook["name"], hook["before"], hook["after"], hook["span"]["line"]) == ("h", 1.0, 10.0, 4)
    (added,) = only(found, "accumulate")
    assert (added["after"], added["span"]["line"]) == (20.0, 4)


def test_what_switched_gradient_mode_off_is_named() -> None:
    program = "torch.set_grad_enabled(False)\nd = x*x\ntorch.set_grad_enabled(True)\n"
    program += "with torch.inference_mode():\n    e = x*x\nx*1"
    shown = autodiff("eval", program, "--x", "1", "--ledger", variables={"COLUMNS": "80"}).out
    assert "set_grad_enabled" in shown and "inference_mode" in shown


def test_stretches_inside_one_another_and_modes_switched_by_hand() -> None:
    program = (
        "with torch.no_grad():\n    a = x*2\n    with torch.enable_grad():\n        b = x*3\n    c = x*4\n"
        "torch.set_grad_enabled(False)\nd = x*x\ntorch.set_grad_enabled(True)\ny = x*5"
    )
    assert [e["count"] for e in only(entries(program, "--x", "1"), "no_grad")] == [2, 1]


def test_detach_and_changes_in_place() -> None:
    found = entries("d = (x*2).detach()\nh = x*1\nh += d\nl = h.sum()", "--x", "[1,2]")
    (detached,) = only(found, "detach")
    assert (detached["span"]["line"], detached["bytes"], detached["name"]) == (1, 16, "x*2")
    (changed,) = only(found, "change")
    assert (changed["span"]["line"], changed["name"], changed["bytes"]) == (3, "h", 16)


def test_a_gradient_changed_in_place() -> None:
    found = entries("(x*3).backward(); x.grad *= 2; x.grad", "--x", "1")
    assert [(e["before"], e["after"]) for e in only(found, "assign")] == [(3.0, 6.0)]


def test_turns_of_loops(tmp_path: Path) -> None:
    """Also of what a turn does before it makes its first node."""
    file = tmp_path / "train.ad"
    file.write_text(
        "w: input = 1.0\nfor i in range(3):\n    w.grad = None\n    loss = (w*3 - 6)**2\n    loss.backward()\n"
        "    with torch.no_grad():\n        w -= 0.1*w.grad\n"
    )
    found = entries(str(file))
    turns = [(e["kind"], e["loops"][0]["iteration"]) for e in found if e["kind"] in ("clear", "backward", "change")]
    assert turns == [
        ("backward", 1),
        ("change", 1),
        ("clear", 2),
        ("backward", 2),
        ("change", 2),
        ("clear", 3),
        ("backward", 3),
        ("change", 3),
    ]
    result = autodiff("run", str(file), "--ledger")
    assert result.status == 0
    assert "accumulate       w" in result.out and "line  turn  what" in result.out


def test_totals_hold_what_was_left_out() -> None:
    from autodiff_cli.engine.ledger import Ledger
    from autodiff_cli.runtime.observers import Observers
    from autodiff_cli.runtime.program import Program

    kept = Ledger(most=7)
    Program.load("for i in range(10):\n    (x*x).backward()\n    x.grad = None\nx").run(
        {"x": 2.0}, observers=Observers(ledger=kept)
    )
    assert len(kept.entries) == 7 and kept.dropped == 33
    assert {kind: total[0] for kind, total in kept.totals.items()} == {
        "backward": 10,
        "accumulate": 10,
        "free": 10,
        "clear": 10,
    }
    assert kept.totals["backward"][1] == 10


@pytest.mark.parametrize("x", ["2", "[1,2,3]"])
def test_a_ledger_changes_nothing(x: str) -> None:
    program = "with torch.no_grad():\n    s = x.exp()\nh = (x*s).tanh() + x.detach()\nl = (h*h).sum()\nl.backward()"
    plain = json.loads(autodiff("eval", program, "--x", x, "--json").out)
    kept = json.loads(autodiff("eval", program, "--x", x, "--json", "--ledger").out)
    del kept["ledger"]
    assert kept == plain


def test_many_entries_are_cut_in_the_middle_and_the_page_holds() -> None:
    program = "for i in range(40):\n    (x*x).sum().backward()\n    x.grad.zero_()\nx"
    result = autodiff(
        "eval", program, "--x", "[1.23456789,2]", "--ledger", variables={"COLUMNS": "80"}, encoding="ascii"
    )
    assert result.out.isascii() and "110 more" in result.out
    assert max(len(line) for line in result.out.splitlines()) <= 80
    assert autodiff("eval", program, "--x", "[1,2]", "--ledger", "--graph", "full").out.count("accumulate") == 41


LOOP = "w = tensor(1.0, requires_grad=True)\nfor s in range(2500):\n    (w*w).backward()\n    w.grad = None\n"


@pytest.mark.parametrize("graph", ["none", "auto", "full"])
def test_places_are_told_to_the_end_of_a_long_run(graph: str) -> None:
    found = ledger(LOOP, "--graph", graph)["entries"]
    assert [e["loops"] for e in found[-3:]] == [[{"line": 2, "iteration": 2500}]] * 3
    assert all(e["loops"] for e in found)


def test_no_number_is_shown_without_its_exponent_where_the_page_is_narrow() -> None:
    program = (
        "a_long_name = tensor(1.0, requires_grad=True)\nfor step in range(2):\n"
        "    (a_long_name*1.554312345e-15).backward()\n    a_long_name.grad.zero_()\n"
    )
    for width in ("72", "80", "100", "200"):
        out = autodiff("eval", program, "--ledger", "--graph", "none", variables={"COLUMNS": width}).out
        assert max(map(len, out.splitlines())) <= int(width)
        numbers = [word for line in out.splitlines() for word in line.split() if word.startswith("1.5")]
        assert len(numbers) == 4 and all(word.endswith("e-15") for word in numbers)
