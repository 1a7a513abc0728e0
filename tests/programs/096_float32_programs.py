# The same things in float32: values, gradients and printing carry the dtype; mixing with float64 leaves.
import torch
torch.set_default_dtype(torch.float64)

f32 = torch.float32
x = torch.tensor([1.0, 2.0, 3.0], dtype=f32, requires_grad=True)
y = (x ** 2).sum()
print(x, y, y.dtype, sep="\n")
y.backward()
print(x.grad)
w = torch.tensor([[0.5, -0.25, 0.125]], dtype=f32, requires_grad=True)
out = torch.tanh(w @ x)
print(out, out.dtype)
x.grad = None
out.sum().backward()
print(w.grad, x.grad.dtype)
print(x * 2, x * 2.5, x + 1, (x * torch.tensor(2.0)).dtype, (x * torch.tensor([2.0])).dtype, (x > 1).dtype)
print(x.sum(), x.mean(), x.softmax(0), x.exp().dtype, x.argmax())
z = torch.zeros(2, 2, dtype=f32)
z[0] = torch.tensor([1.0, 2.0])
print(z, z.tolist())
print(torch.tensor(0.1, dtype=f32).item(), torch.tensor(1 / 3, dtype=f32).item(), torch.tensor(16777217.0, dtype=f32).item())
print(torch.tensor([1e-45, 3.4e38, 1e39], dtype=f32), torch.tensor([1e10, 1.0], dtype=f32))
big = torch.tensor(1e30, dtype=f32)
print(big * big, big * 1e10, -big * big, big - big)

a = torch.tensor(2.0, dtype=f32, requires_grad=True)
b = torch.tensor([1.0, 2.0], requires_grad=True)
mixed = (a * b).sum()
print(mixed, mixed.dtype)
mixed.backward()
print(a.grad, b.grad)
c = torch.tensor([3.0, 4.0], dtype=f32, requires_grad=True)
d = torch.tensor([5.0, 6.0], requires_grad=True)
(c * d).sum().backward()
print(c.grad, d.grad)
try:
    torch.ones(2, 2, dtype=f32) @ torch.ones(2)
except RuntimeError as e:
    print(type(e).__name__)
try:
    c.grad = torch.ones(2)
except (RuntimeError, TypeError) as e:
    print("grad of another dtype refused")
acc = torch.zeros(2, dtype=f32)
acc += torch.ones(2)
print(acc)
print(torch.cat([acc, torch.ones(1)]).dtype, torch.stack([acc, acc]).dtype, torch.where(acc > 0, acc, 0.0).dtype, torch.ones_like(acc))
print(torch.arange(3, dtype=f32) / 2, torch.eye(2, dtype=f32), torch.linspace(0, 1, 3, dtype=f32))
