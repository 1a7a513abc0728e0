# backward(inputs=...) with results of operations, with and without retain_grad; what a 0-d tensor can't be gone over by.
import torch

torch.set_default_dtype(torch.float64)
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = x * 2
w.retain_grad()
w.mean().backward(inputs=w)
print(w.grad, w.retains_grad, x.grad)
w = x * 2
w.retain_grad()
y = w * w
y.sum().backward(inputs=[w, x], retain_graph=True)
print(w.grad, x.grad)
y.sum().backward(inputs=[w], retain_graph=True)
print(w.grad, x.grad)
y.sum().backward()
print(w.grad, x.grad)
v = x * 3
z = (v * v).sum()
z.backward(inputs=[v], retain_graph=True)
print(v.grad, v.retains_grad)
z.backward(inputs=[v], create_graph=True)
print(v.grad.detach())
a = torch.tensor(2.0)
for name, f in (
    ("max", lambda: max(a)),
    ("max with a key", lambda: max(a, key=lambda t: t)),
    ("min", lambda: min(a, key=abs)),
    ("sorted", lambda: sorted(a)),
    ("sum", lambda: sum(a)),
):
    try:
        print(name, f())
    except TypeError:
        print(name, "raised TypeError")
print(max(torch.tensor([1.0, 3.0, 2.0])), min(torch.tensor([1.0, 3.0]), key=lambda t: -t))
