# Fixed points by iteration, differentiated through and around: Sinkhorn's transport, PageRank, a power method.
import torch
torch.set_default_dtype(torch.float64)

cost = torch.tensor([[0.0, 1.0, 4.0], [1.0, 0.5, 1.0], [4.0, 1.0, 0.2]], requires_grad=True)
p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.2, 0.6])


def sinkhorn(cost, epsilon, trips=200):
    f, g = torch.zeros(3), torch.zeros(3)
    for _ in range(trips):
        f = epsilon * (p.log() - torch.logsumexp((g - cost) / epsilon, dim=1))
        g = epsilon * (q.log() - torch.logsumexp((f[:, None] - cost) / epsilon, dim=0))
    plan = ((f[:, None] + g - cost) / epsilon).exp()
    return plan, (f * p).sum() + (g * q).sum()


plan, dual = sinkhorn(cost, 0.3)
print(plan.detach(), plan.sum(0).detach(), sep="\n")
g, = torch.autograd.grad(dual, cost)
print(torch.allclose(g, plan.detach(), atol=1e-8), f"{dual.item():.8f}")

links = torch.tensor([[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 2.0], [1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 3.0, 0.0]], requires_grad=True)


def pagerank(links, damping=0.85, tolerance=1e-14):
    out = links / links.sum(1, keepdim=True)
    rank, trips = torch.full((4,), 0.25), 0
    while True:
        new = (1 - damping) / 4 + damping * rank @ out
        trips += 1
        if (new - rank).abs().sum() < tolerance:
            return new, trips
        rank = new


rank, trips = pagerank(links)
print(rank.detach(), trips > 20)
rank[0].backward()
print(links.grad)
# the same by solving the linear system once
M = links.detach().clone().requires_grad_()
out = M / M.sum(1, keepdim=True)
exact = torch.linalg.solve(torch.eye(4) - 0.85 * out.T, torch.full((4,), 0.0375))
exact[0].backward()
print(torch.allclose(exact, rank), torch.allclose(M.grad, links.grad))

A = torch.tensor([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 1.0]], requires_grad=True)
v = torch.ones(3)
for _ in range(80):
    v = A @ v
    v = v / v.norm()
top = v @ A @ v
top.backward()
w, V = torch.linalg.eigh(A.detach())
print(f"{top.item():.10f} {w[-1].item():.10f}")
print(A.grad, torch.allclose((A.grad + A.grad.T) / 2, torch.outer(V[:, -1], V[:, -1]), atol=1e-8))
