"""Names to slots, inputs, and the output, against Python's own symbol tables where Python has an opinion."""

from __future__ import annotations

import symtable
from collections.abc import Iterator

import pytest
from language.slips import KNOWN

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children
from autodiff_cli.language.parser import parse
from autodiff_cli.language.scope import (
    BUILTIN,
    CELL,
    FREE,
    GLOBAL,
    LOCAL,
    Scope,
    Scopes,
    UnknownName,
    analyse,
)
from autodiff_cli.source import Source

STARS = {"torch": frozenset(("sin", "cos", "zeros")), "math": frozenset(("pi", "e", "sin"))}


def scopes_of(text: str, *given: str) -> Scopes:
    return analyse(parse(Source(text)), KNOWN, frozenset(given), lambda: STARS)


def inputs(text: str, *given: str) -> list[str]:
    return [one.name for one in scopes_of(text, *given).inputs]


def names(text: str) -> list[tuple[str, int, int]]:
    """Every `Name` in the order of the text, with its resolution."""
    scopes = scopes_of(text)
    found = sorted(scopes.resolution.items(), key=lambda item: item[0].span)
    return [(node.id, *place) for node, place in found]  # type: ignore[attr-defined]


def inner(scopes: Scopes) -> list[Scope]:
    return [scope for scope in scopes.of.values() if scope is not scopes.module]


# --- inputs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("z=(x*y+1)**2", "x y"),
        ("z = y + x", "y x"),
        ("x = 1; z = x", ""),
        ("x = x*2; z = x", "x"),
        ("x += 1", "x"),
        ("x[0] = 1", "x"),
        ("x.grad = None", "x"),
        ("for x in x: z = x", "x"),
        ("for i in range(3): z = i", ""),
        ("for i in range(3): z = z*x", "z x"),
        ("if c: x = 1\nz = x", "c"),
        ("while c > 0: c = c - d", "c d"),
        ("z = a if b else c", "a b c"),
        ("del x", "x"),
        ("x = 1; del x; z = x", ""),
        ("with torch.no_grad() as g: z = g", ""),
        ("try: a\nexcept ValueError as e: z = e", "a"),
        ("import math as m; z = m.pi", ""),
        ("from torch import sin as s; z = s(x)", "x"),
        ("from math import *; z = pi + q", "q"),
        ("z = pi; from math import *", "pi"),
        ("z = [x*i for i in v]", "x v"),
        ("z = [i for i in v if i > t]", "v t"),
        ("z = [i for i in i]", "i"),
        ("z = {k: w for k in v}", "w v"),
        ("z = (y := x) + y", "x"),
        ("z = [t := i for i in v]; w = t", "v"),
        ("f = lambda t: t*a", "a"),
        ("f = lambda t=d: t", "d"),
        ("f = lambda t: t*a; a = 3", ""),
        ("def f(t): return t*a", "a"),
        ("def f(t): return t*a\na = 3", ""),
        ("def f(t=d): return t", "d"),
        ("def f():\n  global c\n  c = 1\nz = c", ""),
        ("z = c\ndef f():\n  global c\n  c = 1", "c"),
        ("def f():\n  a = 1\n  def g(): return a + b\n  return g", "b"),
        ("def f():\n  y = x\n  x = 1", ""),
        ("def f(x): return x\nz = f(x)", "x"),
        ("@no_grad\ndef f(): pass", "no_grad"),
        ('print(f"{x:{w}} {y!r}")', "x w y"),
        ("z = sin(x)", "x"),
        ("z = pi + e + inf", "pi e inf"),
        ("z = f(x)\ndef f(t): return t", "x"),
        ("print(len(x)); sum = sum(y)", "x y"),
        ("a, b = b, a", "b a"),
        ("z = x.exp()", "x"),
        ("z = gamma", "gamma"),
        ("global x; z = x", "x"),
        ("x: float\nz = x", "x"),
        ("def f():\n  x: float\n  return x", ""),
        ("z: Tensor = x", "x"),
        ("assert x, y", "x y"),
        ("raise ValueError(x) from y", "x y"),
        ("for i in range(2) { z = x*i }; z + y", "x y"),
        ("x = 1\nfor i in range(3):\n  x = y\n  y = x", "y"),
        ("x = 1\nfor i in range(3):\n  if i: y = x\n  x = y", ""),
    ],
)
def test_inputs_are_what_is_read_before_anything_binds_it(text: str, expected: str) -> None:
    assert sorted(inputs(text)) == sorted(expected.split())


