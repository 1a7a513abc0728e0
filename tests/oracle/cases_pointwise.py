"""Functions of one tensor, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from oracle.case import Case, T, call, filled, flags, group, inf, ints, nan, points, program, rand, scalar

CORNERS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, inf, -inf, nan)
ORDINARY = (2.0, -2.0, 0.3, -0.7, 1.5, -1.5, 2.5, 3.0, -3.0, 5.0, -5.0, 6.0, 8.3, -8.3, 10.0)
LARGE = (18.0, -18.0, 20.0, 37.0, 40.0, -40.0, 100.0, -100.0, 500.0, 745.0, -745.0, 1e3, -1e3, 1e8, -1e8, 1e15)
HUGE = (1e150, -1e150, 1e200, -1e200, 1e308)
TINY = (1e-8, -1e-8, 1e-160, 1e-200, -1e-200, 1e-310, -1e-310)
GRID = CORNERS + ORDINARY + LARGE + HUGE + TINY
# no nan: what PyTorch makes of it in float32 depends on its place in the vector
SINGLES = (0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.5, -7.25, 20.0, -20.0, 88.0, inf, -inf)

EVERYWHERE = "torch Tensor Tensor_"
ACTIVATION = "F"


def spell(name: str, places: str) -> str:
    """`spell("exp", "torch Tensor_")` -> `torch.exp Tensor.exp_`."""
    return " ".join(f"Tensor.{name}_" if p == "Tensor_" else f"{p}.{name}" for p in places.split())


def path_of(spelling: str) -> str:
    """What `call` calls for a spelling: `.exp_` for `Tensor.exp_`."""
    place, _, name = spelling.rpartition(".")
    return f".{name}" if place == "Tensor" else f"{_WRITTEN.get(place, 'torch.' + place)}.{name}"


_WRITTEN = {"torch": "torch", "F": "F"}


def stale(path: str, *others: T) -> Iterator[Case]:
    """What is saved for backward: a change in place of the operand, then of the result, before the walk."""
    name = path.rpartition(".")[2]
    rest = "".join(f", {n}" for n in "bcd"[: len(others)])
    expression = f"x.{name}({rest[2:]})" if path.startswith(".") else f"{path}(x{rest})"
    a = points(0.3, 0.6, 0.9)
    yield program(f"x = a * 1\ny = {expression}\nx.add_(1)\ny", a, *others)
    yield program(f"x = a * 1\ny = {expression}\ny.add_(1)\ny", a, *others)
    if others:
        yield program(f"x = a * 1\nz = b * 1\ny = {expression.replace(', b', ', z')}\nz.add_(1)\ny", a, *others)


def shapes(path: str, *args: Any, low: float = -2.0, high: float = 2.0, **keywords: Any) -> Iterator[Case]:
    """One function on every kind of shape and dtype."""
    for shape in ((), (2, 3), (2, 1, 2), (0,), (2, 0)):
        yield call(path, rand(*shape, low=low, high=high), *args, **keywords)
    yield call(path, scalar(0.5, grad=False), *args, **keywords)
    yield call(path, points(*SINGLES, dtype="float32"), *args, pointwise=True, **keywords)
    yield call(path, scalar(0.75, dtype="float32"), *args, pointwise=True, **keywords)
    yield call(path, ints(0, 1, -1, 2, 3, -3), *args, pointwise=True, **keywords)
    yield call(path, T("int64", (), (2,)), *args, pointwise=True, **keywords)
    yield call(path, flags(True, False), *args, pointwise=True, **keywords)
    yield call(path, 0.5, *args, **keywords)  # a plain number is no tensor


# What PyTorch's gradient makes of a nan among other numbers depends on its neighbours and on the processor (its loop over
# eight numbers at a time has other comparisons than its loop over one): there a nan stands alone.
BY_PLACE = frozenset(("relu6", "hardtanh", "hardshrink", "softshrink", "elu", "selu", "celu", "hardswish"))


def grid(path: str, extra: tuple[float, ...], **words: Any) -> Iterator[Case]:
    """A function of one tensor on the whole grid."""
    if path.rpartition(".")[2] in BY_PLACE:
        yield call(path, points(*(v for v in (*GRID, *extra) if v == v)), pointwise=True, **words)
        yield call(path, points(nan), pointwise=True, **words)
    else:
        yield call(path, points(*GRID, *extra), pointwise=True, **words)


def unary(names: list[str], extra: tuple[float, ...]) -> Iterator[Case]:
    """A function of one tensor under each of its spellings, on the whole grid under the first."""
    first, *others = (path_of(n) for n in names)
    yield from grid(first, extra)
    yield from shapes(first)
    yield program(f"{first}(a.transpose(0, 1))", rand(2, 3, low=0.1, high=0.9))
    yield from stale(first)
    yield call(first)
    yield call(first, rand(2), 3.5, None, 2)
    for path in others:
        grad = path != ".logical_not_"  # which has a history by accident in PyTorch
        yield call(path, points(0.25, 0.5, 0.75, grad=grad))
        yield call(path, scalar(0.5, grad=grad))
        if path.endswith("_"):
            yield call(path, ints(1, 2, 3))
            yield call(path, points(0.25, 0.5, dtype="float32", grad=grad))


def _unary(name: str, places: str = EVERYWHERE, aliases: str = "", extra: tuple[float, ...] = ()) -> None:
    spellings = spell(name, places) + " " + aliases
    group(name, "pointwise", spellings)(partial(unary, spellings.split(), extra))


def _aliases(name: str) -> str:
    return spell(name, EVERYWHERE)


HALVES = (2.5, 3.5, -2.5, 1.4999999999999998, 0.49999999999999994, 2.0**52 + 1, -0.2)
UNIT = (0.9, -0.9, 0.999, 0.9999999999999999, 1e-20, 1.0000000000000002, 0.25, 0.75)
INTEGERS = (-4.0, 4.0, 7.0, 0.25, -3.5, 12.75, 170.0, 171.7, 172.0, 1e-5, -1e-5, -170.5, 1.4616321449683622)

_unary("neg", aliases=_aliases("negative"))
_unary("positive", "torch Tensor")
_unary("abs", aliases=_aliases("absolute"))
_unary("sign")
_unary("sgn")
_unary("exp", extra=(709.0, 710.0, -708.5))
_unary("exp2", "torch Tensor Tensor_ special", extra=(1023.5, 1024.0, -1074.0))
_unary("expm1", "torch Tensor Tensor_ special", extra=(709.0, 710.0))
_unary("log")
_unary("log2", extra=(8.0, 1024.0))
_unary("log10", extra=(1000.0,))
_unary("log1p", "torch Tensor Tensor_ special", extra=(-0.9999999,))
_unary("sqrt")
_unary("rsqrt")
_unary("square")
_unary("reciprocal")
_unary("sin")
_unary("cos")
_unary("tan", extra=(1.5707963267948966, 22.0))
_unary("asin", aliases=_aliases("arcsin"), extra=UNIT)
_unary("acos", aliases=_aliases("arccos"), extra=UNIT)
_unary("atan", aliases=_aliases("arctan"))
_unary("sinh", extra=(710.0, 711.0))
_unary("cosh", extra=(710.0, 711.0))
_unary("tanh", "torch Tensor Tensor_ F", extra=(19.0, 22.0, -19.5, 9.0, 13.5))
_unary("asinh", aliases=_aliases("arcsinh"))
_unary("acosh", aliases=_aliases("arccosh"), extra=(1.0000000000000002, 1.0001))
_unary("atanh", aliases=_aliases("arctanh"), extra=UNIT)
_unary("sigmoid", "torch Tensor Tensor_ F", "special.expit", extra=(36.0, 38.0, -37.0, 710.0, -710.0))
_unary("erf", "torch Tensor Tensor_ special", extra=(26.0, -26.5))
_unary("erfc", "torch Tensor Tensor_ special", extra=(26.0, 27.5, -6.0))
_unary("erfinv", "torch Tensor Tensor_ special", extra=UNIT)
_unary("lgamma", aliases="special.gammaln", extra=INTEGERS)
_unary("digamma", "torch Tensor Tensor_ special", "special.psi", extra=INTEGERS)
_unary("floor", extra=HALVES)
_unary("ceil", extra=HALVES)
_unary("trunc", aliases=_aliases("fix"), extra=HALVES)
_unary("frac", extra=HALVES)
_unary("sinc", "torch Tensor Tensor_ special", extra=(4.0, 1e-4, 1e-3, 0.01, 0.1))
_unary("deg2rad")
_unary("rad2deg")
_unary("relu", "torch Tensor Tensor_ F")
_unary("relu6", ACTIVATION)
_unary("selu", "torch F")
_unary("silu", ACTIVATION)
_unary("mish", ACTIVATION)
_unary("softsign", ACTIVATION)
_unary("hardsigmoid", ACTIVATION)
_unary("hardswish", ACTIVATION)
_unary("logsigmoid", ACTIVATION)
_unary("tanhshrink", ACTIVATION)
_unary("isnan", "torch Tensor")
_unary("isinf", "torch Tensor")
_unary("isfinite", "torch Tensor")
_unary("isposinf", "torch Tensor")
_unary("isneginf", "torch Tensor")
_unary("signbit", "torch Tensor")
_unary("logical_not")


def keyworded(
    name: str, places: str, variants: Iterable[dict[str, Any]], *, extra: tuple[float, ...] = (), aliases: str = ""
) -> None:
    """A function of one tensor with keywords: the whole grid under each choice of them."""
    spellings = (spell(name, places) + " " + aliases).split()

    def generate() -> Iterator[Case]:
        yield from unary(spellings, extra)
        for words in variants:
            for spelling in spellings:
                yield call(path_of(spelling), points(0.2, 0.5, 0.7, 2.5), **words)
            yield from grid(path_of(spellings[0]), extra, **words)
            yield call(path_of(spellings[0]), scalar(0.5), **words)
            yield call(path_of(spellings[0]), points(*SINGLES, dtype="float32"), pointwise=True, **words)
            yield call(path_of(spellings[0]), ints(-2, 0, 1, 7), pointwise=True, **words)

    group(name, "pointwise", " ".join(spellings))(generate)


keyworded(
    "round",
    "torch Tensor Tensor_ special",
    [{"decimals": d} for d in (0, 2, -1)],
    extra=HALVES + (12.345, 15.0, 25.0, -1234.567),
)
keyworded("logit", "torch Tensor Tensor_ special", [{"eps": 1e-6}, {"eps": 0.1}, {"eps": None}], extra=UNIT)
keyworded("leaky_relu", ACTIVATION, [{"negative_slope": s} for s in (0.2, 0.0, -0.5)])
keyworded("elu", ACTIVATION, [{"alpha": a} for a in (0.5, 2.0, -1.0)])
keyworded("celu", "torch F", [{"alpha": a} for a in (0.5, 2.0, 0.3)])
keyworded("gelu", ACTIVATION, [{"approximate": "tanh"}, {"approximate": "none"}, {"approximate": "other"}])
keyworded("softplus", ACTIVATION, [{"beta": 2.0}, {"threshold": 5.0}, {"beta": 0.5, "threshold": 1}, {"beta": 3}])
keyworded(
    "hardtanh", ACTIVATION, [{"min_val": -2.0, "max_val": 0.5}, {"max_val": 3.0}, {"min_val": 1.0, "max_val": -1.0}]
)
keyworded(
    "nan_to_num",
    "torch Tensor Tensor_",
    [{"nan": 1.5}, {"posinf": 2.0, "neginf": -3.0}, {"nan": 9.0, "posinf": 1e10, "neginf": None}],
)
keyworded("threshold", "F torch", [{"threshold": 0.5, "value": -1.0}])
for _activation in (
    "relu",
    "leaky_relu",
    "elu",
    "selu",
    "celu",
    "silu",
    "mish",
    "relu6",
    "hardtanh",
    "hardsigmoid",
    "hardswish",
):

    @group(f"{_activation}(inplace)", "pointwise", "")
    def _inplace(name: str = _activation) -> Iterator[Case]:
        yield program(f"x = a * 1\ny = F.{name}(x, inplace=True)\n(y, y is x)", rand(5))
        yield program(f"F.{name}(a, inplace=True)", rand(5))
        yield program(f"F.{name}(a, inplace=False)", rand(5))


@group("softmin-like signatures", "pointwise", "")
def _signatures() -> Iterator[Case]:
    for text in (
        "torch.exp(input=a)",
        "torch.exp(a, b)",
        "torch.exp([1.0, 2.0])",
        "torch.exp('a')",
        "torch.exp(None)",
        "a.exp(2)",
        "F.relu(input=a)",
        "F.leaky_relu(a, 0.1)",
        "F.elu(a, 0.7)",
        "F.softplus(a, 2, 10)",
        "F.hardtanh(a, -0.5, 0.5)",
        "torch.round(a, 2)",
        "F.gelu(a, 'tanh')",
        "torch.logit(a, 0.2)",
        "torch.nan_to_num(a, 0.0)",
    ):
        yield program(text, rand(4, low=0.1, high=0.9), rand(4))


@group("polygamma", "pointwise", "torch.polygamma special.polygamma Tensor.polygamma Tensor.polygamma_")
def _polygamma() -> Iterator[Case]:
    grid = points(0.1, 0.5, 1.0, 2.0, 3.7, 10.0, 50.0, 1e3, 1e8, 1e-4, -0.5, -2.5, 0.0, -0.0, -1.0, inf, -inf, nan)
    for n in (0, 1, 2, 3, 6):
        yield program(f"torch.polygamma({n}, a)", grid, pointwise=True)
        yield program(f"torch.special.polygamma({n}, a)", points(0.5, 2.0))
        yield program(f"a.polygamma({n})", scalar(1.5))
        yield program(f"torch.polygamma({n}, a)", points(0.5, 2.0, dtype="float32"))
        yield program(f"torch.polygamma({n}, a)", ints(1, 2, 3))
    yield program("x = a * 1\nx.polygamma_(1)", points(0.5, 1.5))
    yield program("torch.polygamma(-1, a)", points(0.5))
    yield program("torch.polygamma(1.5, a)", points(0.5))
    yield program("torch.polygamma(a, 1)", points(0.5))


@group("prelu", "pointwise", "torch.prelu F.prelu Tensor.prelu")
def _prelu() -> Iterator[Case]:
    for path in ("torch.prelu", "F.prelu", ".prelu"):
        yield call(path, points(*CORNERS, 2.0, -3.0), points(0.25))
        yield call(path, rand(2, 3, 2), points(0.25, -0.5, 0.1))
    yield call("F.prelu", rand(2, 3), points(0.25, 0.5))


@group("clone", "pointwise", "torch.clone Tensor.clone Tensor.contiguous")
def _clone() -> Iterator[Case]:
    for a in (rand(3), scalar(2.0), rand(2, 0), ints(1, 2), flags(True), rand(2, dtype="float32")):
        yield program("a.clone()", a)
        yield program("torch.clone(a)", a)
        yield program("y = a.clone()\n(y is a, a.contiguous() is a)", a)
    yield program("x = a.clone()\ny = x.clone()\nx.add_(1)\n(x, y)", rand(3))
    yield program("a.transpose(0, 1).contiguous()", rand(2, 3))


@group("detach", "pointwise", "")
def _detach() -> Iterator[Case]:
    yield program("y = a * 2\nz = y.detach()\n(z, z.requires_grad, y * z)", rand(3))
    yield program("y = a * 2\ny.detach_()\n(y, y.requires_grad, y.is_leaf)", rand(3))
    yield program("y = a * 2\nz = y.detach()\nz.zero_()\ny", rand(3))
    yield program("y = a * a\nw = y * y\nz = y.detach()\nz.zero_()\nw", rand(3))
    yield program("y = a[0]\ny.detach_()", rand(3))


@group("filled shapes", "pointwise", "")
def _mixed() -> Iterator[Case]:
    """Whole chains, through every dtype."""
    yield program("torch.exp(a).sin().tanh()", rand(3))
    yield program("(torch.sigmoid(a * b) + 1).log()", rand(2, 3), rand(3, seed=2))
    yield program("torch.exp(a.float()).double()", rand(3))
    yield program("a.relu().sqrt()", filled((4,), 0.0, -1.0, 2.0, 4.0))
    yield program("torch.where(a > 0, a.log(), torch.zeros_like(a))", filled((4,), 0.0, -1.0, 2.0, 4.0))
    yield program("torch.where(a > 0, torch.sqrt(a), a)", filled((4,), 0.0, -1.0, 2.0, 4.0))
