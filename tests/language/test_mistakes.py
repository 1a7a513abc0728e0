"""Every slip of the table has an example that makes it, and a message that is written down in
tests/errors/syntax/.
"""

from __future__ import annotations

import re

import pytest
from language.slips import GOLDEN, fault_of, rendered, slips_of

from autodiff_cli.errors import Status
from autodiff_cli.language.mistakes import QUOTED, slips
from autodiff_cli.language.scope import UnknownName

SLIPS = sorted(slips())


@pytest.mark.parametrize("name", SLIPS)
def test_the_example_makes_its_slip_and_no_other(name: str) -> None:
    fault = fault_of(slips()[name].example)
    assert fault is not None
    assert name in slips_of(fault), fault.message
    assert fault.status == Status.SYNTAX


@pytest.mark.parametrize("name", SLIPS)
def test_the_message_is_the_recorded_one(name: str) -> None:
    fault = fault_of((GOLDEN / f"{name}.ad").read_bytes().decode().removesuffix("\n"))
    assert fault is not None
    assert rendered(fault) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_the_recorded_messages_are_those_of_the_table() -> None:
    assert {path.stem for path in GOLDEN.glob("*.ad")} == {path.stem for path in GOLDEN.glob("*.txt")} == set(SLIPS)
    for name in SLIPS:
        assert (GOLDEN / f"{name}.ad").read_bytes().decode() == slips()[name].example + "\n"


def test_messages_are_in_our_own_words() -> None:
    """Not a word of Python's: its messages name "syntax", a "token", a "literal" or an "expression" of
    kinds.
    """
    for name, slip in slips().items():
        for text in (slip.message, slip.hint or ""):
            assert not re.search(r"(?i)invalid syntax|unexpected|illegal|perhaps you|maybe you|token", text), name
            assert text == text.strip() and not text.endswith("."), name


