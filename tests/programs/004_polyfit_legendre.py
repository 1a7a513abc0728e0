# sin(x) by a + b P3(c + d x), P3 the Legendre polynomial of degree three; parameters in a dict, gradients zeroed in place.
import math
import torch
torch.set_default_dtype(torch.float64)


def legendre3(u):
    return 0.5 * (5 * u ** 3 - 3 * u)


x = torch.linspace(-math.pi, math.pi, 300)
y = torch.sin(x)
params = {name: torch.full((), value, requires_grad=True)
          for name, value in [("a", 0.0), ("b", -1.0), ("c", 0.0), ("d", 0.3)]}

for t in range(1, 501):
    y_pred = params["a"] + params["b"] * legendre3(params["c"] + params["d"] * x)
    loss = (y_pred - y).square().sum()
    if t % 100 == 0:
        print(f"{t:4d} {loss.item():10.4f}")
    loss.backward()
    with torch.no_grad():
        for name, p in params.items():
            p -= 5e-6 * p.grad
            p.grad.zero_()

print(" ".join(f"{name}={p.item():.4f}" for name, p in params.items() if abs(p.item()) > 1e-9))
print(params["b"], params["b"].grad)
print(sorted(params), all(p.is_leaf and p.requires_grad for p in params.values()))
