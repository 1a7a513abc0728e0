# Which changes in place backward notices, and which are allowed.
import torch
torch.set_default_dtype(torch.float64)
x = torch.tensor([1., 2., 3.], requires_grad=True)
def attempt(label, f):
    try:
        f(); print(label, "->", x.grad)
    except RuntimeError as e:
        print(label, "-> RuntimeError", "modified by an inplace operation" in str(e) or "version" in str(e) or True)
    x.grad = None
def c1():
    y = x.exp(); z = y * 2; y.add_(1); z.sum().backward()
def c2():
    y = x * 2; z = y.sin(); y.add_(1); z.sum().backward()
def c3():
    y = x * 2; z = y + 1; y.mul_(3); (z + y).sum().backward()
def c4():
    y = x.sigmoid(); y.mul_(2); y.sum().backward()
def c5():
    y = x * 1; z = y.pow(2); y[0] = 5; z.sum().backward()
def c6():
    y = x.relu(); z = y * 3; y.zero_(); (z + y).sum().backward()
def c7():
    y = x.clone(); v = y.view(3, 1); w = v * v; y.add_(1); w.sum().backward()
def c8():
    y = x.clone(); v = y[1:]; v.mul_(10); (y * y).sum().backward()
def c9():
    y = x.clone(); w = y * y; v = y.detach(); v.add_(1); w.sum().backward()
def c10():
    y = x.clone(); w = y * y; y.data.add_(1); w.sum().backward()
def c11():
    y = x.softmax(0); z = y.log(); y.mul_(1); z.sum().backward()
def c12():
    y = x.clone(); m = y.max(); y.add_(1); m.backward()
def c13():
    y = x.clone(); m = y.sort(descending=True)[0]; y.add_(1); (m[0] + y[0]).backward()
def c14():
    y = x.tanh_() if False else x.clone().tanh_().exp_().mul_(2); y.sum().backward()
def c15():
    s = torch.ones(3); z = x * s; s.add_(1); z.sum().backward()
def c16():
    s = torch.ones(3); z = x + s; s.add_(1); z.sum().backward()
def c17():
    y = x.clone(); z = y.where(y > 1, -y); y.mul_(2); z.sum().backward()
def c18():
    y = x.clone(); z = y.clamp(1.5, 2.5); y.mul_(2); z.sum().backward()
def c19():
    y = x.clone(); z = y.abs(); y.neg_(); z.sum().backward()
def c20():
    y = x.clone(); z = y.sqrt(); y.neg_(); z.sum().backward()
for i, f in enumerate([c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20], 1):
    attempt(f"c{i}", f)
print(x._version, (x * 1).add_(1)._version)
