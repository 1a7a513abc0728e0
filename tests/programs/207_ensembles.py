# Models stacked and run at once by vmap over dicts of parameters.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(3)
models = [{"w": torch.randn(4, 2), "b": torch.randn(2)} for _ in range(3)]
stacked = {k: torch.stack([m[k] for m in models]) for k in models[0]}
print({k: tuple(v.shape) for k, v in stacked.items()})
def model(p, x): return (x @ p["w"] + p["b"]).relu()
data = torch.randn(3, 5, 4)
p1 = [model(m, mb) for m, mb in zip(models, data)]
p2 = torch.vmap(model)(stacked, data)
print(torch.allclose(p2, torch.stack(p1)))
p3 = torch.vmap(model, in_dims=(0, None))(stacked, data[0])
print(p3.shape)
print(p3.mean(0))
print(p3.std(0, unbiased=False))
def loss(p, x): return model(p, x).sum()
g, v = torch.func.vmap(torch.func.grad_and_value(loss))(stacked, data)
print(v)
print(g["b"])
