# The graph after writes through views: CopySlices, what follows it, the second backward; views after their base changed.
import torch
torch.set_default_dtype(torch.float64)


def name(t):
    return None if t.grad_fn is None else t.grad_fn.name()


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- copyslices")
x = torch.tensor([1.,2.,3.], requires_grad=True)
y = x*2
y[0] = 5.
print(y.grad_fn.name(), y.grad_fn.next_functions[0][0].name(), len(y.grad_fn.next_functions), y.grad_fn.next_functions[1:])
y = x*2; s = x.sum()
y[0] = s
print([ (f[0].name() if f[0] is not None else None, f[1]) for f in y.grad_fn.next_functions])
y.sum().backward(); print(x.grad)
attempt(lambda: y.sum().backward()); print(x.grad)
y = x*2
v = y[0:2]; v.mul_(x[0:2])
print([ (f[0].name() if f[0] is not None else None, f[1]) for f in y.grad_fn.next_functions], v.grad_fn.name())
print([ (f[0].name() if f[0] is not None else None, f[1]) for f in v.grad_fn.next_functions])
y.sum().backward(retain_graph=True); print(x.grad)
attempt(lambda: y.sum().backward()); print(x.grad)
attempt(lambda: y.sum().backward()); print(x.grad)
z = torch.zeros(3); z[1] = x[0]*x[1]
print([ (f[0].name() if f[0] is not None else None, f[1]) for f in z.grad_fn.next_functions])
z.sum().backward(retain_graph=True)
attempt(lambda: z.sum().backward())
attempt(lambda: z.sum().backward())
z = torch.zeros(3); z[1] = x[0]
z.sum().backward()
attempt(lambda: z.sum().backward())
z = torch.zeros(3); z[1:] = x[:2]; z[0].add_(x[1])
attempt(lambda: print([ (f[0].name() if f[0] is not None else None, f[1]) for f in z.grad_fn.next_functions]))
z.sum().backward()
attempt(lambda: z.sum().backward())
y = x*2; v = y[0:2]; v.exp_()
g, = torch.autograd.grad(y.sum(), x, create_graph=True); print(g)
print(torch.autograd.grad(g.sum(), x))
y = x*2; v = y[0:2]; v.zero_(); print(v, y, [f.name() for f, _ in v.grad_fn.next_functions])
y = x*2; y.zero_(); print(y)
y = x*2; y.fill_(3); print(y)
y = x*2; y[0].fill_(3); print(y)
y = x*2; y[:] = 0; print(y)
y = x*2; y.copy_(x); print(y)
y = x*2; y[torch.tensor([0,1])] = x[:2]; print(y)
y = x*2; y[y>2] = 0; print(y)


print("--- views nodes")
x = torch.tensor([1.,2.,3.], requires_grad=True)
y = x*1
v = y[0:2]
with torch.no_grad():
    y.mul_(2)
print(name(v), v, y)
attempt(lambda: v.sum().backward()); print(x.grad)
y = x*1
v = y[0:2]
y.detach().mul_(2)
print(name(v))
y = x*1
v = y[0:2]
y.data.mul_(2)
print(name(v), v)
y = x*1
u = y.unbind()
with torch.no_grad():
    y.mul_(2)
attempt(lambda: name(u[0])); attempt(lambda: u[0]*2); attempt(lambda: u[0])
y = x*1
p, q = y.split([1,2])
attempt(lambda: p.add_(1))
with torch.no_grad():
    attempt(lambda: p.add_(1))
attempt(lambda: q)
attempt(lambda: q[0].add_(1))
p, q = (x*1).chunk(2)
attempt(lambda: p.zero_())
attempt(lambda: p[0].zero_())
p, q = (x*1).tensor_split(2)
attempt(lambda: p.zero_())
for r in (x*1):
    attempt(lambda: r.zero_())
n = torch.zeros(3)
u = n.unbind()
attempt(lambda: u[0].add_(1)); attempt(lambda: u[0].add_(x[0])); print(n)
p, q = n.split(2)
attempt(lambda: p.add_(1)); attempt(lambda: p.add_(x[0])); print(n)
attempt(lambda: n.add_(x)); attempt(lambda: p*1); attempt(lambda: p)
n = torch.zeros(3)
e = n.expand(2,3)
attempt(lambda: e.add_(1))
n.add_(x)
print(e)
x.grad=None
(e*torch.arange(6.).view(2,3)).sum().backward(); print(x.grad)
m = torch.zeros(2,3)
t = m.t()
m.add_(x)
x.grad=None
(t*torch.arange(6.).view(3,2)).sum().backward(); print(x.grad, name(t))
m = torch.zeros(2,3); f = m.t()
f[0].add_(x[:2]); f[1:, 0] = x[1:]*x[2]
print(m, f)
x.grad=None
(m*torch.arange(6.).view(2,3)).sum().backward(); print(x.grad, name(f), name(m))
b = (torch.zeros(3,2)+x.view(3,1)).t()
b2 = b*1
v = b2.T.view(-1)
v[1:4] = x*x
x.grad=None
(b2*torch.arange(6.).view(2,3)).sum().backward(); print(b2, x.grad)
d = torch.zeros(3,3); d.diagonal().copy_(x); d.diagonal(1).mul_(2); d.diagonal(1).add_(x[:2])
x.grad=None; (d*torch.arange(9.).view(3,3)).sum().backward(); print(d, x.grad)
y = x*1
w = y.unfold(0, 2, 1)
y.mul_(x)
x.grad=None; (w*torch.tensor([[1.,2.],[3.,4.]])).sum().backward(); print(w, x.grad)
y = x*1


print("--- scalars views")
x = torch.tensor(2., requires_grad=True)
y = x*3
v = y.view(1)
y.mul_(2)
print(v, name(v)); v.sum().backward(); print(x.grad)
y = x*3
v = y.view(1)
v.mul_(x)
print(y, name(y)); y.backward(); print(x.grad)
z = torch.zeros(())
z.add_(x); print(z); z[...] = x*x; print(z)
z.backward()
print(x.grad)
z = torch.tensor(1.); w = z.expand(3); z.mul_(x); print(w, name(w))
x.grad=None; w.sum().backward(); print(x.grad)


print("--- tinplace")
x = torch.arange(6.).view(2,3).requires_grad_()
y = x*1
v = y[0]
y.t_()
y.mul_(2)
print(v, name(v), name(y))
(v*torch.tensor([1.,2.,3.])).sum().backward(); print(x.grad)
y = x*1
v = y[0]
v.unsqueeze_(0)
print(name(v), name(y), v.shape)
x.grad=None; v.sum().backward(); print(x.grad)
v.mul_(3); x.grad=None; attempt(lambda: (y*y).sum().backward()); print(x.grad)
