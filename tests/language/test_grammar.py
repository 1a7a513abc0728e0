"""The tables of the parser: fresh, reproducible, enough without Lark; and what the front end imports."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autodiff_cli.language import actions, grammar, statements
from autodiff_cli.language.lalr import Automaton
from autodiff_cli.language.lexer import tokenize
from autodiff_cli.language.misfit import Misfit

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = ROOT / "autodiff_cli" / "language"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build", ROOT / "grammar" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(build: ModuleType) -> dict[str, Any]:
    tables: dict[str, Any] = build.make()
    return tables


def test_the_tables_in_the_tree_are_fresh(build: ModuleType, made: dict[str, Any]) -> None:
    """`python grammar/build.py` makes them anew."""
    tables = pytest.importorskip("autodiff_cli.language._tables")
    assert build.fingerprint() == tables.FINGERPRINT
    assert made == {name: getattr(tables, name) for name in made}


def test_the_written_module_says_what_was_made(build: ModuleType, made: dict[str, Any], tmp_path: Path) -> None:
    for target in (build.TARGET, build.FAMILIES):
        (tmp_path / target).parent.mkdir(parents=True)
    path, _ = build.write(tmp_path)
    space: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    assert {name: space[name] for name in made} == made


def test_a_conflict_is_an_error(build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lark.exceptions import GrammarError

    ambiguous = build.GRAMMAR.read_text().replace("?sum: product", "?sum: product\n    | sum SIGN sum -> binary")
    path = tmp_path / "autodiff.lark"
    path.write_text(ambiguous, encoding="utf-8")
    monkeypatch.setattr(build, "GRAMMAR", path)
    with pytest.raises(GrammarError):
        build.make()


def test_every_rule_has_its_builder(made: dict[str, Any]) -> None:
    wanted = {rule[3] for rule in made["RULES"][1:] if rule[3]}
    builders = {**vars(actions), **vars(statements)}
    assert wanted <= builders.keys()
    own = {
        name
        for module in (actions, statements)
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    }
    assert own - wanted == set(), "builders that no rule calls"


def test_every_rule_is_used_by_some_program(made: dict[str, Any]) -> None:
    """The corpus of the parser's tests leaves no rule of the grammar out."""
    from language.corpus import EXPRESSIONS, LAYOUTS, STATEMENTS
    from language.test_parser import BRACES, joined

    loaded = grammar.load()
    automaton = Automaton(loaded, {**vars(actions), **vars(statements)})
    used: set[tuple[Any, ...]] = set()

    class Noting(list):  # type: ignore[type-arg]
        def __getitem__(self, index: Any) -> Any:
            used.add(made["RULES"][-index])
            return super().__getitem__(index)

    automaton._rules = Noting(automaton._rules)
    for text in [*joined(EXPRESSIONS), *STATEMENTS, *BRACES, *LAYOUTS.values(), *BRACED_AFTER_SEMICOLON]:
        automaton.parse(tokenize(text, loaded))
    with pytest.raises(Misfit):
        automaton.parse(tokenize("while x { }", loaded))
    names = made["NONTERMINALS"]
    assert [(names[rule[1]], rule) for rule in made["RULES"][1:] if rule not in used] == []


# A statement after a `;` has all its blocks in braces: rules of their own.
BRACED_AFTER_SEMICOLON = [
    "x; if a { b } else { c }",
    "x; if a { b } elif c { d } else { e }",
    "x; if a { b } elif c { d }",
    "x; while a { b } else { c }",
    "x; while a { b }",
    "x; for i in a { b } else { c }",
    "x; for i in a { b }",
    "x; with a, b, c { d }",
    "x; with a { c }",
    "x; try { a } finally { b }",
    "x; try { a } except { b }",
    "x; try { a } except E { b } except F as e { c } else { d } finally { e }",
    "x; try { a } except E { b } finally { e }",
    "x; try { a } except E { b } else { e }",
    "x; def f() { a }",
    "x; def f(a) { a }",
    "x; def f() -> b { a }",
    "x; def f(a) -> b { a }",
    "x; @no_grad\ndef f() { a }",
    "x; @no_grad\ndef f(a) { a }",
    "x; @no_grad\ndef f() -> b { a }",
    "x; @no_grad\ndef f(a) -> b { a }",
    "@no_grad\ndef f(a) -> b { a }",
    "@no_grad\ndef f() -> b { a }",
    "@no_grad\ndef f(a) { a }",
    "def f() -> b { a }",
    "try { a } except E { b } else { d }",
    "try { a } except E { b } finally { d }",
    "f'{x=!r:>3}'; f'{x=!r}'; f'{x=:>3}'; f'{x=}'",
    "f'{x:}'",
    "lambda a,: a; lambda a, b,: a",
    "def f(a, **b: c): d",
    "def f(*, a: b = c, d: e): f",
]


