"""Products of vectors and matrices, and einsum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import chain, check, gradient, leaf, names_in, torch, values

from autodiff_cli.engine.ops.products import best_order
from autodiff_cli.errors import IndexFault, LimitFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

linalg = names_in("linalg")
RNG = np.random.RandomState(5)


def arrays(*shapes: tuple[int, ...]) -> list[Any]:
    return [RNG.uniform(-2.0, 2.0, s) for s in shapes]


RANKS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((5, 2, 3), (3, 4)),
    ((3,), (5, 3, 2)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((5, 2, 3), (1, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((2, 1, 2, 3), (3, 3, 2)),
    ((2, 0), (0, 3)),
    ((0, 2, 3), (3, 4)),
]


@pytest.mark.parametrize(("a", "b"), RANKS)
def test_matmul_of_all_ranks(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    x, y = arrays(a, b)
    assert np.allclose((leaf(x) @ leaf(y)).value, x @ y)
    if x.size and y.size:
        check(lambda p, q: p @ q, x, y)


@pytest.mark.parametrize(
    ("a", "b", "nodes"),
    [
        ((3,), (3,), "DotBackward0(x,x)"),
        ((2, 3), (3,), "MvBackward0(x,x)"),
        ((3,), (3, 2), "SqueezeBackward4(MmBackward0(UnsqueezeBackward0(x),x))"),
        ((2, 3), (3, 4), "MmBackward0(x,x)"),
        ((5, 2, 3), (3, 4), "UnsafeViewBackward0(MmBackward0(ViewBackward0(x),x))"),
        (
            (5, 2, 3),
            (5, 3, 4),
            "UnsafeViewBackward0(BmmBackward0(ViewBackward0(ExpandBackward0(x)),ViewBackward0(ExpandBackward0(x))))",
        ),
    ],
)
def test_matmul_leaves_pytorchs_nodes(a: tuple[int, ...], b: tuple[int, ...], nodes: str) -> None:
    assert chain(leaf(np.ones(a)) @ leaf(np.ones(b))) == nodes


def test_matmul_of_whole_numbers_is_whole() -> None:
    y = torch.tensor([[1, 2], [3, 4]]) @ torch.tensor([1, 1])
    assert values(y) == [3, 7] and y.dtype.name == "int64"


def test_matmul_folds_or_expands_as_what_requires_a_gradient_says() -> None:
    batch, matrix = np.ones((5, 3, 4)), np.ones((2, 3))
    assert chain(leaf(matrix) @ leaf(batch).detach()).startswith("CloneBackward0(TransposeBackward0(UnsafeView")
    assert chain(leaf(matrix).detach() @ leaf(batch)).startswith("UnsafeViewBackward0(BmmBackward0(-,")


PRODUCTS: list[tuple[Any, tuple[tuple[int, ...], ...]]] = [
    (torch.mm, ((2, 3), (3, 2))),
    (torch.bmm, ((2, 2, 3), (2, 3, 2))),
    (torch.mv, ((2, 3), (3,))),
    (torch.dot, ((3,), (3,))),
    (torch.vdot, ((3,), (3,))),
    (torch.outer, ((3,), (2,))),
    (torch.inner, ((2, 3), (4, 3))),
    (torch.inner, ((3,), (3,))),
    (torch.inner, ((), (2, 3))),
    (torch.kron, ((2, 2), (1, 3))),
    (torch.kron, ((2,), (3, 2))),
    (torch.tensordot, ((2, 3, 2), (3, 2, 2))),
    (lambda a, b: torch.tensordot(a, b, dims=([0, 2], [1, 0])), ((2, 3, 4), (4, 2))),
    (lambda a, b: torch.tensordot(a, b, 0), ((2,), (3,))),
    (lambda a, b: torch.tensordot(a, b, 1), ((2, 1), (3, 2))),
    (torch.cross, ((2, 3), (2, 3))),
    (linalg.cross, ((1, 3), (2, 3))),
    (lambda a, b: linalg.cross(a, b, dim=0), ((3, 2), (3, 1))),
    (linalg.vecdot, ((2, 3), (3,))),
    (lambda a, b: linalg.vecdot(a, b, dim=0), ((2, 3), (2, 3))),
    (lambda *ts: linalg.multi_dot(ts), ((3,), (3, 4), (4, 2), (2,))),
    (torch.chain_matmul, ((2, 3), (3, 4), (4, 2))),
    (lambda i, a, b: torch.addmm(i, a, b, beta=2, alpha=0.5), ((2,), (2, 3), (3, 2))),
    (torch.addmv, ((), (2, 3), (3,))),
    (torch.addr, ((2, 3), (2,), (3,))),
    (torch.addbmm, ((2, 2), (3, 2, 3), (3, 3, 2))),
    (torch.baddbmm, ((2, 2), (3, 2, 3), (3, 3, 2))),
    (torch.trace, ((2, 3),)),
]


@pytest.mark.parametrize(("f", "shapes"), PRODUCTS)
def test_derivatives_of_products(f: Any, shapes: tuple[tuple[int, ...], ...]) -> None:
    check(f, *arrays(*shapes))


def test_values_of_products() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    assert np.allclose(torch.tensordot(leaf(a), leaf(b), 1).value, a @ b)
    assert np.allclose(torch.kron(leaf(a), leaf(b)).value, np.kron(a, b))
    assert values(torch.cross(leaf([1.0, 0.0, 0.0]), leaf([0.0, 1.0, 0.0]))) == [0.0, 0.0, 1.0]
    assert torch.trace(leaf(a)).item() == 4.0
    assert values(torch.addmm(leaf([1.0]), leaf(a), leaf(a.T))) == (a @ a.T + 1.0).tolist()


def test_beta_zero_ignores_even_nan() -> None:
    nan = leaf([float("nan")] * 2)
    assert values(torch.addmv(nan, leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([1.0, 1.0]), beta=0)) == [3.0, 7.0]


def test_the_cheapest_order_of_a_chain() -> None:
    # the example of Cormen et al., 15.2: 15,125 multiplications with the first split after the third matrix
    split = best_order([30, 35, 15, 5, 10, 20, 25])
    assert split[0, 5] == 2 and split[0, 2] == 0 and split[3, 5] == 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: leaf([1.0, 2.0]) @ leaf([1.0, 2.0, 3.0]),
        lambda: leaf(np.ones((2, 3))) @ leaf(np.ones((2, 3))),
        lambda: leaf(np.ones((2, 2, 3))) @ leaf(np.ones((3, 3, 2))),
        lambda: leaf(1.0) @ leaf([1.0]),
        lambda: torch.mm(leaf(np.ones(2)), leaf(np.ones((2, 2)))),
        lambda: torch.bmm(leaf(np.ones((2, 2, 2))), leaf(np.ones((3, 2, 2)))),
        lambda: torch.mm(torch.tensor([[1]]), leaf([[1.0]])),
        lambda: torch.dot(leaf([1.0]), torch.tensor([1.0]).float()),
        lambda: torch.outer(leaf([[1.0]]), leaf([1.0])),
        lambda: torch.trace(leaf([1.0])),
        lambda: torch.cross(leaf([1.0, 2.0]), leaf([1.0, 2.0])),
        lambda: torch.tensordot(leaf(np.ones((2, 3))), leaf(np.ones((2, 3))), 1),
        lambda: linalg.multi_dot([leaf([1.0])]),
        lambda: linalg.multi_dot([leaf(np.ones((2, 3))), leaf(np.ones(3)), leaf(np.ones((3, 2)))]),
        lambda: torch.addmm(leaf(np.ones(3)), leaf(np.ones((2, 3))), leaf(np.ones((3, 2)))),
        lambda: linalg.vecdot(torch.tensor([1]), torch.tensor([1])),
    ],
)
def test_shapes_and_dtypes_that_do_not_go_together(call: Any) -> None:
    with pytest.raises(RuntimeFault):
        call()


def test_other_refusals() -> None:
    with pytest.raises(RuntimeFault, match=r"\(2, 3\) and \(4,\)"):
        leaf(np.ones((2, 3))) @ leaf(np.ones(4))
    with pytest.raises(NotImplementedFault):
        torch.mm(torch.tensor([[True]]), torch.tensor([[True]]))
    with pytest.raises(TypeFault):
        torch.matmul(leaf([1.0]), 2.0)
    with pytest.raises(TypeError, match="unsupported operand"):
        leaf([1.0]) @ 2.0
    with pytest.raises(IndexFault):
        torch.cross(leaf(np.ones((3, 3))), leaf(np.ones((3, 3))), dim=4)
    with pytest.raises(LimitFault):
        torch.outer(leaf(np.ones(20000)), leaf(np.ones(20000)))


# --- einsum -----------------------------------------------------------------------------------------------------

EQUATIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ba", (2, 3)),
    ("ii->", (3, 3)),
    ("ii->i", (3, 3)),
    ("iij->j", (3, 3, 2)),
    ("ij->j", (2, 3)),
    ("ij,kl->ik", (2, 3), (4, 2)),
    ("i,ij,j->", (2,), (2, 3), (3,)),
    ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
    ("...ij,...jk->...ik", (2, 1, 2, 3), (3, 3, 2)),
    ("...i,...i->...", (2, 3), (3,)),
    ("ii,i->i", (3, 3), (3,)),
    ("ijij->ij", (2, 3, 2, 3)),
    ("ij,ij->", (3, 1), (1, 4)),
    ("i,j,k->ki", (2,), (3,), (2,)),
    (" i j , j -> i ", (2, 3), (3,)),
]


@pytest.mark.parametrize("case", EQUATIONS, ids=lambda c: c[0])
def test_einsum(case: Any) -> None:
    equation, *shapes = case
    data = arrays(*shapes)
    if not equation.startswith("ij,ij->"):  # numpy does not spread a size of 1
        assert np.allclose(torch.einsum(equation, *map(leaf, data)).value, np.einsum(equation, *data))
    check(lambda *ts: torch.einsum(equation, *ts), *data)


def test_einsum_third_derivative() -> None:
    check(lambda a: torch.einsum("ij,jk,kl->il", a, a, a), RNG.uniform(-1.0, 1.0, (2, 2)), order=3)


def test_einsum_with_lists_of_subscripts() -> None:
    a, b = arrays((2, 3), (3, 4))
    y = torch.einsum(leaf(a), [0, 1], leaf(b), [1, 2], [2, 0])
    assert np.allclose(y.value, (a @ b).T)
    assert np.allclose(torch.einsum(leaf(a), [..., 1], leaf(b), [1, 2]).value, a @ b)


@pytest.mark.parametrize(
    ("equation", "name"),
    [
        ("ij->ji", "PermuteBackward0"),
        ("ij->", "SumBackward1"),
        ("ij,ij->ij", "MulBackward0"),
        ("ij,ij->i", "ViewBackward0"),
    ],
)
def test_einsum_is_one_node_under_pytorchs_last_name(equation: str, name: str) -> None:
    a = leaf(np.ones((2, 3)))
    assert chain(torch.einsum(equation, *[a] * (equation.count(",") + 1))).split("(")[0] == name


@pytest.mark.parametrize(
    ("equation", "shapes", "words"),
    [
        ("ij,jk->ik", ((2, 3), (4, 4)), "size 4"),
        ("ij->ix", ((2, 3),), "no operand"),
        ("ij->ii", ((2, 3),), "twice"),
        ("ijk->i", ((2, 3),), "3 subscripts"),
        ("ii", ((2, 3),), "sizes 2 and 3"),
        ("i,j", ((2,),), "fewer operands"),
        ("i", ((2,), (3,)), "more operands"),
        ("i1->i", ((2, 3),), "'1'"),
        ("i.j->", ((2, 3),), "ellipsis"),
    ],
)
def test_einsum_refusals(equation: str, shapes: Any, words: str) -> None:
    with pytest.raises(RuntimeFault, match=words):
        torch.einsum(equation, *[leaf(np.ones(s)) for s in shapes])


def test_einsum_needs_an_equation_and_operands() -> None:
    with pytest.raises(ValueFault):
        torch.einsum("i")
    with pytest.raises(RuntimeFault, match="dtype"):
        torch.einsum("i,i->", torch.tensor([1]), leaf([1.0]))


def test_einsum_of_one_operand_keeps_nothing_for_backward() -> None:
    x = leaf([[1.0, 2.0], [3.0, 4.0]]) * 1
    y = torch.einsum("ij->i", x)
    x.mul_(2)  # does not matter for the sum
    y.sum().backward()
    assert gradient(lambda t: torch.einsum("ij->i", t), [[1.0, 2.0]]) == [[1.0, 1.0]]
