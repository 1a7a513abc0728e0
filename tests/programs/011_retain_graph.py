# The graph is freed by its first backward pass; what that does and doesn't forbid.
import torch
torch.set_default_dtype(torch.float64)


def attempt(label, f):
    try:
        f()
        print(label, "ok")
    except RuntimeError as e:
        print(label, type(e).__name__)


x = torch.tensor(3.0, requires_grad=True)
y = x ** 2
y.backward()
attempt("second backward", lambda: y.backward())
print(x.grad)

x.grad = None
y = x ** 2
y.backward(retain_graph=True)
y.backward(retain_graph=True)
y.backward()
print(x.grad)
attempt("fourth backward", lambda: y.backward())

# an addition saves nothing, so nothing is lost when it is freed
x.grad = None
s = x + x
s.backward()
attempt("add twice", lambda: s.backward())
print(x.grad)

# two heads on one trunk: the trunk is freed by the first head
w = torch.tensor([1.0, 2.0], requires_grad=True)
trunk = w.exp()
head1, head2 = trunk.sum(), (trunk * trunk).sum()
head1.backward()
attempt("second head", lambda: head2.backward())
trunk = w.exp()
head1, head2 = trunk.sum(), (trunk * trunk).sum()
w.grad = None
(head1 + head2).backward()
both = w.grad
trunk = w.exp()
w.grad = None
trunk.sum().backward(retain_graph=True)
(trunk * trunk).sum().backward()
print(w.grad, torch.allclose(both, w.grad))

# a loop that carries its state along must detach it
state = torch.tensor(0.5)
for step in range(3):
    state = torch.tanh(w.sum() * state)
    attempt(f"carried {step}", lambda: state.backward())
state = torch.tensor(0.5)
for step in range(3):
    state = torch.tanh(w.sum() * state.detach())
    attempt(f"detached {step}", lambda: state.backward())
