# detach(): same memory, no history; what it does to gradients, and what a change through it does.
import torch
torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
d = x.detach()
print(d, d.requires_grad, d.is_leaf, d.grad_fn)
d[0] = 10.0
print(x, d)
d.mul_(2)
print(x)

y = x * x.detach()
y.sum().backward()
print(x.grad)
x.grad = None

# a stop-gradient target, as in bootstrapped learning
value, reward, discount = x[0], 1.0, 0.9
target = reward + discount * x[1].detach()
loss = (value - target) ** 2
loss.backward()
print(loss, x.grad)

# clone keeps the history and not the memory
x.grad = None
c = x.clone()
with torch.no_grad():
    c[0] = -1.0
print(c, x[0].item())
c.sum().backward()
print(x.grad)

# detach_ cuts in place
z = x ** 2
print(z.requires_grad, z.is_leaf)
z.detach_()
print(z.requires_grad, z.is_leaf, z.grad_fn)
z.requires_grad_()
(z * 2).sum().backward()
print(z.grad)

# a change through the detached alias is seen by the version counter
s = x.exp()
t = s.detach()
t.zero_()
try:
    s.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
