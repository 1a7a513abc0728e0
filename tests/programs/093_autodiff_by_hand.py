# Automatic differentiation written in the language itself: dual numbers as tuples, a tape of closures; against torch.
import math
import torch
torch.set_default_dtype(torch.float64)

# forward mode: a value and its derivative
add = lambda a, b: (a[0] + b[0], a[1] + b[1])
mul = lambda a, b: (a[0] * b[0], a[0] * b[1] + a[1] * b[0])
sin = lambda a: (math.sin(a[0]), math.cos(a[0]) * a[1])
exp = lambda a: (math.exp(a[0]), math.exp(a[0]) * a[1])
const = lambda c: (c, 0.0)


def dual_example(x, y):
    return add(mul(sin(mul(x, y)), exp(x)), mul(const(3.0), y))


px = dual_example((1.5, 1.0), (0.7, 0.0))
py = dual_example((1.5, 0.0), (0.7, 1.0))
print(f"{px[0]:.12f} {px[1]:.12f} {py[1]:.12f}")


# reverse mode: a tape of (value, [(parent, local derivative)])
def reverse(build, *values):
    tape = [(v, []) for v in values]

    def push(value, *parents):
        tape.append((value, list(parents)))
        return len(tape) - 1

    ops = {
        "add": lambda i, j: push(tape[i][0] + tape[j][0], (i, 1.0), (j, 1.0)),
        "mul": lambda i, j: push(tape[i][0] * tape[j][0], (i, tape[j][0]), (j, tape[i][0])),
        "sin": lambda i: push(math.sin(tape[i][0]), (i, math.cos(tape[i][0]))),
        "exp": lambda i: push(math.exp(tape[i][0]), (i, math.exp(tape[i][0]))),
        "const": lambda c: push(c),
    }
    out = build(ops, *range(len(values)))
    adjoint = [0.0] * len(tape)
    adjoint[out] = 1.0
    for i in range(out, -1, -1):
        for parent, slope in tape[i][1]:
            adjoint[parent] += adjoint[i] * slope
    return tape[out][0], adjoint[:len(values)], len(tape)


def tape_example(o, x, y):
    return o["add"](o["mul"](o["sin"](o["mul"](x, y)), o["exp"](x)), o["mul"](o["const"](3.0), y))


value, grads, size = reverse(tape_example, 1.5, 0.7)
print(f"{value:.12f} {grads[0]:.12f} {grads[1]:.12f}", size)
x = torch.tensor(1.5, requires_grad=True)
y = torch.tensor(0.7, requires_grad=True)
z = (x * y).sin() * x.exp() + 3.0 * y
z.backward()
print(f"{z.item():.12f} {x.grad.item():.12f} {y.grad.item():.12f}")
print(abs(z.item() - value) < 1e-12, all(abs(a - b.grad.item()) < 1e-12 for a, b in zip(grads, (x, y))))
print(torch.func.jvp(lambda x, y: (x * y).sin() * x.exp() + 3 * y, (x.detach(), y.detach()), (torch.tensor(1.0), torch.tensor(0.0))))
