# The backward nodes of reductions, reshapes, indexing and products.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()
A = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i = torch.tensor([[0, 1, 1]])
outs = {
    "sum": x.sum(), "sum dim": x.sum(0), "mean": x.mean(), "mean dim": x.mean(1), "prod": x.prod(), "prod dim": x.prod(0),
    "max": x.max(), "max dim": x.max(0).values, "amax": x.amax(1), "min": x.min(), "var": x.var(), "std": x.std(0),
    "norm": x.norm(), "vector_norm": torch.linalg.vector_norm(x), "logsumexp": x.logsumexp(0), "softmax": x.softmax(1),
    "log_softmax": x.log_softmax(1), "cumsum": x.cumsum(0), "cumprod": x.cumprod(1), "logcumsumexp": x.logcumsumexp(0),
    "median": x.median(), "dist": torch.dist(v, 2 * v), "reshape": x.reshape(3, 2), "view": x.view(6), "flatten": x.flatten(),
    "T": x.T, "transpose": x.transpose(0, 1), "permute": x.permute(1, 0), "squeeze": x[:1].squeeze(), "squeeze dim": x[:1].squeeze(0),
    "unsqueeze": x.unsqueeze(0), "expand": v.expand(2, 3), "repeat": v.repeat(2), "cat": torch.cat([x, x]), "stack": torch.stack([v, v]),
    "split": x.split(1)[0], "unbind": x.unbind(0)[1], "select": x[0], "slice": x[:, 1:], "index": x[i[0]], "mask": x[x > 2],
    "index_select": x.index_select(0, torch.tensor([1])), "gather": x.gather(0, i), "scatter": x.scatter(0, i, 0.0),
    "scatter_add": torch.zeros(2, 3).scatter_add(0, i, x), "flip": x.flip(0), "roll": x.roll(1), "tril": x.tril(), "triu": x.triu(),
    "diag": A.diag(), "diagonal": A.diagonal(), "trace": A.trace(), "sort": v.sort().values, "topk": v.topk(2).values,
    "mm": A @ A, "mv": x @ v, "dot": v @ v, "bmm": torch.bmm(A[None], A[None]), "matmul 3d": A[None] @ A[None], "outer": torch.outer(v, v), "einsum": torch.einsum("ij,j->i", x, v),
    "det": torch.linalg.det(A), "inv": torch.linalg.inv(A), "solve": torch.linalg.solve(A, A[0]), "cholesky": torch.linalg.cholesky(A),
    "eigh": torch.linalg.eigh(A)[0], "svdvals": torch.linalg.svdvals(A), "qr": torch.linalg.qr(A)[0], "clone": x.clone(),
    "linear": F.linear(x, x), "linear bias": F.linear(x, x, v[:2]), "mse": F.mse_loss(v, v + 1), "l1": F.l1_loss(v, v + 1),
    "smooth_l1": F.smooth_l1_loss(v, v + 1), "huber": F.huber_loss(v, v + 1), "bce": F.binary_cross_entropy(v.sigmoid(), v / 3),
    "bce logits": F.binary_cross_entropy_with_logits(v, v.detach() / 3), "nll": F.nll_loss(x, i[0, :2]),
    "cross_entropy": F.cross_entropy(x, i[0, :2]), "layer_norm": F.layer_norm(x, (3,)), "pad": F.pad(x, (1, 1)),
}
for name, out in outs.items():
    print(f"{name:<14}{out.grad_fn.name()}")
