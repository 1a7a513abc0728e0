# cross_entropy and nll_loss: weight, ignore_index, label_smoothing, soft labels, reductions.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.tensor([[2.0, 1.0, -1.0], [0.0, 0.5, 0.25], [-1.0, 3.0, 0.0], [1.0, 1.0, 1.0]], requires_grad=True)
y = torch.tensor([0, 2, 1, 2])


def show(label, loss):
    x.grad = None
    loss.sum().backward()
    print(label, loss.detach())
    print("  ", x.grad.flatten())


show("mean", F.cross_entropy(x, y))
show("sum", F.cross_entropy(x, y, reduction="sum"))
show("none", F.cross_entropy(x, y, reduction="none"))
w = torch.tensor([1.0, 2.0, 0.5])
show("weight", F.cross_entropy(x, y, weight=w))
show("weight sum", F.cross_entropy(x, y, weight=w, reduction="sum"))
show("ignore", F.cross_entropy(x, torch.tensor([0, -100, 1, -100])))
show("ignore 2", F.cross_entropy(x, y, ignore_index=2))
show("smoothing", F.cross_entropy(x, y, label_smoothing=0.1))
soft = torch.tensor([[0.7, 0.2, 0.1], [0.0, 0.0, 1.0], [0.1, 0.8, 0.1], [0.4, 0.3, 0.3]])
show("soft", F.cross_entropy(x, soft))
show("one row", F.cross_entropy(x[0], y[0]))
logp = F.log_softmax(x, dim=1)
show("nll", F.nll_loss(logp, y))
logp = F.log_softmax(x, dim=1)
show("nll weight", F.nll_loss(logp, y, weight=w, reduction="none"))

p = x.detach().softmax(1)
by_hand = (p - F.one_hot(y, 3)) / 4
x.grad = None
F.cross_entropy(x, y).backward()
print(torch.allclose(x.grad, by_hand))
picked = -x.log_softmax(1)[torch.arange(4), y].mean()
print(torch.allclose(picked, F.cross_entropy(x, y)), picked.exp())
big = torch.tensor([[1000.0, 0.0], [-1000.0, 0.0]], requires_grad=True)
F.cross_entropy(big, torch.tensor([1, 1])).backward()
print(F.cross_entropy(big, torch.tensor([1, 1])), big.grad)
for wrong in (torch.tensor([0, 1]), torch.tensor([0, 1, 2, 3])):
    try:
        F.cross_entropy(x, wrong)
    except (ValueError, IndexError, RuntimeError) as e:
        print(type(e).__name__)
