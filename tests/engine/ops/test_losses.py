"""Losses: by hand, reductions, extreme predictions, what is refused."""

from __future__ import annotations

import math

import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, ValueFault

X, T = [0.5, -1.0, 2.0, 0.25], [1.0, -1.0, -1.0, 0.0]
D = [a - b for a, b in zip(X, T, strict=True)]


@pytest.mark.parametrize(
    ("name", "keywords", "entry", "slope", "node"),
    [
        ("mse_loss", {}, lambda d: d * d, lambda d: 2 * d, "MseLossBackward0"),
        ("l1_loss", {}, abs, lambda d: (d > 0) - (d < 0), "AbsBackward0"),
        (
            "smooth_l1_loss",
            {"beta": 0.5},
            lambda d: d * d if abs(d) < 0.5 else abs(d) - 0.25,
            lambda d: max(-1, min(1, 2 * d)),
            "SmoothL1LossBackward0",
        ),
        (
            "huber_loss",
            {"delta": 0.4},
            lambda d: d * d / 2 if abs(d) < 0.4 else 0.4 * (abs(d) - 0.2),
            lambda d: max(-0.4, min(0.4, d)),
            "HuberLossBackward0",
        ),
    ],
)
def test_differences(name, keywords, entry, slope, node):
    x, t = leaf(X), leaf(T)
    none = call(f"F.{name}", x, t, reduction="none", **keywords)
    assert listed(none) == pytest.approx([entry(d) for d in D])
    assert none.grad_fn.name() == node
    assert slopes(none, x, t) == [pytest.approx([slope(d) for d in D]), pytest.approx([-slope(d) for d in D])]
    total = call(f"F.{name}", x, t, reduction="sum", **keywords)
    mean = call(f"F.{name}", x, t, **keywords)
    assert listed(total) == pytest.approx(sum(entry(d) for d in D))
    assert listed(mean) == pytest.approx(sum(entry(d) for d in D) / 4)
    assert slopes(mean, x) == [pytest.approx([slope(d) / 4 for d in D])]
    a, b = leaf(0.5), leaf(0.2)
    assert listed(call(f"F.{name}", a, b, **keywords)) == pytest.approx(entry(0.3))
    assert slopes(call(f"F.{name}", a, b, **keywords), a) == [pytest.approx(slope(0.3))]


def test_shapes_that_differ_are_broadcast_with_a_warning():
    said = []
    tape.warn = said.append
    try:
        x = leaf([[1.0, 2.0], [3.0, 4.0]])
        y = call("F.mse_loss", x, const([1.0, 1.0]))
    finally:
        tape.warn = None
    assert listed(y) == (0 + 1 + 4 + 9) / 4
    assert len(said) == 1
    with pytest.raises(RuntimeFault):
        call("F.mse_loss", x, const([1.0, 1.0, 1.0]))


def test_reductions_have_names():
    for name in ("mse_loss", "l1_loss", "kl_div", "binary_cross_entropy_with_logits"):
        with pytest.raises(ValueFault, match="median"):
            call(f"F.{name}", leaf([0.5]), const([0.5]), reduction="median")
    assert listed(call("F.mse_loss", leaf([1.0, 3.0]), const([0.0, 0.0]), size_average=False)) == 10.0
    assert listed(call("F.mse_loss", leaf([1.0, 3.0]), const([0.0, 0.0]), reduce=False)) == [1.0, 9.0]
    assert math.isnan(listed(call("F.mse_loss", leaf([]), const([], "float64"))))


def test_parameters_that_make_no_sense():
    with pytest.raises(RuntimeFault, match="beta"):
        call("F.smooth_l1_loss", leaf(1.0), const(1.0), beta=-1)
    with pytest.raises(RuntimeFault, match="delta"):
        call("F.huber_loss", leaf(1.0), const(1.0), delta=0)
    with pytest.raises(NotImplementedFault):
        call("F.mse_loss", const([1]), const([2]))
    assert call("F.smooth_l1_loss", leaf(1.0), const(3.0), beta=0.0).grad_fn.name() == "MeanBackward0"


