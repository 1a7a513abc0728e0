# What dropout draws and what it does not, seeds set again, and draws within vmap.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)
for p in (0.0, 1.0, 0.5):
    torch.manual_seed(5); print(F.dropout(torch.ones(3), p), torch.rand(1)); torch.manual_seed(5); print(F.dropout(torch.ones(3), p, False), torch.rand(1))
torch.manual_seed(5); print(torch.bernoulli(torch.ones(3), 0.0), torch.rand(1))
torch.manual_seed(5); print(F.dropout(torch.ones(2, 2), 0.3), torch.rand(1))
torch.manual_seed(5); print(F.scaled_dot_product_attention(torch.ones(1,2,2), torch.ones(1,2,2), torch.ones(1,2,2), dropout_p=0.0), torch.rand(1))
torch.manual_seed(1); a = torch.randn(5); torch.manual_seed(1); b = torch.randn(5); print(torch.equal(a, b), torch.randn(2, 3).shape, torch.randn(3, 1))
torch.manual_seed(2); x = torch.randn(4, 5); y = torch.randn(4, 5, requires_grad=True); z = torch.randn(()); print(x, y, z, torch.randn([2]), torch.randn(size=(2,)), torch.rand((2,)), torch.randn_like(x)[0])
torch.manual_seed(2); print(torch.vmap(lambda v: v + torch.randn(2), randomness="different")(torch.zeros(3, 2)))
torch.manual_seed(2); print(torch.vmap(lambda v: v + torch.randn(()), randomness="same")(torch.zeros(3, 2)))
