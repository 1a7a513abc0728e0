# Assignment into parts of a tensor, and the gradient of what was overwritten and of what came in.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True)
y = x.clone()
y[1:3] = 0.0
y[-1] = x[0] * x[1]
print(y)
y.sum().backward()
print(x.grad)

x.grad = None
buf = torch.zeros(3, 2)
for i in range(3):
    buf[i, 0] = x[i] ** 2
    buf[i, 1] = x[i] * x[i + 1]
print(buf)
(buf * torch.arange(6).reshape(3, 2)).sum().backward()
print(x.grad)

# a recurrence kept in a table
x.grad = None
f = torch.zeros(6)
f[0] = x[0]
f[1] = x[1]
for i in range(2, 6):
    f[i] = f[i - 1].clone() * x[2] + f[i - 2].clone()
print(f)
f[5].backward()
print(x.grad)

# broadcasting on the way in is summed on the way back
x.grad = None
g = torch.ones(3, 5)
g[1:] = x
g[:, ::2] *= 2
print(g)
g.sum().backward()
print(x.grad)
g2 = torch.ones(2, 3)
g2[0] += torch.tensor([1.0, 2.0, 3.0])
g2[..., 1] -= 4
g2[1, :2] = torch.tensor([7.0])
g2[:, -1:] = torch.tensor([[8.0], [9.0]])
print(g2)
try:
    g2[0] = torch.ones(2)
except RuntimeError as e:
    print(type(e).__name__)
try:
    g2[5] = 1.0
except IndexError as e:
    print(type(e).__name__)
n = torch.zeros(3).long()
n[1] = 2.9
print(n)
