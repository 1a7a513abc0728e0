"""Strings, lists and nested lists that would grow without bound are refused before they take memory."""

from __future__ import annotations

import pytest

from autodiff_cli import Program
from autodiff_cli.errors import LimitFault, RecursionFault, ValueFault
from autodiff_cli.runtime import arithmetic
from autodiff_cli.runtime.program import Limits

GROWING = {
    '"a".ljust(10**11)': "100,000,000,000",
    '"a".rjust(10**11, "-")': "100,000,000,000",
    '"a".center(10**11)': "100,000,000,000",
    '"a".zfill(10**11)': "100,000,000,000",
    '"\\t".expandtabs(10**11)': "100,000,000,001",
    '("b" * 10**6).join(["a"] * 10**6)': "1,000,000,000,000",
    '("a" * 10**6).replace("a", "b" * 10**6)': "1,000,000,000,000",
    '"a" * 10**11': "100,000,000,000",
}


@pytest.mark.parametrize("expression", GROWING)
def test_strings(expression):
    with pytest.raises(LimitFault, match=r"the limit is 100,000,000") as caught:
        Program.load(f"s = {expression}").run()
    assert GROWING[expression][:7] in caught.value.message
    assert caught.value.span is not None


@pytest.mark.parametrize("growth", ["s.extend(s)", "s = s + s", "s = s * 2"])
def test_lists(growth, monkeypatch):
    monkeypatch.setattr(arithmetic, "MAX_LENGTH", 1_000)
    with pytest.raises(LimitFault, match=r"1,024 elements; the limit is 1,000"):
        Program.load(f"s = [1]\nfor i in range(20):\n    {growth}").run()


def test_short_ones_are_as_in_python():
    text = (
        '"a".ljust(4, "-"), "x".join(["a", "b"]), "x".join(str(i) for i in range(3)), "aXa".replace("X", "yy"), '
        '"a\\tb".expandtabs(4), "a\\tb".expandtabs(tabsize=2), "7".zfill(3), "aaa".replace("a", "b", 1), "a".center(5)'
    )
    run = Program.load(
        f"print([{text}])\nq = [1]\nq.extend(range(2))\nq.extend('ab')\nq.extend(i for i in q[:1])\nprint(q)"
    ).run()
    assert "".join(run.printed) == f"{eval('[' + text + ']')}\n[1, 0, 1, 'a', 'b', 1]\n"


def test_a_list_within_itself_is_no_tensor():
    with pytest.raises(ValueFault, match="nested more than 64 deep"):
        Program.load("a = []\na.append(a)\ntorch.tensor(a)").run()
    with pytest.raises(LimitFault, match="the limit is"):
        Program.load("b = [1.0]\nfor i in range(40): b = [b, b]\ntorch.tensor(b)").run(
            limits=Limits(max_elements=10**5)
        )


@pytest.mark.parametrize(
    "use",
    [
        "print(x)", "str(x)", "repr(x)", 'f"{x}"', 'f"{x!r}"', '"{}".format(x)', '"%s" % x', "x == [x]", "x in [1, x]", "sorted([x, [x]])",
        "[x].count([x])", "[1, x].index([x])", "[x].remove([x])", "max([x, [x]])", "x < [x]", "x",
    ],
)  # fmt: skip
def test_lists_nested_without_end_are_refused(use):
    text = f"x = []\nfor i in range(100000):\n    x = [x]\n{use}"
    with pytest.raises(RecursionFault, match="nested more than 500 deep"):
        Program.load(text).run()


def test_what_does_not_go_down_takes_nested_lists():
    text = "x = [0]\nfor i in range(2000):\n    x = [x]\nprint(len(x), isinstance(x, list), len(list(x)), len(x + [x]), len(x * 3))\n0"
    assert Program.load(text).run().printed == ["1 True 1 2 3\n"]
    itself = "x = [1]\nx.append(x)\nprint(x, str(x))\nlen(x)"
    assert Program.load(itself).run().printed == ["[1, [...]] [1, [...]]\n"]
