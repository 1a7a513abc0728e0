# Views taken under no_grad, and views of what came to require a gradient later: what they are, and what is refused.
import torch
torch.set_default_dtype(torch.float64)


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- nograd view")
x = torch.tensor([1.,2.,3.], requires_grad=True)
with torch.no_grad():
    v = x[0:2]
print(v.requires_grad, v.grad_fn, v.is_leaf)
attempt(lambda: v.add_(1))
with torch.no_grad():
    attempt(lambda: v.add_(1))
attempt(lambda: (v.requires_grad, v.grad_fn, v.is_leaf))
attempt(lambda: (v*2).sum().backward()); print(x.grad)
attempt(lambda: v*2)
y = x*1
with torch.no_grad():
    w = y[0:2]
print(w.requires_grad, w.grad_fn, w.is_leaf)
attempt(lambda: w.mul_(2))
attempt(lambda: (y, w)); attempt(lambda: w.grad_fn)
attempt(lambda: w*2)
y = x*1
with torch.no_grad():
    w = y[0:2]
    w.mul_(2)
attempt(lambda: (y, w)); attempt(lambda: w.grad_fn); attempt(lambda: w.requires_grad)
attempt(lambda: w*2)
y.mul_(3)
attempt(lambda: (y, w)); attempt(lambda: w.grad_fn); attempt(lambda: w.requires_grad)
attempt(lambda: w*2)
attempt(lambda: y.sum().backward()); print(x.grad)


print("--- nograd view2")
x = torch.tensor([1.,2.,3.,4.], requires_grad=True)
y = x*1
with torch.no_grad():
    w = y.view(2,2)
attempt(lambda: w.requires_grad_())
print(w.requires_grad)
attempt(lambda: w.sum())
attempt(lambda: w.sum().backward())
with torch.no_grad():
    u = torch.ones(3).requires_grad_()
    z = u*2
    print(z.requires_grad, u.requires_grad)
b = torch.zeros(4)
with torch.no_grad():
    c = b[:2]
attempt(lambda: c.add_(x[:2]))
attempt(lambda: (b.requires_grad, c.requires_grad))
print(b)
b = torch.zeros(4)
c = b[:2]
attempt(lambda: c.add_(x[:2]))
print(b, c)
attempt(lambda: b.sum().backward()); print(x.grad)
b = torch.zeros(4)
c = b[:2]; d = b[2:]
with torch.no_grad():
    c.add_(x[:2])
print(b, c)
attempt(lambda: d.add_(x[:2]))
attempt(lambda: (b, c, d))
x.grad=None
(b*b).sum().backward(); print(x.grad)


print("--- nograd view base nograd")
b = torch.zeros(4)
with torch.no_grad():
    c = b[:2]
b.requires_grad_()
print(c.requires_grad, c.is_leaf, c.grad_fn)
attempt(lambda: c.add_(1))
attempt(lambda: b.add_(1))
b = torch.zeros(4)
c = b[:2]
b.requires_grad_()
print(c.requires_grad, c.is_leaf, c.grad_fn)
attempt(lambda: c.add_(1))
print(b, c)
d = torch.zeros(4)
e = d[:2]
e.requires_grad_()
print(e, d)
attempt(lambda: e.add_(1))
attempt(lambda: d.add_(1))
attempt(lambda: (d*e[0]).sum().backward()); print(e.grad)


print("--- leafview")
w0 = torch.tensor(1.5, requires_grad=True)
def c1():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v.mul_(2); return b
def c2():
    b = torch.zeros(2,3); v = b.view(2,3); b[0] = w0; v.mul_(2); return b
def c3():
    b = torch.zeros(2,3); v = b.view(2,3); v.mul_(w0); v.mul_(2); return b
def c4():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v += 1; return b
def c5():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v[1] = w0; v[0] *= 2; return b
def c6():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v[:] = 2; return b
def c7():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v[...] = 2; return b
def c8():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v[torch.tensor([0])] = 2; return b
def c9():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v[v > 1] = 2; return b
def c10():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v.copy_(w0); return b
def c11():
    b = torch.zeros(2,3); v = b.view(2,3); v[0] = w0; v.zero_(); return b
def c12():
    b = torch.zeros(2,3); v = b.view(2,3); b.mul_(w0); v.requires_grad_(); v.mul_(2); return b
for c in [c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12]: attempt(c)
