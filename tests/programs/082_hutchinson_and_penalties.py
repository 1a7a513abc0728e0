# Higher order at work: gradient penalty, Jacobian norm, Hutchinson's trace with fixed signs, curvature along a direction.
import torch
torch.set_default_dtype(torch.float64)

W1 = torch.tensor([[0.5, -0.3], [0.8, 0.1], [-0.6, 0.9]], requires_grad=True)
w2 = torch.tensor([0.7, -0.4, 0.3], requires_grad=True)
net = lambda x: torch.tanh(W1 @ x) @ w2
x = torch.tensor([0.4, -0.9], requires_grad=True)

g, = torch.autograd.grad(net(x), x, create_graph=True)
penalty = (g.norm() - 1) ** 2
penalty.backward()
print(penalty, W1.grad, w2.grad, sep="\n")

W1.grad = w2.grad = x.grad = None
hidden = lambda x: torch.tanh(W1 @ x)
J = torch.autograd.functional.jacobian(hidden, x, create_graph=True)
frobenius = (J ** 2).sum()
frobenius.backward()
print(frobenius, W1.grad, sep="\n")
print(w2.grad)

# exact trace of the Hessian from all sign vectors of two dimensions
signs = [torch.tensor([a, b]) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
total = 0.0
for v in signs:
    g, = torch.autograd.grad(net(x), x, create_graph=True)
    Hv, = torch.autograd.grad(g @ v, x)
    total += (v @ Hv).item()
H = torch.autograd.functional.hessian(net, x.detach())
print(f"{total / 4:.10f} {H.trace().item():.10f}")
d = torch.tensor([0.6, 0.8])
along = lambda t: net(x.detach() + t * d)
second = torch.func.grad(torch.func.grad(along))(torch.tensor(0.0))
print(torch.allclose(second, d @ H @ d), second.detach())

# line search along the gradient with Armijo's rule
p, trace = torch.tensor([2.0, -1.5]), []
objective = lambda p: (p ** 4).sum() / 4 + p[0] * p[1]
for it in range(6):
    g = torch.func.grad(objective)(p)
    step = 1.0
    while objective(p - step * g) > objective(p) - 0.25 * step * g @ g:
        step /= 2
    p = p - step * g
    trace.append(step)
print(trace, p)
