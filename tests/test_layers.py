"""The house rules that a machine can hold: who imports whom, and how large files and functions get.

A file imports from lower ranks and from its own folder, never sideways between folders of one rank, never up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "autodiff_cli"
RANKS = {
    "source": 0,
    "nearest": 0,
    "errors": 1,
    "language": 2,
    "engine": 2,
    "data": 2,
    "runtime": 3,
    "native": 3,
    "analysis": 3,
    "views": 4,
    "cli": 5,
    "__init__": 6,  # the public names
    "__main__": 6,
}
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 50
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.name not in ("_tables.py", "_families.py"))


def room(path: Path) -> str:
    """The folder of the package that a file is in, or its own name for a file that is in none."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, room) of every import of the package, wherever it stands in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "autodiff_cli" and parts[-1] != "__version__":  # a constant, for --version
                yield node.lineno, parts[1] if parts[1] in RANKS else "__init__"


def misplaced(path: Path, text: str) -> list[str]:
    """The imports of a file that the ranks forbid."""
    own = room(path)
    return [
        f"{path.name}:{line} imports {other}"
        for line, other in imported_rooms(ast.parse(text))
        if other != own and RANKS[other] >= RANKS[own]
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down(path: Path) -> None:
    assert misplaced(path, path.read_text(encoding="utf-8")) == []


def test_the_check_of_imports_sees_sideways_and_up() -> None:
    engine = PACKAGE / "engine" / "x.py"
    assert misplaced(engine, "from autodiff_cli.engine import tensor\nfrom autodiff_cli.errors import Fault") == []
    assert misplaced(engine, "from autodiff_cli.language import nodes") == ["x.py:1 imports language"]
    assert misplaced(engine, "def f():\n    import autodiff_cli.views.text") == ["x.py:2 imports views"]


def long_functions(text: str) -> list[str]:
    """The functions with too many lines, blank lines and docstrings included."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES_OF_A_FUNCTION:
                found.append(f"{node.name}: {lines} lines")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MOST_LINES
    assert long_functions(text) == []


def test_the_check_of_sizes_sees_a_long_function() -> None:
    body = "".join(f"    x{i} = {i}\n" for i in range(MOST_LINES_OF_A_FUNCTION))
    assert long_functions(f"def f():\n{body}") == [f"f: {MOST_LINES_OF_A_FUNCTION + 1} lines"]


def test_every_file_says_what_it_is() -> None:
    undocumented = [
        str(path.relative_to(PACKAGE))
        for path in FILES
        if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert undocumented == []
