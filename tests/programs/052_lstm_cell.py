# An LSTM cell from its equations, run over a sequence; gradient through time into every gate.
import torch
torch.set_default_dtype(torch.float64)

size, width = 2, 3
W = (torch.cos(torch.arange(4 * width * (size + width)) * 0.7) * 0.4).reshape(4 * width, size + width).requires_grad_()
b = torch.cat([torch.zeros(width), torch.ones(width), torch.zeros(2 * width)]).requires_grad_()


def lstm(x, state):
    h, c = state
    i, f, g, o = (W @ torch.cat([x, h]) + b).chunk(4)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
    return h, c


xs = torch.sin(torch.arange(10) * 1.1).reshape(5, 2).requires_grad_()
state = (torch.zeros(width), torch.zeros(width))
outputs = []
for x in xs:
    state = lstm(x, state)
    outputs.append(state[0])
out = torch.stack(outputs)
print(out)
loss = (out[-1] ** 2).sum() + out.mean()
loss.backward()
print(f"{loss.item():.10f}")
for name, rows in zip("ifgo", range(0, 4 * width, width)):
    print(name, f"{W.grad[rows:rows + width].norm().item():.8f}", b.grad[rows:rows + width])
print(xs.grad)

# truncated: the state is detached in the middle, so the first inputs get nothing
xs.grad = None
h, c = torch.zeros(width), torch.zeros(width)
for t, x in enumerate(xs):
    if t == 3:
        h, c = h.detach(), c.detach()
    h, c = lstm(x, (h, c))
h.sum().backward()
print(xs.grad.norm(dim=1) > 0)
print(h)
