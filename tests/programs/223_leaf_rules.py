# What may be done in place to a leaf, to a view of it, and to what backward needs.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.zeros(3, requires_grad=True)
log = []
def tried(label, f):
    try: f(); log.append(f"{label}: fine")
    except (RuntimeError, ValueError, TypeError) as e: log.append(f"{label}: {type(e).__name__}")
tried("add_", lambda: x.add_(1))
tried("data add_", lambda: x.data.add_(1))
tried("detach add_", lambda: x.detach().add_(1))
tried("requires false on non-leaf", lambda: (x * 2).requires_grad_(False))
tried("view inplace", lambda: x[:2].mul_(2))
tried("int requires", lambda: torch.ones(2, dtype=torch.long).requires_grad_())
tried("backward twice", lambda: [y.backward() for y in [(x ** 2).sum()] * 2])
tried("exp inplace after use", lambda: (lambda t: (t.exp_(), None))(x * 1))
def saved():
    y = x * 1; z = y ** 2; y.add_(1); z.sum().backward()
tried("saved changed", saved)
def saved_ok():
    y = x * 1; z = y + 2; y.mul_(3); z.sum().backward()
tried("unsaved changed", saved_ok)
def sig():
    s = x.sigmoid(); s.mul_(2); s.sum().backward()
tried("sigmoid changed", sig)
print(*log, sep="\n")
print(x, x.grad, x._version)
