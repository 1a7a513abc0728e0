"""Tree -> text -> the same tree; the text as a person would write it. Random trees: `test_parser.py`."""

from __future__ import annotations

import pytest
from language.corpus import EXPRESSIONS, STATEMENTS
from language.python_tree import shape
from language.test_parser import BRACES, expression, joined, tree

from autodiff_cli.language.unparse import unparse

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("text", joined(EXPRESSIONS) + STATEMENTS + list(BRACES))
def test_what_is_written_reads_back(text: str) -> None:
    assert shape(tree(unparse(tree(text)))) == shape(tree(text))


@pytest.mark.parametrize(
    "text",
    [
        'f"{x = }"',
        'f"{x=!s:>{w}}"',
        'f"{d["a"]}"',
        'f"{ {1: 2} }"',
        'f"{(lambda: 1)()}"',
        "f'{x:\\x7b}'",
        "f'\\'\"{x}'",
        "with (a,): b",
        "del ()",
        "x = 1e999",
    ],
)
def test_what_python_does_not_tell_of_reads_back(text: str) -> None:
    assert shape(tree(unparse(tree(text)))) == shape(tree(text))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(x)", "x"),
        ("((a+b))*c", "(a + b) * c"),
        ("(a*b)+c", "a * b + c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(-x)**2", "(-x)**2"),
        ("-(x**2)", "-x**2"),
        ("2**(-x)", "2**-x"),
        ("(2**3)**2", "(2**3)**2"),
        ("not(a)and(b or c)", "not a and (b or c)"),
        ("(a<b)<c", "(a < b) < c"),
        ("(lambda x:x)(1)", "(lambda x: x)(1)"),
        ("(a if b else c)if d else e", "(a if b else c) if d else e"),
        ("f((i for i in x))", "f(i for i in x)"),
        ("x[(1,2)]", "x[1, 2]"),
        ("1 .real", "1 .real"),
        ("(a,)", "(a,)"),
        ("'a' \"b\"", "'ab'"),
        ("0xff", "255"),
    ],
)
def test_parentheses_are_written_where_they_are_needed(text: str, written: str) -> None:
    assert unparse(expression(text)) == written


def test_blocks_are_indented() -> None:
    text = "if a { b } elif c { d } else { for i in x { y } }"
    assert unparse(tree(text)) == ("if a:\n    b\nelif c:\n    d\nelse:\n    for i in x:\n        y\n")


def test_a_statement_can_be_written_alone() -> None:
    (loop,) = tree("for i in x: y").body
    assert unparse(loop) == "for i in x:\n    y\n"
