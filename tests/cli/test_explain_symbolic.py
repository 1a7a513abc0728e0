"""`autodiff explain --symbolic`: the derivative along the path taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.harness import autodiff

from autodiff_cli import Program

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.ad"))

LOOP = "z = x\nfor i in range(3) { z = z*w + sin(z) }\nz if z > 0 else -z"


def formulas(program: str, **inputs: float) -> dict[str, Any]:
    argv = [part for name, value in inputs.items() for part in (f"--{name}", repr(value))]
    result = autodiff("explain", program, "--symbolic", *argv, "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)


def test_a_polynomial() -> None:
    found = formulas("z=(x*y+1)**2", x=2.0, y=3.0)
    assert found["derivatives"] == {"x": "2 * (x * y + 1) * y", "y": "2 * (x * y + 1) * x"}
    assert found["formula"] == "(x * y + 1)**2"


@pytest.mark.parametrize(
    ("program", "x", "expected"),
    [
        ("x**3", 2.0, "3 * x**2"),
        ("2**x", 3.0, "2**x * log(2)"),
        ("1/x", 2.0, "-1 / x**2"),
        ("relu(x)*3", 2.0, "3"),
        ("relu(x)*3", -2.0, "0"),
        ("x.clamp(0, 1)", 0.5, "1"),
        ("(3 - x)*2", 1.0, "-2"),
        ("x - 2*x", 1.0, "-1"),
        ("where(x > 0, x*x, -x)", 2.0, "2 * x"),
        ("exp(-x)", 1.0, "-exp(-x)"),
        ("x.detach()*x", 4.0, "4"),
        ("x.sum() + x.mean()", 4.0, "2"),
    ],
)
def test_one_variable(program: str, x: float, expected: str) -> None:
    assert formulas(program, x=x)["derivatives"] == {"x": expected}


PROGRAMS = [
    "sin(x)*exp(w) + log(x + w**2)",
    "tanh(w*x)**2 / (1 + x*x)",
    "sigmoid(x*w) - sqrt(x)*w",
    "softplus(x) * atan2(w, x)",
    "x**w + w**x + 3**(x*w)",
    "max(x, w)*min(x, w) + hypot(x, w)",
    "logaddexp(x, 2*w) + erf(x)*gelu(w)",
    "silu(x) + mish(w) * lgamma(x + 1)",
    "(x - 3).abs() * (w - 5)",
    "rsqrt(x) + (w*x).expm1()",
    "lerp(x, w, 0.3) + addcmul(x, w, x, value=0.5)",
    LOOP,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_formulas_value_is_the_gradient(program: str) -> None:
    """Each formula is a program again: run by eval, it gives what grad gave."""
    found = formulas(program, x=1.3, w=0.7)
    gradients = json.loads(autodiff("grad", program, "--x", "1.3", "--w", "0.7", "--json").out)["gradients"]
    for name, text in found["derivatives"].items():
        assert evaluated(found, name, found["at"]) == pytest.approx(gradients[name], rel=1e-9), (name, text)


def test_the_path_is_told() -> None:
    found = formulas(LOOP, x=1.3, w=0.7)
    assert found["path"] == [
        {"line": 2, "text": "for i in range(3)", "decided": "3 turns"},
        {"line": 3, "text": "z > 0", "decided": "true"},
    ]
    shown = autodiff("explain", LOOP, "--symbolic", "--x", "1.3", "--w", "0.7").out
    assert "along this path:\n  line 2: for i in range(3): 3 turns\n  line 3: z > 0: true\n" in shown


def test_constants_that_are_inputs_keep_their_names() -> None:
    result = autodiff("explain", "k*x", "--symbolic", "--x", "1", "--k", "3", "--no-grad", "k")
    assert "d/dx = k = 3" in result.out


def test_what_grows_long_gets_names() -> None:
    program = "z = x\nfor i in range(40) { z = sin(z)*z - z.cos()/(2 + i) }"
    found = formulas(program, x=0.4)
    assert all(len(one["formula"]) < 400 for one in found["definitions"])
    assert evaluated(found, "z", {"x": 0.4}) == pytest.approx(found["value"], rel=1e-9)
    assert evaluated(found, "x", {"x": 0.4}) == pytest.approx(found["gradients"]["x"], rel=1e-9)
    shown = autodiff("explain", program, "--symbolic", "--x", "0.4").out
    assert "\nwith\n" in shown and "(--all shows them)" in shown


def evaluated(found: dict[str, Any], name: str, values: dict[str, float]) -> float:
    """The value of the formula of a name, with its definitions, as a program."""
    given = "\n".join(f"{n} = torch.tensor({v!r})" for n, v in values.items())
    steps = "\n".join(f"{one['name']} = {one['formula']}" for one in found["definitions"])
    text = found["derivatives"].get(name, found["formula"])
    program = f"pi = math.pi\n{given}\n{steps}\n({text}) * 1.0"
    return float(Program.load(program).run({}, backward=False).value)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_formulas_of_the_samples(sample: Path) -> None:
    """Of every sample of scalars: each formula's value is the gradient of the pass; of others a reason is told."""
    result = autodiff("explain", str(sample), "--symbolic", "--json")
    if result.status:
        assert "--symbolic is for scalars" in result.err or "too many for a formula" in result.err
        return
    found = json.loads(result.out)
    for name, gradient in found["gradients"].items():
        assert evaluated(found, name, found["at"]) == pytest.approx(gradient, rel=1e-7, abs=1e-9), name


def test_arrays_are_refused_with_a_way_out() -> None:
    result = autodiff("explain", "x.sum()", "--symbolic", "--x", "[1,2]")
    assert result.status == 2
    assert "--symbolic is for scalars; x has shape (2,)" in result.err


def test_without_a_backward_pass() -> None:
    result = autodiff("explain", "x.detach()*2", "--symbolic", "--x", "1")
    assert result.status == 2 and "there was no backward pass" in result.err
