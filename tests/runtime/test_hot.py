"""What is written out as Python once it has run often computes, records and refuses what closures do."""

from __future__ import annotations

from itertools import product

import pytest

from autodiff_cli import Program
from autodiff_cli.errors import Fault
from autodiff_cli.runtime import heat, hot
from autodiff_cli.runtime.program import Limits

SETTING = """
x: input = 1.5
c: const = 0.75
w = x*c
k = 3
t = torch.tensor([1.0, 2.0]) * x
n = -2.5
s = torch.tensor(4)
none = None
def show(fn):
    return "." if fn is None else fn.name() + "(" + ",".join(show(f) for f, _ in fn.next_functions) + ")"
"""
OPERANDS = ["x", "c", "w", "2", "0.5", "k", "t", "0", "0.0", "n", "s", "none", "unset"]


@pytest.fixture
def written(monkeypatch):
    """The titles of what was written out."""
    titles = []
    make = hot.Text.make
    monkeypatch.setattr(hot.Text, "make", lambda self, title, *more: titles.append(title) or make(self, title, *more))
    return titles


def outcome(text, **options):
    """What a program printed and gave, or its error."""
    try:
        run = Program.load(text).run(graph=False, **options)
    except Fault as fault:
        return type(fault).__name__, fault.message, fault.hint, fault.span
    return run.printed, repr(run.value), repr(run.gradients), run.output, run.warnings, run.nodes


def both(monkeypatch, text, **options):
    """The outcome with closures, and with text from the first turn and call on."""
    monkeypatch.setattr(heat, "HOT", 10**9)
    with_closures = outcome(text, **options)
    monkeypatch.setattr(heat, "HOT", 1)
    return with_closures, outcome(text, **options)


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "**", "%", "//"])
def test_every_operator_on_every_kind_of_operand(symbol, monkeypatch, written):
    for left, right in product(OPERANDS, OPERANDS):
        for expression in (f"{left} {symbol} {right}", f"({left}*1) {symbol} -{right}", f"-({left} {symbol} {right})"):
            text = (
                f"{SETTING}for i in range(3):\n    y = {expression}\n    print(y)\n    z = y * 1\n    print(z)\n"
                "    if type(z).__name__ == 'Tensor':\n        print(show(z.grad_fn))\n"
                "    if i == 9:\n        unset = 1\ny\n"
            )
            a, b = both(monkeypatch, text, backward=False)
            assert a == b, expression
    assert "<for loop>" in written


@pytest.mark.parametrize("symbol", ["<", "<=", ">", ">=", "==", "!=", "is", "in"])
def test_every_comparison_on_every_kind_of_operand(symbol, monkeypatch):
    for left, right in product(OPERANDS, OPERANDS):
        text = f"{SETTING}def f():\n    return 1 if {left} {symbol} {right} and not {right} {symbol} {left} else 2\n"
        text += (
            f"for i in range(3):\n    if {left} {symbol} {right} or {right} {symbol} {left}:\n        print(i, f())\n"
        )
        text += "    if i == 9:\n        unset = 1\nx\n"
        a, b = both(monkeypatch, text)
        assert a == b, f"{left} {symbol} {right}"


STATEMENTS = {
    "break and continue": """
for i in range(9):
    if i % 2 == 0: continue
    if i > 5: break
    print(i)
i
""",
    "break and continue inside of with and try": """
for i in range(9):
    with torch.no_grad():
        if i == 2: continue
        if i == 7: break
    try:
        if i == 3: continue
        if i == 5: raise ValueError("five")
    except ValueError as e:
        print(e)
        continue
    finally:
        print("end of", i)
    print(i)
i
""",
    "return out of loops": """
def find(n):
    for i in range(9):
        j = 0
        while j < 5:
            if i * j == n: return i, j
            j += 1
    else:
        return None
for n in [12, 13, 20]: print(find(n))
""",
    "a loop with else": """
for n in range(3):
    for i in range(4):
        if i == n + 2: break
    else:
        print("no break at", n)
    while i:
        i -= 1
        if i == 1: break
    else:
        print("none at", n)
n
""",
    "recursion": """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def power(b, n):
    if n == 0: return 1.0
    half = power(b, n // 2)
    return half * half * b if n % 2 == 1 else half * half
x: input = 1.1
print(fib(12))
power(x, 13) + fib(5)
""",
    "too deep": "def f(n):\n    return f(n + 1) + 1\nprint(f(0))",
    "closures, cells and defaults": """
def counter(step=2):
    n = 0
    def up(by=step):
        nonlocal n
        n += by
        return n
    return up
a, b = counter(), counter(5)
for i in range(4):
    print(a(), b(), a(1), (lambda v, w=3: v * w + i)(i))
i
""",
    "calls that do not fit": "def f(a, b):\n    return a + b\nfor i in range(3):\n    if i == 2: f(1)\n    print(f(i, i))",
    "calls of the library": "x: input = 2.0\nz = x\nfor i in range(3):\n    z = sin(z) + torch.exp(-z) * max(i, 1)\nz",
    "ints past 64 bits": "n = 3\nfor i in range(99):\n    n = n * n",
    "ints past 64 bits by addition": "n = 2**62\nfor i in range(99):\n    n += n",
    "a division by zero": "n = 4\nfor i in range(4):\n    n = n / (2 - i)\n    print(n)",
    "a value unset on the way": "for i in range(3):\n    y = i\n    if i == 2: del y\n    z = y + 1\nz",
    "in place": """
x: input = 2.0
t = torch.zeros(3)
s = torch.tensor(1.0)
for i in range(3):
    t[i] = x * i
    t += x
    s *= x
    print(t, s)
t.sum() + s
""",
    "a leaf in place": "x: input = 2.0\nn = 0.5\nfor i in range(3):\n    if i: n = x\n    n += 1.0\nx",
    "no_grad inside": """
x: input = 0.5
w = torch.tensor(0.1, requires_grad=True)
for step in range(20):
    loss = (w * x - 2.0) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    if step % 5 == 0: print(step, loss.item())
w.detach() * x
""",
    "targets of all kinds": """
d = {"a": 1}
for i, (a, *b) in enumerate([(1, 2, 3), (4, 5)]):
    d["a"], q = d["a"] + a, b
    (r := a + 1)
    print(i, a, b, d, q, r)
i
""",
    "the value computed so far": "x: input = 3.0\ny = x * x\nfor i in range(3):\n    y = y * x\n    u = i\nu",
    "a loop over a tensor": "x: input = 2.0\ns = 0.0\nfor row in torch.ones(4) * x:\n    s = s + row * row\ns",
    "an iterator that fails": "for v in map(lambda q: 1 / (2 - q), range(4)):\n    print(v)",
    "numbers and bools": "b = True\nfor i in range(3):\n    b = b + True\n    c = -b * 2.0 - 1\n    print(b, c, c / 2)\nc",
    "branches": """
for i in range(16):
    if i % 5 == 0: print("five")
    elif i % 3 == 0 and i > 4 or i == 1: print("three")
    elif not (i < 8 or i > 12): print("range")
    else:
        pass
i
""",
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name, monkeypatch, written):
    a, b = both(monkeypatch, STATEMENTS[name])
    assert a == b
    assert written


