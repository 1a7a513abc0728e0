# Which dtype comes out: int, bool, float32, float64, with Python numbers and with 0-d tensors.
import torch
torch.set_default_dtype(torch.float64)

b = torch.tensor([True, False])
i = torch.tensor([3, -2])
f = torch.tensor([0.5, 1.5], dtype=torch.float32)
d = torch.tensor([0.25, 2.0])
named = {"bool": b, "int64": i, "float32": f, "float64": d}
for left, p in named.items():
    print(f"{left:8}", [str((p + q).dtype).replace("torch.", "") for q in named.values()])
for label, t in [("b+1", b + 1), ("b*2.0", b * 2.0), ("i+1.5", i + 1.5), ("i/2", i / 2), ("i//2", i // 2), ("i**2", i ** 2),
                 ("f+1", f + 1), ("f*2.5", f * 2.5), ("f+0d64", f + torch.tensor(1.0)), ("f+1d64", f + torch.ones(2)),
                 ("i+0df32", i + torch.tensor(1.0, dtype=torch.float32)), ("b+b", b + b), ("b*b", b * b), ("-i", -i),
                 ("i>0", i > 0), ("i.sum", i.sum()), ("b.sum", b.sum()), ("f.sum", f.sum()), ("i.sin", i.sin()),
                 ("b.exp", b.exp()), ("f.exp", f.exp()), ("i.abs", i.abs()), ("cat", torch.cat([i, d])), ("stack", torch.stack([b, i])),
                 ("where", torch.where(b, i, d)), ("i.cumsum", b.cumsum(0)), ("prod", b.prod()), ("maximum", torch.maximum(i, f))]:
    print(f"{label:<10}{t.dtype} {t.tolist()}")
print(torch.tensor(1).dtype, torch.tensor(1.0).dtype, torch.tensor(True).dtype, torch.tensor([1, 2.5]).dtype, torch.tensor([True, 2]).dtype)
print(torch.arange(3).dtype, torch.arange(3.0).dtype, torch.zeros(2).dtype, torch.full((2,), 7).dtype, torch.full((2,), True).dtype)
print(f, i, b, f.sum())

# gradients come back in the dtype of the leaf
p = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)
q = torch.tensor([3.0, 4.0], requires_grad=True)
out = (p * q * i).sum()
print(out)
out.backward()
print(p.grad, q.grad)
for wrong in (lambda: torch.tensor([1, 2], requires_grad=True), lambda: i.requires_grad_(), lambda: torch.tensor(True, requires_grad=True)):
    try:
        wrong()
    except RuntimeError as e:
        print(type(e).__name__)
try:
    i += 0.5
except RuntimeError as e:
    print(type(e).__name__)
try:
    print(b - b)
except RuntimeError as e:
    print(type(e).__name__)
try:
    i.mean()
except RuntimeError as e:
    print(type(e).__name__)
d += i
print(d)
