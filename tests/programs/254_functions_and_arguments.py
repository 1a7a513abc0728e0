# Defaults, closures, keywords and recursion.
import torch
torch.set_default_dtype(torch.float64)
def f(a, b=1, *c, d, e=5, **g): return a, b, c, d, e, g
print(f(1, d=2), f(1, 2, 3, 4, d=5, z=6), f(*(1, 2), **{"d": 3}))
for bad in (lambda: f(), lambda: f(1), lambda: f(1, d=1, a=2), lambda: f(1, 2, d=3, b=4), lambda: (lambda x, y=2: x)(1, 2, 3), lambda: (lambda: 0)(1), lambda: f(1, **{"d": 1}, **{"d": 2}) if False else len()):
    try: print(bad())
    except TypeError as e: print("TypeError")
def h(x, l=[], d={}): l.append(x); d[x] = len(l); return l, d
h(1); print(h(2)); k = 10
def outer(x):
    y = x
    def inner(z, w=y):
        nonlocal y
        y += z
        return y, w, k
    return inner
i = outer(5); print(i(1), i(2)); k = 20; print(i(3, w=0)); comp = lambda *fs: (lambda x: x) if not fs else (lambda x: fs[0](comp(*fs[1:])(x))); print(comp(lambda x: x + 1, lambda x: x * 2)(5)); cur = lambda a: lambda b: lambda c: a * b + c; print(cur(2)(3)(4)); apply = lambda f, *a, **k: f(*a, **k); print(apply(f, 1, d=2), apply(print, "x", "y", sep="-")); memo = {}
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
def noret(): pass
def multi(): return 1, "a", [2]
def early(x):
    if x > 0: return "pos"
    elif x < 0: return "neg"
    return "zero"
print(fact(15), even(101), noret(), multi(), [early(v) for v in (1, -1, 0)], (lambda: (yield_ := 5) + yield_)(), [(lambda v: v ** 2)(v) for v in range(3)], sorted([(2, "b"), (1, "z")], key=lambda p: p[1]), (lambda x: x if x else "none")(0), (lambda *a: sum(a) / len(a))(1, 2, 3)); gs = {"sq": lambda x: x * x, "cube": lambda x: x ** 3}; x = torch.tensor(2., requires_grad=True); print({n: torch.autograd.grad(g(x), x)[0] for n, g in gs.items()})
def vararg(first, *rest, sep=", "): return sep.join(str(r) for r in (first, *rest))
print(vararg(1), vararg(1, 2, 3, sep="-"), vararg(*"abc")); cnt = {"n": 0}
def tick(): cnt["n"] += 1; return cnt["n"]
[tick() for _ in range(3)]; print(cnt, tick() < 3 or "short", tick() if False else "no", cnt)
