# Taylor coefficients by differentiating again and again, checked against series known from books.
import math
import torch
torch.set_default_dtype(torch.float64)


def taylor(f, at, order):
    x = torch.tensor(at, requires_grad=True)
    term = f(x)
    coefficients = [term.item()]
    for n in range(1, order + 1):
        if not term.requires_grad:
            coefficients.append(0.0)
            continue
        term, = torch.autograd.grad(term, x, create_graph=True)
        coefficients.append(term.item() / math.factorial(n))
    return coefficients


for name, f, at in [("exp", torch.exp, 0.0), ("cos", torch.cos, 0.5), ("log1p", torch.log1p, 0.0),
                    ("1/(1-x)", lambda x: 1 / (1 - x), 0.0), ("sqrt", torch.sqrt, 1.0), ("tan", torch.tan, 0.25),
                    ("gauss", lambda x: torch.exp(-x * x), 0.5), ("poly", lambda x: 1 + 2 * x + 3 * x ** 2, 1.0)]:
    print(f"{name:>8}", " ".join(f"{c:+.6f}" for c in taylor(f, at, 6)))


def partial_sum(c, h):
    total = 0.0
    for a in reversed(c):
        total = total * h + a
    return total


c = taylor(torch.sin, 1.0, 9)
print(abs(partial_sum(c, 0.3) - math.sin(1.3)) < 1e-11)
print(torch.allclose(torch.tensor(taylor(torch.exp, 0.0, 5)), torch.tensor([1 / math.factorial(k) for k in range(6)])))
