"""Formulas that simplify a little."""

from __future__ import annotations

import math
import random

import pytest

from autodiff_cli.views.explain_algebra import NoFormula, atom, labelled, number, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n * x**(n - 1)", "2 * x"),
        ("2*x + 3*x", "5 * x"),
        ("x - x", "0"),
        ("x * x * x", "x**3"),
        ("x**2 / x", "x"),
        ("(x + 1) * (x + 1)", "(x + 1)**2"),
        ("(x + 1) - (x + 2)", "-1"),
        ("x * x**(x - 1)", "x**x"),
        ("-x / k**2", "-x / k**2"),
        ("1 / (2 * k)", "1 / (2 * k)"),
        ("exp(-x**2 / 2)", "exp(-0.5 * x**2)"),
        ("1 if x > 0 else 0", "1 if x > 0 else 0"),
        ("g @ b.mT", "g @ b.mT"),
        ("0 * x", "0"),
        ("1 * x", "x"),
        ("2 * 3", "6"),
        ("1 / 3", "1 / 3"),
    ],
)
def test_what_a_person_does_by_eye(text: str, expected: str) -> None:
    shown = read(text, {"n": number(2.0)}).text
    assert shown.strip("()") == expected if expected == "1 / 3" else shown == expected


def test_source_text_in_the_place_of_a_name_is_held_together() -> None:
    names = {"x": labelled("a + b"), "f": labelled("f(a)")}
    assert read("2 * x", names).text == "2 * (a + b)"
    assert read("x", names).text == "a + b"
    assert read("f**2", names).text == "f(a)**2"


def test_a_condition_is_decided_where_there_is_somebody_to_decide() -> None:
    assert read("1 if x > 0 else 5", {}, lambda _: False).text == "5"
    assert read("where(x >= low & x <= high, x, 0)", {}, lambda _: True).text == "x"


def test_prose_is_no_formula() -> None:
    with pytest.raises(NoFormula):
        read("the product of the other entries", {})


def test_a_simplified_formula_has_the_same_value() -> None:
    """Random formulas of + - * / ** and functions, evaluated before and after."""
    dice = random.Random(3)

    def make(depth: int) -> str:
        if depth == 0:
            return dice.choice(["x", "k", "2", "3", "0.5", "1", "x"])
        a, b = make(depth - 1), make(depth - 1)
        return dice.choice(
            [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"{a} / (7 + {b})", f"sin({a})", f"({a})**2", f"-{a}"]
        )

    space = {"x": 1.3, "k": 0.7, "sin": math.sin}
    for _ in range(300):
        text = make(dice.choice([1, 2, 3, 4]))
        try:
            expected = eval(text, {}, space)
        except ZeroDivisionError:
            continue
        shown = read(text, {"x": atom("x")}).text
        assert eval(shown, {}, space) == pytest.approx(expected, rel=1e-9, abs=1e-9), (text, shown)