def test_weights():
    x, t, w = leaf([1.0, 2.0]), const([0.0, 0.0]), const([3.0, 1.0])
    assert listed(call("F.mse_loss", x, t, weight=w)) == 7 / 4
    assert listed(call("F.l1_loss", x, t, weight=w)) == 5 / 4
    assert listed(call("F.huber_loss", x, t, weight=w)) == (0.5 * 3 + 1.5) / 2
    with pytest.raises(ValueFault, match="shape"):
        call("F.mse_loss", x, t, weight=const([1.0]))


def test_cross_entropy_of_probabilities():
    q, y = leaf([0.9, 0.2, 0.5]), leaf([1.0, 0.0, 0.5])
    loss = call("F.binary_cross_entropy", q, y, reduction="none")
    assert listed(loss) == pytest.approx([-math.log(0.9), -math.log(0.8), math.log(2)])
    in_q, in_y = slopes(loss, q, y)
    assert in_q == pytest.approx([-1 / 0.9, 1 / 0.8, 0.0])
    assert in_y == pytest.approx([math.log(1 / 9), math.log(4), 0.0])
    assert listed(call("F.binary_cross_entropy", const([0.0, 1.0]), const([1.0, 0.0]))) == 100.0
    assert listed(call("F.binary_cross_entropy", leaf(0.0), leaf(0.0))) == 0.0
    for wrong in (leaf([1.5]), leaf(-0.1), leaf([math.nan])):
        with pytest.raises(RuntimeFault, match="probabilities"):
            call("F.binary_cross_entropy", wrong, wrong.detach())
    with pytest.raises(ValueFault, match="shape"):
        call("F.binary_cross_entropy", q, const(1.0))
    with pytest.raises(RuntimeFault, match="floating"):
        call("F.binary_cross_entropy", q, const([1, 0, 1]))


def test_cross_entropy_of_logits():
    z, y = leaf([100.0, -800.0, 40.0]), const([0.0, 1.0, 1.0])
    loss = call("F.binary_cross_entropy_with_logits", z, y, reduction="none")
    assert listed(loss) == pytest.approx([100.0, 800.0, math.exp(-40)], rel=1e-14)
    # a prediction that is nearly right still has a slope
    assert slopes(loss, z) == [pytest.approx([1.0, -1.0, -math.exp(-40)], rel=1e-14)]
    z, y = leaf([2.0, -3.0]), leaf([1.0, 0.0])
    loss = call(
        "F.binary_cross_entropy_with_logits", z, y, pos_weight=const(3.0), weight=const([1.0, 2.0]), reduction="sum"
    )
    assert listed(loss) == pytest.approx(3 * math.log1p(math.exp(-2)) + 2 * math.log1p(math.exp(-3)))
    s = [1 / (1 + math.exp(-2)), 1 / (1 + math.exp(3))]
    assert slopes(loss, z) == [pytest.approx([3 * (s[0] - 1), 2 * s[1]])]
    with pytest.raises(RuntimeFault, match="differentiated"):
        call("F.binary_cross_entropy_with_logits", z, y.detach(), weight=leaf([1.0, 1.0]))


LOGITS = [[2.0, 1.0, -1.0], [0.0, 0.5, 0.25]]


def softmax(row):
    e = [math.exp(v) for v in row]
    return [v / sum(e) for v in e]


