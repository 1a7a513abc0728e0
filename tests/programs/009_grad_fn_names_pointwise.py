# The name of the backward node that each pointwise operation leaves on its result.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.tensor([0.25, 0.5], requires_grad=True)
y = torch.tensor([0.75, 0.125], requires_grad=True)
unary = ["neg", "abs", "sign", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "square", "reciprocal",
         "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "sigmoid",
         "erf", "erfc", "erfinv", "lgamma", "digamma", "floor", "ceil", "round", "trunc", "frac", "relu",
         "deg2rad", "rad2deg", "nan_to_num", "sinc", "logit"]
table = {
    "neg": torch.neg, "abs": torch.abs, "sign": torch.sign, "exp": torch.exp, "exp2": torch.exp2, "expm1": torch.expm1,
    "log": torch.log, "log2": torch.log2, "log10": torch.log10, "log1p": torch.log1p, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt,
    "square": torch.square, "reciprocal": torch.reciprocal, "sin": torch.sin, "cos": torch.cos, "tan": torch.tan,
    "asin": torch.asin, "acos": torch.acos, "atan": torch.atan, "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh,
    "asinh": torch.asinh, "atanh": torch.atanh, "sigmoid": torch.sigmoid, "erf": torch.erf, "erfc": torch.erfc,
    "erfinv": torch.erfinv, "lgamma": torch.lgamma, "digamma": torch.digamma, "floor": torch.floor, "ceil": torch.ceil,
    "round": torch.round, "trunc": torch.trunc, "frac": torch.frac, "relu": torch.relu, "deg2rad": torch.deg2rad,
    "rad2deg": torch.rad2deg, "nan_to_num": torch.nan_to_num, "sinc": torch.sinc, "logit": torch.logit,
}
for name in unary:
    print(f"{name:<12}{table[name](x).grad_fn.name()}")
for name, out in [("add", x + y), ("sub", x - y), ("rsub", 1 - x), ("mul", x * y), ("div", x / y), ("rdiv", 1 / x), ("pow", x ** 2),
                  ("pow2", x ** y), ("rpow", 2 ** x), ("remainder", x % 2), ("fmod", torch.fmod(x, y)),
                  ("floordiv", torch.div(x, y, rounding_mode="floor")), ("atan2", torch.atan2(x, y)), ("hypot", torch.hypot(x, y)),
                  ("maximum", torch.maximum(x, y)), ("minimum", torch.minimum(x, y)), ("fmax", torch.fmax(x, y)),
                  ("logaddexp", torch.logaddexp(x, y)), ("logaddexp2", torch.logaddexp2(x, y)), ("xlogy", torch.xlogy(x, y)),
                  ("copysign", torch.copysign(x, y)), ("lerp", torch.lerp(x, y, 0.5)), ("where", torch.where(x > y, x, y)),
                  ("clamp", x.clamp(0.3, 0.4)), ("clamp min", x.clamp(min=0.3)), ("masked_fill", x.masked_fill(x > 0.3, 0.0))]:
    print(f"{name:<12}{out.grad_fn.name()}")
for name, f in [("relu6", F.relu6), ("leaky_relu", F.leaky_relu), ("elu", F.elu), ("selu", F.selu), ("celu", F.celu), ("gelu", F.gelu),
                ("silu", F.silu), ("mish", F.mish), ("softplus", F.softplus), ("softsign", F.softsign), ("hardtanh", F.hardtanh),
                ("hardsigmoid", F.hardsigmoid), ("hardswish", F.hardswish), ("logsigmoid", F.logsigmoid)]:
    print(f"{name:<12}{f(x).grad_fn.name()}")
