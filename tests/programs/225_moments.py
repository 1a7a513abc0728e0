# Moments and cumulants as derivatives at 0.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

t = torch.tensor(0.0, requires_grad=True)
vals, probs = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([0.25, 0.5, 0.25])
M = (probs * torch.exp(t * vals)).sum()
K = M.log()
cum, g = [], K
for k in range(4):
    g, = torch.autograd.grad(g, t, create_graph=True)
    cum.append(g.item())
print([round(c, 10) for c in cum])
mean = (vals * probs).sum(); var = ((vals - mean) ** 2 * probs).sum()
print(mean, var)
mgf = lambda t: torch.exp(0.5 * t ** 2 * 4 + 3 * t)
d1 = torch.func.grad(mgf); d2 = torch.func.grad(d1); d3 = torch.func.grad(d2)
z = torch.tensor(0.0); print(d1(z), d2(z) - d1(z) ** 2, d3(z))
char = lambda w: (torch.cos(w * vals) * probs).sum()
print([round(char(torch.tensor(w)).item(), 6) for w in (0.0, 1.0, math.pi)])
