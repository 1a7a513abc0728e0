"""Makes what is computed when the package is built: the parser's tables, `autodiff_cli/language/_tables.py`, from
`autodiff.lark`; and `autodiff_cli/engine/_families.py`, the index of what the families of operations declare, by loading them.

Lark reads the grammar and computes the LALR(1) automaton; what a parse needs of it is written down as plain
literals, so that a program that parses imports no Lark (50 ms) and computes nothing. A conflict in the
grammar is an error here.

Run as a script it writes the files into this source tree; as hatchling's custom build hook it does so whenever
the package is built or installed in place. `autodiff_cli/language/grammar.py` calls `make` itself where the
file is missing.

The tables:

    FINGERPRINT   of the grammar's text and of this file: tables of another fingerprint are stale
    TERMINALS     names; a terminal's number is its index. 0 is the end of the text
    FIXED         what is always spelt the same (keywords, operators) -> number of its terminal
    PATTERNS      terminal -> regular expression, for the others and for what only the lexer reads
    NONTERMINALS  names
    ACTIONS       by state, the index of a row in ACTION_ROWS; a row says for each terminal what to do:
                  0 error, n > 0 shift and go to state n, n < 0 reduce by rule -n
    GOTOS         likewise of GOTO_ROWS; a row says for each nonterminal the state to go to
    RULES         (size, origin, kind, builder, plan); index 0 is no rule
    FINAL         the state that accepts

A row is a string whose characters stand for the numbers (`chr(n + len(RULES))`), as strings load ten times
faster than tuples and a program visits few of the states: they are decoded one by one, when needed.

A rule's kind is PASS (the value is the child `plan`), LIST (the value is a list for the parent to splice in)
or BUILD (the value is what `builder` returns). `plan` says which children count: n >= 0 child n, n <= -2
splice in the list that child -2 - n is, -1 an absent `[x]`. None: all children as they are.
"""

from __future__ import annotations

import os
import subprocess
import sys
from ast import literal_eval
from pathlib import Path
from typing import Any
from zlib import crc32

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a script
    BuildHookInterface = object  # type: ignore[assignment, misc]

HERE = Path(__file__).resolve().parent
GRAMMAR = HERE / "autodiff.lark"
TARGET = Path("autodiff_cli", "language", "_tables.py")
FAMILIES = Path("autodiff_cli", "engine", "_families.py")

PASS, LIST, BUILD = range(3)
START = "module"


def fingerprint() -> int:
    """What the tables have to carry to be of this grammar, made by this file."""
    return crc32(GRAMMAR.read_bytes() + Path(__file__).read_bytes())


def make() -> dict[str, Any]:
    """The tables, by name. Raises lark.exceptions.GrammarError for a mistake or a conflict in the grammar."""
    from lark.common import ParserConf
    from lark.load_grammar import load_grammar
    from lark.parsers.lalr_analysis import LALR_Analyzer

    grammar, _ = load_grammar(GRAMMAR.read_text(encoding="utf-8"), str(GRAMMAR), [], False)
    fixed, patterns, declared = _spellings(grammar)
    terminals, rules, _ = grammar.compile([START], set())
    fixed.update((t.pattern.value, t.name) for t in terminals if t.pattern.type == "str")
    analyzer = LALR_Analyzer(ParserConf(rules, {}, [START]), strict=True)
    analyzer.compute_lalr()
    used = {symbol.name for rule in rules for symbol in rule.expansion if symbol.is_term}
    names = ["$END", *sorted(used | declared)]
    return {
        "FINGERPRINT": fingerprint(),
        "TERMINALS": tuple(names),
        "FIXED": {spelling: names.index(name) for spelling, name in sorted(fixed.items())},
        "PATTERNS": patterns,
        **_automaton(analyzer.parse_table, rules, names),
    }


def _spellings(grammar: Any) -> tuple[dict[str, str], dict[str, str], set[str]]:
    """What the grammar's named terminals say: spelling -> terminal, terminal -> pattern, and the %declared
    ones.
    """
    fixed: dict[str, str] = {}
    patterns: dict[str, str] = {}
    declared: set[str] = set()
    for name, (tree, _) in grammar.term_defs:
        tokens = [] if tree is None else list(tree.scan_values(lambda value: value.type in ("STRING", "REGEXP")))
        if not tokens:
            declared.add(name)
        elif tokens[0].type == "REGEXP":
            patterns[name] = tokens[0][1:-1].replace("\\/", "/")
        else:
            fixed.update((token[1:-1], name) for token in tokens)
    return fixed, patterns, declared


