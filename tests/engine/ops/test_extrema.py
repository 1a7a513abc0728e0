"""The larger and the smaller, bounds, masks: ties, nan, bounds that are tensors."""

from __future__ import annotations

import math

import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.errors import RuntimeFault, TypeFault

NAN = math.nan


@pytest.mark.parametrize("scalar", [False, True])
def test_ties(scalar):
    def make(v):
        return leaf(v if scalar else [v])

    def sole(values):
        return [v if scalar else v[0] for v in values]

    for name, at_tie in (("maximum", [0.5, 0.5]), ("minimum", [0.5, 0.5]), ("fmax", [1.0, 0.0]), ("fmin", [1.0, 0.0])):
        a, b = make(2.0), make(2.0)
        assert sole(slopes(call(name, a, b), a, b)) == at_tie
    a, b = make(3.0), make(2.0)
    assert sole(slopes(call("maximum", a, b), a, b)) == [1.0, 0.0]
    assert sole(slopes(call("fmin", a, b), a, b)) == [0.0, 1.0]


@pytest.mark.parametrize("wrapped", [lambda v: v, lambda v: [v]])
def test_nan(wrapped):
    a, b = leaf(wrapped(NAN)), leaf(wrapped(1.0))
    for name in ("maximum", "minimum"):
        assert math.isnan(call(name, a, b).item())
        assert math.isnan(call(name, b, a).item())
    for name in ("fmax", "fmin"):
        assert call(name, a, b).item() == call(name, b, a).item() == 1.0
        assert [v if v.__class__ is float else v[0] for v in slopes(call(name, a, b), a, b)] == [0.0, 1.0]


def test_they_take_tensors_only():
    with pytest.raises(TypeFault):
        call("maximum", leaf(1.0), 2.0)
    assert call("maximum", const([1]), leaf([0.5])).grad_fn.name() == "MaximumBackward0"


def test_clamp_passes_at_its_bounds():
    x = leaf([-2.0, -1.0, 0.0, 1.0, 2.0, NAN])
    y = call("clamp", x, -1.0, 1.0)
    assert slopes(y, x) == [[0.0, 1.0, 1.0, 1.0, 0.0, 0.0]]
    assert math.isnan(listed(y)[-1])
    assert slopes(call("clamp", x, min=0), x)[0][:5] == [0.0, 0.0, 1.0, 1.0, 1.0]
    assert slopes(call("clip", x, max=0), x)[0][:5] == [1.0, 1.0, 1.0, 0.0, 0.0]
    assert y.grad_fn.name() == "ClampBackward1"
    assert call("clamp_min", x, 0.5).grad_fn.name() == "ClampMinBackward0"


def test_clamp_by_tensors():
    x, low, high = leaf([0.25, 0.5, 0.9, 0.5]), leaf([0.3, 0.1, 0.1, 0.8]), leaf([0.7, 0.7, 0.7, 0.4])
    y = call("clamp", x, low, high)
    assert listed(y) == [0.3, 0.5, 0.7, 0.4]
    # where the bounds are crossed, the upper one is what comes out
    assert slopes(y, x, low, high) == [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    x, low = leaf([0.25, 0.5]), leaf([0.25, 0.75])
    assert slopes(call("clamp", x, min=low), x, low) == [[1.0, 0.0], [0.0, 1.0]]


def test_clamp_promotes_and_refuses():
    assert call("clamp", const([1, 2]), 0.5).dtype.name == "float64"
    assert listed(call("clamp", const([1, 5]), 0, 3)) == [1, 3]
    with pytest.raises(RuntimeFault, match="neither"):
        call("clamp", leaf(1.0))
    with pytest.raises(TypeFault, match="both"):
        call("clamp", leaf(1.0), leaf(0.0), 1.0)


def test_masked_fill():
    x, v = leaf([1.0, 2.0]), leaf(9.0)
    mask = const([True, False])
    y = call("masked_fill", x, mask, v)
    assert listed(y) == [9.0, 2.0]
    assert slopes(y, x, v) == [[0.0, 1.0], 1.0]
    assert listed(call("masked_fill", const([1, 2]), mask, 0.5)) == [0, 2]  # the dtype stays
    with pytest.raises(RuntimeFault, match="0-d"):
        call("masked_fill", x, mask, x)
    with pytest.raises(RuntimeFault, match="bool"):
        call("masked_fill", x, const([1, 0]), 0.0)
