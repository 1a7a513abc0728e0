"""Special functions at their corners; accuracy is test_accuracy's."""

from __future__ import annotations

import math

import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.errors import RuntimeFault, TypeFault

INF, NAN = math.inf, math.nan


def test_sigmoid_keeps_its_tails():
    for x in (leaf([40.0, -40.0]), leaf([700.0, -700.0])):
        tail = math.exp(-abs(listed(x)[0]))
        assert slopes(call("sigmoid", x), x)[0] == pytest.approx([tail, tail], rel=1e-12)
        assert slopes(call("sigmoid", x), x, order=2)[0] == pytest.approx([-tail, tail], rel=1e-12)
    assert listed(call("sigmoid", leaf(-800.0))) == 0.0


def test_logit():
    x = leaf([0.0, 0.25, 1.0, 2.0])
    assert listed(call("logit", x))[:3] == [-INF, pytest.approx(math.log(1 / 3)), INF]
    assert slopes(call("logit", x), x)[0][:3] == [INF, pytest.approx(16 / 3), INF]
    x = leaf([0.1, 0.5, 0.95])
    y = call("logit", x, 0.3)
    assert listed(y) == pytest.approx([math.log(3 / 7), 0.0, math.log(7 / 3)], abs=1e-15)
    assert slopes(y, x) == [[0.0, 4.0, 0.0]]
    assert slopes(y, x, order=2) == [[0.0, 0.0, 0.0]]
    assert listed(call("special.logit", const(0.2), eps=None)) == pytest.approx(math.log(0.25))


def test_gamma_functions_at_poles_and_far_away():
    x = const([0.0, -1.0, -0.0, INF, -INF])
    assert listed(call("lgamma", x)) == [INF] * 5
    assert listed(call("digamma", x)) == pytest.approx([-INF, NAN, INF, INF, NAN], nan_ok=True)
    assert listed(call("polygamma", 2, const([INF, 0.0]))) == [0.0, -INF]
    assert listed(call("lgamma", const([-1.5]))) == pytest.approx([0.860047015376481], rel=1e-14)
    with pytest.raises(RuntimeFault, match="order"):
        call("polygamma", -1, x)
    with pytest.raises(TypeFault):
        call("polygamma", 1.5, x)
    assert call("Tensor.polygamma", leaf([2.0]), 1).grad_fn.name() == "PolygammaBackward0"


def test_multivariate_gamma():
    x = leaf([3.5])
    want = 0.5 * math.log(math.pi) + math.lgamma(3.5) + math.lgamma(3.0)
    assert listed(call("mvlgamma", x, 2)) == pytest.approx([want], rel=1e-14)
    (slope,) = slopes(call("special.multigammaln", x, 2), x)
    assert slope == pytest.approx([listed(call("digamma", const(3.5))) + listed(call("digamma", const(3.0)))])
    with pytest.raises(RuntimeFault, match="at least 1"):
        call("mvlgamma", x, 0)


def test_products_with_a_logarithm():
    x = leaf([0.0, 0.0, 0.0, NAN, 2.0])
    y = leaf([0.0, -1.0, NAN, 1.0, 0.0])
    z = call("xlogy", x, y)
    assert listed(z) == pytest.approx([0.0, 0.0, NAN, NAN, -INF], nan_ok=True)
    in_x, in_y = slopes(z, x, y)
    assert in_x[:2] == [0.0, 0.0] and in_x[4] == -INF
    assert in_y[1] == -0.0 and in_y[4] == INF
    assert listed(call("xlogy", leaf(0.0), leaf(0.0))) == 0.0
    assert [call("xlogy", a, b).grad_fn.name() for a, b in ((x, y), (2, y), (x, 2))] == [
        "XlogyBackward0",
        "XlogyBackward1",
        "XlogyBackward2",
    ]
    assert listed(call("special.xlog1py", leaf(2.0), 1e-20)) == 2e-20
    with pytest.raises(TypeFault):
        call("xlogy", 2, 3)


def test_logaddexp():
    a, b = leaf([INF, -INF, INF, 1000.0, 0.0]), leaf([INF, -INF, -INF, 0.0, 0.0])
    y = call("logaddexp", a, b)
    assert listed(y) == [INF, -INF, INF, 1000.0, pytest.approx(math.log(2))]
    assert slopes(y, a, b) == [
        pytest.approx([NAN, NAN, 1.0, 1.0, 0.5], nan_ok=True),
        pytest.approx([NAN, NAN, 0.0, 0.0, 0.5], nan_ok=True),
    ]
    assert slopes(y, a, order=2)[0][2:] == [0.0, 0.0, 0.25]
    assert listed(call("logaddexp2", leaf(-1.0), leaf(-1.0))) == 0.0


def test_inverses_at_their_ends():
    x = leaf([1.0, -1.0, 2.0, -0.0])
    assert listed(call("erfinv", x)) == pytest.approx([INF, -INF, NAN, -0.0], nan_ok=True)
    assert listed(call("special.ndtri", const([0.0, 1.0, 0.5]))) == [-INF, INF, 0.0]
    assert listed(call("special.entr", const([0.0, -1.0, 1.0]))) == [0.0, -INF, 0.0]


def test_sinc_is_zero_at_whole_numbers_and_smooth_at_zero():
    x = leaf([1.0, -2.0, 1e15, 0.0])
    assert listed(call("sinc", x)) == [0.0, 0.0, 0.0, 1.0]
    zero = leaf(0.0)
    assert slopes(call("sinc", zero), zero, order=2) == [pytest.approx(-(math.pi**2) / 3, rel=1e-15)]
    assert slopes(call("sinc", zero), zero, order=4) == [pytest.approx(math.pi**4 / 5, rel=1e-14)]
    assert slopes(call("sinc", zero), zero, order=3) == [0.0]
