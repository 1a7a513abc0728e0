"""Programs that Python reads as we do: one for each corner of the grammar, and a few whole ones."""

EXPRESSIONS = (
    r"""
x
-x**2
-x**-2**y
2**3**2
(2**3)**2
-(-x)
+x - -y + ~z
a - b - c
a - (b - c)
a / b * c // d % e @ f
a + b * c ** d
a * (b + c)
a << b >> c
a | b & c
a < b <= c == d != e > f >= g
a in b
a not in b
a is b
a is not b
not a in b
not (a is b) is not c
not not a
a and b or c and not d
(a and b) and c
a and (b or c)
a if b else c
a if b else c if d else e
(a if b else c) if d else e
lambda: 0
lambda a, b=1, *c, d, e=2, **f: a
lambda a, /, b, *, c: (a, b)
lambda *a: lambda **b: a
lambda a=lambda: 1: a
(y := x + 1)
[y := 1, y**2]
f(y := 2)
()
(a,)
(a, b)
(a, *b, c)
((a, b), c)
[]
[a]
[a, b,]
[*a, b]
{}
{a}
{a, *b}
{a: b}
{a: b, **c, "d": e,}
{**a}
f()
f(a, b)
f(a, *b, c, *d)
f(a, k=1, **kw)
f(*a, k=1, *b)
f(a)(b)(c)
f(i for i in x)
f((i for i in x), 1)
f(a,)
f(**a, b=1)
a.b.c
a.b(c).d[e]
x[0]
x[-1]
x[0][1]
x[0, 1]
x[0,]
x[(0, 1)]
x[:]
x[1:]
x[:1]
x[1:2]
x[::]
x[::2]
x[1:2:3]
x[:, 1]
x[..., None]
x[1:2, ::3, ...]
x[a if b else c]
x[*a]
x[*a, 1]
x[f(y):g(z)]
x[1:2:]
x[1::2]
x[1::]
x[:1:2]
x[:1:]
x[1, 2,]
(a, b,)
[a,]
{a,}
{a, b,}
{a: b}
{a: b,}
{a: b, c: d}
a or b or c or d
a and b and c and d
x[y := 1]
[i for i in x]
[i for i in x if i]
[i for i in x if i if j]
[i + j for i in x for j in y if i < j]
[[j for j in i] for i in x]
[i for i, in x]
[i for i, j in x]
[i for (i, j), *k in x]
{i for i in x}
{i: j for i, j in x}
(i for i in x)
[i if i else 0 for i in x]
[lambda: i for i in x]
[i for i in (a if b else c)]
1
1_000
1_0.0_1e1_0
0xFF
0b101
0o17
0x_f
1.
.5
1e3
1e-3
1E+3
1.5e300
1e400
00
0_0
1.0.real
1 .real
1if x else 2
[1for i in x]
"a"
'a'
"a" 'b'
"a\n\t\\\"\x41\u0041\U00000041\101\0\N{BULLET}"
r"\n"
R'\''
u"a"
"a\
b"
"\d"
'''a
b'''
\"\"\"a"b""c\"\"\"
''
f""
f"a"
f"{x}"
f"{x}{y}"
f"a{x}b{y}c"
f"{x!r}"
f"{x!s:>10}"
f"{x:.3f}"
f"{x:{w}}"
f"{x:{w}.{p}f}"
f"{x:>{w}}"
f"{{}}"
f"{{{x}}}"
f"{x + 1}"
f"{f(x, y)}"
f"{x['a']}"
f"{x, y}"
f"{(lambda: 1)()}"
f"{ {1: 2}[1] }"
f"{x if y else z}"
f"{a != b}"
f"{a == b}"
f"{a <= b}"
f"{(y := 1)}"
f"{x:%H:%M}"
f"\n{x}\t"
rf"\n{x}"
f'''{
x
}'''
"a" f"{x}" "b"
f"{x}" f"{y}"
f"a" "b"
True, False, None, ...
a, b = c
x
(a) + (b)
((((a))))
(a
 + b)
f(
    a,  # first
    b,
)
[
    1,

    2,
]
a \
  + b
a if not b else not c
await_ + async_1
π + ñ
µ
x.T @ y
not -x
-x.y
-x[0]
-f(x)
x ** f(y) ** z
x ** -y
x ** (-y)
(x := 1, y)
print(f"{x}", y, sep="", end="\n")
""".replace('\\"\\"\\"', '"""')
    .strip()
    .split("\n")
)

