# Checking gradients by central differences, written as one would: a report per parameter, a wrong rule that is caught.
import torch
torch.set_default_dtype(torch.float64)


def numerical(f, x, h=1e-6):
    g = torch.zeros_like(x)
    flat, out = x.detach().clone().view(-1), g.view(-1)
    for i in range(len(flat)):
        kept = flat[i].item()
        flat[i] = kept + h
        up = f(flat.view(x.shape)).item()
        flat[i] = kept - h
        down = f(flat.view(x.shape)).item()
        flat[i] = kept
        out[i] = (up - down) / (2 * h)
    return g


def check(name, f, x, tolerance=1e-6):
    x = x.detach().clone().requires_grad_()
    exact, = torch.autograd.grad(f(x), x)
    error = (exact - numerical(f, x)).abs().max() / exact.abs().max().clamp(min=1.0)
    verdict = "ok" if error < tolerance else "WRONG"
    print(f"{name:<16}{verdict}")
    return verdict == "ok"


a = torch.tensor([0.4, -1.3, 2.2])
M = torch.tensor([[2.0, 0.3, -0.1], [0.5, 1.5, 0.2], [-0.4, 0.1, 1.0]])
results = [
    check("polynomial", lambda x: (x ** 3 - 2 * x).sum(), a),
    check("trigonometric", lambda x: (x.sin() * x.cos().exp()).prod(), a),
    check("log-sum-exp", lambda x: torch.logsumexp(x, 0), a),
    check("softmax", lambda x: (x.softmax(0) * torch.tensor([1.0, 2.0, 3.0])).sum(), a),
    check("norm", lambda x: x.norm() ** 3, a),
    check("det", torch.linalg.det, M),
    check("inverse", lambda x: torch.linalg.inv(x).sum(), M),
    check("solve", lambda x: torch.linalg.solve(x, a).square().sum(), M),
    check("eigenvalue", lambda x: torch.linalg.eigh(x + x.T)[0][0], M),
    check("singular", lambda x: torch.linalg.svdvals(x).prod(), M),
    check("cumprod", lambda x: x.cumprod(1).sum(), M),
    check("sort", lambda x: x.sort(0).values[0].prod(), M),
    check("gather", lambda x: x[[0, 2, 2], [1, 1, 1]].pow(2).sum(), M),
    check("detached", lambda x: (x * x.detach()).sum(), a),
    check("variance", lambda x: x.var(0).prod() + x.std(), M),
    check("attention", lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x).sum(), M),
]
print(results.count(True), results.index(False), len(results))
# second order: the Hessian against differences of the gradient
f = lambda x: (x[0] * x[1].exp()).sin() + x[2] ** 4
H = torch.autograd.functional.hessian(f, a)
rows = torch.stack([numerical(lambda x: torch.func.grad(f)(x)[i], a) for i in range(3)])
print(torch.allclose(H, rows, atol=1e-6))
print(H)
