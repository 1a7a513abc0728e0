# An LSTM cell whose four gates are chunks of one product.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(11)
I, H, B, T = 3, 4, 2, 5
w_ih = torch.randn(4*H, I, requires_grad=True)
w_hh = torch.randn(4*H, H, requires_grad=True)
b_ih = torch.zeros(4*H, requires_grad=True)
b_hh = torch.zeros(4*H, requires_grad=True)
def cell(x, state):
    h, c = state
    gates = F.linear(x, w_ih, b_ih) + F.linear(h, w_hh, b_hh)
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
    return h, c
x = torch.randn(T, B, I)
state = (torch.zeros(B, H), torch.zeros(B, H))
outs = []
for t in range(T):
    state = cell(x[t], state)
    outs.append(state[0])
out = torch.stack(outs)
print(out.shape)
print(out)
out.pow(2).mean().backward()
print(w_ih.grad.norm(), w_hh.grad.norm().item())
print(b_ih.grad.view(4, H))
print(torch.equal(b_ih.grad, b_hh.grad))
