"""The grammar as the parser uses it: numbers of terminals, the lexer's pattern, the automaton's rows.

The tables come from `_tables.py`, which is made when the package is built. In a source tree without it, or
where the grammar has changed since, they are made in memory by `grammar/build.py` (which needs Lark, and 0.5
s).

Invariant: `load()` gives one and the same `Grammar` for the life of the process.
"""

from __future__ import annotations

import os
import re
from typing import Any

# Python's words that stand nowhere in a program of this language; refused by name.
RESERVED = ("async", "await", "class", "yield")

# The lexer's groups, in the order of its pattern; those from LINE_END on leave the start of a line where it
# is.
GROUPS = ("NAME", "NUMBER", "OPERATOR", "QUOTE", "LINE_JOIN", "OTHER", "LINE_END", "COMMENT")


class Rows(dict[int, tuple[int, ...]]):
    """State -> its row of numbers, decoded when the state is first visited (see `grammar/build.py`)."""

    __slots__ = ("bias", "index", "packed")

    def __init__(self, packed: tuple[str, ...], index: tuple[int, ...], bias: int) -> None:
        self.packed = packed
        self.index = index
        self.bias = bias

    def __missing__(self, state: int) -> tuple[int, ...]:
        bias = self.bias
        row = self[state] = tuple([ord(letter) - bias for letter in self.packed[self.index[state]]])
        return row


class Grammar:
    """The tables of `grammar/build.py`, ready for use."""

    __slots__ = (
        "actions",
        "final",
        "fixed",
        "gotos",
        "nonterminals",
        "number",
        "pattern",
        "rules",
        "terminals",
    )

    def __init__(self, tables: Any) -> None:
        self.terminals: tuple[str, ...] = tables.TERMINALS
        self.nonterminals: tuple[str, ...] = tables.NONTERMINALS
        self.number = {name: number for number, name in enumerate(self.terminals)}
        self.fixed: dict[str, int] = {**tables.FIXED, **dict.fromkeys(RESERVED, self.number["FOREIGN"])}
        self.final: int = tables.FINAL
        self.rules: tuple[Any, ...] = tables.RULES
        self.actions = Rows(tables.ACTION_ROWS, tables.ACTIONS, len(self.rules))
        self.gotos = Rows(tables.GOTO_ROWS, tables.GOTOS, len(self.rules))
        patterns = {**tables.PATTERNS, "OTHER": r"[^ \t\f\r\n#]"}
        tokens = "|".join([f"({patterns[group]})" for group in GROUPS])
        self.pattern = re.compile(rf"[ \t\f]*(?:{tokens})")


class _Tables:
    """Tables made in memory, with the look of the module."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.__dict__.update(tables)


_loaded: Grammar | None = None


def load() -> Grammar:
    """The grammar. Raises ImportError where there are neither tables nor what makes them."""
    global _loaded
    if _loaded is None:
        _loaded = Grammar(_tables())
    return _loaded


def _tables() -> Any:
    try:
        from autodiff_cli.language import _tables as tables
    except ImportError:
        tables = None  # type: ignore[assignment]
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "grammar")
    if os.path.exists(os.path.join(folder, "autodiff.lark")) and not (tables and _fresh(tables, folder)):
        return _Tables(_builder(folder).make())
    if tables is None:
        raise ImportError("autodiff_cli was installed without its parser's tables; run grammar/build.py")
    return tables


def _fresh(tables: Any, folder: str) -> bool:
    from zlib import crc32

    text = b""
    for name in ("autodiff.lark", "build.py"):
        with open(os.path.join(folder, name), "rb") as file:
            text += file.read()
    return crc32(text) == int(tables.FINGERPRINT)


def _builder(folder: str) -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("autodiff_grammar_build", os.path.join(folder, "build.py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
