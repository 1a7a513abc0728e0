# det, slogdet, inv, solve and their gradients against the formulas in the books.
import torch
torch.set_default_dtype(torch.float64)

A = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.25, -0.5, 2.0]], requires_grad=True)
b = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
inverse = torch.linalg.inv(A.detach())

d = torch.linalg.det(A)
print(d)
d.backward()
print(A.grad)
print(torch.allclose(A.grad, d.item() * inverse.T))

A.grad = None
sign, logabs = torch.linalg.slogdet(A)
print(sign, logabs)
logabs.backward()
print(torch.allclose(A.grad, inverse.T))

A.grad = None
x = torch.linalg.solve(A, b)
print(x)
x.sum().backward()
print(b.grad)
print(torch.allclose(A.grad, -torch.outer(b.grad, x.detach())))

A.grad = None
i = torch.linalg.inv(A)
print(i)
i[0, 2].backward()
print(A.grad)
print(torch.allclose(A.grad, -torch.outer(inverse.T[:, 0], inverse.T[2])))
print(torch.allclose(A.detach() @ i.detach(), torch.eye(3)))

A.grad = None
torch.linalg.matrix_power(A, 3).trace().backward()
print(torch.allclose(A.grad, 3 * torch.linalg.matrix_power(A.detach(), 2).T))
print(torch.linalg.matrix_power(A.detach(), 0), torch.allclose(torch.linalg.matrix_power(A.detach(), -1), inverse))
X = torch.linalg.solve(A, torch.eye(3))
print(torch.allclose(X, inverse))
batch = torch.stack([torch.eye(2) * 2, torch.tensor([[0.0, 1.0], [1.0, 0.0]])])
print(torch.linalg.det(batch), torch.linalg.inv(batch))
try:
    torch.linalg.inv(torch.zeros(2, 2))
except RuntimeError as e:
    print("singular", isinstance(e, RuntimeError))
try:
    torch.linalg.det(torch.zeros(2, 3))
except RuntimeError as e:
    print(type(e).__name__)
