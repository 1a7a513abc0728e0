"""`def`, `lambda`, `return`, decorators, imports."""

from __future__ import annotations

from typing import Any

from autodiff_cli.errors import SyntaxFault, TypeFault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.assignment import store_at
from autodiff_cli.runtime.compiler import Compiler, expression, statement
from autodiff_cli.runtime.functions import Body, GradMode, Signature, UserFunction
from autodiff_cli.runtime.objects import Frame, Namespace, Native, Run
from autodiff_cli.runtime.scopes import closure_of


@statement(nodes.FunctionDef)
def function_def(c: Compiler, s: nodes.FunctionDef) -> Run:
    decorators = [(c.expr(d), d) for d in reversed(s.decorators)]
    make = _maker(c, s, s.name, s.params, len(s.body))
    put = store_at(c, c.scopes.bindings[s][0][1])

    def run(f: Frame) -> None:
        made: Any = make(f)
        for decorate, at in decorators:
            mode = decorate(f)
            if isinstance(mode, Native):  # `@torch.no_grad` without brackets
                mode = mode()
            if not isinstance(mode, GradMode):
                raise TypeFault("only gradient modes decorate functions, as in @torch.no_grad()", span=at.span)
            made = mode(made)
        put(f, made)

    return run


@expression(nodes.Lambda)
def lambda_expr(c: Compiler, e: nodes.Lambda) -> Run:
    return _maker(c, e, "<lambda>", e.params, 1)


def _maker(c: Compiler, node: Any, name: str, params: nodes.Params, weight: int) -> Run:
    """What makes the function object: its defaults and closure are read then, its body was turned once."""
    defaults = [(i, c.expr(p.default)) for i, p in enumerate(params.params) if p.default is not None]
    scope = c.scopes.of[node]
    closure = closure_of(scope)
    outer = c.scope
    c.scope = scope
    body = Body(_body(c, node), None if c.watch is not None else lambda: _hot(c, node, scope))
    c.scope = outer
    signature = Signature(tuple(p.name for p in params.params), tuple(p.kind for p in params.params))
    size, cells, state = len(scope.locals) + 1, scope.cells, c.state

    def make(f: Frame) -> UserFunction:
        values = {i: default(f) for i, default in defaults}
        return UserFunction(name, signature, values, closure(f), body, size, cells, weight, state, node)

    return make


def _body(c: Compiler, node: Any) -> Run:
    if type(node) is not nodes.Lambda:
        return c.block(node.body)
    value = c.expr(node.body)

    def run(f: Frame) -> Any:
        return (value(f),)

    return run if c.watch is None else c.watch.body(c, node, run)


def _hot(c: Compiler, node: Any, scope: Scope) -> Run:
    from autodiff_cli.runtime.hot import written_body  # few programs call a function that often

    return written_body(c, node, scope)


@statement(nodes.Return)
def return_stmt(c: Compiler, s: nodes.Return) -> Run:
    if s.value is None:
        return lambda f: (None,)
    value = c.expr(s.value)
    return lambda f: (value(f),)


@statement(nodes.Import)
def import_stmt(c: Compiler, s: nodes.Import) -> Run:
    puts = []
    for (module, alias), (_, place) in zip(s.names, c.scopes.bindings[s], strict=True):
        bound = module if alias is not None else module.split(".")[0]
        puts.append((store_at(c, place), _module(c, bound)))

    def run(f: Frame) -> None:
        for put, space in puts:
            put(f, space)

    return run


@statement(nodes.ImportFrom)
def import_from(c: Compiler, s: nodes.ImportFrom) -> Run:
    if s.module == "__future__":
        return lambda f: None
    space = _module(c, s.module)
    original = {alias or name: name for name, alias in s.names}
    puts = [(store_at(c, place), _member(space, original.get(name, name), s)) for name, place in c.scopes.bindings[s]]

    def run(f: Frame) -> None:
        for put, value in puts:
            put(f, value)

    return run


def _module(c: Compiler, dotted: str) -> Namespace:
    first, *rest = dotted.split(".")
    space: Namespace = c.library["<modules>"][first]
    for name in rest:
        space = space.table[name]
    return space


def _member(space: Namespace, name: str, at: nodes.Node) -> Any:
    if name not in space.table:
        close = nearest(name, space.table)
        hint = f"did you mean {close}?" if close else None
        raise SyntaxFault(f"there is no '{name}' in {space.name} here", hint=hint, span=at.span)
    return space.table[name]
