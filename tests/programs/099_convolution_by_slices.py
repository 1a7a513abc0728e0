# Convolution, pooling and blur out of slices, pad and einsum; edge detection learnt from its own output.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)


def conv2d(image, kernel, padding=0):
    image = F.pad(image, (padding,) * 4)
    kh, kw = kernel.shape
    h, w = image.shape[0] - kh + 1, image.shape[1] - kw + 1
    out = torch.zeros(h, w)
    for i in range(kh):
        for j in range(kw):
            out = out + kernel[i, j] * image[i:i + h, j:j + w]
    return out


def max_pool(image, size):
    h, w = image.shape[0] // size, image.shape[1] // size
    return image[:h * size, :w * size].reshape(h, size, w, size).permute(0, 2, 1, 3).reshape(h, w, -1).amax(-1)


image = (torch.arange(36) * 7 % 11 * 1.0).reshape(6, 6).requires_grad_()
sobel = torch.tensor([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]], requires_grad=True)
edges = conv2d(image, sobel)
print(edges)
print(conv2d(image, sobel, padding=1).shape, max_pool(image, 2), max_pool(image, 4).shape)
edges.square().mean().backward()
print(image.grad)
print(sobel.grad)

patches = torch.stack([image[i:i + 4, j:j + 4] for i in range(3) for j in range(3)])
print(torch.allclose(torch.einsum("kij,k->ij", patches, sobel.flatten()), edges))
kernel = torch.zeros(3, 3, requires_grad=True)
target, plain = edges.detach(), image.detach() / 10
for it in range(201):
    loss = F.mse_loss(conv2d(plain, kernel), target / 10)
    g, = torch.autograd.grad(loss, kernel)
    with torch.no_grad():
        kernel -= 0.3 * g
    if it % 50 == 0:
        print(it, f"{loss.item():.8f}")
image.grad = None
max_pool(image, 3).sum().backward()
print(image.grad.sum(), (image.grad > 0).sum())
signal = torch.tensor([0.0, 1.0, 2.0, 1.0, 0.0, -1.0, 0.0])
smooth = sum(w * signal.roll(s) for s, w in [(-1, 0.25), (0, 0.5), (1, 0.25)])
print(smooth)
