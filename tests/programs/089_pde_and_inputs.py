# Derivatives with respect to inputs: a net's u_t, u_x, u_xx for the heat equation; Poisson by a finite-difference solve.
import math
import torch
torch.set_default_dtype(torch.float64)


def wave(n, k):
    return torch.sin(torch.arange(n) * 1.3 + k)


W1, b1, W2 = wave(16, 0.0).reshape(8, 2).requires_grad_(), wave(8, 1.0).requires_grad_(), (wave(8, 2.0) * 0.3).requires_grad_()


def u(x, t):
    return torch.tanh(torch.stack([x, t], dim=-1) @ W1.T + b1) @ W2


x = torch.linspace(0.1, 0.9, 5, requires_grad=True)
t = torch.full((5,), 0.2, requires_grad=True)
value = u(x, t)
u_x, u_t = torch.autograd.grad(value.sum(), (x, t), create_graph=True)
u_xx, = torch.autograd.grad(u_x.sum(), x, create_graph=True)
residual = u_t - 0.1 * u_xx
print(u_x.detach(), u_t.detach(), u_xx.detach(), sep="\n")
loss = (residual ** 2).mean()
loss.backward()
print(f"{loss.item():.10f}", W1.grad.norm(), b1.grad.norm(), W2.grad.norm())
h = 1e-4
with torch.no_grad():
    print(torch.allclose((u(x + h, t) - 2 * u(x, t) + u(x - h, t)) / h ** 2, u_xx, atol=1e-5))

exact = lambda x, t: torch.exp(-0.1 * math.pi ** 2 * t) * torch.sin(math.pi * x)
e = exact(x, t)
e_x, e_t = torch.autograd.grad(e.sum(), (x, t), create_graph=True)
e_xx, = torch.autograd.grad(e_x.sum(), x)
print(torch.allclose(e_t, 0.1 * e_xx))

# -(k u')' = 1 with u(0) = u(1) = 0: sensitivity of the middle to the conductivities
n = 7
k = torch.ones(n + 1, requires_grad=True)
A = torch.zeros(n, n)
for i in range(n):
    A[i, i] = k[i] + k[i + 1]
    if i > 0:
        A[i, i - 1] = -k[i]
    if i < n - 1:
        A[i, i + 1] = -k[i + 1]
step = 1 / (n + 1)
solution = torch.linalg.solve(A / step ** 2, torch.ones(n))
print(solution)
solution[n // 2].backward()
print(k.grad)
heat = torch.zeros(9)
heat[4] = 1.0
for _ in range(10):
    heat = torch.cat([heat[:1], heat[1:-1] + 0.25 * (heat[2:] - 2 * heat[1:-1] + heat[:-2]), heat[-1:]])
print(heat)
