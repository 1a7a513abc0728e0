"""Statements turned into closures. What one returns says how it ended: None (on to the next), BREAK, CONTINUE, or a
1-tuple with the value of a `return`."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.quick import quick_update
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault, LimitFault, RuntimeFault, TypeFault
from autodiff_cli.language import nodes
from autodiff_cli.runtime import arithmetic
from autodiff_cli.runtime.arithmetic import kind_of, refuse_length, truth
from autodiff_cli.runtime.assignment import get_item, own_slot, set_item, store, store_at, unset_at
from autodiff_cli.runtime.compiler import Compiler, statement
from autodiff_cli.runtime.expressions import condition, iterate, unset
from autodiff_cli.runtime.functions import GradMode
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import BREAK, CONTINUE, UNSET, Frame, Run
from autodiff_cli.runtime.state import State
from autodiff_cli.runtime.types import ErrorType, matches


@statement(nodes.ExprStmt)
def expr_stmt(c: Compiler, s: nodes.ExprStmt) -> Run:
    value = c.expr(s.value)
    if s not in c.scopes.values:

        def run(f: Frame) -> None:
            value(f)

        return run
    state = c.state

    def run_noted(f: Frame) -> None:
        result = value(f)
        if result is not None:  # a call of print() or backward() is no output
            state.last = s
            state.last_value = result

    return run_noted


@statement(nodes.Assign)
def assign(c: Compiler, s: nodes.Assign) -> Run:
    value = c.expr(s.value)
    noted, state = s in c.scopes.values, c.state
    if len(s.targets) == 1:
        slot = own_slot(c, s.targets[0])
        if slot is not None:
            source = own_slot(c, s.value)
            if source is not None and noted:
                return _slot_to_slot(value, source, slot, s, state)
            return _to_slot(value, slot, s if noted else None, state)
    puts = [store(c, t) for t in s.targets]

    def run(f: Frame) -> None:
        result = value(f)
        for put in puts:
            put(f, result)
        if noted:
            state.last = s

    return run


def _to_slot(value: Run, slot: int, noted: nodes.Assign | None, state: State) -> Run:
    """`name = e` where the name is in the running frame: most of what a loop does."""
    if noted is None:

        def run(f: Frame) -> None:
            f[slot] = value(f)

        return run

    def run_noted(f: Frame) -> None:
        f[slot] = value(f)
        state.last = noted

    return run_noted


def _slot_to_slot(value: Run, source: int, slot: int, noted: nodes.Assign, state: State) -> Run:
    """`name = other`, both in the running frame."""

    def run(f: Frame) -> None:
        x = f[source]
        f[slot] = value(f) if x is UNSET else x
        state.last = noted

    return run


@statement(nodes.AnnAssign)
def ann_assign(c: Compiler, s: nodes.AnnAssign) -> Run:
    declared = c.scopes.declared.get(s)
    noted = s in c.scopes.values
    state = c.state
    if declared is not None:
        default = None if declared.default is None else c.expr(declared.default)
        return lambda f: c.state.declare(declared, default, f)
    if s.value is None:
        return lambda f: None
    value, put = c.expr(s.value), store(c, s.target)

    def run(f: Frame) -> None:
        put(f, value(f))
        if noted:
            state.last = s

    return run


@statement(nodes.AugAssign)
def aug_assign(c: Compiler, s: nodes.AugAssign) -> Run:
    noted, state = s in c.scopes.values, c.state
    if type(s.target) is nodes.Subscript:
        change = _aug_item(c, s)
    else:
        current, put, value = c.expr(s.target), store(c, s.target), c.expr(s.value)

        def change(f: Frame) -> None:
            put(f, augmented(s.op, current(f), value(f), s))

    if not noted:
        return change

    def run(f: Frame) -> None:
        change(f)
        state.last = s

    return run


def _aug_item(c: Compiler, s: nodes.AugAssign) -> Run:
    target = s.target
    assert type(target) is nodes.Subscript
    owner, index, value = c.expr(target.value), c.expr(target.index), c.expr(s.value)

    def run(f: Frame) -> None:
        x, i = owner(f), index(f)
        set_item(x, i, augmented(s.op, get_item(x, i, target), value(f), s), target)

    return run


def augmented(symbol: str, x: Any, y: Any, site: Any) -> Any:
    """`x symbol= y`: in place on a tensor or a list, a new value otherwise."""
    if type(x) is Tensor:
        tape.site = site
        if quick_update(x, symbol, y):
            return x
        method = getattr(x, _IN_PLACE[symbol], None)
        try:
            result = NotImplemented if method is None else method(y)
        except Exception as e:
            raise located(e, site) from None
        if result is NotImplemented:
            return arithmetic.operate(symbol, x, y, site)
        return result
    if type(x) is list and symbol == "+":
        more = iterate(y, site)
        refuse_length(len(x) + (len(y) if hasattr(y, "__len__") else 0))
        x.extend(more)
        return x
    if isinstance(x, (set, dict)) and symbol == "|":
        x |= y
        return x
    return arithmetic.operate(symbol, x, y, site)


_IN_PLACE = {
    "+": "__iadd__",
    "-": "__isub__",
    "*": "__imul__",
    "/": "__itruediv__",
    "//": "__ifloordiv__",
    "%": "__imod__",
    "**": "__ipow__",
    "@": "__imatmul__",
    "&": "__iand__",
    "|": "__ior__",
    "^": "__ixor__",
    "<<": "__ilshift__",
    ">>": "__irshift__",
}


@statement(nodes.Delete)
def delete(c: Compiler, s: nodes.Delete) -> Run:
    runs = [_delete_one(c, t) for t in s.targets]

    def run(f: Frame) -> None:
        for one in runs:
            one(f)

    return run


def _delete_one(c: Compiler, target: nodes.Expr) -> Run:
    if type(target) is nodes.Name:
        place = c.scopes.resolution[target]
        empty = unset_at(c, place)

        def run(f: Frame) -> None:
            if not empty(f):
                raise unset(target, place[0], "has no value to delete")

        return run
    if type(target) is nodes.Attribute:
        clear = store(c, target)
        return lambda f: clear(f, None)
    if type(target) in (nodes.Tuple, nodes.List):
        parts = [_delete_one(c, t) for t in target.elements]  # type: ignore[attr-defined]

        def run_parts(f: Frame) -> None:
            for part in parts:
                part(f)

        return run_parts
    assert type(target) is nodes.Subscript
    owner, index = c.expr(target.value), c.expr(target.index)

    def run_item(f: Frame) -> None:
        x = owner(f)
        if not isinstance(x, (list, dict)):
            raise TypeFault(f"items of {kind_of(x)} cannot be deleted", span=target.span)
        try:
            del x[index(f)]
        except Exception as e:
            raise located(e, target) from None

    return run_item


@statement(nodes.If)
def if_stmt(c: Compiler, s: nodes.If) -> Run:
    test, body = c.decision(s, condition(c, s.test)), c.block(s.body)
    if not s.orelse:
        return lambda f: body(f) if test(f) else None
    orelse = c.block(s.orelse)
    return lambda f: body(f) if test(f) else orelse(f)


@statement(nodes.Assert)
def assert_stmt(c: Compiler, s: nodes.Assert) -> Run:
    from autodiff_cli.runtime.assertions import explain_assertion, sides

    parts = sides(c, s.test)
    message = None if s.message is None else c.expr(s.message)

    def run(f: Frame) -> None:
        values: list[Any] = []
        if not truth(parts(f, values), s.test):
            text = None if message is None else str(message(f))
            raise explain_assertion(c.source, s, values, text)

    return run


@statement(nodes.Raise)
def raise_stmt(c: Compiler, s: nodes.Raise) -> Run:
    exception = None if s.exception is None else c.expr(s.exception)

    def run(f: Frame) -> None:
        if exception is None:
            if not c.state.handling:
                raise RuntimeFault("`raise` alone stands in an `except` block", span=s.span)
            raise c.state.handling[-1]
        value = exception(f)
        if isinstance(value, ErrorType):
            value = value()
        if not isinstance(value, Fault):
            raise TypeFault(f'`raise` takes an error, as in raise ValueError("..."); not {kind_of(value)}', span=s.span)
        value.span = s.span
        raise value

    return run


@statement(nodes.Try)
def try_stmt(c: Compiler, s: nodes.Try) -> Run:
    body = c.block(s.body)
    handlers = [_handler(c, h) for h in s.handlers]
    orelse = c.block(s.orelse) if s.orelse else None
    finalbody = c.block(s.finalbody) if s.finalbody else None

    def guarded(f: Frame) -> Any:
        depth, enabled = c.state.depth, tape.grad_enabled
        try:
            signal = body(f)
        except Fault as fault:
            if isinstance(fault, LimitFault):
                raise
            c.state.depth = depth
            tape.grad_enabled = enabled
            for kind, run_handler in handlers:
                if kind is None or matches(fault, kind(f)):
                    c.state.handling.append(fault)
                    try:
                        return run_handler(f, fault)
                    finally:
                        c.state.handling.pop()
            raise
        if signal is None and orelse is not None:
            return orelse(f)
        return signal

    if finalbody is None:
        return guarded

    def run(f: Frame) -> Any:
        try:
            signal = guarded(f)
        except LimitFault:
            raise
        except Fault:
            ended = finalbody(f)
            if ended is not None:
                return ended
            raise
        ended = finalbody(f)
        return signal if ended is None else ended

    return run


def _handler(c: Compiler, h: nodes.Handler) -> tuple[Run | None, Any]:
    kind = None if h.type is None else c.expr(h.type)
    body = c.block(h.body)
    binding = c.scopes.bindings.get(h, ())
    put = store_at(c, binding[0][1]) if binding else None
    empty = unset_at(c, binding[0][1]) if binding else None

    def run(f: Frame, fault: Fault) -> Any:
        if put is None:
            return body(f)
        put(f, fault)
        try:
            return body(f)
        finally:
            assert empty is not None
            empty(f)  # as in Python, the name is gone after the block

    return kind, run


@statement(nodes.With)
def with_stmt(c: Compiler, s: nodes.With) -> Run:
    items = [(c.expr(i.context), None if i.target is None else store(c, i.target), i) for i in s.items]
    body = c.block(s.body)

    def run(f: Frame, level: int = 0) -> Any:
        if level == len(items):
            return body(f)
        context, put, at = items[level]
        mode = context(f)
        if not isinstance(mode, GradMode):
            raise TypeFault(
                f"`with` takes a gradient mode, not {kind_of(mode)}", hint="as in `with torch.no_grad():`", span=at.span
            )
        mode.enter()
        try:
            if put is not None:
                put(f, None)
            return run(f, level + 1)
        finally:
            mode.leave()

    return run


@statement(nodes.Pass)
def pass_stmt(c: Compiler, s: nodes.Pass) -> Run:
    return lambda f: None


@statement(nodes.Break)
def break_stmt(c: Compiler, s: nodes.Break) -> Run:
    return lambda f: BREAK


@statement(nodes.Continue)
def continue_stmt(c: Compiler, s: nodes.Continue) -> Run:
    return lambda f: CONTINUE


@statement(nodes.Global)
@statement(nodes.Nonlocal)
def names_stmt(c: Compiler, s: nodes.Stmt) -> Run:
    return lambda f: None
