# The small pieces that every tutorial has: external gradients, repeated accumulation, frozen weights, what requires what.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([6.0, 4.0], requires_grad=True)
Q = 3 * a ** 3 - b ** 2
Q.backward(gradient=torch.tensor([1.0, 1.0]))
print(9 * a ** 2 == a.grad)
print(-2 * b == b.grad)

inp = torch.eye(4, 5, requires_grad=True)
out = (inp + 1).pow(2).T
for label in ("First call", "Second call", "Third call"):
    if label == "Third call":
        inp.grad.zero_()
    out.backward(torch.ones_like(out), retain_graph=True)
    print(f"{label}\n{inp.grad}")

x = torch.ones(5)
y = torch.zeros(3)
w = (torch.arange(15.0) / 10 - 0.7).reshape(5, 3).requires_grad_()
bias = torch.linspace(-1, 1, 3, requires_grad=True)
z = torch.matmul(x, w) + bias
loss = F.binary_cross_entropy_with_logits(z, y)
print("Gradient function for z =", z.grad_fn.name())
print("Gradient function for loss =", loss.grad_fn.name())
loss.backward()
print(w.grad)
print(bias.grad)
with torch.no_grad():
    z = torch.matmul(x, w) + bias
print(z.requires_grad, z.detach().requires_grad)

# freezing: no gradient is computed for what does not ask
layers = [torch.eye(3) * 0.5, torch.ones(3, 3) * 0.1, torch.eye(3) * 2]
for layer in layers[1:]:
    layer.requires_grad = True
h = torch.tensor([1.0, -1.0, 2.0])
for layer in layers:
    h = torch.tanh(layer @ h)
    print(h.requires_grad, end=" ")
print()
h.sum().backward()
print([layer.grad is not None for layer in layers])
u = torch.rand(1)
v = torch.rand(1)
s = torch.rand((1,), requires_grad=True)
print((u + v).requires_grad, (u + s).requires_grad, (u + s).is_leaf, s.is_leaf)
x = torch.tensor(1.0, requires_grad=True)
y = x + 2
z = y * y * 3
g = z.mean()
g.backward()
print(y, z, g, x.grad, sep="\n")
