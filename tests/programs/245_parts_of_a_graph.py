# torch.autograd.grad and backward with unused inputs, several outputs, weights and chosen inputs.
import torch
torch.set_default_dtype(torch.float64)
x, y = (torch.tensor(v, requires_grad=True) for v in (1., 2.))
z = x * 3
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__)
G = torch.autograd.grad
t(lambda: G(z, [x, y], retain_graph=True))
t(lambda: G(z, [x, y], allow_unused=True, retain_graph=True))
t(lambda: G(z, [x, y], materialize_grads=True, retain_graph=True))
t(lambda: G(z, [x, y], materialize_grads=True, allow_unused=False, retain_graph=True))
t(lambda: G([z, x], [x]))
t(lambda: G(x, x))
t(lambda: G(z.detach(), x))
t(lambda: G(z, x.detach()))
t(lambda: G(z, z))
t(lambda: G([x * 2, y * 3], [x, y]))
t(lambda: G([x * 2, y * 3], [x, y], grad_outputs=[torch.tensor(2.), None]))
t(lambda: G([x * 2, y * 3], [x, y], grad_outputs=[torch.tensor(2.)]))
t(lambda: G(torch.stack([x, y]), [x, y]))
t(lambda: G(torch.stack([x, y]), [x, y], torch.tensor([1., 5.])))
t(lambda: G(torch.stack([x, y]), [x, y], (torch.tensor([1., 5.]),)))
t(lambda: G(torch.stack([x, y]), [x, y], is_grads_batched=True, grad_outputs=torch.eye(2)))
t(lambda: G(z, "x"))
t(lambda: G(z, []))
t(lambda: G([], [x]))
t(lambda: G(x * torch.tensor(True), x))
t(lambda: G((x * 2).int(), x))
t(lambda: torch.autograd.backward([x * 2, y * 3]))
t(lambda: torch.autograd.backward([x * 2, y * 3], [torch.tensor(1.), torch.tensor(2.)]))
print(x.grad, y.grad)
t(lambda: (x * y).backward(inputs=[x])); print(x.grad, y.grad)
t(lambda: (x * y).backward(inputs=[])); 
t(lambda: (x * y).backward(inputs=x)); print(x.grad, y.grad)
w = x * y
t(lambda: (w * 2).backward(inputs=[w])); print(w.grad)
