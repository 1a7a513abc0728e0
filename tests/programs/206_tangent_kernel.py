# The neural tangent kernel by jacrev, and by vjp and jvp under two vmaps.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(0)
params = (torch.randn(8, 2), torch.randn(8), torch.randn(1, 8))
def fnet(params, x):
    w1, b1, w2 = params
    return (w2 @ torch.tanh(w1 @ x + b1)).squeeze(0)
x1, x2 = torch.randn(3, 2), torch.randn(2, 2)
def jac(x):
    J = torch.func.vmap(torch.func.jacrev(fnet), (None, 0))(params, x)
    return [j.flatten(1) for j in J]
j1, j2 = jac(x1), jac(x2)
K = sum(a @ b.T for a, b in zip(j1, j2))
print(K.shape)
print(K)
def ntk_vps(x1, x2):
    def f1(p): return fnet(p, x1)
    def f2(p): return fnet(p, x2)
    out, vjp_fn = torch.func.vjp(f1, params)
    g, = vjp_fn(torch.ones_like(out))
    _, r = torch.func.jvp(f2, (params,), (g,))
    return r
K2 = torch.func.vmap(torch.func.vmap(ntk_vps, (None, 0)), (0, None))(x1, x2)
print(torch.allclose(K, K2))
