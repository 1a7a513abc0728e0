# Simulated annealing of a tour: randperm, randint, slices that are flipped.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

torch.manual_seed(19)
pts = torch.rand(7, 2)
D = torch.cdist(pts, pts)
length = lambda tour: D[tour, tour.roll(-1)].sum().item()
tour = torch.randperm(7)
cur = best = length(tour)
print(tour.tolist(), f"{cur:.5f}")
T = 1.0
while T > 0.01:
    i, j = sorted(torch.randint(0, 7, (2,)).tolist())
    new = tour.clone()
    new[i:j + 1] = tour[i:j + 1].flip(0)
    l = length(new)
    if l < cur or torch.rand(1).item() < math.exp((cur - l) / T):
        tour, cur = new, l
        best = min(best, cur)
    T *= 0.97
print(tour.tolist(), f"{cur:.5f} {best:.5f}")
