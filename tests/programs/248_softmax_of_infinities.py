# logsumexp, softmax and their kin at infinities and nan, to the second order.
import torch
torch.set_default_dtype(torch.float64)
import math
import torch.nn.functional as F
I = math.inf
for v in ([-I, -I], [0., -I], [I, 0.], [I, I], [I, -I], [math.nan, 0.], [1000., 1000.], [-1000., 0.], [0.], [-I]):
    for n, f in {"lse": lambda t: t.logsumexp(0), "sm": lambda t: t.softmax(0), "lsm": lambda t: t.log_softmax(0), "lce": lambda t: t.logcumsumexp(0), "smin": lambda t: F.softmin(t, 0)}.items():
        x = torch.tensor(v, requires_grad=True); y = f(x)
        w = torch.arange(1., y.numel() + 1).view_as(y)
        g, = torch.autograd.grad((y * w).sum(), x, create_graph=True); print(n, v, y.detach(), g.detach())
        print("   ", *torch.autograd.grad((g * torch.arange(1., g.numel() + 1)).sum(), x, allow_unused=True))
x = torch.tensor([[0., -I], [-I, -I]], requires_grad=True)
print(x.softmax(1), x.logsumexp(1), x.logsumexp((0, 1)), torch.autograd.grad(x.softmax(1)[0].sum(), x))
print(torch.logaddexp(torch.tensor(-I), torch.tensor(-I)), torch.logaddexp(torch.tensor(I), torch.tensor(I)))
print(torch.empty(0).logsumexp(0), torch.empty(0, 2).softmax(0), torch.empty(2, 0).logsumexp(1))
