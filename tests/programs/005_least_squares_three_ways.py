# A line through points: gradient descent, Newton's method with the Hessian, and the normal equations agree.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0])
y = torch.tensor([1.1, 2.9, 5.4, 6.7, 9.1])
X = torch.stack([torch.ones_like(x), x], dim=1)


def loss(beta):
    return 0.5 * ((X @ beta - y) ** 2).sum()


beta = torch.zeros(2, requires_grad=True)
for i in range(400):
    value = loss(beta)
    value.backward()
    with torch.no_grad():
        beta -= 0.05 * beta.grad
    beta.grad = None
print(beta)
print(f"{value.item():.8f}")

start = torch.tensor([3.0, -3.0])
g = torch.func.grad(loss)(start)
H = torch.func.hessian(loss)(start)
print(g, H, sep="\n")
newton = start - torch.linalg.solve(H, g)
normal = torch.linalg.inv(X.T @ X) @ X.T @ y
pinv = torch.linalg.pinv(X) @ y
print(newton)
print(torch.allclose(newton, normal), torch.allclose(normal, pinv), torch.allclose(beta, normal, atol=1e-4))

# weighted, through the solution itself: how the slope answers to each weight
w = torch.ones(5, requires_grad=True)
W = torch.diag(w)
slope = torch.linalg.solve(X.T @ W @ X, X.T @ W @ y)[1]
slope.backward()
print(slope)
print(w.grad)
