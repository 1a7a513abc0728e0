# A two-layer net on XOR, full batch, weights as plain tensors; the bends of the loss and the final table.
import torch
torch.set_default_dtype(torch.float64)

X = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
W1 = torch.tensor([[0.8, -0.6, 0.4], [0.5, 0.9, -0.7]], requires_grad=True)
b1 = torch.tensor([0.1, -0.1, 0.2], requires_grad=True)
W2 = torch.tensor([[0.7], [-0.8], [0.6]], requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
params = (W1, b1, W2, b2)


def net(x):
    return torch.sigmoid(torch.tanh(x @ W1 + b1) @ W2 + b2)


for epoch in range(401):
    out = net(X)
    loss = ((out - Y) ** 2).mean()
    if epoch in (0, 1, 10, 100, 200, 400):
        print(f"{epoch:4d} {loss.item():.10f}")
    loss.backward()
    with torch.no_grad():
        for p in params:
            p.sub_(2.0 * p.grad)
            p.grad.zero_()
with torch.no_grad():
    out = net(X)
print([round(v, 3) for v in out.flatten().tolist()])
print((out > 0.5).flatten().tolist(), torch.equal((out > 0.5) * 1.0, Y))
print(W2)
for (a, b), y in zip(X.tolist(), out):
    print(f"{int(a)} xor {int(b)} = {y.item():.2f} -> {int(y.item() > 0.5)}")
