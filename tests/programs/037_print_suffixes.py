# requires_grad, grad_fn and dtype after the data: on the same line while the line stays within 80 columns.
import torch
torch.set_default_dtype(torch.float64)

for n in range(1, 13):
    print(torch.ones(n, requires_grad=True))
for n in range(1, 13):
    print(torch.ones(n, requires_grad=True) * 0.5)
for n in (3, 7, 8, 9, 10):
    print(torch.full((n,), -0.25, requires_grad=True).sigmoid())
print(torch.ones(2, 2, requires_grad=True))
print(torch.ones(2, 6, requires_grad=True) / 3)
print(torch.ones(2, 7, requires_grad=True).exp())
print(torch.ones(1, 8, requires_grad=True).exp())
print(torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True).softmax(dim=1))
print(torch.ones(2, 2, 2, requires_grad=True) + 1)
print(torch.ones(3, dtype=torch.float32), torch.ones(3, dtype=torch.float32, requires_grad=True))
print(torch.ones(9, dtype=torch.float32) / 3)
print(torch.ones(8, dtype=torch.float32, requires_grad=True) / 3)
print(torch.ones(4, dtype=torch.float32, requires_grad=True) / 3)
print(torch.zeros(0, requires_grad=True), torch.zeros(0, requires_grad=True) * 2)
print(torch.tensor(1.5, requires_grad=True), torch.tensor(1.5, requires_grad=True).log())
print(torch.nn.functional.binary_cross_entropy_with_logits(torch.ones(4, requires_grad=True), torch.ones(4), reduction="none"))
print(torch.ones(4, requires_grad=True).detach(), torch.ones(4, requires_grad=True).requires_grad_(False))
print([torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True) * 2])
x = torch.arange(14.0, requires_grad=True)
print(x)
print(x * 1.0)
print(x.cumsum(0))
