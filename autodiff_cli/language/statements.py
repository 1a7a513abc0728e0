"""The builders of statements; see `actions.py`."""

from __future__ import annotations

from typing import Any

from autodiff_cli.language import nodes
from autodiff_cli.language.misfit import refuse
from autodiff_cli.language.targets import (
    assignable,
    check_single_target,
    check_target,
    check_value,
    deletable,
)
from autodiff_cli.source import Span

Body = tuple[nodes.Stmt, ...]

# What may stand after `@`: the grad modes, under whatever name they were imported.
DECORATORS = ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode")


def module(span: Span, *body: nodes.Stmt) -> nodes.Module:
    return nodes.Module(span, body)


def suite(_span: Span, *body: nodes.Stmt) -> Body:
    return body


def block(span: Span, *body: nodes.Stmt) -> Body:
    if not body:
        refuse("empty-block", span)
    return body


# --- simple statements


def expression_statement(span: Span, value: nodes.Expr) -> nodes.ExprStmt:
    check_value(value)
    return nodes.ExprStmt(span, value)


def assignment(span: Span, *items: nodes.Expr) -> nodes.Assign:
    for number, target in enumerate(items[:-1]):
        if number and isinstance(target, nodes.Tuple) and not assignable(target):
            refuse("assignments-with-comma", target.span)
        check_target(target)
    check_value(items[-1])
    return nodes.Assign(span, items[:-1], items[-1])


def augmented(span: Span, target: nodes.Expr, op: str, value: nodes.Expr) -> nodes.AugAssign:
    check_single_target(target, "augmented-several")
    check_value(value)
    return nodes.AugAssign(span, target, op[:-1], value)


def annotated(span: Span, target: nodes.Expr, annotation: nodes.Expr, value: nodes.Expr | None) -> nodes.AnnAssign:
    check_single_target(target, "annotated-several")
    check_value(value)
    return nodes.AnnAssign(span, target, annotation, value)


def delete(span: Span, target: nodes.Expr) -> nodes.Delete:
    return nodes.Delete(span, deletable(target))


def pass_(span: Span) -> nodes.Pass:
    return nodes.Pass(span)


def break_(span: Span) -> nodes.Break:
    return nodes.Break(span)


def continue_(span: Span) -> nodes.Continue:
    return nodes.Continue(span)


def return_(span: Span, value: nodes.Expr | None) -> nodes.Return:
    check_value(value)
    return nodes.Return(span, value)


def raise_(span: Span, exception: nodes.Expr | None, cause: nodes.Expr | None) -> nodes.Raise:
    return nodes.Raise(span, exception, cause)


def assert_(span: Span, test: nodes.Expr, message: nodes.Expr | None) -> nodes.Assert:
    return nodes.Assert(span, test, message)


def global_(span: Span, *names: str) -> nodes.Global:
    return nodes.Global(span, names)


def nonlocal_(span: Span, *names: str) -> nodes.Nonlocal:
    return nodes.Nonlocal(span, names)


# --- imports


def dotted(_span: Span, *names: str) -> str:
    return ".".join(names)


def name_as(span: Span, name: str, alias: str | None) -> tuple[str, str | None]:
    return name, alias


def module_as(span: Span, name: str, alias: str | None) -> tuple[str, str | None, Span]:
    return name, alias, span


def import_(span: Span, *modules: tuple[str, str | None, Span]) -> nodes.Import:
    from autodiff_cli.language.imports import check_import

    for name, _, place in modules:
        check_import(name, place)
    return nodes.Import(span, tuple([(name, alias) for name, alias, _ in modules]))


def import_from(span: Span, module: str, *names: tuple[str, str | None]) -> nodes.ImportFrom:
    from autodiff_cli.language.imports import check_import_from

    check_import_from(module, names, span)
    return nodes.ImportFrom(span, module, names)


def import_star(span: Span, module: str, _star: str) -> nodes.ImportFrom:
    return import_from(span, module, ("*", None))


# --- compound statements


def if_(span: Span, test: nodes.Expr, body: Body, orelse: Body | nodes.If | None) -> nodes.If:
    return nodes.If(span, test, body, (orelse,) if isinstance(orelse, nodes.If) else orelse or ())


elif_ = if_


def while_(span: Span, test: nodes.Expr, body: Body, orelse: Body | None) -> nodes.While:
    return nodes.While(span, test, body, orelse or ())


def for_(span: Span, target: nodes.Expr, iterable: nodes.Expr, body: Body, orelse: Body | None) -> nodes.For:
    check_target(target)
    check_value(iterable)
    return nodes.For(span, target, iterable, body, orelse or ())


def try_(span: Span, body: Body, *rest: nodes.Handler | Body | None) -> nodes.Try:
    handlers = tuple([handler for handler in rest[:-2] if isinstance(handler, nodes.Handler)])
    for handler in handlers[:-1]:
        if handler.type is None:
            refuse("bare-except-not-last", Span(handler.span.start, handler.span.start + len("except")))
    orelse, final = rest[-2:]
    return nodes.Try(span, body, handlers, orelse or (), final or ())  # type: ignore[arg-type]


def try_finally(span: Span, body: Body, final: Body) -> nodes.Try:
    return nodes.Try(span, body, (), (), final)


def handler(span: Span, type_: nodes.Expr | None, name: str | None, body: Body) -> nodes.Handler:
    return nodes.Handler(span, type_, name, body)


def with_(span: Span, *rest: nodes.WithItem | Body) -> nodes.With:
    items: tuple[nodes.WithItem, ...] = rest[:-1]  # type: ignore[assignment]
    first = items[0]
    if len(items) == 1 and first.target is None and isinstance(first.context, nodes.Tuple) and first.context.elements:
        items = tuple([nodes.WithItem(context.span, context, None) for context in first.context.elements])
    return nodes.With(span, items, rest[-1])  # type: ignore[arg-type]


def with_item(span: Span, context: nodes.Expr, target: nodes.Expr | None) -> nodes.WithItem:
    if target is not None:
        check_target(target)
    return nodes.WithItem(span, context, target)


def def_(span: Span, *rest: Any) -> nodes.FunctionDef:
    *decorators, (name, name_span), params, _returns, body = rest
    if params is None:
        params = nodes.Params(Span(name_span.end, name_span.end), ())
    return nodes.FunctionDef(span, name, name_span, params, body, tuple(decorators))


def decorator(_span: Span, expression: nodes.Expr) -> nodes.Expr:
    function = expression.func if isinstance(expression, nodes.Call) else expression
    name = function.attr if isinstance(function, nodes.Attribute) else getattr(function, "id", "")
    if name not in DECORATORS:
        refuse("decorator", expression.span)
    return expression
