# The gradient of a product is the product of the others, also where some factors are zero.
import torch
torch.set_default_dtype(torch.float64)

for values in ([2.0, 3.0, 4.0], [2.0, 0.0, 4.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0], [-1.0, 0.5, 2.0], [5.0]):
    x = torch.tensor(values, requires_grad=True)
    p = x.prod()
    p.backward()
    others = [torch.tensor(values[:i] + values[i + 1:]).prod().item() for i in range(len(values))]
    print(p.item(), x.grad, x.grad.tolist() == others)

m = torch.tensor([[1.0, 2.0, 0.0], [3.0, 0.0, 0.0]], requires_grad=True)
print(m.prod(dim=0), m.prod(1, keepdim=True))
m.prod(0).sum().backward()
print(m.grad)
m.grad = None
m.prod(1).sum().backward()
print(m.grad)

for values in ([2.0, 3.0, 4.0], [2.0, 0.0, 4.0, 5.0], [0.0, 1.0, 0.0, 2.0]):
    c = torch.tensor(values, requires_grad=True)
    out = c.cumprod(0)
    out.backward(torch.arange(1.0, len(values) + 1))
    print(out.detach(), c.grad)

z = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
g, = torch.autograd.grad(z.prod(), z, create_graph=True)
print(g.detach(), g.requires_grad)
h, = torch.autograd.grad(g.sum(), z)
print(h)
print(torch.tensor([2, 3, 4]).prod(), torch.zeros(0).prod())
print(torch.autograd.functional.hessian(lambda t: t.prod(), torch.tensor([0.0, 2.0, 5.0])))
