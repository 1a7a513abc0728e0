# Two inputs, one output: the value, its graph's last node, and both partial derivatives.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
a = x * y
b = a + 1
z = b ** 2
print(a, b, z, sep="\n")
z.backward()
print(x.grad, y.grad)
print("dz/dx =", x.grad.item(), "dz/dy =", y.grad.item())
assert x.grad == 2 * (2 * 3 + 1) * 3
assert y.grad == 2 * (2 * 3 + 1) * 2

# the linear layer of every tutorial
w = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
bias = torch.zeros(2, requires_grad=True)
inp = torch.tensor([1.0, 2.0, -1.0])
out = w @ inp + bias
print(out)
loss = (out - torch.tensor([0.0, 1.0])).pow(2).mean()
print(loss)
loss.backward()
print(w.grad)
print(bias.grad)
print(inp.grad, inp.requires_grad)
