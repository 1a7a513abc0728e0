# Every activation: values, slopes and second derivatives on a few points.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

points = [-3.5, -0.75, 0.25, 1.5, 4.0]
table = {
    "relu": F.relu, "relu6": F.relu6, "leaky_relu": F.leaky_relu, "elu": F.elu, "selu": F.selu, "celu": F.celu,
    "gelu": F.gelu, "gelu tanh": lambda t: F.gelu(t, approximate="tanh"), "silu": F.silu, "mish": F.mish, "softplus": F.softplus,
    "softplus 3": lambda t: F.softplus(t, beta=3.0, threshold=5.0), "softsign": F.softsign, "hardtanh": F.hardtanh,
    "hardtanh 2": lambda t: F.hardtanh(t, -2.0, 0.5), "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "logsigmoid": F.logsigmoid,
    "sigmoid": torch.sigmoid, "tanh": torch.tanh, "leaky 0.3": lambda t: F.leaky_relu(t, 0.3), "elu 0.5": lambda t: F.elu(t, alpha=0.5),
}
for name, f in table.items():
    x = torch.tensor(points, requires_grad=True)
    y = f(x)
    slope, = torch.autograd.grad(y.sum(), x, create_graph=True)
    bend = torch.autograd.grad(slope.sum(), x, allow_unused=True)[0] if name != "hardsigmoid" else None
    print(f"{name:<12}", *[f"{v:9.6f}" for v in y.tolist()])
    print(" " * 12, *[f"{v:9.6f}" for v in slope.tolist()])
    if bend is not None:
        print(" " * 12, *[f"{v + 0.0:9.6f}" for v in bend.tolist()])

far = torch.tensor([-800.0, -40.0, 40.0, 800.0], requires_grad=True)
for name, f in [("softplus", F.softplus), ("logsigmoid", F.logsigmoid), ("silu", F.silu), ("gelu", F.gelu), ("mish", F.mish), ("tanh", torch.tanh)]:
    far.grad = None
    f(far).sum().backward()
    print(f"{name:<12}", [round(v, 6) + 0.0 for v in f(far).tolist()], [round(v, 6) + 0.0 for v in far.grad.tolist()])
