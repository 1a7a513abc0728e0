# Logistic regression: gradient descent, then Newton's method (IRLS) by the Hessian; a decision boundary.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

X = torch.tensor([[0.5, 1.2], [1.0, 0.3], [1.5, 2.0], [2.0, 0.5], [2.5, 3.0], [3.0, 1.0], [3.5, 2.2], [0.2, 2.5]])
y = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0])
w = torch.zeros(2, requires_grad=True)
b = torch.zeros((), requires_grad=True)


def nll(w, b):
    return F.binary_cross_entropy_with_logits(X @ w + b, y) + 0.05 * w.dot(w)


for step in range(201):
    loss = nll(w, b)
    loss.backward()
    if step % 50 == 0:
        print(step, f"{loss.item():.8f}", w.grad, b.grad)
    with torch.no_grad():
        w -= 0.5 * w.grad
        b -= 0.5 * b.grad
        w.grad = b.grad = None
print(w, b)

theta = torch.zeros(3)
objective = lambda t: nll(t[:2], t[2])
for i in range(6):
    g = torch.func.grad(objective)(theta)
    H = torch.func.hessian(objective)(theta)
    theta = theta - torch.linalg.solve(H, g)
    print(i, f"{objective(theta).item():.12f}", f"{g.norm().item():.2e}" if i < 4 else "")
print(theta)
p = torch.sigmoid(X @ theta[:2] + theta[2])
print(p)
predicted = (p > 0.5).tolist()
print(predicted, sum(a == (b > 0.5) for a, b in zip(predicted, y.tolist())), "of", len(y))
tp = sum(1 for a, b in zip(predicted, y.tolist()) if a and b == 1.0)
print(f"precision {tp / sum(predicted):.2f} recall {tp / y.sum().item():.2f}")
covariance = torch.linalg.inv(torch.func.hessian(objective)(theta) * 8)
print(covariance.diagonal().sqrt())