def test_inputs_are_in_the_order_of_the_text_with_the_place_of_first_use() -> None:
    text = "z = b if a else c\ndef f(): return d + a\nw = c + e"
    found = scopes_of(text).inputs
    assert [one.name for one in found] == ["b", "a", "c", "d", "e"]
    assert [one.span.start for one in found] == [4, 9, 16, 34, 48]
    assert {one.kind for one in found} == {"input"}


def test_an_input_has_a_slot_of_the_globals() -> None:
    scopes = scopes_of("z = x + y")
    assert [scopes.module.locals[one.slot] for one in scopes.inputs] == ["x", "y"]


def test_declared_inputs() -> None:
    text = "x: input = 2.0\nw: input\nn: const = 5\nz = x**n + w + v"
    scopes = scopes_of(text)
    assert [(one.name, one.kind, one.declaration is not None) for one in scopes.inputs] == [
        ("x", "input", True),
        ("w", "input", True),
        ("n", "const", True),
        ("v", "input", False),
    ]
    defaults = [one.default for one in scopes.inputs]
    assert isinstance(defaults[0], nodes.Constant) and defaults[0].value == 2.0
    assert defaults[1] is None and defaults[3] is None
    assert [scopes.declared[statement].name for statement in scopes.module.node.body[:3]] == ["x", "w", "n"]


def test_a_default_may_read_other_inputs() -> None:
    assert inputs("x: input = y\nz = x") == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("z = sum*2", "sum", "sum"),
        ("z = sum*2", "", ""),
        ("z = sum(x) + sum", "sum", "x"),
        ("sum = 3; z = sum", "sum", ""),
        ("max = max*2; z = max", "max", "max"),
        ("def f(): return exp*2", "exp", "exp"),
        ("z = torch.sin(x)", "torch", "x"),
        ("z = x", "sum", "x"),
        ("z = exp.exp()", "exp", "exp"),
    ],
)
def test_a_given_name_hides_the_library(text: str, given: str, expected: str) -> None:
    assert inputs(text, *given.split()) == expected.split()


def test_a_given_name_that_is_called_stays_a_function() -> None:
    with pytest.raises(UnknownName):
        scopes_of("z = x(y + 1)", "x")


# --- names nobody defines


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("sinn(x)", "sin"),
        ("squrt(x)", "sqrt"),
        ("ln(x)", "log"),
        ("def area(r): return r\narae(2)", "area"),
        ("def f(x):\n  return coss(x)", "cos"),
        ("y = [tensr(i) for i in x]", "tensor"),
        ("f = lambda x: expp(x)", "exp"),
    ],
)
def test_an_unknown_function_has_a_suggestion(text: str, suggestion: str) -> None:
    with pytest.raises(UnknownName) as caught:
        scopes_of(text)
    assert f"`{suggestion}`" in (caught.value.hint or "")
    assert caught.value.span is not None


@pytest.mark.parametrize(
    "text",
    [
        "eval = 1; eval",
        "def open(f): return f\nopen(1)",
        "true = 1; true",
        "f = lambda id: id(2)",
        "np = 1; np",
    ],
)
def test_a_program_may_use_pythons_names_for_its_own(text: str) -> None:
    assert inputs(text) == []


def test_a_value_may_have_the_name_of_a_python_function() -> None:
    assert inputs("z = id + hash + iter") == ["id", "hash", "iter"]
    assert inputs("np * 2") == ["np"]


# --- slots


def test_globals_are_global_from_everywhere() -> None:
    text = "a = 1\ndef f(): return a\nb = [a for i in a]"
    assert {(name, kind) for name, kind, _ in names(text) if name == "a"} == {("a", GLOBAL)}


def test_parameters_come_first() -> None:
    (scope,) = inner(scopes_of("def f(a, /, b, *c, d, **e):\n  g = 1\n  return g"))
    assert scope.parameters == 5
    assert scope.locals == ("a", "b", "c", "d", "e", "g")
    assert (scope.cells, scope.free, scope.captures) == ((), (), ())


def test_a_closure_captures_a_cell() -> None:
    text = "def f(a):\n  b = a\n  def g(c): return a + b + c\n  return g"
    scopes = scopes_of(text)
    f, g = inner(scopes)
    assert (f.locals, f.cells) == (("a", "b", "g"), (0, 1))
    assert (g.free, g.captures, g.parent) == (("a", "b"), ((CELL, 0), (CELL, 1)), f)
    assert names(text) == [
        ("b", CELL, 1), ("a", CELL, 0), ("a", FREE, 0), ("b", FREE, 1), ("c", LOCAL, 0), ("g", LOCAL, 2),
    ]  # fmt: skip


