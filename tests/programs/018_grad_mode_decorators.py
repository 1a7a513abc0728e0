# The grad modes as decorators of functions.
import torch
torch.set_default_dtype(torch.float64)


@torch.no_grad()
def update(params, lr):
    for p in params:
        p -= lr * p.grad
        p.grad = None
    return torch.is_grad_enabled()


@torch.no_grad()
def norm_of(p):
    return (p * p).sum().sqrt()


@torch.enable_grad()
def slope(f, at):
    t = torch.tensor(at, requires_grad=True)
    y = f(t)
    y.backward()
    return t.grad.item()


@torch.set_grad_enabled(False)
def frozen(p):
    return p * 2


w = torch.tensor([1.0, -2.0], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
for step in range(5):
    loss = ((w * torch.tensor([1.0, 3.0])).sum() + b - 4) ** 2
    loss.backward()
    mode = update([w, b], 0.02)
    print(step, f"{loss.item():.8f}", mode, torch.is_grad_enabled())
print(w, b)
print(norm_of(w), norm_of(w).requires_grad)
with torch.no_grad():
    print(f"{slope(torch.sin, 1.0):.10f}", torch.is_grad_enabled())
print(frozen(w).requires_grad, torch.is_grad_enabled())


@torch.no_grad()
def factorial(n):
    return torch.tensor(1.0) if n == 0 else factorial(n - 1) * n


print(factorial(6), torch.is_grad_enabled())
