# while/else, for/else, break, continue, nested loops, conditional expressions, chained comparison, walrus, short circuits.
import torch
torch.set_default_dtype(torch.float64)

for n in range(2, 20):
    for k in range(2, n):
        if n % k == 0:
            break
    else:
        print(n, end=" ")
print()
x = torch.tensor(1.7, requires_grad=True)
y, count = x, 0
while y < 1000:
    count += 1
    if count % 3 == 0:
        y = y + 10
        continue
    y = y * x
    if count > 30:
        break
else:
    print("ended by itself after", count)
y.backward()
print(y, x.grad)

z = torch.tensor(6.0)
steps = []
while z != 1:
    z = z / 2 if z % 2 == 0 else 3 * z + 1
    steps.append(int(z))
print(steps)


def classify(v):
    if v < 0:
        return "negative"
    elif v == 0:
        return "zero"
    elif 0 < v <= 1 < 10:
        return "small"
    else:
        return "large"


print([classify(v) for v in (-1, 0, 0.5, 1, 7)], 1 < 2 < 3, 1 < 3 < 2, 3 > 2 == 2, 1 == 1.0 != 2)
print(0 or "default", 1 and 2, None or [], not 0, not [1], "" and 1 / 0, True or 1 / 0)
if (m := len(steps)) > 5:
    print("walrus", m)
total = 0
while (total := total + 3) < 20:
    pass
print(total, [w := 2, w ** 3], [r for v in range(6) if (r := v * v) > 8])
i = 10
for i in range(3):
    pass
print(i, [i for i in range(5)][-1], i)
for i in []:
    print("never")
else:
    print("empty loop")
for a, (b, c) in [(1, (2, 3)), (4, (5, 6))]:
    print(a + b * c, end=" ")
print()
u = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
pieces = []
for v in u:
    pieces.append(v.exp() if v > 2 else v ** 2 if v > 0 else -v)
out = torch.stack(pieces)
print(out)
out.sum().backward()
print(u.grad)
grid = [[0] * 3 for _ in range(3)]
for r in range(3):
    for c in range(3):
        if r == c:
            continue
        grid[r][c] = r - c
print(grid, 7 // 2 * 2 + 7 % 2 == 7, -2 ** 2, 2 ** 3 ** 2, (1, 2) == (1, 2), None is None, 5 if [] else 6)
pass
