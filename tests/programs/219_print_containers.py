# Tensors within lists, tuples, dicts and named results.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

t = torch.arange(3.)
print([t, t * 2])
print((t,))
print({"a": t, "b": [t[0], 1.5, "s", None, True]})
print([torch.tensor(1.0), torch.tensor(2)])
print([[torch.ones(2, 2)], (torch.zeros(1),)])
x = torch.ones(2, requires_grad=True)
print([x, x * 2, x.sum()])
print({"loss": x.sum(), "grad": x.grad})
print(x.sum(), x, sep=" | ", end=" <-\n")
print(torch.max(torch.tensor([[1., 5.], [7., 2.]]), dim=1))
print(torch.sort(torch.tensor([3, 1, 2])))
print(torch.topk(torch.tensor([3., 1., 2.]), 2))
print(torch.linalg.slogdet(torch.eye(2) * 3))
print(torch.min(torch.tensor([[1., 5.], [7., 2.]], requires_grad=True), 0))
print(set([1, 2]), frozenset([3]), {}, set(), [], (), "", None, ...)
print({1: "a", (2, 3): [4]}, range(3), range(1, 10, 2), slice(1, 2))
print(torch.Size([2, 3]), torch.Size([]), list(torch.Size([4])))
print(t.shape == (3,), t.shape[0] + 1, torch.ones(2, 3, 4).shape[1:], len(torch.ones(2, 3).shape))
