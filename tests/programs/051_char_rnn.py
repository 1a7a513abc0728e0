# A character-level recurrent cell: one-hot letters, teacher forcing, then greedy sampling from what was learnt.
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

text = "hello world. hello "
letters = sorted(set(text))
index = {c: i for i, c in enumerate(letters)}
n, hidden = len(letters), 12
print(n, "".join(letters))


def init(rows, cols):
    k = torch.arange(rows * cols)
    return (torch.sin(k * 12.9898 + rows) * 0.5).reshape(rows, cols).requires_grad_()


W_xh, W_hh, W_hy = init(hidden, n), init(hidden, hidden), init(n, hidden)
b_h, b_y = torch.zeros(hidden, requires_grad=True), torch.zeros(n, requires_grad=True)
params = [W_xh, W_hh, W_hy, b_h, b_y]


def step(char, h):
    x = F.one_hot(torch.tensor(index[char]), n) * 1.0
    h = torch.tanh(W_xh @ x + W_hh @ h + b_h)
    return W_hy @ h + b_y, h


memory = [torch.zeros_like(p) for p in params]
for epoch in range(61):
    h = torch.zeros(hidden)
    loss = 0.0
    for now, after in zip(text, text[1:]):
        logits, h = step(now, h)
        loss = loss + F.cross_entropy(logits, torch.tensor(index[after]))
    loss = loss / (len(text) - 1)
    for p in params:
        p.grad = None
    loss.backward()
    if epoch % 20 == 0:
        print(epoch, f"{loss.item():.5f}", f"{sum(p.grad.norm().item() for p in params):.4f}")
    with torch.no_grad():
        for p, m in zip(params, memory):
            m += p.grad * p.grad
            p -= 0.1 * p.grad / (m.sqrt() + 1e-8)


@torch.no_grad()
def babble(char, length):
    h, said = torch.zeros(hidden), char
    for _ in range(length):
        logits, h = step(said[-1], h)
        said += letters[logits.argmax().item()]
    return said


print(f"'{babble('h', 14)}'")
