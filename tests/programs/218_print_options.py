# set_printoptions: precision, sci_mode, threshold, edgeitems, linewidth, profiles.
import math
import torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)

x = torch.tensor([[1.23456789, 1e-5], [12345.678, -0.5]])
print(x)
torch.set_printoptions(precision=2)
print(x)
torch.set_printoptions(precision=8, sci_mode=False)
print(x)
torch.set_printoptions(sci_mode=True, precision=3)
print(x)
print(torch.tensor([1.0, 2.0]))
torch.set_printoptions(profile="default")
print(x)
torch.set_printoptions(threshold=5, edgeitems=2)
print(torch.arange(10))
print(torch.arange(36).view(6, 6))
torch.set_printoptions(profile="full")
print(torch.arange(30))
torch.set_printoptions(profile="short")
print(torch.rand(3).shape, torch.tensor([1.23456]))
torch.set_printoptions(profile="default", linewidth=40)
print(torch.arange(20.) / 7)
torch.set_printoptions(profile="default")
print(torch.tensor([math.pi]))
