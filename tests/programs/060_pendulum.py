# A damped pendulum by symplectic Euler and by RK4; the end angle differentiated through every step; energy drift.
import math
import torch
torch.set_default_dtype(torch.float64)


def accelerate(angle, speed, g_over_l, damping):
    return -g_over_l * torch.sin(angle) - damping * speed


def euler(theta, omega, g_over_l, damping, dt, steps):
    for _ in range(steps):
        omega = omega + dt * accelerate(theta, omega, g_over_l, damping)
        theta = theta + dt * omega
    return theta, omega


def rk4(theta, omega, g_over_l, damping, dt, steps):
    f = lambda t, w: (w, accelerate(t, w, g_over_l, damping))
    for _ in range(steps):
        k1 = f(theta, omega)
        k2 = f(theta + dt / 2 * k1[0], omega + dt / 2 * k1[1])
        k3 = f(theta + dt / 2 * k2[0], omega + dt / 2 * k2[1])
        k4 = f(theta + dt * k3[0], omega + dt * k3[1])
        theta = theta + dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        omega = omega + dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return theta, omega


names = ["theta0", "omega0", "g/l", "damping"]
for method in (euler, rk4):
    start = [torch.tensor(v, requires_grad=True) for v in (1.0, 0.0, 9.81, 0.1)]
    theta, omega = method(*start, 0.01, 150)
    grads = torch.autograd.grad(theta, start)
    print(f"{theta.item():.9f} {omega.item():.9f}", {n: f"{g.item():.6f}" for n, g in zip(names, grads)})

start = [torch.tensor(v, requires_grad=True) for v in (0.01, 0.0, 9.81, 0.0)]
theta, omega = rk4(*start, 0.01, 100)
w = math.sqrt(9.81)
print(f"{theta.item():.8f}", abs(theta.item() - 0.01 * math.cos(w)) < 1e-6)
energy = lambda t, o: 0.5 * o ** 2 + 9.81 * (1 - torch.cos(t))
e0, e1 = energy(start[0], start[1]), energy(theta, omega)
print((e1 - e0).abs().item() < 1e-10)

# which damping brings it to 0.5 rad after one second and a half?
damping = torch.tensor(0.1, requires_grad=True)
for i in range(8):
    theta, _ = rk4(torch.tensor(1.0), torch.tensor(0.0), torch.tensor(9.81), damping, 0.05, 39)
    miss = theta - 0.7
    slope, = torch.autograd.grad(theta, damping)
    print(i, f"{damping.item():.8f} {miss.item():+.2e}" if abs(miss.item()) > 1e-9 else f"{damping.item():.8f} done")
    if abs(miss.item()) <= 1e-9:
        break
    damping = (damping - miss / slope).detach().requires_grad_()
