"""`autodiff ops`: the library, read off the registry."""

from __future__ import annotations

import json

import pytest
from cli.harness import autodiff

from autodiff_cli.engine import methods
from autodiff_cli.engine.registry import FUNCTIONS, OPS
from autodiff_cli.engine.symbol import Symbol, formula, operand_names, symbol
from autodiff_cli.views.catalogue import catalogue, find

assert methods


def test_every_function_of_the_registry_is_listed() -> None:
    listed = {name for entry in catalogue() for name in (entry.name, *entry.aliases)}
    assert listed == {name for _, name in FUNCTIONS}
    assert all(entry.family and not entry.family.startswith("autodiff_cli") for entry in catalogue())


def test_the_table() -> None:
    out = autodiff("ops").out
    assert all(len(line) <= 100 for line in out.splitlines())
    row = next(line for line in out.splitlines() if line.startswith("  sin "))
    assert row.split() == ["sin", "cos(x)"]
    assert "asin, arcsin" in out
    assert autodiff("ops", encoding="ascii").out.isascii()
    assert "\x1b[" in autodiff("ops", "--color", "always").out


def test_a_page() -> None:
    out = autodiff("ops", "tanh").out
    assert "tanh(input)" in out
    assert "torch.tanh, x.tanh" in out
    assert "dy/dx = 1 - y**2" in out
    assert "at kinks" in autodiff("ops", "abs").out


@pytest.mark.parametrize("name", ["arcsin", "torch.asin", "x.asin", "AsinBackward0"])
def test_a_function_is_found_under_all_its_names(name: str) -> None:
    assert [entry.name for entry in find(name)] == ["asin"]


def test_a_function_without_a_derivative() -> None:
    assert "no derivative" in autodiff("ops", "floor_divide").out or "no derivative" in autodiff("ops", "lt").out


def test_what_is_not_in_the_library() -> None:
    result = autodiff("ops", "tanhh")
    assert (result.status, result.out) == (2, "")
    assert "did you mean autodiff ops tan" in result.err
    assert autodiff("ops", "sin", "cos").status == 2


def test_json() -> None:
    document = json.loads(autodiff("ops", "mul", "--json").out)
    (function,) = document["functions"]
    assert function["aliases"] == ["multiply"]
    assert function["ops"][0]["derivatives"] == [["a", "b"], ["b", "a"]]
    assert function["ops"][0]["grad_fn"] == "MulBackward0"
    assert len(json.loads(autodiff("ops", "--json").out)["functions"]) == len(catalogue())


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("sin", ["cos(x)"]),
        ("cos", ["-sin(x)"]),
        ("exp", ["y"]),
        ("mul", ["b", "a"]),
        ("sub", ["1", "-1"]),
        ("pow_scalar", ["n * x**(n - 1)", None]),
        ("rsqrt", ["-0.5 * y**3"]),
        ("log2", ["1 / (x * log(2))"]),
        ("lt", []),
    ],
)
def test_a_rule_run_on_symbols_is_its_formula(op: str, expected: list[str | None]) -> None:
    found = OPS[op]
    assert [formula(found, i) for i in range(len(found.vjps or ()))] == expected


def test_every_op_has_a_name_for_each_operand_that_it_differentiates() -> None:
    for op in OPS.values():
        if op.vjps is not None:
            assert len(operand_names(op)) == len(op.vjps), op


x, y = Symbol("x"), Symbol("y")


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (lambda: (x + y) * (x - y), "(x + y) * (x - y)"),
        (lambda: x - (y - x), "x - (y - x)"),
        (lambda: x / (y * x), "x / (y * x)"),
        (lambda: (x / y) / x, "x / y / x"),
        (lambda: -(x + y), "-(x + y)"),
        (lambda: x.__neg__().__neg__(), "x"),
        (lambda: (-x) ** 2, "(-x)**2"),
        (lambda: x ** (-y), "x**-y"),
        (lambda: (x**y) ** 2, "(x**y)**2"),
        (lambda: 2 ** (x + 1), "2**(x + 1)"),
        (lambda: 1 - x * 1.0, "1 - x"),
        (lambda: 0 + x - 0, "x"),
        (lambda: 0 - x, "-x"),
        (lambda: x * 0, "0"),
        (lambda: 0 / x, "0"),
        (lambda: x / 1, "x"),
        (lambda: -1 * x, "-x"),
        (lambda: x + -y, "x - y"),
        (lambda: x**1, "x"),
        (lambda: x * x * x, "x**3"),
        (lambda: (x + y) * (x + y), "(x + y)**2"),
        (lambda: (x > 0) & (y <= 1) | (x == y), "x > 0 & y <= 1 | x == y"),
        (lambda: ~(x != y), "~(x != y)"),
        (lambda: (x < y) >= 2, "(x < y) >= 2"),
        (lambda: 3 - symbol(True), "3 - 1"),
        (lambda: -symbol(2.5), "-2.5"),
        (lambda: symbol(2) * 3.5, "7"),
        (lambda: 1 / x, "1 / x"),
    ],
)
def test_formulas_have_pythons_precedence(built: object, text: str) -> None:
    assert repr(built()) == text  # type: ignore[operator]


def test_a_formula_has_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(x > 0)
    with pytest.raises(TypeError):
        symbol("x")


@pytest.mark.parametrize("name", ["softmax", "conv1d", "sum", "scaled_dot_product_attention"])
def test_a_page_keeps_to_the_width(name: str) -> None:
    """But for the signature and the formulas, which are copied."""
    status, out, *_ = autodiff("ops", name, variables={"COLUMNS": "60"})
    assert status == 0
    body = out.split("\n\n")[0].splitlines()[1:]
    assert body
    assert all(len(line) <= 60 for line in body), out
