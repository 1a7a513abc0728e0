"""Deep and long programs: parsed, bound and written without a crash, in time that grows with their length."""

from __future__ import annotations

import sys

import pytest
from language.python_tree import same_shape

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language.depth import deep_recursion, depth
from autodiff_cli.language.parser import MAX_DEPTH, parse
from autodiff_cli.language.scope import analyse
from autodiff_cli.language.unparse import unparse
from autodiff_cli.source import Source

LEVELS = 10_000

DEEP = {
    "a sum": "+".join(["x"] * LEVELS),
    "a power": "**".join(["x"] * LEVELS),
    "parentheses": "(" * LEVELS + "x" + ")" * LEVELS,
    "lists": "[" * LEVELS + "x" + "]" * LEVELS,
    "dicts": "{1:" * LEVELS + "x" + "}" * LEVELS,
    "unary minus": "-" * LEVELS + "x",
    "not": "not " * LEVELS + "x",
    "calls": "f(" * LEVELS + "x" + ")" * LEVELS,
    "calls of calls": "f" + "()" * LEVELS,
    "attributes": "x" + ".a" * LEVELS,
    "items": "x" + "[0]" * LEVELS,
    "conditionals": "x if x else " * LEVELS + "x",
    "branches": "if x: pass\n" + "elif x: pass\n" * LEVELS,
    "lambdas": "lambda: " * 2000 + "x",
    "comprehensions": "[" * 500 + "x" + " for a in b]" * 500,
    "f-strings": 'f"{' * 2000 + "x" + '}"' * 2000,
    "blocks in braces": "while x {" * 2000 + "x" + "}" * 2000,
    "indented blocks": "".join(" " * i + "if x:\n" for i in range(300)) + " " * 300 + "x",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_a_deep_program_goes_all_the_way(text: str) -> None:
    module = parse(Source(text))
    scopes = analyse(module, frozenset("f"))
    assert ("x" in scopes.module.locals) == ("x" in text)
    again = parse(Source(unparse(module)))
    assert same_shape(again, module)


@pytest.mark.parametrize("text", ["-" * (MAX_DEPTH + 1) + "x", "+".join(["x"] * (MAX_DEPTH + 2))])
def test_there_is_a_limit_and_the_fault_names_it(text: str) -> None:
    with pytest.raises(SyntaxFault, match=str(MAX_DEPTH)) as caught:
        parse(Source(text))
    assert caught.value.source is not None


def test_the_limit_is_on_depth_and_not_on_length() -> None:
    source = Source("y = [" + "x, " * (MAX_DEPTH // 2) + "]")
    assert depth(parse(source)) == 4


def test_the_recursion_limit_is_put_back() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(ValueError, match="from inside"), deep_recursion():
        assert sys.getrecursionlimit() > before
        raise ValueError("from inside")
    assert sys.getrecursionlimit() == before


LONG = {
    "lines": "y = x*y + 1\n",
    "statements on a line": "y = x;",
    "names": "v{i} = v{j} + x\n",
    "remarks": "# a remark\n",
    "strings": "y = 'a\\'b'\n",
    "nothing": "\n",
    "functions": "def f{i}(a):\n    return a + b\n",
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG.keys())
def test_the_work_grows_with_the_length(line: str) -> None:
    """Eight times the length takes at most 12 times the calls: a quadratic part would take 64."""
    taken = []
    for count in (250, 2000):
        text = "".join(line.replace("{i}", str(i)).replace("{j}", str(i - 1)) for i in range(count))
        calls = [0]

        def count_call(*_: object, calls: list[int] = calls) -> None:
            calls[0] += 1

        sys.setprofile(count_call)
        try:
            module = parse(Source(text))
            analyse(module, frozenset())
            unparse(module)
        finally:
            sys.setprofile(None)
        taken.append(calls[0])
    assert taken[1] < 12 * taken[0] + 1000
