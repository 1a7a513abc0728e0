"""Expressions turned into closures: `compiler.expr(tree)` gives a function of the frame.

The tree is walked once, before the run; what runs is nested closures with variables in list slots. A closure that
can fail knows its tree node, so every fault has a place.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.formatting import format_item, format_value
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import NameFault, TypeFault, UnboundLocalFault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import BUILTIN, CELL, FREE, GLOBAL, LOCAL
from autodiff_cli.runtime import arithmetic
from autodiff_cli.runtime.arithmetic import kind_of, refuse_nesting, truth
from autodiff_cli.runtime.assignment import own_slot, store
from autodiff_cli.runtime.compiler import Compiler, expression
from autodiff_cli.runtime.inline import Operand
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import UNSET, Frame, Run


@expression(nodes.Constant)
def constant(c: Compiler, e: nodes.Constant) -> Run:
    value = e.value
    return lambda f: value


@expression(nodes.Name)
def name(c: Compiler, e: nodes.Name) -> Run:
    kind, i = c.scopes.resolution[e]
    if kind == BUILTIN:
        return _builtin(c, e)
    if kind == GLOBAL:
        return _global(c, e, i)
    if kind == LOCAL:
        i += 1

        def local(f: Frame) -> Any:
            value = f[i]
            if value is UNSET:
                raise unset(e, kind)
            return value

        return local

    def cell(f: Frame) -> Any:
        value = f[i + 1][0] if kind == CELL else f[0][i][0]
        if value is UNSET:
            raise unset(e, kind)
        return value

    assert kind in (CELL, FREE)
    return cell


def _builtin(c: Compiler, e: nodes.Name) -> Run:
    value = c.library[e.id]
    return lambda f: value


def _global(c: Compiler, e: nodes.Name, i: int) -> Run:
    variables = c.globals
    fallback = c.library.get(e.id, UNSET)

    def run(f: Frame) -> Any:
        value = variables[i]
        if value is UNSET:
            if fallback is UNSET:
                raise unset(e, GLOBAL)
            return fallback
        return value

    return run


def unset(e: nodes.Name, kind: int, text: str = "has no value here") -> NameFault:
    """The error for a variable without a value: of another class where the variable is the function's own."""
    fault = UnboundLocalFault if kind in (LOCAL, CELL) else NameFault
    return fault(f"'{e.id}' {text}", hint="it is assigned on another path, or later, or was deleted", span=e.span)


@expression(nodes.BinOp)
def bin_op(c: Compiler, e: nodes.BinOp) -> Run:
    return arithmetic.binary(e.op, operand(c, e.left), operand(c, e.right), e)


def operand(c: Compiler, e: nodes.Expr, run: Run | None = None) -> Operand:
    """An operand and how it is fetched: from a slot, as a literal, or by its closure (`run`, if it is there already)."""
    if run is None:
        run = c.expr(e)
    if type(e) is nodes.Constant and type(e.value) in (int, float):
        return type(e.value).__name__, e.value, run
    slot = own_slot(c, e)
    if slot is not None:
        return "slot", slot, run
    if type(e) is nodes.Name and c.scopes.resolution[e][0] == GLOBAL:
        return "global", (c.globals, c.scopes.resolution[e][1]), run
    return "expr", run, run


@expression(nodes.UnaryOp)
def unary_op(c: Compiler, e: nodes.UnaryOp) -> Run:
    if e.op == "-" and type(e.operand) is nodes.Constant and type(e.operand.value) in (int, float):
        literal: Any = e.operand.value
        value = -literal
        return lambda f: value
    return arithmetic.unary(e.op, c.expr(e.operand), e)


@expression(nodes.BoolOp)
def bool_op(c: Compiler, e: nodes.BoolOp) -> Run:
    parts = [c.expr(v) for v in e.values]
    stop = e.op == "or"
    last = parts.pop()

    def run(f: Frame) -> Any:
        for part in parts:
            value = part(f)
            if truth(value, e) is stop:
                return value
        return last(f)

    return run


@expression(nodes.Compare)
def compare(c: Compiler, e: nodes.Compare) -> Run:
    left = c.expr(e.left)
    if len(e.ops) == 1:
        right = c.expr(e.comparators[0])
        symbol = e.ops[0]
        return lambda f: arithmetic.compare(symbol, left(f), right(f), e)
    rest = list(zip(e.ops, [c.expr(x) for x in e.comparators], strict=True))

    def run(f: Frame) -> Any:
        a = left(f)
        for n, (symbol, right) in enumerate(rest):
            b = right(f)
            result = arithmetic.compare(symbol, a, b, e)
            if n + 1 == len(rest) or not truth(result, e):
                return result
            a = b

    return run


