# Reductions over everything, over one dimension, over several, with and without keepdim; their gradients.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 0.5, -6.0]], requires_grad=True)
print(x.sum(), x.sum(0), x.sum(dim=1), x.sum(1, keepdim=True), x.sum((0, 1)), sep="\n")
print(x.mean(), x.mean(dim=0), x.mean(-1, keepdim=True), sep="\n")
print(x.prod(), x.prod(0), x.max(), x.min(), x.amax(0), x.amin(1, keepdim=True), x.amax((0, 1)), sep="\n")
print(x.var(), x.var(0), x.std(1), x.var(dim=1, unbiased=False), x.std(dim=0, correction=0), sep="\n")
print(x.norm(), x.norm(dim=0), x.norm(p=1, dim=1), x.logsumexp(0), x.logsumexp((0, 1)), sep="\n")
print((x > 0).any(), (x > 0).all(dim=0), (x > 0).any(1), (x != 0).sum(), torch.count_nonzero(x > 0), torch.count_nonzero(x, dim=0))
print(x.argmax(), x.argmin(dim=0), x.argmax(1))

for name, f in [("mean", lambda t: t.mean()), ("mean 0", lambda t: (t.mean(0) ** 2).sum()), ("var", lambda t: t.var()),
                ("std 1", lambda t: t.std(1).sum()), ("var b", lambda t: t.var(0, unbiased=False).sum()),
                ("lse", lambda t: t.logsumexp(1).sum()), ("norm 1", lambda t: t.norm(dim=1).prod()),
                ("amax", lambda t: t.amax(0).sum()), ("min 1", lambda t: t.min(1).values.sum()), ("sum kd", lambda t: (t / t.sum(1, keepdim=True)).sum(0)[0])]:
    x.grad = None
    f(x).backward()
    print(f"{name:<7}", x.grad.flatten())
e = torch.zeros(0, 3)
print(e.sum(), e.sum(0), e.mean(), e.prod(0), e.sum(1))
try:
    e.max()
except RuntimeError as error:
    print(type(error).__name__)
try:
    x.sum(2)
except IndexError as error:
    print(type(error).__name__)
one = torch.tensor([2.0], requires_grad=True)
print(one.std(), one.var(unbiased=False), torch.tensor(3.0).sum(0), torch.tensor(3.0).max())
i = torch.tensor([[1, 2], [3, 4]])
print(i.sum(), i.prod(), i.max(), i.sum(0), i.amax(1), (i * 1.0).mean())
