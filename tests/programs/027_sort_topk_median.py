# Order statistics and where their gradients land.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([3.0, -1.0, 2.0, 5.0, 0.5], requires_grad=True)
values, indices = x.sort()
print(values, indices)
(values * torch.arange(5)).sum().backward()
print(x.grad)
x.grad = None
values, indices = torch.sort(x, descending=True)
print(values, indices, indices.dtype)
top = x.topk(2)
print(top.values, top.indices)
top.values.prod().backward()
print(x.grad)
low, where = x.topk(2, largest=False)
print(low, where)
print(x.argsort(), x.argmax(), x.argmin(), x.median())

x.grad = None
x.median().backward()
print(x.grad)
m = torch.tensor([[1.0, 9.0, 4.0], [8.0, 2.0, 6.0]], requires_grad=True)
best, at = m.max(dim=1)
print(best, at)
mid = m.median(dim=0)
print(mid.values, mid.indices)
print(m.sort(dim=0).values)
print(m.argmax(), m.argmax(dim=0), m.argmin(1, keepdim=True))
(best.sum() + m.min(0).values @ torch.tensor([1.0, 2.0, 3.0])).backward()
print(m.grad)
print(torch.tensor([4, 1, 3]).sort())

# a trimmed mean, and a differentiable quantile by interpolation
x.grad = None
s = x.sort().values
trimmed = s[1:-1].mean()
position = 0.3 * 4
k = int(position)
quantile = s[k] + (position - k) * (s[k + 1] - s[k])
print(trimmed, quantile)
(trimmed + quantile).backward()
print(x.grad)
print(sorted(set(torch.tensor([2, 1, 2, 3]).tolist())))
