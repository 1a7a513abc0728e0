# A recurrent net over the letters of names, trained with nll_loss and its own update.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

all_letters = "abcdefghijklmnopqrstuvwxyz .,;'"
n_letters = len(all_letters)
def letter_index(ch): return all_letters.find(ch)
def line_to_tensor(line):
    t = torch.zeros(len(line), 1, n_letters)
    for li, letter in enumerate(line):
        t[li][0][letter_index(letter)] = 1
    return t
print(line_to_tensor("jones").size())
names = {"it": ["rossi", "bianchi", "ricci"], "sc": ["macleod", "campbell", "fraser"], "jp": ["tanaka", "sato", "ito"]}
cats = sorted(names.keys())
torch.manual_seed(7)
H = 8
Wih = (torch.randn(n_letters, H) * 0.1).requires_grad_()
Whh = (torch.randn(H, H) * 0.1).requires_grad_()
bh = torch.zeros(H, requires_grad=True)
Who = (torch.randn(H, len(cats)) * 0.1).requires_grad_()
bo = torch.zeros(len(cats), requires_grad=True)
params = [Wih, Whh, bh, Who, bo]
def rnn(line):
    h = torch.zeros(1, H)
    for ch in line_to_tensor(line):
        h = torch.tanh(ch @ Wih + h @ Whh + bh)
    return F.log_softmax(h @ Who + bo, dim=1)
for epoch in range(20):
    tot = 0
    for ci, c in enumerate(cats):
        for name in names[c]:
            out = rnn(name)
            loss = F.nll_loss(out, torch.tensor([ci]))
            grads = torch.autograd.grad(loss, params)
            with torch.no_grad():
                for p, g in zip(params, grads):
                    p.add_(g, alpha=-0.2)
            tot += loss.item()
    if epoch % 5 == 4:
        print(f"epoch {epoch:2d} loss {tot:.5f}")
def predict(name, n_predictions=2):
    with torch.no_grad():
        topv, topi = rnn(name).topk(n_predictions, 1, True)
        for i in range(n_predictions):
            print('(%.2f) %s' % (topv[0][i].item(), cats[topi[0][i].item()]))
predict("ferrari")
predict("sato")
