# A variational bound with fixed noise: the reparameterised gradient against the closed form; KL of Gaussians.
import math
import torch
torch.set_default_dtype(torch.float64)

data = torch.tensor([1.2, 0.7, 1.9, 1.4])
noise = torch.tensor([-1.5, -0.8, -0.3, 0.0, 0.3, 0.8, 1.5])
noise = noise / noise.square().mean().sqrt()
mu = torch.tensor(0.0, requires_grad=True)
rho = torch.tensor(-0.5, requires_grad=True)


def log_normal(x, mean, std):
    return -0.5 * ((x - mean) / std) ** 2 - math.log(2 * math.pi) / 2 - torch.log(std)


def elbo():
    std = torch.nn.functional.softplus(rho)
    z = mu + std * noise
    one = torch.ones(())
    log_joint = log_normal(data[:, None], z, 0.8 * one).sum(0) + log_normal(z, 0.0, 2.0 * one)
    return (log_joint - log_normal(z, mu, std)).mean()


def closed_form():
    std = torch.nn.functional.softplus(rho)
    expected = (-0.5 * ((data - mu) ** 2 + std ** 2) / 0.64 - math.log(2 * math.pi) / 2 - math.log(0.8)).sum()
    kl = 0.5 * ((mu ** 2 + std ** 2) / 4 - 1) + math.log(2.0) - std.log()
    return expected - kl


for f in (elbo, closed_form):
    value = f()
    g = torch.autograd.grad(value, (mu, rho))
    print(f"{value.item():.10f}", *[f"{t.item():.10f}" for t in g])
for step in range(100):
    loss = -elbo()
    loss.backward()
    with torch.no_grad():
        mu -= 0.05 * mu.grad
        rho -= 0.05 * rho.grad
        mu.grad.zero_(), rho.grad.zero_()
precision = 1 / 4 + len(data) / 0.64
exact_mean, exact_std = (data.sum() / 0.64) / precision, precision ** -0.5
print(f"{mu.item():.6f} {exact_mean.item():.6f} {torch.nn.functional.softplus(rho).item():.4f} {exact_std:.4f}")

# score-function estimator of the same gradient: grad log q times the detached integrand
std = torch.nn.functional.softplus(rho)
z = (mu + std * noise).detach()
logq = log_normal(z, mu, std)
weight = (log_normal(data[:, None], z, torch.tensor(0.8)).sum(0) + log_normal(z, 0.0, torch.tensor(2.0)) - logq).detach()
score = (logq * (weight - weight.mean())).mean()
print(*[f"{g.abs().item():.6f}" for g in torch.autograd.grad(score, (mu, rho))])


def kl_gauss(m1, S1, m2, S2):
    inv = torch.linalg.inv(S2)
    d = m2 - m1
    return 0.5 * ((inv @ S1).trace() + d @ inv @ d - len(m1) + torch.linalg.slogdet(S2)[1] - torch.linalg.slogdet(S1)[1])


m = torch.tensor([0.5, -0.5], requires_grad=True)
S = torch.tensor([[1.0, 0.2], [0.2, 0.5]], requires_grad=True)
kl = kl_gauss(m, S, torch.zeros(2), torch.eye(2))
kl.backward()
print(kl, m.grad, S.grad)
