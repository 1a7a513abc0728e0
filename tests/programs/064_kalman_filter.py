# A Kalman filter for position and speed; the log-likelihood of the data differentiated in the noise levels.
import math
import torch
torch.set_default_dtype(torch.float64)

data = [0.9, 2.3, 2.7, 4.4, 5.1, 5.6, 7.2, 8.3, 8.8, 10.4]
F = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
H = torch.tensor([[1.0, 0.0]])


def kalman(log_q, log_r, observations):
    q, r = log_q.exp(), log_r.exp()
    Q = q * torch.tensor([[0.25, 0.5], [0.5, 1.0]])
    R = r * torch.eye(1)
    m, P = torch.zeros(2), 10.0 * torch.eye(2)
    loglik, gains = 0.0, []
    for z in observations:
        m, P = F @ m, F @ P @ F.T + Q
        S = H @ P @ H.T + R
        innovation = z - H @ m
        K = P @ H.T @ torch.linalg.inv(S)
        m = m + K @ innovation
        P = (torch.eye(2) - K @ H) @ P
        gains.append(K[0, 0].item())
        quadratic = innovation @ torch.linalg.solve(S, innovation)
        loglik = loglik - 0.5 * (quadratic + torch.linalg.slogdet(S)[1] + math.log(2 * math.pi))
    return loglik, m, P, gains


log_q = torch.tensor(-2.0, requires_grad=True)
log_r = torch.tensor(-1.0, requires_grad=True)
loglik, m, P, gains = kalman(log_q, log_r, data)
loglik.backward()
print(f"{loglik.item():.10f} {log_q.grad.item():.10f} {log_r.grad.item():.10f}")
print(m, P, sep="\n")
print([round(g, 6) for g in gains])

for step in range(30):
    loglik, *_ = kalman(log_q, log_r, data)
    gq, gr = torch.autograd.grad(loglik, [log_q, log_r])
    with torch.no_grad():
        log_q += 0.1 * gq
        log_r += 0.1 * gr
    if step % 10 == 9:
        print(step, f"{loglik.item():.6f} q={log_q.exp().item():.6f} r={log_r.exp().item():.6f}")

# how much does each observation move the last estimate?
z = torch.tensor(data, requires_grad=True)
kalman(log_q.detach(), log_r.detach(), z)[1][0].backward()
print(z.grad)
