# / // % fmod remainder div(rounding_mode) for ints and floats of both signs; Python's numbers beside tensors.
import math
import torch
torch.set_default_dtype(torch.float64)

a = torch.tensor([7, -7, 7, -7])
b = torch.tensor([2, 2, -2, -2])
print(a / b, a // b, a % b, sep="\n")
print(torch.fmod(a, b), torch.remainder(a, b))
print(torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"), torch.div(a, b))
x = a * 1.0
print(x / b, x // b, x % b, torch.fmod(x, b), sep="\n")
print([p // q for p, q in zip(a.tolist(), b.tolist())], [p % q for p, q in zip(a.tolist(), b.tolist())])
print(7 // 2, -7 // 2, 7 % -2, 7.5 // 2, -7.5 % 2, 7 / 2, 2 ** -1, 2 ** 10, math.fmod(-7, 2))
print(9 // torch.tensor(2), torch.tensor(9) // 2, torch.tensor(9) / 3, 10 % torch.tensor(4), 1 / torch.tensor(4))
z = torch.tensor([1.0, -1.0, 0.0])
print(z / 0, z // 0, z % 0)
try:
    a // 0
except RuntimeError as e:
    print(type(e).__name__)
try:
    1 // 0
except ZeroDivisionError as e:
    print(type(e).__name__)
try:
    5 % 0
except ZeroDivisionError as e:
    print(type(e).__name__)
print(torch.tensor(5) ** 2, torch.tensor(2) ** 0.5, 2 ** torch.tensor(5), torch.tensor(2.0) ** -1, (-8.0 + torch.zeros(1)) ** (1 / 3))
try:
    torch.tensor(5) ** -1
except RuntimeError as e:
    print(type(e).__name__)
y = torch.tensor([5.5, -5.5], requires_grad=True)
m = torch.tensor([2.0, 3.0], requires_grad=True)
(y % m + torch.fmod(y, m) * 10).sum().backward()
print(y % m, y.grad, m.grad)
try:
    (y // m).sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "floor division has no derivative")
torch.div(y, m, rounding_mode="floor").sum().backward()
print(y.grad, m.grad)
print(torch.floor(y), torch.ceil(y), torch.round(y), torch.trunc(y), torch.frac(y))
print(round(2.5), round(3.5), round(-2.567, 2), torch.round(torch.tensor([0.5, 1.5, 2.5, -0.5])), math.floor(-2.5), math.ceil(2.1), int(-2.9))
