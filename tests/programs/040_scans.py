# Running sums, products, log-sum-exps, and what they are good for.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, -3.0, 4.0], requires_grad=True)
w = torch.tensor([1.0, 10.0, 100.0, 1000.0])
for f in (lambda t: t.cumsum(0), lambda t: t.cumprod(0), lambda t: t.logcumsumexp(0), lambda t: t.flip(0).cumsum(0).flip(0)):
    x.grad = None
    y = f(x)
    (y * w).sum().backward()
    print(y, x.grad, sep="\n")
m = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()
print(torch.cumsum(m, dim=0), torch.cumsum(m, dim=1), torch.cumprod(m, dim=-1), m.logcumsumexp(1), sep="\n")
m.cumprod(1).sum().backward()
print(m.grad)
print(torch.tensor([1, 2, 3]).cumsum(0), torch.tensor([True, True, False]).cumsum(0), torch.zeros(0).cumsum(0))
print(torch.tensor([-1000.0, -1000.0, 1000.0]).logcumsumexp(0), torch.tensor([-float("inf"), 1.0]).logcumsumexp(0))

# survival curve from hazards, discounted return by a reversed scan, prefix maximum by a loop
h = torch.tensor([0.1, 0.2, 0.05, 0.4], requires_grad=True)
survival = torch.cumprod(1 - h, dim=0)
life = 1 + survival.sum()
life.backward()
print(survival, life, h.grad)
r = torch.tensor([1.0, 0.0, 2.0, 5.0], requires_grad=True)
gamma = 0.5
powers = gamma ** torch.arange(4.0)
returns = (r * powers).flip(0).cumsum(0).flip(0) / powers
print(returns)
returns[0].backward()
print(r.grad)
best, path = x[0], [x[0].item()]
for v in x[1:]:
    best = torch.maximum(best, v)
    path.append(best.item())
print(path)
