"""Likelihoods, divergences, distances and the losses that rank."""

from __future__ import annotations

import math

import pytest
from engine.ops.calling import call, const, leaf, listed, slopes

from autodiff_cli.errors import IndexFault, RuntimeFault, ValueFault


def test_kl_div():
    x, t = leaf([[-1.0, -2.0], [-0.5, -3.0]]), const([[0.25, 0.75], [0.0, 1.0]])
    entries = [[0.25 * (math.log(0.25) + 1), 0.75 * (math.log(0.75) + 2)], [0.0, 3.0]]
    none = call("F.kl_div", x, t, reduction="none")
    assert listed(none) == [pytest.approx(r) for r in entries]
    total = sum(map(sum, entries))
    batch = call("F.kl_div", x, t, reduction="batchmean")
    assert listed(batch) == pytest.approx(total / 2)
    assert slopes(batch, x) == [[[-0.125, -0.375], [-0.0, -0.5]]]
    assert listed(call("F.kl_div", x, t)) == pytest.approx(total / 4)
    logs = const([[-0.5, -1.5], [-2.0, -0.25]])
    same = call("F.kl_div", x, logs, reduction="sum", log_target=True)
    assert listed(same) == pytest.approx(listed(call("F.kl_div", x, call("exp", logs), reduction="sum")))


def test_gaussian():
    x, t, v = leaf([1.0, 2.0]), const([0.0, 0.0]), leaf([4.0, 1e-9])
    loss = call("F.gaussian_nll_loss", x, t, v, eps=0.25, reduction="none")
    assert listed(loss) == pytest.approx([(math.log(4) + 1 / 4) / 2, (math.log(0.25) + 16) / 2])
    # the bound on the variance is no part of the slope: what is below it gets the slope at the bound
    assert slopes(loss, v) == [pytest.approx([(1 / 4 - 1 / 16) / 2, (4 - 64) / 2])]
    assert listed(v) == [4.0, 1e-9]
    s = leaf(1e-9)
    assert slopes(call("F.gaussian_nll_loss", leaf(2.0), const(0.0), s, eps=0.25), s) == [pytest.approx(-30.0)]
    full = call("F.gaussian_nll_loss", x, t, 4.0, full=True)
    assert listed(full) == pytest.approx((math.log(4) + 2.5 / 4 + math.log(2 * math.pi)) / 2)
    assert listed(call("F.gaussian_nll_loss", leaf([[1.0, 2.0]]), const([[0.0, 0.0]]), const([4.0])))
    with pytest.raises(ValueFault, match="negative"):
        call("F.gaussian_nll_loss", x, t, const([-1.0, 1.0]))
    with pytest.raises(ValueFault, match="shape"):
        call("F.gaussian_nll_loss", x, t, const([1.0, 1.0, 1.0]))


def test_poisson():
    x, t = leaf([0.5, 1.0]), const([2.0, 1.0])
    loss = call("F.poisson_nll_loss", x, t, reduction="none")
    assert listed(loss) == pytest.approx([math.exp(0.5) - 1.0, math.e - 1.0])
    assert slopes(loss, x) == [pytest.approx([math.exp(0.5) - 2, math.e - 1])]
    full = call("F.poisson_nll_loss", x, t, full=True, reduction="none")
    stirling = 2 * math.log(2) - 2 + math.log(4 * math.pi) / 2
    assert listed(full) == pytest.approx([math.exp(0.5) - 1 + stirling, math.e - 1])
    plain = call("F.poisson_nll_loss", x, t, log_input=False, eps=0.0, reduction="none")
    assert listed(plain) == pytest.approx([0.5 - 2 * math.log(0.5), 1.0])


def test_soft_margin():
    x, t = leaf([2.0, -800.0]), const([1.0, 1.0])
    loss = call("F.soft_margin_loss", x, t, reduction="none")
    assert listed(loss) == pytest.approx([math.log1p(math.exp(-2)), 800.0])
    assert slopes(loss, x) == [pytest.approx([-1 / (1 + math.exp(2)), -1.0])]
    with pytest.raises(RuntimeFault, match="target"):
        call("F.soft_margin_loss", x, leaf([1.0, 1.0]))


