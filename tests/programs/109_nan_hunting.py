# Where a nan begins: detect_anomaly, hooks that look, isfinite on every step, and three cures.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
y = (x.sqrt() * 0).sum()
y.backward()
print(y.detach(), x.grad)

torch.autograd.set_detect_anomaly(True)
x.grad = None
try:
    (x.sqrt() * 0).sum().backward()
except RuntimeError as e:
    print("anomaly", type(e).__name__)
torch.autograd.set_detect_anomaly(False)
x.grad = None
(x.sqrt() * 0).sum().backward()
print(x.grad.isnan())


def watched(f, x):
    trail = []
    u = x
    for name, step in f:
        u = step(u)
        if not u.isfinite().all():
            trail.append("value " + name)
        u.register_hook(lambda g, name=name: trail.append("gradient " + name) if not g.isfinite().all() else None)
    u.sum().backward()
    return trail


steps = [("shift", lambda t: t - 1), ("log", lambda t: t.log()), ("clamp", lambda t: t.clamp(min=-5.0)), ("scale", lambda t: t * 2)]
p = torch.tensor([1.0, 2.0], requires_grad=True)
print(watched(steps, p), p.grad)
q = torch.tensor([0.5, 3.0], requires_grad=True)
print(watched(steps, q), q.grad)

# softmax with everything masked, standard deviation of equal numbers, norm of nothing
m = torch.full((2,), -float("inf"), requires_grad=True)
print(m.softmax(0))
s = torch.tensor([2.0, 2.0, 2.0], requires_grad=True)
s.std().backward()
print(s.grad)
s.grad = None
(s.var() + 1e-12).sqrt().backward()
print(s.grad)
n = torch.zeros(3, requires_grad=True)
(n ** 2).sum().sqrt().backward()
print(n.grad)
n.grad = None
n.norm().backward()
print(n.grad)
z = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
torch.where(z > 0, torch.log(torch.where(z > 0, z, 1.0)), 0.0).sum().backward()
print(z.grad)
big = torch.tensor(1000.0, requires_grad=True)
naive, stable = torch.log(1 + torch.exp(big)), torch.nn.functional.softplus(big)
print(naive.item(), stable.item(), *[torch.autograd.grad(f, big)[0].item() for f in (naive, stable)])
print(torch.tensor([float("nan"), 1.0]).nan_to_num(0.5), float("nan") == float("nan"), torch.tensor(float("nan")) != torch.tensor(float("nan")))
