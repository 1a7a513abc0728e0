# Hooks of tensors, of leaves after accumulation, of nodes; in which order, after a change in place, and what they may return.
import torch
torch.set_default_dtype(torch.float64)


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- hooks order")
x = torch.tensor([1.,2.], requires_grad=True)
def h(name, k):
    def f(g):
        print(name, g)
        return g*k if k else None
    return f
a = x*2
h1 = a.register_hook(h("a1", 2)); h2 = a.register_hook(h("a2", 0)); h3 = a.register_hook(h("a3", 3))
x.register_hook(h("x1", 10))
b = a*a
b.register_hook(h("b", 0))
b.sum().backward(); print(x.grad)
h2.remove()
x.grad = None
a = x*2
a.retain_grad()
a.register_hook(h("a1", 5))
(a*3).sum().backward(); print(a.grad, x.grad)
a = x*2
a.register_hook(h("a1", 5))
a.retain_grad()
(a*3).sum().backward(); print(a.grad, x.grad)


print("--- hooks leaf")
x = torch.tensor([1.,2.], requires_grad=True)
x.register_hook(lambda g: print("first", g))
x.register_hook(lambda g: g*2)
x.register_hook(lambda g: print("third", g))
x.register_post_accumulate_grad_hook(lambda t: print("post", t.grad))
(x*x + x*3).sum().backward()
print(x.grad)
attempt(lambda: torch.autograd.grad((x*x).sum(), x))
attempt(lambda: (x*x).sum().backward(inputs=[x]))
a = x*2
attempt(lambda: a.register_post_accumulate_grad_hook(lambda t: None))
attempt(lambda: torch.ones(2).register_post_accumulate_grad_hook(lambda t: None))
def clear(t):
    t.grad = None
w = torch.tensor(3., requires_grad=True)
w.register_post_accumulate_grad_hook(clear)
(w*w).backward(); print(w.grad)
def sgd(t):
    with torch.no_grad():
        t -= 0.1*t.grad
    t.grad = None
v = torch.tensor([1.,2.], requires_grad=True)
hd = v.register_post_accumulate_grad_hook(sgd)
for i in range(3):
    (v*v).sum().backward()
    print(v, v.grad)
hd.remove()
(v*v).sum().backward(); print(v, v.grad)


print("--- hooks inplace")
x = torch.tensor([1.,2.], requires_grad=True)
a = x*2
a.register_hook(lambda g: print("before", g))
a.mul_(3)
a.register_hook(lambda g: print("after", g))
a.retain_grad()
a.sum().backward(); print(x.grad, a.grad)
a = x*2
a.retain_grad()
a.mul_(3)
a.sum().backward(); print(a.grad)
a = x*2
a.retain_grad()
a.register_hook(lambda g: print("h", g))
a[0] = 7.
a.sum().backward(); print(a.grad)
a = x*2
v = a[0:1]
v.register_hook(lambda g: print("v", g))
v.retain_grad()
a.mul_(5)
(v*2).sum().backward(); print(v.grad)
a = x*2
v = a[0:1]
v.retain_grad()
v.mul_(5)
a.sum().backward(); print(v.grad)
x.grad=None
y = torch.tensor([1.,2.])
y.requires_grad_()
y.register_hook(lambda g: print("leaf y", g))
attempt(lambda: (y*2).sum().backward())


print("--- hooks create")
x = torch.tensor([1.,2.], requires_grad=True)
seen = []
x.register_hook(lambda g: seen.append(g))
y = (x**3).sum()
y.backward(create_graph=True)
print(seen[0], seen[0].requires_grad)
seen[0].sum().backward(); print(x.grad, len(seen))
x = torch.tensor([1.,2.], requires_grad=True)
a = x*x
a.register_hook(lambda g: g*g)
(a*a).sum().backward(create_graph=True)
print(x.grad)
z = x.grad.sum()
print(torch.autograd.grad(z, x))


print("--- gradfn hooks")
x = torch.tensor([1.,2.], requires_grad=True)
a = x*2
attempt(lambda: a.grad_fn.register_hook(lambda gi, go: print("node", gi, go)) and None)
attempt(lambda: a.grad_fn.register_prehook(lambda go: print("pre", go)) and None)
a.sum().backward(); print(x.grad)
b = x.exp()
attempt(lambda: b.grad_fn.register_hook(lambda gi, go: (gi[0]*10,)) and None)
b.sum().backward(); print(x.grad)
b = x.exp()
attempt(lambda: b.grad_fn.register_prehook(lambda go: (go[0]*10,)) and None)
b.sum().backward(); print(x.grad)


print("--- inplace hooked view")
x = torch.tensor([1.,2.], requires_grad=True)
a = x*2
v = a[0:1]
v.register_hook(lambda g: print("old v", g))
v.mul_(5)
v.register_hook(lambda g: print("new v", g))
a.register_hook(lambda g: print("a", g))
a.sum().backward(); print(x.grad)
a = x*2
v = a[0:1]
v.register_hook(lambda g: print("old v", g))
v.mul_(v)
attempt(lambda: a.sum().backward()); print(x.grad)
a = x*2
v = a.view(2,1)
v.register_hook(lambda g: print("old v", g))
v[0] = x[0]
a.sum().backward(); print(x.grad)
