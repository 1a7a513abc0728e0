# What .numpy() gives: printed as numpy prints, indexed, reduced, put into arithmetic, and taken back.
import torch

torch.set_default_dtype(torch.float64)
x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
(x * x).sum().backward()
print(x.detach().numpy(), x.grad.numpy(), x.detach().numpy().dtype)
print("gradient:", x.grad.numpy(), f"and {x.grad.numpy()}", str(x.grad.numpy()))
m = torch.tensor([[1.5, 2.0], [3.0, -4.25]])
a = m.numpy()
print(a)
print(repr(a), a.shape, a.ndim, a.size, len(a))
print(a[0], a[1, 0], a[:, 1], a[-1][0], float(a[0, 0]))
print(a.sum(), a.mean(), a.max(), a.min(), a.argmax(), a.sum(axis=0), a.mean(1), a.std())
print(a.tolist(), a.T, a.reshape(4), a.flatten())
print(a * 2 + 1, 1 / a, a - a, a @ a, a ** 2, -a, abs(a))
print(a > 0, (a > 0).any(), (a > 0).all(), (a == a).sum())
for row in a:
    print(row, [float(v) for v in row])
print(torch.arange(4).numpy(), torch.tensor([True, False]).numpy(), torch.zeros(0).numpy())
print(torch.tensor(2.5).numpy(), torch.tensor(3).numpy(), torch.tensor(True).numpy(), torch.tensor(2.5).numpy().item())
print(torch.tensor([1e-10, 1.0, 1e10]).numpy(), torch.tensor([0.1, 1 / 3]).numpy())
print(torch.tensor([float("nan"), float("inf"), 1.0]).numpy())
print(torch.linspace(0, 1, 30).numpy())
print(torch.tensor([1.0, 2.0], dtype=torch.float32).numpy().dtype, a.astype("float32"))
print(f"{a[0, 0]:.3f} {m.sum().numpy():.2f}", "%.2f" % a[1, 1], round(float(a.mean()), 3))
print(torch.from_numpy(a), torch.tensor(a), torch.as_tensor(a), torch.from_numpy(a).requires_grad, type(a).__name__)
m.mul_(2)
print(a)
for name, f in (
    ("of what requires a gradient", lambda: x.numpy()),
    ("from a list", lambda: torch.from_numpy([1.0])),
    ("float of several", lambda: float(a)),
    ("item of several", lambda: a.item()),
):
    try:
        print(name, f())
    except (RuntimeError, TypeError, ValueError) as e:
        print(name, type(e).__name__)
