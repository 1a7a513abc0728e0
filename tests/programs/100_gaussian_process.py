# Gaussian process regression: the log marginal likelihood by Cholesky, its gradient in the kernel's parameters, predictions.
import math
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([0.0, 0.6, 1.1, 1.9, 2.4, 3.0])
y = torch.tensor([0.1, 0.5, 0.95, 0.9, 0.7, 0.2])


def kernel(a, b, log_scale, log_amplitude):
    d = (a[:, None] - b[None, :]) / log_scale.exp()
    return (2 * log_amplitude).exp() * torch.exp(-0.5 * d ** 2)


def log_marginal(log_scale, log_amplitude, log_noise):
    K = kernel(x, x, log_scale, log_amplitude) + (2 * log_noise).exp() * torch.eye(len(x))
    L = torch.linalg.cholesky(K)
    alpha = torch.linalg.solve(L.T, torch.linalg.solve(L, y))
    return -0.5 * y @ alpha - L.diagonal().log().sum() - 0.5 * len(x) * math.log(2 * math.pi)


params = [torch.tensor(v, requires_grad=True) for v in (0.0, 0.0, -1.5)]
value = log_marginal(*params)
value.backward()
print(f"{value.item():.10f}", *[f"{p.grad.item():.10f}" for p in params])

# the textbook gradient: tr((alpha alpha^T - K^-1) dK) / 2
with torch.no_grad():
    Kf = kernel(x, x, params[0], params[1])
    Kinv = torch.linalg.inv(Kf + (2 * params[2]).exp() * torch.eye(6))
    alpha = Kinv @ y
    inner = torch.outer(alpha, alpha) - Kinv
    d2 = (x[:, None] - x) ** 2
    print([f"{0.5 * (inner * dK).sum().item():.10f}" for dK in (Kf * d2, 2 * Kf, 2 * (2 * params[2]).exp() * torch.eye(6))])

for it in range(1, 121):
    for p in params:
        p.grad = None
    value = log_marginal(*params)
    (-value).backward()
    with torch.no_grad():
        for p in params:
            p -= 0.02 * p.grad
    if it % 40 == 0:
        print(it, f"{value.item():.8f}", *[f"{p.exp().item():.5f}" for p in params])

at = torch.tensor([0.3, 1.5, 4.0], requires_grad=True)
with torch.no_grad():
    K = kernel(x, x, params[0], params[1]) + (2 * params[2]).exp() * torch.eye(6)
cross = kernel(at, x, params[0].detach(), params[1].detach())
mean = cross @ torch.linalg.solve(K, y)
variance = (2 * params[1].detach()).exp() - (cross * torch.linalg.solve(K, cross.T).T).sum(1)
print(mean.detach(), variance.detach().sqrt())
slope, = torch.autograd.grad(mean.sum(), at)
print(slope)
