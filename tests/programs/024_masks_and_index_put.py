# Masked and indexed assignment, index_put_, copy_, masked_fill, masked_select.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]], requires_grad=True)
y = x * 2
y[y < 0] = 0.0
print(y)
y.sum().backward()
print(x.grad)

x.grad = None
y = x * 1
y[x > 2] = x[0, :2] * 10
print(y)
y.sum().backward()
print(x.grad)

x.grad = None
print(x.masked_select(x > 0), x[x > 100])
x.masked_fill(x < 0, 7.0).prod().backward()
print(x.grad)

v = torch.zeros(5)
idx = torch.tensor([0, 3, 3])
v.index_put_((idx,), torch.tensor([1.0, 2.0, 4.0]), accumulate=True)
print(v)
v[idx] = 9.0
print(v)
v[[1, 2]] += 0.5
print(v)

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
table = torch.zeros(2, 4)
table[torch.tensor([0, 1, 1]), torch.tensor([3, 0, 2])] = w ** 2
print(table)
(table * torch.arange(8).reshape(2, 4)).sum().backward()
print(w.grad)

a = torch.zeros(2, 3)
a.copy_(w)
print(a.requires_grad, a.tolist())
a.sum().backward()
print(w.grad)
dst = x.detach().clone()
dst[0].copy_(dst[1])
print(dst)
mask = torch.tensor([True, False, True])
print(w[mask], x[:, mask].shape, x[mask[:2]])
