# Differentiable dynamic programming: soft edit distance, soft DTW, a soft shortest path; hard limits by temperature.
import torch
torch.set_default_dtype(torch.float64)


def softmin(values, gamma):
    v = torch.stack(values)
    return v.min() if gamma == 0 else -gamma * torch.logsumexp(-v / gamma, dim=0)


def dtw(x, y, gamma):
    inf = torch.tensor(float("inf"))
    table = {(0, 0): torch.tensor(0.0)}
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            options = [table.get(key, inf) for key in ((i - 1, j), (i, j - 1), (i - 1, j - 1))]
            table[i, j] = (x[i - 1] - y[j - 1]) ** 2 + softmin(options, gamma)
    return table[len(x), len(y)]


x = torch.tensor([0.0, 1.0, 3.0, 2.0], requires_grad=True)
y = torch.tensor([0.0, 0.5, 1.5, 3.5, 2.5, 2.0])
for gamma in (0, 0.1, 1.0):
    x.grad = None
    d = dtw(x, y, gamma)
    d.backward()
    print(gamma, f"{d.item():.8f}", x.grad)


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, p in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, q in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (p != q))
    return row[-1]


print(edit_distance("kitten", "sitting"), edit_distance("", "abc"), edit_distance("same", "same"))

edges = {("s", "a"): 1.0, ("s", "b"): 4.0, ("a", "b"): 2.0, ("a", "t"): 6.0, ("b", "t"): 3.0}
w = {e: torch.tensor(v, requires_grad=True) for e, v in edges.items()}
order = ["s", "a", "b", "t"]


def distance(gamma):
    best = {"s": torch.tensor(0.0)}
    for node in order[1:]:
        best[node] = softmin([best[u] + c for (u, v), c in w.items() if v == node], gamma)
    return best["t"]


for gamma in (0, 0.5):
    grads = torch.autograd.grad(distance(gamma), list(w.values()))
    print(gamma, f"{distance(gamma).item():.8f}", {"".join(e): round(g.item(), 6) for e, g in zip(w, grads)})
