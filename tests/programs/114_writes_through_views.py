# Every way to write through every view of every base: values, gradients, nodes, and what is refused.
import torch
torch.set_default_dtype(torch.float64)

BASES = {
    "x * 1": lambda x: x * 1,
    "x.T * 1": lambda x: x.T * 1,
    "(x * 1).T": lambda x: (x * 1).T,
    "zeros": lambda x: torch.zeros(2, 3),
    "ones.T": lambda x: torch.ones(3, 2).T,
    "x": lambda x: x,
}
VIEWS = {
    "b": lambda b: b,
    "b[0]": lambda b: b[0],
    "b[..., 1:]": lambda b: b[..., 1:],
    "b[:, ::2]": lambda b: b[:, ::2],
    "b.T": lambda b: b.T,
    "b.T.reshape(-1)": lambda b: b.T.reshape(-1),
    "b.view(-1)": lambda b: b.view(-1),
    "b.view(-1)[1:4]": lambda b: b.view(-1)[1:4],
    "b.T.view(-1)": lambda b: b.T.view(-1),
    "b.diagonal()": lambda b: b.diagonal(),
    "b.T.diagonal(-1)": lambda b: b.T.diagonal(-1),
    "b.unsqueeze(1)": lambda b: b.unsqueeze(1),
    "b.narrow(0, 1, 1).squeeze()": lambda b: b.narrow(0, 1, 1).squeeze(),
    "b.expand(2, 2, 3)": lambda b: b.expand(2, *b.shape),
    "b.unbind()[1]": lambda b: b.unbind()[1],
    "b.split(1)[0]": lambda b: b.split(1)[0],
    "b.chunk(2)[1][0]": lambda b: b.chunk(2)[1][0],
    "b.tensor_split(2)[1]": lambda b: b.tensor_split(2)[1],
    "b.detach()": lambda b: b.detach(),
    "b.data[0]": lambda b: b.data[0],
}


def set_first(v, w):
    v[0] = w


def set_all(v, w):
    v[...] = 3 * w


def scale_first(v, w):
    v[0] *= w


def mask(v, w):
    v[v > 2] = w


def shift(v, w):
    v[1:] = v[:-1] * w


def under_no_grad(v, w):
    with torch.no_grad():
        v.mul_(2)


WRITES = {
    "mul_(2)": lambda v, w: v.mul_(2),
    "mul_(w)": lambda v, w: v.mul_(w),
    "mul_(v)": lambda v, w: v.mul_(v),
    "copy_(w)": lambda v, w: v.copy_(w),
    "zero_()": lambda v, w: v.zero_(),
    "exp_()": lambda v, w: v.exp_(),
    "v[0] = w": set_first,
    "v[...] = 3 * w": set_all,
    "v[0] *= w": scale_first,
    "v[v > 2] = w": mask,
    "v[1:] = v[:-1] * w": shift,
    "mul_(2) under no_grad": under_no_grad,
}


def numbers(t):
    return [round(n, 9) + 0 for n in t.flatten().tolist()]


def node(t):
    try:
        return None if t.grad_fn is None else (t.grad_fn.name(), [None if n is None else n.name() for n, _ in t.grad_fn.next_functions])
    except RuntimeError:
        return "refused"


def gradients(t, x, w):
    try:
        s = (t * torch.arange(1.0, t.numel() + 1).view(t.shape)).sum()
        first = torch.autograd.grad(s, [x, w], retain_graph=True, allow_unused=True)
        twice = torch.autograd.grad((t * t).sum(), [x, w], allow_unused=True)
        return [None if g is None else numbers(g) for g in (*first, *twice)]
    except RuntimeError:
        return "refused"


for base in BASES:
    for view in VIEWS:
        for write in WRITES:
            x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
            w = torch.tensor(1.5, requires_grad=True)
            b = BASES[base](x)
            try:
                v = VIEWS[view](b)
            except RuntimeError:
                continue
            if view == "b.expand(2, 2, 3)" and write in ("zero_()", "v[v > 2] = w"):
                continue
            print(base, "|", view, "|", write, end=": ")
            try:
                WRITES[write](v, w)
            except RuntimeError:
                print("refused")
                continue
            print(numbers(b), b._version, node(b), node(v))
            print("   ", gradients(b, x, w), gradients(v, x, w))
