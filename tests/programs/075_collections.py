# Lists, tuples, dicts, sets, comprehensions, unpacking, sorting, zip and friends, with tensors inside.
import torch
torch.set_default_dtype(torch.float64)

a = [5, 3, 8]
a.append(1)
a.extend([9, 3])
a.insert(0, 7)
print(a, a.pop(), a.pop(0), a.index(8), a.count(3), len(a))
a.remove(3)
a.sort()
print(a, a[::-1], a[-2:], a[1:3], a[::2], a + [0] * 2)
a.sort(reverse=True)
a.reverse()
b = a.copy()
b.clear()
a[1:2] = [5]
print(a, b, 8 in a, 4 not in a, a == [1, 5, 8, 9], [1, 2] < [1, 3], a is a)
del a[0]
a[-1] += 1
print(a, max(a), min(a), sum(a), sorted(a, key=lambda v: v % 7), list(reversed(a)), any(v > 9 for v in a), all(v > 9 for v in a))

d = {"w": torch.tensor(1.0), "b": torch.tensor(2.0)}
d["c"] = d["w"] + d["b"]
d.update({"z": 0, "w": 5})
print(list(d), list(d.values())[1], d.get("q"), d.get("q", -1), "b" in d, len(d), d.pop("z"))
print({k: v * 2 for k, v in d.items()}, d.setdefault("new", []), sorted(d.keys()))
d["new"].append(3)
del d["new"]
print(d == {"w": 5, "b": d["b"], "c": d["c"]}, dict(a=1, b=2), dict([("x", 1)]), {**{"p": 1}, "q": 2})
for k, (v, w) in {"m": (1, 2), "n": (3, 4)}.items():
    print(k, v + w, end="; ")
print()
t = (1, "two", [3])
x, y, z = t
(p, q), *r = [(1, 2), 3, 4]
print(t, t[1], x, z, p, q, r, t + (4,), len(t), (5,), (), t.index("two"))
x, y = y, x
print(x, y, tuple([1, 2]), list("abc"), list(range(10, 0, -3)), str([1.0, None, True]))
s = set([3, 1, 3, 2])
print(len(s), sorted(s), 3 in s, sorted(set("hello")))
print([i * j for i in range(1, 4) for j in range(i)], [v for v in range(20) if v % 3 == 0 if v % 2], [[r * 3 + c for c in range(3)] for r in range(2)])
print(list(zip([1, 2, 3], "ab")), list(enumerate("xy", 1)), list(map(lambda u, v: u * v, [1, 2], [3, 4])), list(filter(None, [0, 1, "", 2])))
print(sum((v for v in range(5)), 10), sum([[1], [2]], []), max("pear", "fig", key=len), min([3, -4], key=abs), max([], default=0))
points = [torch.tensor([1.0, 2.0]), torch.tensor([0.0, 5.0]), torch.tensor([3.0, 1.0])]
print([p.tolist() for p in sorted(points, key=lambda p: p[1].item())], torch.stack(points).T.tolist())
weights = {name: torch.full((2,), float(i), requires_grad=True) for i, name in enumerate(["a", "b"])}
loss = sum((w ** 2).sum() * (i + 1) for i, w in enumerate(weights.values()))
loss.backward()
print(loss.item(), {n: w.grad.tolist() for n, w in weights.items()})
nested = {"layer1": {"w": [1, 2], "b": 0}, "layer2": {"w": [3], "b": 1}}
print([(name, part, value) for name, layer in nested.items() for part, value in layer.items()])
matrix = [[1, 2], [3, 4], [5, 6]]
print([list(row) for row in zip(*matrix)], [*range(3), *[7]], (*"ab", 1))
