"""Text -> tree."""

from __future__ import annotations

import gc

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language import actions, nodes, statements
from autodiff_cli.language.grammar import load
from autodiff_cli.language.lalr import Automaton, Unexpected
from autodiff_cli.language.lexer import tokenize
from autodiff_cli.source import Source, Span

MAX_DEPTH = 100_000  # levels of the tree; what walks it recurses (`depth.py`)

_automaton: Automaton | None = None


def parse(source: Source) -> nodes.Module:
    """The tree of a program. Raises SyntaxFault, with its span and source, where the text is not one."""
    global _automaton
    grammar = load()
    if _automaton is None:
        _automaton = Automaton(grammar, {**vars(actions), **vars(statements)})
    # Nothing made here is garbage before the end, and looking for it takes a third of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        tokens = tokenize(source.text, grammar)
        try:
            module: nodes.Module = _automaton.parse(tokens)
        except Unexpected as unexpected:
            from autodiff_cli.language.diagnosis import diagnose

            raise diagnose(source, tokens, unexpected, _automaton) from None
    except SyntaxFault as fault:
        fault.source = source
        raise
    finally:
        if collecting:
            gc.enable()
    return nodes.Module(Span(0, len(source.text)), module.body)
