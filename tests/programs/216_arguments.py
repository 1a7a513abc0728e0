# Defaults, star arguments, keyword-only and positional-only parameters, unpacking.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

def f(a, b=2, *args, c=3, d, **kw):
    return a, b, args, c, d, kw
print(f(1, d=4))
print(f(1, 2, 3, 4, d=5, e=6, z=7))
print(f(*[1, 2, 3], **{"d": 0, "q": "w"}))
def g(*, scale=1.0, **opts): return scale, sorted(opts.items())
print(g(), g(scale=2, lr=0.1, beta=0.9))
def h(a, /, b, *, c): return a + b + c
print(h(1, 2, c=3), h(1, b=2, c=3))
def apply(fn, *args, **kwargs): return fn(*args, **kwargs)
print(apply(torch.sum, torch.ones(2, 3), dim=1, keepdim=True))
first, *rest = [1, 2, 3, 4]
*init, last = "abc"
a, (b, c), *d = 1, (2, 3), 4, 5
print(first, rest, init, last, a, b, c, d)
x, y = y, x = 1, 2
print(x, y)
print([*range(3), *"ab"], {**{"a": 1}, "b": 2}, (*[1], 2))
for f in (dict(a=1, b=2), [("k", 1)]):
    print(dict(f))
for err in (lambda: h(1), lambda: g(1), lambda: h(a=1, b=2, c=3)):
    try: err()
    except TypeError: print("TypeError")
opts = {"lr": 0.1}
opts |= {"momentum": 0.9}
print(opts | {"lr": 1})
