# Indexing: ints, negative, slices with steps, ..., None, lists, masks, tensors, combinations; each with its gradient.
import torch
torch.set_default_dtype(torch.float64)

x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
i = torch.tensor([2, 0])
cases = {
    "[1]": lambda t: t[1], "[-1, 0]": lambda t: t[-1, 0], "[0, 1, 2]": lambda t: t[0, 1, 2], "[:, 1]": lambda t: t[:, 1],
    "[..., 0]": lambda t: t[..., 0], "[..., None]": lambda t: t[..., None], "[None]": lambda t: t[None], "[0, ..., 1]": lambda t: t[0, ..., 1],
    "[:, 1:]": lambda t: t[:, 1:], "[:, :-1, ::2]": lambda t: t[:, :-1, ::2], "[1, :, 1:3]": lambda t: t[1, :, 1:3],
    "[:, None, 0]": lambda t: t[:, None, 0], "[[1, 0]]": lambda t: t[[1, 0]], "[:, [0, 2]]": lambda t: t[:, [0, 2]],
    "[:, i]": lambda t: t[:, i], "[0, i, i]": lambda t: t[0, i, i], "[:, i, 1]": lambda t: t[:, i, 1], "[..., i]": lambda t: t[..., i],
    "[i[:, None] % 2, i]": lambda t: t[i[:, None] % 2, i], "[t > 20]": lambda t: t[t > 20], "[mask]": lambda t: t[:, torch.tensor([True, False, True])],
    "[0][1][-1]": lambda t: t[0][1][-1], "[0:0]": lambda t: t[0:0], "[:, 5:]": lambda t: t[:, 5:], "[1:100]": lambda t: t[1:100],
    "[tensor(1)]": lambda t: t[torch.tensor(1)], "[True]": lambda t: t[0, 0][torch.tensor([True, False, False, True])],
}
for name, f in cases.items():
    y = f(x)
    x.grad = None
    (y * (1.0 + torch.arange(len(y.flatten()))).reshape(y.shape)).sum().backward()
    touched = x.grad.flatten()
    print(f"{name:<20}", tuple(y.shape), y.flatten().tolist()[:4], f"{touched.sum().item():g}", int((touched != 0).sum()))

for wrong in (lambda: x[2], lambda: x[0, 3], lambda: x[0, 0, 0, 0], lambda: x[-3], lambda: x[torch.tensor([5])], lambda: x[:, torch.tensor([True, False])],
              lambda: x[1.5], lambda: x["a"], lambda: x[::-1], lambda: torch.tensor(1.0)[0]):
    try:
        wrong()
        print("fine")
    except (IndexError, TypeError, ValueError) as e:
        print(type(e).__name__)
v = torch.tensor([10.0, 20.0, 30.0, 40.0])
print(v[-1], v[1:-1], v[::3], v[torch.tensor([0, -1])], v[v.argmax()], v[None].shape, v[:, None].shape, v[...])
for k, row in enumerate(torch.arange(6).reshape(3, 2)):
    print(k, row, row[0].item(), end=" / ")
print()
a, b = torch.tensor([1.0, 2.0], requires_grad=True)
print(a, b.grad_fn.name(), len(list(v)), [e.item() for e in v], sum(v), max(v), 20.0 in v)
