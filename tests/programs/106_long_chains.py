# Long graphs: a chain of 20000 operations, a product of 500 matrices, recursion 150 deep, a wide sum.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor(0.5, requires_grad=True)
y = x
for k in range(20000):
    y = y * 0.9999 + 0.0001 * x
y.backward()
print(f"{y.item():.10f} {x.grad.item():.10f}")

x.grad = None
z = x
for k in range(5000):
    z = torch.sin(z) if k % 2 else z + 0.001
z.backward()
print(f"{z.item():.8f} {x.grad.item():.6e}")

theta = torch.tensor(0.01, requires_grad=True)
R = torch.stack([torch.stack([theta.cos(), -theta.sin()]), torch.stack([theta.sin(), theta.cos()])])
P = torch.eye(2)
for _ in range(500):
    P = R @ P
P[0, 0].backward()
print(P.detach(), theta.grad)
print(torch.allclose(theta.grad, -500 * torch.sin(torch.tensor(5.0))))


def horner(coefficients, x):
    return coefficients[0] if len(coefficients) == 1 else coefficients[0] + x * horner(coefficients[1:], x)


def fraction(x, depth):
    return x if depth == 0 else 1 / (1 + fraction(x, depth - 1))


x.grad = None
h = horner([1.0] * 150, x)
h.backward()
print(f"{h.item():.10f} {x.grad.item():.10f}")
g = torch.autograd.grad(fraction(x, 30), x)[0]
print(f"{fraction(x, 30).item():.10f} {g.item():.6e}")
leaves = [torch.tensor(float(k), requires_grad=True) for k in range(1000)]
total = sum(v * v for v in leaves)
total.backward()
print(total.item(), sum(v.grad.item() for v in leaves), leaves[10].grad)
a = b = x
count = 0
while count < 300:
    a, b = b, (a + b) * 0.5
    count += 1
b.backward()
print(f"{b.item():.6f} {x.grad.item():.10f}")
second, = torch.autograd.grad(torch.autograd.grad(horner([1.0] * 40, x), x, create_graph=True)[0], x)
print(f"{second.item():.8f}")
