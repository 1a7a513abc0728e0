# Second derivatives: create_graph in backward() and in torch.autograd.grad, and a penalty on the gradient.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
print(g)
g2, = torch.autograd.grad(g, x, create_graph=True)
print(g2)
g3, = torch.autograd.grad(g2, x, create_graph=True)
print(g3)
g4, = torch.autograd.grad(g3, x, allow_unused=True)
print(g4)

# backward(create_graph=True) leaves a .grad that has a graph of its own
z = x.sin() * x
z.backward(create_graph=True)
first = x.grad
print(first.requires_grad, first.detach())
x.grad = None
first.backward()
print(x.grad, torch.allclose(x.grad, 2 * x.cos() - x * x.sin()))

# gradient penalty
w = torch.tensor([0.5, -0.25, 1.0], requires_grad=True)
inp = torch.tensor([[1.0, 2.0, -1.0], [0.5, 0.0, 2.0]], requires_grad=True)
out = torch.tanh(inp @ w)
g_inp, = torch.autograd.grad(out.sum(), inp, create_graph=True)
penalty = ((g_inp.norm(dim=1) - 1) ** 2).mean()
print(penalty)
penalty.backward()
print(w.grad)
print(inp.grad)

# Hessian row by row
p = torch.tensor([1.0, 2.0], requires_grad=True)
f = p[0] ** 2 * p[1] + (p[0] * p[1]).exp() / 10
grad, = torch.autograd.grad(f, p, create_graph=True)
H = torch.stack([torch.autograd.grad(grad[i], p, retain_graph=True)[0] for i in range(2)])
print(H)
print(torch.allclose(H, H.T))
