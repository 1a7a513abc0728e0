"""Which texts go on in the next line."""

from __future__ import annotations

import pytest

from autodiff_cli.language.completeness import belongs, goes_on, open_block


@pytest.mark.parametrize(
    "text",
    [
        "f(1,", "x = [1,\n2", "x = {1: 2", "for i in range(3):", "if x:\n    y = 1\nelse:", "def f(x):", "def f(x",
        "x = '''abc", "f'''abc", "for i in range(3) {", "for i in range(3) {\n  y = i", "if x { y = 1 } else {",
        "@torch.no_grad()", "with torch.no_grad():", "try:", "try:\n    y = 1\nexcept ValueError:", "x = 1 + \\",
        'def f(x):\n    """doc',
    ],
)  # fmt: skip
def test_these_go_on(text: str) -> None:
    assert goes_on(text)


@pytest.mark.parametrize(
    "text",
    ["", "x", "x +", "z =", "x = 'abc", "x = (1]", "if x:\n    y = 1", "if x: y = 1", "f'{x", "lambda x:", ") x"],
)
def test_these_are_finished_or_wrong(text: str) -> None:
    assert not goes_on(text)


def test_blocks_by_indentation() -> None:
    assert open_block("if x:\n    y = 1") and open_block("if x:\n    y = 1\n")
    assert not open_block("x = 1") and not open_block("if x:\n    y = 1\nz = 2")
    assert all(belongs(line) for line in ("    z = 1", "else:", "elif x:", "except ValueError:", "finally :"))
    assert not any(belongs(line) for line in ("z = 1", "elsewhere = 1", ""))
