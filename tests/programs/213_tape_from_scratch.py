# Reverse mode on dicts and a list, beside the real one.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

tape = []
def var(v): return {"v": v, "g": 0.0}
def op(v, *parents):
    out = var(v)
    tape.append((out, parents))
    return out
def mul(a, b): return op(a["v"] * b["v"], (a, b["v"]), (b, a["v"]))
def add(a, b): return op(a["v"] + b["v"], (a, 1.0), (b, 1.0))
def tanh(a):
    t = math.tanh(a["v"])
    return op(t, (a, 1 - t * t))
def backward(out):
    out["g"] = 1.0
    for node, parents in reversed(tape):
        for p, w in parents:
            p["g"] += w * node["g"]
x, y = var(0.5), var(-1.5)
z = tanh(add(mul(x, y), mul(x, x)))
backward(z)
xt, yt = torch.tensor(0.5, requires_grad=True), torch.tensor(-1.5, requires_grad=True)
zt = torch.tanh(xt * yt + xt * xt)
zt.backward()
print(z["v"], zt.item())
print(x["g"], xt.grad.item(), abs(x["g"] - xt.grad.item()) < 1e-15)
print(y["g"], yt.grad.item(), len(tape))
