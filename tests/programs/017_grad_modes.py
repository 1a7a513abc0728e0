# no_grad, enable_grad, set_grad_enabled: nested, left by an exception, and as plain calls.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor(2.0, requires_grad=True)
print(torch.is_grad_enabled(), (x * 2).requires_grad)
with torch.no_grad():
    print(torch.is_grad_enabled(), (x * 2).requires_grad, x.requires_grad)
    y = x * 2
    print(y, y.is_leaf, y.grad_fn)
    with torch.enable_grad():
        print(torch.is_grad_enabled(), (x * 2).requires_grad)
        with torch.set_grad_enabled(False):
            print(torch.is_grad_enabled())
        print(torch.is_grad_enabled())
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())

for training in (True, False):
    with torch.set_grad_enabled(training):
        print(training, (x ** 2).requires_grad)

try:
    with torch.no_grad():
        raise ValueError("inside")
except ValueError as e:
    print(e, torch.is_grad_enabled())

# a leaf made under no_grad still requires its gradient later
with torch.no_grad():
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    made = leaf * 3
print(leaf.requires_grad, made.requires_grad)
out = (leaf * made).sum()
out.backward()
print(leaf.grad)

# a part of a formula held constant
a = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():
    scale = a * a
(a * scale).backward()
print(a.grad)
a.grad = None
(a * (a * a)).backward()
print(a.grad)
torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), (a * 2).requires_grad)
torch.set_grad_enabled(True)
print(torch.is_grad_enabled())
