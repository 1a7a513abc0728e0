# Between tensors and Python's numbers: item, tolist, float, int, bool, round, comparisons, and what a scalar prints as.
import math
import torch
torch.set_default_dtype(torch.float64)

t = torch.tensor(2.75, requires_grad=True)
print(t.item(), float(t), int(t), bool(t), round(t.item(), 1))
print(float(torch.tensor(3)), int(torch.tensor(-2.9)), bool(torch.tensor(0.0)), bool(torch.tensor([1])))
print(torch.tensor([[1.5, 2.0], [3.0, 4.25]]).tolist(), torch.tensor([1, 2]).tolist(), torch.tensor([True]).tolist(), torch.tensor(5.0).tolist())
print(torch.tensor([7.0]).item(), torch.tensor([[3]]).item())
for f in (lambda: torch.tensor([1.0, 2.0]).item(), lambda: bool(torch.tensor([1.0, 2.0])), lambda: float(torch.zeros(0)),
          lambda: [1, 2][torch.tensor(1)], lambda: list(range(torch.tensor(3))), lambda: len(torch.tensor(1.0)),
          lambda: torch.tensor([[1.0], [2.0, 3.0]]), lambda: torch.tensor("text")):
    try:
        print(f())
    except (RuntimeError, ValueError, TypeError) as e:
        print(type(e).__name__)
x = torch.tensor(0.5)
print(math.sin(x), math.exp(x) == x.exp().item(), math.sqrt(torch.tensor(16)), math.isnan(torch.tensor(float("nan"))))
if torch.tensor(3.0) > 2:
    print("taken")
print(torch.tensor(3.0) == 3, (torch.tensor(3.0) == 3).item(), torch.tensor([1.0, 2.0]) == torch.tensor([1.0, 3.0]))
print(max(torch.tensor(1.0), torch.tensor(2.0)), min([torch.tensor(3), torch.tensor(1)]), sum([torch.tensor(1.0), torch.tensor(2.5)]))
print(abs(torch.tensor(-1.5)), sorted([torch.tensor(3.0), torch.tensor(1.0)]), round(3.14159, 3), abs(-3), 2.0 ** 3)
print(type(t.item()).__name__, isinstance(1.5, float), isinstance(t.item(), (int, str)))
print(0.1 + 0.2, 1e16, 1e-5, 123456789.123, 1 / 3, 100.0, 1e22, -0.0, 5 // 1.0, 3.0 == 3)
print(torch.equal(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0])), torch.equal(torch.ones(2), torch.ones(3)))
print(torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-9])), torch.allclose(torch.tensor(1.0), torch.tensor(1.1)))
print(torch.isclose(torch.tensor([1.0, 2.0, float("nan")]), torch.tensor([1.0, 2.1, float("nan")])))
print(len(torch.zeros(4, 2)), torch.zeros(4, 2).ndim, torch.zeros(4, 2).shape, torch.zeros(4, 2).shape[1], list(torch.zeros(3, 1).shape))
print(torch.tensor(t.tolist()), torch.tensor([t.item(), 1]), torch.stack([t, t * 2]).tolist())
