# Strings and f-strings: methods, alignment, precision, signs, thousands, percent, nested specs, `=`, numbers of all kinds.
import math
import torch
torch.set_default_dtype(torch.float64)

v, n, name = 3.14159265, 42, "loss"
print(f"{v:.3f}|{v:10.4f}|{v:<10.2f}|{v:^10.2f}|{v:>10.4f}|{v:+.2f}|{v:e}|{v:.2e}|{v:g}|{v:.3g}|{v:010.3f}")
print(f"{n}|{n:5d}|{n:<5}|{n:05d}|{n:+d}|{n:x}|{n:b}|{n:,}|{1234567:,}|{1234567.891:,.2f}|{n:e}|{n:.1f}|{n:o}")
print(f"{name}|{name:>8}|{name:<8}|{name:^8}|{name:*^10}|{name:.2}|{name!r}")
print(f"{0.256:.1%}|{1e-7}|{1e10}|{123456789.0}|{0.1 + 0.2}|{1e100}|{-0.0}|{math.inf}|{math.nan:.2f}|{-math.inf:8}|{1e5:g}|{1e6:g}|{1e-5:g}")
width, digits = 12, 3
print(f"{v:{width}.{digits}f}|{name:{'>'}{width}}|{v:{'+'}.{digits - 1}f}")
print(f"{v=:.2f} {n=} {n + 1=} {name=}")
print(f"{{literal}} {'nested ' + 'quotes'} {[i for i in range(3)]} { {'k': 1}['k'] } {True} {None} {(1, 2)}")
print(f"{n if n > 40 else 0} {'yes' if v > 3 else 'no'} {max(1, 2):>4} {(lambda q: q * 2)(4)}")
t = torch.tensor(2.5, requires_grad=True)
print(f"{t.item():.2f} {t} {t.detach()} {torch.tensor([1.0, 2.0])} {torch.tensor(7):d} {torch.tensor(0.125):.4f} {t:.1f}")
print("step {} of {}: {:.3f}".format(1, 10, 0.5), "{1} {0} {x:>5}".format("a", "b", x="c"), "{:>6}|{:<6}|{:^6}".format(1, 2, 3))
print("a,b,,c".split(","), "  pad  ".strip(), "x".join(["1", "2", "3"]), "Hello".upper(), "Hello".lower(), "a-b-a".replace("a", "z"))
print("one two  three".split(), "key=value".split("=", 1), "file.txt".endswith(".txt"), "file.txt".startswith("fi"), "ab" * 3, "a" + "b", len("four"))
print("hello"[1], "hello"[-1], "hello"[1:3], "hello"[::-1], "ell" in "hello", "a" < "b", [c for c in "abc"], "line\nbreak".split("\n"), 'it\'s', "tab\tx")
print(str(1.0), str(10), str(True), str(None), str([1, "a", 2.5]), int("42"), float("2.5"), float("-inf"), int(3.99), bool(""), bool("0"), int("-7") + 1)
print("implicit " "concatenation", """triple
quoted""", r"raw\n", "unicode: \u03b1 é")
print("a", "b", 1, sep="-", end="!\n")
print(1, [2.0], (3,), {"k": "v"}, None, True, sep=" | ")
print(*[1, 2, 3], sep=", ")
print()
rows = [("x", 1.5, 2), ("longer", -0.25, 10)]
for label, value, count in rows:
    print(f"{label:<8}{value:>8.3f}{count:>4}")
print("-" * 20, "=" * 5)
try:
    f"{'text':.2f}"
except ValueError as e:
    print(type(e).__name__)
try:
    "a" + 1
except TypeError as e:
    print(type(e).__name__)
