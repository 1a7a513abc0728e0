# Skip-gram with negative words on a tiny corpus: lookups that repeat, sparse-looking gradients, nearest neighbours.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

corpus = "the king rules the land the queen rules the land the dog eats the bone the cat eats the fish".split()
vocab = sorted(set(corpus))
ids = {w: i for i, w in enumerate(vocab)}
counts = {}
for w in corpus:
    counts[w] = counts.get(w, 0) + 1
print(len(vocab), sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:3])

n, dim = len(vocab), 4
inner = (torch.sin(torch.arange(n * dim) * 3.7) * 0.3).reshape(n, dim).requires_grad_()
outer = (torch.cos(torch.arange(n * dim) * 2.9) * 0.3).reshape(n, dim).requires_grad_()
pairs = [(ids[w], ids[corpus[j]]) for i, w in enumerate(corpus) for j in (i - 1, i + 1) if 0 <= j < len(corpus)]
centre = torch.tensor([a for a, _ in pairs])
context = torch.tensor([b for _, b in pairs])
negative = (context * 5 + 3) % n
print(len(pairs), centre[:6], negative[:6])


def loss():
    v = inner[centre]
    good = (v * outer[context]).sum(1)
    bad = (v * outer[negative]).sum(1)
    return -(F.logsigmoid(good) + F.logsigmoid(-bad)).mean()


value = loss()
value.backward()
print(f"{value.item():.10f}", inner.grad[ids["the"]], outer.grad[ids["fish"]])
by_word = torch.zeros(n).scatter_add(0, centre, torch.ones(len(pairs)))
print(by_word)
for it in range(151):
    value = loss()
    g_in, g_out = torch.autograd.grad(value, (inner, outer))
    with torch.no_grad():
        inner -= 2.0 * g_in
        outer -= 2.0 * g_out
    if it % 50 == 0:
        print(it, f"{value.item():.6f}")
unit = inner.detach() / inner.detach().norm(dim=1, keepdim=True)
similar = unit @ unit.T
similar = similar - 2 * torch.eye(n)
for w in ("king", "dog"):
    best = similar[ids[w]].argmax().item()
    print(w, vocab[best], f"{similar[ids[w], best].item():.3f}")
