# LSTM and GRU cells from matrices, unrolled over a sequence.
import torch
torch.set_default_dtype(torch.float64)
def lstm(x, h, c, W, U, b):
    gates = x @ W + h @ U + b
    i, f, g, o = gates.chunk(4, 1)
    i, f, o = map(torch.sigmoid, (i, f, o))
    c = f * c + i * g.tanh()
    return o * c.tanh(), c
def gru(x, h, W, U, b):
    rx, zx, nx = (x @ W).split(3, dim=-1)
    rh, zh, nh = (h @ U + b).split([3, 3, 3], dim=-1)
    r, z = torch.sigmoid(rx + rh), torch.sigmoid(zx + zh)
    n = torch.tanh(nx + r * nh)
    return (1 - z) * n + z * h
def mk(*s): 
    n = math.prod(s)
    return torch.cos(torch.arange(float(n)) * 1.7).reshape(*s).requires_grad_()
import math
W, U, b = mk(2, 12), mk(3, 12), mk(12)
h = c = torch.zeros(2, 3)
for t in range(4):
    h, c = lstm(torch.full((2, 2), t * 0.5), h, c, W, U, b)
print(h, c, h.grad_fn.name(), sep="\n")
(h.sum() + c.pow(2).sum()).backward()
print(W.grad, U.grad.abs().max(), b.grad)
W2, U2, b2 = mk(2, 9), mk(3, 9), mk(9)
h = torch.zeros(2, 3)
hs = []
for t in range(5):
    h = gru(torch.ones(2, 2) * t, h, W2, U2, b2); hs.append(h)
H = torch.stack(hs)
print(H.shape, H[-1])
gW, gU = torch.autograd.grad(H.mean(), [W2, U2])
print(gW, gU)
