"""Comprehensions and generator expressions, each in a frame of its own as in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autodiff_cli.errors import LimitFault
from autodiff_cli.language import nodes
from autodiff_cli.runtime.arithmetic import MAX_LENGTH
from autodiff_cli.runtime.assignment import Store, store
from autodiff_cli.runtime.compiler import Compiler, expression
from autodiff_cli.runtime.expressions import condition, iterate
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import UNSET, Frame, Run
from autodiff_cli.runtime.scopes import closure_of

Clause = tuple[Store, Run, list[Run], nodes.Clause]


@expression(nodes.Comprehension)
def comprehension(c: Compiler, e: nodes.Comprehension) -> Run:
    first = c.expr(e.clauses[0].iterable)  # evaluated in the scope around
    outer = c.scope
    scope = c.scopes.of[e]
    closure = closure_of(scope)
    c.scope = scope
    clauses: list[Clause] = [
        (store(c, k.target), c.expr(k.iterable), [condition(c, t) for t in k.conditions], k) for k in e.clauses[1:]
    ]
    k = e.clauses[0]
    clauses.insert(0, (store(c, k.target), first, [condition(c, t) for t in k.conditions], k))
    element = c.expr(e.element)
    value = None if e.value is None else c.expr(e.value)
    c.scope = outer
    size, cells, state = len(scope.locals), scope.cells, c.state

    def frame(f: Frame) -> Frame:
        g: Frame = [closure(f), *([UNSET] * size)]
        for i in cells:
            g[i + 1] = [UNSET]
        return g

    def turns(g: Frame, source: Any) -> Iterator[None]:
        return _turns(g, clauses, 0, source, state)

    def run(f: Frame) -> Any:
        source = iterate(first(f), k.iterable)
        g = frame(f)
        if e.kind == "generator":
            return (element(g) for _ in turns(g, source))
        if e.kind == "list":
            return _bounded([element(g) for _ in turns(g, source)], e)
        try:
            if e.kind == "set":
                return {element(g) for _ in turns(g, source)}
            assert value is not None
            return {element(g): value(g) for _ in turns(g, source)}
        except TypeError as error:
            raise located(error, e) from None

    return run


def _turns(g: Frame, clauses: list[Clause], level: int, source: Any, state: Any) -> Iterator[None]:
    """Set the targets turn by turn, from clause `level` inwards."""
    put, _, conditions, at = clauses[level]
    inner = level + 1 < len(clauses)
    for item in source:
        state.fuel -= 1
        if state.fuel < 0:
            state.refuel(at)
        put(g, item)
        if all(test(g) for test in conditions):
            if inner:
                yield from _turns(g, clauses, level + 1, iterate(clauses[level + 1][1](g), at), state)
            else:
                yield None


def _bounded(items: list[Any], site: Any) -> list[Any]:
    if len(items) > MAX_LENGTH:
        raise LimitFault(f"a list of {len(items):,} elements; the limit is {MAX_LENGTH:,}", span=site.span)
    return items
