# Leapfrog steps with func.grad, accepted or refused by draws.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(10)
Sigma = torch.tensor([[1.0, 0.8], [0.8, 1.0]])
P = torch.linalg.inv(Sigma)
U = lambda q: 0.5 * q @ P @ q
gU = torch.func.grad(U)
q = torch.tensor([1.0, -1.0])
samples, acc = [], 0
for it in range(60):
    p = torch.randn(2)
    q1, p1 = q.clone(), p.clone()
    p1 -= 0.5 * 0.2 * gU(q1)
    for l in range(10):
        q1 += 0.2 * p1
        if l != 9: p1 -= 0.2 * gU(q1)
    p1 -= 0.5 * 0.2 * gU(q1)
    dH = U(q1) + 0.5 * p1 @ p1 - U(q) - 0.5 * p @ p
    if torch.rand(1) < torch.exp(-dH):
        q, acc = q1, acc + 1
    samples.append(q)
S = torch.stack(samples)
print("accepted", acc, "of", len(samples))
print("mean", S.mean(0))
