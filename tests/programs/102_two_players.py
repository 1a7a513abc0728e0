# Minimax: alternating and simultaneous steps, detach on the way to the opponent, extragradient; a tiny GAN's two losses.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

game = lambda x, y: x * y + 0.1 * x ** 2 - 0.1 * y ** 2


def play(method, steps=40, lr=0.2):
    x = torch.tensor(1.0, requires_grad=True)
    y = torch.tensor(1.0, requires_grad=True)
    for _ in range(steps):
        gx, gy = torch.autograd.grad(game(x, y), (x, y))
        if method == "extragradient":
            px, py = (x - lr * gx).detach().requires_grad_(), (y + lr * gy).detach().requires_grad_()
            gx, gy = torch.autograd.grad(game(px, py), (px, py))
        with torch.no_grad():
            x -= lr * gx
        if method == "alternating":
            gy, = torch.autograd.grad(game(x, y), y)
        with torch.no_grad():
            y += lr * gy
    return x.item(), y.item()


for method in ("simultaneous", "alternating", "extragradient"):
    x, y = play(method)
    print(f"{method:<14} {x:+.8f} {y:+.8f} {(x * x + y * y) ** 0.5:.8f}")

noise = torch.linspace(-1, 1, 8)
real = 0.5 * noise + 2.0
gen = torch.tensor([1.0, 0.0], requires_grad=True)
disc = torch.tensor([0.1, 0.0], requires_grad=True)
generate = lambda: gen[0] * noise + gen[1]
judge = lambda s: disc[0] * s + disc[1]
ones, zeros = torch.ones(8), torch.zeros(8)
for step in range(60):
    fake = generate()
    d_loss = F.binary_cross_entropy_with_logits(judge(real), ones) + F.binary_cross_entropy_with_logits(judge(fake.detach()), zeros)
    gd, = torch.autograd.grad(d_loss, disc)
    with torch.no_grad():
        disc -= 0.2 * gd
    g_loss = F.binary_cross_entropy_with_logits(judge(generate()), ones)
    g_loss.backward()
    if step == 0:
        print("disc also heard the generator's loss:", disc.grad is not None)
    with torch.no_grad():
        gen -= 0.1 * gen.grad
    gen.grad = disc.grad = None
    if step % 20 == 19:
        print(step, f"{d_loss.item():.6f} {g_loss.item():.6f}", gen.detach(), disc.detach())
