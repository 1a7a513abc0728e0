# What backward reads after a change through .data or detach(); what .data can become; version counters.
import torch
torch.set_default_dtype(torch.float64)


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- data memory")
x = torch.tensor([2.,3.], requires_grad=True); y0 = torch.tensor([4.,5.], requires_grad=True)
y = x*y0
x.data[0] = 5
y.sum().backward(); print(x.grad, y0.grad)
x = torch.tensor([2.,3.], requires_grad=True); y0 = torch.tensor([4.,5.], requires_grad=True)
y = x*y0
x.detach()[0] = 5
attempt(lambda: y.sum().backward()); print(x.grad, y0.grad)
x = torch.tensor([2.,3.], requires_grad=True); y0 = torch.tensor([4.,5.], requires_grad=True)
y = x[0]*y0
x.data[0] = 5
y.sum().backward(); print(x.grad, y0.grad)
x = torch.tensor([2.,3.], requires_grad=True); y0 = torch.tensor([4.,5.], requires_grad=True)
y = x[:1]*y0
x.data[0] = 5
y.sum().backward(); print(x.grad, y0.grad)
x = torch.tensor([2.,3.], requires_grad=True)
a = x*2
y = a*a
a.data[0] = 50
y.sum().backward(); print(x.grad)
a = x*2
v = a[0]; w = a.view(2,1)
y = v*w.sum()
a.data.zero_()
x.grad=None; y.backward(); print(x.grad)
x = torch.tensor(2., requires_grad=True); y0 = torch.tensor(4., requires_grad=True)
y = x*y0
x.data.fill_(7)
y.backward(); print(x.grad, y0.grad)
x = torch.tensor(2., requires_grad=True); y0 = torch.tensor(4., requires_grad=True)
y = x*y0
x.data = torch.tensor(7.)
y.backward(); print(x.grad, y0.grad)
x = torch.tensor(2., requires_grad=True)
a = x*3
y = a*a
a.data.fill_(1)
y.backward(); print(x.grad)
a = x*3
y = a.exp()
y.data.fill_(1)
x.grad=None; y.backward(); print(x.grad)
x = torch.tensor([[1.,2.],[3.,4.]], requires_grad=True)
y = x.T @ x
x.data[0,0] = 100
x.grad=None; y.sum().backward(); print(x.grad)
y = (x[0]*x[1]).sum()
x.data.fill_(1.)
x.grad=None; y.backward(); print(x.grad)
d = x.detach(); 
y = (x.T*x).sum()
with torch.no_grad():
    d.copy_(torch.tensor([[9.,8.],[7.,6.]]))
attempt(lambda: y.backward())
y = (x.unbind(0)[0]*x[1]).sum()
x.data.fill_(2.)
x.grad=None; y.backward(); print(x.grad)
y = (x.expand(2,2,2)*x.diagonal()).sum()
x.data.fill_(3.)
x.grad=None; y.backward(); print(x.grad)


print("--- data assign")
x = torch.tensor([1.,2.], requires_grad=True)

y = x*2
x.data = torch.tensor([5.,6.])
print(x, x.requires_grad, x.is_leaf); y.sum().backward(); print(x.grad)
def s1():
    x.data = torch.ones(3)
attempt(s1); print(x, x.grad)
def s2():
    x.data = torch.ones(2, dtype=torch.int64)
attempt(s2)
def s3():
    x.data = 3.
attempt(s3)
def s4():
    x.data = None
attempt(s4)
print(x._version); x.data.add_(1); print(x._version, x.data._version)
x = torch.tensor([1.,2.], requires_grad=True)
d = x.detach(); d.add_(1); print(x._version, d._version)
with torch.no_grad():
    x += 1
print(x._version, d._version)
z = x*1; z[0] = 3; print(z._version); z.add_(1); print(z._version); v=z.view(2,1); print(v._version); v.mul_(2); print(z._version)
w = z.clone(); print(w._version); w.zero_(); print(w._version)
u = z.unbind(); print(u[0]._version)


print("--- stale other")
x = torch.tensor([1.,2.], requires_grad=True); w = torch.tensor([1.,2.], requires_grad=True)
a = x*2; b = w*3
y = a*b
a.add_(1)
attempt(lambda: torch.autograd.grad(y.sum(), w, retain_graph=True))
attempt(lambda: torch.autograd.grad(y.sum(), x, retain_graph=True))
attempt(lambda: y.sum().backward())
c = x*2
y = c.detach()*b
c.add_(1)
attempt(lambda: y.sum().backward())
