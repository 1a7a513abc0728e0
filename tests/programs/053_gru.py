# A GRU that learns to echo the parity of a bit string; parameters in a dict, clipped gradients, momentum.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

width = 4
shapes = {"Wz": (width, 1 + width), "Wr": (width, 1 + width), "Wn": (width, 1 + width), "v": (width,)}
p = {}
for k, (name, shape) in enumerate(shapes.items()):
    count = 1
    for s in shape:
        count *= s
    p[name] = (torch.sin(torch.arange(count) * 2.3 + k) * 0.8).reshape(shape).requires_grad_()


def gru(x, h):
    xh = torch.cat([x, h])
    z = torch.sigmoid(p["Wz"] @ xh)
    r = torch.sigmoid(p["Wr"] @ xh)
    n = torch.tanh(p["Wn"] @ torch.cat([x, r * h]))
    return (1 - z) * n + z * h


def logit(bits):
    h = torch.zeros(width)
    for bit in bits:
        h = gru(torch.tensor([2.0 * bit - 1.0]), h)
    return p["v"] @ h


strings = [[int(c) for c in f"{k:b}"] for k in range(2, 10)]
labels = torch.tensor([sum(s) % 2 * 1.0 for s in strings])
print([len(s) for s in strings], labels.tolist())
velocity = {name: torch.zeros_like(t) for name, t in p.items()}
for epoch in range(21):
    logits = torch.stack([logit(s) for s in strings])
    loss = F.binary_cross_entropy_with_logits(logits, labels)
    grads = dict(zip(p, torch.autograd.grad(loss, list(p.values()))))
    total = torch.stack([g.norm() for g in grads.values()]).norm()
    scale = min(1.0, (0.5 / total).item())
    if epoch % 5 == 0:
        right = ((logits > 0) == (labels > 0.5)).sum().item()
        print(epoch, f"{loss.item():.6f} {total.item():.6f} {scale:.4f}", right)
    with torch.no_grad():
        for name, t in p.items():
            velocity[name] = 0.8 * velocity[name] - 0.3 * scale * grads[name]
            t += velocity[name]
print(p["v"])
