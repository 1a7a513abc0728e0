# Norms, distances and their gradients, with the conventions at zero.
import torch
torch.set_default_dtype(torch.float64)


def show(label, f, values):
    x = torch.tensor(values, requires_grad=True)
    y = f(x)
    y.sum().backward()
    print(f"{label:<14}", y.tolist(), x.grad)


for values in ([3.0, -4.0], [0.0, 0.0]):
    show("norm", lambda x: x.norm(), values)
    show("norm p=1", lambda x: x.norm(p=1), values)
    show("norm p=3", lambda x: x.norm(p=3), values)
    show("norm inf", lambda x: torch.linalg.vector_norm(x, ord=float("inf")), values)
    show("sum of squares", lambda x: (x ** 2).sum(), values)
show("by hand", lambda x: (x ** 2).sum().sqrt(), [3.0, -4.0])
show("p=0", lambda x: torch.linalg.vector_norm(x, 0), [3.0, 0.0])
show("-inf", lambda x: torch.linalg.vector_norm(x, -float("inf")), [3.0, -4.0])
show("dist", lambda x: torch.dist(x, torch.tensor([1.0, 1.0])), [1.0, 1.0])
show("dist", lambda x: torch.dist(x, torch.tensor([1.0, 1.0])), [4.0, 5.0])
show("dim", lambda x: x.norm(dim=1), [[3.0, 4.0], [0.0, 0.0], [0.0, -2.0]])
show("keepdim", lambda x: x.norm(dim=0, keepdim=True), [[3.0, 0.0], [4.0, 0.0]])
show("fro", lambda x: torch.linalg.matrix_norm(x), [[1.0, 2.0], [2.0, 4.0]])
show("nuc diag", lambda x: torch.linalg.matrix_norm(torch.diag(x), ord="nuc"), [2.0, 3.0])
show("1-norm", lambda x: torch.linalg.matrix_norm(x, ord=1), [[1.0, -5.0], [2.0, 3.0]])
show("inf-norm", lambda x: torch.linalg.matrix_norm(x, ord=float("inf")), [[1.0, -5.0], [2.0, 3.0]])
show("hypot", lambda x: torch.hypot(x[0], x[1]), [5.0, 12.0])

# unit vectors
d = torch.tensor([2.0, 3.0, 6.0], requires_grad=True)
unit = d / d.norm()
print(unit, f"{unit.norm().item():.6f}")
unit[0].backward()
print(d.grad, torch.allclose(d.grad @ d.detach(), torch.tensor(0.0)))
print((d / torch.linalg.norm(d)).detach())
