"""The facade: inputs, outputs, gradients, limits, what a run leaves behind."""

from __future__ import annotations

import contextlib
import gc
import sys

import numpy as np
import pytest

from autodiff_cli import Program
from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import Fault, LimitFault, RecursionFault, SyntaxFault, UsageFault
from autodiff_cli.runtime.program import Limits


def run(text, values=None, **options):
    values = values or {}
    return Program.load(text, given=frozenset(values)).run(values, **options)


def test_value_gradients_and_graph_of_the_example():
    got = run("z=(x*y+1)**2", {"x": 2, "y": 3})
    assert (got.output, got.value, got.gradients) == ("z", 49.0, {"x": 42.0, "y": 28.0})
    assert got.graph is not None and got.graph.nodes is not None
    by_text = {n.text: (n.value, n.grad) for n in got.graph.nodes}
    assert by_text["x*y"] == (6.0, 14.0)
    assert by_text["x*y+1"] == (7.0, 14.0)
    assert by_text["x"] == (2.0, 42.0)
    assert [n.op for n in got.graph.nodes if not n.is_leaf] == ["mul", "add", "pow"]


def test_a_used_twice_operand_has_two_edges():
    graph = run("x*x", {"x": 3}).graph
    assert [(e.source, e.target, e.operand) for e in graph.edges] == [(0, 1, 0), (0, 1, 1)]


def test_inputs_in_the_order_of_the_text_and_rebound_inputs():
    program = Program.load("b*a\na = a*2\na")
    assert [i.name for i in program.inputs] == ["b", "a"]
    got = program.run({"a": 3, "b": 1})
    assert got.value == 6.0
    assert got.gradients == {"a": 2.0, "b": None}
    assert any("does not depend on it" in w for w in got.warnings)


def test_declared_inputs():
    text = "x: input = 2.0\nn: const = 3\ny = x**n + len(range(n))"
    assert run(text).value == 11.0
    got = run(text, {"x": 3.0, "n": 2.0})
    assert (got.value, got.gradients) == (11.0, {"x": 6.0})
    with pytest.raises(UsageFault, match="x"):
        run("x: input\nx*2")


def test_all_missing_inputs_are_named_at_once():
    with pytest.raises(UsageFault) as caught:
        run("a*b + c", {"b": 1})
    assert "a, c" in caught.value.message


def test_a_given_library_name_is_an_input():
    assert run("sum*2", {"sum": 3}).gradients == {"sum": 2.0}
    assert run("sum([x, x])", {"x": 3}).value == 6.0


def test_constants_have_no_gradient():
    got = run("x*y", {"x": 2, "y": 3}, no_grad=["y"])
    assert got.gradients == {"x": 3.0}


def test_of_picks_outputs():
    got = run("y = x*x\nz = y + 1", {"x": 3}, of=["y"])
    assert (got.output, got.value, got.gradients) == ("y", 9.0, {"x": 6.0})
    with pytest.raises(UsageFault, match="computes no w"):
        run("y = x", {"x": 1}, of=["w"])


def test_the_output_is_the_last_value_also_from_blocks():
    assert run("y = x\nif x > 0:\n    z = x*2\nelse:\n    w = x*3", {"x": 1}).output == "z"
    assert run("y = x\nif x > 0:\n    z = x*2\nelse:\n    w = x*3", {"x": -1}).output == "w"
    assert run("y = x*3\nprint(y)", {"x": 1}).output == "y"
    assert run("y = x*3\ny.backward()", {"x": 1}).output == "y"
    assert run("x*3 + 1", {"x": 1}).output == "x*3 + 1"
    assert run("pass").output is None


def test_a_program_that_goes_backward_itself_is_left_alone():
    got = run("y = x*x*x\ny.backward(retain_graph=True)\ny.backward()\ny", {"x": 2})
    assert got.gradients == {"x": 24.0}
    got = run("y = x*x\ng, = torch.autograd.grad(y, x, create_graph=True)\ng", {"x": 3})
    assert (got.value, got.gradients) == (6.0, {"x": 2.0})


def test_seed_is_the_vector_of_a_vector_jacobian_product():
    got = run("x*x", {"x": [1.0, 2.0]}, seed=[10.0, 1.0])
    assert got.gradients["x"].tolist() == [20.0, 4.0]
    with pytest.raises(RuntimeError, match="shape"):
        run("x*x", {"x": [1.0, 2.0]})
    with pytest.raises(UsageFault, match="--seed has shape"):
        run("x*x", {"x": [1.0, 2.0]}, seed=[1.0])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x > 1", "has no graph"),
        ("with torch.no_grad():\n    y = x*2", "has no graph"),
        ("x.item()*2", "float, not a tensor"),
        ("y = tensor(1.0)\nx\ny*2", "no graph"),
        ("y = x*2\nx.grad = None\ny.backward()\nx.grad = None\ny", "cleared"),
    ],
)
def test_a_missing_gradient_is_none_with_its_reason(text, reason):
    got = run(text, {"x": 2})
    assert got.gradients == {"x": None}
    assert any(reason in w for w in got.warnings)


def test_leaves_of_the_program_itself():
    got = run("w = torch.tensor([1.0, 2.0], requires_grad=True)\n(w*x).sum()", {"x": 3})
    assert [(name, g.tolist()) for name, g in got.leaf_gradients] == [("w", [3.0, 3.0])]


