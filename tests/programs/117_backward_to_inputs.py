# backward(inputs=...) and autograd.grad with respect to results: what is accumulated, and what is freed.
import torch
torch.set_default_dtype(torch.float64)


def attempt(f, *args):
    try:
        print("ok", f(*args))
    except Exception as e:
        print(type(e).__name__)


print("--- backward inputs")
x = torch.tensor([1.,2.], requires_grad=True); w = torch.tensor([3.,4.], requires_grad=True)
a = x*w; b = a*a; y = b.sum()
attempt(lambda: y.backward(inputs=[x])); print(x.grad, w.grad)
attempt(lambda: y.backward(inputs=[w])); print(x.grad, w.grad)
a = x*w; b = a*a; y = b.sum(); x.grad=None; w.grad=None
attempt(lambda: y.backward(inputs=[a])); print(x.grad, w.grad, a.grad)
attempt(lambda: y.backward())
attempt(lambda: a.sum().backward()); print(x.grad)
a = x*w; b = a*a; y = b.sum(); x.grad=None; w.grad=None
attempt(lambda: y.backward(inputs=[y])); print(x.grad, w.grad, y.grad)
attempt(lambda: y.backward()); print(x.grad)
a = x*w; b = a*a; y = b.sum(); x.grad=None; w.grad=None
attempt(lambda: b.sum().backward(inputs=[b])); print(b.grad)
attempt(lambda: y.backward()); print(x.grad)
a = x*w; b = a*a; x.grad=None; w.grad=None
attempt(lambda: b.backward(torch.ones(2), inputs=[b])); print(b.grad)
attempt(lambda: b.sum().backward()); print(x.grad)
a = x*w; b = a*a; x.grad=None; w.grad=None
attempt(lambda: b.backward(torch.ones(2), inputs=[b], retain_graph=True)); print(b.grad)
attempt(lambda: b.sum().backward()); print(x.grad)
a = x*w; y=a.sum(); x.grad=None; w.grad=None
attempt(lambda: y.backward(inputs=x)); print(x.grad, w.grad)
attempt(lambda: y.backward(inputs=[])); 
attempt(lambda: y.backward(inputs=()));
attempt(lambda: y.backward(inputs=[x,x]));
a = x*w; y=a.sum(); x.grad=None; w.grad=None
attempt(lambda: y.backward(inputs=[x,x])); print(x.grad)
a = x*w; y=a.sum(); x.grad=None; w.grad=None
attempt(lambda: y.backward(inputs=[torch.ones(2)])); 
z = torch.ones(2, requires_grad=True)
attempt(lambda: y.backward(inputs=[z])); print(z.grad)
attempt(lambda: y.backward(inputs=[z, x])); print(z.grad, x.grad)
a = x*w; y=a.sum(); x.grad=None
attempt(lambda: y.backward(inputs=[x, a])); print(x.grad, a.grad)
attempt(lambda: torch.autograd.backward(y, inputs=[x]))
a = x*w; y=a.sum(); x.grad=None
attempt(lambda: torch.autograd.backward([y], [torch.tensor(2.)], inputs=[x], create_graph=True)); print(x.grad)
attempt(lambda: torch.autograd.backward([y,y], [torch.tensor(2.)]))
attempt(lambda: torch.autograd.backward([y,y], [torch.tensor(2.), None])); print(x.grad)
attempt(lambda: torch.autograd.backward([], []))
attempt(lambda: torch.autograd.backward([torch.ones(2)]))


print("--- grad inputs result")
x = torch.tensor([1.,2.], requires_grad=True)
y = x*x
attempt(lambda: torch.autograd.grad(y.sum(), y))
attempt(lambda: torch.autograd.grad(y, y, torch.ones(2)))
attempt(lambda: y.sum().backward()); print(x.grad)
y = x*x
attempt(lambda: torch.autograd.grad(y, [y, x], torch.ones(2)))
attempt(lambda: torch.autograd.grad(y, [y, x], torch.ones(2)))
y = x*x
attempt(lambda: torch.autograd.grad(y, y, torch.ones(2)))
attempt(lambda: torch.autograd.grad(y, x, torch.ones(2)))
y = x*2; z = y*y; w = z*z
attempt(lambda: torch.autograd.grad(w.sum(), z))
attempt(lambda: torch.autograd.grad(z.sum(), x))
attempt(lambda: torch.autograd.grad(w.sum(), z))
attempt(lambda: torch.autograd.grad(x.sum(), x))
attempt(lambda: torch.autograd.grad(x, x, torch.ones(2)))
attempt(lambda: torch.autograd.grad(x[0], x))


print("--- freed other")
x = torch.tensor([1.,2.], requires_grad=True); w = torch.tensor([1.,2.], requires_grad=True)
b = (x*x)
b.sum().backward(retain_graph=True); b.sum().backward()
a = w*w
y = (a*b).sum()
attempt(lambda: torch.autograd.grad(y, a, retain_graph=True))
attempt(lambda: torch.autograd.grad(y, w, retain_graph=True))
attempt(lambda: y.backward(inputs=[w], retain_graph=True)); print(w.grad)
attempt(lambda: y.backward(inputs=[a], retain_graph=True)); print(a.grad)
attempt(lambda: torch.autograd.grad(y, [w], create_graph=True))
attempt(lambda: y.backward())
