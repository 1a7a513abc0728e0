# Recursion that never ends, caught; a bare raise.
import torch

torch.set_default_dtype(torch.float64)


def endless(n):
    return endless(n + 1)


def guarded(n):
    try:
        return guarded(n + 1)
    finally:
        if n == 0:
            print("the outermost finally runs")


for f in (endless, guarded, lambda n: endless(n)):
    try:
        f(0)
    except RecursionError as e:
        print(type(e), isinstance(e, RuntimeError))


def depth_first(tree):
    return tree if isinstance(tree, torch.Tensor) else sum(depth_first(t) for t in tree) * 0.5


x = torch.tensor(3.0, requires_grad=True)
tree = x
for _ in range(40):
    tree = [tree, x]
depth_first(tree).backward()
print(x.grad)

try:
    endless(0)
except (ValueError, RuntimeError) as e:
    print("a RuntimeError, too")
print(torch.is_grad_enabled(), depth_first([x, [x]]))

try:
    raise RecursionError("by hand")
except RecursionError as e:
    print(repr(e))
try:
    raise
except RuntimeError:
    print("nothing to raise again")
try:
    with torch.no_grad():
        endless(0)
except RecursionError:
    print(torch.is_grad_enabled())
