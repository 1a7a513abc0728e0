"""Functions beyond LANGUAGE.md's list that the registry has: fewer cases each."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.case import Case, call, filled, flags, group, ints, points, program, rand, scalar
from oracle.cases_binary import SMALL_AXIS, _binary
from oracle.cases_linalg import SQUARE, SYMMETRIC
from oracle.cases_pointwise import ORDINARY, _unary, keyworded, path_of, spell
from oracle.cases_shape import _each

BOTH = "torch Tensor"
MATRIX = rand(3, 4)

_unary("entr", "special")
_unary("isreal", BOTH)


def _moderate(name: str, places: str, *extra: float) -> None:
    """A function of one tensor on points of ordinary size."""

    def generate() -> Iterator[Case]:
        first, *others = (path_of(s) for s in spell(name, places).split())
        yield call(first, points(0.0, 1.0, -1.0, 0.5, -0.5, *ORDINARY, *extra), pointwise=True)
        for a in (rand(2, 3), scalar(1.5), rand(0), rand(4, dtype="float32"), ints(0, 1, 2), flags(1, 0), 0.5):
            yield call(first, a)
        for path in others:
            yield call(path, points(0.25, 0.5))

    group(name, "pointwise", spell(name, places))(generate)


_moderate("i0", "torch Tensor Tensor_ special", 40.0, -40.0, 500.0)
_moderate("i0e", "special", 40.0, -40.0, 500.0)
_moderate("i1", "special", 40.0, -40.0, 500.0)
_moderate("i1e", "special", 40.0, -40.0, 500.0)
_moderate("erfcx", "special", -5.5, 26.0, 500.0)
_moderate("ndtr", "special", -38.0, -10.5, 8.0)
_moderate("log_ndtr", "special", -38.0, -10.5, 8.0, -745.0)
_binary("ldexp", "torch Tensor Tensor_", axis=SMALL_AXIS)
keyworded("hardshrink", "torch Tensor F", [{"lambd": 0.1}, {"lambd": 0.0}])
keyworded("softshrink", "F", [{"lambd": 0.1}, {"lambd": 2.0}])


@group("ndtri", "pointwise", "special.ndtri")
def _ndtri() -> Iterator[Case]:
    yield call("torch.special.ndtri", points(0.0, 0.01, 0.1, 0.5, 0.75, 0.99, 1.0, -0.5, 1.5), pointwise=True)
    yield call("torch.special.ndtri", rand(2, 3, low=0.1, high=0.9))


@group("gcd", "pointwise", "torch.gcd Tensor.gcd Tensor.gcd_ torch.lcm Tensor.lcm Tensor.lcm_")
def _gcd() -> Iterator[Case]:
    for name in ("gcd", "lcm"):
        for path in (f"torch.{name}", f".{name}", f".{name}_"):
            yield call(path, ints(12, -18, 0, 7), ints(8, 27, 5, 0))
            yield call(path, ints(12, -18), ints(8))
            yield call(path, ints(12, -18), rand(2))


@group("mvlgamma", "pointwise", "torch.mvlgamma Tensor.mvlgamma Tensor.mvlgamma_ special.multigammaln")
def _mvlgamma() -> Iterator[Case]:
    for p in (1, 2, 3, 0):
        for path in ("torch.mvlgamma", "torch.special.multigammaln", ".mvlgamma", ".mvlgamma_"):
            yield call(path, rand(3, low=2.0, high=5.0), p)
    yield call("torch.mvlgamma", points(0.25), 2)


@group("shifts", "pointwise", " ".join(
    f"torch.bitwise_{d}_shift Tensor.bitwise_{d}_shift Tensor.bitwise_{d}_shift_" for d in ("left", "right")))  # fmt: skip
def _shifts() -> Iterator[Case]:
    for direction in ("left", "right"):
        for path in (f"torch.bitwise_{direction}_shift", f".bitwise_{direction}_shift", f".bitwise_{direction}_shift_"):
            yield call(path, ints(5, -6, 0), ints(1, 2, 3))
            yield call(path, ints(5, -6, 0), 2)
            yield call(path, rand(2), 1)


@group(
    "activations in place",
    "pointwise",
    " ".join(f"F.{n}_" for n in ("relu", "celu", "elu", "selu", "leaky_relu", "hardtanh", "threshold")),
)
def _activations() -> Iterator[Case]:
    for name in ("relu", "celu", "elu", "selu", "leaky_relu", "hardtanh"):
        yield program(f"x = a * 1\ny = F.{name}_(x)\n(y is x, x)", rand(5))
    yield program("x = a * 1\ny = F.threshold_(x, 0.1, -1.0)\n(y is x, x)", rand(5))


@group("addr", "linalg", "torch.addr Tensor.addr Tensor.addr_ torch.ger Tensor.ger Tensor.vdot", scaled=True)
def _addr() -> Iterator[Case]:
    for path in ("torch.addr", ".addr", ".addr_"):
        yield call(path, rand(2, 3), rand(2), rand(3))
        yield call(path, rand(2, 3), rand(2), rand(3), beta=0.5, alpha=2)
    for path in ("torch.ger", ".ger"):
        yield call(path, rand(2), rand(3))
    yield call(".vdot", rand(3), rand(3, seed=2))
    yield call(".vdot", rand(3), rand(2))


@group("addmm_", "linalg", "Tensor.addmm_ Tensor.addmv_ Tensor.addbmm_ Tensor.baddbmm_", scaled=True)
def _addmm() -> Iterator[Case]:
    yield call(".addmm_", rand(2, 2), rand(2, 3), rand(3, 2), beta=0.5)
    yield call(".addmv_", rand(2), rand(2, 3), rand(3), alpha=2)
    yield call(".addbmm_", rand(2, 2), rand(2, 2, 3), rand(2, 3, 2))
    yield call(".baddbmm_", rand(2, 2, 2), rand(2, 2, 3), rand(2, 3, 2))


_each("adjoint", BOTH, "")
_each("argwhere", BOTH, "")
_each("atleast_3d", "torch", "")
_each("hsplit", BOTH, "2", "[1]")
_each("vsplit", BOTH, "2", "[1]")
_each("dsplit", BOTH, "2", "[1]")
_each("diagflat", BOTH, "", "1", "offset=-1")
_each("unique_consecutive", BOTH, "")
_each("mode", BOTH, "0", "dim=-1, keepdim=True", family="reductions")
_each("t_", "Tensor", "")
_each("transpose_", "Tensor", "0, 1", "0, 0", aliases="Tensor.swapaxes_ Tensor.swapdims_")


@group("solvers", "linalg", "torch.cholesky_inverse Tensor.cholesky_inverse torch.cholesky_solve Tensor.cholesky_solve torch.triangular_solve "
       "Tensor.triangular_solve linalg.cholesky_ex linalg.solve_ex linalg.tensorinv linalg.tensorsolve", scaled=True)  # fmt: skip
def _solvers() -> Iterator[Case]:
    lower = "L = torch.linalg.cholesky(a)\n"
    for upper in (False, True):
        for text in (f"torch.cholesky_inverse(a, {upper})", f"a.cholesky_inverse(upper={upper})"):
            yield program(text, SYMMETRIC)
        for text in (f"torch.cholesky_solve(b, a, {upper})", f"b.cholesky_solve(a, upper={upper})"):
            yield program(text, SYMMETRIC, rand(3, 2))
        for transpose in (False, True):
            yield program(
                f"torch.triangular_solve(b, a, upper={upper}, transpose={transpose}).solution", SYMMETRIC, rand(3, 2)
            )
        yield program(f"b.triangular_solve(a, {upper})[0]", SYMMETRIC, rand(3, 2))
        yield program(f"torch.linalg.cholesky_ex(a, upper={upper})", SYMMETRIC)
    yield program(lower + "torch.cholesky_inverse(L)", SYMMETRIC)
    yield program("torch.linalg.solve_ex(a, b)", SQUARE, rand(3))
    yield program("torch.linalg.tensorinv(a, ind=1)", rand(4, 2, 2))
    yield program("torch.linalg.tensorsolve(a, b)", rand(2, 2, 4), rand(2, 2))


INDICES = ints(2, 0, 2)


@group("put", "index", "torch.put Tensor.put Tensor.put_ torch.index_put Tensor.index_put Tensor.index_put_")
def _put() -> Iterator[Case]:
    for path in ("torch.put", ".put", ".put_"):
        yield call(path, MATRIX, ints(5, 0), rand(2))
        yield call(path, MATRIX, ints(5, 0, 5), rand(3), accumulate=True)
        yield call(path, MATRIX, ints(99), rand(1))
    for path in ("torch.index_put", ".index_put", ".index_put_"):
        yield call(path, MATRIX, (ints(1, 0), ints(0, 3)), rand(2))
        yield call(path, MATRIX, (INDICES,), rand(3, 4, seed=4), accumulate=True)
        yield call(path, rand(5), (flags(1, 0, 1, 0, 0),), scalar(2.0))


@group("masked_scatter", "index", "torch.masked_scatter Tensor.masked_scatter Tensor.masked_scatter_")
def _masked_scatter() -> Iterator[Case]:
    for path in ("torch.masked_scatter", ".masked_scatter", ".masked_scatter_"):
        yield call(path, rand(5), flags(1, 0, 1, 0, 0), rand(4, seed=3))
        yield call(path, rand(2, 3), flags(1, 0, 1), rand(6, seed=3))
        yield call(path, rand(5), flags(1, 0, 1, 0, 0), rand(1))


@group("scatter_reduce", "index", "torch.scatter_reduce Tensor.scatter_reduce Tensor.scatter_reduce_")
def _scatter_reduce() -> Iterator[Case]:
    for reduce in ("sum", "prod", "mean", "amax", "amin", "other"):
        for path in ("torch.scatter_reduce", ".scatter_reduce", ".scatter_reduce_"):
            yield call(path, rand(4), 0, INDICES, rand(3, seed=3), reduce)
            yield call(path, rand(4), 0, INDICES, rand(3, seed=3), reduce=reduce, include_self=False)


@group("further_arguments", "index", "", scaled=True)
def _arguments() -> Iterator[Case]:
    yield program("torch.unique(a, dim=0)", rand(3, 2))
    yield program("torch.bincount(b, weights=a)", rand(3), ints(0, 2, 0))
    yield program("a.clone().scatter_(0, b, c, reduce='add')", rand(4), INDICES, rand(3, seed=3, grad=False))
    yield program("a.clone().scatter_(0, b, c, reduce='multiply')", rand(4), INDICES, rand(3, seed=3, grad=False))
    yield program("a.clone().scatter_(0, b, 2.0, reduce='multiply')", rand(4), INDICES)
    yield program("torch.linalg.lstsq(a, b)[:2]", rand(4, 2), rand(4, 1, seed=2))
    yield program("torch.linalg.lstsq(a, b, driver='gelsd').residuals", rand(4, 2), rand(4, 1, seed=2))
    yield program("torch.einsum('i,j,k->ijk', a, b, c)", rand(2), rand(3, seed=2), rand(2, seed=3))
    yield program("torch.triangular_solve(b, a)", SYMMETRIC, rand(3, 2))
    for mode in ("reflect", "replicate", "circular"):
        yield program(f"F.pad(a, (1, 1, 1, 0, 0, 1), mode='{mode}')", rand(1, 1, 2, 3, 3))
        yield program(f"F.pad(a, (1, 1, 1, 0), mode='{mode}')", rand(1, 2, 3, 3))


@group("fill_diagonal_", "index", "Tensor.fill_diagonal_")
def _fill_diagonal() -> Iterator[Case]:
    yield call(".fill_diagonal_", rand(3, 3), 2.5)
    yield call(".fill_diagonal_", rand(2, 3), 2.5)
    yield call(".fill_diagonal_", rand(3), 2.5)


@group(
    "counts",
    "reductions",
    "torch.histc Tensor.histc torch.bucketize torch.nanquantile Tensor.nanquantile torch.multinomial Tensor.multinomial",
)
def _counts() -> Iterator[Case]:
    for text in ("torch.histc(a, 4)", "a.histc(bins=3, min=-1, max=1)", "torch.histc(a, 0)"):
        yield program(text, rand(9, grad=False))
    yield program("torch.bucketize(a, b)", points(0.5, 2.0, 9.0), points(1.0, 2.0, 3.0))
    yield program("torch.bucketize(a, b, right=True)", points(0.5, 2.0, 9.0), points(1.0, 2.0, 3.0))
    for q in (0.0, 0.3, 1.0):
        yield call("torch.nanquantile", points(1.0, float("nan"), 3.0, 2.5), q)
        yield call(".nanquantile", rand(2, 4), q, dim=1)
    yield program("torch.multinomial(torch.tensor([0.0, 1.0, 0.0]), 2, replacement=True)")
    yield program("a.multinomial(2).sort().values", filled((2,), 0.5, grad=False))


@group("trapezoid", "reductions", "torch.trapezoid torch.trapz torch.cumulative_trapezoid", scaled=True)
def _trapezoid() -> Iterator[Case]:
    for name in ("trapezoid", "trapz", "cumulative_trapezoid"):
        yield call(f"torch.{name}", rand(5))
        yield call(f"torch.{name}", rand(5), rand(5, seed=2))
        yield call(f"torch.{name}", rand(2, 4), dx=0.5)
        yield call(f"torch.{name}", rand(2, 4), dx=0.5, dim=0)
        yield call(f"torch.{name}", rand(5), rand(4))


@group("cdist", "reductions", "torch.cdist", scaled=True)
def _cdist() -> Iterator[Case]:
    for p in (2.0, 1.0, float("inf"), 3.0):
        yield call("torch.cdist", rand(3, 2), rand(4, 2, seed=2), p=p)
    yield call("torch.cdist", rand(3, 2), rand(4, 3))


@group(
    "more losses", "neural", "F.cosine_embedding_loss F.triplet_margin_loss F.group_norm torch.embedding", scaled=True
)
def _losses() -> Iterator[Case]:
    y = points(1.0, -1.0, grad=False)
    for reduction in ("mean", "sum", "none"):
        yield call("F.cosine_embedding_loss", rand(2, 3), rand(2, 3, seed=2), y, margin=0.1, reduction=reduction)
        yield call("F.triplet_margin_loss", rand(2, 3), rand(2, 3, seed=2), rand(2, 3, seed=3), reduction=reduction)
    yield call("F.triplet_margin_loss", rand(2, 3), rand(2, 3, seed=2), rand(2, 3, seed=3), margin=0.5, p=1, swap=True)
    yield call("F.group_norm", rand(2, 4), 2)
    yield call("F.group_norm", rand(2, 4, 3), 2, rand(4), rand(4, seed=2), 0.1)
    yield call("F.group_norm", rand(2, 4), 3)
    yield call("torch.embedding", rand(3, 2), ints(0, 2, 0))


@group("facts", "making", " ".join(
    f"{p}.{n}" for p in ("torch", "Tensor") for n in ("is_complex", "is_floating_point", "is_nonzero")) + " Tensor.element_size Tensor.is_contiguous "
    "Tensor.is_signed Tensor.ndimension Tensor.nelement Tensor.size Tensor.stride Tensor.storage_offset Tensor.data_ptr torch.numel")  # fmt: skip
def _facts() -> Iterator[Case]:
    for a in (rand(2, 3), scalar(2.0), ints(0), flags(0), scalar(0.0, dtype="float32")):
        for text in ("is_complex", "is_floating_point", "is_nonzero"):
            yield program(f"torch.{text}(a)", a)
            yield program(f"a.{text}()", a)
        for text in (
            "element_size()",
            "is_contiguous()",
            "is_signed()",
            "ndimension()",
            "nelement()",
            "size()",
            "size(-1)",
            "stride()",
            "storage_offset()",
            "T.is_contiguous()",
        ):
            yield program(f"a.{text}", a)
        yield program("torch.numel(a)", a)
    yield program("a[1:].storage_offset()", rand(4))
    yield program("a.t().stride()", rand(2, 3))
    for text in ("view(4)", "detach()", "data", "clone()", "T"):
        yield program(f"a.data_ptr() == a.{text}.data_ptr()", rand(2, 2))
    for text in ("detach()", "data", "clone()", "view(1)"):
        yield program(f"a.data_ptr() == a.{text}.data_ptr()", scalar(2.0))
    yield program("a[1:].data_ptr() - a.data_ptr()", rand(4))


@group(
    "conversions",
    "making",
    "Tensor.byte Tensor.char Tensor.short Tensor.bfloat16 Tensor.cfloat Tensor.cuda Tensor.numpy",
)  # most only refuse
def _conversions() -> Iterator[Case]:
    for a in (points(1.7, -2.3, 0.0), ints(300, -1)):
        for text in ("byte().long()", "char().long()", "short().long()", "detach().numpy().tolist()"):
            if not (text.startswith("byte") and a.dtype != "int64"):  # a negative float as a byte is undefined
                yield program(f"a.{text}", a)


@group("new_empty", "making", "Tensor.new_empty")
def _new_empty() -> Iterator[Case]:
    for text in (
        "a.new_empty(2).shape",
        "a.new_empty((2, 3)).dtype",
        "a.new_empty(2, dtype=torch.int64).dtype",
        "a.new_empty(-1)",
    ):
        yield program(text, rand(2))


@group("types", "making", "torch.Size torch.Generator torch.finfo torch.iinfo torch.can_cast torch.promote_types torch.result_type torch.asarray torch.scalar_tensor "
       "torch.initial_seed torch.broadcast_shapes torch.range")  # fmt: skip
def _types() -> Iterator[Case]:
    for text in (
        "torch.Size([2, 3])", "torch.Size([2, 3]).numel()", "torch.Size((2,)) == torch.zeros(2).shape", "torch.asarray([1, 2.5])", "torch.asarray(3)", "torch.scalar_tensor(2.5)", "torch.scalar_tensor(2)",
        "torch.broadcast_shapes((2, 1), (3,))", "torch.broadcast_shapes((2,), (3,))", "torch.range(1, 3)", "torch.range(0, 1, 0.5)", "torch.can_cast(torch.float64, torch.int64)",
        "torch.can_cast(torch.int64, torch.float32)", "torch.promote_types(torch.int64, torch.float32)", "torch.result_type(torch.ones(2), 1)", "torch.result_type(torch.tensor([1]), 1.5)",
        "torch.finfo(torch.float64).eps", "torch.finfo(torch.float32).max", "torch.finfo(torch.float32).tiny", "torch.iinfo(torch.int64).max", "torch.finfo(torch.int64)", "torch.manual_seed(5)\ntorch.initial_seed()",
        "g = torch.Generator()\ng.manual_seed(3)\nx = torch.rand(2, generator=g)\ng.manual_seed(3)\nbool((x == torch.rand(2, generator=g)).all())",
    ):  # fmt: skip
        yield program(text)


@group(
    "sampling_in_place",
    "making",
    "Tensor.uniform_ Tensor.normal_ Tensor.exponential_ Tensor.random_ Tensor.bernoulli Tensor.bernoulli_ torch.randint_like",
)
def _sampling() -> Iterator[Case]:
    for text in (
        "x = torch.zeros(500)\nx.uniform_(2, 3)\nbool((x >= 2).all() and (x < 3).all())", "x = torch.zeros(3)\nx.normal_(5.0, 0.0)", "x = torch.zeros(500)\nx.exponential_()\nbool((x > 0).all())",
        "x = torch.zeros(500)\nx.random_(3, 6)\nbool((x >= 3).all() and (x < 6).all())", "torch.ones(3).bernoulli()", "torch.zeros(3).bernoulli_(1.0)", "torch.randint_like(torch.zeros(2, 3), 5).shape",
        "torch.randint_like(torch.zeros(2, 3), 5).dtype", "torch.zeros(3).uniform_(3, 2)",
    ):  # fmt: skip
        yield program(text)
    for name in ("uniform_", "normal_", "bernoulli_", "exponential_", "random_"):
        yield program(f"x = a * 1\nx.{name}()\nx - x.detach()", rand(3))
    for y in (
        "torch.bernoulli(a)",
        "torch.bernoulli(a, 0.5)",
        "torch.normal(a, 1.0)",
        "torch.normal(0.0, a)",
        "torch.normal(a, a)",
        "F.dropout(a, 0.5) * 0",
    ):
        yield program(f"y = {y}\ny - y.detach()", rand(3, low=0.2, high=0.8))
    for name in ("uniform_", "normal_", "bernoulli_"):
        yield program(f"a.{name}()", rand(3))
        yield program(f"x = a * 1\nx.{name}()\nx.grad_fn.name()", rand(3))


@group("gradcheck", "functional", "autograd.gradcheck autograd.gradgradcheck func.linearize")
def _gradcheck() -> Iterator[Case]:
    for name in ("gradcheck", "gradgradcheck"):
        yield program(f"torch.autograd.{name}(lambda x: x.sin() * x, (a,))", rand(3))
        yield program(f"torch.autograd.{name}(lambda x: x.detach() * x, (a,))", rand(3))
        yield program(f"torch.autograd.{name}(lambda x: x.detach() * x ** 2, (a,), raise_exception=False)", rand(3))
        yield program(f"torch.autograd.{name}(lambda x, y: x @ y, (a, b))", rand(3), rand(3, seed=2))
        yield program(f"torch.autograd.{name}(lambda x: x * 2, (a,))", rand(3, grad=False))
    yield program("y, f = torch.func.linearize(lambda x: x ** 2, a)\n(y, f(b).detach())", rand(3), rand(3, seed=2))
