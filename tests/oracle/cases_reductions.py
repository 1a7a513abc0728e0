"""Reductions and scans."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from oracle.case import Case, Name, T, call, filled, flags, group, inf, ints, nan, points, program, rand, scalar
from oracle.cases_pointwise import path_of, spell

F32 = Name("torch.float32")
F64 = Name("torch.float64")
I64 = Name("torch.int64")

VECTORS = (
    points(1.0, 3.0, 2.0, 3.0),  # a tie at the top
    points(1.0, 1.0, 2.0, 4.0),  # and at the bottom
    points(0.0, 0.0, 0.0),
    points(0.0, 2.0, 3.0),
    points(0.0, 2.0, 0.0, 3.0),
    points(5.0),
    points(1.0, nan, 3.0),
    points(nan, nan),
    points(1.0, inf, 3.0),
    points(inf, inf),
    points(-inf, -inf),
    points(inf, -inf),
    points(1e200, 1e200),
    points(1e-200, 1e-200),
    points(1e308, 1e308, -1e308),
    points(1.0, 1e100, 1.0, -1e100),
    points(-0.0, 0.0),
    points(-0.0),
    points(1000.0, 1001.0),
    points(-1000.0, -1001.0, -999.5),
)
MATRICES = (
    rand(3, 4),
    rand(1, 4),
    rand(2, 3, 4),
    filled((2, 3), 1.0, 2.0, 2.0, 3.0, 3.0, 1.0),
    filled((2, 2), 0.0, 2.0, 0.0, 0.0),
)
EMPTY = (rand(0), rand(0, 3), rand(2, 0))
OTHERS = (
    scalar(1.5),
    scalar(-0.75, dtype="float32"),
    rand(3, dtype="float32"),
    ints(3, 1, 2, 3),
    T("int64", (), (7,)),
    flags(1, 0, 1),
    T("int64", (2, 2), (1, 2, 3, 4)),
    T("bool", (2, 2), (True, False, True, True)),
    T("int64", (0,), ()),
    T("bool", (0,), ()),
)
ALL = VECTORS + MATRICES + EMPTY + OTHERS


def reduction(
    name: str,
    places: str,
    variants: Iterable[dict[str, Any]],
    *,
    full: bool,
    dims: bool,
    several: bool,
    dtype: bool = False,
) -> None:
    """Register a reduction.

    `full`: it works without a dim; `dims`: with one; `several`: with a tuple of them; `dtype`: it has that keyword.
    """
    spellings = spell(name, places).split()
    group(name, "reductions", " ".join(spellings), scaled=True)(
        partial(_cases, spellings, tuple(variants), full, dims, several, dtype)
    )


def _cases(
    spellings: list[str], variants: tuple[dict[str, Any], ...], full: bool, dims: bool, several: bool, dtype: bool
) -> Iterator[Case]:
    first, *others = (path_of(s) for s in spellings)
    for words in ({}, *variants):
        samples = ALL if "median" not in first else tuple(a for a in ALL if a.values or a.dtype == "float64")
        if full:
            for a in samples:
                yield call(first, a, **words)
        if dims:
            for a in samples:
                yield call(first, a, dim=0, **words)
                yield call(first, a, -1, **words)
            yield call(first, rand(2, 3, 4), dim=1, keepdim=True, **words)
            yield call(first, rand(2, 3), 1, True, **words)
            yield call(first, rand(2, 3), dim=2, **words)
            yield call(first, scalar(1.0), dim=1, **words)
            yield call(first, rand(2, 3), dim=1.0, **words)
            yield call(first, scalar(2.0), dim=0, keepdim=True, **words)
        for dim in ((0, 1), (0, -1), (), [1], (0, 0), (0, 3), None):
            for a in (rand(2, 3, 4), filled((2, 2), 1.0, 3.0, 3.0, 2.0)):
                if several or dim in ((0, 1), None):
                    if dim == () and first.rpartition(".")[2] in NO_EMPTY_DIM:
                        continue
                    yield call(first, a, dim=dim, **words)
                    yield call(first, a, dim=dim, keepdim=True, **words)
    for words in [{"dtype": F32}, {"dtype": I64}, {"dtype": F64}] if dtype else []:
        for a in (rand(2, 3), ints(1, 2, 3), flags(1, 0, 1)):
            if full:
                yield call(first, a, **words)
            if dims:
                yield call(first, a, dim=0, **words)
    for path in others:
        for a in (rand(2, 3), scalar(1.5), ints(1, 2, 2)):
            if full:
                yield call(path, a)
            if dims:
                yield call(path, a, 0)
                yield call(path, a, dim=-1, keepdim=True)
    yield call(first)
    yield call(first, 1.5)
    yield call(first, rand(2), nonsense=1)
    if full:
        yield program(f"y = {first}(x := a * 1)\nx.add_(1)\ny", rand(3))
    if dims:
        yield program(f"y = {first}(x := a * 1, 0)\nx.add_(1)\ny", rand(3))


BOTH = "torch Tensor"
NO_EMPTY_DIM = ("var", "std", "var_mean", "std_mean")  # PyTorch's value is over all dimensions, its gradient over none
reduction("sum", BOTH, [], full=True, dims=True, several=True, dtype=True)
reduction("nansum", BOTH, [], full=True, dims=True, several=True, dtype=True)
reduction("mean", BOTH, [], full=True, dims=True, several=True, dtype=True)
reduction("nanmean", BOTH, [], full=True, dims=True, several=True)
reduction("prod", BOTH, [], full=True, dims=True, several=False, dtype=True)
reduction("max", BOTH, [], full=True, dims=True, several=False)
reduction("min", BOTH, [], full=True, dims=True, several=False)
reduction("amax", BOTH, [], full=True, dims=True, several=True)
reduction("amin", BOTH, [], full=True, dims=True, several=True)
reduction("argmax", BOTH, [], full=True, dims=True, several=False)
reduction("argmin", BOTH, [], full=True, dims=True, several=False)
reduction("median", BOTH, [], full=True, dims=True, several=False)
reduction("nanmedian", BOTH, [], full=True, dims=True, several=False)
reduction("any", BOTH, [], full=True, dims=True, several=True)
reduction("all", BOTH, [], full=True, dims=True, several=True)
reduction("logsumexp", "torch Tensor special", [], full=False, dims=True, several=True)
_CORRECTIONS = [{"correction": 0}, {"correction": 2}, {"unbiased": False}, {"correction": 1.5}]
for _name in ("var", "std"):
    reduction(_name, BOTH, _CORRECTIONS, full=True, dims=True, several=True)
for _name in ("var_mean", "std_mean"):
    reduction(_name, "torch", _CORRECTIONS[:1], full=True, dims=True, several=True)


@group("aminmax", "reductions", "torch.aminmax Tensor.aminmax")
def _aminmax() -> Iterator[Case]:
    for a in ALL:
        yield call("torch.aminmax", a)
        yield call(".aminmax", a, dim=0)
    yield call("torch.aminmax", rand(2, 3), dim=1, keepdim=True)


@group("max of two", "reductions", "")
def _max_of_two() -> Iterator[Case]:
    for name in ("max", "min"):
        for path in (f"torch.{name}", f".{name}"):
            yield call(path, points(1.0, 2.0, nan), points(1.0, 3.0, 0.0))
            yield call(path, rand(2, 3), rand(3, seed=2))
            yield call(path, ints(1, 5), ints(2, 3))
            yield call(path, rand(3), 0.5)
            yield program(f"torch.{name}(a, other=b)", rand(3), rand(3, seed=2))
        yield program(f"m = torch.{name}(a, 0)\n(m.values, m.indices, m[0], len(m))", rand(2, 3))
        yield program(f"v, i = a.{name}(dim=1)\nv * 2", rand(2, 3))


@group("count_nonzero", "reductions", "torch.count_nonzero Tensor.count_nonzero")
def _count_nonzero() -> Iterator[Case]:
    for a in ALL:
        yield call("torch.count_nonzero", a)
    for dim in (0, 1, -1, (0, 1), (), 2, None):
        yield call("torch.count_nonzero", filled((2, 3), 0.0, 1.0, nan, -0.0), dim=dim)
        yield call(".count_nonzero", filled((2, 3), 0.0, 1.0), dim)


ORDERS = (None, 2, 2.0, 1, 0, 3, -1, 0.5, -2, inf, -inf, "fro", "nuc", "other")


@group("norm", "reductions", "torch.norm Tensor.norm", scaled=True)
def _norm() -> Iterator[Case]:
    for a in VECTORS + MATRICES[:3] + EMPTY + OTHERS:
        yield call("torch.norm", a)
        yield call(".norm", a, 1)
        yield call(".norm", a, inf)
        yield call(".norm", a, 3, 0)
    for p in ORDERS:
        for a in (
            points(3.0, -4.0),
            points(0.0, 0.0),
            points(0.0, 2.0, -2.0),
            rand(2, 3),
            filled((2, 2), 1.0, -1.0),
            scalar(-2.0),
            scalar(0.0),
        ):
            yield call("torch.norm", a, p)
            yield call("torch.norm", a, p=p, dim=0)
            yield call(".norm", a, p=p, dim=-1, keepdim=True)
        yield call("torch.norm", rand(2, 3), p=p, dim=(0, 1))
    yield call("torch.norm", rand(2, 3, dtype="float32"), dtype=F64)
    yield call("torch.norm", rand(2, 3), dim=2)


@group("dist", "reductions", "torch.dist Tensor.dist", scaled=True)
def _dist() -> Iterator[Case]:
    pairs = (
        (rand(3), rand(3, seed=2)),
        (rand(2, 3), rand(3)),
        (points(1.0, 2.0), points(1.0, 2.0)),
        (scalar(1.0), scalar(3.0)),
        (rand(0), rand(0)),
    )
    for a, b in pairs:
        for p in (2, 1, inf, 0, 3.5, -inf):
            yield call("torch.dist", a, b, p)
        yield call(".dist", a, b)
        yield call(".dist", a, b, p=1)
    yield call("torch.dist", rand(3), rand(2))


@group("softmax", "reductions", "torch.softmax Tensor.softmax F.softmax special.softmax", scaled=True)
def _softmax() -> Iterator[Case]:
    yield from _softmaxes("softmax", "torch.softmax", ".softmax", "F.softmax", "torch.special.softmax")


@group(
    "log_softmax", "reductions", "torch.log_softmax Tensor.log_softmax F.log_softmax special.log_softmax", scaled=True
)
def _log_softmax() -> Iterator[Case]:
    yield from _softmaxes(
        "log_softmax", "torch.log_softmax", ".log_softmax", "F.log_softmax", "torch.special.log_softmax"
    )


@group("softmin", "reductions", "F.softmin", scaled=True)
def _softmin() -> Iterator[Case]:
    yield from _softmaxes("softmin", "F.softmin")


def _softmaxes(name: str, *paths: str) -> Iterator[Case]:
    for path in paths:
        for a in ALL if path == paths[0] else (rand(2, 3), scalar(1.0)):
            yield call(path, a, dim=0)
            yield call(path, a, -1)
        yield call(path, rand(2, 3), dim=1, dtype=F32)
        yield call(path, ints(1, 2, 3), dim=0, dtype=F64)
        yield call(path, rand(2, 3, dtype="float32"), dim=1, dtype=F64)
        yield call(path, rand(2, 3), dim=2)
        yield call(path, rand(2, 3))
    yield program(f"x = a * 1\ny = {paths[0]}(x, 0)\nx.add_(1)\ny", rand(3))
    yield program(f"x = a * 1\ny = {paths[0]}(x, 0)\ny.add_(1)\ny", rand(3))


@group("cumsum", "reductions", "torch.cumsum Tensor.cumsum Tensor.cumsum_", scaled=True)
def _cumsum() -> Iterator[Case]:
    yield from _scan("cumsum", True, True)


@group("cumprod", "reductions", "torch.cumprod Tensor.cumprod Tensor.cumprod_", scaled=True)
def _cumprod() -> Iterator[Case]:
    yield from _scan("cumprod", True, True)
    yield call("torch.cumprod", filled((2, 4), 1.0, 0.0, 3.0, 0.0, 0.0, 2.0, 5.0, 4.0), 1)


@group("logcumsumexp", "reductions", "torch.logcumsumexp Tensor.logcumsumexp", scaled=True)
def _logcumsumexp() -> Iterator[Case]:
    yield from _scan("logcumsumexp", False, False)


@group("cummax", "reductions", "torch.cummax Tensor.cummax", scaled=True)
def _cummax() -> Iterator[Case]:
    yield from _scan("cummax", False, False)


@group("cummin", "reductions", "torch.cummin Tensor.cummin", scaled=True)
def _cummin() -> Iterator[Case]:
    yield from _scan("cummin", False, False)


def _scan(name: str, dtype: bool, in_place: bool) -> Iterator[Case]:
    for a in ALL:
        if name == "logcumsumexp" and any(abs(v) > 1e50 for v in a.values if isinstance(v, float) and math.isfinite(v)):
            continue  # a logarithm's sum does not show there: no digit of the gradient is determined
        yield call(f"torch.{name}", a, dim=0)
        yield call(f".{name}", a, -1)
    if in_place:
        yield call(f".{name}_", rand(2, 3), 1)
        yield call(f".{name}_", ints(1, 2, 3), 0)
    for words in [{"dtype": F32}, {"dtype": F64}, {"dtype": I64}] if dtype else []:
        yield call(f"torch.{name}", rand(2, 3), 1, **words)
        yield call(f"torch.{name}", ints(1, 2, 3), 0, **words)
    yield call(f"torch.{name}", rand(2, 3), 2)
    yield call(f"torch.{name}", rand(2, 3))
    yield program(f"x = a * 1\ny = x.{name}(0)\nx.add_(1)\ny", rand(3))


@group("kthvalue", "reductions", "torch.kthvalue Tensor.kthvalue")
def _kthvalue() -> Iterator[Case]:
    for k in (1, 2, 3, 0, 4):
        yield call("torch.kthvalue", points(3.0, 1.0, 2.0), k)
        yield call(".kthvalue", rand(2, 3), k, 0, True)


@group("quantile", "reductions", "torch.quantile Tensor.quantile", scaled=True)
def _quantile() -> Iterator[Case]:
    for q in (0.0, 0.25, 0.5, 0.9, 1.0):
        yield call("torch.quantile", rand(5), q)
        yield call(".quantile", rand(2, 4), q, dim=1, keepdim=True)
    yield call("torch.quantile", rand(5), T("float64", (2,), (0.25, 0.6)))
    yield call("torch.quantile", rand(5), 1.5)


@group("diff", "reductions", "torch.diff Tensor.diff", scaled=True)
def _diff() -> Iterator[Case]:
    for a in (rand(5), rand(2, 4), ints(1, 4, 9), flags(1, 0, 0), rand(1)):
        yield call("torch.diff", a)
        yield call(".diff", a, n=2)
        yield call("torch.diff", a, dim=0)
    yield call("torch.diff", rand(3), prepend=rand(2))


@group("reductions of views", "reductions", "", scaled=True)
def _views() -> Iterator[Case]:
    for text in (
        "a.transpose(0, 1).sum(0)",
        "a[:, 1].prod()",
        "a[::2].max()",
        "a.expand(2, 3, 4).sum((0, 1))",
        "a.flatten().cumsum(0).prod()",
        "(a * a).sum().sqrt()",
        "a.std(0) / a.mean(0)",
        "torch.softmax(a, 1).log().sum()",
        "a.var() + a.var(1).sum()",
        "a.max(1).values.min()",
        "a.median(1)[0].sum()",
        "sum(a.sum(1))",
        "a.sum(dim=[0, 1])",
        "a.sum([0])",
        "a.sum(0, 1)",
        "a.sum((0, 1), True)",
        "a.mean((0,), keepdim=True)",
        "a.var(0, False)",
        "a.var(0, True, True)",
        "a.var(False)",
        "a.std(unbiased=False)",
        "a.std((0, 1), False)",
        "torch.all(a > -9) & torch.any(a > 1)",
        "torch.max(a)",
    ):
        yield program(text, rand(3, 4))
