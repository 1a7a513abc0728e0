# Forces as the negative gradient of an energy: a spring network at rest, three bodies by leapfrog, Lennard-Jones.
import torch
torch.set_default_dtype(torch.float64)

edges = torch.tensor([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]])
rest = torch.tensor([1.0, 1.0, 1.0, 1.0, 1.4])
k = torch.tensor([1.0, 2.0, 1.0, 2.0, 5.0], requires_grad=True)


def spring_energy(p, k):
    d = p[edges[:, 0]] - p[edges[:, 1]]
    return 0.5 * (k * (d.norm(dim=1) - rest) ** 2).sum() + 0.1 * p[:, 1].sum() + 0.5 * (p[0] ** 2).sum() * 50 + 25 * p[1, 1] ** 2


p = torch.tensor([[0.0, 0.0], [1.1, 0.1], [1.0, 1.2], [-0.1, 0.9]])
for it in range(60):
    g = torch.func.grad(spring_energy)(p, k.detach())
    H = torch.func.hessian(lambda q: spring_energy(q.reshape(4, 2), k.detach()))(p.flatten())
    step = torch.linalg.solve(H + 1e-9 * torch.eye(8), g.flatten()).reshape(4, 2)
    p = p - step.clamp(-0.2, 0.2)
    if g.norm() < 1e-12:
        break
print(it < 59, p[1:], p[0].abs().max() < 0.01)
force = -torch.func.grad(spring_energy)(p, k.detach())
print(force.abs().max().item() < 1e-9)
energy = spring_energy(p, k)
energy.backward()
print(f"{energy.item():.10f}", k.grad)

mass = torch.tensor([1.0, 0.5, 0.1])


def potential(r):
    d = r[:, None] - r[None]
    i, j = [0, 0, 1], [1, 2, 2]
    return -(mass[i] * mass[j] / (d[i, j] ** 2).sum(-1).sqrt()).sum()


r = torch.tensor([[0.0, 0.0], [1.5, 0.0], [0.0, 3.0]])
v = torch.tensor([[0.0, -0.2], [0.1, 0.7], [-0.5, 0.1]])
total = lambda r, v: 0.5 * (mass[:, None] * v ** 2).sum() + potential(r)
before = total(r, v)
accelerate = lambda r: -torch.func.grad(potential)(r) / mass[:, None]
for _ in range(100):
    v = v + 0.005 * accelerate(r)
    r = r + 0.01 * v
    v = v + 0.005 * accelerate(r)
print(r, v, sep="\n")
print(f"{before.item():.6f}", abs(total(r, v) - before) < 1e-4, torch.allclose((mass[:, None] * v).sum(0), torch.tensor([0.0, 0.16])))
lj = lambda s: 4 * (s ** -12 - s ** -6)
minimum = torch.tensor(2.0 ** (1 / 6))
print(torch.func.grad(lj)(minimum).abs() < 1e-12, torch.func.grad(torch.func.grad(lj))(minimum))
