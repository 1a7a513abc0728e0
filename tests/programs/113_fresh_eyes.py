# What a comparison of random programs found: .grad with a graph, targets that are not gone through, memory that is
# written through another tensor, views taken under no_grad, retain_grad and changes in place, printf's formats.
import torch
torch.set_default_dtype(torch.float64)


def attempt(f):
    try:
        print(f())
    except (RuntimeError, TypeError, ValueError, KeyError) as e:
        print(type(e).__name__)


# .grad with create_graph, and what a later backward without one does to it
x = torch.tensor([3.0, 1.0], requires_grad=True)
y = x * x
y.retain_grad()
(y * y).sum().backward(create_graph=True)
g = x.grad
print(g, y.grad)
(x ** 3).sum().backward()
print(x.grad, x.grad is g)
g.sum().backward()
print(x.grad)

# a target that nothing is sent through is neither freed nor need it be fresh
x = torch.tensor(2.0, requires_grad=True)
y = x ** 2
print(torch.autograd.grad(y * 3, y), torch.autograd.grad(y, y))
y.backward()
print(x.grad, torch.autograd.grad(y * 4, y), torch.autograd.grad(y, y))
attempt(lambda: torch.autograd.grad(y * 4, x))
attempt(lambda: torch.autograd.grad(y * y, [y, x]))
print(torch.autograd.grad(x * 1.0, x, torch.tensor(2)), torch.autograd.grad(x * 1.0, x, torch.tensor(True)))

# memory written through another tensor
w = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.tensor(3.0, requires_grad=True)
first = w[0]
with torch.no_grad():
    w -= 0.5
(first * v).backward()
print(v.grad, w.grad)
out = v.sigmoid()
out.data.zero_()
v.grad = None
out.backward()
print(v.grad)
s = v * 2
s.detach().mul_(0.5)
v.grad = None
(s * v).backward()
print(v.grad)

# a view taken under no_grad
with torch.no_grad():
    part = w[0]
    print(part, [e for e in w], (w * 2)[0], w.detach()[0], part.requires_grad, part.is_leaf, part * 2)
attempt(lambda: part.add_(1))
attempt(lambda: w[0:0].fill_(1))

# retain_grad goes with the tensor, not with its old value
y = w * 2
y.retain_grad()
y.mul_(3)
y[0] = 5
(y * y).sum().backward()
print(y.grad, w.grad, y.retains_grad)


# attributes
def set_flag(t):
    t.requires_grad = True


def set_grad(t, value):
    t.grad = value
    return t.grad


attempt(lambda: set_flag(y))
attempt(lambda: set_grad(w, w))
print(set_grad(w * 2, torch.ones(2)))
w.detach_()
print(w.grad, w.requires_grad)
t = torch.zeros(3)
t += 1
t[1:].mul_(2)
print(t._version, t.detach()._version, t[0]._version, t.data._version, (t + 1)._version)
attempt(lambda: torch.tensor([1.0, 2.0]).unbind()[0].mul_(x))


def missing_gradient():
    p = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        p -= p.grad


attempt(missing_gradient)

# a leaf whose shape is changed in place under no_grad stays a leaf
leaf = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
with torch.no_grad():
    leaf.t_()
    leaf.unsqueeze_(0)
(leaf * torch.tensor([1.0, 10.0])).sum().backward()
print(leaf, leaf.is_leaf, leaf.grad, leaf._version)

# printf's formats
m = torch.tensor(2.75)
print("%s|%r|%d|%.3f|%5d%%|%-6.2f|%e" % (t, m, m, m, 7, m, 1e10), "%5.1f|%*d" % (1, 5, 3), "%(a)s %(b)d" % {"a": 1, "b": 2.5})
for case in [lambda: "%d" % "a", lambda: "%d %d" % 1, lambda: "%d" % (1, 2), lambda: "%f" % t, lambda: "%y" % 1, lambda: "%" % 1,
             lambda: "%s" % (), lambda: "%(a)s" % 1, lambda: "%(a)s" % {}, lambda: "a" % {"b": 1}, lambda: "a" % [1], lambda: "%s" % (t,), lambda: "%c" % 97]:
    attempt(case)
