# Indices that occur twice: gathered gradients add up, scattered values add up.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
idx = torch.tensor([2, 0, 2, 2])
print(x[idx])
(x[idx] * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
print(x.grad)
x.grad = None
x.index_select(0, idx).pow(2).sum().backward()
print(x.grad)
x.grad = None
torch.gather(x, 0, torch.tensor([1, 1])).prod().backward()
print(x.grad)
x.grad = None
torch.take_along_dim(x, torch.tensor([0, 0, 1]), dim=0).sum().backward()
print(x.grad)

m = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()
g = m.gather(1, torch.tensor([[0, 0], [2, 1]]))
print(g)
(g * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum().backward()
print(m.grad)

src = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
out = torch.zeros(3).scatter_add(0, torch.tensor([0, 2, 2, 0]), src)
print(out)
out.pow(2).sum().backward()
print(src.grad)
base = torch.ones(2, 3, requires_grad=True)
s = base.scatter(1, torch.tensor([[1], [2]]), torch.tensor([[5.0], [6.0]]))
print(s)
s.prod(dim=1).sum().backward()
print(base.grad)

# an embedding is a lookup with repeats; its gradient counts the words
table = torch.tensor([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]], requires_grad=True)
words = [3, 1, 3, 0]
bag = torch.stack([table[w] for w in words]).sum(0)
print(bag)
(bag @ torch.tensor([1.0, -1.0])).backward()
print(table.grad)
print(torch.equal(table.grad[:, 0], F.one_hot(torch.tensor(words), 4).sum(0) * 1.0))
# a histogram with weights
w = torch.tensor([0.5, 1.5, 2.5], requires_grad=True)
hist = sum(F.one_hot(torch.tensor(k), 3) * w[i] for i, k in enumerate([2, 0, 2]))
print(hist)
