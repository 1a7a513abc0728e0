# Gradients where there are none: straight-through rounding and sign, a clipped pass, Gumbel-free argmax, gradient reversal.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)


def straight_through(hard, soft):
    return soft + (hard - soft).detach()


x = torch.tensor([-1.6, -0.4, 0.3, 1.7], requires_grad=True)
x.round().sum().backward()
print(x.grad)
x.grad = None
q = straight_through(x.round(), x)
print(q)
(q * torch.arange(4)).sum().backward()
print(x.grad)

x.grad = None
binary = straight_through(x.sign(), x.clamp(-1, 1))
print(binary)
binary.sum().backward()
print(x.grad)

logits = torch.tensor([0.5, 2.0, 1.0], requires_grad=True)
p = logits.softmax(0)
choice = straight_through(F.one_hot(p.argmax(), 3) * 1.0, p)
print(choice)
(choice @ torch.tensor([1.0, 3.0, 2.0])).backward()
print(logits.grad)

# a weight quantised to a grid of quarters, trained through the rounding
w = torch.tensor(0.0, requires_grad=True)
for step in range(8):
    wq = straight_through(torch.round(w * 4) / 4, w)
    loss = (wq * 2.0 - 1.7) ** 2
    loss.backward()
    print(step, f"{w.item():+.6f} {wq.item():.2f} {loss.item():.6f}")
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None

# gradient reversal: a sum of a doubled detached part and a negated live one
feature = torch.tensor([1.0, 2.0], requires_grad=True)
reverse = lambda t, scale: -scale * t + ((1 + scale) * t).detach()
out = reverse(feature, 0.5)
print(out)
out.sum().backward()
print(feature.grad)
y = x.detach().requires_grad_()
y.register_hook(lambda g: g.clamp(-0.5, 0.5))
(y ** 3).sum().backward()
print(y.grad)
