"""Products of matrices and vectors, and torch.linalg."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oracle.case import (
    Case,
    Name,
    T,
    call,
    constant,
    filled,
    flags,
    group,
    inf,
    ints,
    nan,
    points,
    program,
    rand,
    scalar,
)

F64 = Name("torch.float64")
SQUARE = rand(3, 3)
BATCH = rand(2, 3, 3)
SYMMETRIC = T("float64", (3, 3), (4.0, 1.0, 0.5, 1.0, 3.0, -0.25, 0.5, -0.25, 2.0), True)
SPREAD = T("float64", (2, 2, 2), (2.0, 0.5, 0.5, 1.0, 5.0, -1.0, -1.0, 3.0), True)
SINGULAR = T("float64", (2, 2), (1.0, 2.0, 2.0, 4.0), True)
RANK_ONE = T("float64", (3, 3), (1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0), True)
ZERO = filled((2, 2), 0.0)
ONE = rand(1, 1)
HOLLOW = rand(0, 0)
TALL, WIDE = rand(4, 2), rand(2, 4)
SINGLE = rand(3, 3, dtype="float32")
WHOLE = T("int64", (2, 2), (2, 1, 1, 3))
IDENTITY = T("float64", (2, 2), (1.0, 0.0, 0.0, 1.0), True)
NOT_FINITE = T("float64", (2, 2), (1.0, nan, 2.0, 3.0), True)
INFINITE = T("float64", (2, 2), (1.0, inf, 2.0, 3.0), True)
SQUARES = (SQUARE, BATCH, SYMMETRIC, SPREAD, ONE, HOLLOW, SINGLE, IDENTITY)
WRONG = (TALL, rand(3), scalar(2.0), WHOLE, rand(2, 0))

PAIRS = (
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((2, 2, 3), (3, 4)), ((2, 3), (2, 3, 2)), ((2, 1, 2, 3), (2, 3, 2)), ((4, 2, 3), (3,)),
    ((3,), (2, 3, 2)), ((0,), (0,)), ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((2, 3), (2, 3)), ((3,), (2,)), ((), (3,)), ((), ()), ((2, 2, 3), (2, 3, 2)), ((2, 2, 3), (3, 3, 2)),
    ((1, 1), (1, 1)), ((2, 3, 4), (2, 4, 1)),
)  # fmt: skip


def _product(name: str, names: str, *paths: str) -> None:
    def generate() -> Iterator[Case]:
        for path in paths:
            for p, q in PAIRS:
                yield call(path, rand(*p), rand(*q, seed=2))
            yield call(path, rand(2, 3, dtype="float32"), rand(3, 2, dtype="float32"))
            yield call(path, rand(2, 3, dtype="float32"), rand(3, 2))
            yield call(path, T("int64", (2, 2), (1, 2, 3, 4)), WHOLE)
            yield call(path, ints(1, 2), ints(3, 4))
            yield call(path, T("int64", (2, 2), (1, 2, 3, 4)), rand(2, 2))
            yield call(path, flags(1, 0), flags(1, 1))
            yield call(path, rand(2), 2.0)
            yield call(path, points(inf, 1.0), points(0.0, 2.0))
        yield program(
            f"torch.{name}(a, a)", rand(3, 3) if name not in ("dot", "outer", "inner", "vdot", "ger") else rand(3)
        )
        for change in ("x", "z"):
            shapes = {
                "mv": ((2, 3), (3,)),
                "dot": ((3,), (3,)),
                "vdot": ((3,), (3,)),
                "bmm": ((1, 2, 3), (1, 3, 2)),
                "outer": ((3,), (2,)),
                "ger": ((3,), (2,)),
                "inner": ((3,), (3,)),
            }
            p, q = shapes.get(name, ((2, 3), (3, 2)))
            yield program(
                f"x = a * 1\nz = b * 1\ny = torch.{name}(x, z)\n{change}.add_(1)\ny", rand(*p), rand(*q, seed=2)
            )

    group(name, "linalg", names, scaled=True)(generate)


_product("matmul", "torch.matmul Tensor.matmul linalg.matmul", "torch.matmul", ".matmul", "torch.linalg.matmul")
_product("mm", "torch.mm Tensor.mm", "torch.mm", ".mm")
_product("bmm", "torch.bmm Tensor.bmm", "torch.bmm", ".bmm")
_product("mv", "torch.mv Tensor.mv", "torch.mv", ".mv")
_product("dot", "torch.dot Tensor.dot torch.vdot", "torch.dot", ".dot", "torch.vdot")
_product("inner", "torch.inner Tensor.inner", "torch.inner", ".inner")
_product("outer", "torch.outer Tensor.outer torch.ger", "torch.outer", ".outer", "torch.ger")
_product("kron", "torch.kron Tensor.kron", "torch.kron", ".kron")


@group("@", "linalg", "", scaled=True)
def _at() -> Iterator[Case]:
    for p, q in PAIRS:
        yield program("a @ b", rand(*p), rand(*q, seed=2))
    yield program("a @ 2.0", rand(2))
    yield program("(a @ b) @ a", rand(2, 2), rand(2, 2, seed=2))
    yield program("a.T @ a", rand(3, 2))
    yield program("x = a.clone()\nx @= b\nx", rand(2, 2), rand(2, 2, seed=2))


EQUATIONS = (
    ("i,i->", (3,), (3,)), ("i,j->ij", (3,), (2,)), ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("bij,bjk->bik", (2, 3, 2), (2, 2, 3)), ("ij,ij->i", (2, 3), (2, 3)),
    ("ij,j->i", (2, 3), (3,)), ("ij,kj->ik", (2, 3), (4, 3)), ("...ij,...jk->...ik", (2, 2, 3), (3, 2)), ("ij,ij->", (2, 3), (2, 3)), ("ij,k->ijk", (2, 3), (2,)), ("ii,i->i", (3, 3), (3,)),
    ("ij,jk->ki", (2, 3), (3, 4)), ("a b, b c -> a c", (2, 3), (3, 2)), ("ij,jk->il", (2, 3), (3, 2)), ("ij,jk->ik", (2, 3), (2, 3)), ("ij->i", (2, 3), (3,)), ("i,i->ii", (2,), (2,)),
    ("ij,jk->iik", (2, 3), (3, 2)), ("ij;jk", (2, 3), (3, 2)), ("Ij,jK->IK", (2, 3), (3, 2)), ("ij,->ij", (2, 3), ()), ("bhqd,bhkd->bhqk", (1, 2, 3, 2), (1, 2, 4, 2)), ("i,i", (1,), (3,)),
)  # fmt: skip
ALONE = (
    ("ii->", (3, 3)),
    ("ii->i", (3, 3)),
    ("ij->ji", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->j", (2, 3)),
    ("ji", (2, 3)),
    ("...i->...", (2, 3)),
    ("...ij->...ji", (2, 2, 3)),
    ("ii", (3, 3)),
    ("ij", (3,)),
    ("ii", (2, 3)),
    ("iij->j", (2, 2, 3)),
    ("i->i", (3,)),
    ("...->...", (2, 3)),
    ("->", ()),
)


@group("einsum", "linalg", "torch.einsum", scaled=True)
def _einsum() -> Iterator[Case]:
    for equation, p, q in EQUATIONS:
        yield call("torch.einsum", equation, rand(*p), rand(*q, seed=2))
    for equation, p in ALONE:
        yield call("torch.einsum", equation, rand(*p))
    yield call("torch.einsum", "ij,jk,kl->il", rand(2, 3), rand(3, 2), rand(2, 2))
    yield call("torch.einsum", "ij,jk->ik", [rand(2, 3), rand(3, 2)])
    yield call("torch.einsum", "ij,jk->ik", rand(2, 3, dtype="float32"), rand(3, 2))
    yield call("torch.einsum", "i,i->", ints(1, 2), ints(3, 4))
    yield program("torch.einsum('ij,ij->', a, a)", rand(2, 2))


@group("trace", "linalg", "torch.trace Tensor.trace", scaled=True)
def _trace() -> Iterator[Case]:
    for a in (*SQUARES, *WRONG, WIDE):
        yield call("torch.trace", a)
        yield call(".trace", a)


@group("cross", "linalg", "torch.cross Tensor.cross linalg.cross", scaled=True)
def _cross() -> Iterator[Case]:
    for path in ("torch.cross", ".cross", "torch.linalg.cross"):
        yield call(path, rand(3), rand(3, seed=2))
        yield call(path, rand(2, 3), rand(2, 3, seed=2), dim=1)
        yield call(path, rand(3, 2), rand(3, 2, seed=2), dim=0)
        yield call(path, rand(2, 3), rand(3, seed=2), dim=-1)
        yield call(path, rand(2, 3), rand(1, 3, seed=2), dim=-1)
        yield call(path, rand(2), rand(2))
        yield call(path, rand(3), rand(2))
        yield call(path, ints(1, 2, 3), ints(4, 5, 6))
        yield call(path, rand(2, 3), rand(2, 3, seed=2))


@group(
    "addmm",
    "linalg",
    "torch.addmm Tensor.addmm torch.addmv Tensor.addmv torch.baddbmm Tensor.baddbmm torch.addbmm Tensor.addbmm",
    scaled=True,
)
def _addmm() -> Iterator[Case]:
    for words in ({}, {"beta": 0.5}, {"alpha": 2, "beta": 0}):
        w = dict[str, Any](words)
        for path in ("torch.addmm", ".addmm"):
            yield call(path, rand(2, 2), rand(2, 3), rand(3, 2), **w)
            yield call(path, rand(2), rand(2, 3), rand(3, 2), **w)
        for path in ("torch.addmv", ".addmv"):
            yield call(path, rand(2), rand(2, 3), rand(3), **w)
        for name in ("baddbmm", "addbmm"):
            yield call(f"torch.{name}", rand(2, 2), rand(2, 2, 3), rand(2, 3, 2), **w)
            yield call(f".{name}", rand(2, 2), rand(2, 2, 3), rand(2, 3, 2), **w)


@group("tensordot", "linalg", "torch.tensordot", scaled=True)
def _tensordot() -> Iterator[Case]:
    for dims in (1, 2, 0, ([1], [0]), ([0, 1], [1, 0])):
        yield call("torch.tensordot", rand(3, 3), rand(3, 3, seed=2), dims=dims)


@group("vecdot", "linalg", "linalg.vecdot", scaled=True)
def _vecdot() -> Iterator[Case]:
    yield call("torch.linalg.vecdot", rand(2, 3), rand(3))
    yield call("torch.linalg.vecdot", rand(2, 3), rand(2, 3), dim=0)


def _of_squares(name: str, names: str, *more: T, extra: tuple[str, ...] = ()) -> None:
    """Register a function of square matrices; `extra` are programs on `a`."""

    def generate() -> Iterator[Case]:
        spelled = names.split()
        for spelling in spelled:
            place, _, bare = spelling.rpartition(".")
            path = {"Tensor": f".{bare}", "torch": f"torch.{bare}"}.get(place, f"torch.{place}.{bare}")
            for a in (*SQUARES, *more, *WRONG, NOT_FINITE, INFINITE):
                if bare != "inv_ex" or a not in (SINGULAR, ZERO):  # what it holds there is anything
                    yield call(path, a)
            if place != "Tensor":
                yield call(path, [1.0])
        for text in extra:
            yield program(text, SYMMETRIC)
            yield program(text, SPREAD)

    group(name, "linalg", names, scaled=True)(generate)


DETS = (
    SINGULAR,
    RANK_ONE,
    ZERO,
    filled((1, 1), 0.0),
    filled((3, 3), 0.0),
    filled((2, 2), -1.0, 0.0, 0.0, 1.0),
    filled((2, 2), 1e200, 0.0, 0.0, 1e200),
)
_of_squares("det", "linalg.det torch.det Tensor.det", *DETS, extra=("x = a * 1\ny = torch.det(x)\nx.add_(1)\ny",))
LOGS = tuple(a for a in DETS if a is not RANK_ONE and any(a.values))  # zero pivots may have either sign
_of_squares(
    "slogdet",
    "linalg.slogdet torch.slogdet Tensor.slogdet",
    *LOGS,
    extra=("torch.linalg.slogdet(a).logabsdet", "s, l = torch.slogdet(a)\ns * l.exp()"),
)
_of_squares("logdet", "torch.logdet Tensor.logdet", *LOGS)
_of_squares(
    "inv",
    "linalg.inv torch.inverse Tensor.inverse linalg.inv_ex",
    SINGULAR,
    ZERO,
    extra=("torch.linalg.inv(a) @ a", "x = a * 1\ny = torch.linalg.inv(x)\ny.add_(1)\ny"),
)
_of_squares("svdvals", "linalg.svdvals", TALL, WIDE, constant(RANK_ONE), extra=("torch.linalg.svdvals(a).sum()",))
_of_squares(
    "eigvalsh", "linalg.eigvalsh", extra=("torch.linalg.eigvalsh(a).sum()", "torch.linalg.eigvalsh(a, UPLO='U')")
)
_of_squares(
    "pinv",
    "linalg.pinv torch.pinverse Tensor.pinverse",
    TALL,
    WIDE,
    SINGULAR,
    RANK_ONE,
    ZERO,
    extra=("torch.linalg.pinv(a, rtol=0.5)", "torch.linalg.pinv(a, hermitian=True)", "torch.linalg.pinv(a, atol=1.5)"),
)
_of_squares("matrix_exp", "torch.matrix_exp Tensor.matrix_exp linalg.matrix_exp", ZERO)
_of_squares("matrix_rank", "linalg.matrix_rank", SINGULAR, RANK_ONE, ZERO, TALL)
_of_squares("cond", "linalg.cond", extra=tuple(f"torch.linalg.cond(a, p={p})" for p in ("2", "1", "-2", "'fro'")))


@group("cholesky", "linalg", "linalg.cholesky torch.cholesky Tensor.cholesky", scaled=True)
def _cholesky() -> Iterator[Case]:
    for path in ("torch.linalg.cholesky", "torch.cholesky", ".cholesky"):
        for a in (
            SYMMETRIC,
            SPREAD,
            IDENTITY,
            SQUARE,
            SINGULAR,
            HOLLOW,
            TALL,
            rand(3),
            WHOLE,
            T("float32", (2, 2), (4.0, 1.0, 1.0, 3.0), True),
            filled((1, 1), 4.0),
            NOT_FINITE,
        ):
            yield call(path, a)
            yield call(path, a, upper=True)
    yield program("L = torch.linalg.cholesky(a @ a.T + torch.eye(3))\nL.diagonal().log().sum()", SQUARE)
    yield program("L = torch.linalg.cholesky(a)\nL @ L.mT", SPREAD)


@group("qr", "linalg", "linalg.qr torch.qr Tensor.qr", scaled=True)
def _qr() -> Iterator[Case]:
    for a in (*SQUARES[:3], SPREAD, TALL, WIDE, ONE, SINGLE, rand(3), WHOLE, rand(2, 4, 3), ZERO, HOLLOW):
        for mode in ("reduced", "complete", "r", "other"):
            yield call("torch.linalg.qr", a, mode)
        yield call("torch.linalg.qr", a)
    yield program("torch.qr(a)", SQUARE)
    yield program("a.qr()", SQUARE)
    yield program("Q, R = torch.linalg.qr(a)\nQ @ R", TALL)
    yield program("torch.linalg.qr(a).R.diagonal().abs().log().sum()", SQUARE)


@group("eigh", "linalg", "linalg.eigh", scaled=True)
def _eigh() -> Iterator[Case]:
    """Eigenvectors are told up to their signs only, so what is compared does not depend on them."""
    for a in (SYMMETRIC, SPREAD, SQUARE, BATCH, IDENTITY, ONE, HOLLOW, SINGLE, *WRONG, NOT_FINITE):
        for uplo in ("L", "U", "other"):
            yield program(f"torch.linalg.eigh(a, UPLO='{uplo}').eigenvalues", a)
            if a is not IDENTITY:
                yield program(f"w, v = torch.linalg.eigh(a, '{uplo}')\nv * v", a)
    yield program("w, v = torch.linalg.eigh(a)\nv @ torch.diag(w.exp()) @ v.T", SYMMETRIC)
    yield program("w, v = torch.linalg.eigh(a)\nw.log().sum()", SYMMETRIC)
    yield program("torch.linalg.eigh(a)[0].shape", BATCH)
    yield program("x = torch.linalg.eigh(a)\n(x.eigenvalues, x.eigenvectors.abs().sum())", SYMMETRIC)


@group("svd", "linalg", "linalg.svd torch.svd Tensor.svd", scaled=True)
def _svd() -> Iterator[Case]:
    for a in (SQUARE, TALL, WIDE, BATCH):
        yield program("torch.linalg.svd(a).S", a)
        yield program("u, s, v = torch.linalg.svd(a, full_matrices=False)\nu @ torch.diag_embed(s) @ v", a)
        yield program("u, s, v = torch.svd(a)\ns", a)
        yield program("torch.linalg.svd(a)[0] ** 2", a)
        yield program("[x.shape for x in a.svd()]", a)


@group("solve", "linalg", "linalg.solve", scaled=True)
def _solve() -> Iterator[Case]:
    for left in (True, False):
        for a in (SQUARE, BATCH, SYMMETRIC, ONE, HOLLOW, SINGLE, TALL, WHOLE, rand(3), RANK_ONE):
            for b in (
                rand(3, seed=5),
                rand(3, 2, seed=5),
                rand(2, 3, seed=5),
                rand(2, 3, 2, seed=5),
                rand(1, seed=5),
                rand(0),
                rand(3, dtype="float32"),
            ):
                yield call("torch.linalg.solve", a, b, left=left)
    yield program("torch.linalg.solve(A=a, B=b)", SQUARE, rand(3))
    yield program("x = a * 1\ny = torch.linalg.solve(x, b)\nx.add_(1)\ny", SQUARE, rand(3))


@group("solve_triangular", "linalg", "linalg.solve_triangular", scaled=True)
def _solve_triangular() -> Iterator[Case]:
    for upper in (True, False):
        yield call("torch.linalg.solve_triangular", SYMMETRIC, rand(3, 2), upper=upper)
        yield call("torch.linalg.solve_triangular", SYMMETRIC, rand(2, 3), upper=upper, left=False)
        yield call("torch.linalg.solve_triangular", SYMMETRIC, rand(3, 1), upper=upper, unitriangular=True)


@group("lstsq", "linalg", "linalg.lstsq", scaled=True)
def _lstsq() -> Iterator[Case]:
    for a, b in ((TALL, rand(4, 1)), (TALL, rand(4, 2)), (SQUARE, rand(3, 1))):
        yield program("torch.linalg.lstsq(a, b).solution", a, b)


@group("matrix_power", "linalg", "linalg.matrix_power torch.matrix_power Tensor.matrix_power", scaled=True)
def _matrix_power() -> Iterator[Case]:
    for path in ("torch.linalg.matrix_power", "torch.matrix_power", ".matrix_power"):
        for a in (SQUARE, BATCH, SINGULAR, TALL, WHOLE, rand(3), ONE, SINGLE):
            for n in (0, 1, 2, 3, 5, -1, -2):
                yield call(path, a, n)
        yield call(path, SQUARE, 1.5)


@group("multi_dot", "linalg", "linalg.multi_dot torch.chain_matmul", scaled=True)
def _multi_dot() -> Iterator[Case]:
    chains = (
        [(2, 3), (3, 4)], [(2, 3), (3, 4), (4, 2)], [(3,), (3, 4), (4,)], [(3,), (3, 4)], [(2, 3), (3,)], [(10, 2), (2, 5), (5, 3), (3, 1)], [(2, 3)], [], [(2, 3), (2, 3)],
        [(2, 3, 4), (4, 2)], [(3,), (3,)], [(1, 2), (2, 1), (1, 3)],
    )  # fmt: skip
    for shapes in chains:
        tensors = [rand(*s, seed=i) for i, s in enumerate(shapes)]
        yield call("torch.linalg.multi_dot", tensors)
        yield call("torch.linalg.multi_dot", tuple(tensors))
    yield call("torch.chain_matmul", rand(2, 3), rand(3, 4), rand(4, 2))


ORDERS = (None, 2, 1, 0, 3, 0.5, -1, -2, inf, -inf, "fro", "nuc", "other")
NORMED = (points(3.0, -4.0), points(0.0, 0.0), points(0.0, 2.0, -2.0), rand(2, 3), filled((2, 2), 1.0, -1.0), ZERO, scalar(-2.0), rand(2, 2, 3), rand(0), ints(3, 4), points(3.0, 4.0, dtype="float32"), points(nan, 1.0), points(inf, 1.0), points(1e200, 1e200), points(-2.0))  # fmt: skip


@group("linalg.norm", "linalg", "linalg.norm linalg.vector_norm linalg.matrix_norm", scaled=True)
def _norms() -> Iterator[Case]:
    for a in NORMED:
        for name in ("norm", "vector_norm", "matrix_norm"):
            yield call(f"torch.linalg.{name}", a)
            for order in ORDERS[1:]:
                yield call(f"torch.linalg.{name}", a, order)
        for order in ORDERS:
            words: dict[str, Any] = {} if order is None else {"ord": order}
            yield call("torch.linalg.norm", a, dim=0, **words)
            yield call("torch.linalg.vector_norm", a, dim=-1, keepdim=True, **words)
    for order in ORDERS[1:]:
        yield call("torch.linalg.norm", rand(2, 2, 3), order, dim=(0, 1))
        yield call("torch.linalg.norm", rand(2, 2, 3), order, (0, 2), True)
        yield call("torch.linalg.vector_norm", rand(2, 2, 3), order, dim=(0, 2))
        yield call("torch.linalg.matrix_norm", rand(2, 2, 3), order, dim=(0, 1), keepdim=True)
        yield call(
            "torch.linalg.matrix_norm", RANK_ONE if order in (1, -1, inf, -inf, "fro", 2) else constant(RANK_ONE), order
        )
        yield call("torch.linalg.matrix_norm", rand(2, 2, 3), order, dim=(1, 1))
    yield call("torch.linalg.vector_norm", rand(3, dtype="float32"), dtype=F64)
    yield call("torch.linalg.norm", rand(2, 3), dim=5)


@group("vander", "linalg", "linalg.vander torch.vander", scaled=True)
def _vander() -> Iterator[Case]:
    yield call("torch.linalg.vander", rand(3))
    yield call("torch.linalg.vander", rand(3), N=2)
    yield call("torch.vander", rand(3))
    yield call("torch.vander", rand(3), increasing=True)
