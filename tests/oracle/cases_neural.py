"""torch.nn.functional: layers and losses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from oracle.case import Case, T, call, constant, filled, group, inf, ints, nan, points, program, rand, scalar

REDUCTIONS = ("mean", "sum", "none", "other")
PAIRS = (
    (rand(3), rand(3, seed=2)),
    (rand(2, 3), rand(2, 3, seed=2)),
    (rand(2, 3), rand(3, seed=2)),
    (rand(2, 3), constant(rand(2, 3, seed=2))),
    (constant(rand(2, 3)), rand(2, 3, seed=2)),
    (scalar(1.5), scalar(0.25)),
    (rand(0), rand(0)),
    (rand(3), rand(2)),
    (rand(3, dtype="float32"), rand(3, seed=2, dtype="float32")),
    (rand(3), rand(3, dtype="float32")),
    (rand(3), ints(1, 2, 3)),
    (ints(1, 2, 3), ints(1, 0, 3)),
    (points(0.0, 1.0, 2.0, -1.0, inf, nan, 1e200), points(0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0)),
    (points(0.5, 1.5, -0.5, 2.5, 2.0), points(0.0, 0.5, 0.5, 0.5, 1.0)),
)


def elementwise_loss(
    name: str, variants: tuple[dict[str, Any], ...], pairs: tuple[tuple[Any, ...], ...] = PAIRS
) -> Iterator[Case]:
    """A loss of two tensors under each reduction and each choice of keywords."""
    path = f"F.{name}"
    for words in ({}, *variants):
        for reduction in (None, *REDUCTIONS):
            w = words if reduction is None else {**words, "reduction": reduction}
            for a, b in pairs:
                yield call(path, a, b, **w)
    yield call(path, rand(3))
    yield call(path, rand(3), 1.0)
    yield call(path, rand(3), rand(3, seed=2), reduce=False)
    yield call(path, rand(3), rand(3, seed=2), size_average=False)
    yield call(path, rand(3), rand(3, seed=2), nonsense=1)
    yield program(f"{path}(input=a, target=b)", rand(3), rand(3, seed=2))
    yield program(f"x = a * 1\ny = {path}(x, b)\nx.add_(1)\ny", rand(3, low=0.1, high=0.9), rand(3, low=0.1, high=0.9))
    yield program(f"{path}(a, torch.zeros_like(a)) * 2", rand(3, low=0.1, high=0.9))


def _loss(name: str, *variants: dict[str, Any], pairs: tuple[tuple[Any, ...], ...] = PAIRS, names: str = "") -> None:
    group(name, "neural", names or f"F.{name}", scaled=True)(partial(elementwise_loss, name, variants, pairs))


WEIGHT = filled((3,), 0.5, 2.0, 0.0, grad=False)
_loss("mse_loss", {"weight": WEIGHT})
_loss("l1_loss", {"weight": WEIGHT})
_loss("smooth_l1_loss", {"beta": 0.5}, {"beta": 0.0}, {"beta": -1.0}, {"beta": 2})
_loss("huber_loss", {"delta": 0.5}, {"delta": 2.0}, {"delta": 0.0}, {"weight": WEIGHT})
PROBABILITIES = (
    (rand(3, low=0.1, high=0.9), rand(3, seed=2, low=0.0, high=1.0)),
    (rand(2, 3, low=0.1, high=0.9), rand(2, 3, seed=2, low=0.0, high=1.0)),
    (points(0.0, 1.0, 0.5, 1.0, 0.0), points(0.0, 0.0, 0.0, 1.0, 1.0)),
    (points(0.5, 1e-300), points(1.0, 1.0)),
    (points(1.5, 0.5), points(1.0, 1.0)),
    (points(0.5, nan), points(1.0, 1.0)),
    (rand(2, 3, low=0.1, high=0.9), rand(3, seed=2, low=0.0, high=1.0)),
    (scalar(0.25), scalar(1.0)),
    (points(0.25, 0.75), ints(0, 1)),
    (rand(3, low=0.1, high=0.9, dtype="float32"), rand(3, dtype="float32", low=0.0, high=1.0)),
    (rand(0), rand(0)),
)
_loss("binary_cross_entropy", {"weight": WEIGHT}, pairs=PROBABILITIES)
LOGITS = (
    (rand(3), rand(3, seed=2, low=0.0, high=1.0)),
    (rand(2, 3), rand(2, 3, seed=2, low=0.0, high=1.0)),
    (
        points(0.0, -0.0, 40.0, -40.0, 800.0, -800.0, inf, -inf),
        points(0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0),
    ),
    (rand(2, 3), rand(3, low=0.0, high=1.0)),
    (scalar(0.25), scalar(1.0)),
    (rand(3), ints(0, 1, 1)),
    (rand(3, dtype="float32"), rand(3, dtype="float32", low=0.0, high=1.0)),
    (rand(0), rand(0)),
)
_loss(
    "binary_cross_entropy_with_logits", {"weight": WEIGHT}, {"pos_weight": WEIGHT}, {"weight": WEIGHT, "pos_weight": filled((3,), 2.0, grad=False)},
    pairs=LOGITS, names="F.binary_cross_entropy_with_logits",
)  # fmt: skip
_loss("soft_margin_loss", pairs=((rand(3), points(1.0, -1.0, 1.0)), (rand(2, 3), filled((2, 3), 1.0, -1.0))))
_loss(
    "poisson_nll_loss",
    {"log_input": False},
    {"full": True},
    pairs=((rand(3), points(1.0, 2.0, 3.0)), (rand(3, low=0.1), ints(1, 2, 3))),
)


@group("kl_div", "neural", "F.kl_div torch.kl_div", scaled=True)
def _kl_div() -> Iterator[Case]:
    logs = rand(2, 3, low=-3.0, high=-0.1)
    targets = (
        rand(2, 3, seed=3, low=0.0, high=1.0),
        filled((2, 3), 0.0, 0.5, 1.0),
        filled((2, 3), -0.5, nan, inf),
        rand(3, low=0.1, high=1.0),
    )
    for reduction in (None, "batchmean", *REDUCTIONS):
        for t in targets:
            for log_target in (False, True):
                words: dict[str, Any] = (
                    {"log_target": log_target}
                    if reduction is None
                    else {"log_target": log_target, "reduction": reduction}
                )
                yield call("F.kl_div", logs, t, **words)
        yield call("F.kl_div", points(-inf, -1.0), points(0.5, 0.5), reduction=reduction or "sum")
    yield call("F.kl_div", logs, targets[0])
    yield call("F.kl_div", scalar(-0.5), scalar(0.5))
    yield call("torch.kl_div", logs, targets[0])
    yield program(
        "F.kl_div(F.log_softmax(a, 1), F.softmax(b, 1), reduction='batchmean')", rand(2, 3), rand(2, 3, seed=2)
    )


CLASSES = (
    (rand(4, 3), ints(0, 2, 1, 1)),
    (rand(3), T("int64", (), (1,))),
    (rand(2, 3, 2), T("int64", (2, 2), (0, 1, 2, 0))),
    (rand(1, 3, 2, 2), T("int64", (1, 2, 2), (0, 1, 2, 0))),
    (rand(4, 3), ints(0, -100, 1, -100)),
    (rand(2, 3), ints(-100, -100)),
    (rand(4, 3), ints(0, 1, 2, 3)),
    (rand(4, 3), ints(0, -1, 2, 1)),
    (rand(4, 3), ints(0, 1)),
    (rand(4, 3), points(0.0, 1.0, 2.0, 1.0)),
    (rand(0, 3), ints()),
    (rand(2, 1), ints(0, 0)),
    (filled((2, 3), 1000.0, -1000.0, 0.0), ints(0, 1)),
    (filled((2, 3), inf, 0.0, -inf), ints(0, 2)),
    (rand(2, 3, dtype="float32"), ints(0, 2)),
    (rand(2, 2, 3), ints(0, 1)),
    (rand(2, 3), T("int64", (2, 1), (0, 1))),
)
SOFT = (
    (rand(4, 3), rand(4, 3, seed=2, low=0.0, high=1.0)),
    (rand(3), rand(3, seed=2, low=0.0, high=1.0)),
    (rand(2, 3, 2), rand(2, 3, 2, seed=2, low=0.0, high=1.0)),
    (rand(4, 3), constant(rand(4, 3, seed=2, low=0.0, high=1.0))),
    (rand(4, 3), rand(4, 2)),
    (rand(4, 3), T("int64", (4, 3), (1, 0, 0) * 4)),
)
WEIGHTS = filled((3,), 0.5, 2.0, 1.0, grad=False)


@group("cross_entropy", "neural", "F.cross_entropy", scaled=True)
def _cross_entropy() -> Iterator[Case]:
    variants: tuple[dict[str, Any], ...] = (
        {}, {"weight": WEIGHTS}, {"label_smoothing": 0.1}, {"weight": WEIGHTS, "label_smoothing": 0.25}, {"ignore_index": 1}, {"label_smoothing": 1.5}, {"weight": WEIGHTS, "ignore_index": 2, "label_smoothing": 0.5},
        {"label_smoothing": 1.0},
    )  # fmt: skip
    for words, reduction in product(variants, (None, *REDUCTIONS)):
        w = words if reduction is None else {**words, "reduction": reduction}
        for a, b in CLASSES[:6] if words and reduction not in (None, "sum") else CLASSES:
            yield call("F.cross_entropy", a, b, **w)
        if "ignore_index" not in words:
            for a, b in SOFT:
                yield call("F.cross_entropy", a, b, **w)
    yield call("F.cross_entropy", rand(4, 3), SOFT[0][1], ignore_index=1)
    yield call("F.cross_entropy", rand(4, 3), ints(0, 1, 2, 0), rand(2))
    yield call("F.cross_entropy", rand(4, 3), ints(0, 1, 2, 0), weight=rand(3, low=0.1))
    yield program("F.cross_entropy(a, b)", scalar(1.0), T("int64", (), (0,)))
    yield program("x = a * 1\ny = F.cross_entropy(x, b)\nx.add_(1)\ny", rand(4, 3), ints(0, 1, 2, 0))


@group("nll_loss", "neural", "F.nll_loss", scaled=True)
def _nll_loss() -> Iterator[Case]:
    variants: tuple[dict[str, Any], ...] = (
        {},
        {"weight": WEIGHTS},
        {"ignore_index": 1},
        {"weight": WEIGHTS, "ignore_index": 2},
    )
    for words, reduction in product(variants, (None, *REDUCTIONS)):
        w = words if reduction is None else {**words, "reduction": reduction}
        for a, b in CLASSES:
            yield call("F.nll_loss", a, b, **w)
    yield call("F.nll_loss", rand(4, 3), ints(0, 1, 2, 0), rand(2))
    yield program("F.nll_loss(F.log_softmax(a, dim=1), b)", rand(4, 3), ints(0, 1, 2, 0))
    yield program("x = a * 1\ny = F.nll_loss(x, b)\nx.add_(1)\ny", rand(4, 3), ints(0, 1, 2, 0))


@group("linear", "neural", "F.linear", scaled=True)
def _linear() -> Iterator[Case]:
    for shape in ((3,), (2, 3), (2, 2, 3), (0, 3), (2,), ()):
        for weight in ((4, 3), (3,), (1, 3), (2, 4, 3)):
            yield call("F.linear", rand(*shape), rand(*weight, seed=2))
            yield call("F.linear", rand(*shape), rand(*weight, seed=2), rand(*weight[:1], seed=3))
            yield call("F.linear", rand(*shape), rand(*weight, seed=2), bias=scalar(1.5))
    yield call("F.linear", rand(2, 3), rand(4, 3), rand(3))
    yield call("F.linear", rand(2, 3, dtype="float32"), rand(4, 3))
    yield call("F.linear", rand(2, 3), rand(4, 3), None)
    yield program("F.linear(input=a, weight=b, bias=c)", rand(2, 3), rand(4, 3), rand(4))
    yield program("x = a * 1\nw = b * 1\ny = F.linear(x, w)\nw.add_(1)\ny", rand(2, 3), rand(4, 3))


@group("bilinear", "neural", "F.bilinear torch.bilinear", scaled=True)
def _bilinear() -> Iterator[Case]:
    yield call("F.bilinear", rand(2, 3), rand(2, 4), rand(5, 3, 4))
    yield call("F.bilinear", rand(2, 3), rand(2, 4), rand(5, 3, 4), rand(5))


@group("layer_norm", "neural", "F.layer_norm torch.layer_norm", scaled=True)
def _layer_norm() -> Iterator[Case]:
    for path in ("F.layer_norm", "torch.layer_norm"):
        for a, shape in ((rand(2, 3), (3,)), (rand(2, 3), (2, 3)), (rand(2, 2, 3), [3]), (rand(3), (3,)), (rand(2, 3), (2,)), (rand(2, 3), ()), (filled((2, 3), 2.0), (3,)), (rand(0, 3), (3,)), (rand(2, 3, dtype="float32"), (3,)), (filled((2, 3), 1e4, 1e4 + 1, 1e4 - 1), (3,))):  # fmt: skip
            yield call(path, a, shape)
            yield call(path, a, shape, eps=0.1)
            if a.dtype == "float64" and shape:
                size = tuple(shape)
                yield call(path, a, shape, rand(*size, seed=4), rand(*size, seed=5))
                yield call(path, a, shape, weight=rand(*size, seed=4))
                yield call(path, a, shape, bias=rand(*size, seed=4))
        yield call(path, rand(2, 3), (3,), rand(2))
        yield call(path, rand(2, 3), 3)
    yield program("x = a * 1\ny = F.layer_norm(x, (3,))\nx.add_(1)\ny", rand(2, 3))


@group("rms_norm", "neural", "F.rms_norm torch.rms_norm", scaled=True)
def _rms_norm() -> Iterator[Case]:
    for path in ("F.rms_norm", "torch.rms_norm"):
        yield call(path, rand(2, 3), (3,))
        yield call(path, rand(2, 3), (3,), rand(3), 0.1)


@group("batch_norm", "neural", "F.batch_norm", scaled=True)
def _batch_norm() -> Iterator[Case]:
    yield call("F.batch_norm", rand(4, 3), None, None, training=True)
    yield call("F.batch_norm", rand(4, 3), filled((3,), 0.5, grad=False), filled((3,), 2.0, grad=False))


@group(
    "normalize",
    "neural",
    "F.normalize F.cosine_similarity torch.cosine_similarity F.pairwise_distance torch.pairwise_distance",
    scaled=True,
)
def _normalize() -> Iterator[Case]:
    for a in (rand(2, 3), rand(3), filled((2, 2), 0.0, 0.0, 3.0, 4.0)):
        yield call("F.normalize", a, dim=0)
        yield call("F.normalize", a, p=1, dim=-1, eps=0.1)
        for name in ("cosine_similarity", "pairwise_distance"):
            yield call(f"F.{name}", a, T(a.dtype, a.shape, rand(*a.shape, seed=3).values, True))
            yield call(f"torch.{name}", a, T(a.dtype, a.shape, rand(*a.shape, seed=3).values, True))
    yield call("F.cosine_similarity", rand(2, 3), rand(2, 3, seed=4), dim=0)


@group("glu", "neural", "F.glu")
def _glu() -> Iterator[Case]:
    for a in (rand(4), rand(2, 4), rand(3)):
        yield call("F.glu", a)
        yield call("F.glu", a, dim=0)


@group("margin losses", "neural", "F.hinge_embedding_loss F.margin_ranking_loss F.gaussian_nll_loss", scaled=True)
def _margins() -> Iterator[Case]:
    y = points(1.0, -1.0, 1.0, grad=False)
    yield call("F.hinge_embedding_loss", rand(3), y)
    yield call("F.margin_ranking_loss", rand(3), rand(3, seed=2), y)
    yield call("F.hinge_embedding_loss", rand(3), y, margin=0.5, reduction="none")
    yield call("F.margin_ranking_loss", rand(3), rand(3, seed=2), y, margin=0.5, reduction="sum")
    for reduction in REDUCTIONS:
        yield call("F.gaussian_nll_loss", rand(3), rand(3, seed=2), rand(3, low=0.1), reduction=reduction)
        yield call("F.gaussian_nll_loss", rand(3), rand(3, seed=2), rand(3, low=0.1), full=True, reduction=reduction)


@group("dropout", "neural", "F.dropout torch.dropout", scaled=True)
def _dropout() -> Iterator[Case]:
    for p in (0.0, 1.0, 0, 1, -0.1, 1.5):
        for training in (True, False):
            yield call("F.dropout", rand(2, 3), p, training)
            yield call("F.dropout", scalar(1.5), p=p, training=training)
            yield call("torch.dropout", rand(3), p, training)
    yield program("F.dropout(a, 0.5, training=False)", rand(3))
    yield program("F.dropout(a, 0.5, training=False) is a", rand(3))
    yield program("F.dropout(a, p=0.5).shape", rand(2, 3))
    yield program("y = F.dropout(a, 0.25)\nbool(((y == 0) | (y == a / 0.75)).all())", rand(50))
    yield program("F.dropout(a, 0.5).grad_fn.name()", rand(50))
    yield program("y = F.dropout(torch.ones(4000), 0.25)\nbool((y.mean() - 1).abs() < 0.1)")
    yield program(
        "y = F.dropout(a, 0.5)\n(g,) = torch.autograd.grad(y.sum(), a)\nbool((g * a == y).all())", rand(50, low=0.5)
    )
    yield program(
        "torch.manual_seed(3)\nx = F.dropout(a, 0.5)\ntorch.manual_seed(3)\nbool((x == F.dropout(a, 0.5)).all())",
        rand(50),
    )
    yield program("x = a * 1\ny = F.dropout(x, 1.0, inplace=True)\n(y is x, x)", rand(3))
    yield program("F.dropout(a)", ints(1, 2))


@group("scaled_dot_product_attention", "neural", "F.scaled_dot_product_attention", scaled=True)
def _attention() -> Iterator[Case]:
    path = "F.scaled_dot_product_attention"
    q, k, v = rand(2, 3, 4), rand(2, 5, 4, seed=2), rand(2, 5, 2, seed=3)
    mask = T("bool", (3, 5), tuple(i % 4 != 1 for i in range(15)))
    blind = T("bool", (3, 5), tuple(i >= 5 for i in range(15)))
    yield call(path, q, k, v)
    yield call(path, rand(3, 4), rand(5, 4, seed=2), rand(5, 2, seed=3))
    yield call(path, rand(1, 2, 3, 4), rand(1, 2, 5, 4, seed=2), rand(1, 2, 5, 4, seed=3))
    yield call(path, q, k, v, attn_mask=mask)
    yield call(path, q, k, v, attn_mask=blind)
    yield call(path, q, k, v, mask)
    yield call(path, q, k, v, attn_mask=rand(3, 5, seed=6))
    yield call(path, q, k, v, attn_mask=constant(rand(2, 3, 5, seed=6)))
    yield call(path, q, q, q, is_causal=True)
    yield call(path, q, k, v, is_causal=True)
    yield call(path, q, k, v, attn_mask=mask, is_causal=True)
    yield call(path, q, k, v, scale=0.3)
    yield call(path, q, k, v, dropout_p=0.0)
    yield call(path, q, rand(2, 5, 3), v)
    yield call(path, q, k, rand(2, 4, 2))
    yield call(path, rand(2, 3, 4, dtype="float32"), rand(2, 5, 4, dtype="float32"), rand(2, 5, 2, dtype="float32"))
    yield call(path, q, q, q, dropout_p=1.5)
    yield call(path, rand(1, 4, 3, 4), rand(1, 2, 5, 4, seed=2), rand(1, 2, 5, 4, seed=3), enable_gqa=True)
    yield program(f"{path}(a, a, a)", rand(2, 3, 4))
