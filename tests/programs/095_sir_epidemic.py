# An SIR epidemic fitted to counts by Adam through the simulation; the peak's sensitivity; R0 with error bars.
import torch
torch.set_default_dtype(torch.float64)

counts = torch.tensor([3.0, 8.0, 22.0, 55.0, 120.0, 190.0, 195.0, 140.0, 85.0, 45.0])
population = 1000.0


def simulate(log_beta, log_gamma, log_i0, days=10, substeps=4):
    beta, gamma, i = log_beta.exp(), log_gamma.exp(), log_i0.exp()
    s, r = population - i, torch.zeros(())
    dt, infected = 1.0 / substeps, []
    for _ in range(days):
        for _ in range(substeps):
            new, gone = beta * s * i / population, gamma * i
            s, i, r = s - dt * new, i + dt * (new - gone), r + dt * gone
        infected.append(i)
    return torch.stack(infected), s, r


params = {"log_beta": 0.5, "log_gamma": -0.5, "log_i0": 0.5}
params = {name: torch.tensor(v, requires_grad=True) for name, v in params.items()}
state = {name: [0.0, 0.0] for name in params}


def loss(p):
    infected, *_ = simulate(**p)
    return ((infected.sqrt() - counts.sqrt()) ** 2).sum()


for it in range(1, 101):
    value = loss(params)
    grads = torch.autograd.grad(value, list(params.values()))
    with torch.no_grad():
        for (name, p), g in zip(params.items(), grads):
            m, v = state[name]
            m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g ** 2
            state[name] = [m, v]
            p -= 0.05 * (m / (1 - 0.9 ** it)) / ((v / (1 - 0.99 ** it)).sqrt() + 1e-8)
    if it % 25 == 0:
        print(it, f"{value.item():.5f}", *[f"{p.item():.4f}" for p in params.values()])
infected, s, r = simulate(**params)
print(infected.detach())
print(torch.allclose(s + infected[-1] + r, torch.tensor(population)), infected.argmax())
peak = infected.max()
print(f"{peak.item():.3f}", [f"{g.item():.2f}" for g in torch.autograd.grad(peak, list(params.values()))])
theta = torch.stack(list(params.values())).detach()
H = torch.func.hessian(lambda t: loss(dict(zip(params, t))))(theta)
cov = torch.linalg.inv(H / 2) * loss(params).detach() / 7
r0 = lambda t: (t[0] - t[1]).exp()
g = torch.func.grad(r0)(theta)
print(f"R0 {r0(theta).item():.4f} +- {(g @ cov @ g).sqrt().item():.4f}")