def test_a_capture_is_handed_down() -> None:
    scopes = scopes_of("def f(a):\n  def g():\n    def h(): return a\n    return h\n  return g")
    f, g, h = inner(scopes)
    assert f.cells == (0,)
    assert (g.free, g.captures) == (("a",), ((CELL, 0),))
    assert (h.free, h.captures) == (("a",), ((FREE, 0),))


def test_a_comprehension_is_a_scope_of_its_own() -> None:
    text = "def f(v, k):\n  return [i*k for i in v if i > k]"
    f, comprehension = inner(scopes_of(text))
    assert f.cells == (1,)
    assert comprehension.locals == ("i",)
    assert (comprehension.free, comprehension.captures) == (("k",), ((CELL, 1),))
    # the first iterable is read outside
    assert ("v", LOCAL, 0) in names(text)


def test_the_other_iterables_of_a_comprehension_are_read_inside() -> None:
    scopes = scopes_of("def f(v): return [j for i in v for j in i if v]")
    _, comprehension = inner(scopes)
    assert comprehension.locals == ("i", "j")
    assert comprehension.free == ("v",)


def test_walrus_binds_around_a_comprehension() -> None:
    text = "def f(v):\n  [t := i for i in v]\n  return t"
    f, comprehension = inner(scopes_of(text))
    assert f.locals == ("v", "t")
    assert comprehension.free == ("t",)
    assert [(kind, index) for name, kind, index in names(text) if name == "t"] == [(FREE, 0), (CELL, 1)]


def test_global_and_nonlocal() -> None:
    text = "n = 0\ndef f():\n  m = 0\n  def g():\n    global n\n    nonlocal m\n    n += 1\n    m += 1\n  return g"
    f, g = inner(scopes_of(text))
    assert g.locals == () and g.free == ("m",) and f.cells == (0,)
    assert [(name, kind) for name, kind, _ in names(text)][1:4] == [("m", CELL), ("n", GLOBAL), ("m", FREE)]


def test_a_global_declaration_hides_a_function_around_it() -> None:
    text = "a = 1\ndef f():\n  a = 2\n  def g():\n    global a\n    def h(): return a\n    return h\n  return g"
    assert [kind for name, kind, _ in names(text) if name == "a"] == [GLOBAL, LOCAL, GLOBAL]


def test_what_binds_without_a_name_node_has_its_slot() -> None:
    text = (
        "import torch.nn as nn, math\nfrom torch import sin as s, cos\n"
        "def f():\n  import math\n  try: pass\n  except ValueError as e: return e\n"
        "  except: pass\n  def g(): return e\n"
    )
    scopes = scopes_of(text)
    bound = {type(node).__name__ + str(node.span.start): names for node, names in scopes.bindings.items()}
    assert [[name for name, _ in names] for names in bound.values()] == [
        ["nn", "math"], ["s", "cos"], ["f"], ["math"], ["e"], [], ["g"],
    ]  # fmt: skip
    kinds = [[kind for _, (kind, _) in names] for names in bound.values()]
    assert kinds == [[GLOBAL, GLOBAL], [GLOBAL, GLOBAL], [GLOBAL], [LOCAL], [CELL], [], [LOCAL]]


def test_a_star_binds_what_the_program_uses() -> None:
    scopes = scopes_of("from math import *\nfrom torch import *\nz = pi + sin(zeros(2))")
    bound = [[name for name, _ in pairs] for pairs in scopes.bindings.values()]
    assert bound == [["pi", "sin"], ["sin", "zeros"]]


def test_a_star_is_asked_for_only_where_there_is_one() -> None:
    def never() -> dict[str, frozenset[str]]:
        raise AssertionError

    analyse(parse(Source("from torch import sin; z = sin(x)")), KNOWN, frozenset(), never)
    with pytest.raises(AssertionError):
        analyse(parse(Source("from torch import *")), KNOWN, frozenset(), never)


def test_library_names() -> None:
    scopes = scopes_of("z = sin(x) + torch.cos(x); max = max(z, 1)")
    assert set(scopes.builtins) == {"sin", "torch", "max"}
    places = {(name, kind) for name, kind, _ in names("z = sin(x); max = max(z, 1)")}
    assert ("sin", BUILTIN) in places and ("max", GLOBAL) in places


def test_a_future_import_binds_nothing() -> None:
    scopes = scopes_of("from __future__ import annotations\nz = x")
    assert scopes.module.locals == ("z", "x")


