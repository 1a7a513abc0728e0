"""Loops and functions that run often, written out as one Python function each.

With closures, every statement and expression costs a call of Python's. A body that has run hundreds of times is worth being
written as text instead: `Text` walks its tree, writes what it knows (assignments to names, operators, comparisons, `if`,
`while`, `for`, `return`, calls of the program's functions), and calls the closure of `compiler.py` for everything else.

A `while` with branches and a function takes 1.05 µs an operation, forward and backward, with text, and 1.9 with closures.

Nothing is written where somebody follows the run (observers.py), and no loop while its turns are noted for views: then
closures run, which tell. What can fail is given its tree node, as in closures.

Invariant: a program computes, prints, records and refuses the same, with text and with closures.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any

from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import Scope
from autodiff_cli.runtime.arithmetic import generally, negative, test_of
from autodiff_cli.runtime.assignment import own_slot, store
from autodiff_cli.runtime.attributes import METHODS
from autodiff_cli.runtime.calls import invoke, is_plain_call, method_call_on, plain_callee
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.expressions import condition, elements, iterate, operand
from autodiff_cli.runtime.inline import FAST, ORDER, WHOLE, Atom, Writer, operator_constants
from autodiff_cli.runtime.loops import stepping
from autodiff_cli.runtime.objects import Run
from autodiff_cli.runtime.statements import augmented

_LOOPS = 8  # within one another, and ...
_LEVELS = 40  # ... levels of indentation: Python has limits of 20 and 100


def written_loop(c: Compiler, s: nodes.For | nodes.While, scope: Scope) -> Callable[..., Any]:
    """What runs the turns of a loop that are left: of a frame, and for a `for` of the iterator that has been begun.

    It gives a 1-tuple on `return`, None otherwise.
    """
    text = Text(c, s)
    title = f"<{type(s).__name__.lower()} loop>"
    if type(s) is nodes.While:
        return _written(c, scope, text, lambda: text.stmt(s), title, "f")
    assert type(s) is nodes.For
    return _written(c, scope, text, lambda: text.turns(s, "source"), title, "f, source")


def written_body(c: Compiler, node: nodes.FunctionDef | nodes.Lambda, scope: Scope) -> Run:
    """What runs the body of a function in a frame. It gives a 1-tuple on `return`, None at the end."""
    text = Text(c)
    if type(node) is nodes.Lambda:
        return _written(c, scope, text, lambda: text.give(node.body), "<lambda>", "f")
    assert type(node) is nodes.FunctionDef
    return _written(c, scope, text, lambda: text.block(node.body), f"<{node.name}>", "f")


def _written(
    c: Compiler, scope: Scope, text: Text, write: Callable[[], None], title: str, parameters: str
) -> Callable[..., Any]:
    """The function of what `write` writes, names being those of `scope`."""
    outer = c.scope
    c.scope = scope
    try:
        write()
    finally:
        c.scope = outer
    return text.make(title, parameters)


class Text(Writer):
    """Writes statements. `whole`: the loop that is written out by itself, whose turns are not noted any more."""

    def __init__(self, c: Compiler, whole: nodes.Stmt | None = None) -> None:
        super().__init__()
        self.c = c
        self.whole = whole
        self.state = self.constant(c.state)
        self.loops = 0

    def constant(self, value: Any) -> str:
        """A number stands in the text itself: a constant of the function is read more quickly than a variable around it."""
        if type(value) is int or (type(value) is float and isfinite(value)):
            return repr(value)
        return super().constant(value)

    # --- statements ---------------------------------------------------------------------------------------------

    def block(self, body: tuple[nodes.Stmt, ...]) -> None:
        """Statements, one level further in than what is around them, if anything is."""
        for s in body:
            self.stmt(s)

    def inner(self, body: tuple[nodes.Stmt, ...]) -> None:
        self.depth += 1
        self.block(body)
        self.depth -= 1

    def stmt(self, s: nodes.Stmt) -> None:
        write = _STATEMENTS.get(type(s))
        if write is None or self.depth > _LEVELS or not write(self, s):
            self._closure(s)

    def _closure(self, s: nodes.Stmt) -> None:
        """A statement as its closure. Only one with statements in it can end the block."""
        run = self.constant(self.c.stmt(s))
        if type(s) not in _COMPOUND:
            self.write("{run}(f)", run=run)
            return
        self.write(_SIGNAL if self.loops else _SIGNAL_OUTSIDE, signal=self.variable(), run=run)

    def assign(self, s: nodes.Assign) -> bool:
        slot = own_slot(self.c, s.targets[0]) if len(s.targets) == 1 else None
        if slot is None:
            return False
        value = self.settle(self.value(s.value))
        self.write("f[{slot}] = {value}", slot=self.constant(slot), value=value)
        self._note(s)
        return True

    def aug_assign(self, s: nodes.AugAssign) -> bool:
        slot = own_slot(self.c, s.target)
        if slot is None or s.op not in ("+", "-", "*"):
            return False
        a = self.fetch(operand(self.c, s.target))
        b, r = self.value(s.value), self.variable()
        right = self.settle(b)

        def general(x: Any, y: Any) -> Any:
            return augmented(s.op, x, y, s)

        self.write(
            _AUGMENTED,
            t=r, a=a.name, b=right, symbol=s.op, general=self.constant(general), whole=a.whole, slot=self.constant(slot),
        )  # fmt: skip
        self._note(s)
        return True

    def _note(self, s: nodes.Stmt) -> None:
        """The statement that has computed the output so far."""
        if s in self.c.scopes.values:
            self.write("{state}.last = {s}", state=self.state, s=self.constant(s))

    def if_stmt(self, s: nodes.If) -> bool:
        self.write("if {test}:", test=self.test(s.test))
        self.inner(s.body)
        if s.orelse:
            self.write("else:")
            self.inner(s.orelse)
        return True

    def while_stmt(self, s: nodes.While) -> bool:
        if s.orelse or (self.c.log and s is not self.whole) or self.loops == _LOOPS:
            return False
        self.write("while True:")
        self.depth += 1
        self.loops += 1
        self.write("if not {test}:\n    break", test=self.test(s.test))
        self._turn(s)
        self.block(s.body)
        self.loops -= 1
        self.depth -= 1
        return True

    def for_stmt(self, s: nodes.For) -> bool:
        if s.orelse or self.c.log or self.loops == _LOOPS:
            return False
        iterable, source = self.settle(self.value(s.iterable)), self.variable()
        begin = self.constant(lambda value: stepping(iterate(value, s.iterable), s.iterable))
        self.write("{source} = {begin}({iterable})", source=source, begin=begin, iterable=iterable)
        self.turns(s, source)
        return True

    def turns(self, s: nodes.For, source: str) -> None:
        """The turns of a `for` over an iterator."""
        item, slot = self.variable(), own_slot(self.c, s.target)
        self.write("for {item} in {source}:", item=item, source=source)
        self.depth += 1
        self.loops += 1
        self._turn(s)
        if slot is None:
            self.write("{put}(f, {item})", put=self.constant(store(self.c, s.target)), item=item)
        else:
            self.write("f[{slot}] = {item}", slot=self.constant(slot), item=item)
        self.block(s.body)
        self.loops -= 1
        self.depth -= 1

    def _turn(self, s: nodes.For | nodes.While) -> None:
        """A turn burns fuel."""
        self.write(_FUEL, state=self.state, weight=str(len(s.body) + 1), site=self.constant(s))

    def return_stmt(self, s: nodes.Return) -> bool:
        if s.value is None:
            self.write("return (None,)")
        else:
            self.give(s.value)
        return True

    def give(self, e: nodes.Expr) -> None:
        self.write("return ({value},)", value=self.settle(self.value(e)))

    def word(self, s: nodes.Stmt) -> bool:
        self.write(type(s).__name__.lower())  # break, continue, pass
        return True

    # --- expressions --------------------------------------------------------------------------------------------

    def value(self, e: nodes.Expr) -> Atom:
        """Write what computes an expression."""
        write = _EXPRESSIONS.get(type(e))
        found = None if write is None else write(self, e)
        return self.fetch(operand(self.c, e)) if found is None else found

    def bin_op(self, e: nodes.BinOp) -> Atom | None:
        if e.op not in FAST and e.op not in WHOLE:
            return None
        a, b = self.value(e.left), self.value(e.right)
        if e.op in WHOLE:
            return self.remainder(e.op, a, b, generally(e.op, e))
        return self.binary(e.op, a, b, operator_constants(e.op, generally(e.op, e), e))

    def unary_op(self, e: nodes.UnaryOp) -> Atom | None:
        if e.op != "-" or type(e.operand) is nodes.Constant:
            return None
        return self.negative(self.value(e.operand), lambda x: negative(x, e), e)

    def call_of(self, e: nodes.Call) -> Atom | None:
        if type(e.func) is nodes.Attribute:
            return self._method_call(e, e.func)
        if not is_plain_call(e):
            return None
        func, general = plain_callee(self.c, e)
        target = self.fetch(func)
        if len(e.args) == 1 and func[0] == "expr" and getattr(e.func, "id", "") in scalar_names():
            r, a = self.pair(), self.value(e.args[0])
            self._scalar_call(r, target.name, a, e, f"{self.constant(general)}(f, {target.name}, [{a.whole}])")
            return r
        return self.call(target, [self.value(a) for a in e.args], general, None if self.c.log else self.state)

    def _method_call(self, e: nodes.Call, func: nodes.Attribute) -> Atom | None:
        """`z.sin()` or `torch.sin(z)`: quick where it is an operation on a scalar."""
        if e.keywords or func.attr not in scalar_names() or len(e.args) > 1:
            return None
        on = self.constant(method_call_on(self.c, e, func, elements(self.c, e.args), None))
        r = self.pair()
        if not e.args:
            owner = self.value(func.value)
            op = self.constant(METHODS[Tensor][func.attr].scalar_op)  # type: ignore[attr-defined]
            self.scalar(r, op, owner, self.constant(e), f"{on}(f, {owner.whole})")
            return r
        if type(func.value) is not nodes.Name or type(e.args[0]) is nodes.Starred:
            return None
        owner, target = self.fetch(operand(self.c, func.value)), self.variable()
        self.write(_FUNCTION_OF, owner=owner.name, target=target, name=repr(func.attr))
        self.depth += 1
        a = self.value(e.args[0])
        call = self.constant(lambda function, x: invoke(function, [x], {}, e))
        self._scalar_call(r, target, a, e, f"{call}({target}, {a.whole})")
        self.depth -= 1
        self.write("else:\n    {t} = {on}(f, {owner})", t=r.name, on=on, owner=owner.whole)
        return r

    def _scalar_call(self, r: Atom, target: str, a: Atom, e: nodes.Call, general: str) -> None:
        """A function of the library with one argument."""
        self.write("if type({target}) is Native and {target}.scalar_op is not None:", target=target)
        self.depth += 1
        self.scalar(r, f"{target}.scalar_op", a, self.constant(e), general)
        self.depth -= 1
        self.write("else:\n    {t} = {general}", t=r.name, general=general)

    def test(self, e: nodes.Expr) -> str:
        """Write what computes the truth of an expression; the variable with it."""
        if type(e) is nodes.Compare and len(e.ops) == 1 and e.ops[0] in ORDER:
            a, b = self.value(e.left), self.value(e.comparators[0])
            return self.compare(e.ops[0], a, b, test_of(e.ops[0], e))
        truth = self.variable()
        if type(e) is nodes.BoolOp:
            self._tests(e, truth)
        elif type(e) is nodes.UnaryOp and e.op == "not":
            self.write("{t} = not {inner}", t=truth, inner=self.test(e.operand))
        else:
            self.write("{t} = {run}(f)", t=truth, run=self.constant(condition(self.c, e)))
        return truth

    def _tests(self, e: nodes.BoolOp, truth: str) -> None:
        """`and`, `or`: a part is asked only if those before it left it open."""
        before = self.depth
        for i, part in enumerate(e.values):
            if i:
                self.write("if {t}:" if e.op == "and" else "if not {t}:", t=truth)
                self.depth += 1
            self.write("{t} = {part}", t=truth, part=self.test(part))
        self.depth = before


@cache
def scalar_names() -> frozenset[str]:
    """The methods that are operations of one operand, with a form on floats."""
    return frozenset(name for name, method in METHODS[Tensor].items() if getattr(method, "scalar_op", None) is not None)


_COMPOUND = (nodes.If, nodes.While, nodes.For, nodes.With, nodes.Try, nodes.Return)

_STATEMENTS: dict[type, Callable[[Text, Any], bool]] = {
    nodes.Assign: Text.assign,
    nodes.AugAssign: Text.aug_assign,
    nodes.If: Text.if_stmt,
    nodes.While: Text.while_stmt,
    nodes.For: Text.for_stmt,
    nodes.Return: Text.return_stmt,
    nodes.Break: Text.word,
    nodes.Continue: Text.word,
    nodes.Pass: Text.word,
}
_EXPRESSIONS: dict[type, Callable[[Text, Any], Atom | None]] = {
    nodes.BinOp: Text.bin_op,
    nodes.UnaryOp: Text.unary_op,
    nodes.Call: Text.call_of,
}

_FUNCTION_OF = """
{target} = {owner}.table.get({name}) if type({owner}) is Namespace else None
if {target} is not None:
"""
_FUEL = """
{state}.fuel -= {weight}
if {state}.fuel < 0:
    {state}.refuel({site})
"""
_SIGNAL = """
{signal} = {run}(f)
if {signal} is not None:
    if {signal} is BREAK:
        break
    if {signal} is CONTINUE:
        continue
    return {signal}
"""
_SIGNAL_OUTSIDE = """
{signal} = {run}(f)
if {signal} is not None:
    return {signal}
"""
_AUGMENTED = """
if type({a}) is int and type({b}) is int:
    {t} = {a} {symbol} {b}
    if {t} > INT_MAX or {t} < INT_MIN:
        {t} = {general}({a}, {b})
elif type({a}) is float and type({b}) is float:
    {t} = {a} {symbol} {b}
else:
    {t} = {general}({whole}, {b})
f[{slot}] = {t}
"""
