"""`autodiff explain`: the backward pass, step by step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import autodiff

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.ad"))
SEED = ("z=(x*y+1)**2", "--x", "2", "--y", "3")
STEPS = """\
z = 49

backward starts from z with gradient 1

node            operand  derivative   local  incoming  product  sum
z = (x*y+1)**2  x*y+1    2 * (x*y+1)     14         1       14   14
x*y+1           x*y                       1        14       14   14
x*y             x        y                3        14       42   42
                y        x                2                 28   28

name  value  gradient
x         2        42
y         3        28
"""
TRAINING = """\
w = tensor(1.0, requires_grad=True)
for step in range(3):
    loss = (w * 3 - 6) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
"""


def steps_of(*argv: str) -> list[dict]:
    result = autodiff("explain", *argv, "--json")
    assert (result.status, result.err) == (0, "")
    return json.loads(result.out)["steps"]


def test_each_step_of_the_chain_rule() -> None:
    assert autodiff("explain", *SEED) == (0, STEPS, "")


def test_where_a_value_is_used_twice_contributions_add() -> None:
    result = autodiff("explain", "x*x + sin(x)*x", "--x", "2")
    steps = [s for s in steps_of("x*x + sin(x)*x", "--x", "2") if s["operand"]["label"] == "x"]
    assert [s["use"] for s in steps] == [1, 2, 3, 4]
    products = [s["product"] for s in steps]
    assert steps[-1]["sum"] == pytest.approx(sum(products))
    assert f"x is used 4 times: contributions add to {sum(products):.6g}: " in result.out


def test_the_engines_own_order_later_nodes_first() -> None:
    assert [s["label"] for s in steps_of("a=x*2; b=a+x; c=a*b", "--x", "3")] == ["c", "c", "b", "b", "a"]


def test_formulas_name_what_the_program_names() -> None:
    steps = steps_of("a = w*x + b; h = tanh(a); l = (h - 1)**2", "--w", "0.5", "--x", "2", "--b", "0.1")
    assert [s["formula"] for s in steps] == ["2 * (h - 1)", "1", "1 - h**2", "1", "1", "x", "w"]
    product = 1.0
    for step in steps[:3]:
        product *= step["local"]
    assert steps[2]["product"] == pytest.approx(product, rel=1e-15)


def test_it_ends_in_the_gradients_of_eval() -> None:
    program = ("s = (w @ x + b).tanh(); (s * s).sum() + w.norm() + x.max()", "--w", "[[1,2],[3,4]]")
    given = (*program, "--x", "[1,-2]", "--b", "[0.1,0.2]", "--json")
    explained = json.loads(autodiff("explain", *given).out)
    evaluated = json.loads(autodiff("eval", *given).out)
    assert explained["gradients"] == evaluated["gradients"] == explained["totals"]
    last = {step["operand"]["label"]: step["sum"] for step in explained["steps"]}
    assert {name: last[name] for name in ("w", "x", "b")} == evaluated["gradients"]


def test_a_pass_is_told_with_the_values_that_it_saw(tmp_path: Path) -> None:
    """The leaf is changed in place after each pass, and its gradient cleared."""
    file = tmp_path / "train.ad"
    file.write_text(TRAINING)
    w = 1.0
    for number in (1, 2, 3):
        steps = steps_of(str(file), "--pass", str(number))
        assert steps[-1]["operand"]["label"] == "w"
        assert steps[-1]["sum"] == pytest.approx(2 * (3 * w - 6) * 3)
        w -= 0.1 * steps[-1]["sum"]
    result = autodiff("explain", str(file))
    assert "backward at line 4 starts from loss with gradient 1 (pass 3 of 3)" in result.out
    assert "w.grad is cleared now; this pass gave" in result.out


def test_gradients_that_were_there_before_are_told() -> None:
    result = autodiff("explain", "a=(x*y)**2; a.backward(); b=x*y; b.backward()", "--x", "2", "--y", "3")
    assert "x.grad holds 39 now; this pass gave 3" in result.out


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_of_every_sample_sums_are_the_gradients_of_the_pass_and_it_ends_as_eval(sample: Path) -> None:
    told = json.loads(autodiff("explain", str(sample), "--pass", "all", "--json").out)
    assert told["gradients"] == json.loads(autodiff("eval", str(sample), "--json").out)["gradients"]
    hooked = "register_hook" in sample.read_text(encoding="utf-8")
    for one in told.get("passes", [told]):
        last = {step["operand"]["label"]: step["sum"] for step in one["steps"] or () if step["operand"]["is_leaf"]}
        for name, gradient in one["totals"].items():
            assert hooked or last.get(name, gradient) == gradient, name


def test_every_pass_in_order(tmp_path: Path) -> None:
    file = tmp_path / "passes.ad"
    file.write_text("w = tensor(1.0, requires_grad=True)\nfor i in range(3) { (w*w*i).backward() }\n")
    shown = autodiff("explain", str(file), "--pass", "all").out
    assert [f"(pass {n} of 3)" in shown for n in (1, 2, 3)] == [True] * 3
    assert shown.index("(pass 1 of 3)") < shown.index("(pass 2 of 3)") < shown.index("(pass 3 of 3)")
    document = json.loads(autodiff("explain", str(file), "--pass", "all", "--json").out)
    assert [one["pass"]["number"] for one in document["passes"]] == [1, 2, 3]
    page = autodiff("explain", str(file), "--pass", "all", "--to", "markdown").out
    assert page.count("## Backward, pass ") == 3
    assert "--pass N tells another of them" in autodiff("explain", str(file)).out
    assert "--symbolic is for one pass" in autodiff("explain", str(file), "--pass", "all", "--symbolic").err
    assert "2, or all" in autodiff("explain", str(file), "--pass", "first").err


def test_a_pass_that_there_was_not() -> None:
    result = autodiff("explain", *SEED, "--pass", "2")
    assert result.status == 2
    assert "--pass 2: the program went backward once" in result.err


def test_only_what_leads_to_a_name() -> None:
    labels = [(s["label"], s["operand"]["label"]) for s in steps_of(*SEED, "--wrt", "y")]
    assert labels == [("z", "x*y+1"), ("x*y+1", "x*y"), ("x*y", "y")]
    assert "1 step that leads elsewhere is left out" in autodiff("explain", *SEED, "--wrt", "y").out


def test_one_entry_of_arrays() -> None:
    result = autodiff("explain", "((w*x)**2).sum()", "--w", "[1,2]", "--x", "[3,4]", "--element", "1")
    assert "2 * w*x" not in result.out
    rows = [line.split() for line in result.out.splitlines() if line.startswith("w*x ")]
    assert rows[0][-4:] == ["4", "16", "64", "64"]  # d(w*x)/dw = x[1], incoming 2*8, product, sum


def test_one_entry_through_a_matrix_product_is_a_sum_of_terms() -> None:
    result = autodiff(
        "explain", "(w@x * v).sum()", "--w", "[[1,2],[3,4]]", "--x", "[1,2]", "--v", "[5,7]", "--element", "0"
    )
    assert "1*5 + 3*7" in result.out


def test_an_entry_that_no_leaf_has() -> None:
    result = autodiff("explain", "(w*2).sum()", "--w", "[1,2]", "--element", "5")
    assert result.status == 2
    assert "no leaf has such an entry" in result.err


def test_a_long_pass_is_cut_in_its_middle() -> None:
    program = ("z=x\nfor i in range(50) { z = z*x + 1 }", "--x", "1.01")
    cut = autodiff("explain", *program).out
    assert "100 more steps" in cut and "--all shows every step" in cut
    assert autodiff("explain", *program, "--all").out.count("z*x") > 90


def test_without_a_graph_the_reason_is_told() -> None:
    result = autodiff("explain", "x.detach()*2", "--x", "2")
    assert result.status == 0
    assert "no gradient of x" in result.err


def test_what_a_hook_put_in_the_place_of_a_gradient() -> None:
    program = "y = x*2; y.register_hook(lambda g: g*10); z = y*3"
    result = autodiff("explain", program, "--x", "1")
    assert "a hook replaced the gradient of y: 30" in result.out


@pytest.mark.parametrize("width", ["80", "200"])
def test_no_line_is_wider_than_the_page(width: str) -> None:
    program = "h = tanh(w@x + b)\nfor i in range(3) { h = h*h + sin(h)*x }\nloss = ((h - 1)**2).mean()"
    given = ("--w", "[[1,2],[3,4]]", "--x", "[1.2345678,2]", "--b", "[0.1,0.2]")
    result = autodiff("explain", program, *given, variables={"COLUMNS": width}, encoding="ascii")
    assert result.status == 0 and result.out.isascii()
    assert max(len(line) for line in result.out.splitlines()) <= int(width)


def test_a_pass_to_chosen_targets_is_told_as_it_went() -> None:
    """`autograd.grad` goes to the inputs asked for, one of which is an inner value."""
    program = "h = x*y; z = h*x; g = torch.autograd.grad(z, [h, x]); z.detach()"
    steps = steps_of(program, "--x", "2", "--y", "3")
    assert [(s["label"], s["operand"]["label"], s["product"]) for s in steps] == [
        ("z", "h", 2.0),
        ("z", "x", 6.0),
        ("h", "x", 6.0),
    ]


def test_a_pass_that_begins_at_a_leaf() -> None:
    result = autodiff("explain", "x.backward()", "--x", "2")
    assert result.status == 0 and "backward at line 1 starts from x with gradient 1" in result.out


def test_names_are_those_that_variables_had_when_the_pass_went(tmp_path: Path) -> None:
    file = tmp_path / "two.ad"
    file.write_text(
        "def f(t):\n    return 1/(1 + t)\nw = tensor(0.5, requires_grad=True)\n"
        "for x in (1.0, 2.0):\n    h = f(w*x)\n    out = f(h)\n    out.backward()\n"
    )
    told = json.loads(autodiff("explain", str(file), "--pass", "all", "--json").out)
    for one in told["passes"]:
        assert [step["label"] for step in one["steps"] if step["label"] in ("h", "out")] == ["out", "h"]


@pytest.mark.parametrize("width", ["80", "120"])
def test_formulas_and_terms_are_told_whole_on_any_page(width: str) -> None:
    program = "A = tensor([[1.,2.],[3.,4.]], requires_grad=True); s = (A @ A).softmax(1); (A * s).norm()"
    for entry in ((), ("--element", "1,0")):
        shown = autodiff("explain", program, *entry, variables={"COLUMNS": width}).out
        assert "keepdim=True" in shown and max(len(line) for line in shown.splitlines()) <= int(width)
        assert not entry or width == "80" or ("0.00091*0.00185 - " in shown and "0.00091*3.61\n" in shown)


def test_the_name_that_a_pass_starts_from_is_explained_by_all_of_it() -> None:
    whole = autodiff("explain", "z=x*y", "--x", "2", "--y", "3").out
    told = autodiff("explain", "z=x*y", "--x", "2", "--y", "3", "--wrt", "z").out
    assert whole.partition("\n\nname ")[0] == told.partition("\n\nname ")[0] and "left out" not in told
