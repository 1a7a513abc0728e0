"""Functions of two and three tensors, entry by entry, with broadcasting and mixed dtypes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from oracle.case import Case, T, call, constant, filled, flags, group, inf, ints, nan, points, program, rand, scalar
from oracle.cases_pointwise import path_of, spell, stale

AXIS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -2.5, 1e-200, 1e3, -1e150, 1e200, inf, -inf, nan)
SMALL_AXIS = (0.0, 1.0, -1.0, 0.5, 2.0, -2.5, inf, nan)


def plane(axis: tuple[float, ...] = AXIS) -> tuple[T, T]:
    """All pairs of the axis, as two vectors."""
    pairs = list(product(axis, axis))
    return points(*(p[0] for p in pairs)), points(*(p[1] for p in pairs))


BROADCASTS = (
    ((), ()),
    ((), (3,)),
    ((3,), ()),
    ((2, 3), (3,)),
    ((2, 1), (3,)),
    ((1, 3), (2, 1)),
    ((0,), (1,)),
    ((2, 0), ()),
    ((2, 1, 3), (4, 1)),
)
DTYPES = (
    (rand(3, dtype="float32"), rand(3, seed=2, low=0.5)),
    (rand(3, dtype="float32"), scalar(1.5)),
    (scalar(0.5, dtype="float32"), scalar(1.5)),
    (rand(3), scalar(1.5, dtype="float32")),
    (ints(1, 2, 3), rand(3)),
    (rand(3), ints(1, 2, 3)),
    (ints(5, -7, 3), ints(2, 2, -2)),
    (ints(5, -7, 3), T("int64", (), (2,))),
    (T("int64", (), (3,)), scalar(0.5)),
    (T("int64", (), (3,)), rand(2, dtype="float32")),
    (flags(1, 0, 1), ints(1, 2, 3)),
    (flags(1, 0, 1), flags(1, 1, 0)),
    (flags(1, 0, 1), rand(3)),
    (flags(1, 0, 1), T("bool", (), (True,))),
)


DIFFERENTIABLE_NOWHERE = (
    "eq_", "ne_", "lt_", "le_", "gt_", "ge_", "not_equal_", "less_", "less_equal_", "greater_", "greater_equal_", "logical_and_", "logical_or_",
    "logical_xor_", "bitwise_and_", "bitwise_or_", "bitwise_xor_",
)  # fmt: skip


def binary(names: list[str], axis: tuple[float, ...]) -> Iterator[Case]:
    """A function of two tensors under each of its spellings, on all pairs of the axis under the first."""
    first, *others = (path_of(n) for n in names)
    yield call(first, *plane(axis), pointwise=True)
    a, b = plane(SMALL_AXIS)
    yield call(first, a, constant(b), pointwise=True)
    yield call(first, constant(a), b, pointwise=True)
    for p, q in BROADCASTS:
        yield call(first, rand(*p), rand(*q, seed=2))
    yield call(first, rand(2), rand(3))
    yield call(first, rand(2, 3), rand(2, seed=2))
    for x, y in DTYPES:
        yield call(first, x, y)
    for number in (2, 0.5, -3, 0, True, inf):
        yield call(first, rand(3), number)
        yield call(first, number, rand(3))
        yield call(first, scalar(1.5), number)
        yield call(first, ints(3, -4, 0), number)
        yield call(first, rand(2, dtype="float32"), number)
        yield call(first, flags(1, 0), number)
    yield call(first, rand(3))
    yield call(first, rand(3), "two")
    yield call(first, rand(3), None)
    yield program(f"{first}(a, a)" if first[0] != "." else f"a{first}(a)", rand(3))
    if not first.endswith("ldexp"):  # a product of three operations in PyTorch
        yield from stale(first, points(0.4, 0.7, 0.2))
    for path in others:
        if path[1:] in DIFFERENTIABLE_NOWHERE:  # PyTorch gives some of these a history by accident
            yield call(path, constant(rand(3)), constant(rand(3, seed=2)))
            yield call(path, ints(0, 1, 2), ints(2, 1, 0))
            continue
        yield call(path, rand(3, low=0.1, high=0.9), rand(3, seed=2, low=0.1, high=0.9))
        yield call(path, scalar(0.5), scalar(0.75))
        yield call(path, rand(2, 3, low=0.1, high=0.9), 0.5)
        if path.endswith("_"):
            yield call(path, rand(2, 3), rand(3))
            yield call(path, rand(3), rand(2, 3))
            yield call(path, ints(4, 5, 6), ints(1, 2, 3))
            yield call(path, ints(4, 5, 6), rand(3))
            yield call(path, rand(3, dtype="float32"), rand(3))


def _binary(name: str, places: str = "torch Tensor", aliases: str = "", axis: tuple[float, ...] = AXIS) -> None:
    spellings = (spell(name, places) + " " + aliases).split()
    group(name, "pointwise", " ".join(spellings))(partial(binary, spellings, axis))


def _aliases(name: str, places: str = "torch Tensor Tensor_") -> str:
    return spell(name, places)


HALVES = (7.0, -7.0, 3.5, -3.5, 1e15 + 0.5)

_binary("add", "torch Tensor Tensor_")
_binary("sub", "torch Tensor Tensor_", _aliases("subtract"))
_binary("mul", "torch Tensor Tensor_", _aliases("multiply"))
_binary("div", "torch Tensor Tensor_", _aliases("divide") + " " + _aliases("true_divide"))
_binary("floor_divide", "torch Tensor Tensor_", axis=AXIS + HALVES)
_binary("pow", "torch Tensor Tensor_", axis=AXIS + (-3.0, 4.0, 1e-8))
_binary("float_power", "torch Tensor Tensor_")
_binary("fmod", "torch Tensor Tensor_", axis=AXIS + HALVES)
_binary("remainder", "torch Tensor Tensor_", axis=AXIS + HALVES)
_binary("atan2", "torch Tensor Tensor_", _aliases("arctan2"))
_binary("hypot", "torch Tensor Tensor_")
_binary("maximum")
_binary("minimum")
_binary("fmax")
_binary("fmin")
_binary("logaddexp")
_binary("logaddexp2")
_binary("xlogy", "torch Tensor Tensor_ special")
_binary("xlog1py", "special")
_binary("copysign", "torch Tensor Tensor_")
_binary("heaviside", "torch Tensor Tensor_", axis=SMALL_AXIS)
for _comparison, _alias in (
    ("eq", ""),
    ("ne", "not_equal"),
    ("lt", "less"),
    ("le", "less_equal"),
    ("gt", "greater"),
    ("ge", "greater_equal"),
):
    _binary(_comparison, "torch Tensor Tensor_", _aliases(_alias) if _alias else "", axis=SMALL_AXIS)
for _logical in ("logical_and", "logical_or", "logical_xor"):
    _binary(_logical, "torch Tensor Tensor_", axis=SMALL_AXIS)
for _bitwise in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    _binary(_bitwise, "torch Tensor Tensor_", axis=(1.0, 0.0))


@group("bitwise_not", "pointwise", "torch.bitwise_not Tensor.bitwise_not Tensor.bitwise_not_")
def _bitwise_not() -> Iterator[Case]:
    for a in (ints(0, 1, -5), flags(1, 0), rand(2)):
        yield call("torch.bitwise_not", a)
        yield call(".bitwise_not_", a)
        yield program("~a", a)


OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "<<", ">>", "@")


@group("operators", "pointwise", "")
def _operators() -> Iterator[Case]:
    """What Python's operators do, with tensors and numbers on either side."""
    for op in OPERATORS:
        for x, y in (
            *DTYPES,
            (rand(2, 3), rand(3)),
            (scalar(1.25), scalar(0.75)),
            (rand(2), rand(3)),
            (ints(5, 6), ints(1, 0)),
        ):
            yield program(f"a {op} b", x, y)
        for number in ("2", "0.5", "-1", "0", "True", "-0.5", "inf", "'s'", "None", "[1.0, 2.0]"):
            for a in (points(0.5, 2.0), scalar(2.0), ints(3, 2), T("int64", (), (3,)), flags(1, 0)):
                yield program(f"a {op} {number}", a)
                yield program(f"{number} {op} a", a)
        if op not in ("==", "!=", "<", "<=", ">", ">=", "@"):
            yield program(f"x = a.clone()\nx {op}= b\nx", rand(3, low=0.2), rand(3, low=0.5))
            yield program(f"x = a.clone()\nx {op}= 2\nx", rand(3, low=0.2))
            yield program(f"x = a.clone()\nx {op}= 2\nx", scalar(1.5))
            yield program(f"x = a.clone()\nx {op}= 2\nx", ints(3, 4))
            yield program(f"x = a.clone()\nx {op}= 0.5\nx", ints(3, 4))
            yield program(f"x = a.clone()\nx {op}= b\nx", rand(3), rand(2, 3))
            yield program(f"a {op}= 2\na", rand(3))
    for op in ("-", "+", "~", "abs", "round", "not ", "float", "int", "bool", "len", "divmod"):
        for a in (
            rand(3),
            scalar(-1.5),
            ints(1, -2),
            T("int64", (), (-4,)),
            flags(1, 0),
            T("bool", (), (True,)),
            points(2.5),
        ):
            yield program(f"{op}(a)", a)
            if op == "divmod":
                yield program("divmod(a, 2)", a)
                yield program("divmod(7.5, a)", a)
            if op == "round":
                yield program("round(a, 1)", a)
    yield program("a < b < 2", scalar(0.5), scalar(1.0))
    yield program("[x * 2 for x in a]", rand(3))
    yield program("max(a, b)", scalar(0.5), scalar(1.0))
    yield program("min(a)", rand(3))
    yield program("sum(a)", rand(3))
    yield program("sum(a)", rand(2, 3))
    yield program("sorted(a)", rand(3))
    yield program("pow(a, 2)", rand(3))
    yield program("a.__rpow__(2)", rand(3))
    yield program("2.5 in a", points(1.0, 2.5))
    yield program("bool(a == b)", scalar(0.5), scalar(0.5))
    yield program("(a if a > 0 else b)", scalar(0.5), scalar(1.5))
    yield program("(a if a else b)", rand(3), scalar(1.5))
    for e in ("3", "-2", "0.5", "0", "1", "2.0", "-1.0", "0.0"):
        yield program(f"a ** {e}", points(*AXIS), pointwise=True)
        yield program(f"{e} ** a", points(*AXIS), pointwise=True)
        yield program(f"a ** {e}", ints(-2, 0, 1, 3))


