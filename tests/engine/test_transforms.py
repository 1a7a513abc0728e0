"""torch.func: gradients, products, Jacobians, and functions over batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import leaf, names_in, torch, values

from autodiff_cli.engine import autograd
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.pytree import LEAF, flatten, spread, unflatten
from autodiff_cli.engine.random import default_generator
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import IndexFault, LimitFault, RuntimeFault, ValueFault

func = names_in("func")
grad, vjp, jvp, vmap = func.grad, func.vjp, func.jvp, func.vmap
jacrev, jacfwd, hessian = func.jacrev, func.jacfwd, func.hessian
M = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def number(x: float) -> Tensor:
    return wrap(x)


def array(x: Any) -> Tensor:
    return wrap(np.array(x, dtype=float))


def name(t: Tensor) -> str | None:
    return None if t.grad_fn is None else t.grad_fn.name()


def told(t: Any) -> str:
    return repr(t).replace("\n", "").replace("        ", " ")


# --- grad ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", range(6))
def test_grad_of_grad(depth: int) -> None:
    f: Any = torch.sin
    for _ in range(depth):
        f = grad(f)
    expected = [np.sin, np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x)][depth % 4](0.7)
    assert f(number(0.7)).item() == pytest.approx(expected, rel=1e-15)


def test_a_result_is_on_a_graph_where_someone_outside_can_differentiate_it() -> None:
    x, w = leaf(2.0), leaf(3.0)
    assert told(grad(lambda x: x**2)(number(2.0))) == "tensor(4.)"
    assert told(grad(lambda x: x**2)(x)) == "tensor(4., grad_fn=<MulBackward0>)"
    assert told(grad(lambda x: 3 * x)(x)) == "tensor(3.)"
    assert told(grad(lambda x: w * x**2)(number(2.0))) == "tensor(12., grad_fn=<MulBackward0>)"
    assert told(grad(lambda x: x**2 + w)(number(2.0))) == "tensor(4.)"
    with tape.grad_mode(False):
        assert told(grad(lambda x: x**2)(x)) == "tensor(4.)"
    grad(lambda x: w * x**3)(x).backward()
    assert x.grad is not None and x.grad.item() == 36.0 and w.grad is not None and w.grad.item() == 12.0


def test_grad_leaves_the_arguments_alone() -> None:
    x = leaf([1.0, 2.0])
    grad(lambda x: (x * x).sum())(x)
    assert x.grad is None and x.is_leaf
    y = array([1.0])
    grad(lambda x: x.sum())(y)
    assert not y.requires_grad


def test_inside_the_argument_is_a_leaf() -> None:
    seen = []

    def f(x: Tensor) -> Tensor:
        seen.append((x.requires_grad, x.is_leaf, x.grad_fn))
        return x * 1

    grad(f)(leaf(2.0))
    assert seen == [(True, True, None)]
    with pytest.raises(RuntimeFault, match="in place"):
        grad(lambda x: x.mul_(2))(leaf(2.0))


def test_no_confusion_of_levels() -> None:
    # d/dx x * d/dy (x + y) = 1, not 2 (Siskind and Pearlmutter's example)
    assert grad(lambda x: x * grad(lambda y: x + y)(number(1.0)))(number(1.0)).item() == 1.0
    assert grad(lambda x: grad(lambda y: x * y)(x))(number(3.0)).item() == 1.0
    assert grad(lambda x: grad(lambda y: x * x * y)(x))(number(3.0)).item() == 6.0


def test_argnums_and_trees() -> None:
    f = lambda x, y, k=1: (x * y**2 * k).sum()
    assert grad(f, argnums=1)(number(2.0), number(3.0)).item() == 12.0
    assert values(grad(f, argnums=(0, -1))(number(2.0), number(3.0))) == [9.0, 12.0]
    assert values(grad(f, argnums=(0,))(number(2.0), number(3.0), k=2)) == [18.0]
    found = grad(lambda p: (p["a"] * p["b"][0]).sum())({"a": array([1.0, 2.0]), "b": [array([3.0, 4.0])]})
    assert found["a"].tolist() == [3.0, 4.0] and found["b"][0].tolist() == [1.0, 2.0]
    assert grad(lambda x, label: x * len(label))(number(1.0), "abc").item() == 3.0


def test_value_and_aux() -> None:
    g, (value, aux) = func.grad_and_value(lambda x: (x**2, {"twice": x * 2}), has_aux=True)(number(3.0))
    assert (g.item(), value.item(), aux["twice"].item()) == (6.0, 9.0, 6.0)
    assert not aux["twice"].requires_grad and not value.requires_grad
    g, aux = grad(lambda x: (x**2, x * 2), has_aux=True)(leaf(3.0))
    assert name(aux) == "MulBackward0" and name(g) == "MulBackward0"
    assert values(func.grad_and_value(lambda x: x**2)(number(3.0))) == [6.0, 9.0]


def test_no_part_in_the_output_is_zero() -> None:
    assert grad(lambda x: number(1.0) * 2)(number(2.0)).item() == 0.0
    assert values(grad(lambda x, y: x.sum(), argnums=(0, 1))(array([1.0]), array([1.0, 2.0]))) == [[1.0], [0.0, 0.0]]
    assert grad(lambda x: (x > 1).sum())(number(2.0)).item() == 0.0


def test_gradient_mode_inside() -> None:
    def half(x: Tensor) -> Tensor:
        with tape.grad_mode(False):
            y = x**2
        return x * y

    assert grad(half)(number(2.0)).item() == 4.0
    assert grad(lambda x: x * x.detach())(number(3.0)).item() == 3.0
    assert autograd.grad(grad(lambda x: x**3)(t := leaf(2.0)), t)[0].item() == 12.0


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: grad(lambda x: x * 2)(array([1.0, 2.0])), RuntimeFault),
        (lambda: grad(lambda x: x * 2)(array([1.0])), RuntimeFault),
        (lambda: grad(lambda x: 2.0)(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: (x, x))(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: x * 2.0)(wrap(2)), RuntimeFault),
        (lambda: grad(lambda x: x * 2.0)(2.0), ValueFault),
        (lambda: grad(lambda x: x, argnums=1)(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: x, argnums=(0, 0))(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: x, argnums=[0])(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: x, argnums=())(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: x)(x=number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: x, has_aux=True)(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: (x, 1.0), has_aux=True)(number(1.0)), RuntimeFault),
        (lambda: grad(lambda x: 1 / 0)(number(1.0)), ZeroDivisionError),
    ],
)
def test_grad_refusals(call: Any, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        call()


# --- products with the Jacobian -------------------------------------------------------------------------------------


def test_vjp() -> None:
    out, pull = vjp(lambda x, y: (x * y, x + y), number(2.0), number(3.0))
    assert values(out) == [6.0, 5.0]
    assert values(pull((number(1.0), number(10.0)))) == [13.0, 12.0]
    assert values(pull((number(0.0), number(1.0)))) == [1.0, 1.0]  # again
    out, pull, aux = vjp(lambda x: (x * 2, x * 3), array([1.0, 2.0]), has_aux=True)
    assert aux.tolist() == [3.0, 6.0] and values(pull(array([1.0, -1.0]))) == [[2.0, -2.0]]
    assert values(vjp(lambda x: {"s": x.sum()}, array([1.0, 2.0]))[1]({"s": number(2.0)})) == [[2.0, 2.0]]
    assert values(vjp(lambda x: number(3.0), array([1.0, 2.0]))[1](number(1.0))) == [[0.0, 0.0]]


def test_the_function_that_vjp_returns_can_be_differentiated() -> None:
    x = leaf(2.0)
    assert name(vjp(lambda x: x**2, x)[0]) == "PowBackward0"
    pull = vjp(lambda x: x**3, x)[1]
    (g,) = pull(number(1.0))
    g.backward()
    assert x.grad is not None and x.grad.item() == 12.0
    assert grad(lambda c: vjp(lambda x: x**2, number(3.0))[1](c)[0])(number(1.0)).item() == 6.0
    w = leaf(5.0)
    assert name(vjp(lambda x: x**2, number(3.0))[1](w)[0]) == "MulBackward0"
    assert name(vjp(lambda x: x**2, number(3.0))[1](number(1.0))[0]) is None


def test_jvp() -> None:
    out, tangent = jvp(lambda x, y: (x * y, x + y), (number(2.0), number(3.0)), (number(1.0), number(10.0)))
    assert values(out) == [6.0, 5.0] and values(tangent) == [23.0, 11.0]
    assert values(jvp(grad(lambda x: x**3), (number(2.0),), (number(1.0),))) == [12.0, 12.0]
    assert grad(lambda x: jvp(lambda x: x**3, (x,), (number(1.0),))[1])(number(2.0)).item() == 12.0
    assert values(jvp(lambda x: jvp(torch.sin, (x,), (number(1.0),))[1], (number(0.5),), (number(1.0),))) == (
        pytest.approx([np.cos(0.5), -np.sin(0.5)])
    )
    assert values(jvp(lambda x: (x * 2, x > 1), (number(2.0),), (number(3.0),)))[1] == [6.0, False]
    assert jvp(lambda x: x.sqrt(), (number(4.0),), (leaf(2.0),))[1].requires_grad
    assert values(jvp(lambda x: (x, x * 2), (number(1.0),), (number(1.0),), has_aux=True)) == [1.0, 1.0, 2.0]
    assert values(jvp(torch.relu, (number(0.0),), (number(1.0),))) == [0.0, 0.0]


def test_linearize() -> None:
    out, push = func.linearize(lambda x, y: x * y, number(2.0), number(3.0))
    assert out.item() == 6.0
    assert push(number(1.0), number(0.0)).item() == 3.0 and push(number(0.0), number(1.0)).item() == 2.0
    with pytest.raises(RuntimeFault, match="structure"):
        push(number(1.0))


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: vjp(lambda x: 3.0, number(1.0)), RuntimeFault),
        (lambda: vjp(lambda x: x > 1, number(1.0)), RuntimeFault),
        (lambda: vjp(lambda x: x, array([1.0, 2.0]))[1](number(1.0)), RuntimeFault),
        (lambda: vjp(lambda x: (x, x), number(1.0))[1](number(1.0)), RuntimeFault),
        (lambda: vjp(lambda x: (x, x), number(1.0))[1](number(1.0), number(1.0)), RuntimeFault),
        (lambda: jvp(lambda x: x, [number(1.0)], [number(1.0)]), RuntimeFault),
        (lambda: jvp(lambda x: x, (number(1.0),), (number(1.0), number(1.0))), RuntimeFault),
        (lambda: jvp(lambda x: x, (array([1.0, 2.0]),), (number(1.0),)), RuntimeFault),
        (lambda: jvp(lambda x: x, (wrap(1),), (wrap(1),)), ValueFault),
        (lambda: jvp(lambda x: number(1.0), (number(1.0),), (number(1.0),), strict=True), RuntimeFault),
        (lambda: jvp(lambda: 1, (), ()), RuntimeFault),
    ],
)
def test_product_refusals(call: Any, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        call()


# --- Jacobians ------------------------------------------------------------------------------------------------------

JACOBIANS = pytest.mark.parametrize("jac", [jacrev, jacfwd], ids=["rev", "fwd"])


@JACOBIANS
def test_jacobians(jac: Any) -> None:
    v = array([1.0, 2.0])
    assert jac(lambda x: x**2)(v).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert jac(lambda x: array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) @ x)(v).tolist() == M.tolist()
    assert jac(lambda x: x**2)(number(3.0)).item() == 6.0
    assert jac(lambda x: x @ x)(array([[1.0, 2.0], [3.0, 4.0]])).shape == (2, 2, 2, 2)
    assert values(jac(lambda x: (x**2, x.sum()))(v)) == [[[2.0, 0.0], [0.0, 4.0]], [1.0, 1.0]]
    found = jac(lambda x, y: {"p": x * y}, argnums=(0, 1))(v, number(3.0))["p"]
    assert values(found) == [[[3.0, 0.0], [0.0, 3.0]], [1.0, 2.0]]
    assert jac(lambda p: p["a"] * 2)({"a": v})["a"].tolist() == [[2.0, 0.0], [0.0, 2.0]]
    assert values(jac(lambda x: (x * 2, x * 3), has_aux=True)(v)) == [[[2.0, 0.0], [0.0, 2.0]], [3.0, 6.0]]
    assert jac(lambda x: array([1.0, 2.0]))(v).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert jac(lambda x: x * 2)(array(np.zeros(0))).shape == (0, 0)
    assert jac(jac(lambda x: x**3))(v).tolist() == [[[6.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 12.0]]]
    assert jac(lambda x, y: x * y, argnums=-1)(v, array([3.0, 4.0])).tolist() == [[1.0, 0.0], [0.0, 2.0]]


def test_names_of_jacobians() -> None:
    v, x, w = leaf([1.0, 2.0]), leaf(3.0), leaf(2.0)
    assert name(jacrev(lambda x: x**2)(v)) == name(jacfwd(lambda x: x**2)(v)) == "ViewBackward0"
    assert name(jacrev(lambda x: x * w)(v.detach())) == "ViewBackward0"
    assert name(jacrev(lambda x: x * 2)(v)) is None
    assert name(jacfwd(lambda x: x**2)(x)) == "SqueezeBackward1"
    # PyTorch's forward mode ties constant derivatives to the argument
    assert name(jacfwd(lambda x: x * 2)(v)) == "ViewBackward0"
    assert name(jacfwd(lambda x: x * 2)(x)) == "SqueezeBackward1"
    assert name(jacfwd(lambda x: x.sum())(v)) is None and name(jacfwd(lambda x: x * 2)(v.detach())) is None
    hessian(lambda x: (x**2).sum())(v).sum().backward()
    assert v.grad is not None and v.grad.tolist() == [0.0, 0.0]


def test_hessians() -> None:
    v = array([1.0, 2.0])
    assert hessian(lambda x: (x**3).sum())(v).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    found = hessian(lambda x, y: (x * y).sum(), argnums=(0, 1))(v, v)
    assert values(found)[0][1] == [[1.0, 0.0], [0.0, 1.0]] and values(found)[1][1] == [[0.0, 0.0], [0.0, 0.0]]
    rng = np.random.RandomState(0)
    a = rng.uniform(-1, 1, (4, 4))
    quadratic = lambda x: x @ wrap(a) @ x
    for composed in (jacfwd(jacrev(quadratic)), jacrev(jacfwd(quadratic)), jacrev(jacrev(quadratic))):
        assert np.allclose(composed(array(rng.uniform(-1, 1, 4))).value, a + a.T)


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: jacrev(lambda x: 2.0)(number(1.0)), RuntimeFault),
        (lambda: jacfwd(lambda x: 2.0)(number(1.0)), RuntimeFault),
        (lambda: jacrev(lambda x: x > 1)(number(1.0)), RuntimeFault),
        (lambda: jacrev(lambda x: x)(wrap(1)), RuntimeFault),
        (lambda: jacfwd(lambda x: x)(wrap(1)), ValueFault),
        (lambda: jacrev(lambda x: x, argnums=3)(number(1.0)), RuntimeFault),
        (lambda: jacrev(lambda x: x, chunk_size=0), ValueFault),
        (lambda: jacrev(lambda x: x)(array(np.zeros(20000))), LimitFault),
        (lambda: jacfwd(lambda x: x)(array(np.zeros(20000))), LimitFault),
    ],
)
def test_jacobian_refusals(call: Any, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        call()


# --- vmap -----------------------------------------------------------------------------------------------------------


def test_vmap() -> None:
    m, v = array(M), array([1.0, 2.0])
    assert vmap(lambda x: x.sum())(m).tolist() == [3.0, 7.0, 11.0]
    assert vmap(lambda x: x.sum(), in_dims=1)(m).tolist() == vmap(lambda x: x.sum(), -1)(m).tolist() == [9.0, 12.0]
    assert vmap(lambda x: x * 2, out_dims=1)(m).tolist() == (2 * M.T).tolist()
    assert vmap(torch.dot, in_dims=(0, None))(m, v).tolist() == [5.0, 11.0, 17.0]
    tree, dims = {"a": m, "b": v}, {"a": 0, "b": None}
    assert vmap(lambda p: p["a"] * p["b"], in_dims=(dims,))(tree).tolist() == (M * [1, 2]).tolist()
    assert values(vmap(lambda x: (x, x.sum()), out_dims=(1, 0))(m)) == [M.T.tolist(), [3.0, 7.0, 11.0]]
    assert vmap(lambda x, k: x * k, in_dims=(0, None))(m, 3).tolist() == (3 * M).tolist()
    assert vmap(vmap(torch.mul, in_dims=(0, None)), in_dims=(None, 0))(v, torch.select(m, 1, 0)).shape == (3, 2)
    assert vmap(lambda x: v, out_dims=None)(m) is v
    assert vmap(lambda x: v)(m).tolist() == [[1.0, 2.0]] * 3
    assert vmap(lambda x: x)(m) is m
    assert vmap(lambda x: x * 2)(array(np.zeros((0, 2)))).shape == (0, 2)
    assert vmap(lambda x: x + 1, chunk_size=2)(m).tolist() == (M + 1).tolist()
    assert vmap(lambda x: x > 1)(v).tolist() == [False, True]


def test_a_slice_may_decide() -> None:
    assert vmap(lambda x: x * 2 if x.sum() > 4 else x)(array(M)).tolist() == [[1.0, 2.0], [6.0, 8.0], [10.0, 12.0]]
    assert vmap(lambda x: x * x.sum().item())(array(M)).tolist() == (M * M.sum(1, keepdims=True)).tolist()


def test_vmap_and_derivatives_nest_either_way() -> None:
    m = array(M)
    assert vmap(grad(lambda x: (x**3).sum()))(m).tolist() == (3 * M**2).tolist()
    assert grad(lambda x: vmap(lambda r: (r**2).sum())(x).sum())(m).tolist() == (2 * M).tolist()
    assert np.allclose(vmap(jacrev(torch.sin))(m).value, [np.diag(np.cos(r)) for r in M])
    assert np.allclose(jacrev(vmap(torch.sin))(array([1.0, 2.0])).value, np.diag(np.cos([1.0, 2.0])))
    assert vmap(vjp(lambda x: x**2, array([1.0, 2.0]))[1])(array(np.eye(2)))[0].tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert np.allclose(vmap(hessian(lambda x: (x**3).sum()))(m).value, [np.diag(6 * r) for r in M])


def test_gradients_of_a_loss_for_each_sample() -> None:
    rng = np.random.RandomState(1)
    w, x, y = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, (20, 3)), rng.uniform(-1, 1, 20)
    loss = lambda w, x, y: (x @ w - y) ** 2
    found = vmap(grad(loss), in_dims=(None, 0, 0))(wrap(w), wrap(x), wrap(y))
    assert np.allclose(found.value, 2 * (x @ w - y)[:, None] * x)
    assert not found.requires_grad


def test_vmap_names_the_batched_operation() -> None:
    x, w = leaf(M), leaf(2.0)
    assert name(vmap(lambda r: (r**2).sum())(x)) == "SumBackward1"
    assert name(vmap(torch.exp)(x)) == "ExpBackward0"
    assert name(vmap(lambda r: r * w)(array(M))) == "MulBackward0"
    assert name(vmap(lambda r: r * 2, out_dims=1)(x)) == "PermuteBackward0"
    assert name(vmap(lambda r: w)(array(M))) == "ExpandBackward0"
    assert name(vmap(lambda r: r * 2, chunk_size=1)(x)) == "CatBackward0"
    y = vmap(lambda r: (r**2).sum())(x)
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == (2 * M).tolist()


def test_changes_of_a_slice_in_place_are_seen() -> None:
    m = array(M.copy())
    vmap(lambda x: x.mul_(2))(m)
    assert m.tolist() == (2 * M).tolist()


def test_random_numbers_in_a_batch() -> None:
    draw = lambda x: x * 0 + float(default_generator.rand(()))
    default_generator.manual_seed(1)
    v = array([1.0, 2.0, 3.0])
    assert len(set(vmap(draw, randomness="different")(v).tolist())) == 3
    assert len(set(vmap(draw, randomness="same")(v).tolist())) == 1
    with pytest.raises(RuntimeFault, match="random"):
        vmap(draw)(v)
    with pytest.raises(RuntimeFault):
        vmap(draw, randomness="some")


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: vmap(torch.dot)(array(M), array(M[:2])), ValueFault),
        (lambda: vmap(torch.dot, in_dims=(0,))(array(M), array(M)), ValueFault),
        (lambda: vmap(torch.dot, in_dims=[0, 0])(array(M), array(M)), ValueFault),
        (lambda: vmap(torch.dot, in_dims=(None, None))(array(M[0]), array(M[0])), ValueFault),
        (lambda: vmap(lambda x: x, in_dims=2)(array(M)), ValueFault),
        (lambda: vmap(lambda x: x)(number(1.0)), ValueFault),
        (lambda: vmap(lambda x, k: x * k)(array(M), 3), ValueFault),
        (lambda: vmap(lambda: 1)(), ValueFault),
        (lambda: vmap(lambda x: 2.0)(array(M)), ValueFault),
        (lambda: vmap(lambda x: x, out_dims="a")(array(M)), ValueFault),
        (lambda: vmap(lambda x: (x, x), out_dims=(0,))(array(M)), ValueFault),
        (lambda: vmap(lambda x: x * 2, out_dims=None)(array(M)), ValueFault),
        (lambda: vmap(lambda x: x * 2, out_dims=3)(array(M)), IndexFault),
        (lambda: vmap(lambda x: x * 2, chunk_size=0), ValueFault),
        (lambda: vmap(lambda x: x[: int(x.sum())])(array([[1.0], [0.0]])), ValueFault),
        (lambda: vmap(lambda x: (x, x) if x > 1 else x * 1)(array([1.0, 2.0])), ValueFault),
    ],
)
def test_vmap_refusals(call: Any, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        call()


# --- trees ----------------------------------------------------------------------------------------------------------


def test_trees() -> None:
    tree = {"a": (1, [2, None]), "b": 3}
    leaves, structure = flatten(tree)
    assert leaves == [1, 2, None, 3] and unflatten(structure, leaves) == tree
    assert flatten(5) == ([5], LEAF)
    assert spread(0, structure) == [0, 0, 0, 0]
    assert spread({"a": (0, None), "b": 1}, structure) == [0, None, None, 1]
    assert spread({"a": [0, None], "b": 1}, structure) is None and spread((0, 1), structure) is None
    assert spread({"a": 0}, structure) is None and spread((0,), LEAF) is None


def test_a_level_that_fails_leaves_nothing_behind() -> None:
    def fails(x: Tensor) -> Tensor:
        raise ValueFault("no")

    before = tape.grad_enabled
    with pytest.raises(ValueFault):
        grad(fails)(leaf(1.0))
    assert tape.grad_enabled is before and not tape.walking
    with quiet():
        assert grad(torch.sqrt)(number(0.0)).item() == float("inf")


def test_what_happens_inside_is_not_recorded_for_views() -> None:
    before, tape.gradients = tape.gradients, {}
    try:
        hessian(lambda x: (x**3).sum())(array([1.0, 2.0]))
        assert tape.gradients == {}
        leaf(2.0).exp().backward()
        assert tape.gradients
    finally:
        tape.gradients = before
