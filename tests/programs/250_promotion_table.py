# Result dtypes of every pair of bool, int64, float32 and float64, with and without dimensions.
import torch
torch.set_default_dtype(torch.float64)
ts = {"b": torch.tensor([True, False]), "i": torch.tensor([1, 2]), "f": torch.tensor([1.5, 2.5], dtype=torch.float32), "d": torch.tensor([0.5, 1.5]), "b0": torch.tensor(True), "i0": torch.tensor(3), "f0": torch.tensor(2.5, dtype=torch.float32), "d0": torch.tensor(4.5)}
for a, x in ts.items():
    for b, y in ts.items():
        r = [str((x + y).dtype)[6:], str((x * y).dtype)[6:], str((x / y).dtype)[6:], str((x ** y).dtype)[6:] if "b" not in a + b else "-", str(torch.result_type(x, y))[6:], str(torch.where(ts["b"], x, y).dtype)[6:], str(torch.maximum(x, y).dtype)[6:], str((x // y).dtype)[6:] if "b" not in a + b else "-", str((x == y).dtype)[6:], str(torch.cat([x.view(-1), y.view(-1)]).dtype)[6:]]
        print(a, b, *r)
for a, x in ts.items(): print(a, x + 1, x + 1.5, x + True, x * 2, x / 2, 2 / x, 1 - x if a[0] != "b" else "", x ** 2 if a[0] != "b" else "", x ** 0.5, x.sum(), x.mean() if a[0] in "fd" else "", x.prod(), x.cumsum(0), -x if a[0] != "b" else ~x, x.exp(), x.sqrt(), x > 1, x.float().dtype, x.abs() if a[0] != "b" else "", x.sum(dtype=torch.float32), x.sigmoid().dtype, torch.atan2(x, x).dtype, x.clamp(max=2) if a[0] != "b" else "", x.lerp(x, 0.5) if a[0] in "fd" else "", sep=" | ")
print(torch.tensor([1, 2.5]), torch.tensor([True, 2]), torch.tensor([True, 1.5]), torch.tensor(1) / torch.tensor(2), torch.tensor(7) // 2, torch.tensor(-7) // 2, torch.tensor(-7) % 3, torch.tensor(-7.5) // 2, 7 // torch.tensor(2.), torch.arange(3) * 0.5, torch.arange(0, 1, 0.25), torch.full((2,), 1), torch.full((2,), True), torch.full((2,), 1.), torch.zeros(2, dtype=torch.int32) + torch.zeros(2, dtype=torch.int64) if hasattr(torch, "int32") else "")
