# Black-Scholes: prices, all the Greeks by autograd against the closed forms, put-call parity, implied volatility.
import math
import torch
torch.set_default_dtype(torch.float64)


def Phi(x):
    return 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def phi(x):
    return torch.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def option(S, K, T, r, sigma, kind="call"):
    d1 = (torch.log(S / K) + (r + sigma ** 2 / 2) * T) / (sigma * torch.sqrt(T))
    d2 = d1 - sigma * torch.sqrt(T)
    call = S * Phi(d1) - K * torch.exp(-r * T) * Phi(d2)
    return call if kind == "call" else call - S + K * torch.exp(-r * T)


inputs = dict(S=100.0, K=105.0, T=0.75, r=0.03, sigma=0.2)
p = {name: torch.tensor(v, requires_grad=True) for name, v in inputs.items()}
for kind in ("call", "put"):
    price = option(**p, kind=kind)
    greeks = torch.autograd.grad(price, list(p.values()), create_graph=True)
    g = dict(zip(p, greeks))
    gamma, vanna = torch.autograd.grad(g["S"], (p["S"], p["sigma"]), retain_graph=True)
    volga, = torch.autograd.grad(g["sigma"], p["sigma"], retain_graph=True)
    print(f"{kind:>4}: price {price.item():.8f}")
    print("     ", " ".join(f"{name} {value.item():.8f}" for name, value in g.items()))
    print("     ", f"gamma {gamma.item():.8f} vanna {vanna.item():.8f} volga {volga.item():.8f}")
S, K, T, r, sigma = (t.detach() for t in p.values())
d1 = (torch.log(S / K) + (r + sigma ** 2 / 2) * T) / (sigma * torch.sqrt(T))
print(torch.allclose(gamma, phi(d1) / (S * sigma * torch.sqrt(T))), torch.allclose(g["sigma"], S * phi(d1) * torch.sqrt(T)))
parity = option(**p) - option(**p, kind="put") - (p["S"] - p["K"] * torch.exp(-p["r"] * p["T"]))
print(abs(parity.item()) < 1e-12)

market, vol = 9.0, torch.tensor(0.3, requires_grad=True)
for i in range(20):
    miss = option(S, K, T, r, vol) - market
    if miss.abs() < 1e-12:
        break
    vega, = torch.autograd.grad(miss, vol)
    vol = (vol - miss.detach() / vega).detach().requires_grad_()
print(f"implied volatility {vol.item():.10f}", i < 8)

strikes = torch.linspace(80, 120, 5, requires_grad=True)
curve = option(S, strikes, T, r, sigma)
density, = torch.autograd.grad(curve.sum(), strikes, create_graph=True)
density, = torch.autograd.grad(density.sum(), strikes)
print(curve.detach(), density * torch.exp(r * T), sep="\n")
