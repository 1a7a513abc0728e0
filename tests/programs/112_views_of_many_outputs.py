# unbind, split and chunk give several views of one base: none may be changed in place, and all share one backward node.
import torch
torch.set_default_dtype(torch.float64)


def attempt(label, f):
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    try:
        print(label, f(x * 1))
    except RuntimeError as e:
        print(label, type(e).__name__)


def change(pick):
    def run(y):
        pick(y).add_(10)
        return y.detach()
    return run


attempt("select", change(lambda y: y[0]))
attempt("slice", change(lambda y: y[1:]))
attempt("view", change(lambda y: y.view(2, 2)))
attempt("unbind", change(lambda y: y.unbind()[0]))
attempt("split", change(lambda y: y.split(2)[1]))
attempt("chunk", change(lambda y: y.chunk(2)[0]))
attempt("iteration", change(lambda y: [v for v in y][2]))
attempt("clone of one", change(lambda y: y.unbind()[0].clone()))


def base_changed(y):
    first, *_ = y.unbind()
    y.mul_(2)
    return first.detach()


attempt("base changed", base_changed)
attempt("detach_ of a view", lambda y: y[1:].detach_())
attempt("detach of a view", lambda y: y[1:].detach())

plain = torch.zeros(3)
for v in plain:
    v += 1
a, b = plain.split([1, 2])
b *= 5
print(plain)
x = torch.tensor([1.0, 2.0], requires_grad=True)
u, v = x.unbind()
print(u.grad_fn is v.grad_fn, u.grad_fn.name(), [slot for _, slot in (u * v).grad_fn.next_functions])
values, indices = x.sort()
print([slot for _, slot in (values * 2).grad_fn.next_functions][0], indices.grad_fn)
(u * v + u).backward()
print(x.grad)
