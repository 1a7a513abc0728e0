# Equations of motion from a Lagrangian by differentiation alone: pendulum and double pendulum; a Hamiltonian's flow.
import torch
from torch.func import grad, hessian, jacrev
torch.set_default_dtype(torch.float64)

g = 9.81


def acceleration(L, q, v):
    """M a = dL/dq - (d2L/dv dq) v"""
    M = hessian(lambda v: L(q, v))(v)
    mixed = jacrev(lambda q: grad(lambda v: L(q, v))(v))(q)
    return torch.linalg.solve(M, grad(lambda q: L(q, v))(q) - mixed @ v)


def pendulum(q, v, l=2.0, m=1.5):
    return 0.5 * m * (l * v[0]) ** 2 + m * g * l * torch.cos(q[0])


q, v = torch.tensor([0.7]), torch.tensor([0.3])
print(acceleration(pendulum, q, v), -g / 2 * torch.sin(q))


def double(q, v, m1=1.0, m2=0.5, l1=1.0, l2=0.8):
    kinetic = 0.5 * (m1 + m2) * (l1 * v[0]) ** 2 + 0.5 * m2 * (l2 * v[1]) ** 2 + m2 * l1 * l2 * v[0] * v[1] * torch.cos(q[0] - q[1])
    potential = -(m1 + m2) * g * l1 * torch.cos(q[0]) - m2 * g * l2 * torch.cos(q[1])
    return kinetic - potential


q, v = torch.tensor([1.0, 0.5]), torch.tensor([0.2, -0.4])
a = acceleration(double, q, v)
print(a)
energy = lambda q, v: grad(lambda v: double(q, v))(v) @ v - double(q, v)
e0 = energy(q, v)
dt = 0.01
for k in range(50):
    a1 = acceleration(double, q, v)
    qm, vm = q + dt / 2 * v, v + dt / 2 * a1
    q, v = q + dt * vm, v + dt * acceleration(double, qm, vm)
print(q, v)
print(f"{e0.item():.8f} {energy(q, v).item():.4f}")

H = lambda q, p: 0.5 * p ** 2 + 0.25 * q ** 4
q, p = torch.tensor(1.0, requires_grad=True), torch.tensor(0.0, requires_grad=True)
q0, p0 = q, p
for k in range(60):
    p = p - 0.05 * grad(H, argnums=0)(q, p)
    q = q + 0.05 * grad(H, argnums=1)(q, p)
rows = [torch.autograd.grad(out, (q0, p0), retain_graph=True) for out in (q, p)]
J = torch.stack([torch.stack(r) for r in rows])
print(q.detach(), p.detach())
print(J)
print(torch.allclose(torch.linalg.det(J), torch.tensor(1.0)))
