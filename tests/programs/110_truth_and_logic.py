# Comparisons, logical functions, any/all, isclose, counting, choosing; bools in arithmetic; no gradient through any.
import torch
torch.set_default_dtype(torch.float64)

a = torch.tensor([1.0, 2.0, 3.0, float("nan")], requires_grad=True)
b = torch.tensor([2.0, 2.0, 1.0, 0.0])
for name, r in [("<", a < b), ("<=", a <= b), (">", a > b), (">=", a >= b), ("==", a == b), ("!=", a != b)]:
    print(f"{name:<3}", r, r.requires_grad)
print(torch.lt(a, b).tolist(), torch.eq(a, 2).tolist(), torch.ge(b, 1).tolist())
p, q = torch.tensor([True, True, False, False]), torch.tensor([True, False, True, False])
print(torch.logical_and(p, q), torch.logical_or(p, q), torch.logical_xor(p, q), torch.logical_not(p), sep="\n")
print(torch.logical_and(torch.tensor([0.0, 2.0]), torch.tensor([1.0, -1.0])), p == q, p * q, p + q, p * 2, (p * 1.5).dtype)
print(p.any(), p.all(), p.sum(), (p * 1.0).mean(), torch.any(torch.zeros(3)), torch.all(torch.zeros(0) > 1), torch.count_nonzero(b))
print(a.isnan(), a.isinf(), a.isfinite(), torch.isclose(b, b + 1e-9), torch.isclose(b, b * 1.1, rtol=0.2), sep="\n")
print(torch.allclose(b, b + 1e-7), torch.allclose(b, b + 1e-7, rtol=0, atol=1e-8), torch.allclose(a, a), torch.allclose(a, a, equal_nan=True))
print(torch.equal(p, q), torch.equal(b, b.clone()), torch.equal(torch.tensor([1]), torch.tensor([1.0])))
print(torch.where(p, 1, 0), torch.where(p, b, -b), b.masked_fill(p, 9.0), b[p], b[torch.logical_and(p, b > 1)])
x = torch.tensor([0.5, 1.5, 2.5], requires_grad=True)
inside = (x > 1) * (x < 2)
print(inside, (x * inside).sum())
(x ** 2 * inside).sum().backward()
print(x.grad)
votes = torch.tensor([[1, 0, 1], [0, 0, 1], [1, 1, 1]])
print(votes.sum(0) > 1, (votes == 1).all(0), (votes.sum(1) == 3).any(), votes.argmax(1), votes.max())
print(bool(torch.tensor(2.0) > 1), not torch.tensor(0.0), (torch.tensor(1.0) and torch.tensor(3.0)), (torch.tensor(0.0) or 5))
try:
    if torch.tensor([1.0, 2.0]) > 1:
        print("never")
except RuntimeError as e:
    print(type(e).__name__)
accuracy = (torch.tensor([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]]).argmax(1) == torch.tensor([1, 0, 0])) * 1.0
print(f"{accuracy.mean().item():.2%}", accuracy)
step = (x > 1) * 1.0
print(step.requires_grad, (x - 1).sign(), torch.maximum(x - 1, torch.zeros(3)))
