# .grad of values that are no leaves: None, unless retain_grad() asked for it before backward.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 3
k = h ** 2
k.retain_grad()
h.retain_grad()
loss = k.sum()
loss.retain_grad()
loss.backward()
print(x.grad, h.grad, k.grad, loss.grad, sep="\n")
print(h.is_leaf, k.is_leaf, x.is_leaf)

# it accumulates like a leaf's
h = x * 3
h.retain_grad()
(h * 2).sum().backward(retain_graph=True)
print(h.grad)
(h * 5).sum().backward()
print(h.grad)

# backward propagation through a two-layer net with every activation's gradient kept
W1 = torch.tensor([[0.1, 0.2], [0.3, -0.4], [-0.5, 0.6]], requires_grad=True)
W2 = torch.tensor([[0.7, -0.8, 0.9]], requires_grad=True)
acts = [x]
for W in (W1, W2):
    acts.append(torch.tanh(W @ acts[-1]))
    acts[-1].retain_grad()
acts[-1].sum().backward()
for a in acts[1:]:
    print(a, a.grad)
by_hand = W2.T @ (1 - acts[2] ** 2)
print(torch.allclose(by_hand, acts[1].grad))

# a hook and retain_grad together: the kept gradient is what the hook made of it
v = x.sum()
v.register_hook(lambda g: g * 100)
v.retain_grad()
(v * v).backward()
print(v.grad)
x.retain_grad()
print(x.is_leaf, x.grad)
try:
    torch.ones(2).retain_grad()
except RuntimeError as e:
    print(type(e).__name__)
