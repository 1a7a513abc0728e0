"""The walk: the chain rule, accumulation, freeing, order, hooks, derivatives of derivatives."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from autodiff_cli.engine import autograd, methods
from autodiff_cli.engine.node import FREED, Node
from autodiff_cli.engine.ops import arithmetic
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import new_leaf, wrap

assert methods.BINARY  # imported for the operators that it gives to tensors


@pytest.fixture(autouse=True)
def fresh_tape():
    tape.reset()
    yield
    tape.reset()


def leaf(value):
    return new_leaf(np.asarray(value, dtype="float64") if isinstance(value, list) else float(value))


def test_the_example_of_the_readme():
    x, y = leaf(2), leaf(3)
    z = (x * y + 1) ** 2
    z.backward()
    assert (z.value, x.grad.value, y.grad.value) == (49.0, 42.0, 28.0)


def test_an_operand_used_twice_gets_both_contributions():
    x = leaf(3)
    (x * x).backward()
    assert x.grad.value == 6.0


def test_gradients_accumulate_in_leaves_and_not_between():
    x = leaf(2)
    y = x * x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.value == 24.0


def test_accumulation_keeps_the_gradient_tensor():
    x = leaf([1.0, 2.0])
    (x * 3).backward(wrap(np.ones(2)))
    held = x.grad
    (x * 4).backward(wrap(np.ones(2)))
    assert x.grad is held
    assert held.value.tolist() == [7.0, 7.0]


def test_broadcasting_is_undone():
    a, b = leaf([1.0, 2.0, 3.0]), leaf([[1.0], [2.0]])
    c = a * b
    c.backward(wrap(np.ones((2, 3))))
    assert a.grad.value.tolist() == [3.0, 3.0, 3.0]
    assert b.grad.value.tolist() == [[6.0], [6.0]]


def test_a_scalar_broadcast_to_an_array():
    s, v = leaf(2), leaf([1.0, 2.0])
    (s * v).backward(wrap(np.array([10.0, 1.0])))
    assert s.grad.value == 12.0
    assert v.grad.value.tolist() == [20.0, 2.0]


def test_derivatives_of_derivatives():
    x = leaf(2)
    (first,) = autograd.grad(x**4, x, create_graph=True)
    (second,) = autograd.grad(first, x, create_graph=True)
    (third,) = autograd.grad(second, x, create_graph=True)
    (fourth,) = autograd.grad(third, x)
    assert [t.value for t in (first, second, third, fourth)] == [32.0, 48.0, 48.0, 24.0]


def test_mixed_second_derivative_of_arrays():
    x, w = leaf([1.0, 2.0]), leaf([3.0, 5.0])
    (gx,) = autograd.grad(x * x * w, x, wrap(np.ones(2)), create_graph=True)
    (gw,) = autograd.grad(gx, w, wrap(np.ones(2)))
    assert gw.value.tolist() == [2.0, 4.0]


def test_a_second_backward_finds_the_graph_freed():
    x = leaf(3)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match="freed"):
        y.backward()


def test_an_operation_that_saves_nothing_can_be_gone_through_again():
    x = leaf(3)
    y = x + 1
    y.backward()
    y.backward()
    assert x.grad.value == 2.0


def test_a_graph_shared_by_two_losses_is_freed_by_the_first():
    x = leaf(3)
    k = x * x
    (k * k).backward()
    with pytest.raises(RuntimeError, match="freed") as caught:
        (k * 2).backward()
    assert "retain_graph" in caught.value.hint


def test_ieee_arithmetic_in_rules():
    x = leaf(0)
    (x**0.5).backward()
    assert x.grad.value == float("inf")
    y = leaf(0)
    (1 / y).backward()
    assert y.grad.value == float("-inf")


def test_inputs_limit_where_gradients_go():
    x, y = leaf(2), leaf(5)
    (x * y).backward(inputs=[x])
    assert x.grad.value == 5.0
    assert y.grad is None


def test_grad_of_an_intermediate_result():
    x = leaf(2)
    y = x * x
    z = y * 3
    gy, gx = autograd.grad(z, [y, x])
    assert (gy.value, gx.value) == (3.0, 12.0)
    assert x.grad is None


def test_unused_inputs():
    x, unused = leaf(2), leaf(1)
    with pytest.raises(RuntimeError, match="no part") as caught:
        autograd.grad(x * 2, [x, unused])
    assert "allow_unused" in caught.value.hint
    assert autograd.grad(x * 2, [unused], allow_unused=True) == (None,)
    (zero,) = autograd.grad(x * 2, [unused], materialize_grads=True)
    assert zero.value == 0.0


def test_hooks_replace_gradients_in_order():
    x = leaf(1)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.value))
    y.register_hook(lambda g: g * 10)
    handle = x.register_hook(lambda g: g + 1)
    (y * 1).backward()
    assert seen == [1.0]
    assert x.grad.value == 21.0
    handle.remove()
    x.grad = None
    (x * 2).backward()
    assert x.grad.value == 2.0


def test_a_leaf_is_finished_before_earlier_operations():
    order = []
    x, w = leaf(2), leaf(3)
    h = x * 1
    h.register_hook(lambda g: order.append("h"))
    x.register_hook(lambda g: order.append("x"))
    w.register_hook(lambda g: order.append("w"))
    (h * w).backward()
    assert order == ["w", "h", "x"]


def test_a_backward_inside_a_hook():
    x, other = leaf(2), leaf(7)

    def hook(_):
        with tape.grad_mode(True):
            (other * other).backward()

    x.register_hook(hook)
    y = x * x
    y.backward()
    assert (x.grad.value, other.grad.value) == (4.0, 14.0)


def test_retain_grad_keeps_an_intermediate_gradient():
    x = leaf(2)
    y = x * x
    y.retain_grad()
    (y * 3).backward()
    assert y.grad.value == 3.0


def test_a_failed_walk_leaves_nothing_behind():
    x = leaf(2)
    y = x * x
    z = y * x

    def fail(_):
        raise RuntimeError("stop")

    y.register_hook(fail)
    with pytest.raises(RuntimeError, match="stop"):
        z.backward(retain_graph=True)
    nodes = [n for n in gc.get_objects() if type(n) is Node]
    assert all(n.cot is None or n.cot is FREED for n in nodes)
    assert not tape.walking


def test_a_chain_of_two_hundred_thousand_operations_needs_no_recursion():
    x = leaf(1)
    y = x
    for _ in range(200_000):
        y = y + 1.0
    y.backward()
    assert x.grad.value == 1.0
    del y


def test_the_graph_is_gone_when_nothing_refers_to_it():
    x = leaf(1)
    y = x * 2 * 3
    assert sum(type(o) is Node and o.op is arithmetic.mul for o in gc.get_objects()) >= 2
    del y
    assert not any(type(o) is Node and o.op is arithmetic.mul for o in gc.get_objects())


def test_no_graph_under_no_grad():
    x = leaf(2)
    with tape.grad_mode(False):
        y = x * x
    assert y.node is None
    with pytest.raises(RuntimeError, match="no graph"):
        y.backward()