def test_reading_the_grad_of_a_result_warns():
    got = run("y = x*2\nz = y*3\nz.backward()\nprint(y.grad)", {"x": 1})
    assert got.printed == ["None\n"]
    assert any("retain_grad" in w for w in got.warnings)


def test_math_on_a_tensor_warns_that_the_gradient_is_lost():
    assert any("torch.sin" in w for w in run("math.sin(x)", {"x": 1}).warnings)


def test_names_functions_and_loop_turns_of_nodes():
    text = "def f(a):\n    return a*2\ny = x\nfor i in range(2):\n    y = f(y) + 1\nz = y"
    graph = run(text, {"x": 1}).graph
    doubled = [n for n in graph.nodes if n.text == "a*2"]
    assert [n.function for n in doubled] == ["f", "f"]
    assert [n.loops for n in doubled] == [((4, 1),), ((4, 2),)]
    assert [n.loops for n in graph.nodes if n.text == "f(y) + 1"] == [((4, 1),), ((4, 2),)]


def test_a_large_graph_is_counted_and_not_copied():
    text = "y = x\nfor i in range(300):\n    y = y*x"
    graph = run(text, {"x": 1}, graph_limit=100).graph
    assert (graph.nodes, graph.count) == (None, 301)
    assert run(text, {"x": 1}, graph_limit=None).graph.nodes is not None


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("while True: x = x", Limits(max_steps=1000)),
        ("y = x\nwhile True:\n    y = y*x", Limits(max_nodes=20_000)),
        ("torch.zeros(2000, 2000)\nx", Limits(max_elements=10**6)),
        ("[x for i in range(10**9)]", Limits(max_steps=10**5)),
        ("for i in range(10**9): pass\nx", Limits(timeout=0.2)),
        ("try:\n    while True: x = x\nexcept Exception:\n    pass", Limits(max_steps=1000)),
        ("def g(n):\n    return 1 if n < 2 else g(n - 1) + g(n - 2)\ng(40)\nx", Limits(max_steps=50_000)),
        ("'a'*10**10\nx", Limits()),
    ],
)
def test_limits(text, limits):
    with pytest.raises(LimitFault):
        run(text, {"x": 1.0}, limits=limits)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n): return f(n + 1)\nf(0)\nx",
        "def f(n):\n    return [f(n + 1) for i in range(1)]\nf(0)\nx",
        "def f(n):\n    return sorted([n], key=f)\nf(0)\nx",
    ],
)
def test_the_depth_of_calls_is_limited_by_an_error_that_a_program_may_catch(text):
    with pytest.raises(RecursionFault, match="nested more than 1,000 deep") as caught:
        run(text, {"x": 1.0})
    assert caught.value.code == "limit"
    call = text.splitlines()[-2]
    caught_inside = text.replace(f"\n{call}\n", f"\ntry: {call}\nexcept RecursionError: x = x*7\n")
    assert run(caught_inside, {"x": 1.0}).value == 7.0


def test_a_training_loop_is_not_stopped_by_the_node_limit():
    text = "w = torch.tensor(1.0, requires_grad=True)\nfor i in range(30000):\n    y = w*x\nw"
    assert run(text, {"x": 1.0}, limits=Limits(max_nodes=20_000)).value == 1.0


def test_no_growth_under_no_grad():
    text = "with torch.no_grad():\n    z = x\n    for i in range(20000):\n        z = z*x\nz"
    got = run(text, {"x": 1.0})
    assert got.nodes < 10


def test_deep_programs():
    terms = "+".join(f"{i}*x" for i in range(1, 5001))
    assert run(terms, {"x": 0.5}).gradients == {"x": 12502500.0}
    assert run("x+(" * 2000 + "x" + ")" * 2000, {"x": 1}).gradients == {"x": 2001.0}
    assert run("sin(" * 2000 + "x" + ")" * 2000, {"x": 0.5}).value > 0
    assert run("-" * 2000 + "x", {"x": 0.5}).gradients == {"x": 1.0}
    assert run("y = " + "[" * 500 + "x" + "]" * 500, {"x": 1}).output == "y"


def test_a_run_leaves_nothing_behind():
    before = (sys.getrecursionlimit(), gc.isenabled(), np.geterr())
    for text in ("torch.set_grad_enabled(False)\nx", "1/0", "torch.set_default_dtype(torch.float32)\nx*2"):
        with contextlib.suppress(Fault):
            run(text, {"x": 1})
        assert (sys.getrecursionlimit(), gc.isenabled(), np.geterr()) == before
        assert tape.grad_enabled and tape.default_dtype.name == "float64"


def test_two_runs_of_one_program_do_not_meet():
    program = Program.load("y = x*2\ny*y")
    assert program.run({"x": 1}).gradients == {"x": 8.0}
    assert program.run({"x": 3}).gradients == {"x": 24.0}


def test_a_scalar_program_does_not_import_numpy():
    import subprocess

    code = (
        "import sys; from autodiff_cli import Program; "
        "Program.load('z=(x*y+1)**2 + sin(x)/exp(y) - log(x)**0.5').run({'x': 2, 'y': 3}); "
        "sys.exit('numpy' in sys.modules or 'scipy' in sys.modules or 'rich' in sys.modules or 'lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_refused_before_anything_runs():
    for text in ("print('ran')\nx.foo", "print('ran')\nimport os", "print('ran')\nfrom torch import sine"):
        seen = []
        with pytest.raises(SyntaxFault):
            run(text, {"x": 1}, write=seen.append)
        assert not seen
