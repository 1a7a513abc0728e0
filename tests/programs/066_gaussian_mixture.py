# A mixture of Gaussians in one dimension: EM, the log-likelihood's gradient vanishing at its fixed point, and ascent.
import math
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([-2.1, -1.9, -1.6, -2.4, 0.9, 1.1, 1.4, 0.7, 1.2, 3.0])


def log_joint(weights, means, stds):
    z = (x[:, None] - means) / stds
    return weights.log() - stds.log() - 0.5 * z ** 2 - 0.5 * math.log(2 * math.pi)


def loglik(weights, means, stds):
    return torch.logsumexp(log_joint(weights, means, stds), dim=1).sum()


weights, means, stds = torch.tensor([0.5, 0.5]), torch.tensor([-1.0, 1.0]), torch.tensor([1.0, 1.0])
previous = -float("inf")
for it in range(200):
    joint = log_joint(weights, means, stds)
    value = joint.logsumexp(1).sum().item()
    assert value >= previous - 1e-9
    if it < 4:
        print(it, f"{value:.8f}", means)
    if value - previous < 1e-13:
        break
    previous = value
    resp = joint.softmax(dim=1)
    total = resp.sum(0)
    weights = total / len(x)
    means = (resp * x[:, None]).sum(0) / total
    stds = ((resp * (x[:, None] - means) ** 2).sum(0) / total).sqrt()
print(it < 199, f"{value:.10f}")
print(weights, means, stds)
print(resp.argmax(1), resp[-1] if abs(resp[-1, 0]) > 1e-3 else "sure")

params = [t.clone().requires_grad_() for t in (means, stds)]
grads = torch.autograd.grad(loglik(weights, *params), params)
print([g.abs().max().item() < 1e-5 for g in grads])

# the same by ascent on unconstrained parameters
logits = torch.zeros(2, requires_grad=True)
mu = torch.tensor([-1.0, 1.0], requires_grad=True)
log_std = torch.zeros(2, requires_grad=True)
for it in range(201):
    ll = loglik(logits.softmax(0), mu, log_std.exp())
    ll.backward()
    if it % 100 == 0:
        print(it, f"{ll.item():.8f}", mu.grad if it == 0 else mu.grad.norm().item() < 1e-3)
    with torch.no_grad():
        for p in (logits, mu, log_std):
            p += 0.01 * p.grad
            p.grad = None
print(mu, torch.allclose(mu, means, atol=1e-4))
