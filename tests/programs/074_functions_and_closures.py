# Functions: defaults, keywords, *args, **kw, keyword-only, closures, nonlocal, global, recursion, lambda, decorators by hand.
import torch
torch.set_default_dtype(torch.float64)


def affine(x, w=2.0, *, b=1.0):
    return w * x + b


def poly(x, *coefficients, start=0):
    total = 0.0
    for k, c in enumerate(coefficients):
        total = total + c * x ** (k + start)
    return total


def describe(**options):
    return ", ".join(f"{k}={v}" for k, v in sorted(options.items()))


x = torch.tensor(3.0, requires_grad=True)
print(affine(x).item(), affine(x, 5.0).item(), affine(x, b=0.0).item(), affine(b=2.0, w=1.0, x=x).item())
print(poly(x, 1.0, 2.0, 3.0).item(), poly(x, *[1.0, 1.0], start=2).item(), describe(lr=0.1, steps=3, name="sgd"), describe(**{"a": 1}))


def remember(value, box=[]):
    box.append(value)
    return len(box), box[0]


print(remember(1), remember(2), remember(3, []))
counter = 0


def bump(by=1):
    global counter
    counter += by
    return counter


def make_averager():
    count, total = 0, torch.zeros(())

    def average(v):
        nonlocal count, total
        count += 1
        total = total + v
        return total / count
    return average


print(bump(), bump(5), counter)
average = make_averager()
for k in range(1, 5):
    m = average(x * k)
m.backward()
print(m, x.grad)


def compose(*fs):
    def composed(v):
        for f in reversed(fs):
            v = f(v)
        return v
    return composed


def traced(f, label):
    def wrapper(*args, **kw):
        out = f(*args, **kw)
        print(label, [a.item() for a in args], "->", round(out.item(), 6))
        return out
    return wrapper


x.grad = None
h = compose(traced(torch.exp, "exp"), traced(lambda t: -t, "neg"), traced(torch.square, "square"))
h(x / 3).backward()
print(x.grad)
fib = lambda n: n if n < 2 else fib(n - 1) + fib(n - 2)
ackermann = lambda m, n: n + 1 if m == 0 else ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))
print([fib(n) for n in range(12)], ackermann(2, 3))
adders = [lambda v, k=k: v + k for k in range(3)]
late = [lambda v: v + k for k in range(3)]
print([f(10) for f in adders], [f(10) for f in late])
memo = {}


def binomial(n, k):
    if k in (0, n):
        return 1
    if (n, k) not in memo:
        memo[n, k] = binomial(n - 1, k - 1) + binomial(n - 1, k)
    return memo[n, k]


print(binomial(20, 8), len(memo))
first, *rest = sorted([3, 1, 2], key=lambda v: -v)
print(first, rest, (lambda *a: sum(a))(1, 2, 3), (lambda: None)())
