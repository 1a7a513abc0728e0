# Tensors of many shapes as PyTorch prints them, whole and summarised.
import torch
torch.set_default_dtype(torch.float64)
import math
for s in [(), (1,), (5,), (30,), (1001,), (2, 3), (1, 20), (20, 1), (40, 30), (2, 2, 2), (3, 1, 2), (2, 1, 1, 2), (1, 1, 1, 1, 1), (0,), (2, 0), (0, 2), (1200, 2), (2, 1200), (11, 100)]:
    n = math.prod(s); t = torch.arange(n).view(s); print(t); print(t.double() / 7); print((t % 2 == 0))