@group("scaled sums", "pointwise", "torch.rsub")
def _alpha() -> Iterator[Case]:
    for name in ("add", "sub", "rsub"):
        for alpha in (2, 0.5, -1, 0, True):
            yield call(f"torch.{name}", rand(3), rand(3, seed=2), alpha=alpha)
            yield call(f"torch.{name}", rand(2, 3), 1.5, alpha=alpha)
            yield call(f"torch.{name}", ints(1, 2), ints(3, 4), alpha=alpha)
            if name != "rsub":
                yield call(f".{name}_", rand(3), rand(3, seed=2), alpha=alpha)
        yield call(f"torch.{name}", rand(2), rand(2, seed=2))
        yield call(f"torch.{name}", rand(2), 3)


@group("div(rounding_mode)", "pointwise", "")
def _rounding() -> Iterator[Case]:
    for mode in ("floor", "trunc", None, "ceil"):
        yield call("torch.div", *plane(AXIS + HALVES), pointwise=True, rounding_mode=mode)
        yield call("torch.div", ints(7, -7, 6, -6), ints(2, 2, -4, -4), rounding_mode=mode)
        yield call("torch.div", ints(7, -7), 2, rounding_mode=mode)
        yield call("torch.div", ints(7, -7), 2.5, rounding_mode=mode)
        yield call("torch.div", ints(7, -7), ints(0, 1), rounding_mode=mode)
        yield call("torch.div", rand(2, dtype="float32"), rand(2), rounding_mode=mode)
        yield call(".div_", rand(2), 0.3, rounding_mode=mode)
        yield call(".div", rand(2), rand(2, seed=2), rounding_mode=mode)


