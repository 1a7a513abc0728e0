# A transformer block without its module: layer norm, causal attention, a gelu feed-forward, residuals.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)


def grid(rows, cols, scale, phase):
    return torch.sin(torch.arange(rows * cols) * 1.7 + phase).reshape(rows, cols) * scale


T, D = 4, 6
x = grid(T, D, 1.0, 0.1).requires_grad_()
Wq, Wk, Wv, Wo = [grid(D, D, 0.5, k).requires_grad_() for k in range(4)]
W1, W2 = grid(D, 8, 0.4, 5.0).requires_grad_(), grid(8, D, 0.4, 6.0).requires_grad_()
gain, shift = torch.ones(D, requires_grad=True), torch.zeros(D, requires_grad=True)


def attention(q, k, v, causal):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if causal:
        hidden = torch.ones(len(q), len(q)).triu(1) == 1
        scores = scores.masked_fill(hidden, -math.inf)
    return scores.softmax(dim=-1) @ v


n = F.layer_norm(x, (D,), gain, shift)
print(n.mean(-1).abs().max().item() < 1e-12, n.var(-1, unbiased=False))
q, k, v = n @ Wq, n @ Wk, n @ Wv
for causal in (False, True):
    mine = attention(q, k, v, causal)
    theirs = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    print(torch.allclose(mine, theirs), mine.sum())
heads = [attention(q[:, i:i + 3], k[:, i:i + 3], v[:, i:i + 3], True) for i in (0, 3)]
h = x + torch.cat(heads, dim=1) @ Wo
out = h + F.gelu(F.layer_norm(h, (D,), gain, shift) @ W1) @ W2
print(out)
loss = F.cross_entropy(out, torch.tensor([1, 0, 5, 2]))
print(loss)
loss.backward()
for name, p in [("x", x), ("Wq", Wq), ("Wk", Wk), ("Wv", Wv), ("Wo", Wo), ("W1", W1), ("W2", W2), ("gain", gain), ("shift", shift)]:
    print(f"{name:<5} {p.grad.norm().item():.8f} {p.grad.flatten()[1].item():+.8f}")
# causality: the first position's output depends on the first row alone
x2 = x.detach().clone().requires_grad_()
attention(x2, x2, x2, True)[0].sum().backward()
print(x2.grad.abs().sum(1) > 0)
