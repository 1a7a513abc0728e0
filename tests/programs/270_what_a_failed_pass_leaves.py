# A backward pass that fails halfway has handed over what it had finished: leaves, retained gradients, hooks.
import torch

torch.set_default_dtype(torch.float64)


def attempt(y, **how):
    try:
        y.backward(**how)
        print("done")
    except RuntimeError as e:
        print("freed" if "second time" in str(e) else "changed" if "inplace" in str(e) or "in place" in str(e) else "other")


# a freed part: what lies before it is done, at each attempt once more
w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
inner = w * x
attempt(inner)
attempt(inner * 2 + b)
attempt(b + inner * 2)
print(w.grad, x.grad, b.grad)

# a leaf that the freed part leads to, too, is not finished
shared = torch.exp(b)
attempt(shared)
attempt(shared + b * x)
print(b.grad, x.grad)

# vectors, retained gradients and hooks
v = torch.tensor([1.0, 2.0], requires_grad=True)
c = torch.tensor([0.5, 0.5], requires_grad=True)
u = v * v
attempt(u.sum())
h = u * 3
u.retain_grad()
h.retain_grad()
h.register_hook(lambda g: print("hook of h", g))
c.register_hook(lambda g: print("hook of c", g))
attempt((h + c * 2).sum())
print(u.grad, h.grad, c.grad, v.grad)

# a value that was changed in place
p = torch.tensor(1.5, requires_grad=True)
q = torch.tensor(2.5, requires_grad=True)
s = p * 1.0
t = torch.sin(s)
s += 1.0
y = t + q * q
attempt(y)
print(p.grad, q.grad)
attempt(y)
print(q.grad)
attempt(t + q)
attempt(t + q)
print(q.grad)

# named inputs, a create_graph pass, and a graph that goes on working
attempt(inner + b, inputs=[b])
print(b.grad)
f = torch.tensor(0.5, requires_grad=True)
k = torch.exp(f)
attempt(k)
attempt(k * x + x, create_graph=True)
print(f.grad, x.grad)
z = (x * f).tanh()
attempt(z, retain_graph=True)
attempt(z + k)
attempt(z)
print(f.grad, x.grad)

# a hook that raises
def refuse(g):
    raise ValueError("no")


m = torch.tensor(1.0, requires_grad=True)
n = torch.tensor(2.0, requires_grad=True)
r = m * 3
r.register_hook(refuse)
try:
    (r + n * 2).backward()
except ValueError as e:
    print(e, m.grad, n.grad)
