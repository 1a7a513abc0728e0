# Views share memory; an in-place change of a view or of its base rewrites the history of both.
import torch
torch.set_default_dtype(torch.float64)

base = torch.zeros(2, 3)
row = base[1]
col = base[:, 0]
row += 5
col.fill_(-1.0)
base.T[2, 0] = 9.0
print(base)
print(row, col)
flat = base.view(6)
flat[4] = 0.5
print(base[1], base.reshape(3, 2)[2])

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = x * 1
v = y[1:3]
v.mul_(10)
print(y.detach())
y.sum().backward()
print(x.grad)

# the base changes: the view's gradient goes through the change
x.grad = None
y = x * 1
v = y[:2]
y.mul_(x)
print(v.detach())
v.sum().backward()
print(x.grad)

# a chain of views
x.grad = None
m = (x ** 2).view(2, 2)
m[0].add_(1)
m.T[1].mul_(-1)
print(m.detach())
(m * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
print(x.grad)

# gradients of views that overlap add up
x.grad = None
(x[:3] * x[1:]).sum().backward()
print(x.grad)

# a view of a leaf
for act in (lambda: x[0].zero_(), lambda: x.view(2, 2).add_(1), lambda: x.T.mul_(1)):
    try:
        act()
    except RuntimeError as e:
        print(type(e).__name__)
with torch.no_grad():
    x.view(2, 2)[1] = 0.0
print(x, x.is_leaf)
e = torch.tensor([1.0, 2.0]).expand(2, 2)
try:
    e.add_(1)
except RuntimeError as error:
    print(type(error).__name__)
