# Truncated backpropagation through time: how far the gradient reaches, and what detach() cuts.
import torch
torch.set_default_dtype(torch.float64)

a = torch.tensor(0.9, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
inputs = torch.tensor([1.0, -0.5, 0.25, 2.0, -1.0, 0.75])
targets = torch.tensor([0.4, 0.1, 0.3, 1.1, 0.5, 0.8])


def gradients(cut):
    h = torch.zeros(())
    loss = torch.zeros(())
    for t, (u, y) in enumerate(zip(inputs, targets)):
        if cut and t % cut == 0:
            h = h.detach()
        h = a * h + b * u
        loss = loss + (h - y) ** 2
    return (loss.item(), *[g.item() for g in torch.autograd.grad(loss, (a, b))])


for cut in (None, 1, 2, 3, 6):
    print(cut, *[f"{v:.8f}" for v in gradients(cut)])

# online: a backward pass every two steps, gradients accumulating in .grad
h, losses = torch.zeros(()), []
for start in range(0, 6, 2):
    h = h.detach()
    loss = 0.0
    for u, y in zip(inputs[start:start + 2], targets[start:start + 2]):
        h = a * h + b * u
        loss = loss + (h - y) ** 2
    loss.backward()
    losses.append(round(loss.item(), 8))
print(losses, f"{a.grad.item():.8f} {b.grad.item():.8f}")

# real-time recurrent learning: the sensitivity carried forward
with torch.no_grad():
    h, ha, hb, ga, gb = 0.0, 0.0, 0.0, 0.0, 0.0
    for u, y in zip(inputs.tolist(), targets.tolist()):
        ha, hb = h + a.item() * ha, u + a.item() * hb
        h = a.item() * h + b.item() * u
        ga += 2 * (h - y) * ha
        gb += 2 * (h - y) * hb
print(f"{ga:.8f} {gb:.8f}")
influence = []
for lag in range(6):
    u = inputs.clone().requires_grad_()
    h = torch.zeros(())
    for v in u:
        h = a.detach() * h + b.detach() * v
    influence.append(torch.autograd.grad(h, u)[0][5 - lag].item())
print([round(v, 6) for v in influence], [round(0.5 * 0.9 ** k, 6) for k in range(6)])