def _automaton(table: Any, rules: list[Any], terminals: list[str]) -> dict[str, Any]:
    """The states and the rules, numbered."""
    from lark.parsers.lalr_analysis import Shift

    nonterminals = sorted({str(rule.origin.name) for rule in rules})
    rule_number = {rule: number for number, rule in enumerate(rules, start=1)}
    (start,), (final,) = table.start_states.values(), table.end_states.values()
    states = [start]  # Lark's numbers differ from run to run; these are in the order of first visit
    for state in states:
        moves = sorted((symbol, target) for symbol, (action, target) in table.states[state].items() if action is Shift)
        states += [target for target in dict.fromkeys(target for _, target in moves) if target not in states]
    state_number = {state: number for number, state in enumerate(states)}
    rows: dict[str, list[tuple[int, ...]]] = {"ACTION": [], "GOTO": []}
    for state in states:
        targets = {
            symbol: state_number[argument] if action is Shift else -rule_number[argument]
            for symbol, (action, argument) in table.states[state].items()
        }
        rows["ACTION"].append(tuple(targets.get(name, 0) for name in terminals))
        rows["GOTO"].append(tuple(targets.get(name, 0) for name in nonterminals))
    result: dict[str, Any] = {"NONTERMINALS": tuple(nonterminals), "FINAL": state_number[final]}
    for name, of_states in rows.items():
        distinct = list(dict.fromkeys(of_states))
        index = {row: number for number, row in enumerate(distinct)}
        result[f"{name}_ROWS"] = tuple("".join(chr(n + len(rules) + 1) for n in row) for row in distinct)
        result[f"{name}S"] = tuple(index[row] for row in of_states)
    result["RULES"] = (None, *(_rule(rule, nonterminals) for rule in rules))
    return result


def _rule(rule: Any, nonterminals: list[str]) -> tuple[int, int, int, str, Any]:
    """One row of RULES."""
    absent = iter(rule.options.empty_indices or [False] * len(rule.expansion))
    plan: list[int] = []
    for number, symbol in enumerate(rule.expansion):
        while next(absent):
            plan.append(-1)
        if not symbol.is_term and symbol.name.startswith("_"):
            plan.append(-2 - number)
        elif not (symbol.is_term and symbol.filter_out):
            plan.append(number)
    plan += [-1 for missing in absent if missing]

    name = str(rule.origin.name)
    head = len(rule.expansion), nonterminals.index(name)
    if name.startswith("_"):
        return *head, LIST, "", _or_none(plan, len(rule.expansion))
    if rule.options.expand1 and not rule.alias:
        if len(plan) != 1 or plan[0] < 0:
            raise ValueError(f"{rule}: a ?rule needs one child or a `-> name`")
        return *head, PASS, "", plan[0]
    return (
        *head,
        BUILD,
        str(rule.alias or rule.options.template_source or name),
        _or_none(plan, len(rule.expansion)),
    )


def _or_none(plan: list[int], size: int) -> tuple[int, ...] | None:
    return None if plan == list(range(size)) else tuple(plan)


def render(tables: dict[str, Any], source: str = "grammar/autodiff.lark") -> str:
    """The tables as the text of a Python module."""
    lines = [f'"""Made by grammar/build.py from {source}; not to be edited."""', ""]
    lines += [f"{name} = {value!a}" for name, value in tables.items()]
    return "\n".join(lines) + "\n"


def index(root: Path) -> dict[str, Any]:
    """What each family of operations declares, asked of a Python of its own in which all are loaded one by one.

    See index.py, which is asked, and `autodiff_cli/engine/families.py`, which reads it.
    """
    environment = {**os.environ, "PYTHONPATH": str(root)}
    found = subprocess.run(
        [sys.executable, str(HERE / "index.py")],
        env=environment,
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    tables: dict[str, Any] = literal_eval(found.stdout)
    return tables


def write(root: Path) -> list[Path]:
    """Write the modules under `root`, the folder that `autodiff_cli` is in; their paths."""
    tables = _write(root / TARGET, render(make()))
    return [tables, _write(root / FAMILIES, render(index(root), "autodiff_cli/engine/ops"))]


def _write(path: Path, text: str) -> Path:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


class TablesHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling's hook: the file is ignored by git, and a part of every wheel and sdist."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        write(Path(self.root))
        build_data["artifacts"] += [TARGET.as_posix(), FAMILIES.as_posix()]


if __name__ == "__main__":
    print(*write(HERE.parent), sep="\n")