def test_limits_are_the_same(monkeypatch):
    text = "x: input = 1.0\nz = x\ni = 0\nwhile i < {n}:\n    z = z * x\n    i += 1\nz"
    for n in (100, 20_000):
        a, b = both(monkeypatch, text.format(n=n), limits=Limits(max_steps=50_000))
        assert a == b
    assert a[0] == "LimitFault"


def test_what_is_followed_or_noted_is_not_written(monkeypatch, written):
    monkeypatch.setattr(heat, "HOT", 1)
    text = "x: input = 1.0\nz = x\nfor i in range(50):\n    z = z * x\nz"
    run = Program.load(text).run()  # the graph is kept, with its turns
    assert run.graph is not None
    assert len(run.graph.nodes) == 51
    assert not written
    Program.load(text).run(graph=False)
    assert written == ["<for loop>"]


LOOPS_IN_FUNCTIONS = {
    "while": "i = 0\n    while i < 3:\n        v = v * x\n        i += 1",
    "for": "for i in range(3):\n        v = v * x",
    "while within for": "for j in range(2):\n        i = 0\n        while i < 2:\n            v = v * x\n            i += 1",
    "for within while": "i = 0\n    while i < 2:\n        i += 1\n        for j in range(2): v = v * x",
    "while within if": "i = 0\n    if i == 0:\n        while i < 3:\n            v = v * x\n            i += 1",
    "while within while": "i = 0\n    while i < 2:\n        j, i = 0, i + 1\n        while j < 2:\n            v, j = v * x, j + 1",
}


@pytest.mark.parametrize("name", LOOPS_IN_FUNCTIONS)
def test_turns_of_loops_are_noted_within_functions_that_are_written(name, monkeypatch, written):
    body = LOOPS_IN_FUNCTIONS[name]
    text = f"x: input = 1.5\ndef f(v):\n    {body}\n    return v\nz = f(x)\nfor k in range(3):\n    z = f(z) + x\nz"
    graphs = []
    for hot_from in (10**9, 1):
        monkeypatch.setattr(heat, "HOT", hot_from)
        graph = Program.load(text).run().graph
        assert graph is not None
        graphs.append([(n.grad_fn, n.value, n.grad, n.name, n.span, n.function, n.loops) for n in graph.nodes])
    assert graphs[0] == graphs[1]
    assert any(n[-1] for n in graphs[0] if n[-2] == "f")
    assert "<f>" in written


def test_functions_of_a_scalar(monkeypatch, written):
    names = sorted(hot.scalar_names())
    assert {"sin", "exp", "tanh", "sqrt", "log", "sigmoid"} <= set(names)
    for name in names:
        calls = [
            f"torch.{name}(v)",
            f"v.{name}()",
            f"(v*1).{name}()",
            f"{name}(v)",
            f"torch.special.{name}(v)",
            f"F.{name}(v)",
        ]
        for call in calls:
            text = f"{SETTING}for v in [x, c, w, -x, x*0, t, s, 1.5, 2, none]:\n    try:\n        y = {call}\n"
            text += "        print(y, show(y.grad_fn))\n    except (RuntimeError, TypeError, ValueError, AttributeError) as e:\n"
            text += "        print(type(e).__name__, e)\nz = x\n"
            text += f"def apart(v):\n    return {call}\nfor v in [x, c, w, -x]:\n    print(apart(v))\nx\n"
            a, b = both(monkeypatch, text)
            assert a == b, call
    assert "<apart>" in written


def test_what_a_call_means_is_looked_up_each_time(monkeypatch):
    text = """
x: input = 0.5
def double(v): return v * 2
class_of = {"sin": double}
sin2 = torch.sin
z = x
for i in range(4):
    z = torch.sin(z) + math.sin(0.1) + sin2(z) + sin(z)
    if i == 1: sin2 = double
    if i == 2: sin2 = lambda v: [v][0] - 1
def sigmoid(v): return v * 100
for i in range(3):
    z = sigmoid(z).tanh() + (z if i else torch.tensor(0.3)).cos()
z
"""
    a, b = both(monkeypatch, "import math\nimport torch\n" + text)
    assert a == b
    assert not isinstance(a[0], str)