# --- the output


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("z = x", ["z"]),
        ("x + 1", [None]),
        ("x", ["x"]),
        ("z = x; z", ["z", "z"]),
        ("a = b = x", ["b"]),
        ("a, (b, *c) = x", ["c"]),
        ("a = x.y = 1", ["a"]),
        ("x.grad = None", []),
        ("x[0] = 1", []),
        ("z = x; x[0] = 1", ["z"]),
        ("z += 1", ["z"]),
        ("x[0] += 1", []),
        ("x: input = 1", ["x"]),
        ("y: float = x", ["y"]),
        ("y: float", []),
        ("for i in x:\n  z = i\n  print(z)", ["z", None]),
        ("if x: y = 1\nelse: z = 2", ["y", "z"]),
        ("def f():\n  y = 1\n  y + 1", []),
        ("with torch.no_grad(): y = x", ["y"]),
        ("try: y = x\nexcept: z = x\nelse: w = x\nfinally: v = x", ["y", "z", "w", "v"]),
        ("import math; del x", []),
    ],
)
def test_the_statements_that_compute_a_value(text: str, values: list[str | None]) -> None:
    assert list(scopes_of(text).values.values()) == values


# --- against Python's symbol tables

PROGRAMS = [
    "def f(a, b=1, *c, **d):\n    e = a\n    def g():\n        return e + b\n    return g\n",
    "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n"
    "        def h(): return x, y\n        return h\n    return g\n",
    "x = 1\ndef f():\n    global x\n    x = 2\n    def g(): return x\n    return g\n",
    "def f(v):\n    return [[i + j + k for j in i] for i in v], {i: v for i in v}, (i for i in v if v)\n",
    "def f(v):\n    if any((t := i) for i in v):\n        return t\n    return [lambda: i + t for i in v]\n",
    "f = lambda a: lambda b: lambda c: a + b + c + d\n",
    "def f():\n    for i in range(3):\n        with a as b:\n            try:\n"
    "                c = b\n            except E as e:\n"
    "                d = lambda: e\n    import math as m\n    def g(): return m, i, d\n"
    "    del c\n    return g\n",
    "def f(a):\n    def g(a=a):\n        return [a for a in a]\n    return g\n",
    "def f():\n    x: int = 1\n    y: int\n    x += 1\n    (z, *w), v[0] = x\n    return lambda: (x, y, z, w)\n",
]


def python_functions(table: symtable.SymbolTable) -> Iterator[symtable.Function]:
    for child in table.get_children():
        assert isinstance(child, symtable.Function)
        yield child
        yield from python_functions(child)


@pytest.mark.parametrize("text", PROGRAMS)
def test_python_binds_the_same_names(text: str) -> None:
    known = KNOWN | {"any", "E", "range"}
    scopes = analyse(parse(Source(text)), known)
    ours = sorted(
        (
            tuple(sorted(name for name in scope.locals)),
            tuple(sorted(scope.free)),
            tuple(sorted(scope.locals[slot] for slot in scope.cells)),
        )
        for scope in inner(scopes)
    )
    theirs = []
    for function in python_functions(symtable.symtable(text, "<text>", "exec")):
        symbols = [symbol for symbol in function.get_symbols() if not symbol.get_name().startswith(".")]
        inside = [child for child in function.get_children() if isinstance(child, symtable.Function)]
        children_free = {name for child in inside for name in child.get_frees()}
        local = [symbol.get_name() for symbol in symbols if symbol.is_local()]
        theirs.append(
            (
                tuple(sorted(local)),
                tuple(sorted(symbol.get_name() for symbol in symbols if symbol.is_free())),
                tuple(sorted(set(local) & children_free)),
            )
        )
    assert ours == sorted(theirs)


def test_every_name_has_a_resolution() -> None:
    for text in PROGRAMS:
        module = parse(Source(text))
        scopes = analyse(module, KNOWN | {"any", "E"})
        pending: list[nodes.Node] = [module]
        while pending:
            node = pending.pop()
            if isinstance(node, nodes.Name):
                kind, index = scopes.resolution[node]
                assert index >= 0 or kind == BUILTIN
            skipped = node.annotation if isinstance(node, nodes.AnnAssign) else None
            pending += [child for child in children(node) if child is not skipped]


@pytest.mark.parametrize(
    "text",
    [
        "for i in x: break",
        "while x { if y { continue } }",
        "for i in x:\n  def f(): return i\n  break",
        "def f(): return",
    ],
)
def test_what_is_in_its_place_is_accepted(text: str) -> None:
    assert scopes_of(text).module.node is not None


def test_a_fault_has_a_place_and_no_source_yet() -> None:
    with pytest.raises(SyntaxFault) as caught:
        scopes_of("x = 1\nreturn x")
    assert caught.value.span == (6, 14)
