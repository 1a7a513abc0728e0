# Transforms inside transforms, and the perturbation confusion that they must not have.
import torch
from torch.func import grad, jvp, vjp, jacfwd, jacrev, vmap
torch.set_default_dtype(torch.float64)

one = torch.tensor(1.0)
x = torch.tensor(2.0)


def derivative(f):
    return lambda t: jvp(f, (t,), (torch.ones_like(t),))[1]


# d/dx [ x * d/dy (x + y) ] = 1, not 2
print(derivative(lambda x: x * derivative(lambda y: x + y)(one))(one))
print(grad(lambda x: x * grad(lambda y: x * y * y)(x))(x))
print(grad(lambda x: derivative(lambda y: x ** 2 * y ** 3)(x))(x))
print(derivative(lambda x: grad(lambda y: x ** 2 * y ** 3)(x))(x))
print(derivative(derivative(derivative(torch.exp)))(x), x.exp())


def nth(f, n):
    return f if n == 0 else grad(nth(f, n - 1))


print([round(nth(lambda t: t ** 5, n)(x).item(), 6) for n in range(7)])
hvp = lambda f, x, v: jvp(grad(f), (x,), (v,))[1]
g = lambda t: (t[0] ** 2 * t[1] + t[1].sin() * t[2])
point, v = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0])
print(hvp(g, point, v))
print(torch.allclose(hvp(g, point, v), jacfwd(grad(g))(point) @ v), torch.allclose(hvp(g, point, v), grad(lambda t: grad(g)(t) @ v)(point)))
_, pull = vjp(grad(g), point)
print(torch.allclose(pull(v)[0], hvp(g, point, v)))

# an inner minimisation whose answer is differentiated: argmin_y (y - x)^2 + y^4 / 4
def inner(x, steps=40):
    y = x
    for _ in range(steps):
        first = grad(lambda y: (y - x) ** 2 + y ** 4 / 4)
        y = y - first(y) / grad(first)(y)
    return y


y = inner(x)
print(y, grad(inner)(x), 2 / (2 + 3 * y ** 2))
# Laplacian, divergence and curl of fields
field = lambda p: torch.stack([p[0] * p[1], p[1] ** 2 * p[2], p[2] * p[0]])
J = jacrev(field)(point)
print("div", J.trace(), "curl", torch.stack([J[2, 1] - J[1, 2], J[0, 2] - J[2, 0], J[1, 0] - J[0, 1]]))
laplacian = lambda f: lambda p: jacfwd(grad(f))(p).trace()
print("laplacian", laplacian(lambda p: 1 / p.norm())(point).abs() < 1e-12, f"{laplacian(lambda p: p.norm() ** 2)(point).item():.9f}")
print(vmap(laplacian(lambda p: (p ** 3).sum()))(torch.stack([point, v])))
