# Sums whose last digits show: whether probabilities add to 1. or 1.0000, and what is left where nothing should be.
import torch
torch.set_default_dtype(torch.float64)

torch.manual_seed(0)
for n in (3, 5, 7, 8, 9, 16, 20, 33, 50):
    w = torch.rand(n)
    p = w / w.sum()
    print(n, p.sum(), (p.sum() - 1).item(), p.mean() * n, (w - w.mean()).sum().item())
P = torch.rand(6, 5)
P = P / P.sum(1, keepdim=True)
print(P.sum(1), P.sum(0).sum(), P.T.sum(0))
print((P.sum(1) - 1).tolist())
C = P - P.mean(0)
print(C.sum(0), C.sum(), sep="\n")
B = torch.rand(2, 9, 3)
B = B / B.sum((1, 2), keepdim=True)
print(B.sum((1, 2)), B.sum(1).sum(1), B.sum(2).sum(1), B.sum())
x = torch.tensor([0.1] * 10, requires_grad=True)
print(x.sum().item(), x.mean().item(), sum(x).item(), sum([0.1] * 10))
