# Gathering and scattering with indices that occur twice.
import torch
torch.set_default_dtype(torch.float64)
import torch.nn.functional as F
i = torch.tensor([0, 2, 0, 0])
x = torch.tensor([1., 2., 3.], requires_grad=True); s = torch.tensor([10., 20., 30., 40.], requires_grad=True)
def G(n, f):
    y = f(); w = torch.arange(1., y.numel() + 1).view(y.shape)
    print(n, y, torch.autograd.grad((y * w).sum(), [x, s], allow_unused=True))
G("gather", lambda: x.gather(0, i)); G("idx", lambda: x[i]); G("isel", lambda: x.index_select(0, i)); G("take", lambda: x.take(i)); G("sadd", lambda: x.scatter_add(0, i, s)); G("iadd", lambda: x.index_add(0, i, s)); G("iadda", lambda: x.index_add(0, i, s, alpha=2)); G("iput", lambda: x.index_put((i,), s, accumulate=True)); G("emb", lambda: F.embedding(i, x[:, None])); G("tad", lambda: x.take_along_dim(i, 0)); G("sred", lambda: x.scatter_reduce(0, i, s, "sum")); G("sredmean", lambda: x.scatter_reduce(0, i, s, "mean")); G("sredamax", lambda: x.scatter_reduce(0, i, s, "amax")); G("sredprod", lambda: x.scatter_reduce(0, i, s, "prod", include_self=False)); G("double", lambda: x[i][torch.tensor([0, 0, 1])]); G("neg", lambda: x[torch.tensor([-1, 2, -3])]); G("mask2", lambda: x[None][torch.tensor([True]), torch.tensor([1])]); G("expand", lambda: x.expand(2, 3)[torch.tensor([0, 0]), torch.tensor([1, 1])]); G("repeat", lambda: x.repeat_interleave(2)); G("ri", lambda: x.repeat_interleave(torch.tensor([1, 0, 2]))); G("tile", lambda: x.tile(2, 2)); G("roll", lambda: x.roll(1)); G("icopy", lambda: x.index_copy(0, torch.tensor([1]), s[:1])); G("ifill", lambda: x.index_fill(0, torch.tensor([1]), 5.)); G("put", lambda: x.put(i, s, accumulate=True)); G("mscat", lambda: x.masked_scatter(torch.tensor([True, False, True]), s)); G("sel_sc", lambda: torch.select_scatter(x[None], s[:3], 0, 0)); G("sl_sc", lambda: torch.slice_scatter(x, s[:2], 0, 1)); G("dgs", lambda: torch.diagonal_scatter(torch.outer(x, x), s[:3]))
y = x.clone(); y[i] += 1; print(y, torch.autograd.grad(y.sum(), x))
y = x.clone(); y[torch.tensor([1, 1])] = s[:2].sum(); print(y, torch.autograd.grad(y.sum(), [x, s]))
print(torch.bincount(i), torch.unique(i), torch.unique(i, return_counts=True), i.unique_consecutive(), torch.histc(s.detach(), 3), torch.searchsorted(x.detach(), s.detach()), torch.bucketize(torch.tensor([2.5]), x.detach()))
