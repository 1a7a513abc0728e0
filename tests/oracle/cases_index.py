"""Indexing, gathering and scattering, sorting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from oracle.case import Case, T, call, filled, flags, group, inf, ints, nan, points, program, rand, scalar

CUBE = rand(2, 3, 4)
MATRIX = rand(3, 4)
VECTOR = rand(5)
INDEX = ints(2, 0, 2)

INDICES = (
    "0", "-1", "2", "5", "-6", "()", "...", "None", "True", "False", "1:", ":2", "::2", "1:1", "-2:", "5:", "::-1", "::0", ":, 1", "..., 0", "0, ...", "None, 0",
    ":, None", "0, 1", "0, 1, 2", "0, 1, 2, 3", "0, None, 1", "..., None, 1:", "[0, 1]", "[1, 1, 0]", "[-1]", "[7]", "[0, 1], [1, 0]", "[[0, 1], [1, 0]]",
    ":, [0, 2]", "[0, 1], :, [0, 1]", "[0, 1], [0, 1], 1", "0, [0, 1]", "..., [0, 1]", "[True, False]", "i", "i, 0", ":, i", "i, i", "j", "j, 1", "m", "z", "1.0",
    "'a'", "slice(1, 2)", "slice(None)", "(0, 1)", "a > 0", "a > 99", "(a > 0) & (a < 1)", "i[0]", "..., i", "i[:, None], i", "None, i", "[]", "e", "1:2, ..., [0]", "0.5, 1",
    "True, 0", "n", "i > 0", "..., ...", "1:3, 1:2", ":-1", "0:2:1, -1", "[0, 1], None", "m, 0",
)  # fmt: skip
EXTRAS = {
    "i": ints(1, 0, 1), "j": T("int64", (), (1,)), "m": flags(1, 0), "n": T("int64", (2, 2), (0, 1, 1, 0)), "z": T("bool", (), (True,)), "e": ints(),
    "h": scalar(0.75), "s": scalar(0.5), "v": rand(2, seed=9),
}  # fmt: skip


def _named(text: str, a: T) -> Case:
    """A case on `a` and those of EXTRAS that the text names."""
    return Case(text, {"a": a, **{n: t for n, t in EXTRAS.items() if re.search(rf"\b{n}\b", text)}})


@group("getitem", "index", "")
def _getitem() -> Iterator[Case]:
    for index in INDICES:
        for a in (VECTOR, MATRIX, CUBE, scalar(1.5), rand(2)):
            yield _named(f"a[{index}]", a)
        yield _named(f"a[{index}]", T("int64", (2, 3), (1, 2, 3, 4, 5, 6)))
    yield program("a[1:][0] * a[0]", VECTOR)
    yield program("a[b][c]", VECTOR, INDEX, ints(0, 0))
    yield program("[row.sum() for row in a]", MATRIX)
    yield program("x, y = a[0], a[1]\nx * y", MATRIX)
    yield program("list(a)[1]", VECTOR)
    yield program("[v * 2 for v in reversed(a)]", VECTOR)
    yield program("x = a * 1\ny = x[1:]\nx.add_(1)\ny", VECTOR)
    yield program("x = a * 1\ny = x[[0, 1]]\nx.add_(1)\ny", VECTOR)
    yield program("for row in a:\n    pass\nrow", MATRIX)


VALUES = ("0", "2.5", "-1", "s", "v", "nan", "True", "[1.0, 2.0]", "None", "'a'")


@group("setitem", "index", "")
def _setitem() -> Iterator[Case]:
    for index in INDICES:
        for a in (VECTOR, CUBE):
            yield _named(f"x = a * 1\nx[{index}] = 2.5\nx", a)
            yield _named(f"x = a * 1\nx[{index}] = h\nx", a)
        yield _named(f"x = a * 1\nx[{index}] *= 2\nx", MATRIX)
        yield _named(f"x = a.clone()\nx[{index}] = 7\nx", T("int64", (2, 3), (1, 2, 3, 4, 5, 6)))
    for value in VALUES:
        for index in ("0", "1:", "[0, 2]", "x > 0", "..."):
            yield _named(f"x = a * 1\nx[{index}] = {value}\nx", VECTOR)
            if value not in ("s", "v"):  # PyTorch lets an integer tensor require a gradient then
                yield _named(f"x = a.clone()\nx[{index}] = {value}\nx", ints(3, 4, 5))
    yield program("x = a * 1\nx[0] = b[0]\nx[1] = x[0] * 2\nx", rand(3), rand(3, seed=2))
    yield program("x = torch.zeros(3)\nx[0] = a\nx[2] = a * a\nx", scalar(1.5))
    yield program("x = torch.zeros(2, 2)\nx[0] = a\nx[:, 1] = x[:, 0] * b\nx", rand(2), rand(2, seed=2))
    yield program("x = a * 1\nx[[0, 0, 1]] = b\nx", rand(3), rand(3, seed=2))
    yield program("x = a * 1\nx[[0, 0, 1]] += b\nx", rand(3), rand(3, seed=2))
    yield program("x = a * 1\nx[x > 0] = 0\nx", rand(5))
    yield program("x = a * 1\nx[x > 0] = x[x > 0] * 2\nx", rand(5))
    yield program("x = a * 1\ny = x * x\nx[0] = 0\ny", rand(3))
    yield program("x = a * 1\ny = x[1]\nx[1] = 5\ny", rand(3))
    yield program("a[0] = 1\na", rand(3))
    yield program("x = a * 1\nx[0] = b\nx", rand(3), rand(2))
    yield program("x = a * 1\nx[:] = b\nx", rand(2, 3), rand(3))
    yield program("x = a * 1\nx[0, :2] = x[1, 1:]\nx", rand(2, 3))
    yield program("x = a.detach()\nx[0] = b\nx", rand(3), scalar(1.0))
    yield program("x = a.float()\nx[0] = b\nx", rand(3), scalar(1.0))


@group("index_select", "index", "torch.index_select Tensor.index_select")
def _index_select() -> Iterator[Case]:
    for path in ("torch.index_select", ".index_select"):
        for a in (CUBE, VECTOR, MATRIX, scalar(1.5), ints(1, 2, 3)):
            yield call(path, a, 0, ints(0, 0))
            yield call(path, a, -1, ints(2, 0))
        yield call(path, CUBE, dim=1, index=INDEX)
        yield call(path, CUBE, 1, T("int64", (), (1,)))
        yield call(path, CUBE, 1, ints(5))
        yield call(path, CUBE, 1, ints(-1))
        yield call(path, CUBE, 1, T("int64", (0,), ()))
        yield call(path, CUBE, 1, T("int64", (1, 2), (0, 1)))
        yield call(path, CUBE, 1, points(0.0))
        yield call(path, CUBE, 3, ints(0))
        yield call(path, CUBE, 1, [0])


GATHERS = (
    (MATRIX, 0, T("int64", (2, 3), (0, 1, 2, 2, 0, 0))),
    (MATRIX, 1, T("int64", (3, 2), (0, 0, 3, 1, 2, 2))),
    (VECTOR, 0, INDEX),
    (VECTOR, -1, INDEX),
)
BAD_GATHERS = (
    (MATRIX, 1, ints(0, 1)),
    (MATRIX, 0, T("int64", (2, 5), (0,) * 10)),
    (MATRIX, 1, T("int64", (1, 1), (4,))),
    (MATRIX, 1, T("int64", (1, 1), (-1,))),
    (MATRIX, 2, T("int64", (1, 1), (0,))),
    (VECTOR, 0, points(0.0)),
    (VECTOR, 0, T("int64", (0,), ())),
    (scalar(2.0), 0, T("int64", (), (0,))),
    (VECTOR, 0, T("int64", (), (1,))),
    (ints(5, 6, 7), 0, ints(2, 2)),
)


@group("gather", "index", "torch.gather Tensor.gather")
def _gather() -> Iterator[Case]:
    for a, dim, index in GATHERS + BAD_GATHERS:
        yield call("torch.gather", a, dim, index)
        yield call(".gather", a, dim=dim, index=index)


@group("take_along_dim", "index", "torch.take_along_dim Tensor.take_along_dim")
def _take_along_dim() -> Iterator[Case]:
    for a, dim, index in GATHERS + BAD_GATHERS:
        yield call("torch.take_along_dim", a, index, dim)
        yield call(".take_along_dim", a, index, dim=dim)
    yield call("torch.take_along_dim", MATRIX, ints(5, 0))
    yield call("torch.take_along_dim", MATRIX, T("int64", (1, 4), (0, 1, 2, 0)), dim=0)
    yield program("torch.take_along_dim(a, a.argsort(1), 1)", MATRIX)


@group("take", "index", "torch.take Tensor.take")
def _take() -> Iterator[Case]:
    for index in (ints(5, 0, 5), T("int64", (2, 2), (0, 1, -1, 3)), ints(99)):
        yield call("torch.take", MATRIX, index)
        yield call(".take", VECTOR, index)


@group(
    "scatter",
    "index",
    "torch.scatter Tensor.scatter Tensor.scatter_ torch.scatter_add Tensor.scatter_add Tensor.scatter_add_",
)
def _scatter() -> Iterator[Case]:
    sources = (T("int64", (2, 3), (0, 1, 2, 2, 0, 0)), T("int64", (3, 2), (0, 0, 3, 1, 2, 2)))
    for name in ("scatter", "scatter_add"):
        for path in (f"torch.{name}", f".{name}", f".{name}_"):
            yield call(path, MATRIX, 0, sources[0], rand(2, 3, seed=7))
            yield call(path, MATRIX, 1, sources[1], rand(3, 4, seed=7))
            yield call(path, VECTOR, 0, INDEX, rand(3, seed=7))
            yield call(path, VECTOR, dim=0, index=INDEX, src=rand(3, seed=7))
            yield call(path, VECTOR, 0, INDEX, rand(2))
            yield call(path, VECTOR, 0, ints(5), rand(1))
            yield call(path, VECTOR, 1, INDEX, rand(3))
            yield call(path, VECTOR, 0, INDEX, rand(3, dtype="float32"))
            yield call(path, ints(1, 2, 3), 0, ints(0, 0), ints(7, 8))
            yield call(path, VECTOR, 0, INDEX, 2.5)
            yield call(path, VECTOR, 0, T("int64", (0,), ()), rand(0))
    yield call("torch.scatter", VECTOR, 0, INDEX, value=1.5)
    yield call(".scatter_", MATRIX, 1, sources[1], 0.0)
    for reduce in ("add", "multiply"):
        yield call(".scatter_", constant_vector(), 0, INDEX, 2.0, reduce=reduce)
    yield program("torch.zeros(3).scatter_add(0, b, a)", rand(4), ints(0, 2, 0, 0))
    yield program("torch.zeros(3, 4).scatter_(1, b, 1.0) * a", MATRIX, T("int64", (3, 1), (0, 3, 1)))


def constant_vector() -> T:
    return VECTOR._replace(grad=False)


@group("index_add", "index", "torch.index_add Tensor.index_add Tensor.index_add_")
def _index_add() -> Iterator[Case]:
    for path in ("torch.index_add", ".index_add", ".index_add_"):
        yield call(path, VECTOR, 0, INDEX, rand(3, seed=7))
        yield call(path, MATRIX, 1, ints(0, 0), rand(3, 2, seed=7), alpha=2)
        yield call(path, MATRIX, 0, INDEX, rand(2, 4))
        yield call(path, VECTOR, 0, ints(9), rand(1))


@group("index_copy", "index", "torch.index_copy Tensor.index_copy Tensor.index_copy_")
def _index_copy() -> Iterator[Case]:
    for path in ("torch.index_copy", ".index_copy", ".index_copy_"):
        yield call(path, VECTOR, 0, ints(3, 0), rand(2, seed=7))
        yield call(path, MATRIX, 1, ints(0, 2), rand(3, 2, seed=7))


@group("index_fill", "index", "torch.index_fill Tensor.index_fill Tensor.index_fill_")
def _index_fill() -> Iterator[Case]:
    for path in ("torch.index_fill", ".index_fill", ".index_fill_"):
        yield call(path, VECTOR, 0, INDEX, 2.5)
        yield call(path, MATRIX, 1, ints(0, 2), scalar(1.5))


@group("masked_select", "index", "torch.masked_select Tensor.masked_select")
def _masked_select() -> Iterator[Case]:
    for path in ("torch.masked_select", ".masked_select"):
        yield call(path, VECTOR, flags(1, 0, 1, 0, 0))
        yield call(path, MATRIX, flags(1, 0, 1, 0))
        yield call(path, rand(3), T("bool", (2, 1), (True, False)))
        yield call(path, VECTOR, flags(0, 0, 0, 0, 0))
        yield call(path, scalar(1.5), T("bool", (), (True,)))
        yield call(path, VECTOR, flags(1, 0))
        yield call(path, VECTOR, ints(1, 0, 1, 0, 0))
        yield call(path, ints(1, 2), flags(1, 0))


@group("nonzero", "index", "torch.nonzero Tensor.nonzero")
def _nonzero() -> Iterator[Case]:
    for a in (points(0.0, 2.0, nan), filled((2, 2), 1.0, 0.0), flags(0, 1), scalar(1.0), scalar(0.0), ints(0, 3)):
        yield call("torch.nonzero", a)
        yield call(".nonzero", a, as_tuple=True)


SORTED = (
    points(3.0, 1.0, 2.0),
    points(2.0, 1.0, 2.0, 1.0),
    points(nan, 1.0, inf, -inf),
    points(0.0, -0.0, 0.0),
    rand(3, 4),
    CUBE,
    scalar(2.0),
    rand(0),
    ints(3, 1, 2, 3),
    flags(1, 0, 1),
    rand(4, dtype="float32"),
    points(5.0),
)


@group("sort", "index", "torch.sort Tensor.sort")
def _sort() -> Iterator[Case]:
    for path in ("torch.sort", ".sort"):
        for a in SORTED:
            yield call(path, a)
            yield call(path, a, descending=True, stable=True)
            yield call(path, a, 0, False)
            yield call(path, a, dim=-1, descending=True)
        yield call(path, rand(2, 3), dim=2)
        yield call(path, SORTED[1], stable=True)
    yield program("s = a.sort()\n(s.values, s.indices)", SORTED[0])
    yield program("x = a * 1\ny = x.sort().values\nx.add_(1)\ny", SORTED[0])


@group("argsort", "index", "torch.argsort Tensor.argsort")
def _argsort() -> Iterator[Case]:
    for path in ("torch.argsort", ".argsort"):
        for a in SORTED:
            yield call(path, a, stable=True)
            yield call(path, a, 0, True)
        yield call(path, rand(2, 3), dim=2)
    for a in SORTED[:1] + SORTED[4:8]:
        yield call("torch.argsort", a)


@group("msort", "index", "torch.msort Tensor.msort")
def _msort() -> Iterator[Case]:
    for a in SORTED:
        yield call("torch.msort", a)
        yield call(".msort", a)


@group("topk", "index", "torch.topk Tensor.topk")
def _topk() -> Iterator[Case]:
    for path in ("torch.topk", ".topk"):
        for a in (SORTED[0], SORTED[4], SORTED[5], SORTED[8], SORTED[6], points(1.0, nan, 2.0)):
            for k in (1, 2, 0):
                yield call(path, a, k)
                yield call(path, a, k, largest=False)
            yield call(path, a, 2, dim=0)
        for words in ({"k": 5}, {"k": -1}, {"k": 1, "dim": 3}, {"k": 2, "dim": 0, "largest": False, "sorted": True}):
            yield call(path, rand(3, 4), **dict[str, Any](words))
    yield program("a.topk(2).values.sum() + a.topk(2)[0].prod()", rand(5))


@group("unique", "index", "torch.unique Tensor.unique")
def _unique() -> Iterator[Case]:
    for a in (points(2.0, 1.0, 2.0), ints(3, 1, 3), rand(2, 2), flags(1, 0, 1)):
        yield call("torch.unique", a)
        yield call(".unique", a, return_counts=True)
        yield call("torch.unique", a, return_inverse=True)


@group("isin", "index", "torch.isin")
def _isin() -> Iterator[Case]:
    for a in (ints(1, 2, 3, 4, 2), ints(), rand(2, 3), T("float64", (3,), (nan, 1.0, inf))):
        for b in (ints(2, 3), ints(), T("float64", (3,), (2.0, nan, inf))):
            yield program("torch.isin(a, b)", a, b)
            yield program("torch.isin(a, b, invert=True)", a, b)
        yield program("torch.isin(a, 2)", a)
        yield program("torch.isin(2.0, a)", a)
    yield program("torch.isin(2, 3)")
    yield program("torch.isin(a, [2])", ints(2))
    yield program("torch.isin(a, a)", flags(1, 0))


@group("from_numpy", "index", "torch.from_numpy")
def _from_numpy() -> Iterator[Case]:
    for a in (ints(1, 2, 3), ints(), T("int64", (), (3,)), flags(1, 0)):
        yield program("torch.from_numpy(a.numpy())", a)
    yield program("torch.from_numpy(a.detach().numpy()) * a", rand(2, 3))
    yield program("torch.from_numpy(a)", ints(1, 2))
    yield program("torch.from_numpy([1.0])")


@group("bincount", "index", "torch.bincount Tensor.bincount")
def _bincount() -> Iterator[Case]:
    for a in (ints(0, 1, 1, 4), ints(), rand(2), ints(-1)):
        yield call("torch.bincount", a)
    yield call(".bincount", ints(0, 1), minlength=4)


@group("searchsorted", "index", "torch.searchsorted")
def _searchsorted() -> Iterator[Case]:
    for words in ({}, {"right": True}):
        yield call("torch.searchsorted", points(1.0, 2.0, 3.0), points(0.5, 2.0, 9.0), **dict[str, Any](words))
        yield call("torch.searchsorted", points(1.0, 2.0, 3.0), 2.0, **dict[str, Any](words))


@group("embedding", "index", "F.embedding")
def _embedding() -> Iterator[Case]:
    yield call("F.embedding", ints(0, 2, 0), rand(3, 4))
    yield call("F.embedding", T("int64", (2, 2), (0, 1, 1, 2)), rand(3, 2))
    yield call("F.embedding", ints(5), rand(3, 4))
    yield call("F.embedding", ints(0, 1), rand(3, 2), padding_idx=1)
