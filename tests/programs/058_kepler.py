# Kepler's equation M = E - e sin E, solved by iteration; position, speed, and how they answer to the eccentricity.
import math
import torch
torch.set_default_dtype(torch.float64)


def eccentric_anomaly(M, e):
    E = M + e * torch.sin(M)
    count = 0
    while True:
        step = (E - e * torch.sin(E) - M) / (1 - e * torch.cos(E))
        E = E - step
        count += 1
        if abs(step.item()) < 1e-13 or count == 30:
            return E, count


for m, ecc in [(0.5, 0.0), (0.5, 0.2), (2.0, 0.6), (3.0, 0.9), (5.5, 0.3)]:
    M = torch.tensor(m, requires_grad=True)
    e = torch.tensor(ecc, requires_grad=True)
    E, count = eccentric_anomaly(M, e)
    dM, de = torch.autograd.grad(E, (M, e))
    denominator = 1 - ecc * math.cos(E.item())
    print(f"{E.item():.10f} {dM.item():.10f} {de.item():.10f}",
          abs(dM.item() - 1 / denominator) < 1e-9, abs(de.item() - math.sin(E.item()) / denominator) < 1e-9)


def position(t, orbit):
    a, e, period = orbit["a"], orbit["e"], orbit["period"]
    E, _ = eccentric_anomaly(2 * math.pi * t / period, e)
    return torch.stack([a * (torch.cos(E) - e), a * torch.sqrt(1 - e ** 2) * torch.sin(E)])


orbit = {"a": torch.tensor(1.524, requires_grad=True), "e": torch.tensor(0.0934, requires_grad=True),
         "period": torch.tensor(1.881, requires_grad=True)}
t = torch.tensor(0.7, requires_grad=True)
r = position(t, orbit)
distance = r.norm()
print(r.detach(), f"{distance.item():.10f}")
distance.backward()
print({name: round(p.grad.item(), 8) for name, p in orbit.items()}, round(t.grad.item(), 8))
velocity = torch.autograd.functional.jacobian(lambda s: position(s, orbit), torch.tensor(0.7))
print(velocity)
# vis-viva: v^2 = mu (2/r - 1/a), mu = 4 pi^2 a^3 / T^2
mu = 4 * math.pi ** 2 * 1.524 ** 3 / 1.881 ** 2
print(abs(velocity.norm().item() ** 2 - mu * (2 / distance.item() - 1 / 1.524)) < 1e-9)
