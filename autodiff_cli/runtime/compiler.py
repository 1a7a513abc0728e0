"""The frame of the turning of a tree into closures: what each part needs, and the tables of who turns what.

`expressions.py`, `calls.py`, `comprehensions.py`, `statements.py`, ... register one function a node class with
`@expression` and `@statement`; `library.py` imports them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope, Scopes
from autodiff_cli.runtime.objects import Frame, Run
from autodiff_cli.runtime.state import State
from autodiff_cli.source import Source

_EXPRESSIONS: dict[type, Callable[..., Run]] = {}
_STATEMENTS: dict[type, Callable[..., Run]] = {}


class Compiler:
    """Turns the tree of one program into closures for one run.

    `globals` is the module's frame; `library` what the program can name without binding it; `watch` (observers.py)
    what follows the run statement by statement, or None: then the closures are the quick ones, and nothing is asked.
    """

    __slots__ = ("globals", "library", "log", "scope", "scopes", "source", "state", "watch")

    def __init__(
        self, source: Source, scopes: Scopes, variables: Frame, library: dict[str, Any], state: State, log: bool
    ) -> None:
        self.source = source
        self.scopes = scopes
        self.globals = variables
        self.library = library
        self.state = state
        self.log = log  # whether loops note their turns, for views
        self.watch = state.observers.watch
        self.scope: Scope = scopes.module  # of the function that is being turned

    def expr(self, e: nodes.Expr) -> Run:
        return _EXPRESSIONS[type(e)](self, e)

    def stmt(self, s: nodes.Stmt) -> Run:
        run = _STATEMENTS[type(s)](self, s)
        return run if self.watch is None else self.watch.statement(self, s, run)

    def decision(self, site: nodes.Node, test: Run) -> Run:
        """The closure of the test of an `if`, a `while` or a conditional expression (`site`), as it is to be run."""
        return test if self.watch is None else self.watch.decision(self, site, test)

    def iteration(self, s: nodes.For, items: Run) -> Run:
        """The closure of what a `for` goes through, as it is to be run."""
        return items if self.watch is None else self.watch.iteration(self, s, items)

    def block(self, body: tuple[nodes.Stmt, ...]) -> Run:
        """Statements in order; what one returns (BREAK, CONTINUE, a 1-tuple) ends the block."""
        runs = [self.stmt(s) for s in body]
        if len(runs) == 1:
            return runs[0]
        if len(runs) == 2:
            first, second = runs

            def run_two(f: Frame) -> Any:
                signal = first(f)
                return second(f) if signal is None else signal

            return run_two

        def run_block(f: Frame) -> Any:
            for run in runs:
                signal = run(f)
                if signal is not None:
                    return signal
            return None

        return run_block


def expression(kind: type) -> Callable[[Callable[..., Run]], Callable[..., Run]]:
    """Register what turns an expression node of this class."""

    def enter(function: Callable[..., Run]) -> Callable[..., Run]:
        _EXPRESSIONS[kind] = function
        return function

    return enter


def statement(kind: type) -> Callable[[Callable[..., Run]], Callable[..., Run]]:
    """Register what turns a statement node of this class."""

    def enter(function: Callable[..., Run]) -> Callable[..., Run]:
        _STATEMENTS[kind] = function
        return function

    return enter
