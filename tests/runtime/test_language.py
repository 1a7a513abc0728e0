"""The language against Python itself: the same text, run by both, prints the same."""

from __future__ import annotations

import contextlib
import io

import pytest

from autodiff_cli.runtime.program import Program

PROGRAMS = {
    "arithmetic": """
print(7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, 2 ** 10, 2 ** -1, -2 ** 2, 2 ** 3 ** 2)
print(7 / 2, 6 / 3, 1e3, 1_000, 0x1f, 0b101, 0o17, .5, 5., 1e-3)
print(3 & 5, 3 | 5, ~3, 1 << 4, 100 >> 2)
print(1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, not 1, 2 in [1, 2], 3 not in (1, 2), None is None)
""",
    "truth": """
print(0 or 'a', 1 and 2, [] or {}, None or 0, 'x' and '')
print(1 if [] else 2, bool('0'), bool(0.0))
""",
    "strings": """
name, n, x = 'Ada', 3, 2.5
print(f"{name} {n:>4} {x:.3f} {x!r} {n + 1} {{}} {name.upper()!r:>8}")
width = 8
print(f"{x:{width}.2f}|{x:<{width}}|{x:^+{width}.1e}|{n:05d}|{n:,}|{1234567:,}|{0.25:.0%}")
print(f"{n=} {x=:.1f} {name = }")
print('a,b,c'.split(','), '-'.join(['x', 'y']), 'Hello'.replace('l', 'L'), '  s '.strip() + '|')
print('abc'[1], 'abc'[::-1], 'abc' * 2, 'b' in 'abc', len('abc'), 'a' 'b')
print('{} {1} {name}'.format(1, 2, name=3) if False else '{0} {1} {name}'.format(1, 2, name=3))
print("tab\\tnewline\\\\", r"raw\\n", '''triple
quoted''')
""",
    "lists": """
a = [1, 2, 3]
b = a
b.append(4)
a[0] = 10
a[1:3] = [7, 8, 9]
print(a, b, a is b, a[-1], a[1:], a[::2], a[::-1], len(a))
a += [5]
a.extend([6, 7]); a.insert(0, 0); print(a.pop(), a.pop(0), a.index(8), a.count(5))
a.sort(); print(a, sorted(a, reverse=True), sorted([3, 1, 2], key=lambda v: -v))
del a[0]; a.reverse(); print(a, a.copy() == a)
first, *rest = a
*init, last = a
(p, q), r = (1, 2), 3
print(first, rest, init, last, p, q, r)
print([*rest, *init], (1,), (), [[]] * 2)
""",
    "dicts": """
d = {'a': 1, 'b': 2}
d['c'] = 3
d.update({'d': 4}, e=5)
print(d, d.get('z'), d.get('z', 0), 'a' in d, len(d), list(d), list(d.values()), list(d.items()))
for k, v in d.items():
    print(k, v, end=' ')
print()
print(d.pop('a'), d.setdefault('q', 9), {**d, 'a': 0}, {k: v * 2 for k, v in d.items()}, {1, 2, 1})
del d['b']
print(d, dict(x=1), dict([(1, 2)]))
""",
    "loops": """
for i in range(3):
    if i == 1:
        continue
    print(i)
else:
    print('done')
for i in range(10):
    if i == 2:
        break
else:
    print('never')
n = 5
while n:
    n -= 1
    if n == 2:
        break
else:
    print('never')
print(n, i)
while n > 0:
    n -= 1
else:
    print('end', n)
for i, (a, b) in enumerate(zip([1, 2], 'xy'), start=1):
    print(i, a, b)
for x in reversed([1, 2]):
    print(x)
for k in {'a': 1}: print(k)
for c in 'ab': print(c)
""",
    "functions": """
def f(a, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, kw
print(f(1, c=3), f(1, 5, 6, 7, c=3, e=9), f(*[1, 2], **{'c': 0}))
def g(x, /, y, *, z=1):
    return x + y + z
print(g(1, 2), g(1, y=2, z=3))
def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)
print(fact(10))
def none():
    pass
print(none())
def early(x):
    for i in range(10):
        if i == x:
            return i
    return -1
print(early(3), early(30))
square = lambda x: x * x
print(square(4), (lambda a, b=1: a + b)(2), (lambda *a, **k: (a, k))(1, z=2))
def default(items=[]):
    items.append(1)
    return len(items)
print(default(), default())
""",
    "closures": """
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
c, d = counter(), counter()
print(c(), c(), d())
def make(ks):
    return [lambda x, k=k: x * k for k in ks]
print([f(10) for f in make([1, 2])])
fs = []
for i in range(3):
    fs.append(lambda: i)
print([f() for f in fs])
def outer(a):
    def middle(b):
        def inner(c):
            return a + b + c
        return inner
    return middle
print(outer(1)(2)(3))
total = 0
def add(x):
    global total
    total += x
add(5); add(6)
print(total)
def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x
    return run
print(compose(lambda x: x + 1, lambda x: x * 2)(3))
""",
    "comprehensions": """
print([x * y for x in range(3) for y in range(x) if (x + y) % 2], {x: x * x for x in range(3)}, {x % 2 for x in range(5)})
print(sum(x * x for x in range(5)), list(i for i in 'ab'), any(x > 2 for x in [1, 2, 3]), all([]), [[j for j in range(i)] for i in range(3)])
x = 'outer'
print([x for x in range(2)], x)
print([y := 3, y ** 2], [last := v for v in (1, 2)], last)
if (n := 10) > 5: print(n)
gen = (i for i in range(3))
print(next(gen), list(gen))
""",
    "exceptions": """
def risky(k):
    try:
        if k == 0: return 1 / 0
        if k == 1: return [1][5]
        if k == 2: return {}['x']
        if k == 3: return int('abc')
        if k == 4: raise ValueError('own', )
        if k == 5: return 'a' + 1
        return 'fine'
    except ZeroDivisionError:
        return 'zero'
    except (IndexError, KeyError) as e:
        return type(e).__name__
    except ValueError as e:
        return 'value ' + type(e).__name__
    except Exception as e:
        return 'other ' + type(e).__name__
    else:
        return 'unreachable'
    finally:
        print('finally', k)
print([risky(k) for k in range(7)])
try:
    raise RuntimeError('message')
except RuntimeError as e:
    print(e, str(e), e.args)
try:
    try:
        raise KeyError('k')
    finally:
        print('inner')
except KeyError as e:
    print('outer', e)
try:
    assert 1 == 2, 'no'
except AssertionError as e:
    print('assertion', e)
try:
    print('body')
except ValueError:
    print('never')
else:
    print('else')
for i in range(3):
    try:
        if i == 1: continue
        if i == 2: break
    finally:
        print('f', i)
def nested():
    try:
        raise ValueError('a')
    except ValueError:
        try:
            raise
        except ValueError as e:
            return str(e)
print(nested())
""",
    "builtins": """
print(abs(-3), max(1, 5, 2), min([4, 2]), max('ab', 'c', key=len), sum([1, 2], 10), round(2.567, 2), round(2.5), divmod(7, 2), pow(2, 5))
print(int('12'), int(3.9), float('1.5'), str(1.0), bool([]), list('ab'), tuple([1]), set([1, 1]), list(range(5, 0, -2)), len(range(10)))
print(list(map(lambda x: x + 1, [1, 2])), list(filter(None, [0, 1, 2])), list(enumerate('ab')), list(zip([1, 2], [3, 4])), sorted({'b': 1, 'a': 2}))
print(isinstance(1, int), isinstance(1.0, (int, str)), isinstance('a', str), type(1) == int, type(1.5), type('s').__name__)
print(1, 'a', [1.5, 'b'], None, True, sep='-', end='!\\n')
print(min([], default=0), any([0, 1]), repr('x'), callable(len), chr(97), ord('a'), 1e300 * 1e10, float('inf') - float('inf'))
print(0.1 + 0.2, 1e16, 1e22, 123456789.123456789, 1 / 3, 100.0, 1e-7)
""",
    "statements": """
a = b = 1
a, b = b, a + 1
i = 0; j = 1
x = [0, 0]
i, x[i] = 1, 5
print(a, b, i, j, x)
a += 1; a -= 2; a *= 6; a //= 2; a %= 5; a **= 2; a /= 2
print(a)
count_: int = 3
print(count_)
if a: pass
elif b: print('b')
else: print('else')
del count_
try:
    print(count_)
except NameError as e:
    print(type(e).__name__)
""",
    "scopes": """
x = 1
def f():
    x = 2
    def g():
        return x
    return g(), x
print(f(), x)
def h():
    return x
x = 5
print(h())
def k(x):
    def inner():
        nonlocal x
        x += 1
        return x
    inner()
    return inner()
print(k(1))
def u():
    try:
        return undefined_yet
    except NameError:
        return 'name'
print(u())
undefined_yet = 3
print(u())
def w():
    try:
        print(later)
        later = 1
    except UnboundLocalError as e:
        print('unbound')
    except NameError as e:
        print('unbound')
w()
""",
    "methods of strings, sets, numbers": """
print("a-b-c".rsplit("-", 1), "a=b".partition("="), "a=b=c".rpartition("="), "Ab".swapcase(), "abcb".rfind("b"), "abcb".rindex("b"))
print("a1".isalnum(), " ".isspace(), "Ab".isupper(), "ab".islower(), "Ab".istitle(), "x1".isidentifier(), "é".isascii(), "½".isnumeric())
print("a\\tb".expandtabs(4), "ẞ".casefold())
a, b = {1, 2, 3}, {3, 4}
print(a.symmetric_difference(b), a.isdisjoint(b), frozenset(a).union(b), frozenset(a) == a)
a.intersection_update({1, 3})
b.difference_update({4})
print(a, b)
b.symmetric_difference_update({7})
print(b, dict.fromkeys("ab"), dict.fromkeys([1, 2], 0), (5).bit_count(), (2.5).as_integer_ratio(), (3).real, (2.5).imag)
print(range(0, 10, 2).index(4), range(5).count(3), bin(5), hex(255), oct(8), ascii("é"))
""",
    "classes and text of exceptions": """
kinds = (Exception, ValueError, KeyError, LookupError, ArithmeticError, FloatingPointError, OverflowError, RuntimeError)
for kind in kinds:
    for args in ((), ("m",), ("a", 1), (3,)):
        try:
            raise kind(*args)
        except RuntimeError as e:
            print("runtime", repr(e), e, e.args)
        except LookupError as e:
            print("lookup", repr(e), e, isinstance(e, KeyError))
        except (ArithmeticError, ValueError) as e:
            print(type(e).__name__, f"{e!r}", [e], isinstance(e, OverflowError))
        except Exception as e:
            print("plain", type(e).__name__, repr(e), str(e))
""",
    "math": """
import math
from math import sqrt, pi as PI
print(math.sin(0.0), math.pi == PI, sqrt(16), math.floor(2.7), math.factorial(5), math.gcd(12, 18), math.isnan(math.nan), math.hypot(3, 4), math.exp(0))
""",
}


def run_python(text):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "<program>", "exec"), {"__name__": "__main__"})
    return out.getvalue()


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_what_python_prints(name):
    text = PROGRAMS[name]
    got = Program.load(text).run()
    assert "".join(got.printed) == run_python(text)
