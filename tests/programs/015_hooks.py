# register_hook: watching, replacing and clipping gradients; the order of hooks; taking one away.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
log = []
handle = x.register_hook(lambda g: log.append(g.sum().item()))
(x ** 2).sum().backward()
print(log, x.grad)
handle.remove()
x.grad = None
(x ** 2).sum().backward()
print(log, x.grad)

# a hook that returns a value replaces the gradient; a later hook sees the replaced one
x.grad = None
x.register_hook(lambda g: g * 10)
x.register_hook(lambda g: g.clamp(max=45.0))
(x ** 2).sum().backward()
print(x.grad)

# on the way: everything below sees the change
w = torch.tensor(2.0, requires_grad=True)
m = w * 3
m.register_hook(lambda g: print("m", g))
n = m ** 2
n.register_hook(lambda g: -g)
n.register_hook(lambda g: print("n", g))
(n + 1).backward()
print(w.grad)

# the hook gets the sum over all uses, once
calls = []
u = w * 1.0
u.register_hook(lambda g: calls.append(g.item()))
(u * u + 3 * u).backward()
print(calls)

order = []


def note(name):
    def hook(grad):
        order.append(name)
    return hook


p = torch.tensor(1.0, requires_grad=True)
q = p.exp()
r = q.sin()
p.register_hook(note("p"))
r.register_hook(note("r"))
q.register_hook(note("q"))
r.backward()
print(order)
try:
    torch.tensor(1.0).register_hook(print)
except RuntimeError as e:
    print(type(e).__name__)
