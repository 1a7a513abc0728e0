# Control flow and weight sharing: one hidden matrix used a number of times that depends on the step.
import torch
torch.set_default_dtype(torch.float64)

W_in = torch.tensor([[0.3, -0.2], [0.1, 0.4], [-0.5, 0.2]], requires_grad=True)
W_mid = torch.tensor([[0.2, 0.1, -0.3], [0.4, -0.1, 0.2], [-0.2, 0.3, 0.1]], requires_grad=True)
W_out = torch.tensor([[0.5, -0.6, 0.7]], requires_grad=True)


def forward(x, depth):
    h = (W_in @ x).clamp(min=0)
    for _ in range(depth):
        h = (W_mid @ h + 0.1).relu()
    return W_out @ h


x = torch.tensor([1.0, 0.5])
target = torch.tensor([0.25])
for step in range(6):
    depth = (step * step + 1) % 4
    y = forward(x, depth)
    loss = ((y - target) ** 2).sum()
    print(step, depth, f"{loss.item():.8f}", y.grad_fn.name())
    for w in (W_in, W_mid, W_out):
        w.grad = None
    loss.backward()
    print("  ", None if W_mid.grad is None else f"{W_mid.grad.norm().item():.8f}")
    with torch.no_grad():
        for w in (W_in, W_mid, W_out):
            if w.grad is not None:
                w -= 0.05 * w.grad
print(W_out)
print(W_in.grad)

# the polynomial of the tutorial: the fourth, fifth and higher powers share one coefficient
e = torch.tensor(0.01, requires_grad=True)
t = torch.tensor(1.5)
y = t - t ** 3 / 6
for exponent in range(4, 7):
    y = y + e * t ** exponent
y.backward()
print(y, e.grad)