# slip -> other texts that make it; a family, where the example of the table is one member
FAMILIES: dict[str, list[str]] = {
    "caret": ["y = x^2", "(x+1)^2", "x ^ (y+1)", "x^-1", "f(x)[0]^z", "x ^= 2", "y = 2^", "x.T^2"],
    "product": ["2x", "3sin(x)", "y = 1.5z", "2π", "y = 1e3x", "2_x", "10x + 1"],
    "called-value": ["2(x+1)", "y = (x+1)(x-1)", "-2(x)", "(x)**2(y)", "1.5(x)"],
    "called-display": ['print("a" (x))', "y = {1: 2}(x)", "y = [1, 2](0)", 'f"{x}"(y)'],
    "missing-operator": [
        "y = x z",
        "x y z",
        "y = (x+1) 2",
        "f = cos(x) sin(x)",
        "y = x[0] z",
        "2 x",
        "y = x.T z",
    ],
    "missing-comma": ["print(x y)", "y = [1 2]", "y = {x z}", "max(x, y z)", "y = x[1 2]", 'print(f"{x y}")'],
    "missing-comma-string": [
        'print(x "a")',
        'print("a" x)',
        'y = x "a"',
        'print("a" 1)',
        'print(f"{x}" y)',
        'print(x f"{y}")',
    ],
    "quote-in-string": ["print('it's')", 'y = "say "x""'],
    "call-without-parentheses": ["sin x", "y = 2*sin x", "y = sqrt x + 1"],
    "equals-in-condition": [
        "while x = 1 { }",
        "if x and y = 2: pass",
        "assert x = 1",
        "if x:\n  pass\nelif x = 2:\n  pass",
    ],
    "equals-in-expression": [
        "if (x = 1): pass",
        "y = [a = 1]",
        "y = x[a = 1]",
        "print(x)[a = 2]",
        "y = x + (z = 2)",
    ],
    "walrus-statement": ["x := 1", "if x: y := 2"],
    "walrus-target": ["print(x.a := 1)", "y = (x[0] := 1)", "y = (f(x) := 1)"],
    "augmented-in-expression": ["if x += 1: pass", "print(x -= 1)", "y = x *= 2"],
    "doubled": ["x || y", "if x && y: pass", "x <> y", "x === y", "x !== y"],
    "bang": ["if !x: pass", "y = x and !z", "print(!x)"],
    "increment": ["x--", "x++;", "for i in range(3) { x++ }", "if x: y++"],
    "arrow": ["f = (x) => x*x", "f = x => x", "map(x -> x, y)"],
    "reversed-operator": ["if x => 1: pass", "x =< 1", "x =! y", "x =* 2", "x =* y"],
    "split-operator": ["x * = 2", "x > = 1", "x / = 2"],
    "question-mark": ["x?", "y = x > 1 ? 2 : 3"],
    "bars": ["y = |x - 1|", "print(|x|)", "y = 2*|x|"],
    "conditional-without-else": ["y = 1 if x\nz = 2", "print(y); z = 2 if x;", "y = 1 if x and z"],
    "operand": [
        "= 3",
        "y = * / 2",
        "y = x[]",
        "f(x=)",
        "y = x and and z",
        "in x",
        "y = x..z",
        "y = (x + )",
        "y = [for i in x]",
        "while { }",
        "y = {: 1}",
    ],
    "incomplete": ["y =\nz = 1", "y = x and\nz = 1", "return_ = not\nz", "y = -\nz = 2"],
    "incomplete-at-end": [
        "y =",
        "y = x +",
        "import",
        "from torch",
        "del",
        "y = x.",
        "y = 1 if x else",
        "f = lambda x:",
        "x =",
    ],
    "incomplete-statement": [
        "import\ny = 1",
        "from torch\ny = 1",
        "import torch as\nx",
        "global\nx = 1",
        "y = x.\nz = 1",
    ],
    "lookalike": [
        "y = x – 1",
        "y = x — 1",
        "y = x × z",
        "y = x÷2",
        "x ≤ 1",
        "x ≠ 1",
        "y = x·z",
        "y = （x）",
        "√x",
        "y ＝ 1",
        "y = x → z",
    ],
    "exponent": ["x² + y²", "(x+1)²", "f(x)³", "x¹²"],
    "smart-quote": ["print(“a”)", "print(‘a’)", "print(«a»)"],
    "space": ["y = x\u00a0+ 1", "\u00a0y = 1", "y\u2009= 1", "y = x\u3000"],
    "invisible": ["y\u200b = 1", "y = 1\ufeff", "y = \u00ad1", "y = 1\x00"],
    "backslash": ["y = x \\ ", "y = \\frac", "y = x \\ z"],
    "prompt": [">>> y = x\n>>> z = y", "y = x\n>>> z", "... z = 1"],
    "comment": ["y = 1\n// two", "/* a */", "y = x // the value", "/** a"],
    "stray": ["y = $x", "x!", "§", "y = x€"],
    "unterminated": ["y = 'x", 'print("x)\nz', "y = f'x", "y = r'x\\'", "y = 'a\nb'", "x'"],
    "unterminated-text": ["y = '''x\n\n", 'y = f"""x\n{y}'],
    "bad-escape": [r'"\u12"', r'"\U99999999"', r'"\N{no such letter}"', r'"\N"', r'f"\xg0{x}"', r'"\x"'],
    "lone-brace": ['f"}"', 'f"a}b"', "f'''\n}'''"],
    "unclosed-field": ['f"{x', 'f"{x"', 'f"{x:.2f"', "f'{x!r'", 'f"{x:{y"', 'f"{x}{"'],
    "empty-field": ['f"{}"', 'f"{:.2f}"', 'f"{!r}"', 'f"{ }"', 'f"{x:{}}"', 'f"{=}"'],
    "equals-in-field": ['f"{x = 1}"', 'f"{x=y}"'],
    "bad-conversion": ['f"{x!}"', 'f"{x!z}"', 'f"{x!rr}"', 'f"{x! r}"'],
    "bytes": ["b'x'", "B'x'", "rb'x'", "bR'x'"],
    "complex": ["3j", "1.5J", "1e3j", "2j + x"],
    "int-too-large": [
        "0x8000000000000000",
        "99999999999999999999",
        "9_223_372_036_854_775_808",
        "1" + "0" * 5000,
    ],
    "leading-zero": ["00012", "09", "0_7"],
    "underscore": ["1_", "1__000", "1e1_", "1_.5"],
    "number": ["0x", "0b2", "0o8", "0xx", "0b"],
    "assign-literal": [
        "None = 1",
        "True = x",
        '"a" = x',
        "[a, 1] = x",
        "for 1 in x: pass",
        "x = 1 = y",
        "with x as 1: pass",
        'f"{x}" = 1',
        "1 += x",
    ],
    "assign-call": [
        "f(x) = 1",
        "x.f() = 1",
        "f(x) += 1",
        "for f(x) in y: pass",
        "f(x): input = 2",
        "a, f(x) = y",
        "[1 for f(x) in y]",
    ],
    "assign-expression": [
        "x + 1 = 2",
        "-x = 1",
        "x == 1 = y",
        "(x if y else z) = 1",
        "a, b + c = x",
        "x and y = 1",
        "[i for i in x] = 1",
        "x + 1 += 2",
        "f = lambda x: y = 2",
    ],
    "assignments-with-comma": ["x = 1, y = 2", "a = 1, b = 2, c = 3"],
    "two-stars": ["*a, b, *c = x", "[*a, *b] = x", "for *a, *b in x: pass"],
    "lone-star-target": ["for *a in x: pass", "a = *b = x", "[1 for *a in x]"],
    "lone-star": [
        "*x",
        "y = *x",
        "(*x)",
        "def f(): return *x",
        "for i in *x: pass",
        "y += *x",
        'f"{*x}"',
        "y = (*x)",
    ],
    "augmented-several": ["[a, b] += 1", "(a, b) -= 1", "*a += 1"],
    "annotated-several": ["(a, b): input", "[a, b]: input = 1"],
    "delete-expression": ["del 1", "del f(x)", "del x, 1", "del (x, -y)", "del *x"],
    "keyword-not-name": ["f(1=2)", "f(x.a=2)", "f(x[0]=2)", "f(None=1)", "f(-x=1)"],
    "repeated-keyword": ["f(1, a=1, b=2, a=3)"],
    "positional-after-keyword": ["f(a=1, b)", "f(**a, b)", "f(**a, *b)", "f(x, a=1, *b, c)"],
    "repeated-parameter": [
        "lambda x, x: 1",
        "def f(a, *a): pass",
        "def f(a, /, a): pass",
        "def f(a, **a): pass",
        "def f(*, a, a): pass",
    ],
    "no-default-after-default": ["lambda a=1, b: b", "def f(a=1, /, b): pass", "def f(a, b=1, c, d=2): pass"],
    "after-double-star": [
        "lambda **k, a: 1",
        "def f(**k, *a): pass",
        "def f(**k, **l): pass",
        "def f(**k, *, a): pass",
    ],
    "misplaced-slash": [
        "def f(a, /, b, /): pass",
        "def f(*a, /): pass",
        "lambda /: 1",
        "def f(*, a, /): pass",
    ],
    "second-star": ["def f(*a, *, b): pass", "lambda *a, *b: 1", "def f(*, a, *b): pass"],
    "bare-star": ["def f(*): pass", "def f(*, **k): pass", "lambda *: 1", "def f(*, *a): pass"],
    "parameter": [
        'def f("a"): pass',
        "def f(x+1): pass",
        "def f(x.y): pass",
        "def f(a, (b, c)): pass",
        "def f(a, 1=2): pass",
        "def f(x[0]): pass",
    ],
    "lambda-parentheses": ["lambda (x): x", "map(lambda (a, b): a, x)"],
    "def-name": ["def (x): pass", "def:\n  pass"],
    "def-parentheses": ["def f: pass", "def f x: pass", "def f {\n pass }", "def f -> int: pass"],
    "except-comma": ["try:\n  x\nexcept A, B:\n  y"],
    "raise-comma": ["raise A, 1"],
    "else-if": [
        "if x { y } else if z { w }",
        "if x:\n  y\nelseif z:\n  w",
        "if x { y }\nelse if z { w }",
        "if x:\n  y\nelsif z:\n  w",
    ],
    "then": ["while x do: y", "if x then y = 2", "while x do\n  y\n"],
    "for-in": [
        "for i = 1 to 10:\n  x",
        "for i of x { y }",
        "for x y: z",
        "for each x in y: z",
        "for (i = 0; i < 3; i++) { x }",
        "[i for i]",
        "[i for i y]",
        "for i:\n  x",
    ],
    "print": ["print x", 'print "a", x', 'print "a" % x', "if x: print x"],
    "exec": ["exec 'x'", "exec x"],
    "declaration": [
        "var x = 1",
        "const n = 5",
        "int x = 1",
        "float x",
        "function f(x) { x }",
        "fn f(x) { x }",
        "input x",
    ],
    "keyword-as-name": [
        "return = 1",
        "pass = 1",
        "f(lambda=1)",
        "def lambda(): pass",
        "import in",
        "def = 3",
        "global if",
    ],
    "keyword-attribute": ["x.lambda", "x.if = 1", "y = x.not", "x.is"],
    "statement-as-value": [
        "x = pass",
        "y = (return)",
        "f = lambda x: return x",
        "print(import)",
        "y = if x: 1",
        "y = [while]",
    ],
    "statement-mid-line": ["y = x import torch", "x for i in y: z", "y = x return"],
    "two-on-a-line": ["x = 1 y = 2", "pass x", "f(x) y = 2", "continue x"],
    "import": [
        "import os",
        "import torch.optim",
        "from numpy import *",
        "import torch, numpy",
        "from torch.utils import data",
        "from __future__.a import b",
        "import __future__",
    ],
    "import-relative": ["from .a import b", "from ... import b", "from ..a import b"],
    "import-star": ["from torch.autograd import *", "from __future__ import *"],
    "decorator": [
        "@f(x)\ndef g(): pass",
        "@torch.jit.script\ndef g(): pass",
        "@(lambda f: f)\ndef g(): pass",
        "@staticmethod\ndef g(): pass",
    ],
    "decorator-alone": ["@torch.no_grad()\nx = 1", "@torch.no_grad()", "@no_grad\nfor i in x: y"],
    "dunder-attribute": ["x.__class__", "x.__dict__['a']", "x.__init__()", "torch.__version__", "x.__a = 1"],
    "dunder-name": ["__file__", "y = __builtins__", "if __doc__: x"],
    "class": ["class A(B): pass", "x = class", "class: x"],
    "async": ["async for x in y: z", "async with x: y", "y = async"],
    "yield": ["yield", "x = yield y", "def f(): yield from x", "(yield)"],
    "match": [
        "match x, y:\n  case 1: z",
        "match (x):\n  case 1: z",
        "match -x:\n  case 1: z",
        "match [x]:\n  case 1: z",
        "match x.y:\n  case 1: z",
    ],
    "python-name": [
        "eval(x)",
        "exec('x')",
        "y = open",
        "getattr(x, 'a')",
        "input()",
        "globals()['x']",
        "super()",
        "hash(x)",
        "next(x)",
        "__import__('os')",
        "f = eval",
        "def f():\n  return eval(1)",
    ],
    "constant-name": ["x = false", "if TRUE: x", "print(null)", "y = none", "NaN + 1"],
    "unknown-function": [
        "sinn(x)",
        "ln(x)",
        "arctan2(x, y)",
        "x(y+1)",
        "foo(foo)",
        "def f(x):\n  return g(x)",
        "f(x) + x*f",
        "y = [h(i) for i in x]",
    ],
    "unknown-module": ["np.sin(x)", "y = numpy.array([1])", "plt.plot(x)", "def f(x):\n  return jnp.exp(x)"],
    "indent": ["  x = 1\n    y = 2", "x = 1\n  y = 2", "if x:\n  y\n    z", "\tx\n\t\ty"],
    "indented-first-line": ["  x = 1\ny = 2", "    x = 1\n  y = 2", "\tif x:\n\t\ty\nz"],
    "dedent": ["if x:\n    y\n  z", "if x:\n    if y:\n        z\n      w"],
    "tabs": ["if x:\n    if y:\n\tz", "if x:\n\ty\n        z", "if x:\n        y\n\tz"],
    "no-body": [
        "for i in x:\ny",
        "if x:\n    if y:\n    z",
        "def f():\nx",
        "if x:\n  y\nelse:\nz",
        "while x:\n# a remark\ny",
        "try:\nx",
    ],
    "no-body-at-end": ["if x:", "def f():\n", "else_ = 1\nwhile x:\n\n# end", "if x:\n  y\nelse:"],
    "indent-in-braces": ["while x {\nif y:\nz\n}", "def f(x) { for i in x:\n  y }"],
    "no-colon": [
        "if x == 1",
        "while x\n  y",
        "def f(x)\n  x",
        "def f(x) return x",
        "for i in range(3) z = z*x",
        "with torch.no_grad()\n  x",
        "else_ = 1\nif x y",
        "if x pass",
        "try\n  x",
        "if x:\n  y\nelse\n  z",
    ],
    "no-colon-lambda": ["map(lambda x, y)", "f = lambda", "f = lambda x\ny"],
    "block-after-colon": [
        "if x: if y: z",
        "for i in x: for j in y: z",
        "if x: y; for i in z: w",
        "while x: def f(): pass",
        "if x: while y { z }",
    ],
    "colon-after-semicolon": [
        "x = 1; if y: z",
        "a; b; while x:\n  y",
        "x; def f(): pass",
        "{1: 2}; with x: y",
    ],
    "else-on-line": [
        "if x: y else: z",
        "for i in x: y else: z",
        "try: x except: y",
        "try: x finally: y",
        "if x: pass else: z",
    ],
    "else-after-semicolon": ["if x { y };\nelse { z }", "try { x }; except { y }"],
    "else-without-if": ["y = 1 else 2", "print(1 else 2)", "x else y"],
    "else-alone": [
        "else: x",
        "elif x: y",
        "except: x",
        "finally: x",
        "if x:\n  y\n  else:\n    z",
        "x = 1\nelse { y }",
    ],
    "try-alone": ["try:\n  x\ny", "try { x }", "try:\n  x\nelse:\n  y"],
    "empty-block": ["if x { } else { y }", "def f() {\n\n}", "while x { # nothing\n }"],
    "block-separator": [
        "if x { y } z = 1",
        "for i in x { y } (z)",
        "if x { y } { z }",
        "if x { y } print(z)",
        "while x { if y { z } w }",
    ],
    "unclosed-block": ["while x {", "if x { y", "def f(x) {\n  return x\n", "if x { if y { z }"],
    "semicolon": [";", "x; ; y", ";x", "while x { ; }", "x = 1;; y"],
    "semicolon-in-bracket": ["f(x; y)", "y = [1; 2]", "x[1; 2]", "f(x,; y)"],
    "unclosed": ["y = [1, 2", "f(x\ng(y)", "y = {1: 2", "y = sin((x)", "x[", "f(", "y = (x +\nz = 2\nw = 3"],
    "mismatched": ["(x]", "[x)", "{x)", "f(x[0)]", "while x { (y }", 'f"{(x}"'],
    "stray-closing": ["x)", "]", "y = x}", "if x { y }}", "f(x))"],
    "comma": ["f(,x)", "[,]", "f(x,,y)", "x = ,1", "{,}", "(,)", "x[,1]"],
    "trailing-comma": ["from torch import sin,", "import math, \ny"],
    "generator-alone": ["max(i for i in x, 1)", "max(1, i for i in x)", "f(a=1, i for i in x)"],
    "comprehension-comma": ["{i, j for i in x}", "[i, j, k for i in x]"],
    "colon-in-set": ["{1, 2: 3}", "{x, y: z, w}"],
    "dict-value": ["{1: 2, 3}", "{1: 2, 3, 4: 5}", "{'a': 1, 'b'}"],
    "equals-in-dict": ["{a = 1}", "{'a' = 1}", "{'a': 1, b = 2}"],
    "colon-in-call": ["f(x: 1)", "f(1, y: 2)"],
    "with-parentheses": ["with (a as b, c as d): pass"],
    "not-between": ["x not y", "if x not y: z", "print(x not 1)"],
    "backtick": ["`x`", "print(`x`)"],
    "global-value": ["def f():\n  global x = 1", "global x = 1", "def f():\n  nonlocal x = 1"],
    "return-outside": ["return", "if x:\n  return 1", "for i in x { return i }"],
    "break-outside": [
        "break",
        "def f():\n  break",
        "for i in x:\n  def f(): break",
        "for i in x:\n  y\nelse:\n  break",
        "while x { def f() { break } }",
    ],
    "continue-outside": ["continue", "while x:\n  y\nelse:\n  continue"],
    "nonlocal-unknown": ["a = 1\ndef f():\n  nonlocal a", "def g():\n  global a\n  def f():\n    nonlocal a"],
    "global-parameter": [
        "def f(a):\n  global a",
        "def g():\n  a = 1\n  def f(a):\n    nonlocal a",
        "def f(*a):\n  global a",
    ],
    "global-late": ["def f():\n  print(a)\n  global a", "def f():\n  for a in x: pass\n  global a"],
    "declared-inside": ["def f():\n  x: input = 1", "for i in y { x: const = 1 }", "if y: x: input"],
    "declared-twice": ["x: input\nx: const = 1"],
    "declared-late": ["y = x\nx: input", "x = 1\nx: input = 2", "x += 1\nx: input"],
    "declared-attribute": ["x[0]: input", "x.a: const = 2"],
    "star-import-inside": ["def f():\n  from torch import *"],
    "walrus-loop-variable": ["[i := 0 for i in x]", "[[j := 1 for k in y] for j in x]"],
}