def test_cross_entropy_of_classes():
    x, t = leaf(LOGITS), const([0, 2])
    loss = call("F.cross_entropy", x, t)
    p = [softmax(r) for r in LOGITS]
    assert listed(loss) == pytest.approx(-(math.log(p[0][0]) + math.log(p[1][2])) / 2)
    want = [[(p[i][j] - (j == (0, 2)[i])) / 2 for j in range(3)] for i in range(2)]
    assert slopes(loss, x)[0] == [pytest.approx(r) for r in want]
    assert loss.grad_fn.name() == "NllLossBackward0"
    weighted = call("F.cross_entropy", x, t, weight=const([1.0, 1.0, 3.0]))
    assert listed(weighted) == pytest.approx(-(math.log(p[0][0]) + 3 * math.log(p[1][2])) / 4)
    assert listed(call("F.cross_entropy", x, const([0, -100]))) == pytest.approx(-math.log(p[0][0]))
    soft = call("F.cross_entropy", x, const([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    assert listed(soft) == pytest.approx(listed(loss))
    assert soft.grad_fn.name() == "DivBackward1"


def test_label_smoothing_is_a_mixture():
    x, t, w = leaf(LOGITS), const([0, 2]), const([1.0, 2.0, 0.5])
    for keywords in ({}, {"weight": w}, {"reduction": "sum"}, {"reduction": "none", "weight": w}):
        smooth = call("F.cross_entropy", x, t, label_smoothing=0.3, **keywords)
        targets = const([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])
        if keywords.get("reduction", "mean") != "mean" or "weight" not in keywords:
            assert listed(smooth) == pytest.approx(listed(call("F.cross_entropy", x, targets, **keywords)))
    with pytest.raises(RuntimeFault, match="label_smoothing"):
        call("F.cross_entropy", x, t, label_smoothing=1.5)


def test_extreme_logits():
    x = leaf([[1000.0, 0.0], [-1000.0, 0.0]])
    loss = call("F.cross_entropy", x, const([1, 1]))
    assert listed(loss) == 500.0
    assert slopes(loss, x) == [[[0.5, -0.5], [0.0, 0.0]]]


def test_more_dimensions():
    x = leaf([[[2.0, 0.0], [1.0, 0.5], [-1.0, 0.25]]])  # (1, 3, 2): the rows of LOGITS as columns
    loss = call("F.cross_entropy", x, const([[0, 2]]), reduction="none")
    flat = call("F.cross_entropy", leaf(LOGITS), const([0, 2]), reduction="none")
    assert listed(loss) == [pytest.approx(listed(flat))]
    assert listed(call("F.cross_entropy", leaf(LOGITS[0]), const(0))) == pytest.approx(listed(flat)[0])
    assert listed(call("F.nll_loss", leaf([[0.1, 0.2]]), const([1]))) == -0.2


def test_all_ignored():
    x = leaf(LOGITS)
    loss = call("F.cross_entropy", x, const([-100, -100]))
    assert math.isnan(listed(loss))
    assert slopes(loss, x) == [[[0.0] * 3] * 2]
    assert listed(call("F.cross_entropy", x, const([-100, -100]), reduction="sum")) == 0.0


@pytest.mark.parametrize(
    ("target", "fault"),
    [
        ([0, 1, 2], ValueFault),
        ([0, 3], IndexFault),
        ([0, -1], IndexFault),
        ([0.0, 1.0], RuntimeFault),
        ([[0, 1, 2], [0, 0, 0]], RuntimeFault),
        ([[0], [1]], RuntimeFault),
    ],
)
def test_targets_that_do_not_fit(target, fault):
    with pytest.raises(fault):
        call("F.cross_entropy", leaf(LOGITS), const(target))


def test_weights_of_classes_that_do_not_fit():
    for weight in (const([1.0, 1.0]), const([1.0, 1.0, 1.0], "float32"), leaf([1.0, 1.0, 1.0])):
        with pytest.raises(RuntimeFault, match="weight"):
            call("F.cross_entropy", leaf(LOGITS), const([0, 1]), weight=weight)
    with pytest.raises(RuntimeFault, match="ignore_index"):
        call("F.cross_entropy", leaf(LOGITS), const([[1.0, 0.0, 0.0]] * 2), ignore_index=1)
