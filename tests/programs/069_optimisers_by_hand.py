# SGD, momentum, Nesterov, RMSprop, Adam, AdamW by hand on the Rosenbrock function; state in lists and dicts.
import math
import torch
torch.set_default_dtype(torch.float64)


def rosenbrock(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2


def sgd(p, g, state, lr=1e-3):
    p -= lr * g


def momentum(p, g, state, lr=5e-4, beta=0.9):
    state["v"] = beta * state.get("v", torch.zeros_like(p)) + g
    p -= lr * state["v"]


def nesterov(p, g, state, lr=5e-4, beta=0.9):
    state["v"] = beta * state.get("v", 0.0) + g
    p -= lr * (g + beta * state["v"])


def rmsprop(p, g, state, lr=1e-2, alpha=0.99, eps=1e-8):
    state["s"] = alpha * state.get("s", torch.zeros_like(p)) + (1 - alpha) * g ** 2
    p -= lr * g / (state["s"].sqrt() + eps)


def adam(p, g, state, lr=5e-2, betas=(0.9, 0.999), eps=1e-8, decay=0.0):
    t = state["t"] = state.get("t", 0) + 1
    state.setdefault("m", torch.zeros_like(p)).mul_(betas[0]).add_((1 - betas[0]) * g)
    state.setdefault("s", torch.zeros_like(p)).mul_(betas[1]).add_((1 - betas[1]) * g * g)
    m, s = state["m"] / (1 - betas[0] ** t), state["s"] / (1 - betas[1] ** t)
    p.mul_(1 - lr * decay)
    p -= lr * m / (s.sqrt() + eps)


def adamw(p, g, state):
    adam(p, g, state, decay=1e-2)


for update in (sgd, momentum, nesterov, rmsprop, adam, adamw):
    p = torch.tensor([-1.2, 1.0], requires_grad=True)
    state, trace = {}, []
    for step in range(120):
        loss = rosenbrock(p)
        g, = torch.autograd.grad(loss, p)
        with torch.no_grad():
            update(p, g, state)
        if step % 30 == 0:
            trace.append(f"{loss.item():.6f}")
    print(len(state), sorted(state), trace, p.detach())

# a schedule: warm-up and cosine decay
rate = lambda t, T=10, top=0.1: top * (t + 1) / 3 if t < 3 else 0.5 * top * (1 + math.cos(math.pi * (t - 3) / (T - 3)))
print([f"{rate(t):.4f}" for t in range(10)])
