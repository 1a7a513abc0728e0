# The projection onto the simplex by sorting, and projected gradient descent.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

def proj(v):
    u, _ = torch.sort(v, descending=True)
    css = torch.cumsum(u, 0) - 1
    k = torch.arange(1, len(v) + 1)
    rho = (u - css / k > 0).sum()
    return (v - css[rho - 1] / rho).clamp(min=0)
v = torch.tensor([0.5, 1.2, -0.3, 0.8], requires_grad=True)
p = proj(v)
print(p, p.sum())
(p * torch.tensor([1., 2., 3., 4.])).sum().backward()
print(v.grad)
target = torch.tensor([0.1, 0.2, 0.3, 0.4])
z = torch.full((4,), 0.25)
for i in range(25):
    g = torch.func.grad(lambda q: ((q - target) ** 2).sum())(z)
    z = proj(z - 0.3 * g)
print(z)
