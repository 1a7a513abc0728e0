"""Changes in place: what is refused, what backward notices, whose history changes."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff_cli.engine.methods import Tensor
from autodiff_cli.engine.ops import structure
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import new_leaf, wrap


@pytest.fixture(autouse=True)
def fresh_tape():
    tape.reset()
    yield
    tape.reset()


def leaf(value):
    return new_leaf(np.asarray(value, dtype="float64") if isinstance(value, list) else float(value))


@pytest.mark.parametrize("value", [2.0, [1.0, 2.0]])
def test_a_leaf_is_protected_outside_no_grad(value):
    w = leaf(value)
    with pytest.raises(RuntimeError, match="leaf"):
        w += 1.0
    with tape.grad_mode(False):
        w += 1.0
    assert np.array_equal(np.asarray(w.value), np.asarray(value) + 1.0)
    assert w.is_leaf
    assert w.requires_grad


@pytest.mark.parametrize("value", [2.0, [2.0]])
def test_history_is_rebased(value):
    w = leaf(value)
    y = w * w
    y += 1.0
    y *= w
    y.backward(wrap(np.ones_like(y.value)) if y.ndim else None)
    assert np.asarray(w.grad.value).ravel().tolist() == [13.0]  # d(w**3 + w) at 2


@pytest.mark.parametrize("value", [2.0, [2.0]])
def test_a_saved_value_changed_since_is_refused(value):
    w = leaf(value)
    y = w * 1.0
    z = y * y
    y += 1.0
    with pytest.raises(RuntimeError, match="in place"):
        z.backward(wrap(np.ones_like(z.value)) if z.ndim else None)


@pytest.mark.parametrize("value", [2.0, [2.0]])
def test_a_value_that_nobody_saved_may_change(value):
    w = leaf(value)
    y = w * 3.0
    z = y + 1.0
    y += 1.0
    z.backward(wrap(np.ones_like(z.value)) if z.ndim else None)
    assert np.asarray(w.grad.value).ravel().tolist() == [3.0]


@pytest.mark.parametrize("value", [2.0, [2.0]])
def test_a_changed_constant_that_was_saved_is_refused(value):
    w = leaf(2.0)
    c = wrap(np.asarray(value) if isinstance(value, list) else value)
    y = w * c
    c += 1.0
    with pytest.raises(RuntimeError, match="in place"):
        y.backward(wrap(np.ones_like(y.value)) if y.ndim else None)


@pytest.mark.parametrize("value", [2.0, [2.0, 3.0]])
def test_detach_shares_memory(value):
    x = leaf(value)
    d = x.detach()
    d += 5.0
    assert np.array_equal(np.asarray(x.value), np.asarray(value) + 5.0)
    assert np.array_equal(np.asarray(x.node.value), np.asarray(value) + 5.0)
    assert not d.requires_grad


@pytest.mark.parametrize("value", [2.0, [2.0]])
def test_detach_shares_the_version_and_data_does_not(value):
    x = leaf(value)
    y = x * x
    x.data.mul_(1.0) if hasattr(Tensor, "mul_") else x.data.__imul__(1.0)
    y.backward(wrap(np.ones_like(y.value)) if y.ndim else None)
    y = x * x
    d = x.detach()
    d *= 1.0
    with pytest.raises(RuntimeError, match="in place"):
        y.backward(wrap(np.ones_like(y.value)) if y.ndim else None)


def test_a_change_through_a_view_rebases_the_base():
    a = leaf([0.0, 1.0, 2.0, 3.0])
    b = a * 1.0
    v = structure.reshape_to(b, shape=(2, 2))
    v *= 3.0
    assert b.value.tolist() == [0.0, 3.0, 6.0, 9.0]
    assert b.grad_fn.name() == "torch::autograd::CopySlices"
    (b * wrap(np.array([1.0, 2.0, 3.0, 4.0]))).backward(wrap(np.ones(4)))
    assert a.grad.value.tolist() == [3.0, 6.0, 9.0, 12.0]


def test_a_change_of_the_base_is_seen_through_its_views():
    a = leaf([1.0, 2.0])
    b = a * 1.0
    v = structure.reshape_to(b, shape=(2, 1))
    b *= 5.0
    assert v.value.tolist() == [[5.0], [10.0]]
    v.backward(wrap(np.ones((2, 1))))
    assert a.grad.value.tolist() == [5.0, 5.0]


def test_a_view_of_a_leaf_is_protected():
    a = leaf([1.0, 2.0])
    v = structure.reshape_to(a, shape=(2, 1))
    with pytest.raises(RuntimeError, match="view of a leaf"):
        v += 1.0


def test_shape_and_dtype_stay():
    y = wrap(np.ones(2))
    with pytest.raises(RuntimeError, match="shape"):
        y += wrap(np.ones((2, 2)))
    whole = wrap(np.array([1, 2]))
    with pytest.raises(RuntimeError, match="int64"):
        whole += 0.5


def test_the_graph_shows_each_value_as_it_was():
    a = leaf([1.0, 2.0])
    b = a * 1.0
    before = b.node
    b += 10.0
    assert before.value.tolist() == [1.0, 2.0]
    assert b.node.value.tolist() == [11.0, 12.0]