@group("lerp", "pointwise", "torch.lerp Tensor.lerp Tensor.lerp_")
def _lerp() -> Iterator[Case]:
    a, b = plane(SMALL_AXIS)
    for w in (0.0, 0.25, 0.5, 0.75, 1.0, 2.0, -1):
        yield call("torch.lerp", a, b, w, pointwise=True)
        yield call(".lerp", scalar(1.5), scalar(2.5), w)
    n = len(a.values)
    yield call("torch.lerp", a, b, filled((n,), 0.0, 0.3, 0.5, 0.9, 1.0, -2.0, 3.0), pointwise=True)
    yield call("torch.lerp", rand(2, 3), rand(3), rand(2, 1))
    yield call("torch.lerp", rand(2, 3), rand(3), scalar(0.25))
    yield call("torch.lerp", rand(3), 2.0, 0.5)
    yield call("torch.lerp", rand(3), ints(1, 2, 3), 0.5)
    yield call("torch.lerp", rand(3, dtype="float32"), rand(3), 0.5)
    yield call("torch.lerp", ints(1, 2, 3), ints(1, 2, 3), 0.5)
    yield call("torch.lerp", rand(3), rand(3), weight=0.5)
    yield call(".lerp_", rand(3), rand(3, seed=2), 0.3)
    yield call(".lerp_", rand(3), rand(3, seed=2), rand(3, seed=3))
    yield from stale("torch.lerp", points(0.4, 0.7, 0.2), points(0.1, 0.2, 0.9))


