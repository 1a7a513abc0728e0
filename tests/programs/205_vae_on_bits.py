# A linear variational autoencoder: bernoulli data, reparameterised normals.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(8)
X = torch.bernoulli(torch.full((16, 6), 0.3))
print(X.sum(0), X.mean())
enc = torch.randn(6, 4).mul(0.1).requires_grad_()
dec = torch.randn(2, 6).mul(0.1).requires_grad_()
def elbo(x):
    h = x @ enc
    mu, logvar = h[:, :2], h[:, 2:]
    std = torch.exp(0.5 * logvar)
    eps = torch.randn_like(std)
    z = mu + eps * std
    recon = torch.sigmoid(z @ dec)
    BCE = F.binary_cross_entropy(recon, x, reduction='sum')
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE, KLD
for epoch in range(1, 31):
    bce, kld = elbo(X)
    (bce + kld).backward()
    with torch.no_grad():
        for p in (enc, dec):
            p -= 0.01 * p.grad
            p.grad.zero_()
    if epoch % 10 == 0:
        print('====> Epoch: {} BCE: {:.4f} KLD: {:.4f}'.format(epoch, bce.item(), kld.item()))
print(enc)
