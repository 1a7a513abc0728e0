"""Layers as functions: linear, embedding, dropout, glu, attention, normalisation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.engine.random import default_generator
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, TypeFault, ValueFault

W, BIAS = [[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]], [0.25, -0.5, 1.0]


def test_linear():
    w, b = leaf(W), leaf(BIAS)
    for values in ([1.0, -2.0], [[1.0, -2.0]], [[[1.0, -2.0]], [[3.0, 4.0]]]):
        x = leaf(values)
        y = call("F.linear", x, w, b)
        want = np.array(values) @ np.array(W).T + BIAS
        assert listed(y) == want.tolist()
        assert slopes(y, x)[0] == np.broadcast_to(np.array(W).sum(0), np.shape(values)).tolist()
        assert listed(call("F.linear", x, w)) == (want - BIAS).tolist()
        assert slopes(y, w, b)[1] == [float(np.size(values) // 2)] * 3
    assert call("F.linear", leaf([[1.0, 2.0]]), w, b).grad_fn.name() == "AddmmBackward0"
    assert listed(call("F.linear", leaf([1.0, 2.0]), leaf([3.0, 4.0]), leaf(0.5))) == 11.5
    with pytest.raises(RuntimeFault, match="features"):
        call("F.linear", leaf([1.0, 2.0, 3.0]), w)
    with pytest.raises(RuntimeFault):
        call("F.linear", leaf([1.0, 2.0]), w, leaf([1.0, 2.0]))


def test_bilinear():
    w = leaf([[[1.0, 0.0], [0.0, 2.0]]])
    y = call("F.bilinear", leaf([[1.0, 2.0]]), leaf([[3.0, 4.0]]), w, leaf([0.5]))
    assert listed(y) == [[3.0 + 16.0 + 0.5]]
    with pytest.raises(RuntimeFault, match="shape"):
        call("F.bilinear", leaf([1.0]), leaf([1.0, 2.0]), w)


def test_embedding():
    table = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = call("F.embedding", const([[2, 0], [2, 1]]), table)
    assert listed(y) == [[[5.0, 6.0], [1.0, 2.0]], [[5.0, 6.0], [3.0, 4.0]]]
    assert slopes(y, table) == [[[1.0, 1.0], [1.0, 1.0], [2.0, 2.0]]]
    padded = call("F.embedding", const([2, 0, 2]), table, padding_idx=-1)
    assert slopes(padded, table) == [[[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]]
    assert listed(call("F.embedding", const(1), table)) == [3.0, 4.0]
    with pytest.raises(IndexFault):
        call("F.embedding", const([3]), table)
    with pytest.raises(RuntimeFault, match="integers"):
        call("F.embedding", leaf([1.0]), table)
    with pytest.raises(NotImplementedFault):
        call("F.embedding", const([0]), table, max_norm=1.0)


def test_dropout():
    default_generator.manual_seed(1)
    x = leaf([1.0] * 1000)
    y = call("F.dropout", x, 0.25)
    values = set(listed(y))
    assert values == {0.0, 4 / 3}
    assert 200 < listed(y).count(0.0) < 300
    assert slopes(y, x) == [listed(y)]
    default_generator.manual_seed(1)
    assert listed(call("F.dropout", x, 0.25)) == listed(y)
    assert call("F.dropout", x, 0.5, training=False) is x
    assert call("F.dropout", x, 0.0) is x
    assert set(listed(call("F.dropout", x, 1.0))) == {0.0}
    assert listed(call("F.dropout", leaf(3.0), 0.5)) in (0.0, 6.0)
    for wrong in (-0.1, 1.5):
        with pytest.raises(ValueFault, match="probability"):
            call("F.dropout", x, wrong)


def test_glu():
    x = leaf([1.0, 2.0, 0.0, 50.0])
    y = call("F.glu", x)
    assert listed(y) == [0.5, 2.0]
    assert slopes(y, x)[0] == pytest.approx([0.5, 1.0, 0.25, 2 * math.exp(-50)], rel=1e-12)
    with pytest.raises(RuntimeFault, match="even"):
        call("F.glu", leaf([1.0, 2.0, 3.0]))


def attention(q, k, v, keep=None, scale=None):
    scores = q @ k.T * (scale or 1 / math.sqrt(q.shape[-1]))
    if keep is not None:
        scores = np.where(keep, scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v


def test_attention():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 2))
    tensors = leaf(q), leaf(k), leaf(v)
    name = "F.scaled_dot_product_attention"
    assert np.allclose(listed(call(name, *tensors)), attention(q, k, v), rtol=1e-14)
    assert np.allclose(listed(call(name, *tensors, is_causal=True)), attention(q, k, v, np.tri(3, dtype=bool)))
    assert np.allclose(listed(call(name, *tensors, scale=0.3)), attention(q, k, v, scale=0.3))
    y = call(name, *tensors, is_causal=True)
    # a row of a softmax sums to 1: the values' slopes add up to the number of rows
    assert sum(map(sum, slopes(y, tensors[2])[0])) == pytest.approx(6.0)
    with pytest.raises(RuntimeFault, match="exclude"):
        call(name, *tensors, attn_mask=const(np.ones((3, 3), bool)), is_causal=True)
    with pytest.raises(RuntimeFault, match="dimensions"):
        call(name, leaf(q[0]), tensors[1], tensors[2])


def test_a_row_that_is_masked_out_attends_to_nothing():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = call("F.scaled_dot_product_attention", x, x, x, attn_mask=const([[True, False], [False, False]]))
    assert listed(y) == [[1.0, 2.0], [0.0, 0.0]]
    assert slopes(y, x) == [[[1.0, 1.0], [0.0, 0.0]]]


def test_layer_norm():
    x, w, b = leaf([[1.0, 2.0, 4.0], [0.0, 0.0, 1e8]]), leaf([1.0, 2.0, 3.0]), leaf([0.5, 0.0, 0.0])
    y = call("F.layer_norm", x, (3,), w, b, eps=0.0)
    rows = np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 1e8]])
    standard = (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)
    assert np.allclose(listed(y), standard * [1.0, 2.0, 3.0] + [0.5, 0.0, 0.0], rtol=1e-14)
    in_x, in_w, in_b = slopes(y, x, w, b)
    assert np.allclose(in_w, standard.sum(0), atol=1e-14)
    assert in_b == [2.0, 2.0, 2.0]
    # neither a shift nor a stretch of a row changes the result
    assert np.allclose(np.sum(in_x, 1), 0.0, atol=1e-14) and np.allclose((in_x * rows).sum(1), 0.0, atol=1e-13)
    assert y.grad_fn.name() == "NativeLayerNormBackward0"
    with pytest.raises(RuntimeFault, match="normalized_shape"):
        call("F.layer_norm", x, (2,))
    with pytest.raises(TypeFault):
        call("F.layer_norm", x, 3)
    with pytest.raises(RuntimeFault, match="weight"):
        call("F.layer_norm", x, (3,), leaf([1.0]))


def test_rms_norm():
    x, w = leaf([3.0, 4.0]), leaf([1.0, 2.0])
    root = math.sqrt(12.5)
    y = call("F.rms_norm", x, (2,), w, eps=0.0)
    assert listed(y) == pytest.approx([3 / root, 8 / root])
    assert np.dot(slopes(y, x)[0], [3.0, 4.0]) == pytest.approx(0.0, abs=1e-15)


def test_batch_norm():
    values = np.array([[[1.0, 2.0], [3.0, 3.5]], [[4.0, 8.0], [0.0, 1.0]]])
    mean, var = values.mean((0, 2)), values.var((0, 2))
    running = const([0.0, 0.0]), const([1.0, 1.0])
    x, w, b = leaf(values), leaf([2.0, 3.0]), leaf([0.5, 0.25])
    y = call("F.batch_norm", x, *running, w, b, training=True, momentum=0.5, eps=0.0)
    standard = (values - mean[:, None]) / np.sqrt(var)[:, None]
    assert np.allclose(listed(y), standard * [[2.0], [3.0]] + [[0.5], [0.25]], rtol=1e-14)
    assert np.allclose(listed(running[0]), 0.5 * mean) and np.allclose(listed(running[1]), 0.5 + 0.5 * var * 4 / 3)
    in_x, in_w, in_b = slopes(y, x, w, b)
    assert in_b == [4.0, 4.0] and np.allclose(in_w, 0.0, atol=1e-14) and np.allclose(np.sum(in_x, (0, 2)), 0.0)
    settled = call("F.batch_norm", x, const(mean), const(var), eps=0.0)
    assert np.allclose(listed(settled), standard)
    assert np.allclose(slopes(settled, x)[0], np.broadcast_to(1 / np.sqrt(var)[:, None], values.shape))
    with pytest.raises(RuntimeFault, match="running_mean"):
        call("F.batch_norm", x, None, None)
    with pytest.raises(ValueFault, match="variance"):
        call("F.batch_norm", leaf([[1.0, 2.0]]), None, None, training=True)


def test_group_norm():
    values = np.arange(12.0).reshape(1, 4, 3) ** 2
    y = call("F.group_norm", leaf(values), 2, eps=0.0)
    groups = values.reshape(1, 2, 6)
    standard = (groups - groups.mean(2, keepdims=True)) / groups.std(2, keepdims=True)
    assert np.allclose(listed(y), standard.reshape(1, 4, 3))
    with pytest.raises(RuntimeFault, match="groups"):
        call("F.group_norm", leaf(values), 3)
