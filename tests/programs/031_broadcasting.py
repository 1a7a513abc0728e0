# Broadcasting of every kind, and the sums that undo it on the way back.
import torch
torch.set_default_dtype(torch.float64)


def both(f, a, b):
    a = torch.tensor(a, requires_grad=True)
    b = torch.tensor(b, requires_grad=True)
    y = f(a, b)
    weights = torch.arange(1.0, 1.0 + len(y.flatten())).reshape(y.shape)
    (y * weights).sum().backward()
    print(tuple(a.shape), tuple(b.shape), "->", tuple(y.shape), a.grad.tolist(), b.grad.tolist())


mul = lambda a, b: a * b
both(mul, 2.0, 3.0)
both(mul, 2.0, [1.0, 2.0, 3.0])
both(mul, [2.0], [1.0, 2.0, 3.0])
both(mul, [[1.0], [2.0]], [1.0, 2.0, 3.0])
both(mul, [[1.0, 2.0, 3.0]], [[1.0], [2.0]])
both(mul, [[1.0, 2.0], [3.0, 4.0]], [10.0, 20.0])
both(mul, [[[1.0, 2.0]], [[3.0, 4.0]]], [[1.0], [0.5], [0.25]])
both(lambda a, b: a + b, [[1.0, 2.0], [3.0, 4.0]], 5.0)
both(lambda a, b: a - b, 5.0, [[1.0, 2.0], [3.0, 4.0]])
both(lambda a, b: a / b, [[1.0], [2.0]], [1.0, 2.0, 4.0])
both(lambda a, b: a ** b, [2.0, 4.0], [[1.0], [2.0]])
both(lambda a, b: torch.maximum(a, b), [1.0, 3.0], 2.0)
both(lambda a, b: torch.where(a > b, a, b), [[1.0], [3.0]], [0.0, 2.0, 4.0])
both(lambda a, b: torch.atan2(a, b), [0.0, 1.0], 1.0)
both(lambda a, b: a[:, None] - b[None, :], [1.0, 2.0], [3.0, 4.0, 5.0])

x = torch.tensor([1.0, 2.0], requires_grad=True)
e = x.expand(3, 2)
print(e)
(e * torch.tensor([[1.0], [2.0], [3.0]])).sum().backward()
print(x.grad)
x.grad = None
torch.broadcast_to(x, (2, 2, 2)).sum().backward()
print(x.grad)
x.grad = None
(x.repeat(2, 2) * torch.tensor([[1.0, 2.0, 3.0, 4.0]])).sum().backward()
print(x.grad)
for f in (lambda: torch.ones(3) + torch.ones(4), lambda: torch.ones(2, 3) * torch.ones(2), lambda: x.expand(3)):
    try:
        f()
    except RuntimeError as error:
        print(type(error).__name__)
z = torch.zeros(0, 3, requires_grad=True)
(z + torch.ones(3)).sum().backward()
print(z.grad, z.sum())
