# More than 1000 elements: only the edges are shown; the format is that of what is shown.
import torch
torch.set_default_dtype(torch.float64)

print(torch.arange(1000)[-3:], torch.arange(1000).shape)
print(torch.arange(1001))
print(torch.arange(1001.0))
print(torch.arange(2000.0) / 3)
print(torch.zeros(5000))
print(torch.arange(1200).reshape(30, 40))
print(torch.arange(1200.0).reshape(300, 4) * 0.5)
print(torch.arange(1200.0).reshape(4, 300) - 600)
print(torch.arange(2000).reshape(2, 1000) % 3 == 0)
print(torch.arange(1320.0).reshape(2, 2, 330))
print(torch.arange(1001).reshape(7, 11, 13).shape, torch.arange(1600).reshape(8, 2, 100))
big = torch.ones(1500)
big[700] = 1e10
print(big)
big[0] = 1e10
print(big)
x = torch.linspace(0, 1, 1001, requires_grad=True)
print(x)
y = x ** 2
print(y)
y.sum().backward()
print(x.grad)
print(torch.zeros(2, 600, requires_grad=True) * 2)
print(torch.arange(1000.0).reshape(500, 2)[:3])