MEMBERS = [(slip, text) for slip, texts in FAMILIES.items() for text in texts]


@pytest.mark.parametrize(("slip", "text"), MEMBERS)
def test_the_whole_family_is_recognised(slip: str, text: str) -> None:
    fault = fault_of(text)
    assert fault is not None
    assert slip in slips_of(fault), f"{fault.message} ({fault.hint})"
    assert fault.span is not None and 0 <= fault.span.start <= fault.span.end <= len(text)


# text -> what the hint has to contain: the user's own text, put right
HINTS = {
    "(x+1)^2": "`(x+1)**2`",
    "x^-1": "`x**-1`",
    "f(x)[0]^z": "`f(x)[0]**z`",
    "2x": "`2*x`",
    "3sin(x)": "`3*sin(...)`",
    "2(x+1)": "`2*(x+1)`",
    "y = (x+1)(x-1)": "`(x+1)*(x-1)`",
    "y = x.T z.T[0]": "`x.T*z.T[0]`",
    "x = x z": "`x*z`",
    "print(x y)": "`x, y`",
    "sin x": "`sin(x)`",
    'print "a", x': '`print("a", x)`',
    "x --": "`x -= 1`",
    "x² + 1": "`x**2`",
    "(x+1)²": "`(x+1)**2`",
    "y = x – 1": "`-`",
    "y = x × z": "`*`",
    "x ≤ 1": "`<=`",
    "x && y": "`and`",
    "x || y": "`or`",
    "x === y": "`==`",
    "x =< 1": "`<=`",
    "x =! y": "`!=`",
    "x + = 1": "`+=`",
    "if x == 1": "`if x == 1:`",
    "09": "`9`",
    "1__0": "`10`",
    "f(a: 1)": "`a=1`",
    "x not y": "`x not in y`",
    "ln(x)": "`log`",
    "sinn(x)": "`sin`",
    "np.exp(x)": "`torch.exp`",
    "import numpy": "PyTorch's names",
    "x(y+1) + x": "`x*(...)`",
    "def foo_bar(): pass\nfoo_baz()": "`foo_bar`",
    "f(x for x in y, 1)": "`(x for x in y)`",
}


