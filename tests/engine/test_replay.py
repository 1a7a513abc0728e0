"""The backward pass told again: contributions add up, bit for bit, to the gradients that the walk left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff_cli.engine.replay import contributions, local_derivative, saved_memory, saved_values
from autodiff_cli.runtime.program import Program


def graph_of(program: str, **values: Any) -> Any:
    return Program.load(program).run(values).graph


def test_contributions_of_the_chain_rule_in_the_engines_order() -> None:
    graph = graph_of("z=(x*y+1)**2", x=2.0, y=3.0)
    name = {node.id: node.name or node.text for node in graph.nodes}
    told = [(name[c.target], name[c.source], c.local, c.incoming, c.product, c.total) for c in contributions(graph)]
    assert told == [
        ("z", "x*y+1", 14.0, 1.0, 14.0, 14.0),
        ("x*y+1", "x*y", 1.0, 14.0, 14.0, 14.0),
        ("x*y", "x", 3.0, 14.0, 42.0, 42.0),
        ("x*y", "y", 2.0, 14.0, 28.0, 28.0),
    ]


def test_a_value_used_twice_gets_two_contributions_and_their_sum() -> None:
    found = contributions(graph_of("x*x", x=3.0))
    assert [(c.operand, c.product, c.total) for c in found] == [(0, 3.0, 3.0), (1, 3.0, 6.0)]


PROGRAMS = {
    "a loop": ("z = x\nfor i in range(7): z = sin(z)*y + z/x\nz", {"x": 1.5, "y": 0.3}),
    "arrays": ("((x @ w).tanh() + b).sum()", {"x": [[1.0, 2.0]], "w": [[0.1, -0.2], [0.3, 0.4]], "b": [1.0, 2.0]}),
    "broadcasting": ("(x*w + w).mean()", {"x": [[1.0, 2.0], [3.0, 4.0]], "w": [0.5, -1.0]}),
    "several operands": (
        "stack([x, y*x, x]).sum() + torch.cat([v, v*2]).prod()",
        {"x": 1.0, "y": 2.0, "v": [1.0, 2.0]},
    ),
    "infinite": ("1/x + log(x)", {"x": 0.0}),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_last_sums_are_the_gradients(program: str) -> None:
    text, values = PROGRAMS[program]
    graph = graph_of(text, **values)
    last = {c.source: c.total for c in contributions(graph)}
    reached = [node for node in graph.nodes if node.requires_grad and node.id not in graph.roots]
    assert reached
    for node in reached:
        assert np.array_equal(last[node.id], node.grad, equal_nan=True), node.text


def test_a_local_derivative_is_a_number_an_entry_or_none() -> None:
    graph = graph_of("y = exp(x)\n(w @ y).sum()", x=[0.0, 1.0], w=[[1.0, 2.0], [3.0, 4.0]])
    by_op = {node.op: node for node in graph.nodes}
    assert np.allclose(local_derivative(by_op["exp"], 0), np.exp([0.0, 1.0]))
    assert local_derivative(by_op["mv"], 0) is None
    assert local_derivative(by_op["leaf"], 0) is None


def test_what_was_changed_in_place_since_is_not_computed_with_the_new_value() -> None:
    program = "x = tensor([1.0, 2.0], requires_grad=True)\ny = (x*x).sum()\ny.backward()\n"
    before = contributions(graph_of(program + "y"))
    after = contributions(graph_of(program + "with torch.no_grad():\n    x += 1\ny"))
    assert before[-1].total.tolist() == [2.0, 4.0]
    assert [(c.product, c.total) for c in after[-2:]] == [(None, None), (None, None)]


def test_saved_values_as_the_rules_read_them() -> None:
    graph = graph_of("(exp(x)*y + x).sum()", x=[1.0, 2.0], y=3.0)
    saved = {node.op: [(s.what, s.bytes) for s in saved_values(node)] for node in graph.nodes}
    assert saved["exp"] == [("result", 16)]
    assert saved["mul"] == [("0", 16), ("1", 8)]
    assert saved["add"] == [] == saved["leaf"]


def test_memory_that_two_operations_save_is_the_same_memory() -> None:
    graph = graph_of("(sin(x)*cos(x)).sum()", x=[1.0, 2.0])
    sin, cos = (next(node for node in graph.nodes if node.op == op) for op in ("sin", "cos"))
    assert saved_memory(sin.record) == saved_memory(cos.record)


def test_a_saved_view_keeps_the_memory_of_its_base_and_a_plain_number_none() -> None:
    graph = graph_of("(x[0:2]*x[1:3]*2).sum()", x=[1.0, 2.0, 3.0])
    product, doubled = (node for node in graph.nodes if node.op == "mul")
    assert len(set(saved_memory(product.record))) == 1 and saved_memory(product.record)[0][1] == 24
    assert saved_memory(doubled.record) == []
    assert [s.bytes for s in saved_values(doubled)] == [0]
