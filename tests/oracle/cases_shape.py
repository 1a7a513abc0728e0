"""Shapes: views and copies, joining and splitting."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.case import Case, T, call, filled, flags, group, ints, points, program, rand, scalar
from oracle.cases_pointwise import spell

CUBE = rand(2, 3, 4)
MATRIX = rand(2, 3)
SAMPLES = (
    scalar(1.5),
    rand(4),
    MATRIX,
    CUBE,
    rand(0),
    rand(2, 0),
    rand(1),
    rand(1, 3, 1),
    ints(1, 2, 3, 4),
    rand(4, dtype="float32"),
)
BOTH = "torch Tensor"


def _each(
    name: str, places: str, *arguments: str, family: str = "shape", aliases: str = "", more: tuple[T, ...] = ()
) -> None:
    """Register a function of one tensor: every sample under every choice of arguments, under every spelling."""
    spellings = (spell(name, places) + " " + aliases).split()

    def generate() -> Iterator[Case]:
        for spelling in spellings:
            few = spelling != spellings[0]
            for text in arguments:
                for a in (CUBE, rand(4), scalar(1.5)) if few else SAMPLES + more:
                    yield program(written(spelling, text), a)
        yield program(written(spellings[0], arguments[0]), flags(1, 0, 1, 1))
        for text in arguments[:2]:
            yield program(
                f"x = a * 1\ny = {written(spellings[0], text).replace('(a', '(x').replace('a.', 'x.')}\nx.add_(1)\ny",
                CUBE,
            )
            yield program(
                f"x = a * 1\ny = {written(spellings[0], text).replace('(a', '(x').replace('a.', 'x.')}\ny.mul_(2)\nx",
                CUBE,
            )

    group(name, family, " ".join(spellings))(generate)


def written(spelling: str, arguments: str) -> str:
    """A call of a spelling on `a` with arguments as text."""
    place, _, name = spelling.rpartition(".")
    if place == "Tensor":
        if name.endswith("_"):
            return f"x = a.clone()\nassert x.{name}({arguments}) is x\nx"
        return f"a.{name}({arguments})"
    module = {"torch": "torch", "F": "F"}.get(place, f"torch.{place}")
    return f"{module}.{name}(a, {arguments})" if arguments else f"{module}.{name}(a)"


_each(
    "reshape",
    BOTH,
    "(-1,)",
    "(4, -1)",
    "(2, 2)",
    "(1, -1, 1)",
    "()",
    "(-1, -1)",
    "(3, 5)",
    "[2, 12]",
    "(-2,)",
    "shape=(-1,)",
    "(0, 2)",
)
_each("view", "Tensor", "-1", "(4, -1)", "2, 2", "(1, -1, 1)", "()", "-1, 6", "3, 5", "[2, 12]")
_each("flatten", BOTH, "", "1", "0, 1", "start_dim=1", "0, -2", "-2, -1", "2, 1", "5")
_each("ravel", BOTH, "")
_each("unflatten", BOTH, "0, (2, 2)", "-1, (2, -1)", "0, (3, 3)", "dim=1, sizes=(3, 1)", "0, [2, 1]")
_each(
    "transpose",
    BOTH,
    "0, 1",
    "-1, 0",
    "1, 2",
    "0, 0",
    "0, 3",
    aliases=spell("swapaxes", BOTH) + " " + spell("swapdims", BOTH),
)
_each("t", BOTH, "")
_each(
    "permute",
    "Tensor torch",
    "(2, 0, 1)",
    "(1, 0)",
    "(0,)",
    "()",
    "(0, 0)",
    "(-1, 0, 1)",
    "[1, 0]",
    "dims=(0, 1)",
    "(0, 1, 5)",
)
_each(
    "movedim",
    BOTH,
    "0, 1",
    "0, -1",
    "(0, 1), (1, 0)",
    "0, 3",
    "(0, 0), (0, 1)",
    "(0, 1), (2,)",
    aliases=spell("moveaxis", BOTH),
)
_each("squeeze", "torch Tensor Tensor_", "", "0", "-1", "dim=1", "(0, 2)", "3")
_each("unsqueeze", "torch Tensor Tensor_", "0", "-1", "1", "dim=2", "5", "")
_each(
    "expand",
    "Tensor",
    "2, 3, 4",
    "(2, -1)",
    "-1, 4",
    "4",
    "3, 1, 3, 5",
    "2, 4",
    "(-1,)",
    "()",
    "2, 2, 3, 4",
    "-1, -1, -1, -1",
)
_each("broadcast_to", BOTH, "(2, 3, 4)", "(4,)", "(2, 4)", "(3, 1, 3, 1)", "()", "size=(2, 2, 3, 4)")
_each("repeat", "Tensor", "2", "2, 3", "(2, 1, 3)", "1, 1, 1, 2", "0", "-1", "()")
_each("tile", BOTH, "(2,)", "(2, 3)", "(2, 1, 3)", "()", "dims=(2,)", "(1, 1, 1, 2)", "(0,)")
_each("flip", BOTH, "(0,)", "[0]", "(0, 1)", "(-1,)", "()", "(0, 0)", "(3,)", "dims=(0,)")
_each("fliplr", BOTH, "")
_each("flipud", BOTH, "")
_each(
    "roll",
    BOTH,
    "1",
    "-1, 0",
    "2, -1",
    "(1, 2), (0, 1)",
    "shifts=1, dims=0",
    "(1, 2)",
    "1, 3",
    "5",
    "0, 0",
    "(1, 1), (0, 0)",
)
_each("rot90", BOTH, "", "2", "1, (0, 1)", "-1, [0, -1]", "k=3", "1, (0, 0)")
_each("narrow", BOTH, "0, 0, 1", "-1, 1, 2", "1, 0, 5", "dim=0, start=1, length=1", "0, -1, 1")
_each("select", BOTH, "0, 0", "-1, 1", "1, -1", "0, 9", "dim=0, index=1", "5, 0")
_each("diagonal", "torch Tensor", "", "offset=1", "offset=-1", "offset=9", "dim1=0, dim2=-1", "0, 1, 0", "offset=0")
_each("diag", BOTH, "", "1", "-1", "diagonal=2", "-9", more=(rand(3, 3),))
_each("diag_embed", BOTH, "", "1", "offset=-2", "0, 0, 1", "dim1=0, dim2=2", "0, 0, 0")
_each("tril", "torch Tensor Tensor_", "", "1", "-1", "diagonal=2", "-9", more=(rand(3, 3),))
_each("triu", "torch Tensor Tensor_", "", "1", "-1", "diagonal=2", "9", more=(rand(3, 3),))
_each("unbind", BOTH, "", "0", "-1", "dim=1", "3")
_each("chunk", BOTH, "2", "3, 1", "2, dim=-1", "chunks=5", "0", "1, 3", "-1")
_each("split", BOTH, "1", "2", "3, 1", "[1, 1]", "(1, 2), dim=1", "[1, 3], -1", "4", "0", "[1, 1, 1]", "-1", "2, 3")
_each("tensor_split", BOTH, "2", "(1,)", "3, 1", "[1, 2], dim=-1", "0")
_each("atleast_1d", "torch", "")
_each("atleast_2d", "torch", "")
_each("unfold", "Tensor", "0, 2, 1", "-1, 2, 2", "0, 9, 1")
_each("repeat_interleave", BOTH, "2", "2, 0", "3, dim=-1", "0", "-1")


@group("t and mT", "shape", "")
def _attributes() -> Iterator[Case]:
    for a in SAMPLES:
        for text in (
            "a.T", "a.mT", "a.shape", "a.size()", "a.size(0)", "a.size(-1)", "a.size(dim=0)", "a.size(7)", "a.ndim", "a.dim()", "a.numel()",
            "len(a)", "a.dtype", "a.is_leaf", "a.requires_grad", "a.grad", "list(a.shape)", "a.shape[0]", "torch.numel(a)", "a.stride()",
            "a.nelement()", "a.element_size()", "a.is_floating_point()", "torch.is_floating_point(a)", "a.is_contiguous()", "a.H",
            "a.ndimension()", "a.is_complex()", "a.retains_grad",
        ):  # fmt: skip
            yield program(text, a)
    yield program("a.T.T", CUBE)
    yield program("a.mT @ a", CUBE)
    yield program("(a.T == a.t()).all()", MATRIX)


@group("permute(...)", "shape", "")
def _star() -> Iterator[Case]:
    for text in (
        "a.permute(2, 0, 1)", "a.permute(*[2, 0, 1])", "a.reshape(4, 6)", "a.reshape(-1)", "a.view(a.shape[0], -1)", "a.view(a.size())",
        "a.view(6, 4).t()", "a.transpose(0, 1).view(6, 4)", "a.transpose(0, 1).reshape(6, 4)", "a.transpose(0, 1).contiguous().view(6, 4)",
        "a.flip(0)", "a.flip(0, 1)", "torch.flip(a, (0, 2))", "a.tile(2, 1)", "a.squeeze(0).shape", "a.expand(5, -1, -1, -1).sum(0)",
        "a.view(24)", "a.reshape(a.shape)", "a.reshape([24])", "a.roll(1)", "a.roll((1, 1), (0, 1))",
        "a.movedim((0, 1), (-1, -2))", "a.repeat(1, 1, 2)", "a.repeat([1, 1, 2])", "a.unsqueeze(-1).squeeze(-1)", "torch.permute(a, (0, 2, 1))",
        "torch.transpose(a, dim0=0, dim1=2)", "torch.unsqueeze(input=a, dim=0)", "a.view_as(a.transpose(0, 1))", "a.reshape_as(torch.zeros(4, 6))",
        "a.expand_as(torch.zeros(5, 2, 3, 4))", "a.view_as(torch.zeros(24))", "a.squeeze(dim=(0, 1))", "a.broadcast_to(1, 2, 3, 4)",
    ):  # fmt: skip
        yield program(text, CUBE)


@group("view_as", "shape", "Tensor.view_as Tensor.reshape_as Tensor.expand_as")
def _as() -> Iterator[Case]:
    for name in ("view_as", "reshape_as", "expand_as"):
        for a, b in (
            (rand(4), rand(2, 2)),
            (rand(3), rand(2, 3)),
            (scalar(1.0), rand(2)),
            (rand(2, 3), rand(4)),
            (rand(2, 1), rand(2, 3)),
        ):
            yield call(f".{name}", a, b)


JOINED = (
    (rand(2, 3), rand(2, 3, seed=2)),
    (rand(2), rand(3, seed=2), rand(1)),
    (rand(2, 3, 2), rand(2, 1, 2)),
    (rand(0), rand(2)),
    (rand(0), rand(2, 3)),
    (rand(2, 3), rand(3, 3)),
    (scalar(1.0), scalar(2.0)),
    (ints(1, 2), rand(2)),
    (rand(2), rand(2, dtype="float32")),
    (flags(1, 0), ints(2, 3)),
    (rand(2, 3),),
    (),
    (rand(2), rand(2, seed=3, grad=False)),
)


def _join(name: str, dims: tuple[object, ...], aliases: str = "") -> None:
    def generate() -> Iterator[Case]:
        for spelling in (f"torch.{name} " + aliases).split():
            for tensors in JOINED:
                yield call(spelling, list(tensors))
                for dim in dims:
                    yield call(spelling, tuple(tensors), dim=dim)
            yield call(spelling, rand(2, 3))
        yield program(f"torch.{name}([a, a, b])", rand(2), rand(2, seed=2))
        yield program(f"torch.{name}([a, 1.0])", rand(2))
        yield program(f"torch.{name}(a, b)", rand(2), rand(2))
        if dims:
            yield program(f"torch.{name}(tensors=[a, b], dim=0)", rand(2), rand(2))
            yield program(f"torch.{name}([a, b], 0)", rand(2), rand(2))
            yield program(f"x = a * 1\ny = torch.{name}([x, b])\nx.add_(1)\ny", rand(2), rand(2))

    group(name, "shape", f"torch.{name} {aliases}")(generate)


_join("cat", (0, 1, -1, 3), "torch.concat torch.concatenate")
_join("stack", (0, 1, -1, 2, 4))
_join("hstack", ())
_join("vstack", (), "torch.row_stack")
_join("dstack", ())
_join("column_stack", ())


@group("meshgrid", "shape", "torch.meshgrid")
def _meshgrid() -> Iterator[Case]:
    for indexing in ("ij", "xy", "no"):
        yield call("torch.meshgrid", rand(3), rand(2), indexing=indexing)
        yield call("torch.meshgrid", [rand(3), rand(2), rand(4)], indexing=indexing)
        yield call("torch.meshgrid", rand(3), indexing=indexing)
        yield call("torch.meshgrid", scalar(1.0), rand(2), indexing=indexing)
        yield call("torch.meshgrid", ints(1, 2), ints(3, 4, 5), indexing=indexing)
    yield call("torch.meshgrid", rand(3), rand(2))
    yield call("torch.meshgrid", rand(3), rand(2, 2))


@group("broadcast_tensors", "shape", "torch.broadcast_tensors")
def _broadcast_tensors() -> Iterator[Case]:
    yield call("torch.broadcast_tensors", rand(3), rand(2, 1))
    yield call("torch.broadcast_tensors", scalar(1.0), rand(2, 1), rand(2))
    yield call("torch.broadcast_tensors", rand(2), rand(3))


@group("pad", "shape", "F.pad")
def _pad() -> Iterator[Case]:
    for pads in ((1, 2), (0, 0), (1, 1, 2, 0), (-1, 1), (1, 2, 0, 1, 2, 0), (1,), (-1, -1), (0, 0, -1, 0), ()):
        for a in (rand(4), rand(2, 3), CUBE, ints(1, 2, 3), rand(3, dtype="float32")):
            yield call("F.pad", a, pads)
            yield call("F.pad", a, list(pads), value=1.5)
    for mode in ("reflect", "replicate", "circular", "constant", "other"):
        yield call("F.pad", rand(2, 5), (2, 1), mode=mode)
        yield call("F.pad", rand(1, 2, 5), (2, 1), mode=mode)
        yield call("F.pad", rand(1, 2, 4, 5), (2, 1, 1, 0), mode=mode)
        yield call("F.pad", rand(1, 2, 5), (7, 1), mode=mode)
    yield call("F.pad", rand(3), (1, 1), "constant", -1.0)


@group("one_hot", "shape", "F.one_hot")
def _one_hot() -> Iterator[Case]:
    for a in (
        ints(0, 2, 1),
        T("int64", (2, 2), (0, 1, 2, 3)),
        T("int64", (), (2,)),
        T("int64", (0,), ()),
        ints(-1, 0),
        rand(2),
        flags(1, 0),
    ):
        yield call("F.one_hot", a)
        yield call("F.one_hot", a, 5)
        yield call("F.one_hot", a, num_classes=2)


@group("small makers", "shape", "torch.tril_indices torch.triu_indices torch.cartesian_prod torch.combinations")
def _makers() -> Iterator[Case]:
    for text in ("3, 3", "2, 4, 1", "3, 2, offset=-1", "0, 2"):
        yield program(f"torch.tril_indices({text})")
        yield program(f"torch.triu_indices({text})")
    yield call("torch.cartesian_prod", rand(2), rand(3))
    yield call("torch.combinations", rand(4))


@group("views_share_memory", "shape", "")
def _sharing() -> Iterator[Case]:
    """A change through a view, and of its base, with gradients."""
    for view in (
        "x.view(6)", "x.reshape(3, 2)", "x.transpose(0, 1)", "x.t()", "x.T", "x.permute(1, 0)", "x[0]", "x[:, 1]", "x[::1, 1:]", "x[..., None]", "x.flatten()",
        "x.unsqueeze(0)", "x.squeeze()", "x.expand(4, 2, 3)[0]", "x.narrow(1, 0, 2)", "x.select(0, 1)", "x.diagonal()", "x.unbind(0)[1]",
        "x.chunk(2, 1)[0]", "x.split(1)[1]", "x.detach()", "x.data", "x.movedim(0, 1)", "x.swapaxes(0, 1)", "x.view_as(x)", "x.ravel()", "x.mT", "x[0, 1]",
        "x[[0, 1]]", "x.clone()", "x.flip(0)", "x.roll(1, 0)", "x.contiguous()", "x.transpose(0, 1).reshape(6)", "x.unflatten(1, (3, 1))",
        "x.index_select(0, torch.tensor([0]))", "x.repeat(1, 1)", "x.broadcast_to(2, 3)", "x.tril()", "x.double()", "x.float()", "x.to(torch.float64)",
    ):  # fmt: skip
        yield program(f"x = a * 1\nv = {view}\nv.mul_(3)\n(x, v)", MATRIX)
        yield program(f"x = a * 1\nv = {view}\nx.mul_(3)\n(x, v)", MATRIX)
        yield program(f"x = a * 1\nv = {view}\nx.mul_(b)\nv.add_(1)\nx * v.sum()", MATRIX, rand(2, 3, seed=5))
        yield program(f"x = a\nv = {view}\nv.mul_(3)\nv", MATRIX)
        yield program(f"x = a * 1\ny = x * x\nv = {view}\nv.mul_(3)\ny", MATRIX)
        yield program(f"x = a.detach()\nv = {view}\nv.mul_(b)\nx", MATRIX, scalar(2.0))
        yield program(f"x = a * 1\nv = {view}\n(v.is_leaf, v.requires_grad, v.grad_fn is None)", MATRIX)


_ = filled, points
