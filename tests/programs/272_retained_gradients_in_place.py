# A gradient that is retained belongs to the tensor: it stays when the tensor is changed in place.
import torch

torch.set_default_dtype(torch.float64)
a = torch.tensor(1.2, requires_grad=True)
t = a * 2
t.retain_grad()
y = t * a
t += 1
try:
    y.backward(retain_graph=True)
except RuntimeError:
    print("E")
print(t.grad)
(t * 3).backward()
print(t.grad)
t = a * 2
t.retain_grad()
y = t + a
t += 1
y.backward(retain_graph=True)
print(t.grad)
t = a * 2
t.retain_grad()
(t * 1).backward(retain_graph=True)
(g1,) = torch.autograd.grad(t * 2, t, retain_graph=True)
print(t.grad)
(g1,) = torch.autograd.grad(t * 2, a, retain_graph=True)
print(t.grad)
w = t
w *= 0.5
print(t.grad, w.grad)
