# REINFORCE with a running baseline on three arms; multinomial and normal draws.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(2)
logits = torch.zeros(3, requires_grad=True)
means = torch.tensor([0.2, 0.5, 0.9])
baseline = 0.0
counts = [0] * 3
for step in range(200):
    probs = torch.softmax(logits, 0)
    a = torch.multinomial(probs.detach(), 1).item()
    counts[a] += 1
    r = torch.normal(means[a], 0.1).item()
    loss = -torch.log(probs[a]) * (r - baseline)
    g, = torch.autograd.grad(loss, logits)
    with torch.no_grad():
        logits -= 0.3 * g
    baseline += 0.1 * (r - baseline)
    if (step + 1) % 50 == 0:
        print(step + 1, [f"{p:.3f}" for p in probs.tolist()], f"{baseline:+.4f}")
print(counts, sum(counts))
