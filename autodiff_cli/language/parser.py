"""Text -> tree."""

from __future__ import annotations

import gc

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language import actions, nodes, statements
from autodiff_cli.language.depth import depth
from autodiff_cli.language.grammar import load
from autodiff_cli.language.lalr import Automaton, Unexpected
from autodiff_cli.language.lexer import tokenize
from autodiff_cli.language.misfit import Misfit
from autodiff_cli.source import Source, Span

MAX_DEPTH = 100_000  # levels of the tree; what walks it recurses (`depth.py`)

_automaton: Automaton | None = None


def parse(source: Source) -> nodes.Module:
    """The tree of a program. Raises SyntaxFault, with its span and source, where the text is not one."""
    # Nothing made here is garbage before the end, and looking for it would take a third of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        module = _tree(source)
    except SyntaxFault as fault:
        fault.source = source
        raise
    finally:
        if collecting:
            gc.enable()
    for statement in module.body:
        # A level takes a character at least, so only a long statement has to be measured.
        if statement.span.end - statement.span.start > MAX_DEPTH:
            _check_depth(statement, source)
    return module


def _tree(source: Source) -> nodes.Module:
    global _automaton
    grammar = load()
    if _automaton is None:
        _automaton = Automaton(grammar, {**vars(actions), **vars(statements)})
    tokens = tokenize(source.text, grammar)
    try:
        module: nodes.Module = _automaton.parse(tokens)
    except Unexpected as unexpected:
        from autodiff_cli.language.diagnosis import diagnose

        raise diagnose(source, tokens, unexpected, _automaton) from None
    except Misfit as misfit:
        from autodiff_cli.language.spelling import misfit_fault

        raise misfit_fault(source, misfit) from None
    return nodes.Module(Span(0, len(source.text)), module.body)


def _check_depth(statement: nodes.Stmt, source: Source) -> None:
    if depth(statement) > MAX_DEPTH:
        from autodiff_cli.language.mistakes import fault

        too_deep = fault("too-deep", statement.span, limit=MAX_DEPTH)
        too_deep.source = source
        raise too_deep
