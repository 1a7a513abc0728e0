"""Wrong arguments: for every public name a call that works, and what becomes of it when one argument is of another kind.

The calls are those of the other groups' cases. Each argument is replaced in turn by what people give by mistake (another
dtype, no dimension, nothing at all, another size, None, text, a list, a dimension that is not there), left out, or one is
added. What counts is the class of the error, and where none is raised the value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, partial

from oracle.case import GROUPS, Case, T, filled, group, rand, scalar

DRAWN = frozenset(
    "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial dropout uniform_ normal_ exponential_ "
    "random_ bernoulli_ empty empty_like new_empty seed initial_seed manual_seed gradcheck gradgradcheck Generator".split()
)
# Calls that are not asked for, by how their text begins: what PyTorch does with them is no rule to follow.
UNASKED = (
    "torch.add(a, b, 7)",  # an order of arguments that it warns of: add(input, alpha, other)
    "torch.sub(a, b, 7)",
    "torch.rsub(a, b, alpha=z)",  # a 0-d tensor where a number is meant: some functions take it, some do not
    "a.clone().addcmul_(b, c, value=z)",
    "a.clone().addcdiv_(b, c, value=z)",
    "torch.narrow(a, 0, z",
    "torch.split(a, z",
    "a.to(1.5",  # the number of a device
    "a.to(99",
    "a.to(-99",
    "a.to(True",
    "F.embedding(a, b, 7)",  # an AssertionError, for torch.embedding nothing at all
    "torch.embedding(a, b, 7)",
    "torch.einsum(z",
    "torch.ldexp(a, b)",  # a bool exponent is refused, or not, by the other's dtype
    "torch.broadcast_shapes([0.5",
    "torch.tensordot(a, b, dims=z",
    "torch.argsort(a, 7, stable=True)",
    "torch.linalg.pinv(a, None)",
    "torch.linalg.matrix_rank(a, None)",
    "torch.linalg.cholesky_ex",  # what LAPACK leaves of a matrix that has no factor
    "torch.linalg.solve_triangular",  # two dtypes at once
    "F.binary_cross_entropy_with_logits(a, b)",  # the dtype of the target
    "F.gaussian_nll_loss(a, True",
    "F.scaled_dot_product_attention(a, b, c)",  # no positions at all
    "F.batch_norm",
    "torch.cholesky(a)",
    "torch.scatter_reduce(a, 0, b, c, 'sum')",  # an index of no dimension
    "x = a.clone()\ny = x.scatter_reduce_(0, b, c, 'sum')",
    "x = a.clone()\ny = x.addbmm_(",  # a result that does not fit into its tensor
)
APART = frozenset("functional func".split())  # families whose arguments are functions
ODD = ("None", "'x'", "[0.5, 1.0]", "1.5", "99", "-99", "True", "z")
TENSORS: dict[str, T] = {
    "0-d": scalar(0.5, grad=False),
    "0-d int64": T("int64", (), (1,)),
    "empty": filled((0,), 0.0, grad=False),
    "empty matrix": filled((0, 3), 0.0, grad=False),
    "int64": rand(2, 3, low=0, high=3, dtype="int64"),
    "bool": rand(2, 3, dtype="bool"),
    "wide": rand(2, 3, 2, 2, grad=False),
}


def refusals(family: str) -> Iterator[Case]:
    """The cases of one family of groups."""
    for spelled, case in _bases().items():
        if _family_of(spelled) == family:
            yield from (c for c in _spoilt(case) if not c.text.startswith(UNASKED))


@cache
def _bases() -> dict[str, Case]:
    """For each spelling the first case that is one call of it, on tensors that are not empty."""
    found: dict[str, Case] = {}
    for g in GROUPS.values():
        if g.family in APART or g.family.startswith("refused"):
            continue
        wanted = {n for n in g.names if n.rpartition(".")[2] not in DRAWN} - found.keys()
        for case in g.cases:
            name = _called(case, wanted)
            if name and all(t.values and len(t.values) < 30 for t in case.tensors.values()):
                found[name] = case
                wanted.discard(name)
    twice = {n for n in found if n.startswith("Tensor.") and "torch." + n[7:] in found}  # the same function
    return {n: c for n, c in found.items() if n not in twice}


def _called(case: Case, wanted: set[str]) -> str | None:
    """Which of these spellings the case is a call of."""
    path = _path(_call(case))
    if path is None:
        return None
    path = path.removeprefix("torch.") if path.count(".") > 1 else path
    for name in (path, "Tensor." + path.rpartition(".")[2]):
        if name in wanted and (name == path or path.rpartition(".")[0] in case.tensors or path.startswith("x.")):
            return name
    return None


def _call(case: Case) -> ast.Call | None:
    """The call that a case is: its only expression, or the second line of a method in place."""
    body = ast.parse(case.text).body
    at = body[1] if len(body) == 4 and case.text.startswith("x = a.clone()\ny = x.") else body[0]
    if len(body) not in (1, 4) or not isinstance(at, (ast.Expr, ast.Assign)) or not isinstance(at.value, ast.Call):
        return None
    return at.value


def _path(call: ast.Call | None) -> str | None:
    if call is None or not isinstance(call.func, ast.Attribute):
        return None
    text = ast.unparse(call.func)
    return text if text.replace(".", "").replace("_", "").isalnum() else None


def _family_of(spelled: str) -> str:
    return next(g.family for g in GROUPS.values() if spelled in g.names)


def _spoilt(case: Case) -> Iterator[Case]:
    """The call with each argument spoilt, by each kind of mistake."""
    tensors = {n: t._replace(grad=False) for n, t in case.tensors.items()}
    call = _call(case)
    assert call is not None
    for n, t in tensors.items():
        for other in (*TENSORS.values(), T("float32", t.shape, t.values) if t.dtype == "float64" else t, _larger(t)):
            if other != t:
                yield Case(case.text, {**tensors, n: other})
    source = _simple(case, call)
    for edited in _edits(source):
        yield Case(edited, tensors if "z" not in edited else {**tensors, "z": scalar(1.5, grad=False)})


def _larger(t: T) -> T:
    """The tensor with one more in its last dimension."""
    shape = (*t.shape[:-1], t.shape[-1] + 1) if t.shape else (2,)
    return filled(shape, *t.values, dtype=t.dtype, grad=False)


def _simple(case: Case, call: ast.Call) -> str:
    """The call as the whole program; a method in place on a copy."""
    text = ast.unparse(call)
    return text if case.text.count("\n") == 0 else "a.clone()" + text[1:]


def _edits(source: str) -> Iterator[str]:
    whole = ast.parse(source, mode="eval")
    assert isinstance(whole.body, ast.Call)
    call = whole.body
    for i, argument in enumerate(call.args):
        for odd in ODD:
            call.args[i] = ast.parse(odd, mode="eval").body
            yield ast.unparse(whole)
        call.args[i] = argument
    for keyword in call.keywords:
        value = keyword.value
        for odd in ODD:
            keyword.value = ast.parse(odd, mode="eval").body
            yield ast.unparse(whole)
        keyword.value = value
    if call.args:
        last = call.args.pop()
        yield ast.unparse(whole)
        call.args.append(last)
    for more in ("7", "None"):
        call.args.append(ast.parse(more, mode="eval").body)
        yield ast.unparse(whole)
        call.args.pop()
    call.keywords.append(ast.keyword("bogus", ast.Constant(1)))
    yield ast.unparse(whole)


for _family in ("pointwise", "reductions", "shape", "index", "linalg", "neural", "making"):
    group(f"wrong arguments: {_family}", f"refused_{_family}", "")(partial(refusals, _family))
