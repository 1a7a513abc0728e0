# torch.autograd.grad: several outputs and inputs, unused ones, grad_outputs, and that .grad stays untouched.
import torch
torch.set_default_dtype(torch.float64)

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, -1.0], requires_grad=True)
c = torch.tensor(5.0, requires_grad=True)

ga, gb = torch.autograd.grad((a * b).sum(), [a, b])
print(ga, gb, a.grad)
try:
    torch.autograd.grad((a * b).sum(), (a, c))
except RuntimeError as e:
    print(type(e).__name__)
print(torch.autograd.grad((a * b).sum(), (a, c), allow_unused=True))
print(torch.autograd.grad((a * b).sum(), (a, c), allow_unused=True, materialize_grads=True))

u, v = a * b, a + c
print(torch.autograd.grad((u, v), (a, b, c), grad_outputs=(torch.tensor([1.0, 10.0]), torch.ones(2))))
print(torch.autograd.grad([(a * c).sum(), b.prod()], [a, b, c], grad_outputs=[torch.tensor(2.0), None]))
try:
    torch.autograd.grad(a * b, a)
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.autograd.grad(a * b, a, grad_outputs=torch.ones(3))
except RuntimeError as e:
    print(type(e).__name__)

# with respect to a value in the middle
h = a * 2
s = (h ** 3).sum()
gh, = torch.autograd.grad(s, h, retain_graph=True)
print(gh, h.is_leaf)
print(torch.autograd.grad(s, [a, h], retain_graph=True))
try:
    torch.autograd.grad(s, h.detach())
except RuntimeError as e:
    print(type(e).__name__)
print(torch.autograd.grad(s, h.clone(), allow_unused=True, retain_graph=True))

# backward(inputs=...) accumulates only there
t = (a * b * c).sum()
t.backward(inputs=[b])
print(a.grad, b.grad, c.grad)
g, = torch.autograd.grad((a ** 2).sum(), a, create_graph=False)
print(g.requires_grad, g.grad_fn)
