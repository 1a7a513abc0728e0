# torch.autograd.functional: jacobian, hessian, vjp, jvp, hvp, vhp, with several inputs and create_graph.
import torch
from torch.autograd.functional import jacobian, hessian, vjp, jvp, hvp, vhp
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0])
y = torch.tensor([0.5, -1.0, 3.0])
f = lambda x: torch.stack([x[0] ** 2, x[0] * x[1], x[1].exp()])
print(jacobian(f, x))
two = lambda x, y: torch.outer(x, y).sum(0) * x[0]
Jx, Jy = jacobian(two, (x, y))
print(Jx, Jy, sep="\n")
print(jacobian(lambda m: m @ m, torch.tensor([[1.0, 2.0], [3.0, 4.0]])).shape)
scalar = lambda x, y: (x[0] * y).sum() ** 2 + x[1] * y.prod()
H = hessian(scalar, (x, y))
print(H[0][0], H[0][1], H[1][1], sep="\n")
print(torch.equal(H[0][1], H[1][0].T))

out, v = vjp(f, x, torch.tensor([1.0, 0.0, 2.0]))
print(out, v)
out, t = jvp(f, x, torch.tensor([1.0, -1.0]))
print(out, t)
print(vjp(lambda x: x.prod(), x))
print(vjp(two, (x, y), torch.ones(3)))
g = lambda x: x[0] ** 3 * x[1] ** 2
value, h = hvp(g, x, torch.tensor([1.0, 2.0]))
print(value, h)
value, h = vhp(g, x, torch.tensor([1.0, 2.0]))
print(value, h, torch.allclose(hessian(g, x) @ torch.tensor([1.0, 2.0]), h))

leaf = x.clone().requires_grad_()
J = jacobian(f, leaf, create_graph=True)
print(J.requires_grad)
J.diagonal().sum().backward()
print(leaf.grad)
print(jacobian(f, leaf).requires_grad, leaf.requires_grad)
print(jacobian(lambda x: torch.ones(2), x), jacobian(lambda x: x.sum(), x))
try:
    hessian(f, x)
except RuntimeError as e:
    print(type(e).__name__)
