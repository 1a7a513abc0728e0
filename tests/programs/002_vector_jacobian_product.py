# backward() of a vector needs the vector v of v^T J; the sum of the outputs is v = ones.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[1] ** 2 * x[2], x.sum()])
print(y)
y.backward(torch.tensor([1.0, 0.0, 0.0]), retain_graph=True)
print(x.grad)
x.grad.zero_()
y.backward(gradient=torch.tensor([0.0, 1.0, 0.5]), retain_graph=True)
print(x.grad)
x.grad = None

rows = []
for i in range(3):
    e = torch.zeros(3)
    e[i] = 1.0
    row, = torch.autograd.grad(y, x, e, retain_graph=True)
    rows.append(row)
J = torch.stack(rows)
print(J)
print(f"{J.det().item():.9f}")

v = torch.tensor([2.0, -1.0, 3.0])
vjp, = torch.autograd.grad(y, x, v, retain_graph=True)
print(vjp, torch.equal(vjp, v @ J))
y.sum().backward()
print(x.grad)
try:
    (x * 2).backward()
except RuntimeError as e:
    print(type(e).__name__)
(x * 2).backward(torch.ones_like(x))
print(x.grad)
