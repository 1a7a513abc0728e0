"""The LALR(1) driver: tokens in, the value of the start rule out, with no parse tree in between.

A reduction calls the rule's builder with `(span, *children)`; the children are those that the grammar counts
(see `grammar/build.py`). Most reductions of an expression grammar do nothing but rename (a name is an atom is
a primary is a power ...): such a chain is walked once for each state, symbol and lookahead, and remembered.

Invariant: the stacks are lists, so the depth of nesting costs no recursion, and a parse is linear in the
tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from autodiff_cli.language.grammar import Grammar
from autodiff_cli.source import Span

Token = tuple[int, Any, int, int]  # number of the terminal, value, start, end
Builder = Callable[..., Any]

PASS, LIST, BUILD, APPEND = range(4)  # the first three as in the tables


class Unexpected(Exception):
    """No rule goes on with `token`; `states` is the stack at that point."""

    def __init__(self, token: Token, states: list[int]) -> None:
        super().__init__(token)
        self.token = token
        self.states = states


class Automaton:
    """A grammar with its builders; keeps what it learns about chains of renaming."""

    __slots__ = ("_chains", "_grammar", "_rules", "_width")

    def __init__(self, grammar: Grammar, builders: dict[str, Builder]) -> None:
        self._grammar = grammar
        # Rule n is at index -n, which is how a row names it.
        self._rules = [_rule(row, builders) for row in reversed(grammar.rules[1:])]
        self._chains: dict[int, tuple[int, int]] = {}
        self._width = len(grammar.terminals)

    def parse(self, tokens: Iterable[Token]) -> Any:
        """The value of the start rule. Raises Unexpected at the first token that has no place."""
        actions, rules, chains, width = self._grammar.actions, self._rules, self._chains, self._width
        symbols = len(self._grammar.nonterminals)
        new = tuple.__new__
        values: list[Any] = []
        begins: list[int] = []
        states = [0]
        state = last = 0
        for token in tokens:
            kind, value, start, end = token
            action = actions[state][kind]
            while action < 0:
                size, origin, how, gather, build = rules[action]
                if size == 1:
                    states.pop()
                    if how == BUILD:
                        children = (values[-1],) if gather is None else gather((values[-1],))
                        values[-1] = build(new(Span, (begins[-1], last)), *children)
                    elif how == LIST:
                        values[-1] = gather((values[-1],))
                elif size:
                    del states[-size:], begins[1 - size :]
                    children = values[-size:]
                    del values[1 - size :]
                    if how == BUILD:
                        if gather is not None:
                            children = gather(children)
                        values[-1] = build(new(Span, (begins[-1], last)), *children)
                    elif how == APPEND:
                        values[-1].append(children[gather])
                    else:
                        values[-1] = children[gather] if how == PASS else gather(children)
                else:
                    begins.append(start)
                    values.append(build(new(Span, (start, start))))
                state = states[-1]
                key = (state * symbols + origin) * width + kind
                state, action = chains.get(key) or self._chain(key, state, origin, kind)
                states.append(state)
            if action == 0:
                if kind == 0 and state == self._grammar.final:
                    return values[0]
                raise Unexpected(token, states)
            state = action
            states.append(state)
            values.append(value)
            begins.append(start)
            last = end
        raise AssertionError("tokens without an end")

    def accepts(self, states: list[int], kind: int) -> bool:
        """Whether a token of that kind has a place after what led to `states`."""
        states = list(states)
        while True:
            action = self._grammar.actions[states[-1]][kind]
            if action >= 0:
                return action > 0 or (kind == 0 and states[-1] == self._grammar.final)
            size, origin = self._rules[action][:2]
            del states[len(states) - size :]
            states.append(self._grammar.gotos[states[-1]][origin])

    def _chain(self, key: int, below: int, symbol: int, kind: int) -> tuple[int, int]:
        """The state after `symbol` in state `below` before `kind`, with renamings done, and what to do in
        it.
        """
        while True:
            state = self._grammar.gotos[below][symbol]
            action = self._grammar.actions[state][kind]
            if action < 0:
                size, origin, how, _, _ = self._rules[action]
                if how == PASS and size == 1:
                    symbol = origin
                    continue
            self._chains[key] = state, action
            return state, action


def _rule(row: tuple[int, int, int, str, Any], builders: dict[str, Builder]) -> tuple[Any, ...]:
    """A row of the tables with its functions: (size, origin, kind, gather or index, builder)."""
    size, origin, how, name, plan = row
    if how == PASS:
        return size, origin, PASS, plan, None
    if how == LIST:
        if plan is not None and len(plan) == 2 and plan[0] == -2 and plan[1] >= 0:
            return size, origin, APPEND, plan[1], None
        return size, origin, LIST, list if plan is None else _gatherer(plan, list), None
    return size, origin, BUILD, None if plan is None else _gatherer(plan), builders[name]


def _gatherer(plan: tuple[int, ...], kind: type = tuple) -> Callable[[Any], Any]:
    """A function from all children of a reduction to those that count, a new list if `kind` says so."""
    if len(plan) == 1 and plan[0] >= 0:
        only = plan[0]
        return lambda children: [children[only]]
    if len(plan) > 1 and min(plan) >= 0 and kind is tuple:
        return itemgetter(*plan)

    def gather(children: Any) -> list[Any]:
        counted: list[Any] = []
        for index in plan:
            if index >= 0:
                counted.append(children[index])
            elif index == -1:
                counted.append(None)
            elif counted:
                counted += children[-2 - index]
            else:  # that list is nobody else's: no copy, so that a long one takes linear time
                counted = children[-2 - index]
        return counted

    return gather
