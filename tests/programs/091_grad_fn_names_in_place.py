# The backward nodes that in-place operations, copies and views leave.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([0.25, 0.5, 0.75, 1.0], requires_grad=True)


def name(label, f):
    y = x * 1
    out = f(y)
    print(f"{label:<14}", (y if out is None else out).grad_fn.name())


def assign(y, key, value):
    y[key] = value


name("add_", lambda y: y.add_(1))
name("sub_", lambda y: y.sub_(x))
name("mul_", lambda y: y.mul_(2))
name("div_", lambda y: y.div_(2))
name("pow_", lambda y: y.pow_(2))
name("neg_", lambda y: y.neg_())
name("exp_", lambda y: y.exp_())
name("sqrt_", lambda y: y.sqrt_())
name("sin_", lambda y: y.sin_())
name("tanh_", lambda y: y.tanh_())
name("sigmoid_", lambda y: y.sigmoid_())
name("relu_", lambda y: y.relu_())
name("abs_", lambda y: y.abs_())
name("clamp_", lambda y: y.clamp_(0.3, 0.6))
name("zero_", lambda y: y.zero_())
name("fill_", lambda y: y.fill_(2.0))
name("masked_fill_", lambda y: y.masked_fill_(y > 0.5, 0.0))
name("y[0] = c", lambda y: assign(y, 0, 1.0))
name("y[0] = x[1]", lambda y: assign(y, 0, x[1]))
name("y[mask] = c", lambda y: assign(y, y > 0.5, 0.0))
name("y[index] = x", lambda y: assign(y, torch.tensor([0, 1]), x[:2]))
name("copy_", lambda y: y.copy_(x * 2))
name("view then mul_", lambda y: (y[1:].mul_(2), y)[1])
name("the view", lambda y: y[1:].mul_(2))
name("chain", lambda y: y.mul_(2).add_(1).exp_())
z = x * 2
z += x
print(z)
z -= 1
z *= x
z /= 4
print(z)
z.sum().backward()
print(x.grad)
