# A transformer block written out, against scaled_dot_product_attention.
import torch
torch.set_default_dtype(torch.float64)
import torch.nn.functional as F
B, T, C, H = 2, 4, 8, 2
def P(*s, k=1.0):
    n = 1
    for v in s: n *= v
    return (torch.sin(k * torch.arange(n)).double() * 0.2).view(s).requires_grad_(True)
x = P(B, T, C, k=3.1)
Wqkv, Wo, W1, W2 = P(C, 3*C, k=.9), P(C, C, k=.8), P(C, 16, k=.7), P(16, C, k=.6)
g1, b1 = torch.ones(C, requires_grad=True), torch.zeros(C, requires_grad=True)
def attn(x):
    qkv = x @ Wqkv
    q, k, v = qkv.split(C, dim=2)
    q, k, v = [t.view(B, T, H, C // H).transpose(1, 2) for t in (q, k, v)]
    att = (q @ k.transpose(-2, -1)) * (1.0 / (k.size(-1) ** 0.5))
    m = torch.tril(torch.ones(T, T)).view(1, 1, T, T)
    att = att.masked_fill(m == 0, float("-inf"))
    y = F.softmax(att, dim=-1) @ v
    y2 = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    print(torch.allclose(y, y2), y.shape)
    return y.transpose(1, 2).contiguous().view(B, T, C) @ Wo
h = x + attn(F.layer_norm(x, (C,), g1, b1))
h = h + F.gelu(F.layer_norm(h, (C,), g1, b1) @ W1) @ W2
print(h)
loss = F.cross_entropy(h.view(-1, C), torch.arange(B*T) % C, label_smoothing=0.1)
print(loss)
loss.backward()
for n, p in dict(x=x, Wqkv=Wqkv, Wo=Wo, W1=W1, W2=W2, g1=g1, b1=b1).items():
    print(n, p.grad.shape, p.grad.norm().item(), p.grad.flatten()[:3])
