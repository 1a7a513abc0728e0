# Matrix factorisation with missing entries, PCA as the top of eigh and as gradient ascent on the sphere, whitening.
import torch
torch.set_default_dtype(torch.float64)

R = torch.tensor([[5.0, 3.0, 0.0, 1.0], [4.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 5.0], [1.0, 0.0, 5.0, 4.0], [0.0, 1.0, 5.0, 4.0]])
known = R > 0
U = (0.5 + 0.1 * torch.sin(torch.arange(10.0))).reshape(5, 2).requires_grad_()
V = (0.5 + 0.1 * torch.cos(torch.arange(8.0))).reshape(4, 2).requires_grad_()
for it in range(401):
    error = (U @ V.T - R)[known]
    loss = error.square().sum() + 0.02 * (U.square().sum() + V.square().sum())
    gu, gv = torch.autograd.grad(loss, (U, V))
    with torch.no_grad():
        U -= 0.01 * gu
        V -= 0.01 * gv
    if it % 100 == 0:
        print(it, f"{loss.item():.6f}")
with torch.no_grad():
    P = U @ V.T
print(P, (P - R)[known].abs().max().item() < 0.6)

X = torch.tensor([[2.5, 2.4, 0.5], [0.5, 0.7, 1.0], [2.2, 2.9, -0.3], [1.9, 2.2, 0.1], [3.1, 3.0, 0.4], [2.3, 2.7, -0.2]])
C = X - X.mean(0)
S = C.T @ C / (len(X) - 1)
w, E = torch.linalg.eigh(S)
print(S, w, sep="\n")
d = torch.tensor([1.0, 0.0, 0.0], requires_grad=True)
for it in range(200):
    unit = d / d.norm()
    variance = unit @ S @ unit
    g, = torch.autograd.grad(variance, d)
    with torch.no_grad():
        d += 0.5 * g
        d /= d.norm()
print(f"{variance.item():.10f} {w[-1].item():.10f}", torch.allclose(d.abs(), E[:, -1].abs(), atol=1e-6))
print(f"explained {w[-1].item() / w.sum().item():.1%}", torch.allclose(w.sum(), S.trace()))
white = C @ E / w.sqrt()
print(torch.allclose(white.T @ white / 5, torch.eye(3)))
_, singular = None, torch.linalg.svdvals(C)
print(torch.allclose(singular ** 2 / 5, w.flip(0)))
corr = S / torch.outer(S.diagonal().sqrt(), S.diagonal().sqrt())
print(corr)
