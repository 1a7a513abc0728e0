# `t.data = other`: t is over other memory from then on; backward reads what the tensors it saved hold then.
import torch

torch.set_default_dtype(torch.float64)

a = torch.tensor(1.2, requires_grad=True)
b = torch.tensor(0.7, requires_grad=True)
t = a * b
t.data = torch.tensor(0.25)
(t * a + t).backward()
print(a.grad, b.grad)
t = a * b
w = t * 2
product = w * t
t.data = torch.tensor(0.25)
product.backward()
print(a.grad, b.grad)
y = torch.exp(a)
y.data = torch.tensor(0.25)
y.backward()
print(a.grad)

# a twin of before holds the old memory
s = torch.tensor(0.3)
d = s.detach()
s.data = torch.tensor(1.5)
s += 1
print(s, d)
d += 1
print(s, d)

# and the tensor shares with the new one
x, y = torch.tensor(1.0), torch.tensor(2.0)
x.data = y
y += 1
print(x, y, x._version, y._version)
x *= 2
print(x, y, x._version, y._version)
z = x.detach()
x.data = torch.tensor(9.0)
z += 1
print(x, y, z)
m, n = torch.ones(2), torch.zeros(2)
m.data = n
n += 1
print(m, n)

# a view leaves its base
base = torch.tensor([1.0, 2.0])
view = base[0]
view.data = torch.tensor(5.0)
view += 1
view *= 2
print(view, base)
row = torch.ones(2, 2)[1]
row.data = torch.zeros(2)
row += 3
print(row)

# an optimiser by hand
weight = torch.tensor(1.0, requires_grad=True)
for step in range(3000):
    weight.data -= 0.001 * weight.detach()
    weight.data = weight.data * 1.0
print(round(weight.item(), 6))
