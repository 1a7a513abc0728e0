# Predators and prey: fitting a rate to observations through the integrator; Gauss-Newton with forward sensitivities.
import torch
torch.set_default_dtype(torch.float64)


def simulate(rates, start, dt, steps, every):
    alpha, beta, delta, gamma = rates
    prey, pred = start
    seen = []
    for k in range(1, steps + 1):
        # a midpoint step
        dp, dq = prey * (alpha - beta * pred), pred * (delta * prey - gamma)
        mp, mq = prey + dt / 2 * dp, pred + dt / 2 * dq
        prey = prey + dt * mp * (alpha - beta * mq)
        pred = pred + dt * mq * (delta * mp - gamma)
        if k % every == 0:
            seen.append(torch.stack([prey, pred]))
    return torch.stack(seen)


start = (torch.tensor(10.0), torch.tensor(5.0))
true = torch.tensor([1.1, 0.4, 0.1, 0.4])
with torch.no_grad():
    data = simulate(true, start, 0.05, 60, 12)
print(data)

rates = torch.tensor([1.0, 0.35, 0.12, 0.5], requires_grad=True)
loss = (simulate(rates, start, 0.05, 60, 12) - data).square().mean()
loss.backward()
print(f"{loss.item():.8f}", rates.grad)

residual = lambda r: (simulate(r, start, 0.05, 60, 12) - data).flatten()
r = rates.detach()
for i in range(7):
    e = residual(r)
    J = torch.func.jacfwd(residual)(r)
    if i == 0:
        print(torch.allclose(J, torch.func.jacrev(residual)(r)), torch.allclose(2 * J.T @ e / len(e), rates.grad))
    r = r - torch.linalg.solve(J.T @ J, J.T @ e)
    print(i, f"{e.norm().item():.6f}" if e.norm() > 1e-6 else "small", r)

# a quantity that the continuous system conserves
start = (torch.tensor(10.0, requires_grad=True), torch.tensor(5.0, requires_grad=True))
invariant = lambda x, y: true[2] * x - true[3] * x.log() + true[1] * y - true[0] * y.log()
end = simulate(true, start, 0.01, 100, 100)[0]
v0, v1 = invariant(*start), invariant(*end)
print(f"{v0.item():.6f} {v1.item():.6f}")
g0 = torch.autograd.grad(v0, start)
g1 = torch.autograd.grad(v1, start)
print(*[f"{a.item():.3f} {b.item():.3f}" for a, b in zip(g0, g1)])