@group("addcmul", "pointwise", "torch.addcmul Tensor.addcmul Tensor.addcmul_")
def _addcmul() -> Iterator[Case]:
    yield from _fused("addcmul")


@group("addcdiv", "pointwise", "torch.addcdiv Tensor.addcdiv Tensor.addcdiv_")
def _addcdiv() -> Iterator[Case]:
    yield from _fused("addcdiv")


def _fused(name: str) -> Iterator[Case]:
    x, y, z = rand(2, 3), rand(3, seed=2), rand(2, 1, seed=3, low=0.5)
    for path in (f"torch.{name}", f".{name}"):
        yield call(path, x, y, z)
        yield call(path, x, y, z, value=0.5)
        yield call(path, x, y, z, value=2)
    yield call(f".{name}_", x, y, z, value=-0.5)
    yield call(f".{name}_", y, x, z)
    yield call(f"torch.{name}", ints(1, 2), ints(3, 4), ints(5, 6))
    yield call(f"torch.{name}", points(1.0, 0.0), points(0.0, 0.0), points(0.0, 1.0))


@group("where", "pointwise", "torch.where Tensor.where")
def _where() -> Iterator[Case]:
    a, b = plane(SMALL_AXIS)
    c = T("bool", a.shape, tuple(i % 3 == 0 for i in range(len(a.values))))
    yield call("torch.where", c, a, b, pointwise=True)
    for p, q in BROADCASTS:
        yield call("torch.where", flags(1), rand(*p), rand(*q, seed=2))
    yield call("torch.where", T("bool", (2, 1), (True, False)), rand(3), rand(2, 3))
    yield call("torch.where", T("bool", (), (True,)), rand(3), scalar(1.5))
    yield call("torch.where", flags(1, 0, 1), rand(3), 2.0)
    yield call("torch.where", flags(1, 0, 1), 2, rand(3))
    yield call("torch.where", flags(1, 0), 2.0, 3.0)
    yield call("torch.where", flags(1, 0), 2, 3)
    yield call("torch.where", flags(1, 0), 1, 3.5)
    yield call("torch.where", flags(1, 0), True, 3)
    yield call("torch.where", flags(1, 0, 1), rand(3, dtype="float32"), rand(3))
    yield call("torch.where", flags(1, 0, 1), ints(1, 2, 3), rand(3))
    yield call("torch.where", flags(1, 0, 1), ints(1, 2, 3), 0.5)
    yield call("torch.where", ints(1, 0, 1), rand(3), rand(3))
    yield call("torch.where", rand(3), rand(3), rand(3))
    yield call("torch.where", flags(1, 0), rand(3), rand(3))
    yield call("torch.where", flags(1, 0, 1))
    yield call("torch.where", flags(1, 0, 1), rand(3))
    yield call("torch.where", T("bool", (2, 2), (True, False, False, True)))
    yield program("a.where(b, c)", rand(3), flags(1, 0, 1), rand(3, seed=2))
    yield program("a.where(a > 0, 0.0)", rand(3))
    yield program("torch.where(a > 0, a, -a)", rand(5))
    yield program("torch.where(condition=a > 0, input=a, other=b)", rand(3), rand(3))
    yield program("torch.where(a > 0, 1 / a, 0.0)", points(0.0, 2.0))


