# Making tensors: constructors, ranges, spaces, likes, eye, diag, one_hot; dtypes and requires_grad from the start.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

print(torch.zeros(2), torch.ones(1, 2), torch.full((2, 2), 3.5), torch.full((2,), 7), torch.zeros(()), torch.ones((2,)))
print(torch.eye(2), torch.eye(2, 3), torch.arange(5), torch.arange(1, 2, 0.25), torch.arange(5, 0, -2), torch.arange(3.0), sep="\n")
print(torch.linspace(0, 1, 5), torch.linspace(-2, 2, 1), torch.logspace(0, 3, 4), torch.linspace(1, 0, 3), torch.logspace(0, 4, 5, base=2.0))
t = torch.tensor([[1, 2], [3, 4]])
print(torch.zeros_like(t), torch.ones_like(t, dtype=torch.float64), torch.full_like(t, 9), torch.zeros_like(t * 1.0))
print(torch.tensor([1.0, 2.0], requires_grad=True), torch.zeros(2, requires_grad=True), torch.ones(2, dtype=torch.float32), torch.tensor(5, dtype=torch.float64))
print(torch.tensor([0, 1, 2], dtype=torch.bool), torch.tensor([1.7, -1.7], dtype=torch.int64), torch.tensor([True, False], dtype=torch.float64))
print(torch.tensor((1, 2)), torch.tensor([[1.0], [2.0]]).shape, torch.tensor([[]]).shape, torch.tensor([torch.tensor(1.0), torch.tensor(2.0)]))
print(F.one_hot(torch.tensor([0, 2, 1])), F.one_hot(torch.tensor(1), 4), F.one_hot(torch.tensor([[0, 1]]), num_classes=3).shape)
print(torch.diag(torch.tensor([1.0, 2.0])), torch.diag(torch.tensor([1.0]), 1), torch.tril(torch.ones(3, 3)), torch.ones(2, 3).triu(1), sep="\n")
a, b = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
print(a, b, a + b)
a, b = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="xy")
print(a.shape, b)
e = torch.empty(2, 3)
e.fill_(1.5)
print(e, torch.empty(0), torch.empty(2, 3).shape)
w = torch.arange(4.0).reshape(2, 2)
w.requires_grad_()
print(w.requires_grad, w.is_leaf, w.clone().is_leaf, w.detach().clone().requires_grad_().is_leaf)
w.requires_grad = False
print(w.requires_grad)
x = torch.tensor(1.0, requires_grad=True)
print(torch.tensor([x.item(), 2 * x.item()]), torch.stack([x, 2 * x]), torch.stack([x, 2 * x]).requires_grad)

# random numbers: only what is true of any stream
torch.manual_seed(0)
u, g, k = torch.rand(200), torch.randn(200), torch.randint(0, 6, (50,))
torch.manual_seed(0)
print(torch.equal(u, torch.rand(200)), u.shape, u.min() >= 0, u.max() < 1, abs(g.mean()) < 0.4, g.std() > 0.6)
print(k.dtype, (k >= 0).all(), (k < 6).all(), torch.rand(2, 3).shape, torch.randn(2, requires_grad=True).requires_grad, torch.rand(()).shape)
print(F.dropout(torch.ones(5), 0.5, training=False), F.dropout(torch.ones(4), p=0.0), set(F.dropout(torch.ones(100), 0.5).tolist()) == set([0.0, 2.0]))
