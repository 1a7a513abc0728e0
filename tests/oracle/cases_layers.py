"""Convolutions, pools and other layers; parts of a tensor replaced; covariances; and what else code in the wild uses."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.case import Case, call, flags, group, ints, nan, points, program, rand, scalar

LINE = rand(2, 3, 7)
PICTURE = rand(2, 2, 4, 5)

CONVOLUTIONS = " ".join(f"{p}.{n}{d}d" for p in ("torch", "F") for n in ("conv", "conv_transpose") for d in (1, 2, 3))


@group("convolutions", "layers", CONVOLUTIONS, scaled=True)
def _convolutions() -> Iterator[Case]:
    for path in ("torch", "F"):
        yield call(f"{path}.conv1d", LINE, rand(4, 3, 2), rand(4, seed=3))
        yield call(f"{path}.conv2d", PICTURE, rand(3, 2, 2, 3), rand(3, seed=3))
        yield call(f"{path}.conv3d", rand(1, 2, 3, 3, 2), rand(2, 2, 2, 1, 2))
        yield call(f"{path}.conv_transpose1d", LINE, rand(3, 2, 3), rand(2, seed=3))
        yield call(f"{path}.conv_transpose2d", PICTURE, rand(2, 3, 2, 2), stride=2)
        yield call(f"{path}.conv_transpose3d", rand(1, 2, 2, 2, 2), rand(2, 1, 2, 1, 2))
    for words in ({"stride": 2}, {"padding": 1}, {"dilation": 2}, {"padding": "same"}, {"padding": "valid"}, {"stride": 3, "padding": 2, "dilation": 2}):  # fmt: skip
        yield call("F.conv1d", LINE, rand(2, 3, 3), **words)
        yield call("F.conv2d", PICTURE, rand(2, 2, 2, 2), **words)
    for words in ({"stride": 2, "output_padding": 1}, {"padding": 1}, {"dilation": 2}, {"groups": 2, "stride": (2, 1)}):
        yield call("F.conv_transpose2d", PICTURE, rand(2, 2, 2, 2), **words)
    yield call("F.conv2d", PICTURE, rand(4, 1, 2, 2), rand(4), groups=2)
    yield call("F.conv2d", rand(2, 4, 5), rand(3, 2, 2, 2), rand(3))
    yield call("F.conv1d", rand(3, 7), rand(2, 3, 2))
    yield call("F.conv1d", LINE, rand(4, 3, 2), stride=(2,))
    yield call("F.conv1d", rand(1, 1, 4, dtype="float32"), rand(1, 1, 2, dtype="float32"))
    for bad in (
        (LINE, rand(4, 2, 2)), (LINE, rand(4, 3)), (LINE, rand(4, 3, 9)), (rand(3), rand(1, 1, 1)), (LINE, rand(4, 3, 2), rand(3)),
        (ints(1, 2), rand(1, 1, 1)), (rand(1, 1, 3, dtype="float32"), rand(1, 1, 2)),
    ):  # fmt: skip
        yield call("F.conv1d", *bad)
    yield call("F.conv1d", LINE, rand(4, 3, 2), stride=0)
    yield call("F.conv1d", LINE, rand(4, 3, 2), groups=2)
    yield call("F.conv1d", LINE, rand(4, 3, 2), padding="other")


POOLS = "torch.avg_pool1d F.avg_pool1d F.avg_pool2d torch.adaptive_avg_pool1d F.adaptive_avg_pool1d F.adaptive_avg_pool2d torch.max_pool1d F.max_pool1d torch.max_pool2d F.max_pool2d"  # fmt: skip


@group("pools", "layers", POOLS, scaled=True)
def _pools() -> Iterator[Case]:
    for path in ("torch", "F"):
        yield call(f"{path}.avg_pool1d", LINE, 2)
        yield call(f"{path}.max_pool1d", LINE, 2)
        yield call(f"{path}.max_pool2d", PICTURE, 2)
        yield call(f"{path}.adaptive_avg_pool1d", LINE, 3)
    for words in ({"stride": 1}, {"padding": 1}, {"stride": 2, "padding": 1, "ceil_mode": True}, {"padding": 1, "count_include_pad": False}):  # fmt: skip
        yield call("F.avg_pool1d", LINE, 3, **words)
        yield call("F.avg_pool2d", PICTURE, 3, **words)
    for words in ({"stride": 1}, {"padding": 1}, {"dilation": 2, "stride": 1}, {"stride": 2, "ceil_mode": True}):
        yield call("F.max_pool1d", LINE, 3, **words)
        yield call("F.max_pool2d", PICTURE, 2, **words)
    yield call("F.avg_pool2d", PICTURE, (2, 1), divisor_override=3)
    yield call("F.avg_pool2d", rand(2, 4, 5), 2)
    yield call("F.max_pool2d", PICTURE, 2, return_indices=True)
    yield program("F.max_pool1d(a.reshape(1, 6), 3)", points(2.0, 2.0, 1.0, 1.0, nan, 3.0))
    for size in (1, 2, (2, 3), (None, 1), (1, 1)):
        yield call("F.adaptive_avg_pool2d", PICTURE, size)
    for size in (1, 2, 5, 9):
        yield call("F.adaptive_avg_pool1d", LINE, size)
    yield call("F.avg_pool1d", LINE, 9)
    yield call("F.max_pool1d", LINE, 9)
    yield call("F.avg_pool1d", LINE, 2, padding=2)
    yield call("F.max_pool2d", rand(3), 2)


@group("normal layers", "layers", "F.instance_norm torch.pixel_shuffle F.pixel_shuffle torch.pixel_unshuffle F.pixel_unshuffle torch.pdist F.pdist F.gumbel_softmax",
       scaled=True)  # fmt: skip
def _layers() -> Iterator[Case]:
    yield call("F.instance_norm", LINE)
    yield call("F.instance_norm", PICTURE, weight=rand(2), bias=rand(2, seed=2), eps=0.1)
    yield call("F.instance_norm", rand(2, 3, 1))
    for path in ("torch", "F"):
        yield call(f"{path}.pixel_shuffle", rand(4, 2, 3), 2)
        yield call(f"{path}.pixel_unshuffle", rand(1, 2, 4, 2), 2)
        yield call(f"{path}.pixel_shuffle", rand(3, 2, 3), 2)
        yield call(f"{path}.pixel_unshuffle", rand(1, 3, 2), 2)
        for p in (2.0, 1.0, 3.0, float("inf")):
            yield call(f"{path}.pdist", rand(4, 3), p)
        yield call(f"{path}.pdist", rand(4))
        yield call(f"{path}.pdist", rand(4, 2), -1.0)
    for words in ("", ", hard=True", ", tau=0.5", ", tau=2.0, hard=True, dim=0"):
        yield program(f"torch.manual_seed(5)\nF.gumbel_softmax(a{words})", rand(3, 4))


@group("parts replaced", "layers", " ".join(
    f"{p}.{n}_scatter" for p in ("torch", "Tensor") for n in ("slice", "select", "diagonal")) + " torch.block_diag")  # fmt: skip
def _parts() -> Iterator[Case]:
    for path in ("torch.", "."):
        yield call(f"{path}slice_scatter", rand(4, 3), rand(2, 3, seed=2), 0, 1, 3)
        yield call(f"{path}slice_scatter", rand(4, 3), rand(4, 2, seed=2), dim=1, step=2)
        yield call(f"{path}select_scatter", rand(4, 3), rand(3, seed=2), 0, -1)
        yield call(f"{path}diagonal_scatter", rand(3, 3), rand(3, seed=2))
        yield call(f"{path}diagonal_scatter", rand(3, 3), rand(2, seed=2), 1)
        yield call(f"{path}slice_scatter", rand(4, 3), rand(3, seed=2), 0, 1, 3)
        yield call(f"{path}select_scatter", rand(4, 3), rand(3, seed=2), 0, 4)
        yield call(f"{path}select_scatter", rand(4, 3), ints(1, 2, 3), 0, 1)
        yield call(f"{path}diagonal_scatter", rand(3), rand(3, seed=2))
    yield call("torch.block_diag", rand(2, 3), rand(2, seed=2), scalar(1.5), ints(1, 2))
    yield call("torch.block_diag", rand(2, 3))
    yield call("torch.block_diag", rand(2, 3, 1))


@group("covariances", "layers", "torch.cov Tensor.cov torch.corrcoef Tensor.corrcoef", scaled=True)
def _covariances() -> Iterator[Case]:
    for a in (rand(3, 4), rand(5), scalar(1.5), rand(1, 3), ints(1, 3, 2), flags(1, 0)):
        yield call("torch.cov", a)
        yield call(".cov", a)
        yield call("torch.corrcoef", a)
        yield call(".corrcoef", a)
    yield call("torch.cov", rand(2, 3), correction=0)
    yield call("torch.cov", rand(2, 3), fweights=ints(1, 2, 1))
    yield call("torch.cov", rand(2, 3), aweights=rand(3, low=0.1, grad=False))
    yield call("torch.cov", rand(2, 3), fweights=ints(1, 2, 1), aweights=rand(3, low=0.1, grad=False))
    yield call("torch.cov", rand(2, 3), fweights=rand(3))
    yield call("torch.cov", rand(2, 2, 3))
    yield call("torch.corrcoef", rand(2, 2, 3))


@group("odds and ends", "layers", "torch.gradient linalg.diagonal torch.split_with_sizes Tensor.split_with_sizes torch.detach", scaled=True)  # fmt: skip
def _odds() -> Iterator[Case]:
    for words in ({}, {"spacing": 0.5}, {"edge_order": 2}, {"spacing": 2.0, "edge_order": 2}):
        yield call("torch.gradient", rand(5), **words)
        yield call("torch.gradient", rand(3, 4), **words)
    yield call("torch.gradient", rand(3, 4), dim=1)
    yield call("torch.gradient", rand(3, 4), spacing=[0.5, 2.0])
    yield call("torch.gradient", rand(1))
    yield call("torch.gradient", rand(3), edge_order=3)
    yield call("torch.linalg.diagonal", rand(2, 3, 3))
    yield call("torch.linalg.diagonal", rand(3, 4), offset=1)
    yield call("torch.linalg.diagonal", rand(3))
    for path in ("torch.", "."):
        yield call(f"{path}split_with_sizes", rand(5), [2, 3])
        yield call(f"{path}split_with_sizes", rand(2, 5), [1, 4], 1)
        yield call(f"{path}split_with_sizes", rand(5), [2, 2])
        yield call(f"{path}split_with_sizes", rand(5), 2)
    yield program("torch.detach(a)", rand(3))
    yield program("torch.detach(a) * a", rand(3))


@group("incomplete gamma", "layers", " ".join(f"torch.{n} Tensor.{n} Tensor.{n}_" for n in ("igamma", "igammac")) + " special.gammainc special.gammaincc", scaled=True)  # fmt: skip
def _incomplete() -> Iterator[Case]:
    order, x = points(0.5, 1.5, 2.0, 7.0, grad=False), points(0.25, 1.0, 3.0, 0.5)
    for path in ("torch.igamma", "torch.igammac", "torch.special.gammainc", "torch.special.gammaincc", ".igamma", ".igammac", ".igamma_", ".igammac_"):  # fmt: skip
        yield call(path, order, x)
    yield call("torch.igamma", x, x)
    yield call("torch.igamma", ints(1), ints(2))
    yield call("torch.igamma", order, 2.0)


CHANGES = (
    "abs acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil cos cosh deg2rad erf erfc exp "
    "exp2 expm1 fix floor frac i0 log log10 log1p log2 nan_to_num neg negative rad2deg reciprocal relu round rsqrt "
    "sigmoid sin sinc sinh sqrt square tan tanh trunc zero logit"
)
OTHERS = "clamp clamp_max clamp_min clip detach fill gcd index_put lcm ldexp xlogy"


@group("changes by functions", "layers", " ".join(f"torch.{n}_" for n in f"{CHANGES} {OTHERS}".split()))
def _changes() -> Iterator[Case]:
    for name in CHANGES.split():
        yield program(f"x = a * 1\ny = torch.{name}_(x)\n(y is x, x)", points(0.25, 0.5))
    for arguments in (
        "clamp_(x, 0.3, 0.4)", "clamp_max_(x, 0.3)", "clamp_min_(x, 0.3)", "clip_(x, 0.3)", "detach_(x)", "fill_(x, 2.0)",
        "index_put_(x, (torch.tensor([0]),), torch.tensor([5.0]))", "ldexp_(x, torch.tensor([1, 2]))", "xlogy_(x, 2.0)",
    ):  # fmt: skip
        yield program(f"x = a * 1\ny = torch.{arguments}\n(y is x, x)", points(0.25, 0.5))
    yield program("x = a.clone()\ntorch.gcd_(x, torch.tensor([4]))\ntorch.lcm_(x, torch.tensor([6]))", ints(6, 8))
    yield program("torch.exp_(a)", rand(2))
    yield program("torch.exp_(1.5)")
