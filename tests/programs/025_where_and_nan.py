# where: zero to the branch not taken, and the famous nan when that branch's slope is infinite; the cure.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([-1.0, 0.0, 4.0], requires_grad=True)
y = torch.where(x > 0, x.sqrt(), x)
print(y)
y.sum().backward()
print(x.grad)

x.grad = None
safe = torch.where(x > 0, x, torch.ones_like(x))
y = torch.where(x > 0, safe.sqrt(), x)
y.sum().backward()
print(x.grad)

x.grad = None
torch.where(x == 0, torch.ones_like(x), x.sin() / x).sum().backward()
print(x.grad)

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([[10.0], [20.0]], requires_grad=True)
cond = torch.tensor([[True, False, True], [False, False, True]])
w = torch.where(cond, a, b)
print(w)
w.sum().backward()
print(a.grad, b.grad)
print(torch.where(cond, 1.5, -0.5))
print(torch.where(cond))
print(cond.any(dim=0), cond.all(dim=1), cond.sum())

# nan and inf go through arithmetic as IEEE says
z = torch.tensor([0.0, 1.0, -1.0], requires_grad=True)
q = 1 / z
print(q, z.log(), z / 0, z * float("inf"))
q.sum().backward()
print(z.grad)
n = torch.tensor([1.0, float("nan"), float("-inf"), 2.0])
print(n.isnan(), n.isinf(), n.isfinite())
print(torch.nan_to_num(n, nan=0.0, neginf=-9.0), n.max(), n.sum(), n == n)
print(n[torch.logical_not(n.isnan())].amax())
m = torch.tensor([1.0, float("nan"), 3.0], requires_grad=True)
torch.nan_to_num(m).sum().backward()
print(m.grad)
print(torch.fmax(n, torch.zeros(4)), torch.maximum(n, torch.zeros(4)))
