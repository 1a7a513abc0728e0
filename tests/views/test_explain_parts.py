"""Expressions that are several operations: a part has neither the name nor, in a formula, the text of the whole."""

from __future__ import annotations

import re
from typing import Any

import pytest
from cli.harness import autodiff

from autodiff_cli.engine.trail import Trail
from autodiff_cli.runtime.observers import Observers
from autodiff_cli.runtime.program import Program
from autodiff_cli.source import Source
from autodiff_cli.views.explain import Explanation, explanation

PROGRAMS = [
    ("f = 1/p + 2/q", {"p": 2.0, "q": 3.0}),
    ("f = 3*(2/q)**2\nf", {"q": 3.0}),
    ("f = x.mean(0).std() + (4/x).sum()", {"x": [[1.0, 2.0], [3.0, 5.0]]}),
    ("f = 1/p\nfor i in range(3): f = 1/f\nf", {"p": 2.0}),
]


def explained(program: str, values: dict[str, Any]) -> Explanation:
    source, trail = Source(program, "test.ad"), Trail()
    run = Program.load(source).run(values, observers=Observers(trail=trail))
    return explanation(run, trail, source)


@pytest.mark.parametrize(("program", "values"), PROGRAMS, ids=[program for program, _ in PROGRAMS])
def test_a_part_has_not_the_name_and_text_of_the_whole(program: str, values: dict[str, Any]) -> None:
    told = explained(program, values)
    parts = [node for node in told.graph.nodes or () if node.part]
    assert parts and all(node.name is None for node in parts)
    reciprocals = [step for step in told.steps if step.node.op == "reciprocal"]
    assert reciprocals
    for step in reciprocals:  # `2/q` is not the reciprocal that its derivative is made of
        assert (step.formula, step.generic) == ("-y**2", {"y"})


def test_the_whole_has_the_name_once_in_every_view() -> None:
    tree = autodiff("graph", "f = 1/p", "--p", "2").out
    assert re.findall(r"(?:\S = )?1/p", tree) == ["f = 1/p", "1/p"]
    folded = autodiff("graph", "f = p\nfor i in range(70): f = 1/f\nf", "--p", "2").out
    assert len(re.findall("f = 1/f", folded)) == 1
    steps = autodiff("explain", "f = 1/p", "--p", "2").out
    assert "f = 1/p          reciprocal: 1/p" in steps and "reciprocal: 1/p  p" in steps


def test_names_of_rules_are_told_where_they_stand() -> None:
    told = "where the text is long or tells more"
    out = autodiff("explain", "f = 1/p", "--p", "2").out
    assert f"\ny stands for the node's value, {told}\n" in out
    out = autodiff("explain", "sin(x + 1.0 + 2.0 + 3.0) * cos(x + 1.0 + 2.0 + 4.0)", "--x", "2").out
    assert f"a, b, x stand for the operands in order, {told}" in " ".join(out.split())


def test_a_quotient_of_numbers_has_no_parentheses_around_it() -> None:
    out = autodiff("explain", "x / 1.4142135623730951", "--x", "2", variables={"COLUMNS": "120"}).out
    assert "  1 / 1.4142135623730951  " in out and "(1 /" not in out
    out = autodiff("explain", "(x / 1.4142135623730951)**2", "--x", "2", "--symbolic").out
    assert "d/dx = " in out


def test_sums_name_the_turn_and_are_told_whole() -> None:
    program = "E = M; for i in range(3) { E = E - (E - e*sin(E) - M)/(1 - e*cos(E)) }; E"
    for width in ("60", "80"):
        out = autodiff("explain", program, "--M", "1", "--e", "0.3", variables={"COLUMNS": width}).out
        below = " ".join(out.partition("E (turn 2) is used")[2].partition("\n\n")[0].split())
        assert "4 times: contributions add to" in below and "E (turn 1) is used 4 times" in below
        assert "\u2026" not in below


def test_what_is_told_of_several_passes_is_not_cut() -> None:
    program = "y = x*x; y.backward(); y = x*x*x; y.backward()"
    out = autodiff("explain", program, "--x", "1", variables={"COLUMNS": "60"}).out
    assert "--pass N tells another of them, --pass all each" in " ".join(out.split())
