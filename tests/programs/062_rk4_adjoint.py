# The adjoint method for an ODE against backpropagation through the same RK4 steps.
import torch
torch.set_default_dtype(torch.float64)

theta = torch.tensor([[-0.3, 1.2], [-1.1, -0.2]], requires_grad=True)


def field(y, theta):
    return theta @ torch.tanh(y)


def rk4_step(f, y, h):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(y, theta, h, n):
    path = [y]
    for _ in range(n):
        path.append(rk4_step(lambda s: field(s, theta), path[-1], h))
    return path


y0 = torch.tensor([1.0, -0.5], requires_grad=True)
n, h = 40, 0.05
path = solve(y0, theta, h, n)
loss = path[-1].square().sum()
loss.backward()
print(path[-1])
print(y0.grad, theta.grad, sep="\n")

# the discrete adjoint: one vector-Jacobian product per step, nothing kept but the states
states = [y.detach() for y in path]
lam, grad_theta = 2 * states[-1], torch.zeros(2, 2)
for y in reversed(states[:-1]):
    y = y.clone().requires_grad_()
    p = theta.detach().clone().requires_grad_()
    after = rk4_step(lambda s: field(s, p), y, h)
    lam, g = torch.autograd.grad(after, (y, p), grad_outputs=lam)
    grad_theta += g
print(torch.allclose(lam, y0.grad), torch.allclose(grad_theta, theta.grad))


# the continuous adjoint: integrate state and costate backwards in time
def backwards(z):
    y, a = z[:2], z[2:4]
    with torch.enable_grad():
        y = y.detach().requires_grad_()
        p = theta.detach().clone().requires_grad_()
        f = field(y, p)
        gy, gp = torch.autograd.grad(f, (y, p), a)
    return torch.cat([-f.detach(), gy, gp.flatten()])


with torch.no_grad():
    z = torch.cat([states[-1], 2 * states[-1], torch.zeros(4)])
    for _ in range(n):
        z = rk4_step(backwards, z, h)
print(torch.allclose(z[:2], states[0], atol=1e-5), torch.allclose(z[2:4], y0.grad, atol=1e-5))
print(torch.allclose(z[4:].reshape(2, 2), theta.grad, atol=1e-5))
