# A PID controller tuned by gradients through the closed loop, with saturation and an anti-windup branch.
import torch
torch.set_default_dtype(torch.float64)


def simulate(gains, setpoint=1.0, dt=0.1, steps=60, limit=2.0):
    kp, ki, kd = gains
    y, v, integral, last = torch.zeros(()), torch.zeros(()), torch.zeros(()), None
    cost, saturated = torch.zeros(()), 0
    for k in range(steps):
        error = setpoint - y
        slope = 0.0 if last is None else (error - last) / dt
        u = kp * error + ki * integral + kd * slope
        if abs(u.item()) > limit:
            u = u.clamp(-limit, limit)
            saturated += 1
        else:
            integral = integral + error * dt
        v = v + dt * (u - 0.5 * v - y)
        y = y + dt * v
        last = error
        cost = cost + dt * (error ** 2 + 0.01 * u ** 2)
    return cost, y, saturated


gains = torch.tensor([1.0, 0.2, 0.1], requires_grad=True)
history = []
for it in range(21):
    cost, y, saturated = simulate(gains)
    cost.backward()
    history.append(cost.item())
    if it % 5 == 0:
        print(it, f"{cost.item():.8f} {y.item():.6f}", saturated, gains.grad)
    with torch.no_grad():
        gains -= 0.3 * gains.grad
        gains.clamp_(min=0.0)
        gains.grad.zero_()
print(gains)
print(all(b <= a for a, b in zip(history, history[1:])), f"{history[-1] / history[0]:.4f}")
strong = torch.tensor([6.0, 1.0, 0.5], requires_grad=True)
cost, y, saturated = simulate(strong)
cost.backward()
print(f"{cost.item():.8f}", saturated, strong.grad)
