# Changes in place and views under no_grad, inside of functions that are differentiated forward.
import torch
from torch.func import hessian, jacfwd, jacrev, jvp

torch.set_default_dtype(torch.float64)
def f(x):
    with torch.no_grad():
        s = x.abs().max()
    return x / s
print(jacfwd(f)(torch.tensor([1.0, 2.0])))
def f(x):
    with torch.no_grad():
        y = torch.zeros(2)
        y[0] = x[0] * 2
        y += x
    return y * x
print(jacfwd(f)(torch.tensor([1.0, 2.0])))
def f(x):
    y = x * x
    with torch.no_grad():
        y.mul_(x)
        y[0] = 3 * x[1]
    return y * 2
print(jacfwd(f)(torch.tensor([1.0, 2.0])))
def f(x):
    t = x.sum()
    with torch.no_grad():
        s = torch.tensor(1.0)
        s += x[0]
        s *= x[1]
        t.add_(s)
    return t * x
print(jacfwd(f)(torch.tensor([1.0, 2.0])))
print(jvp(f, (torch.tensor([1.0, 2.0]),), (torch.tensor([1.0, 1.0]),)))
def f(x):
    with torch.no_grad():
        out = torch.empty(3)
        for i in range(2):
            out[i] = x[i] ** 2
        out[2].copy_(x[0] * x[1])
        out.clamp_(min=-1.0)
    return out
print(jacfwd(f)(torch.tensor([1.0, 2.0])))
print(jacrev(f)(torch.tensor([1.0, 2.0])))
print(hessian(lambda x: (f(x) * x[0]).sum())(torch.tensor([1.0, 2.0])))
