# Slices of tensors and lists: steps, negative, empty, lists and masks as indices, assignment.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.arange(24).view(4, 6)
print(x[::2], x[1::2, ::3], x[:, -1], x[-1], x[..., 0], x[:, None, 1].shape, x[1:3, 2:4])
l = list(range(10))
print(l[::2], l[::-1], l[8:2:-2], l[-3:], l[:-3], l[2:2], l[100:], l[slice(1, 4)])
print(x[[0, 2]], x[[0, 2], [1, 3]], x[torch.tensor([1, 1, 0])], x[x > 20], x[:, [0, -1]])
print(x[0].tolist()[::-1], x.flip(0)[0], x[x.sum(1) > 60])
y = x.clone().double()
y[::2] = 0; y[1, 1:4] = torch.tensor([7., 8., 9.]); y[:, -1] += 100; y[y > 50] = -1
print(y)
y[[0, 3], [0, 1]] = torch.tensor([1.5, 2.5]); y[2] = y[1]; y[..., 2] *= 2
print(y)
z = torch.zeros(3, 3); z[range(3), range(3)] = 1; print(z); z.fill_diagonal_(2); print(z)
t = torch.arange(5.); t[1:] = t[:-1].clone(); print(t); t[:3].zero_(); print(t); a, b, *c = t; print(a, b, c)
print(x[True].shape, x[None].shape, x[:, :, None].shape, x[0, ...].shape, x[..., None, :].shape, x[1, 2].item(), len(x))
rows = [r.sum().item() for r in x]; print(rows); print([v for v in x[0]][:2])
s = slice(None, None, 2); print(x[s, s]); i = torch.tensor(2); print(x[i], l[i], "abc"[i])
print(torch.arange(10)[2:8:3], torch.arange(3)[5:].shape)
