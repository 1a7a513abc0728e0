# reshape, transpose, permute, squeeze, cat, stack, split, flip, roll, tril, diag, pad, meshgrid: gradients go home.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()


def pull(label, y):
    x.grad = None
    weights = torch.arange(1.0, 1.0 + len(y.flatten())).reshape(y.shape)
    (y * weights).sum().backward()
    print(f"{label:<12}", tuple(y.shape), y.flatten().tolist(), x.grad.flatten().tolist())


pull("reshape", x.reshape(3, -1))
pull("T", x.T)
pull("transpose", x.transpose(0, 1)[1])
pull("permute", x[None].permute(2, 0, 1))
pull("movedim", x[None].movedim(0, -1))
pull("flatten", x.flatten())
pull("unsqueeze", x.unsqueeze(1).squeeze())
pull("cat", torch.cat([x, x[:1] * 2], dim=0))
pull("cat 1", torch.cat([x, torch.zeros(2, 1), x[:, :1]], dim=1))
pull("stack", torch.stack([x[0], x[1], x[0]], dim=1))
pull("hstack", torch.hstack([x[0], x[1]]))
pull("vstack", torch.vstack([x[1], x[0]]))
pull("split", x.split([1, 2], dim=1)[1])
pull("chunk", x.chunk(2, dim=0)[1])
pull("unbind", x.unbind(1)[2])
pull("flip", x.flip(0, 1))
pull("roll", x.roll(1, 1))
pull("roll flat", x.roll(2))
pull("tril", x.tril())
pull("triu", x.triu(1))
pull("diag", torch.diag(x[0]))
pull("diagonal", x.diagonal())
pull("offset", x.diagonal(1))
pull("expand", x[:, :1].expand(2, 3))
pull("tile", x[0].tile(2))
pull("repeat", x[:1].repeat(2, 1))
pull("pad", F.pad(x, (1, 0, 0, 1), value=9.0))
pull("step", x[:, ::2])
pull("gather", x.gather(1, torch.tensor([[2, 0], [1, 1]])))
a, b = torch.meshgrid(x[:, 0], x[0], indexing="ij")
pull("meshgrid", a * b)
pull("view", x.view(-1)[1:5].view(2, 2))
for f in (lambda: x.reshape(4), lambda: x.T.view(6), lambda: torch.cat([x, torch.ones(3, 2)]), lambda: torch.stack([x[0], x[0, :2]]), lambda: x.view(-1, -1)):
    try:
        f()
    except RuntimeError as e:
        print(type(e).__name__)
print(x.shape, x.T.shape, x[None, :, None].shape, x.ndim, len(x))
