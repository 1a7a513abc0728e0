# What can require a gradient, what can be a .grad, and grad modes as statements, blocks and decorators.
import torch
torch.set_default_dtype(torch.float64)


def name(t):
    return None if t.grad_fn is None else t.grad_fn.name()


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- requires errors")
attempt(lambda: torch.tensor([1,2], requires_grad=True))
attempt(lambda: torch.ones(2, dtype=torch.int64, requires_grad=True))
attempt(lambda: torch.tensor([True], requires_grad=True))
attempt(lambda: torch.arange(3, requires_grad=True))
attempt(lambda: torch.arange(3., requires_grad=True))
attempt(lambda: torch.tensor([1,2]).requires_grad_())
attempt(lambda: torch.tensor([1,2]).requires_grad_(False))
attempt(lambda: torch.zeros(2, dtype=torch.bool, requires_grad=True))
x = torch.ones(2, requires_grad=True)
y = x*2
attempt(lambda: y.requires_grad_(False))
attempt(lambda: y.requires_grad_(True))
attempt(lambda: y.requires_grad_())
def s(t, v): t.requires_grad = v
attempt(s, y, False); attempt(s, y, True); attempt(s, x, False); print(x.requires_grad); attempt(s, x, True)
attempt(s, torch.tensor([1]), True); attempt(s, torch.tensor([1]), False)
attempt(s, x, 1); attempt(s, x, "a"); attempt(s, x, None)
def s2(t): t.grad_fn = None
attempt(s2, x)
def s3(t): t.is_leaf = True
attempt(s3, x)
def s4(t): t.shape = (1,)
attempt(s4, x)
attempt(lambda: x.long().requires_grad); attempt(lambda: (x > 0).requires_grad); attempt(lambda: x.argmax().requires_grad)
attempt(lambda: x.to(torch.int64).requires_grad); attempt(lambda: x.float()); attempt(lambda: x.to(torch.float64) is x)
attempt(lambda: x.detach().requires_grad_())
attempt(lambda: x.numpy()); attempt(lambda: (x*2).numpy()); attempt(lambda: x.tolist()); attempt(lambda: float(x.sum())); attempt(lambda: x.item())
attempt(lambda: torch.tensor(x)); attempt(lambda: torch.tensor(x, requires_grad=True)); attempt(lambda: torch.as_tensor(x) is x)
attempt(lambda: x.clone()); attempt(lambda: x.new_zeros(2)); attempt(lambda: x.new_tensor([1.,2.], requires_grad=True))
attempt(lambda: torch.zeros_like(x)); attempt(lambda: torch.ones_like(x, requires_grad=True)); attempt(lambda: torch.empty_like(x).requires_grad)


print("--- grad assign")
x = torch.tensor([1.,2.], requires_grad=True)
def s(v):
    x.grad = v
attempt(s, torch.ones(2)); print(x.grad)
attempt(s, torch.ones(3)); attempt(s, torch.ones(1)); attempt(s, torch.tensor(1.))
attempt(s, torch.ones(2, dtype=torch.float32)); attempt(s, torch.ones(2, dtype=torch.int64))
attempt(s, 3.); attempt(s, [1.,2.]); attempt(s, x); attempt(s, None); print(x.grad)
attempt(s, torch.ones(2, requires_grad=True)); print(x.grad)
n = torch.ones(2)
def s2(v):
    n.grad = v
attempt(s2, torch.ones(2)); print(n.grad)
y = x*2
def s3(v):
    y.grad = v
attempt(s3, torch.ones(2)); print(y.grad)
y.sum().backward(); print(x.grad, y.grad)
g = torch.zeros(2); x.grad = g
(x*3).sum().backward(); print(g, x.grad is g)
(x*3).sum().backward(); print(g)
x.grad = None
(x*3).sum().backward(); g1 = x.grad; (x*3).sum().backward(); print(g1, x.grad is g1)
x.grad = None
(x*x).sum().backward(create_graph=True); g1 = x.grad; (x*x).sum().backward(create_graph=True); print(g1, x.grad, x.grad is g1)
x.grad.zero_() if False else None
attempt(lambda: x.grad.zero_()); print(x.grad)
attempt(lambda: x.grad.detach_()); print(x.grad)
attempt(lambda: x.grad.zero_()); print(x.grad)
del x.grad
print(x.grad)


print("--- modes")
x = torch.tensor([1.,2.], requires_grad=True)
@torch.no_grad()
def f(t): return t*2
print(f(x))
@torch.enable_grad()
def g(t): return t*2
with torch.no_grad():
    print(g(x), torch.is_grad_enabled())
@torch.no_grad
def f2(t): return t*2
print(f2(x))
@torch.set_grad_enabled(False)
def f3(t): return t*2
print(f3(x), torch.is_grad_enabled())
torch.set_grad_enabled(False); print((x*2).requires_grad); torch.set_grad_enabled(True); print((x*2).requires_grad)
with torch.set_grad_enabled(False):
    print((x*2).requires_grad)
    with torch.enable_grad(): print((x*2).requires_grad)
print((x*2).requires_grad)
def boom():
    with torch.no_grad():
        raise ValueError("x")
attempt(boom); print(torch.is_grad_enabled())
h = torch.no_grad()
with h: print(torch.is_grad_enabled())
with h: print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
def gen():
    with torch.no_grad():
        return x*2
print(gen())
with torch.no_grad():
    w = torch.zeros(2, requires_grad=True)
    z = w*2
print(w.requires_grad, z.requires_grad)


print("--- nonleaf grad")
x = torch.ones(2, requires_grad=True)
y = x*2
print(y.grad)
y.retain_grad(); y.retain_grad(); print(y.retains_grad, x.retains_grad)
y.sum().backward(); print(y.grad)
attempt(lambda: torch.ones(2).retain_grad()); attempt(lambda: x.retain_grad())
(x*y.detach()).sum().backward(); print(x.grad)
z = (x*3).detach(); z.requires_grad_(); (z*z).sum().backward(); print(z.grad)
z.detach_(); print(z.requires_grad, z.grad)
v = x*2; w = v[0]
attempt(lambda: w.detach_()); attempt(lambda: v.detach_()); print(v.requires_grad, w.requires_grad, name(w))
attempt(lambda: x.detach_()); print(x.requires_grad)


print("--- anomaly")
x = torch.tensor([0.,4.], requires_grad=True)
with torch.autograd.detect_anomaly():
    y = x.sqrt()*0
    attempt(lambda: y.sum().backward())
print(x.grad)
with torch.autograd.set_detect_anomaly(True):
    attempt(lambda: (x.sqrt()*0).sum().backward())
with torch.autograd.set_detect_anomaly(False):
    attempt(lambda: (x.sqrt()*0).sum().backward())
print(x.grad)
torch.autograd.set_detect_anomaly(True)
print(torch.is_anomaly_enabled())
attempt(lambda: torch.log(x*0-1).sum().backward())
attempt(lambda: (x/x).sum().backward())
torch.autograd.set_detect_anomaly(False)
print(torch.is_anomaly_enabled())
with torch.autograd.set_detect_anomaly(True, check_nan=False):
    attempt(lambda: (x.sqrt()*0).sum().backward())
