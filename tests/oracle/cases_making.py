"""Tensors from nothing, and tensors in another dtype."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.case import Case, T, flags, group, ints, points, program, rand, scalar

DTYPES = (
    "",
    "dtype=torch.float32",
    "dtype=torch.int64",
    "dtype=torch.bool",
    "dtype=torch.float64",
    "dtype=None",
    "dtype='float'",
)


def _texts(name: str, names: str, *texts: str) -> None:
    """Register a group of programs without tensors."""

    def generate() -> Iterator[Case]:
        for text in texts:
            yield program(text)

    group(name, "making", names)(generate)


def _with(call: str, *options: str) -> tuple[str, ...]:
    """The call with each further argument: `_with("torch.zeros(2)", "", "dtype=...")`."""
    return tuple(f"{call[:-1]}, {o})" if o else call for o in options)


_texts(
    "tensor", "torch.tensor torch.as_tensor",
    *(f"torch.tensor({v})" for v in (
        "1", "1.5", "True", "[1, 2]", "[1.0, 2]", "[True, False]", "[True, 2]", "[True, 2.5]", "[[1, 2], [3, 4]]", "[[1, 2], [3]]", "[]", "[[]]", "[[], []]",
        "'a'", "None", "[1, 'a']", "[None]", "(1, 2)", "[(1, 2), (3, 4)]", "inf", "nan", "[nan, 1]", "1e400", "2**62", "2**63", "2**64", "-2**63", "[1, [2]]",
        "[[1, 2], 3]", "range(3)", "{1: 2}", "[[[1.0]]]", "1, requires_grad=True", "1.0, requires_grad=True", "[1.5], requires_grad=True",
        "[1, 2], requires_grad=True", "[], requires_grad=True", "0.1, dtype=torch.float32", "[1.9, -1.9], dtype=torch.int64", "[0, 2], dtype=torch.bool",
        "[1, 2], dtype=torch.float32, requires_grad=True", "3.7, dtype=torch.int64", "[1, 2], dtype=torch.int64, requires_grad=True", "-0.0", "1_000",
        "[[1], [2.5]]", "data=[1.0]", "torch.tensor(2.0)", "torch.tensor([1, 2])", "[torch.tensor(1.0), torch.tensor(2.0)]", "[torch.tensor(1), 2.5]",
        "[torch.tensor([1.0]), torch.tensor([2.0])]", "", "1, 2", "1.5, nonsense=3",
    )),
    *(f"torch.as_tensor({v})" for v in ("1", "[1.5, 2]", "[1, 2], dtype=torch.float64", "torch.ones(2)")),
    "x = torch.ones(2)\ntorch.as_tensor(x) is x", "x = torch.ones(2)\ny = torch.tensor(x)\ny is x",
    "torch.tensor([1.0, 2.0], requires_grad=True) * 2", "torch.tensor(3.0).item()", "torch.tensor([1.0, 2.0]).tolist()", "torch.tensor([[1, 2]]).tolist()",
    "torch.tensor(True).item()", "torch.tensor([1, 2]).item()", "torch.tensor([]).item()", "torch.tensor([[3.0]]).item()", "torch.tensor(2).tolist()",
)  # fmt: skip
for _name, _ in (("zeros", 0), ("ones", 1), ("empty", None)):
    _tail = ".shape" if _name == "empty" else ""
    _texts(
        _name,
        f"torch.{_name}",
        *(
            f"torch.{_name}({v}){_tail}"
            for v in (
                "2",
                "2, 3",
                "(2, 3)",
                "[2, 3]",
                "()",
                "0",
                "2, 0",
                "-1",
                "2.0",
                "size=(2,)",
                "'a'",
                "",
                "torch.tensor(2)",
                "(2, -1)",
                "[[2]]",
            )
        ),
        *(t + _tail for t in _with(f"torch.{_name}(2)", *DTYPES, "requires_grad=True")),
        *(f"torch.{_name}(2, 3, {o}).dtype" for o in DTYPES),
    )
_texts(
    "full", "torch.full",
    *(f"torch.full({v})" for v in ("(2,), 1.5", "(2, 3), 2", "(), True", "[2], nan", "(2,), 'a'", "2, 1.0", "(2,)", "(2,), fill_value=3.5", "size=(1, 2), fill_value=0",
                                   "(2,), torch.tensor(1.5)", "(2,), 1.5, dtype=torch.int64", "(2,), 1, dtype=torch.float32", "(2,), 1.5, requires_grad=True", "(0,), 1.0",
                                   "(2,), 1, requires_grad=True", "(-1,), 1.0")),
)  # fmt: skip
_texts(
    "eye",
    "torch.eye",
    *(
        f"torch.eye({v})"
        for v in (
            "3",
            "2, 3",
            "3, 2",
            "0",
            "-1",
            "2, m=1",
            "n=2",
            "2.0",
            "2, dtype=torch.int64",
            "2, dtype=torch.float32",
            "2, requires_grad=True",
            "1, 0",
        )
    ),
)
_texts(
    "arange", "torch.arange",
    *(f"torch.arange({v})" for v in ("5", "5.0", "2, 5", "2, 5.5", "0, 1, 0.25", "5, 0, -2", "0, 5, -1", "5, 2", "0", "1, 1", "0, 10, 3", "end=4", "start=1, end=4", "1, 4, step=2", "0, 1, 0",
                                     "-3, 3", "2.5", "True", "'a'", "0, 1, 0.1", "1, 2, 0.3", "inf", "nan", "3, dtype=torch.float64", "3, dtype=torch.float32", "3.7, dtype=torch.int64",
                                     "3, requires_grad=True", "3.0, requires_grad=True", "0, 3, 1, dtype=torch.float64, requires_grad=True", "torch.tensor(3)", "0.0, 0.3, 0.1", "10, 0, -0.5")),
)  # fmt: skip
_texts(
    "linspace", "torch.linspace torch.logspace",
    *(f"torch.{n}({v})" for n in ("linspace", "logspace") for v in (
        "0, 1, 5", "0, 1, 1", "0, 1, 0", "1, 0, 3", "-1.5, 2.5, 7", "0, 1", "0, 1, -1", "start=0, end=2, steps=3", "0, 10, steps=4", "0, 1, 5, dtype=torch.float32", "0, 3, 4, dtype=torch.int64",
        "0, 1, 3, requires_grad=True", "2, 2, 3", "0, 0.3, 4", "0, 1, 2.0", "-2, 2, 50", "torch.tensor(0.0), 1, 3", "0, 1, 11")),
    "torch.logspace(0, 2, 3, base=2)", "torch.logspace(0, 2, 3, 2.0)", "torch.logspace(-3, 3, 7, base=10.0)", "torch.logspace(0, 1, 3, base=0.5)", "torch.logspace(0, 3, 4, base=-2.0)",
)  # fmt: skip


@group("zeros_like", "making", "torch.zeros_like torch.ones_like torch.full_like torch.empty_like")
def _likes() -> Iterator[Case]:
    for a in (rand(2, 3), scalar(1.0), ints(1, 2), flags(1), rand(2, dtype="float32"), rand(0)):
        for name, rest in (
            ("zeros_like", ""),
            ("ones_like", ""),
            ("full_like", ", 2.5"),
            ("full_like", ", 2"),
            ("full_like", ", True"),
        ):
            for option in ("", *DTYPES[:4], "requires_grad=True"):
                yield program(f"torch.{name}(a{rest}{', ' if option else ''}{option})", a)
        yield program("torch.empty_like(a).shape", a)
        yield program("torch.full_like(a, fill_value=1)", a)
    yield program("torch.zeros_like(2.0)")
    yield program("torch.zeros_like([1.0])")
    yield program("torch.full_like(a)", rand(2))
    yield program("torch.ones_like(input=a)", rand(2))


@group("new_zeros", "making", "Tensor.new_zeros Tensor.new_ones Tensor.new_full Tensor.new_tensor")
def _news() -> Iterator[Case]:
    for a in (rand(2), ints(1), rand(1, dtype="float32")):
        for text in (
            "new_zeros(3)",
            "new_zeros((2, 3))",
            "new_ones(2, dtype=torch.int64)",
            "new_full((2,), 1.5)",
            "new_tensor([1, 2])",
            "new_tensor(2.5)",
        ):
            yield program(f"a.{text}", a)


@group(
    "to",
    "making",
    "Tensor.to Tensor.float Tensor.double Tensor.long Tensor.int Tensor.bool Tensor.type Tensor.type_as Tensor.cpu Tensor.half",
)
def _to() -> Iterator[Case]:
    samples = (
        rand(2, 3),
        scalar(1.5),
        points(-1.5, 0.0, 2.7),
        ints(0, 1, -2),
        flags(1, 0),
        rand(2, dtype="float32"),
        scalar(0.1, dtype="float32"),
        T("int64", (), (3,)),
    )
    for a in samples:
        for text in ("to(torch.float32)", "to(torch.float64)", "to(torch.int64)", "to(torch.bool)", "to(dtype=torch.float32)", "to('cpu')", "to('cpu', torch.float32)", "to(b)", "to(torch.float64, copy=True)",
                     "float()", "double()", "long()", "bool()", "cpu()", "type(torch.float32)", "type_as(b)", "type()", "to()", "int().dtype"):  # fmt: skip
            yield program(f"a.{text}", a, rand(1, dtype="float32"))
        yield program("a.to(torch.float64) is a", a)
        yield program("a.float().double().float()", a)
        yield program("(a.double() * 2).float()", a)
    yield program("a.long() + a", rand(2))


@group("zero_", "making", "Tensor.zero_ Tensor.fill_ Tensor.copy_")
def _fills() -> Iterator[Case]:
    for a in (rand(3), scalar(2.0), ints(1, 2, 3)):
        for text in ("x.zero_()", "x.fill_(2.5)", "x.fill_(3)", "x.fill_(b[0])", "x.fill_(b.sum())", "x.copy_(b)", "x.copy_(b[0])", "x.copy_(torch.ones(1))", "x.copy_(torch.tensor([1, 2, 3]))", "x.copy_(2.0)",
                     "x.fill_('a')", "x.fill_(torch.ones(2))", "x.copy_(torch.ones(2, 3))"):  # fmt: skip
            if a.dtype == "int64" and "b" in text.partition("(")[2]:
                continue  # PyTorch lets an integer tensor require a gradient then
            yield program(f"x = a * 1\ny = {text}\n(x, y is x)", a, rand(3, seed=2))
            yield program(f"x = a.clone().detach()\ny = {text}\n(x, y is x)", a, rand(3, seed=2))
            yield program(f"x = a\n{text}", a, rand(3, seed=2))
    yield program("x = a * 1\ny = x * x\nx.zero_()\ny", rand(3))
    yield program("x = a * 1\nx[1:].zero_()\nx", rand(3))
    yield program("x = a * 1\nx[1:].copy_(b)\nx", rand(3), rand(2))
    yield program("x = torch.zeros(2, 3)\nx.copy_(a)\nx", rand(3))
    yield program("x = torch.zeros(2, 3)\nx[0].copy_(a)\nx", rand(3))
    yield program("x = torch.zeros(3, dtype=torch.float32)\nx.copy_(a)\nx", rand(3))


_texts(
    "rand", "torch.rand torch.randn torch.rand_like torch.randn_like torch.randint torch.normal torch.manual_seed torch.randperm torch.bernoulli",
    *(f"torch.{n}({v}).shape" for n in ("rand", "randn") for v in ("2", "2, 3", "(2, 3)", "()", "", "0", "-1", "2.0", "size=(2,)")),
    *(f"torch.{n}(2, {o}).dtype" for n in ("rand", "randn") for o in DTYPES),
    *(f"torch.{n}(2, requires_grad=True).requires_grad" for n in ("rand", "randn")),
    *(f"torch.{n}(torch.ones(2, 3)).shape" for n in ("rand_like", "randn_like")),
    *(f"torch.randint({v}).shape" for v in ("5, (2,)", "1, 5, (2, 3)", "low=0, high=3, size=(4,)", "5, 2", "5, 1, (2,)", "5, 5, (2,)", "5", "high=3, size=(2,)")),
    "torch.randint(5, (2,)).dtype", "torch.randint(5, (2,), dtype=torch.float64).dtype", "x = torch.randint(2, 5, (100,))\nbool((x >= 2).all() and (x < 5).all())",
    "x = torch.rand(200)\nbool((x >= 0).all() and (x < 1).all() and x.max() > x.min())", "x = torch.randn(2000)\nbool(x.mean().abs() < 0.2 and (x.std() - 1).abs() < 0.2)",
    *(f"torch.normal({v}).shape" for v in ("0.0, 1.0, (2, 3)", "torch.zeros(3), torch.ones(3)", "torch.zeros(3), 1.0", "0.0, torch.ones(2)", "mean=0.0, std=1.0, size=(2,)", "0.0, -1.0, (2,)", "0.0, 1.0", "torch.zeros(3)", "torch.zeros(2), torch.ones(3)")),
    "torch.manual_seed(0)\nx = torch.rand(3)\ntorch.manual_seed(0)\nbool((x == torch.rand(3)).all())", "torch.manual_seed(0)\nx = torch.rand(3)\nbool((x == torch.rand(3)).all())",
    "torch.manual_seed(1)\nx = torch.randn(3)\ntorch.manual_seed(2)\nbool((x == torch.randn(3)).all())", "torch.manual_seed('a')", "torch.manual_seed(1.5)\n0",
    "torch.randperm(5).sort().values", "torch.randperm(3).dtype", "torch.bernoulli(torch.ones(3))", "torch.bernoulli(torch.zeros(3))",
    "x = torch.zeros(1000)\nx.uniform_(2, 3)\nbool((x >= 2).all() and (x < 3).all())", "x = torch.zeros(3)\nx.normal_() is x", "torch.zeros(3).normal_(5.0, 0.0)",
)  # fmt: skip
_texts(
    "dtypes", "",
    *(f"torch.{d}" for d in ("float32", "float64", "int64", "bool", "float", "double", "long")),
    "torch.float32 == torch.float", "torch.float64 is torch.double", "torch.ones(2).dtype == torch.float64", "torch.float64.is_floating_point", "torch.int64.is_floating_point",
    "torch.ones(2).dtype", "torch.ones(2).shape", "torch.ones(2, 3).shape[1]", "torch.pi", "torch.inf", "torch.nan", "torch.e",
    "torch.finfo(torch.float64).eps", "torch.finfo(torch.float32).max", "torch.iinfo(torch.int64).max", "torch.promote_types(torch.int64, torch.float32)", "torch.result_type(torch.ones(2), 1)",
)  # fmt: skip
