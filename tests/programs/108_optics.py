# Snell's law from Fermat's principle; a ray through a thick lens, its focal length, and how it answers to the radii.
import math
import torch
torch.set_default_dtype(torch.float64)

n1, n2 = 1.0, 1.5
source, target = (0.0, 1.0), (2.0, -1.5)


def travel_time(x):
    return n1 * torch.hypot(x - source[0], torch.tensor(source[1])) + n2 * torch.hypot(target[0] - x, torch.tensor(target[1]))


x = torch.tensor(1.0, requires_grad=True)
for it in range(20):
    first, = torch.autograd.grad(travel_time(x), x, create_graph=True)
    second, = torch.autograd.grad(first, x)
    if first.abs() < 1e-14:
        break
    x = (x - first.detach() / second).detach().requires_grad_()
sin1 = (x - source[0]) / torch.hypot(x - source[0], torch.tensor(source[1]))
sin2 = (target[0] - x) / torch.hypot(target[0] - x, torch.tensor(target[1]))
print(f"{x.item():.10f} {n1 * sin1.item():.10f} {n2 * sin2.item():.10f}")


def refract(d, normal, ratio):
    c = -(d @ normal)
    return ratio * d + (ratio * c - torch.sqrt(1 - ratio ** 2 * (1 - c ** 2))) * normal


def meet(p, d, centre, radius, far):
    b = d @ (p - centre)
    root = torch.sqrt(b ** 2 - (p - centre) @ (p - centre) + radius ** 2)
    return p + (-b + root if far else -b - root) * d


def crossing(height, lens):
    """Where a ray parallel to the axis crosses it behind the lens, as measured from its middle."""
    index, r1, r2, thickness = lens
    zero = torch.zeros(())
    p = torch.stack([torch.tensor(-10.0), height])
    d = torch.tensor([1.0, 0.0])
    c1 = torch.stack([r1 - thickness / 2, zero])
    p = meet(p, d, c1, r1, far=False)
    d = refract(d, (p - c1) / r1, 1 / index)
    c2 = torch.stack([thickness / 2 - r2, zero])
    p = meet(p, d, c2, r2, far=True)
    d = refract(d, (c2 - p) / r2, index)
    return p[0] - p[1] * d[0] / d[1]


lens = torch.tensor([1.5, 5.0, 4.0, 0.4], requires_grad=True)
for height in (0.01, 0.5, 1.0):
    f = crossing(torch.tensor(height), lens)
    g, = torch.autograd.grad(f, lens)
    print(height, f"{f.item():.8f}", [f"{v:.6f}" for v in g.tolist()])
power = (1.5 - 1) * (1 / 5 + 1 / 4 - 0.5 * 0.4 / (1.5 * 5 * 4))
back_focus = 1 / power * (1 - 0.5 * 0.4 / (1.5 * 5))
print(abs(crossing(torch.tensor(1e-4), lens).item() - 0.2 - back_focus) < 1e-6)
h = torch.tensor(0.6, requires_grad=True)
aberration, = torch.autograd.grad(crossing(h, lens), h)
print(f"{aberration.item():.8f}", math.copysign(1, aberration.item()))
