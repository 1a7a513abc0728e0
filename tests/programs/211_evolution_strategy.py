# An evolution strategy that adapts its covariance through cholesky.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(29)
f = lambda z: (z ** 2 * torch.tensor([1., 10.])).sum(-1)
m, C, s = torch.tensor([3., 2.]), torch.eye(2), 0.5
for g in range(20):
    L = torch.linalg.cholesky(C)
    z = torch.randn(8, 2)
    X = m + s * z @ L.T
    idx = f(X).argsort()[:4]
    w = torch.log(torch.tensor(4.5)) - torch.log(torch.arange(1., 5.)); w = w / w.sum()
    y = (X[idx] - m) / s
    m = m + s * (w @ y)
    C = 0.7 * C + 0.3 * (y.T * w) @ y
    if g % 5 == 4: print(g + 1, f(m), C.diag(), s)
    s *= 0.95
print(m, torch.linalg.eigvalsh(C))
