# What each operation keeps for backward: its operand or result changed in place afterwards, and backward run twice.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

ops = {
    "neg": torch.neg, "abs": torch.abs, "exp": torch.exp, "log": torch.log, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt,
    "square": torch.square, "reciprocal": torch.reciprocal, "sin": torch.sin, "tan": torch.tan, "asin": torch.asin, "tanh": torch.tanh,
    "sigmoid": torch.sigmoid, "erf": torch.erf, "expm1": torch.expm1, "log1p": torch.log1p, "exp2": torch.exp2, "floor": torch.floor,
    "relu": torch.relu, "gelu": F.gelu, "silu": F.silu, "softplus": F.softplus, "elu": F.elu, "leaky": F.leaky_relu, "hardtanh": F.hardtanh,
    "a + 1": lambda a: a + 1, "a * 2": lambda a: a * 2, "a * a": lambda a: a * a, "a / 2": lambda a: a / 2, "1 / a": lambda a: 1 / a,
    "a / a": lambda a: a / a, "a ** 2": lambda a: a ** 2, "2 ** a": lambda a: 2 ** a, "a - a": lambda a: a - a, "a @ c": lambda a: a @ torch.ones(3),
    "a @ a": lambda a: a @ a, "sum": lambda a: a.sum(), "mean": lambda a: a.mean(), "prod": lambda a: a.prod(), "max": lambda a: a.max(),
    "max 0": lambda a: a.max(0)[0], "amax": lambda a: a.amax(0), "var": lambda a: a.var(), "norm": lambda a: a.norm(),
    "logsumexp": lambda a: a.logsumexp(0), "softmax": lambda a: a.softmax(0), "log_softmax": lambda a: a.log_softmax(0),
    "cumsum": lambda a: a.cumsum(0), "cumprod": lambda a: a.cumprod(0), "sort": lambda a: a.sort()[0], "clamp": lambda a: a.clamp(0.2, 0.6),
    "where": lambda a: torch.where(a > 0.3, a, 0.0), "maximum": lambda a: torch.maximum(a, a.flip(0)), "cat": lambda a: torch.cat([a, a]),
    "stack": lambda a: torch.stack([a, a]), "clone": torch.clone, "flip": lambda a: a.flip(0), "gather": lambda a: a[[0, 0, 2]],
    "masked_fill": lambda a: a.masked_fill(a > 0.3, 0.0), "mse": lambda a: F.mse_loss(a, torch.zeros(3)), "outer": lambda a: torch.outer(a, a),
}


def verdict(f):
    x = torch.tensor([0.25, 0.5, 0.75], requires_grad=True)
    try:
        f(x)
        return "ok"
    except RuntimeError as e:
        return type(e).__name__


def operand_changed(op):
    def run(x):
        a = x * 1
        y = op(a)
        a.add_(1)
        y.sum().backward()
    return run


def result_changed(op):
    def run(x):
        y = op(x * 1)
        y.add_(1)
        y.sum().backward()
    return run


def twice(op):
    def run(x):
        y = op(x).sum()
        y.backward()
        y.backward()
    return run


for name, op in ops.items():
    first, second, third = [verdict(kind(op)) for kind in (operand_changed, result_changed, twice)]
    print(f"{name:<12}|{first:<13}|{second:<13}|{third}")
