# Maximum likelihood: a gamma distribution by Newton, Fisher information, a Poisson regression, a t test of robustness.
import math
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.2, 0.7, 3.1, 2.2, 1.9, 0.4, 2.8, 1.1])


def nll(p):
    shape, rate = p.exp()
    return -(shape * rate.log() - torch.lgamma(shape) + (shape - 1) * x.log() - rate * x).sum()


p = torch.stack([x.mean() ** 2 / x.var(), x.mean() / x.var()]).log()
for it in range(20):
    g = torch.func.grad(nll)(p)
    H = torch.func.hessian(nll)(p)
    p = p - torch.linalg.solve(H, g)
    if g.norm() < 1e-10:
        break
print(it < 12, p.exp(), f"{nll(p).item():.10f}")
print(torch.linalg.inv(torch.func.hessian(nll)(p)).diagonal().sqrt())
shape, rate = p.exp()
print(torch.allclose(shape / rate, x.mean()), torch.allclose(shape.log() - torch.digamma(shape), x.mean().log() - x.log().mean()))

design = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0], [1.0, 4.0]])
counts = torch.tensor([2.0, 3.0, 6.0, 7.0, 14.0])
beta = torch.zeros(2, requires_grad=True)
for it in range(12):
    eta = design @ beta
    loss = (eta.exp() - counts * eta).sum()
    g, = torch.autograd.grad(loss, beta, create_graph=True)
    H = torch.stack([torch.autograd.grad(gi, beta, retain_graph=True)[0] for gi in g])
    with torch.no_grad():
        beta -= torch.linalg.solve(H, g)
print(beta, f"{loss.item():.10f}")
fitted = (design @ beta).exp().detach()
deviance = 2 * (torch.xlogy(counts, counts / fitted) - (counts - fitted)).sum()
print(fitted, f"{deviance.item():.8f}")

# a location by Student's t: the outlier's pull
data = torch.tensor([0.1, -0.3, 0.2, 0.05, 8.0], requires_grad=True)
for nu in (1.0, 4.0, math.inf):
    mu = torch.tensor(0.1, requires_grad=True)
    negative = lambda m: ((m - data) ** 2 / 2).sum() if nu == math.inf else ((nu + 1) / 2 * torch.log1p((m - data) ** 2 / nu)).sum()
    for _ in range(50):
        first, = torch.autograd.grad(negative(mu), mu, create_graph=True)
        second, = torch.autograd.grad(first, mu, retain_graph=True)
        mu = (mu - first / second).detach().requires_grad_()
    first, = torch.autograd.grad(negative(mu), mu, create_graph=True)
    d_mu, d_data = torch.autograd.grad(first, (mu, data))
    print(nu, f"{mu.item():.8f}", -d_data / d_mu)
