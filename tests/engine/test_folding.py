"""Graphs folded along loops, from programs: which nodes are one group, and which edges are carried."""

from __future__ import annotations

from typing import Any

from autodiff_cli.runtime.program import Program


def folded_of(program: str, **values: Any) -> Any:
    return Program.load(program).run(values, fold=True).folded


def shown(folded: Any) -> list[tuple[str, int]]:
    return [(g.first.name or g.first.text or str(g.first.value), g.times) for g in folded.groups]


def test_a_graph_without_loops_is_folded_into_itself() -> None:
    run = Program.load("a = x*x\nb = (a + 2)*a\nb").run({"x": 3.0}, fold=True)
    assert run.graph is not None and run.folded is not None
    assert list(run.folded.group_of) == [node.id for node in run.graph.nodes or ()]
    links = [(link.source, link.target, link.operand) for link in run.folded.links]
    assert links == [tuple(edge) for edge in run.graph.edges or ()]
    assert not any(link.carried for link in run.folded.links)


def test_a_turn_is_drawn_once_with_its_first_and_last_node() -> None:
    folded = folded_of("z = x\nfor i in range(40): z = z*y + 2\nz", x=1.0, y=0.5)
    assert shown(folded) == [("x", 1), ("y", 1), ("z*y", 40), ("2.0", 40), ("z", 40)]
    z = folded.groups[4]
    assert (z.first.value, z.last.value) == (
        2.5,
        folded_of("z = x\nfor i in range(40): z = z*y + 2\nz", x=1.0, y=0.5).groups[4].last.value,
    )
    assert (z.first.loops, z.last.loops) == (((2, 1),), ((2, 40),))
    carried = [(link.source, link.target, link.times) for link in folded.links if link.carried]
    assert carried == [(4, 2, 39)]
    assert folded.depth == 80


def test_a_value_kept_from_the_turn_before_is_carried_even_if_it_goes_down() -> None:
    program = "z = x\nold = x*1\nt = 0\nfor i in range(5):\n    z = z*y\n    d = z - old\n    t = t + d\n    old = z\nt"
    folded = folded_of(program, x=0.5, y=0.9)
    names = [text for text, _ in shown(folded)]
    links = {(names[a], names[b], times, c) for a, b, _, times, c in folded.links}
    assert ("z", "d", 4, True) in links and ("z", "d", 5, False) in links


def test_two_calls_in_a_turn_are_two_and_two_loops_are_two() -> None:
    program = "def f(a): return a*a\nfor i in range(3): x = f(x) + f(y)\nfor i in range(3): x = sin(x)\nfor i in range(2): x = sin(x)\nx"
    assert [t for t in shown(folded_of(program, x=0.1, y=0.2)) if t[0] == "a*a"] == [("a*a", 3), ("a*a", 3)]
    assert [times for _, times in shown(folded_of(program, x=0.1, y=0.2))][-2:] == [3, 2]


def test_nested_loops_fold_over_all_turns() -> None:
    folded = folded_of("for i in range(3):\n    for j in range(4): x = sin(x)\n    x = cos(x)\nx", x=0.1)
    assert [g.times for g in folded.groups] == [1, 12, 3]
    assert (folded.groups[1].last.loops, folded.groups[2].last.loops) == (((1, 3), (2, 4)), ((1, 3),))


def test_a_large_graph_has_gradients_at_its_first_and_last_turn() -> None:
    run = Program.load("z = x\nfor i in range(6000): z = sin(z)*0.5 + y\nz").run({"x": 1.0, "y": 0.5}, fold=True)
    assert run.graph is not None and run.graph.nodes is None
    assert run.folded is not None and run.folded.count == 24_002
    z = run.folded.groups[-1]
    assert z.times == 6000 and z.last.grad == 1.0 and z.first.grad is not None
    small = Program.load("z = x\nfor i in range(60): z = sin(z)*0.5 + y\nz").run({"x": 1.0, "y": 0.5}, fold=True)
    assert small.graph is not None and small.graph.nodes is not None
    assert [g.last.grad for g in run.folded.groups[2:]] == [g.last.grad for g in small.folded.groups[2:]]  # type: ignore[union-attr]


def test_what_one_place_makes_twice_in_a_turn_is_two_groups() -> None:
    folded = folded_of("for i in range(3): x = sum([sin(x*k) for k in range(1, 3)])\nx", x=0.1)
    assert [t for t in shown(folded) if t[0] == "sin(x*k)"] == [("sin(x*k)", 3), ("sin(x*k)", 3)]


def test_a_loop_that_is_all_of_a_call_folds() -> None:
    folded = folded_of("def f(a):\n    for i in range(5): a = sin(a)\n    return a\nf(x)", x=0.1)
    assert shown(folded) == [("x", 1), ("a", 5)]


def test_a_call_between_other_steps_of_a_turn_folds() -> None:
    program = "def f(a): return a*a\nfor i in range(4):\n    x = cos(x)\n    x = f(x)\n    x = sin(x)\nx"
    assert [times for _, times in shown(folded_of(program, x=0.1))] == [1, 4, 4, 4]
