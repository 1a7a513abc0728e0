# Seventy wrong calls, each caught by its class.
import torch
torch.set_default_dtype(torch.float64)
x = torch.arange(6.).view(2, 3)
def t(n, f):
    try: print(n, f())
    except Exception as e: print(n, type(e).__name__, isinstance(e, RuntimeError))
t(1, lambda: x @ x); t(2, lambda: x + torch.ones(2)); t(3, lambda: x[5]); t(4, lambda: x[0, 5]); t(5, lambda: x[0, 0, 0])
t(6, lambda: x.view(4)); t(7, lambda: x.sum(5)); t(8, lambda: x.reshape(-1, -1)); t(9, lambda: torch.cat([x, torch.ones(1)]))
t(10, lambda: torch.stack([x, x[0]]));  t(12, lambda: torch.tensor([[1], [1, 2]])); t(13, lambda: torch.tensor("a"))
t(14, lambda: x.gather(0, torch.tensor([0]))); t(15, lambda: x.index_select(0, torch.tensor([7]))); t(16, lambda: torch.linalg.inv(torch.zeros(2, 2)))
t(17, lambda: torch.linalg.cholesky(-torch.eye(2))); t(18, lambda: x.T.view(6)); t(19, lambda: x.squeeze(9)); t(20, lambda: x.item())
t(21, lambda: torch.zeros(-1)); t(22, lambda: x ** "a"); t(23, lambda: x + None); t(24, lambda: x.mean(dtype=torch.int64)); t(25, lambda: torch.arange(3).mean())
t(26, lambda: torch.tensor([1, 2]).sqrt_()); t(27, lambda: torch.tensor([1, 2]).add_(1.5)); t(28, lambda: torch.tensor([1, 2]) / 0); t(29, lambda: torch.tensor([1, 2]) // 0)
t(30, lambda: torch.einsum("ij,jk", x, x)); t(31, lambda: x.permute(0)); t(32, lambda: x.expand(3, 3)); t(33, lambda: x.repeat(2)); t(34, lambda: torch.eye(2).split(0))
t(35, lambda: torch.nn.functional.cross_entropy(x, torch.tensor([0, 5]))); t(36, lambda: torch.nn.functional.nll_loss(x, torch.tensor([0.5, 1.]))); t(37, lambda: x.argmax(4)); t(38, lambda: torch.empty(0).max())
t(39, lambda: torch.empty(0).argmax()); t(40, lambda: torch.empty(0).mean()); t(41, lambda: torch.empty(0).sum()); t(42, lambda: torch.empty(0, 3).max(0)); t(43, lambda: torch.empty(0, 3).max(1)); t(44, lambda: torch.empty(0).median())
t(45, lambda: torch.dot(x, x)); t(46, lambda: x.mm(x[0])); t(47, lambda: x.mv(x)); t(48, lambda: torch.norm(x, "bad")); t(49, lambda: x.to("abc")); t(50, lambda: x.clamp()); t(51, lambda: torch.where(x, x, x)); t(52, lambda: x[torch.tensor([True])]); t(53, lambda: x[torch.tensor([0.5])]); t(54, lambda: x[1.0]); t(55, lambda: x["a"]); t(56, lambda: x.topk(9)); t(57, lambda: x.kthvalue(9)); t(58, lambda: x.unsqueeze(5)); t(59, lambda: x.transpose(0, 3)); t(60, lambda: x.flatten(1, 0)); t(61, lambda: torch.linspace(0, 1)); t(62, lambda: torch.full((2,))); t(63, lambda: x.scatter(0, torch.tensor([[9]]), 1.)); t(64, lambda: len(torch.tensor(1))); t(65, lambda: [i for i in torch.tensor(1)]); t(66, lambda: torch.tensor(1)[0]); t(67, lambda: int(x)); t(68, lambda: x.sum(dim=(0, 0))); t(69, lambda: torch.pow(2, 3)); t(70, lambda: torch.arange(3)**-1)
