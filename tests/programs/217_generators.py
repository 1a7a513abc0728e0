# Generator expressions, iterators and what consumes them.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

g = (i * i for i in range(5))
print(next(g), next(g), list(g), next(g, "end"))
print(sum(x for x in range(10) if x % 2), max((abs(v), v) for v in [-3, 2]), ",".join(str(i) for i in range(4)))
it = iter([1, 2, 3])
print(next(it), [v for v in it])
try:
    next(it)
except StopIteration: print("StopIteration")
pairs = zip([1, 2, 3], "abc")
print(next(pairs), dict(pairs))
e = enumerate("xy"); print(next(e), list(e))
total = sum((torch.tensor(float(i)) ** 2 for i in range(4)), torch.tensor(0.0))
print(total)
ws = [torch.full((2,), float(i), requires_grad=True) for i in range(3)]
reg = sum(w.pow(2).sum() for w in ws)
reg.backward()
print(reg, [w.grad.tolist() for w in ws])
print(all(w.grad is not None for w in ws), any(w.grad.sum() > 7 for w in ws))
m = map(torch.exp, torch.zeros(2)); print(list(m))
print(torch.stack([*(torch.full((2,), i) for i in (1.0, 2.0))]), tuple(i for i in range(3)), {i: i for i in "ab"})
nested = [[j for j in range(i)] for i in range(4)]; print(nested, [x for row in nested for x in row if x])
print(list(range(5, 0, -2)), list(reversed(range(3))), range(10)[3], len(range(0, 10, 3)), 4 in range(0, 10, 2))
