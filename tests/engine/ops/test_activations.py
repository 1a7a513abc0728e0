"""Activations: kinks, parameters, in place, dtypes that are refused."""

from __future__ import annotations

import math

import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.errors import NotImplementedFault, RuntimeFault, ValueFault


@pytest.mark.parametrize(
    ("name", "points", "values", "derivatives"),
    [
        ("F.relu", [-1.0, 0.0, 2.0], [0.0, 0.0, 2.0], [0.0, 0.0, 1.0]),
        ("F.relu6", [-1.0, 0.0, 3.0, 6.0, 7.0], [0.0, 0.0, 3.0, 6.0, 6.0], [0.0, 0.0, 1.0, 0.0, 0.0]),
        ("F.hardtanh", [-1.0, 0.5, 1.0, 2.0], [-1.0, 0.5, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0]),
        ("F.leaky_relu", [-2.0, 0.0, 2.0], [-0.02, 0.0, 2.0], [0.01, 0.01, 1.0]),
        ("F.elu", [0.0, 2.0], [0.0, 2.0], [1.0, 1.0]),
        ("F.hardsigmoid", [-3.0, 0.0, 3.0], [0.0, 0.5, 1.0], [0.0, 1 / 6, 0.0]),
        ("F.hardswish", [-3.0, 0.0, 3.0, 4.0], [0.0, 0.0, 3.0, 4.0], [0.0, 0.5, 1.0, 1.0]),
        ("F.hardshrink", [-0.5, 0.5, 0.6], [0.0, 0.0, 0.6], [0.0, 0.0, 1.0]),
        ("F.softshrink", [-0.5, 0.25, 1.5], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
        ("F.softsign", [-1.0, 0.0, 3.0], [-0.5, 0.0, 0.75], [0.25, 1.0, 1 / 16]),
        ("F.softplus", [25.0], [25.0], [1.0]),
    ],
)
def test_kinks(name, points, values, derivatives):
    x = leaf(points)
    y = call(name, x)
    assert listed(y) == pytest.approx(values)
    assert slopes(y, x)[0] == pytest.approx(derivatives)
    for point, value, derivative in zip(points, values, derivatives, strict=True):
        s = leaf(point)
        assert listed(call(name, s)) == pytest.approx(value)
        assert slopes(call(name, s), s) == [pytest.approx(derivative)]


def test_second_derivatives_are_not_nan_far_away():
    x = leaf([-800.0, 800.0])
    for name in ("elu", "selu", "celu", "softplus", "logsigmoid", "silu", "mish", "gelu"):
        assert slopes(call(f"F.{name}", x), x, order=2)[0] == pytest.approx([0.0, 0.0], abs=1e-300)


def test_parameters():
    x = leaf([-2.0, 0.5])
    assert listed(call("F.threshold", x, 0.5, 9.0)) == [9.0, 9.0]
    assert listed(call("F.leaky_relu", x, 0.3)) == [-0.6, 0.5]
    assert listed(call("F.celu", x, alpha=2.0)) == pytest.approx([2 * math.expm1(-1.0), 0.5])
    assert listed(call("F.softplus", x, 2, 0.5)) == pytest.approx([math.log1p(math.exp(-4)) / 2, 0.5])
    assert listed(call("F.softplus", leaf(800.0), threshold=1000)) == 800.0
    assert listed(call("F.gelu", x, approximate="tanh")) == pytest.approx(
        [v / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) for v in (-2.0, 0.5)], rel=1e-13
    )
    assert listed(call("F.threshold", const([1, 3]), 1, 9.5)) == [9, 3]


@pytest.mark.parametrize(
    ("name", "arguments", "fault"),
    [
        ("F.hardtanh", (1.0, -1.0), ValueFault),
        ("F.celu", (0.0,), RuntimeFault),
        ("F.softshrink", (-0.1,), RuntimeFault),
    ],
)
def test_parameters_that_make_no_sense(name, arguments, fault):
    with pytest.raises(fault):
        call(name, leaf([1.0]), *arguments)


def test_refusals():
    with pytest.raises(RuntimeFault, match="approximation"):
        call("F.gelu", leaf(1.0), approximate="sinh")
    for name in ("relu", "hardtanh"):
        with pytest.raises(RuntimeFault, match="bool"):
            call(f"F.{name}", const([True]))
        assert listed(call(f"F.{name}", const([-1, 0]))) in ([0, 0], [-1, 0])
    for name in ("silu", "gelu", "softplus", "elu", "hardswish", "leaky_relu", "logsigmoid"):
        with pytest.raises(NotImplementedFault):
            call(f"F.{name}", const([1]))


def test_in_place():
    x = leaf([-1.0, 2.0])
    h = x * 1
    y = call("F.relu", h, inplace=True)
    assert y is h
    assert listed(h) == [0.0, 2.0]
    assert slopes(y, x) == [[0.0, 1.0]]
    h = x * 1
    call("F.leaky_relu_", h, 0.5)
    assert listed(h) == [-0.5, 2.0]
    with pytest.raises(RuntimeFault, match="leaf"):
        call("F.relu", x, inplace=True)


def test_a_gate_is_on_the_graph_with_derivative_zero():
    x = leaf([-1.0, 2.0])
    assert slopes(call("F.relu", x), x, order=2) == [[0.0, 0.0]]
    assert slopes(call("F.hardtanh", x), x, order=2) == [[0.0, 0.0]]


def test_prelu():
    x, w = leaf([[-1.0, 2.0], [3.0, -4.0]]), leaf([0.5, 0.25])
    y = call("F.prelu", x, w)
    assert listed(y) == [[-0.5, 2.0], [3.0, -1.0]]
    assert slopes(y, x, w) == [[[0.5, 1.0], [1.0, 0.25]], [-1.0, -4.0]]
    one = leaf(0.5)
    assert slopes(call("prelu", leaf([-1.0, -2.0]), one), one) == [-3.0]
    with pytest.raises(RuntimeFault, match="channels"):
        call("F.prelu", x, leaf([1.0, 1.0, 1.0]))
