# The losses with every reduction, their gradients, and a few by hand.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

p = torch.tensor([0.5, -1.0, 2.0, 0.25], requires_grad=True)
t = torch.tensor([1.0, -1.0, -1.0, 0.0])
for name, loss in [("mse", F.mse_loss), ("l1", F.l1_loss), ("smooth_l1", F.smooth_l1_loss), ("huber", F.huber_loss)]:
    for reduction in ("none", "sum", "mean"):
        p.grad = None
        value = loss(p, t, reduction=reduction)
        value.sum().backward()
        print(f"{name} {reduction}:", value.detach(), p.grad)
p.grad = None
F.smooth_l1_loss(p, t, beta=0.5).backward()
F.huber_loss(p, t, delta=2.0).backward()
print(p.grad)

q = torch.tensor([0.9, 0.2, 0.5], requires_grad=True)
y = torch.tensor([1.0, 0.0, 0.5])
bce = F.binary_cross_entropy(q, y)
print(bce, -(y * q.log() + (1 - y) * (1 - q).log()).mean())
bce.backward()
print(q.grad)
print(F.binary_cross_entropy(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.0])))
z = torch.tensor([2.0, -3.0, 100.0, -800.0], requires_grad=True)
y = torch.tensor([1.0, 0.0, 0.0, 1.0])
logits = F.binary_cross_entropy_with_logits(z, y, reduction="none")
print(logits)
logits.sum().backward()
print(z.grad)
z.grad = None
F.binary_cross_entropy_with_logits(z, y, pos_weight=torch.tensor(3.0), weight=torch.tensor([1.0, 2.0, 0.1, 0.5])).backward()
print(z.grad)

a = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
r = torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]], requires_grad=True)
kl = F.kl_div(r.log_softmax(1), a, reduction="batchmean")
print(kl, F.kl_div(r.log_softmax(1), a, reduction="sum").item() / 2, F.kl_div(r.log_softmax(1), a.log(), reduction="none", log_target=True).sum())
kl.backward()
print(r.grad)
print(torch.allclose(r.grad, (r.softmax(1) - a) / 2))
try:
    F.mse_loss(p, t, reduction="median")
except ValueError as e:
    print(type(e).__name__)