STATEMENTS = r'''
x = 1
---
x = y = 1
---
x, y = 1, 2
---
x, *y = z
---
[x, (y, z)] = w
---
x, = y
---
(x) = y
---
x.a = 1
---
x[0] = x[1:2] = 1
---
x[0].b[1] = y
---
x += 1
---
x -= 1; x *= 2; x /= 3; x //= 4; x %= 5; x **= 6; x @= 7; x &= 8; x |= 9; x <<= 10; x >>= 11
---
x[0] += 1
---
x.a += 1, 2
---
x: int
---
x: int = 1
---
x.a: int = 1
---
x[0]: "text" = 1, 2
---
x = yield_
---
x = 1, 2,
---
def f():
    x = y = z = 1
    def g():
        nonlocal x, y, z
---
import torch, math, torch.nn as nn
---
from torch import a, b, c
---
from torch import (a)
---
from torch import (a,)
---
if x: y;
---
for i, j, in x: pass
---
for i, j, k in x: pass
---
def f(a,): pass
---
with a, b, c: pass
---
pass
---
pass;
---
x; y; z;
---
del x
---
del x, y[0], z.a
---
del (x, y)
---
del (x), [y]
---
global x
---
def f():
    global x, y
    nonlocal_ = 1
---
def f():
    x = 1
    def g():
        nonlocal x
        x = 2
---
assert x
---
assert x, "message"
---
assert (x, y)
---
raise
---
raise x
---
raise x from y
---
import torch
---
import torch, math
---
import torch.nn.functional as F
---
import torch.nn as nn, math as m
---
from torch import sin
---
from torch import sin as s, cos
---
from torch import (sin, cos,)
---
from torch import (
    sin as s,
    cos
)
---
from torch import *
---
from torch.autograd import grad
---
from __future__ import annotations
---
if x: y
---
if x: y; z
---
if x:
    y
---
if x:
    y
else:
    z
---
if x:
    y
elif z:
    w
elif v:
    u
else:
    t
---
if x: y
else: z
---
if (y := x): y
---
while x: break
---
while x:
    if y: continue
    z
else:
    w
---
for i in x: pass
---
for i, j in x: pass
---
for i, in x: pass
---
for (i, [j, *k]) in x: pass
---
for x[0] in y: pass
---
for x.a, b in y: pass
---
for i in 1, 2, 3: pass
---
for i in *x, 1: pass
---
for i in x:
    break
else:
    pass
---
def f(): pass
---
def f(a, b=1, /, c=2, *d, e, f=3, **g): pass
---
def f(a: int, *b: str, c: int = 1, **d: float) -> list[int]: pass
---
def f(a, *, b): pass
---
def f(a, /): pass
---
def f(a, /, b): return a
---
def f(
    a,
    b,
):
    return
---
def f(): return 1, 2
---
def f(): return *a, b
---
def f():
    """doc"""
    return lambda x: x
---
@torch.no_grad()
def f(): pass
---
@no_grad
@torch.set_grad_enabled(False)
def f(): pass
---
def f():
    def g():
        def h(): pass
        return h
    return g
---
with x: y
---
with x as y: z
---
with x as y, z as w: v
---
with x, y: z
---
with (x, y): z
---
with (x): y
---
with x as (a, b): y
---
with x as y.z: w
---
with torch.no_grad():
    x
    y
---
try: x
except: y
---
try:
    x
except A:
    y
except (B, C) as e:
    z
except:
    w
else:
    v
finally:
    u
---
try:
    x
finally:
    y
---
x
---

# a remark
x  # another
    # indented

# the end
---
if x:

    # a remark
    y

    z
  # less

w
---
x = [
1,
2
]
y
---
if x:
	y
	if z:
		w
v
---
if x:
        y
        z
---
def f(x):
  if x:
        return 1
  return 2
---
x = (1 +

     2)
---
if x: pass  # remark
else:
    pass
---
x = \
    1
---
if a and \
   b:
    c
---
x = """a
b"""; y
---
for i in range(10):
    if i % 2:
        continue
    for j in range(i):
        while j:
            j -= 1
        else:
            x = [i, j]
z
---
print
---
match = 1; case = 2; type = 3; print = 4
---
match(x)
---
match[x] = type
---
_ = 1
---
x = 5if y else 6
'''.strip("\n").split("\n---\n")

LAYOUTS = {
    "no final line end": "x = 1",
    "line ends of Windows": "if x:\r\n    y\r\n    z\r\n\r\nw\r\n",
    "line ends of an old Mac": "if x:\r    y\rz\r",
    "a byte order mark": "\ufeffx = 1\n",
    "a form feed": "x\n\f\ny\n",
    "white space at the end": "x  \n  \n",
    "remarks alone": "# one\n  # two\n",
    "nothing": "",
    "line ends alone": "\n\n\r\n",
    "white space alone": "   ",
    "text of several lines from Windows": 'x = """a\r\nb"""\r\n',
    "a remark at the end without a line end": "x # one",
    "a block without a line end": "if x:\n  y",
    "a block at the end of a block": "if x:\n  if y:\n    z",
    "a line that is carried on": "x = 1 + \\\r\n  2",
}