@group("clamp", "pointwise", "torch.clamp Tensor.clamp Tensor.clamp_ torch.clip Tensor.clip Tensor.clip_")
def _clamp() -> Iterator[Case]:
    grid = points(*AXIS, 1.0, 0.999999, 1.000001)
    bounds: list[dict[str, Any]] = [
        {"min": -1.0, "max": 1.0}, {"min": 0}, {"max": 0.5}, {"min": 1, "max": -1}, {"min": nan}, {"max": nan},
        {"min": -inf, "max": inf}, {"min": 0.5, "max": 0.5}, {"min": None, "max": 2.0}, {},
    ]  # fmt: skip
    for words in bounds:
        for path in ("torch.clamp", ".clamp", "torch.clip", ".clip", ".clamp_", ".clip_"):
            yield call(path, rand(4), **words)
        yield call("torch.clamp", grid, pointwise=True, **words)
        yield call("torch.clamp", scalar(0.75), **words)
        yield call("torch.clamp", ints(-3, 0, 3), **words)
        yield call("torch.clamp", rand(3, dtype="float32"), **words)
        yield call("torch.clamp", flags(1, 0), **words)
    yield call("torch.clamp", rand(3), -0.5, 0.5)
    yield call("torch.clamp", rand(3), 0.1)
    a, b = plane(SMALL_AXIS)
    yield call("torch.clamp", a, b, pointwise=True)
    yield call("torch.clamp", a, max=b, pointwise=True)
    yield call("torch.clamp", a, min=b, max=filled(a.shape, 0.0, 1.0, -1.0, nan, 2.0), pointwise=True)
    yield call("torch.clamp", rand(2, 3), rand(3, seed=2), rand(2, 1, seed=3))
    yield call("torch.clamp", rand(3), scalar(-0.5), scalar(0.5))
    yield call("torch.clamp", rand(3), scalar(-0.5), 0.5)
    yield call("torch.clamp", rand(3), ints(0, 0, 1))
    yield call("torch.clamp", ints(1, 2, 3), rand(3))
    yield call(".clamp_", rand(3), rand(3, seed=2))
    yield call("torch.clamp", rand(3), "a")
    yield from stale(".clamp", points(0.4, 0.7, 0.2))
    yield program("x = a * 1\ny = x.clamp(0, 1)\nx.add_(1)\ny", rand(3))
    yield program("x = a * 1\ny = x.clamp(0, 1)\ny.add_(1)\ny", rand(3))


