"""Random programs of the language, as trees without meaningful spans."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from autodiff_cli.language import nodes
from autodiff_cli.source import Span

NOWHERE = Span(0, 0)
NAMES = st.sampled_from(["x", "y", "z", "a", "b", "f", "g", "torch", "loss_1", "é"])
Strategy = st.SearchStrategy[Any]


def make(kind: type, *fields: Strategy) -> Strategy:
    return st.builds(lambda *values: kind(NOWHERE, *values), *fields)


def many(items: Strategy, least: int = 0, most: int = 3) -> Strategy:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def maybe(item: Strategy) -> Strategy:
    return st.none() | item


@cache
def names() -> Strategy:
    return make(nodes.Name, NAMES)


TEXTS = st.text(alphabet="ab '\"\\\n\t{}%é\x00€", max_size=6)


@cache
def constants() -> Strategy:
    numbers = st.integers(0, 2**63 - 1) | st.floats(0, allow_nan=False)
    return make(nodes.Constant, numbers | TEXTS | st.sampled_from([True, False, None, ...]))


def params(values: Strategy) -> Strategy:
    """Parameters in an order that is allowed, with distinct names."""

    @st.composite
    def build(draw: Any) -> nodes.Params:
        free = draw(st.permutations(["p", "q", "r", "s", "t", "u"]))
        made: list[nodes.Param] = []
        defaults = False
        for kind in sorted(draw(st.lists(st.sampled_from(["0positional", "1normal"]), max_size=3))):
            defaults = defaults or draw(st.booleans())
            made.append(nodes.Param(NOWHERE, free.pop(), kind[1:], draw(values) if defaults else None))
        if draw(st.booleans()):
            made.append(nodes.Param(NOWHERE, free.pop(), "vararg", None))
        if draw(st.booleans()):
            made.append(nodes.Param(NOWHERE, free.pop(), "keyword", draw(maybe(values))))
        if draw(st.booleans()):
            made.append(nodes.Param(NOWHERE, free.pop(), "kwarg", None))
        return nodes.Params(NOWHERE, tuple(made))

    return build()


def targets(values: Strategy) -> Strategy:
    single = names() | make(nodes.Attribute, values, NAMES, st.just(NOWHERE)) | make(nodes.Subscript, values, values)
    starred = make(nodes.Starred, single)
    mixed = st.tuples(many(single, 1, 2), many(starred, 0, 1), many(single, 0, 2)).map(lambda t: t[0] + t[1] + t[2])
    return single | make(nodes.Tuple, mixed) | make(nodes.List, mixed)


def displays(values: Strategy) -> Strategy:
    elements = values | make(nodes.Starred, values)
    entries = st.lists(st.tuples(maybe(values), values), max_size=3)
    return st.one_of(
        make(nodes.Tuple, many(elements)),
        make(nodes.List, many(elements)),
        make(nodes.Set, many(elements, 1)),
        entries.map(lambda e: nodes.Dict(NOWHERE, tuple(k for k, _ in e), tuple(v for _, v in e))),
    )


def comprehensions(values: Strategy) -> Strategy:
    clauses = many(make(nodes.Clause, targets(values), values, many(values, 0, 2)), 1, 2)
    return st.one_of(
        make(nodes.Comprehension, st.sampled_from(["list", "set", "generator"]), values, st.none(), clauses),
        make(nodes.Comprehension, st.just("dict"), values, values, clauses),
    )


def subscripts(values: Strategy) -> Strategy:
    part = make(nodes.Slice, maybe(values), maybe(values), maybe(values)) | values
    elements = many(part | make(nodes.Starred, values), 1)
    return make(nodes.Subscript, values, part | make(nodes.Tuple, elements))


def callable_(value: nodes.Expr) -> bool:
    """Not refused for being a number, arithmetic, or a display."""
    return isinstance(value, nodes.Name | nodes.Attribute | nodes.Call | nodes.Subscript | nodes.Lambda)


def calls(values: Strategy) -> Strategy:
    @st.composite
    def build(draw: Any) -> nodes.Call:
        func = draw(values.filter(callable_))
        arguments = draw(many(values | make(nodes.Starred, values)))
        called = draw(st.lists(NAMES, unique=True, max_size=2))
        keywords = tuple(nodes.Keyword(NOWHERE, name, draw(values)) for name in called)
        return nodes.Call(NOWHERE, func, arguments, keywords + draw(many(make(nodes.Keyword, st.none(), values), 0, 1)))

    return build()


def chained(left: nodes.Expr, rest: list[tuple[str, nodes.Expr]]) -> nodes.Compare:
    return nodes.Compare(NOWHERE, left, tuple(op for op, _ in rest), tuple(right for _, right in rest))


def operators(values: Strategy) -> Strategy:
    binary = st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "<<", ">>"])
    relation = st.sampled_from(["<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not"])
    comparisons = st.lists(st.tuples(relation, values), min_size=1, max_size=2)
    return st.one_of(
        make(nodes.BinOp, binary, values, values),
        make(nodes.UnaryOp, st.sampled_from(["-", "+", "~", "not"]), values),
        make(nodes.BoolOp, st.sampled_from(["and", "or"]), many(values, 2)),
        st.builds(
            lambda v, c: nodes.Compare(NOWHERE, v, tuple(o for o, _ in c), tuple(r for _, r in c)),
            values,
            comparisons,
        ),
        make(nodes.IfExp, values, values, values),
        make(nodes.NamedExpr, names(), values),
        make(nodes.Lambda, params(values), values),
    )


@cache
def expressions() -> Strategy:
    return st.recursive(
        names() | constants(),
        lambda values: st.one_of(
            operators(values),
            displays(values),
            comprehensions(values),
            subscripts(values),
            calls(values),
            make(nodes.Attribute, values, NAMES, st.just(NOWHERE)),
        ),
        max_leaves=8,
    )


@cache
def simple_statements() -> Strategy:
    value = expressions()
    single = names() | make(nodes.Attribute, value, NAMES, st.just(NOWHERE)) | make(nodes.Subscript, value, value)
    augmented = st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "<<", ">>"])
    imports = st.sampled_from(["torch", "math", "torch.nn.functional"])
    return st.one_of(
        make(nodes.ExprStmt, value),
        make(nodes.Assign, many(targets(value), 1, 2), value),
        make(nodes.AugAssign, single, augmented, value),
        make(nodes.AnnAssign, single, value, maybe(value)),
        make(nodes.Delete, many(single, 1)),
        make(nodes.Return, maybe(value)),
        make(nodes.Raise, value, maybe(value)) | make(nodes.Raise, st.none(), st.none()),
        make(nodes.Assert, value, maybe(value)),
        make(nodes.Import, many(st.tuples(imports, maybe(NAMES)), 1, 2)),
        make(nodes.ImportFrom, imports, many(st.tuples(NAMES, maybe(NAMES)), 1, 2) | st.just((("*", None),))),
        make(nodes.Global, many(NAMES, 1, 2)) | make(nodes.Nonlocal, many(NAMES, 1, 2)),
        make(nodes.Pass) | make(nodes.Break) | make(nodes.Continue),
    )


def compound_statements(statements: Strategy) -> Strategy:
    value = names() | constants()
    body = many(statements, 1, 2)
    decorator = make(nodes.Attribute, names(), st.just("no_grad"), st.just(NOWHERE))
    items = many(make(nodes.WithItem, value, maybe(targets(value))), 1, 2)
    handlers = st.tuples(
        many(make(nodes.Handler, value, maybe(NAMES), body), 1, 2),
        many(make(nodes.Handler, st.none(), st.none(), body), 0, 1),
    ).map(lambda pair: pair[0] + pair[1])
    return st.one_of(
        make(nodes.If, value, body, many(statements, 0, 2)),
        make(nodes.While, value, body, many(statements, 0, 1)),
        make(nodes.For, targets(value), value, body, many(statements, 0, 1)),
        make(nodes.With, items, body),
        make(nodes.FunctionDef, NAMES, st.just(NOWHERE), params(value), body, many(decorator, 0, 1)),
        make(nodes.Try, body, handlers, many(statements, 0, 1), many(statements, 0, 1)),
        make(nodes.Try, body, st.just(()), st.just(()), body),
    )


@cache
def modules() -> Strategy:
    statements = st.recursive(simple_statements(), compound_statements, max_leaves=5)
    return make(nodes.Module, many(statements, 0, 3))
