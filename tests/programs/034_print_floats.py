# How a tensor of floats is printed: digits, alignment, scientific mode, nan and inf, empty ones.
import torch
torch.set_default_dtype(torch.float64)

for values in [3.0, 3.25, -0.5, 1e-3, 1e-5, 123456.0, 1234567.5, 1e10, 1e16, 0.1 + 0.2, float("inf"), float("nan"), -float("inf"), 0.0]:
    print(torch.tensor(values))
for values in [[1.0, 2.0, 3.0], [1.0, 2.5], [1.0, -2.0], [0.1, 10.0, 100.0], [1e-4, 1.0], [1e-5, 1.0], [1e-3, 1e3], [1e5, 1.5],
               [99999.5, 1.0], [1e8, 1.0], [1e8, 1.5], [123456789.0, 2.0], [0.5, float("inf")], [1.0, float("nan"), -2.0],
               [float("inf"), -float("inf")], [float("nan")], [1e-10, 2e-10], [1e300, -1e-300], [1 / 3, 200 / 3, 20000 / 3],
               [0.0, 1e-7], [0.0, 0.0], [5e-324, 1.0], [1000.0, 10000.0], [0.99999, 1.0], [-0.00001, 0.5]]:
    print(torch.tensor(values))
print(torch.tensor([[1.0, 20.0], [300.0, -4.0]]))
print(torch.tensor([[1.5, 20.0], [300.0, -4.0]]))
print(torch.tensor([[1e-6, 20.0], [3e6, -4.0]]))
print(torch.tensor([[1.0, float("nan")], [float("inf"), 1000.0]]))
print(torch.tensor([[0.5], [12.25]]), torch.tensor([[0.5, 12.25]]))
print(torch.tensor([]), torch.zeros(0, 3), torch.zeros(2, 0), torch.tensor([[]]))
print(torch.tensor(2.5, dtype=torch.float32), torch.tensor([1.0, 2.0], dtype=torch.float32), torch.zeros(0, dtype=torch.float32))
print(f"{torch.tensor(3.14159)}", str(torch.tensor([1.0, 2.0])), torch.tensor(0.1, dtype=torch.float32).item())
print([torch.tensor(1.0), torch.tensor([2.0, 3.0])], (torch.tensor(4),), {"k": torch.tensor(5.5)})
print(f"{torch.tensor(3.14159):.2f} {torch.tensor(42)} {torch.tensor(2.0):8.3f}|")
