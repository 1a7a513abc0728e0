# Learning to learn: a gradient step inside the graph, and the gradient of the outcome in start, rate and penalty.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([-1.0, 0.0, 1.0, 2.0])
tasks = [(x, 2 * x + 1), (x, -x + 0.5), (x, 0.5 * x - 1)]
theta = torch.tensor([0.1, -0.2], requires_grad=True)
rate = torch.tensor(0.1, requires_grad=True)


def loss(p, data):
    u, y = data
    return ((p[0] + p[1] * u - y) ** 2).mean()


def adapted(p, data, steps=2):
    for _ in range(steps):
        g, = torch.autograd.grad(loss(p, data), p, create_graph=True)
        p = p - rate * g
    return p


for step in range(3):
    meta = sum(loss(adapted(theta, t), t) for t in tasks) / len(tasks)
    g_theta, g_rate = torch.autograd.grad(meta, (theta, rate))
    print(step, f"{meta.item():.8f}", g_theta, f"{g_rate.item():.8f}")
    with torch.no_grad():
        theta -= 0.2 * g_theta
        rate -= 0.01 * g_rate
print(theta, rate)


def first_order(p, data):
    g, = torch.autograd.grad(loss(p, data), p)
    return p - rate.detach() * g


approx, = torch.autograd.grad(sum(loss(first_order(theta, t), t) for t in tasks), theta)
print(approx)

# ridge regression: validation loss differentiated in the penalty through the closed form
X = torch.tensor([[1.0, 0.5], [1.0, -1.0], [1.0, 2.0]])
y = torch.tensor([1.0, -0.3, 2.9])
Xv, yv = torch.tensor([[1.0, 1.0], [1.0, 0.0]]), torch.tensor([1.7, 0.5])
log_penalty = torch.tensor(-2.0, requires_grad=True)
for it in range(4):
    w = torch.linalg.solve(X.T @ X + log_penalty.exp() * torch.eye(2), X.T @ y)
    validation = (Xv @ w - yv).square().mean()
    g, = torch.autograd.grad(validation, log_penalty)
    print(it, f"{validation.item():.10f} {g.item():.10f} {log_penalty.exp().item():.6f}")
    with torch.no_grad():
        log_penalty -= 20 * g
