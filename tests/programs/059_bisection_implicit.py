# A root found by bisection has no useful graph; the implicit function theorem supplies the gradient.
import torch
torch.set_default_dtype(torch.float64)


def bisect(f, lo, hi, trips=60):
    assert f(lo) * f(hi) < 0, "no sign change"
    for _ in range(trips):
        mid = 0.5 * (lo + hi)
        if f(lo) * f(mid) <= 0:
            hi = mid
        else:
            lo = mid
    return 0.5 * (lo + hi)


def implicit_root(f, theta, lo, hi):
    """One Newton step from the root, taken on the graph: its value is the root, its gradient the implicit one."""
    with torch.no_grad():
        root = torch.tensor(bisect(lambda x: f(torch.tensor(x), theta).item(), lo, hi))
    x = root.clone().requires_grad_()
    slope, = torch.autograd.grad(f(x, theta.detach()), x)
    return root - f(root, theta) / slope


def exact(theta):
    return (theta[0] + theta[1]) ** (1 / 3)


f = lambda x, theta: x ** 3 - theta[0] - theta[1]
theta = torch.tensor([5.0, 3.0], requires_grad=True)
root = implicit_root(f, theta, 0.0, 10.0)
root.backward()
print(f"{root.item():.10f}", theta.grad, 1 / 12)

# internal rate of return: sensitivity to each payment
flows = torch.tensor([-100.0, 30.0, 40.0, 50.0], requires_grad=True)
npv = lambda r, c: sum(c[k] / (1 + r) ** k for k in range(len(c)))
irr = implicit_root(npv, flows, 0.0, 1.0)
irr.backward()
print(f"{irr.item():.10f}")
print(flows.grad)
with torch.no_grad():
    h = 1e-6
    for k in range(4):
        bumped = flows.clone()
        bumped[k] += h
        up = bisect(lambda r: npv(torch.tensor(r), bumped).item(), 0.0, 1.0)
        bumped[k] -= 2 * h
        down = bisect(lambda r: npv(torch.tensor(r), bumped).item(), 0.0, 1.0)
        print(k, abs((up - down) / (2 * h) - flows.grad[k].item()) < 1e-8)
try:
    bisect(lambda x: x * x + 1, -1.0, 1.0)
except AssertionError as e:
    print(type(e).__name__)
