# A bandit and a corridor: exact policy gradients by enumeration, the score function, a baseline that changes nothing.
import torch
torch.set_default_dtype(torch.float64)

rewards = torch.tensor([1.0, 2.0, 0.5])
logits = torch.tensor([0.2, -0.1, 0.4], requires_grad=True)
policy = logits.softmax(0)
value = policy @ rewards
exact, = torch.autograd.grad(value, logits, retain_graph=True)
print(value, exact)
for baseline in (0.0, 1.0, value.item()):
    surrogate = sum(policy[a].detach() * policy[a].log() * (rewards[a] - baseline) for a in range(3))
    g, = torch.autograd.grad(surrogate, logits, retain_graph=True)
    print(f"{baseline:.4f}", g, torch.allclose(g, exact))

fisher = sum(policy[a].detach() * torch.outer(s, s) for a in range(3)
             for s in [torch.autograd.grad(policy[a].log(), logits, retain_graph=True)[0]])
print(fisher, torch.allclose(fisher, torch.diag(policy) - torch.outer(policy, policy)))
natural = torch.linalg.pinv(fisher) @ exact
print(natural)

# a corridor of five cells: left or right, the end pays
states, gamma = 5, 0.9
theta = torch.zeros(states, requires_grad=True)


def state_values(theta):
    right = torch.sigmoid(theta)
    P = torch.zeros(states, states)
    r = torch.zeros(states)
    for s in range(states):
        if s == states - 1:
            continue
        P[s, s + 1] += right[s]
        P[s, max(s - 1, 0)] += 1 - right[s]
        r[s] = right[s] * (1.0 if s + 1 == states - 1 else -0.05) + (1 - right[s]) * -0.05
    return torch.linalg.solve(torch.eye(states) - gamma * P, r)


for it in range(31):
    v = state_values(theta)
    g, = torch.autograd.grad(v[0], theta)
    if it % 10 == 0:
        print(it, v.detach(), g)
    with torch.no_grad():
        theta += 5.0 * g
print(torch.sigmoid(theta).detach()[:-1] > 0.5)

# value iteration agrees with the best policy
best = torch.zeros(states)
for _ in range(100):
    q_right = torch.tensor([(1.0 if s + 1 == 4 else -0.05) + gamma * best[s + 1].item() for s in range(4)])
    q_left = torch.tensor([-0.05 + gamma * best[max(s - 1, 0)].item() for s in range(4)])
    best = torch.cat([torch.maximum(q_right, q_left), torch.zeros(1)])
print(best)
