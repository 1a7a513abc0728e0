"""Turns of loops and calls around nodes, swept over the log of a run."""

from __future__ import annotations

from typing import Any

from autodiff_cli.runtime.program import Program


def nodes_of(program: str, **values: Any) -> list[Any]:
    graph = Program.load(program).run(values).graph
    assert graph is not None and graph.nodes is not None
    return [node for node in graph.nodes if node.requires_grad and not node.is_leaf]


def test_turns_are_those_that_made_the_node() -> None:
    program = "for i in range(3):\n    if i != 1:\n        x = sin(x)\n    for j in range(2): x = x*y\nx"
    assert [node.loops for node in nodes_of(program, x=1.0, y=2.0)] == [
        ((1, 1),),
        ((1, 1), (4, 1)),
        ((1, 1), (4, 2)),
        ((1, 2), (4, 1)),
        ((1, 2), (4, 2)),
        ((1, 3),),
        ((1, 3), (4, 1)),
        ((1, 3), (4, 2)),
    ]


def test_calls_nest_and_are_numbered_in_the_order_in_which_they_began() -> None:
    program = "def g(a): return sin(a)\ndef f(a): return g(a)*g(a + 1)\nf(x) + x"
    assert [(node.text, node.calls) for node in nodes_of(program, x=1.0)] == [
        ("sin(a)", (("f", 1), ("g", 2))),
        ("a + 1", (("f", 1),)),
        ("sin(a)", (("f", 1), ("g", 3))),
        ("g(a)*g(a + 1)", (("f", 1),)),
        ("f(x) + x", ()),
    ]


def test_a_call_and_a_loop_with_the_same_nodes_nest_as_they_ran() -> None:
    inside = "def f(a):\n    for i in range(2): a = sin(a)\n    return a\nf(x)"
    around = "def f(a): return sin(a)\nfor i in range(1): x = f(x)\nx"
    assert [(n.loops, n.calls) for n in nodes_of(inside, x=1.0)] == [
        (((2, 1),), (("f", 1),)),
        (((2, 2),), (("f", 1),)),
    ]
    assert [(n.loops, n.calls) for n in nodes_of(around, x=1.0)] == [(((2, 1),), (("f", 1),))]


def test_many_runs_of_an_inner_loop_take_no_quadratic_time() -> None:
    program = "for i in range(3000):\n    for j in range(1): x = x*1.0\nx"
    nodes = nodes_of(program, x=1.0)
    assert nodes[-1].loops == ((1, 3000), (2, 1)) and len(nodes) == 3000
