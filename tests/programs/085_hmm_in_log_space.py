# A hidden Markov model: the forward algorithm in log space; posteriors are the gradient of its log-likelihood.
import torch
torch.set_default_dtype(torch.float64)

start = torch.tensor([0.6, 0.4])
move = torch.tensor([[0.7, 0.3], [0.4, 0.6]])
emit = torch.tensor([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
seen = [0, 1, 2, 2, 0]


def log_likelihood(log_start, log_move, scores):
    alpha = log_start + scores[0]
    for row in scores[1:]:
        alpha = torch.logsumexp(alpha[:, None] + log_move, dim=0) + row
    return alpha.logsumexp(0)


log_start, log_move = start.log().requires_grad_(), move.log().requires_grad_()
scores = emit.log().T[seen].clone().requires_grad_()
ll = log_likelihood(log_start, log_move, scores)
ll.backward()
print(f"{ll.item():.12f}")
print(scores.grad)
print(log_move.grad, f"{log_move.grad.sum().item():.9f}")
print(log_start.grad, torch.allclose(log_start.grad, scores.grad[0]))

# by brute force over all paths
total, marginal = 0.0, torch.zeros(len(seen), 2)
for code in range(2 ** len(seen)):
    path = [code // 2 ** t % 2 for t in range(len(seen))]
    p = start[path[0]] * emit[path[0], seen[0]]
    for t in range(1, len(seen)):
        p = p * move[path[t - 1], path[t]] * emit[path[t], seen[t]]
    total += p.item()
    for t, s in enumerate(path):
        marginal[t, s] += p
print(f"{total:.12f}", torch.allclose(marginal / total, scores.grad), torch.allclose(torch.tensor(total).log(), ll))


def viterbi(log_start, log_move, scores):
    best, back = log_start + scores[0], []
    for row in scores[1:]:
        value, where = (best[:, None] + log_move).max(dim=0)
        back.append(where.tolist())
        best = value + row
    state = best.argmax().item()
    path = [state]
    for where in reversed(back):
        state = where[state]
        path.append(state)
    return path[::-1], best.max()


path, score = viterbi(log_start, log_move, scores)
print(path, f"{score.item():.10f}")
g, = torch.autograd.grad(score, scores)
print(g, g.argmax(dim=1).tolist() == path)
