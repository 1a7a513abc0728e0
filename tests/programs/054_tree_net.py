# A tree-shaped recursive net over nested tuples: leaves are words, inner nodes compose, weights are shared.
import torch
torch.set_default_dtype(torch.float64)

dim = 3
vectors = {w: torch.cos(torch.arange(dim) * (i + 1.0) + i).requires_grad_()
           for i, w in enumerate(["the", "cat", "sat", "not", "good"])}
W = (torch.sin(torch.arange(2 * dim * dim) * 0.9) * 0.6).reshape(dim, 2 * dim).requires_grad_()
u = torch.tensor([1.0, -0.5, 0.25], requires_grad=True)


def embed(tree):
    if isinstance(tree, str):
        return vectors[tree]
    left, right = tree
    return torch.tanh(W @ torch.cat([embed(left), embed(right)]))


def depth(tree):
    return 0 if isinstance(tree, str) else 1 + max(depth(t) for t in tree)


def words(tree):
    return [tree] if isinstance(tree, str) else words(tree[0]) + words(tree[1])


trees = [("not", "good"), (("the", "cat"), "sat"), (("the", ("not", "good")), ("cat", "sat")), "cat"]
targets = [-1.0, 0.5, 0.2, 0.9]
for tree, target in zip(trees, targets):
    for t in [W, u, *vectors.values()]:
        t.grad = None
    score = u @ embed(tree)
    loss = (score - target) ** 2
    loss.backward()
    touched = sorted(w for w, v in vectors.items() if v.grad is not None)
    print(depth(tree), f"{score.item():.8f} {loss.item():.8f}", touched, touched == sorted(set(words(tree))))
    print("  ", None if W.grad is None else W.grad[0])

for epoch in range(5):
    total = sum((u @ embed(tree) - y) ** 2 for tree, y in zip(trees, targets))
    leaves = [W, u] + list(vectors.values())
    grads = torch.autograd.grad(total, leaves, allow_unused=True)
    with torch.no_grad():
        for t, g in zip(leaves, grads):
            if g is not None:
                t -= 0.1 * g
    print(epoch, f"{total.item():.6f}", sum(g is None for g in grads))
print(vectors["good"])
# a tree of dicts, with an operation at each node
expr = {"op": "*", "args": [{"op": "+", "args": ["x", 2.0]}, {"op": "sin", "args": ["x"]}]}
rules = {"*": lambda a, b: a * b, "+": lambda a, b: a + b, "sin": torch.sin}


def evaluate(node, env):
    if isinstance(node, dict):
        return rules[node["op"]](*[evaluate(a, env) for a in node["args"]])
    return env.get(node, node)


x = torch.tensor(1.5, requires_grad=True)
y = evaluate(expr, {"x": x})
y.backward()
print(y, x.grad)
