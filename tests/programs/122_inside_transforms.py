# Inside of a function that torch.func differentiates: what is refused there, and how tensors print.
import torch
torch.set_default_dtype(torch.float64)


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- captured")
c = torch.tensor([3.,4.])
w = torch.tensor([3.,4.], requires_grad=True)
def g(v):
    print(c); print(w); print(c*2); print(w*2); print(v*c); print(v*w)
    return (v*c*w).sum()
print(torch.func.grad(g)(torch.tensor([1.,2.])))
print(torch.func.jacrev(g)(torch.tensor([1.,2.])))
def outer(v):
    k = v*3
    def inner(u):
        print(k); print(u); print(u*k); print(u*w)
        return (u*k).sum()
    return torch.func.grad(inner)(v).sum()
print(torch.func.grad(outer)(torch.tensor([1.,2.])))
print(torch.func.grad(lambda p: (p["a"]*p["b"]).sum())({"a": c, "b": c+1}))
def h(p, q):
    print(p, q)
    return (p["a"]*q).sum()
print(torch.func.grad(h)({"a": c}, c))
print(torch.func.grad(h, argnums=1)({"a": c}, c))


print("--- format in grad")
def f(v):
    print(f"{v}"); print(f"{v:.3f}"); print("%.2f" % v); print(v.item()); print(v.tolist()); print([v.shape]); print(float(v))
    return v*2
attempt(lambda: torch.func.grad(f)(torch.tensor(1.5)))
def g(v):
    if v.sum() > 0:
        print("pos")
    print(v.max().item(), len(v), v[0])
    for q in v: print(q)
    return (v**2).sum()
attempt(lambda: torch.func.grad(g)(torch.tensor([1.,2.])))
attempt(lambda: torch.func.hessian(g)(torch.tensor([1.,2.])))


print("--- refused")


def backward(v):
    y = (v * v).sum()
    y.backward()
    return y


def backward_outside(v):
    (w * w).sum().backward()
    return (v * v).sum()


def require(v):
    u = torch.ones(2).requires_grad_()
    return (u * v).sum()


def retain(v):
    u = v * 2
    u.retain_grad()
    return u.sum()


def leaf(v):
    u = torch.ones(2, requires_grad=True)
    return (u * v).sum()


x = torch.tensor([1.0, 2.0])
for f in [backward, backward_outside, require, retain, leaf]:
    print(f.__name__)
    attempt(lambda: torch.func.grad(f)(x))
    attempt(lambda: torch.func.vjp(f, x)[0])
    attempt(lambda: torch.func.jacrev(f)(x))
    attempt(lambda: torch.func.jacfwd(f)(x))
    attempt(lambda: torch.func.jvp(f, (x,), (x,)))
    attempt(lambda: torch.func.hessian(f)(x))
attempt(lambda: torch.func.vmap(backward)(torch.ones(3, 2)))
attempt(lambda: torch.func.vmap(require)(torch.ones(3, 2)))
print(w.grad)
