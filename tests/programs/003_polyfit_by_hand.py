# sin(x) by a cubic, the four gradients worked out by hand; compared at the end with what autograd says.
import math
import torch
torch.set_default_dtype(torch.float64)

x = torch.linspace(-math.pi, math.pi, 101)
y = torch.sin(x)
a, b, c, d = 0.3, -0.2, 0.1, 0.05
learning_rate = 2e-5
for t in range(300):
    y_pred = a + b * x + c * x ** 2 + d * x ** 3
    loss = (y_pred - y).pow(2).sum().item()
    if t % 60 == 59:
        print(t, round(loss, 6))
    grad_y_pred = 2.0 * (y_pred - y)
    grad_a = grad_y_pred.sum()
    grad_b = (grad_y_pred * x).sum()
    grad_c = (grad_y_pred * x ** 2).sum()
    grad_d = (grad_y_pred * x ** 3).sum()
    a -= learning_rate * grad_a
    b -= learning_rate * grad_b
    c -= learning_rate * grad_c
    d -= learning_rate * grad_d
print(f"Result: y = {a.item():.5f} + {b.item():.5f} x + {c.item():.5f} x^2 + {d.item():.5f} x^3")
print(a, b.requires_grad, c.grad_fn, d.dtype)

p = torch.stack([a, b, c, d]).requires_grad_()
basis = torch.stack([x ** k for k in range(4)], dim=1)
print(basis.shape, p.is_leaf)
loss = (basis @ p - y).pow(2).sum()
loss.backward()
y_pred = (basis @ p).detach()
by_hand = torch.stack([(2 * (y_pred - y) * x ** k).sum() for k in range(4)])
print(p.grad)
print(torch.allclose(by_hand, p.grad))
