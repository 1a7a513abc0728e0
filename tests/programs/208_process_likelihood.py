# The likelihood of a Gaussian process by cholesky, its gradient and Hessian in the raw parameters.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(0)
X = torch.linspace(0, 5, 12)
y = torch.sin(X) + 0.1 * torch.randn(12)
raw = torch.zeros(3, requires_grad=True)
def nlml(raw):
    ls, sf, sn = F.softplus(raw)
    K = sf ** 2 * torch.exp(-0.5 * (X[:, None] - X[None, :]) ** 2 / ls ** 2) + sn ** 2 * torch.eye(12)
    L = torch.linalg.cholesky(K)
    a = torch.cholesky_solve(y[:, None], L)
    return 0.5 * y @ a.squeeze(1) + L.diagonal().log().sum() + 6 * math.log(2 * math.pi)
for i in range(40):
    loss = nlml(raw)
    g, = torch.autograd.grad(loss, raw)
    with torch.no_grad(): raw -= 0.02 * g
    if i % 10 == 0: print(f"{i:>3} {loss:.6f} |g| {g.norm():.4f}")
print(F.softplus(raw))
H = torch.autograd.functional.hessian(nlml, raw.detach())
print(H)
print(torch.linalg.eigvalsh(H) > 0)
