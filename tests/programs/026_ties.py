# Conventions at ties: shared evenly by max() and amax, given to one index by max(dim), halves in maximum, clamp at its bound.
import torch
torch.set_default_dtype(torch.float64)


def grad_of(f, values):
    t = torch.tensor(values, requires_grad=True)
    f(t).sum().backward()
    return t.grad


v = [3.0, 1.0, 3.0, 3.0]
print("max()     ", grad_of(lambda t: t.max(), v))
print("amax      ", grad_of(lambda t: t.amax(0), v))
print("max(0)    ", grad_of(lambda t: t.max(0).values, [1.0, 3.0]))
u = [-1.0, 2.0, -1.0]
print("min()     ", grad_of(lambda t: t.min(), u))
print("amin      ", grad_of(lambda t: t.amin(0), u))
print("aminmax 2d", grad_of(lambda t: t.amax(1) - t.amin(0).sum(), [[1.0, 1.0], [0.0, 1.0]]))
print("maximum   ", grad_of(lambda t: torch.maximum(t[0], t[1]), [2.0, 2.0]))
print("minimum   ", grad_of(lambda t: torch.minimum(t[0], t[1]), [2.0, 2.0]))
print("fmax      ", grad_of(lambda t: torch.fmax(t[0], t[1]), [2.0, 2.0]))
print("fmin      ", grad_of(lambda t: torch.fmin(t[0], t[1]), [2.0, 2.0]))
print("clamp     ", grad_of(lambda t: t.clamp(-1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0]))
print("clamp_min ", grad_of(lambda t: t.clamp(min=0.0), [-1.0, 0.0, 1.0]))
print("relu      ", grad_of(lambda t: t.relu(), [-1.0, 0.0, 1.0]))
print("abs       ", grad_of(lambda t: t.abs(), [-1.0, 0.0, 1.0]))
print("sign      ", grad_of(lambda t: t.sign(), [-1.0, 0.0, 1.0]))
print("hardtanh  ", grad_of(lambda t: torch.nn.functional.hardtanh(t), [-1.0, 0.0, 1.0]))
print("relu6     ", grad_of(lambda t: torch.nn.functional.relu6(t), [0.0, 3.0, 6.0]))
print("leaky     ", grad_of(lambda t: torch.nn.functional.leaky_relu(t, 0.1), [-1.0, 0.0, 1.0]))
print("elu       ", grad_of(lambda t: torch.nn.functional.elu(t), [-1.0, 0.0, 1.0]))
print("l1        ", grad_of(lambda t: torch.nn.functional.l1_loss(t, torch.tensor([1.0, 0.0, 2.0])), [1.0, 1.0, 1.0]))
print("x**0      ", grad_of(lambda t: t ** 0, [0.0, 2.0]))
print("x**1      ", grad_of(lambda t: t ** 1, [0.0, 2.0]))
print("x**x      ", grad_of(lambda t: t ** t, [1.0, 2.0]))
print("0**y      ", grad_of(lambda t: torch.zeros(2) ** t, [1.0, 2.0]))
print("floor     ", grad_of(lambda t: t.floor() + t.round() * t, [1.5, 2.5]))
print("remainder ", grad_of(lambda t: t[0] % t[1], [7.0, -3.0]))
print("fmod      ", grad_of(lambda t: torch.fmod(t[0], t[1]), [7.0, -3.0]))
print("atan2(0,0)", grad_of(lambda t: torch.atan2(t[0], t[1]), [0.0, 1.0]))
print("median odd", grad_of(lambda t: t.median(), [5.0, 1.0, 3.0]))
print("sqrt(0)   ", grad_of(lambda t: t.sqrt(), [0.0, 4.0]))
