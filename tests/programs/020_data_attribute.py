# .data: like detach(), but its changes escape the version counter; assignment to .data; leaf surgery.
import torch
torch.set_default_dtype(torch.float64)

w = torch.tensor([1.0, -1.0], requires_grad=True)
print(w.data, w.data.requires_grad)
for step in range(3):
    loss = ((w - torch.tensor([3.0, 2.0])) ** 2).sum()
    loss.backward()
    w.data -= 0.25 * w.grad.data
    w.grad.zero_()
    print(step, w)
w.data = torch.tensor([7.0, 8.0])
print(w, w.is_leaf)
w.data[0] = 0.0
print(w)

# the saved output of exp is overwritten behind autograd's back: the gradient is that of the new value
x = torch.tensor([0.0, 1.0], requires_grad=True)
y = x.exp()
y.data.fill_(5.0)
y.sum().backward()
print(x.grad)

x.grad = None
z = (x * x).sum()
x.data.fill_(4.0)
z.backward()
print(x.grad)

# clipping the gradient in place
p = torch.tensor([3.0, 4.0], requires_grad=True)
(10 * p ** 2).sum().backward()
total = p.grad.norm()
print(total)
p.grad.mul_(1.0 / total.clamp(min=1.0))
print(p.grad, p.grad.norm())
p.grad.data.clamp_(max=0.7)
print(p.grad)