A, B = [[3.0, 4.0], [0.0, 0.0]], [[4.0, 3.0], [1.0, 0.0]]


def test_cosine_similarity():
    a, b = leaf(A), leaf(B)
    y = call("F.cosine_similarity", a, b)
    assert listed(y) == pytest.approx([24 / 25, 0.0])
    in_a = slopes(y, a)[0]
    assert in_a[0] == pytest.approx([(4 * 25 - 3 * 24) / 5**4, (3 * 25 - 4 * 24) / 5**4])
    assert in_a[1] == pytest.approx([1e8, 0.0])  # the norm counts as eps
    tiny = leaf([[3e-10, 4e-10]])  # the bound is no part of the slope
    y = call("F.cosine_similarity", tiny, const([[1.0, 0.0]]))
    assert slopes(y, tiny)[0][0] == pytest.approx([1e8 - 1.8e6, -2.4e6])
    assert listed(call("cosine_similarity", leaf(A[0]), leaf(B[0]), dim=0)) == pytest.approx(24 / 25)
    with pytest.raises(IndexFault):
        call("F.cosine_similarity", leaf(A[0]), leaf(B[0]))


def test_distances_and_normalisation():
    y = call("F.pairwise_distance", leaf(A), leaf(B), eps=0.0)
    assert listed(y) == pytest.approx([math.sqrt(2), 1.0])
    assert y.grad_fn.name() == "NormBackward1"
    assert listed(call("pairwise_distance", leaf(A), leaf(B), p=1, eps=0.0, keepdim=True)) == [[2.0], [1.0]]
    x = leaf(A)
    y = call("F.normalize", x)
    assert listed(y) == [[0.6, 0.8], [0.0, 0.0]]
    assert slopes(y, x)[0][0] == pytest.approx([0.8 * (0.8 - 0.6) / 5, 0.6 * (0.6 - 0.8) / 5])


def test_losses_that_rank():
    x, t = leaf([0.5, 2.0, 0.25]), const([1.0, -1.0, -1.0])
    y = call("F.hinge_embedding_loss", x, t, margin=1.0, reduction="none")
    assert listed(y) == [0.5, 0.0, 0.75]
    assert slopes(y, x) == [[1.0, 0.0, -1.0]]
    a, b = leaf([1.0, 2.0]), leaf([3.0, 1.0])
    y = call("F.margin_ranking_loss", a, b, const([1.0, 1.0]), margin=0.5, reduction="none")
    assert listed(y) == [2.5, 0.0]
    assert slopes(y, a, b) == [[-1.0, 0.0], [1.0, 0.0]]
    y = call(
        "F.cosine_embedding_loss",
        leaf([A[0], A[0]]),
        leaf([B[0], B[0]]),
        const([1.0, -1.0]),
        margin=0.5,
        reduction="none",
    )
    assert listed(y) == pytest.approx([1 / 25, 24 / 25 - 0.5])
    y = call("F.triplet_margin_loss", leaf([[0.0, 0.0]]), leaf([[3.0, 4.0]]), leaf([[6.0, 8.0]]), margin=7.0, eps=0.0)
    assert listed(y) == pytest.approx(2.0)
    swapped = call(
        "F.triplet_margin_loss", leaf([[0.0, 0.0]]), leaf([[3.0, 4.0]]), leaf([[6.0, 8.0]]), 7.0, swap=True, eps=0.0
    )
    assert listed(swapped) == pytest.approx(7.0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: call("F.margin_ranking_loss", leaf([1.0]), leaf([1.0]), const(1.0)),
        lambda: call("F.cosine_embedding_loss", leaf([1.0]), leaf([1.0]), const([1.0])),
        lambda: call("F.triplet_margin_loss", leaf([1.0]), leaf([1.0]), leaf([[1.0]])),
    ],
)
def test_dimensions_that_do_not_fit(wrong):
    with pytest.raises(RuntimeFault, match=r"dimensions|shapes"):
        wrong()
