# try/except/else/finally over Python's and PyTorch's errors; raise, re-raise, assert, nesting; what survives.
import math
import torch
torch.set_default_dtype(torch.float64)


def attempt(f):
    try:
        result = f()
    except ZeroDivisionError:
        return "ZeroDivisionError"
    except (KeyError, IndexError) as e:
        return "lookup " + type(e).__name__
    except (TypeError, ValueError, RuntimeError, AssertionError, AttributeError, OverflowError) as e:
        return type(e).__name__
    else:
        return f"fine {result}"
    finally:
        log.append(1)


log = []


def check(v):
    assert v > 0, "must be positive"
    return v


x = torch.tensor([1.0, 2.0], requires_grad=True)
for f in [lambda: 1 / 0, lambda: {}["k"], lambda: [1][5], lambda: (1,)[2], lambda: "a" * "b", lambda: int("x"), lambda: math.sqrt(-1.0),
          lambda: math.log(0.0), lambda: check(-1), lambda: check(2), lambda: x[7], lambda: x[0, 0], lambda: x.backward(), lambda: x + torch.ones(3),
          lambda: torch.zeros(2, 3) @ torch.zeros(2, 3), lambda: x.reshape(3), lambda: torch.cat([]), lambda: None + 1, lambda: [].pop(), lambda: len(5),
          lambda: math.exp(1000.0), lambda: torch.tensor([1.0, "a"]), lambda: {}.pop("q"), lambda: [1, 2].index(3), lambda: float("abc"),
          lambda: 1 % 0, lambda: x.item(), lambda: (1, 2) + [3], lambda: sorted([1, "a"]), lambda: (lambda a: a)(), lambda: x.sum(dim=3),
          lambda: torch.stack([x, torch.ones(3)]), lambda: [1, 2, 3][None]]:
    print(attempt(f), end="; ")
print()
print(len(log))


def nested():
    try:
        try:
            raise ValueError("inner")
        except KeyError:
            print("not here")
        finally:
            print("inner finally")
    except ValueError as e:
        print("outer", e)
        raise RuntimeError("changed")


try:
    nested()
except RuntimeError as e:
    print(type(e).__name__, str(e), isinstance(e, Exception))


def early():
    for k in range(5):
        try:
            if k == 2:
                return k
        finally:
            print("leaving", k)


print(early())
try:
    try:
        raise IndexError("again")
    except IndexError:
        raise
except Exception as e:
    print("re-raised", e)
# a failed in-place operation leaves values, graph and modes as they were
try:
    with torch.no_grad():
        x[0] = 5.0
        x[9] = 1.0
except IndexError:
    print(x, torch.is_grad_enabled())
(x ** 2).sum().backward()
print(x.grad)
try:
    assert x.sum() == 8, f"sum is {x.sum().item()}"
except AssertionError as e:
    print(e)