@pytest.mark.parametrize("text", HINTS)
def test_the_hint_says_what_to_write(text: str) -> None:
    fault = fault_of(text)
    assert fault is not None and fault.hint is not None
    assert HINTS[text] in fault.hint


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x = 1\ny = (x +\nz = 2\n", 2, 5),  # the bracket, not where the text ran into trouble
        ("y = f(x\nif z:\n    w\n", 1, 6),
        ("x = 1\ny = x x\nz = (1", 2, 7),  # the first mistake comes first
        ("while x {\n  y = z w\n", 2, 9),  # a block that is not closed yet explains nothing
        ('y = f"{x}" + "a', 1, 14),
        ("if x:\n    y\n  z\n", 3, 1),
        ("x = 1\r\ny = 2x\r\n", 2, 5),
        ("\ufeffy = 2x", 1, 6),
    ],
)
def test_the_place_is_where_the_mistake_is(text: str, line: int, column: int) -> None:
    fault = fault_of(text)
    assert fault is not None and fault.source is not None and fault.span is not None
    assert fault.source.position(fault.span.start) == (line, column)


def test_long_text_is_quoted_in_short() -> None:
    fault = fault_of("y = (" + "+".join(["x"] * 1000) + ")^2")
    assert fault is not None and fault.hint is not None
    assert len(fault.hint) < 2 * QUOTED and "..." in fault.hint


def test_an_unknown_function_has_a_code_of_its_own() -> None:
    fault = fault_of("sinn(x)")
    assert isinstance(fault, UnknownName)
    assert (fault.code, fault.status) == ("unknown-name", Status.SYNTAX)


def test_a_bracket_names_where_it_was_opened() -> None:
    fault = fault_of("y = [x\n  )")
    assert fault is not None and fault.source is not None
    ((span, phrase),) = fault.notes
    assert (fault.source.slice(span), phrase) == ("[", "opened here")
