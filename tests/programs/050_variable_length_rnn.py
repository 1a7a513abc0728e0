# Recurrent net over sequences of different lengths, gradient through time by hand and by autograd.
import torch
torch.set_default_dtype(torch.float64)

U = torch.tensor([[0.4, -0.1], [0.3, 0.2], [-0.2, 0.5]], requires_grad=True)
W = torch.tensor([[0.1, -0.4, 0.2], [0.3, 0.1, -0.3], [0.0, 0.2, 0.4]], requires_grad=True)
v = torch.tensor([0.5, -1.0, 0.8], requires_grad=True)


def run(inputs):
    states = [torch.zeros(3)]
    for x in inputs:
        states.append((U @ x + W @ states[-1]).tanh())
    return states


def batch():
    for_length = lambda n: torch.cos(torch.arange(2 * n) * 0.9 + n).reshape(n, 2)
    return [(for_length(n), float(n % 3 - 1)) for n in (1, 4, 2, 7)]


for epoch in range(4):
    losses = []
    for inputs, target in batch():
        loss = (v @ run(inputs)[-1] - target) ** 2
        loss.backward()
        losses.append(loss.item())
    print(epoch, " ".join(f"{l:.6f}" for l in losses))
    with torch.no_grad():
        for p in (U, W, v):
            p -= 0.05 * p.grad
            p.grad = None
print(v)

# backpropagation through time by hand
inputs, target = batch()[1]
states = run(inputs)
with torch.no_grad():
    error = 2 * (v @ states[-1] - target)
    delta, dW, dU = error * v, torch.zeros(3, 3), torch.zeros(3, 2)
    for t in reversed(range(len(inputs))):
        pre = delta * (1 - states[t + 1] ** 2)
        dW += torch.outer(pre, states[t])
        dU += torch.outer(pre, inputs[t])
        delta = W.T @ pre
((v @ states[-1] - target) ** 2).backward()
print(torch.allclose(dW, W.grad), torch.allclose(dU, U.grad))
print(W.grad)
