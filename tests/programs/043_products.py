# Products of every kind: @ of all ranks, dot, outer, einsum, kron, cross, matrix_power, multi_dot.
import torch
torch.set_default_dtype(torch.float64)

u = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
v = torch.tensor([4.0, -5.0, 6.0], requires_grad=True)
A = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
B = torch.tensor([[0.0, 1.0, 2.0], [1.0, -1.0, 1.0]], requires_grad=True)


def show(label, y):
    for t in (u, v, A, B):
        t.grad = None
    (y * torch.arange(1.0, 1.0 + len(y.flatten())).reshape(y.shape)).sum().backward()
    print(f"{label}:", y.tolist(), *[t.grad.tolist() for t in (u, v, A, B) if t.grad is not None])


show("dot", u @ v)
show("torch.dot", torch.dot(u, u))
show("outer", torch.outer(u, v)[1:])
show("inner", torch.inner(B, u))
show("mv", torch.mv(B, u))
show("vm", torch.tensor([1.0, -1.0]) @ B)
show("mm", torch.mm(A, B))
show("mT", A.mT @ A)
show("cross", torch.linalg.cross(u, v))
show("kron", torch.kron(A, torch.tensor([[1.0, 0.5]])))
show("power", torch.linalg.matrix_power(A, 3))
show("multi_dot", torch.linalg.multi_dot([A, B, u]))
show("einsum mm", torch.einsum("ij,jk->ik", A, B))
show("einsum trace", torch.einsum("ii->", A))
show("einsum diag", torch.einsum("ii->i", A))
show("einsum sum", torch.einsum("ij->j", B))
show("einsum T", torch.einsum("ij->ji", B))
show("einsum bilinear", torch.einsum("i,ij,j->", torch.tensor([1.0, 2.0]), B, v))
show("einsum outer", torch.einsum("i,j->ij", u, torch.tensor([1.0, 2.0])))
show("einsum implicit", torch.einsum("ij,ij", B, B))
show("trace", torch.trace(A @ A))
twice = lambda: torch.stack([A, 2 * A])
show("bmm", torch.bmm(twice(), twice()))
show("batch @ matrix", twice() @ B)
show("matrix @ batch", A @ twice())
show("batch @ vector", twice() @ torch.tensor([1.0, -1.0]))
show("einsum batch", torch.einsum("bij,bj->bi", twice(), torch.ones(2, 2)))
show("cross rows", torch.cross(torch.stack([u, v]), torch.ones(2, 3), dim=1))
for f in (lambda: u @ torch.ones(4), lambda: A @ u, lambda: torch.mm(A, u), lambda: torch.tensor(1.0) @ u, lambda: torch.dot(A, A)):
    try:
        f()
    except RuntimeError as e:
        print(type(e).__name__)
