# The graph as data: grad_fn, its name, next_functions; walked by hand to list the operations behind a value.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
c = torch.tensor(4.0)
z = ((x * y).sin() + c * x) / (y - 1)
print(z.grad_fn.name())
print(x.grad_fn, c.grad_fn, (c * c).grad_fn)


def walk(fn, depth=0):
    if fn is None:
        print("  " * depth + "-")
        return 1
    print("  " * depth + fn.name())
    return 1 + sum(walk(parent, depth + 1) for parent, _ in fn.next_functions)


print("visits:", walk(z.grad_fn))

mul = (x * c).grad_fn
print(len(mul.next_functions), mul.next_functions[0][0].name(), mul.next_functions[1][0], mul.next_functions[1][1])
print([n.name() for n, _ in (x * x).grad_fn.next_functions])

p = z
for _ in range(3):
    p = p * 1.5
names = []
fn = p.grad_fn
while fn is not None and fn.next_functions:
    names.append(fn.name())
    fn = fn.next_functions[0][0]
print(" > ".join(names), "|", fn.name())
values, indices = torch.stack([x, y, z]).sort()
print(values.grad_fn.name(), indices.grad_fn, values.grad_fn.next_functions[0][0].name())
