# Softmax and its relatives: shift invariance, the Jacobian diag(p) - p p^T, temperature, large numbers, -inf as a mask.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
p = x.softmax(dim=0)
print(p, p.sum().item() - 1 < 1e-12)
J = torch.stack([torch.autograd.grad(p[i], x, retain_graph=True)[0] for i in range(3)])
print(J)
print(torch.allclose(J, torch.diag(p) - torch.outer(p, p)))
print(torch.allclose((x + 100).softmax(0), p), torch.allclose(p.log(), x.log_softmax(0)), torch.allclose(x - x.logsumexp(0), x.log_softmax(0)))

for temperature in (0.1, 1.0, 10.0):
    x.grad = None
    q = F.softmax(x / temperature, dim=0)
    entropy = -(q * q.log()).sum()
    entropy.backward()
    print(temperature, q.detach(), f"{entropy.item():.6f}", x.grad)

big = torch.tensor([1000.0, 1001.0, -1000.0], requires_grad=True)
print(big.softmax(0), big.log_softmax(0), big.logsumexp(0))
big.log_softmax(0)[0].backward()
print(big.grad)
naive = big.exp() / big.exp().sum()
print(naive)

masked = torch.tensor([0.5, -float("inf"), 1.5], requires_grad=True)
m = masked.softmax(0)
print(m)
(m * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(masked.grad)

s = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
print(s.softmax(0), s.softmax(dim=1), torch.softmax(s, -1)[0], sep="\n")
s.softmax(1)[:, 0].prod().backward()
print(s.grad)
hessian = torch.autograd.functional.hessian(lambda t: t.logsumexp(0), torch.tensor([0.0, 1.0, 2.0]))
print(hessian)
