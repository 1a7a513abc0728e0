# A fixed point z = tanh(W z + U x + b): unrolled gradients, implicit gradients, and a hook that solves the adjoint.
import torch
torch.set_default_dtype(torch.float64)

W = torch.tensor([[0.3, -0.2, 0.1], [0.2, 0.1, -0.3], [-0.1, 0.25, 0.2]], requires_grad=True)
U = torch.tensor([[0.5, 1.0], [-0.7, 0.2], [0.3, -0.4]], requires_grad=True)
x = torch.tensor([1.0, -0.5], requires_grad=True)
c = torch.tensor([1.0, 2.0, -1.0])
f = lambda z, x: torch.tanh(W @ z + U @ x)


def fixed_point(g, z, tolerance=1e-14):
    for count in range(500):
        new = g(z)
        if (new - z).norm() < tolerance:
            return new
        z = new
    raise RuntimeError("no fixed point")


def unrolled(x):
    z = torch.zeros(3)
    for _ in range(80):
        z = f(z, x)
    return z


def implicit(x):
    with torch.no_grad():
        z = fixed_point(lambda z: f(z, x), torch.zeros(3))
    z = f(z, x)
    z0 = z.clone().detach().requires_grad_()
    f0 = f(z0, x)
    z.register_hook(lambda g: fixed_point(lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + g, g))
    return z


results = []
for solver in (unrolled, implicit):
    for t in (W, U, x):
        t.grad = None
    z = solver(x)
    (c @ z).backward()
    results.append([t.grad for t in (W, U, x)])
    print(z.detach(), x.grad)
print([torch.allclose(a, b) for a, b in zip(*results)])
z = unrolled(x).detach()
J = torch.autograd.functional.jacobian(lambda z: f(z, x), z)
adjoint = torch.linalg.solve(torch.eye(3) - J.T, c)
by_hand = ((1 - z ** 2) * adjoint) @ U
print(torch.allclose(by_hand, x.grad), W.grad)
try:
    fixed_point(lambda z: 2 * z + 1, torch.ones(2))
except RuntimeError as e:
    print(e)
