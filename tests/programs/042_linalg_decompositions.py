# Cholesky, QR, eigh, singular values, pinv: what does not depend on the sign of a vector is printed.
import torch
torch.set_default_dtype(torch.float64)

S = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]], requires_grad=True)
M = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]], requires_grad=True)

L = torch.linalg.cholesky(S)
print(L)
L.diagonal().log().sum().backward()
print(S.grad)
S.grad = None

Q, R = torch.linalg.qr(M)
print(torch.allclose(Q @ R, M), torch.allclose(Q.T @ Q, torch.eye(2)), R.diagonal().abs())
R.diagonal().abs().log().sum().backward()
print(M.grad)
print(torch.allclose(M.grad, torch.linalg.pinv(M.detach()).T))
M.grad = None

w, V = torch.linalg.eigh(S)
print(w)
print(torch.allclose(V @ torch.diag(w) @ V.T, S), torch.allclose(V.T @ V, torch.eye(3)))
w[-1].backward(retain_graph=True)
top = V[:, -1].detach()
print(S.grad)
print(torch.allclose(S.grad, torch.outer(top, top)))
S.grad = None
(V[:, 0] ** 2).dot(torch.tensor([1.0, 2.0, 3.0])).backward()
print((S.grad + S.grad.T) / 2)
S.grad = None

s = torch.linalg.svdvals(M)
print(s, torch.allclose(s ** 2, torch.linalg.eigh(M.T @ M)[0].flip(0)))
s.sum().backward()
print(M.grad)
M.grad = None

P = torch.linalg.pinv(M)
print(P)
print(torch.allclose(P @ M, torch.eye(2)))
P.sum().backward()
print(M.grad)
print(torch.linalg.matrix_norm(M, ord=2), torch.linalg.matrix_norm(M, "nuc"), torch.linalg.matrix_norm(M))
cond = s[0] / s[-1]
print(cond)
try:
    torch.linalg.cholesky(torch.tensor([[1.0, 2.0], [2.0, 1.0]]))
except RuntimeError as e:
    print("not positive definite", isinstance(e, RuntimeError))
