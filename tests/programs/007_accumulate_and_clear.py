# Gradients add up over backward() calls until somebody clears them; three ways to clear.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, -2.0], requires_grad=True)
print(x.grad)
for k in range(1, 4):
    (x ** 2).sum().backward()
    print(k, x.grad)
x.grad.zero_()
print(x.grad)
(3 * x).sum().backward()
print(x.grad)
x.grad = None
print(x.grad)
(x * x * x).sum().backward()
held = x.grad
print(held)
(x * x * x).sum().backward()
print(held, held is x.grad)
x.grad = torch.zeros_like(x)
(x * 2).sum().backward()
print(x.grad, held)

# a value used twice adds its two gradients within one backward pass
y = torch.tensor(3.0, requires_grad=True)
u = y * y
v = u * u + u
v.backward()
print(y.grad.item(), 4 * 27 + 2 * 3)

# micro-batches: the sum of gradients is the gradient of the sum
w = torch.tensor([0.5, 0.25], requires_grad=True)
data = torch.tensor([[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5], [0.0, 1.0]])
for chunk in data.split(2):
    (chunk @ w).square().sum().div(4).backward()
micro = w.grad.clone()
w.grad = None
(data @ w).square().mean().backward()
print(micro, torch.equal(micro, w.grad))
try:
    x.grad = torch.zeros(3)
except RuntimeError as e:
    print(type(e).__name__)
try:
    x.grad = 1.0
except TypeError as e:
    print(type(e).__name__)
