# Newton's square root: a loop whose length is the data's, differentiated; and higher roots by the same code.
import math
import torch
torch.set_default_dtype(torch.float64)


def newton_sqrt(a, tolerance=1e-12):
    x = a / 2 if a > 1 else a * 0 + 1
    trips = 0
    while abs((x * x - a).item()) > tolerance * a.item():
        x = (x + a / x) / 2
        trips += 1
    return x, trips


for value in (0.01, 0.5, 2.0, 100.0, 12345.678):
    a = torch.tensor(value, requires_grad=True)
    root, trips = newton_sqrt(a)
    root.backward()
    print(f"{value:<10} {root.item():.10f} {a.grad.item():.10f} {0.5 / math.sqrt(value):.10f} {trips}")


def nth_root(a, n, trips=40):
    x = torch.ones(()) * max(1.0, a.item() / n)
    for k in range(trips):
        new = ((n - 1) * x + a / x ** (n - 1)) / n
        if abs((new - x).item()) < 1e-14:
            break
        x = new
    else:
        print("not converged")
    return x


for n in (2, 3, 5):
    a = torch.tensor(7.0, requires_grad=True)
    r = nth_root(a, n)
    r.backward()
    print(n, f"{r.item():.12f} {a.grad.item():.10f} {7.0 ** (1 / n - 1) / n:.10f}")
nth_root(torch.tensor(1e9), 2, trips=5)

# a root of cos x = x a, by Newton with the derivative from autograd, differentiated again by the implicit theorem
def solve(f, x, a):
    for _ in range(50):
        x = x.detach().requires_grad_()
        value = f(x, a)
        slope, = torch.autograd.grad(value, x)
        if value.abs() < 1e-14:
            break
        x = x - value.detach() / slope
    return x.detach()


f = lambda x, a: torch.cos(x) - a * x
a = torch.tensor(1.3, requires_grad=True)
x = solve(f, torch.tensor(1.0), a).requires_grad_()
fx, fa = torch.autograd.grad(f(x, a), (x, a))
print(f"{x.item():.12f} {(-fa / fx).item():.12f}")