def test_a_list_that_grows_is_not_copied() -> None:
    """What a rule gathers is spliced into its own list each time, or a long program would take quadratic time."""
    from autodiff_cli.language.lalr import _gatherer

    grown, line = [1, 2], [3]
    assert _gatherer((-2, -3), list)((grown, line)) is grown
    assert grown == [1, 2, 3]


def run(code: str, **environment: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_parsing_imports_no_more_than_it_needs() -> None:
    """Nothing of Lark's; no NumPy, no dataclasses, no inspect; no message before a mistake."""
    pytest.importorskip("autodiff_cli.language._tables")
    code = (
        "import sys\n"
        "from autodiff_cli.language.parser import parse\n"
        "from autodiff_cli.language.scope import analyse\n"
        "from autodiff_cli.source import Source\n"
        "analyse(parse(Source('z=(x*y+1)**2')), frozenset())\n"
        "print(*sys.modules)"
    )
    loaded = set(run(code).split())
    assert not loaded & {"lark", "numpy", "dataclasses", "inspect", "difflib", "unicodedata"}
    assert not [name for name in loaded if name.startswith("autodiff_cli") and ("mistakes" in name or "slips" in name)]


def test_without_tables_they_are_made_in_memory() -> None:
    code = (
        "import sys\n"
        "sys.modules['autodiff_cli.language._tables'] = None\n"
        "from autodiff_cli.language.parser import parse\n"
        "from autodiff_cli.source import Source\n"
        "print(len(parse(Source('x = 1; y = 2')).body), 'lark' in sys.modules)"
    )
    assert run(code).split() == ["2", "True"]


def test_stale_tables_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = pytest.importorskip("autodiff_cli.language._tables")
    monkeypatch.setattr(tables, "FINGERPRINT", tables.FINGERPRINT + 1)
    monkeypatch.setattr(tables, "RULES", ())
    assert grammar._tables().RULES != ()


def test_without_tables_or_grammar_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "autodiff_cli.language._tables", None)
    monkeypatch.delattr("autodiff_cli.language._tables", raising=False)
    monkeypatch.setattr(grammar.os.path, "exists", lambda path: False)
    with pytest.raises(ImportError, match=r"grammar/build\.py"):
        grammar._tables()


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", sorted(LANGUAGE.rglob("*.py")), ids=lambda path: path.name)
def test_the_language_knows_no_layer_above_it(path: Path) -> None:
    allowed = ("autodiff_cli.language", "autodiff_cli.errors", "autodiff_cli.source")
    for name in imported(path):
        assert not name.startswith("autodiff_cli") or name.startswith(allowed), name
        assert name.split(".")[0] not in ("numpy", "scipy", "lark", "rich", "click"), name


def test_a_hook_writes_the_tables_and_declares_them(build: ModuleType, tmp_path: Path) -> None:
    for target in (build.TARGET, build.FAMILIES):
        (tmp_path / target).parent.mkdir(parents=True)
    hook = build.TablesHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    data: dict[str, list[str]] = {"artifacts": []}
    hook.initialize("standard", data)
    assert data["artifacts"] == ["autodiff_cli/language/_tables.py", "autodiff_cli/engine/_families.py"]
    assert all((tmp_path / path).exists() for path in data["artifacts"])