@group("clamp_min", "pointwise", "torch.clamp_min Tensor.clamp_min Tensor.clamp_min_")
def _clamp_min() -> Iterator[Case]:
    yield from _one_bound("clamp_min")


@group("clamp_max", "pointwise", "torch.clamp_max Tensor.clamp_max Tensor.clamp_max_")
def _clamp_max() -> Iterator[Case]:
    yield from _one_bound("clamp_max")


def _one_bound(name: str) -> Iterator[Case]:
    for bound in (0, 0.5, -1.0, inf, nan):
        yield call(f"torch.{name}", points(*AXIS), bound, pointwise=True)
        yield call(f".{name}", rand(3), bound)
        yield call(f".{name}_", rand(3), bound)
    a, b = plane(SMALL_AXIS)
    yield call(f"torch.{name}", a, b, pointwise=True)
    yield call(f"torch.{name}", ints(1, 2, 3), 2.5)


@group("masked_fill", "pointwise", "torch.masked_fill Tensor.masked_fill Tensor.masked_fill_")
def _masked_fill() -> Iterator[Case]:
    mask = flags(1, 0, 1)
    for value in (0, 0.5, -inf, nan, True, scalar(2.5), rand(3), T("int64", (), (2,))):
        for path in ("torch.masked_fill", ".masked_fill", ".masked_fill_"):
            yield call(path, rand(2, 3), mask, value)
            if not (isinstance(value, T) and value.grad):  # PyTorch lets an integer tensor require a gradient then
                yield call(path, ints(1, 2, 3), mask, value)
        yield call(".masked_fill", scalar(1.0), T("bool", (), (True,)), value)
    yield call(".masked_fill", rand(3), T("bool", (2, 1), (True, False)), 0.0)
    yield call(".masked_fill", rand(3), ints(1, 0, 1), 0.0)
    yield call(".masked_fill", rand(2), mask, 0.0)
    yield program("a.masked_fill(a > 0, -1.0)", rand(5))
    yield program("torch.softmax(a.masked_fill(b, -inf), 0)", rand(3), mask)


@group("isclose", "pointwise", "torch.isclose Tensor.isclose torch.allclose Tensor.allclose torch.equal Tensor.equal")
def _isclose() -> Iterator[Case]:
    a, b = plane(SMALL_AXIS)
    near = points(1.0, 1.0 + 1e-9, 1.0 + 1e-6, 100.0, 0.0)
    words: list[dict[str, Any]] = [
        {},
        {"rtol": 1e-3},
        {"atol": 1e-3},
        {"equal_nan": True},
        {"rtol": 0.0, "atol": 0.0},
        {"rtol": -1.0},
    ]
    for w in words:
        yield call("torch.isclose", a, b, pointwise=True, **w)
        for name in ("isclose", "allclose"):
            yield call(f"torch.{name}", near, points(1.0, 1.0, 1.0, 100.0001, 1e-9), **w)
            yield call(f".{name}", near, scalar(1.0), **w)
            yield call(f"torch.{name}", points(nan), points(nan), **w)
            yield call(f"torch.{name}", ints(1, 2), ints(1, 2), **w)
    for name in ("isclose", "allclose", "equal"):
        yield call(f"torch.{name}", rand(2, 3), rand(2, 3))
        yield call(f"torch.{name}", rand(3), rand(2, 3))
        yield call(f"torch.{name}", rand(3), rand(2))
        yield call(f"torch.{name}", rand(3), rand(3, dtype="float32"))
        yield call(f".{name}", ints(1, 2), points(1.0, 2.0))
        yield call(f"torch.{name}", flags(1, 0), flags(1, 0))
        yield call(f"torch.{name}", rand(3), 1.0)
        yield call(f"torch.{name}", rand(0), rand(0))
