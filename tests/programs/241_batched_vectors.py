# torch.autograd.grad with is_grads_batched; gradcheck of an input that is not contiguous; classes of index_select.
import torch

torch.set_default_dtype(torch.float64)
x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
grad = torch.autograd.grad

print(grad(torch.stack([x, y]), [x, y], is_grads_batched=True, grad_outputs=torch.eye(2)))
(J,) = grad(v**3, v, torch.eye(3), is_grads_batched=True, create_graph=True)
print(J.detach(), J.requires_grad)
print(grad(J.sum(), v))

o = v**2
print(grad(o, [v, x], (torch.eye(3),), is_grads_batched=True, allow_unused=True, retain_graph=True))
print(grad(o, [v, x], (torch.ones(4, 3),), is_grads_batched=True, materialize_grads=True))
try:
    grad(o, v, torch.eye(3), is_grads_batched=True)
except RuntimeError:
    print("freed by the last vector")

o = v**2
for w in (torch.ones(3), torch.ones(2, 2), None, torch.tensor(1.0), torch.ones(0, 3)):
    try:
        print(grad(o, v, w, is_grads_batched=True, retain_graph=True))
    except (RuntimeError, IndexError) as e:
        print(None if w is None else w.shape, type(e).__name__)
try:
    grad(o, [v, x], torch.eye(3), is_grads_batched=True)
except RuntimeError as e:
    print("unused:", type(e).__name__)
print(grad([v**2, v * y], [v], [torch.eye(3), torch.eye(3)], is_grads_batched=True))
print(grad({"o": v**2}["o"], {"v": v}, torch.eye(3), is_grads_batched=True)["v"].diagonal())

# differences are taken at every element of an input, whatever its strides
a = torch.arange(6.0).view(3, 2).T.clone().requires_grad_()
b = torch.arange(6.0).view(2, 3).T
print(a.is_contiguous(), torch.autograd.gradcheck(lambda t: (t @ b).sin(), (a,)))
c = torch.arange(4.0).view(2, 2).T.requires_grad_()
print(torch.autograd.gradcheck(lambda s, t: s.exp() @ t, (c, a)), torch.autograd.gradgradcheck(torch.sin, (a,)))

for t in (torch.arange(3.0), torch.ones(2, 3), torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3, 4)):
    for dim in range(t.ndim):
        for i in (9, -1):
            try:
                print(t.index_select(dim, torch.tensor([i])))
            except (IndexError, RuntimeError) as e:
                print(tuple(t.shape), dim, i, type(e).__name__)
