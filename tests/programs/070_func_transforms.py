# torch.func: grad, grad_and_value, vjp, jvp, jacrev, jacfwd, hessian, argnums, has_aux.
import torch
from torch.func import grad, grad_and_value, vjp, jvp, jacrev, jacfwd, hessian
torch.set_default_dtype(torch.float64)

f = lambda x: (x.sin() * x ** 2).sum()
x = torch.tensor([0.5, 1.0, -2.0])
print(grad(f)(x))
g, value = grad_and_value(f)(x)
print(g, value)
print(grad(grad(lambda t: t ** 4))(torch.tensor(2.0)), grad(grad(grad(torch.sin)))(torch.tensor(0.7)))


def model(w, b, x):
    return torch.tanh(w @ x + b)


w = torch.tensor([[0.1, 0.2, 0.3], [-0.4, 0.5, -0.6]])
b = torch.tensor([0.1, -0.1])
loss = lambda w, b, x: model(w, b, x).square().sum()
print(grad(loss)(w, b, x))
print(grad(loss, argnums=1)(w, b, x))
gw, gx = grad(loss, argnums=(0, 2))(w, b, x)
print(gw.shape, gx)
with_aux = lambda w: (loss(w, b, x), model(w, b, x))
g, aux = grad(with_aux, has_aux=True)(w)
print(torch.allclose(g, gw), aux)
g, (value, aux) = grad_and_value(with_aux, has_aux=True)(w)
print(value, aux.shape)

out, pullback = vjp(lambda b, x: model(w, b, x), b, x)
print(out, pullback(torch.tensor([1.0, -1.0])))
out, tangent = jvp(lambda x: model(w, b, x), (x,), (torch.tensor([1.0, 0.0, 2.0]),))
print(out, tangent)
out, tangent = jvp(lambda a, c: a * c.exp(), (torch.tensor(2.0), torch.tensor(1.0)), (torch.tensor(1.0), torch.tensor(0.5)))
print(out, tangent)

J = jacrev(lambda x: model(w, b, x))(x)
print(J)
print(torch.allclose(J, jacfwd(lambda x: model(w, b, x))(x)), jacrev(model, argnums=0)(w, b, x).shape)
h = lambda x: x[0] ** 2 * x[1] + (x[1] * x[2]).exp()
H = hessian(h)(x)
print(H)
print(torch.allclose(H, jacrev(jacrev(h))(x)), torch.allclose(H, jacfwd(jacfwd(h))(x)), torch.allclose(H, jacrev(grad(h))(x)))
print(jacrev(lambda t: torch.stack([t.sum(), t.prod()]))(x))
# a leaf's own .grad is not touched, and gradient mode outside is as it was
leaf = torch.tensor([1.0, 2.0], requires_grad=True)
print(grad(lambda t: (t * leaf).sum())(torch.ones(2)), leaf.grad)
try:
    grad(lambda t: t * 2)(x)
except RuntimeError as e:
    print(type(e).__name__)
