# What is inside of functions that are differentiated forward: no_grad, detach, requires_grad, hooks.
import torch
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vjp

torch.set_default_dtype(torch.float64)


def attempt(name, f):
    try:
        print(name, f())
    except RuntimeError:
        print(name, "raised RuntimeError")


x = torch.tensor([1.0, 2.0, 3.0])
v = torch.tensor([1.0, 0.5, -1.0])


def squares_without_grad(x):
    with torch.no_grad():
        y = x * x
    return y * x


def detached(x):
    return x.detach() * x


@torch.no_grad()
def decorated(x):
    return (x.exp() @ x) * x


def view_without_grad(x):
    with torch.no_grad():
        y = x[1:].reshape(2, 1).exp()
    return (y.T * x[:2]).sum(0)


def scalar_loop(x):
    a = x[0]
    total = x.sum()
    with torch.no_grad():
        for _ in range(3):
            a = a * x[1] + 0.5
    return total * a


def inner_gradient(x):
    with torch.no_grad():
        return grad(lambda z: (z**3).sum())(x)


for f in (squares_without_grad, detached, decorated, view_without_grad, scalar_loop, inner_gradient):
    attempt("jvp", lambda: jvp(f, (x,), (v,)))
    attempt("jacfwd", lambda: jacfwd(f)(x))
    attempt("jacrev", lambda: jacrev(f)(x))
    attempt("hessian", lambda: hessian(lambda z: f(z).sum())(x))
    attempt("jacfwd twice", lambda: jacfwd(jacfwd(f))(x)[0])
    attempt("grad", lambda: grad(lambda z: f(z).sum())(x))
    attempt("jacobian", lambda: torch.autograd.functional.jacobian(f, x, strategy="forward-mode", vectorize=True))
    attempt("functional.jvp", lambda: torch.autograd.functional.jvp(f, x, v)[1])


def told(x):
    y = x * x
    print(x.requires_grad, y.requires_grad, y.grad_fn, y.is_leaf, torch.is_grad_enabled())
    return y


xr = x.clone().requires_grad_()
attempt("jvp", lambda: jvp(told, (x,), (v,)))
attempt("jvp", lambda: jvp(told, (xr,), (v,)))
attempt("jacfwd", lambda: jacfwd(told)(x))


def only_inside(z):
    y = z * z
    print(z.requires_grad, y.requires_grad)
    return y.sum()


attempt("grad", lambda: grad(only_inside)(x))
attempt("hessian", lambda: hessian(only_inside)(x))
attempt("jvp of grad", lambda: jvp(grad(only_inside), (x,), (v,)))
attempt("grad of jvp", lambda: grad(lambda z: jvp(only_inside, (z,), (v,))[1])(x))


def asks_for_gradient(x):
    return torch.autograd.grad((x * x).sum(), x)[0]


def hooks(x):
    y = x * x
    y.register_hook(lambda g: g)
    return y


attempt("autograd.grad inside", lambda: jvp(asks_for_gradient, (x,), (v,)))
attempt("a hook inside", lambda: jvp(hooks, (x,), (v,)))
w = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)


def captured(x):
    print(w.requires_grad, (w * 2).requires_grad, (w * x).requires_grad)
    return (w * x).sum()


value, tangent = jvp(captured, (x,), (v,))
print(value, tangent)
tangent.backward()
print(w.grad)

# constant tangents of what requires a gradient outside
for f in (
    lambda x: 2 * x,
    lambda x: x + 1,
    lambda x: x / 2,
    lambda x: x.sum(),
    lambda x: (2 * x).sum(),
    lambda x: x.max(),
    lambda x: x.sort().values,
    lambda x: x[x > 1.5],
    lambda x: x.clamp(max=2.5),
):
    print(jvp(f, (xr,), (v,))[1])
    print(jacfwd(f)(xr))


def shown(x):
    print(x)
    return x * 2


jvp(shown, (x,), (v,))
jvp(shown, (xr,), (v,))
print(vjp(shown, x)[1](v))
