# vmap: per-sample gradients three ways, batched Jacobians, in_dims, out_dims, nested vmap.
import torch
import torch.nn.functional as F
from torch.func import grad, vmap, jacrev, jacfwd, hessian
torch.set_default_dtype(torch.float64)

X = torch.tensor([[1.0, 2.0], [0.5, -1.0], [-1.5, 0.25], [2.0, 0.0]])
y = torch.tensor([1.0, 0.0, 1.0, 0.0])
w = torch.tensor([0.3, -0.2], requires_grad=True)


def loss(w, x, t):
    return F.binary_cross_entropy_with_logits(x @ w, t)


per_sample = vmap(grad(loss), in_dims=(None, 0, 0))(w.detach(), X, y)
print(per_sample)
one_by_one = torch.stack([torch.autograd.grad(loss(w, x, t), w)[0] for x, t in zip(X, y)])
by_hand = (torch.sigmoid(X @ w) - y)[:, None] * X
print(torch.allclose(per_sample, one_by_one), torch.allclose(per_sample, by_hand))
loss(w, X, y).backward()
print(torch.allclose(per_sample.mean(0), w.grad), per_sample.norm(dim=1))
clip = per_sample * (0.5 / per_sample.norm(dim=1).clamp(min=0.5))[:, None]
print(clip.norm(dim=1), clip.mean(0), sep="\n")

f = lambda x: torch.stack([x[0] * x[1], x[0].sin(), x.sum()])
print(vmap(jacrev(f))(X).shape, torch.equal(vmap(jacrev(f))(X)[1], jacrev(f)(X[1])))
print(torch.allclose(vmap(jacfwd(f))(X), vmap(jacrev(f))(X)))
print(vmap(hessian(lambda x: (x ** 3).sum() + x.prod()))(X)[:2])

dot = vmap(torch.dot)
print(dot(X, X))
print(vmap(lambda a, b: a * b, in_dims=(0, None))(X, torch.tensor([10.0, 100.0])))
print(vmap(lambda c: c.sum(), in_dims=1)(X))
print(vmap(lambda r: r * 2, out_dims=1)(X).shape)
outer = vmap(vmap(lambda a, b: (a - b) ** 2, in_dims=(None, 0)), in_dims=(0, None))
print(outer(torch.arange(3.0), torch.arange(2.0)))
slope = vmap(grad(lambda t: torch.sin(t) * t))(torch.linspace(0, 2, 5))
print(slope)
print(vmap(lambda x: (x.max(), x.argmin()))(X))
