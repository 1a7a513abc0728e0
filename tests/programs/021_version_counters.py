# An in-place change of a value that backward still needs is an error; of one that it does not need, it is not.
import torch
torch.set_default_dtype(torch.float64)


def outcome(label, build):
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    try:
        build(x).sum().backward()
        print(f"{label:<28}", x.grad)
    except RuntimeError as e:
        print(f"{label:<28}", type(e).__name__)


def change(op, act):
    """Apply op, change its operand or result in place, and hand back what backward starts from."""
    def build(x):
        h = x * 1
        y = op(h)
        kept = act(h, y)
        return y if kept is None else kept
    return build


outcome("exp, result changed", change(torch.exp, lambda h, y: y.mul_(2) + y))
outcome("exp, operand changed", change(torch.exp, lambda h, y: (h.mul_(2), y)[1]))
outcome("sin, result changed", change(torch.sin, lambda h, y: y.mul_(2)))
outcome("sin, operand changed", change(torch.sin, lambda h, y: (h.mul_(2), y)[1]))
outcome("tanh, result changed", change(torch.tanh, lambda h, y: y.add_(1)))
outcome("add, both changed", change(lambda h: h + 1, lambda h, y: (h.zero_(), y.mul_(3))[1]))
outcome("mul const, operand changed", change(lambda h: h * 4, lambda h, y: (h.zero_(), y)[1]))
outcome("square, operand changed", change(torch.square, lambda h, y: (h.add_(1), y)[1]))
outcome("relu, result changed", change(torch.relu, lambda h, y: y.mul_(2)))
outcome("sum, operand changed", change(lambda h: h.sum(), lambda h, y: (h.zero_(), y)[1]))
outcome("prod, operand changed", change(lambda h: h.prod(), lambda h, y: (h.add_(1), y)[1]))
outcome("h * h, operand changed", change(lambda h: h * h, lambda h, y: (h.add_(1), y)[1]))
outcome("sqrt, result set", change(torch.sqrt, lambda h, y: y.fill_(1.0)))
outcome("sigmoid, slice set", change(torch.sigmoid, lambda h, y: (y[1:].zero_(), y)[1]))
outcome("exp after the change", lambda x: (x * 1).add_(1).exp())
outcome("clone protects", change(torch.exp, lambda h, y: y.clone().mul_(2)))
outcome("chain of in-place", lambda x: (x * 1).mul_(2).add_(1).sin().mul_(3))

w = torch.tensor([1.0, 2.0], requires_grad=True)
y = (w ** 2).sum()
with torch.no_grad():
    w -= 0.5
try:
    y.backward()
except RuntimeError as e:
    print(type(e).__name__, "the leaf was updated between forward and backward")
y = (w * 3).sum()
with torch.no_grad():
    w -= 0.5
y.backward()
print(w, w.grad)