def condition(c: Compiler, e: nodes.Expr) -> Run:
    """An expression of which only the truth is asked."""
    if type(e) is nodes.Compare and len(e.ops) == 1:
        return arithmetic.comparison_test(e.ops[0], operand(c, e.left), operand(c, e.comparators[0]), e)
    run = c.expr(e)
    return lambda f: truth(run(f), e)


@expression(nodes.IfExp)
def if_exp(c: Compiler, e: nodes.IfExp) -> Run:
    test, body, orelse = c.decision(e, condition(c, e.test)), c.expr(e.body), c.expr(e.orelse)
    return lambda f: body(f) if test(f) else orelse(f)


@expression(nodes.NamedExpr)
def named_expr(c: Compiler, e: nodes.NamedExpr) -> Run:
    value, target = c.expr(e.value), store(c, e.target)

    def run(f: Frame) -> Any:
        result = value(f)
        target(f, result)
        return result

    return run


# --- displays ---------------------------------------------------------------------------------------------------


def elements(c: Compiler, parts: tuple[nodes.Expr, ...]) -> Run:
    """The closure of a list of what the parts give, with `*e` spread out."""
    runs = [c.expr(p.value if type(p) is nodes.Starred else p) for p in parts]
    if not any(type(p) is nodes.Starred for p in parts):
        return lambda f: [run(f) for run in runs]
    spread = [(run, p) for run, p in zip(runs, parts, strict=True)]

    def run_all(f: Frame) -> Any:
        out: list[Any] = []
        for run, p in spread:
            if type(p) is nodes.Starred:
                out.extend(iterate(run(f), p))
            else:
                out.append(run(f))
        return out

    return run_all


@expression(nodes.List)
def list_display(c: Compiler, e: nodes.List) -> Run:
    return elements(c, e.elements)


@expression(nodes.Tuple)
def tuple_display(c: Compiler, e: nodes.Tuple) -> Run:
    parts = elements(c, e.elements)
    return lambda f: tuple(parts(f))


@expression(nodes.Set)
def set_display(c: Compiler, e: nodes.Set) -> Run:
    parts = elements(c, e.elements)

    def run(f: Frame) -> Any:
        try:
            return set(parts(f))
        except TypeError as error:
            raise located(error, e) from None

    return run


@expression(nodes.Dict)
def dict_display(c: Compiler, e: nodes.Dict) -> Run:
    entries = [(None if k is None else c.expr(k), c.expr(v), v) for k, v in zip(e.keys, e.values, strict=True)]

    def run(f: Frame) -> Any:
        out: dict[Any, Any] = {}
        for key, value, at in entries:
            try:
                if key is None:
                    mapping = value(f)
                    if not isinstance(mapping, dict):
                        raise TypeFault(f"'**' spreads a dict, not {kind_of(mapping)}", span=at.span)
                    out.update(mapping)
                else:
                    out[key(f)] = value(f)
            except TypeError as error:
                raise located(error, e) from None
        return out

    return run


def iterate(value: Any, site: Any) -> Any:
    """An iterable of a value of the language.

    Raises:
        TypeFault: the value cannot be gone through.
    """
    if type(value) is Tensor:
        tape.site = site
        try:
            return iter(value)
        except Exception as error:
            raise located(error, site) from None
    try:
        return iter(value)
    except TypeError:
        raise TypeFault(f"{kind_of(value)} cannot be gone through item by item", span=site.span) from None


# --- strings ----------------------------------------------------------------------------------------------------


@expression(nodes.JoinedStr)
def joined_str(c: Compiler, e: nodes.JoinedStr) -> Run:
    parts = [c.expr(p) for p in e.parts]
    return lambda f: "".join([part(f) for part in parts])


@expression(nodes.FormattedValue)
def formatted_value(c: Compiler, e: nodes.FormattedValue) -> Run:
    value = c.expr(e.value)
    spec = None if e.format_spec is None else c.expr(e.format_spec)
    # f"{x=}" shows repr unless a conversion or a format says otherwise
    conversion = e.conversion or ("r" if e.text is not None and spec is None else "")
    prefix = "" if e.text is None else e.text
    convert = {"": None, "r": repr, "s": str, "a": ascii}[conversion]

    def run(f: Frame) -> Any:
        x = value(f)
        try:
            if convert is not None:
                refuse_nesting(x)
                x = convert(x)
            return prefix + format_any(x, "" if spec is None else spec(f))
        except Exception as error:
            raise located(error, e) from None

    return run


def format_any(x: Any, spec: str) -> str:
    """`format(x, spec)`, with a tensor's own rules and a bound on widths."""
    if type(x) is Tensor:
        return format_value(x.value, spec, x.__repr__)
    refuse_nesting(x)
    return format_item(x, spec)
