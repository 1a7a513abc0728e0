# A graph net: messages gathered along edges and scattered to nodes; permuting the nodes permutes the answer.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

source = torch.tensor([0, 1, 1, 2, 3, 3, 4])
target = torch.tensor([1, 0, 2, 1, 2, 4, 3])
x = torch.sin(torch.arange(10.0) * 0.8).reshape(5, 2).requires_grad_()
Wm = torch.tensor([[0.5, -0.4, 0.3], [0.2, 0.6, -0.5]], requires_grad=True)
Wu = (torch.cos(torch.arange(15.0)) * 0.5).reshape(5, 3).requires_grad_()
readout = torch.tensor([1.0, -1.0, 0.5], requires_grad=True)


def layer(x, source, target):
    messages = torch.relu(x.index_select(0, source) @ Wm)
    index = target.reshape(-1, 1).expand(len(target), 3)
    gathered = torch.zeros(len(x), 3).scatter_add(0, index, messages)
    degree = F.one_hot(target, len(x)).sum(0).clamp(min=1)
    return torch.tanh(torch.cat([x, gathered / degree[:, None]], dim=1) @ Wu)


h = layer(x, source, target)
score = h @ readout
print(h)
print(score)
loss = F.binary_cross_entropy_with_logits(score, torch.tensor([1.0, 0.0, 1.0, 0.0, 1.0]))
loss.backward()
print(f"{loss.item():.10f}", x.grad, Wm.grad, readout.grad, sep="\n")

order = torch.tensor([3, 1, 4, 0, 2])
inverse = order.argsort()
again = layer(x[order], inverse[source], inverse[target])
print(torch.allclose(again, h[order]), inverse)
# the same with a dense adjacency matrix
A = torch.zeros(5, 5)
A.index_put_((target, source), torch.ones(7), accumulate=True)
dense = torch.tanh(torch.cat([x, (A @ torch.relu(x @ Wm)) / A.sum(1, keepdim=True).clamp(min=1)], dim=1) @ Wu)
print(torch.allclose(dense, h), A.sum().item())
# which nodes does node 4 hear after two rounds? no path in, no gradient
y = x.detach().clone().requires_grad_()
one = layer(y, source, target)
reach = (torch.autograd.grad(one[4].sum(), y)[0].abs().sum(1) > 0)
print(reach)
