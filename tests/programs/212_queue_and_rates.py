# A queue with exponential arrivals and services.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(11)
arr = torch.cumsum(torch.empty(10).exponential_(1.0), 0)
srv = torch.empty(10).exponential_(1.2)
t = 0.0
waits = []
for a, s in zip(arr.tolist(), srv.tolist()):
    start = max(a, t)
    waits.append(start - a)
    t = start + s
print(arr)
print([f"{w:.4f}" for w in waits])
print(f"mean wait {sum(waits) / len(waits):.5f}, max {max(waits):.5f}, busy until {t:.5f}")
lam = torch.tensor(0.8, requires_grad=True)
rho = lam / 1.2
L = rho / (1 - rho)
L.backward()
print(f"L={L.item():.4f} dL/dlam={lam.grad.item():.4f}")
