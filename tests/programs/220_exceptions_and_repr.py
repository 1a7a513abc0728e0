# Exceptions of every class: which handler takes them, and how they print.
import torch
torch.set_default_dtype(torch.float64)
kinds = (Exception, ValueError, KeyError, LookupError, ArithmeticError, OverflowError, RuntimeError, TypeError, IndexError,
         NotImplementedError, StopIteration, AssertionError, ZeroDivisionError, AttributeError, NameError, FloatingPointError)
for E in kinds:
    for args in ((), ("m",), ("a", 1), (3,)):
        try:
            raise E(*args)
        except (RuntimeError, LookupError) as e: print("RL", type(e).__name__, repr(e), str(e), e.args)
        except ArithmeticError as e: print("A", type(e).__name__, repr(e), str(e), e.args)
        except ValueError as e: print("V", repr(e), f"{e} {e!r}", [e], {"e": e})
        except Exception as e: print("E", type(e).__name__, repr(e), e, isinstance(e, Exception), isinstance(e, ValueError))
try:
    raise ValueError
except ValueError as e: print(repr(e), str(e) == "")
try:
    try: raise Exception("x")
    except RuntimeError: print("wrong")
except Exception as e: print("right", e)
e = ValueError("made", 2); print(e, repr(e), e.args, type(e))
try: {}["k"]
except Exception as e: print(repr(e), type(e))
try: [][1]
except Exception as e: print(repr(e), type(e))
try: 1 / 0
except Exception as e: print(repr(e), type(e))
try: int("x")
except Exception as e: print(repr(e), type(e))
try: next(iter([]))
except Exception as e: print(repr(e), type(e))
try: math.sqrt(-1) if False else float("abc")
except Exception as e: print(repr(e), type(e))
try: assert False, "why"
except Exception as e: print(repr(e), type(e))
try: assert 1 > 2
except AssertionError as e: print(repr(e), str(e) == "", e.args)
try: raise KeyError("k") from None
except KeyError as e: print(e, str(e), e.args[0])
def f():
    try: raise TypeError("t")
    finally: print("cleanup")
try: f()
except TypeError as e: err = e
print(repr(err))
try:
    try: raise ValueError("v")
    except ValueError: raise
except ValueError as e: print("again", e)
try: None + 1
except TypeError as e: print(type(e).__name__)
try: "a" + 1
except TypeError as e: print(type(e).__name__)
try: [1, 2].index(5)
except ValueError as e: print(type(e).__name__)
try: a, b = 1, 2, 3
except ValueError as e: print(type(e).__name__)
try: a, b, c = [1, 2]
except ValueError as e: print(type(e).__name__)
x = torch.ones(3); a = torch.tensor(2.0); b = a.detach()
print(x.data_ptr() == x.view(3, 1).data_ptr(), x.data_ptr() == x.clone().data_ptr(), x[1:].data_ptr() - x.data_ptr(), a.data_ptr() == b.data_ptr(), a.data_ptr() == a.clone().data_ptr(), a.data_ptr() == a.data.data_ptr())
