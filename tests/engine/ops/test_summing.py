"""Sums are added in PyTorch's order: equal to the last bit, which numpy's order is not."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff_cli.engine.ops.summing import along, total

RECORDED_TOTALS = {
    5: "-0x1.601b3e5f52f06p+1",
    7: "-0x1.3d15ce313ee30p-2",
    8: "-0x1.123ed351018b6p+2",
    9: "0x1.8b9d24fa9e524p-1",
    15: "-0x1.d37758ee6e1c6p+2",
    16: "0x1.3dd4155386d88p+1",
    17: "0x1.5a3844fad9946p+2",
    33: "-0x1.1f3c60f3c922cp+2",
    63: "-0x1.04535fa51cca8p+3",
    64: "-0x1.f586e89d3f4b9p+2",
    65: "0x1.a6f705f590fefp+2",
    100: "0x1.0a311a5f9ab6fp+4",
    128: "-0x1.d532376416670p+4",
    255: "-0x1.936d4ac238f49p+4",
}
RECORDED_ALONG = {
    ((3, 5), (0,)): "-0x1.38cb529967f82p+2",
    ((3, 5), (1,)): "-0x1.8b43faa310883p+2",
    ((3, 5), (0, 1)): "-0x1.eb4f7ef8022a2p-2",
    ((9, 3), (0,)): "0x1.b3fd6f6f3b5abp+2",
    ((9, 3), (1,)): "0x1.818b14e356caep+4",
    ((6, 16), (0,)): "0x1.06c6e2911ef94p+7",
    ((6, 16), (1,)): "0x1.318d4bd82ba90p+3",
    ((10, 21), (0,)): "-0x1.351cd4f1ad375p+8",
    ((10, 21), (1,)): "-0x1.d0575c1a0ae76p+7",
    ((9, 40), (0,)): "-0x1.01610f26ee148p+8",
    ((9, 40), (1,)): "-0x1.e6e89b4970c1ep+5",
    ((2, 9, 3), (0,)): "0x1.4156f25473fe4p+5",
    ((2, 9, 3), (1,)): "0x1.b8163b9c96de8p+4",
    ((2, 9, 3), (2,)): "0x1.ca0718dc84f7bp+5",
    ((2, 9, 3), (0, 1)): "0x1.9dd6b5893f347p+3",
    ((2, 9, 3), (1, 2)): "0x1.2a0b585a12318p+3",
    ((4, 3, 40), (1,)): "-0x1.dda877fcb2676p+11",
    ((4, 3, 40), (2,)): "-0x1.2baa69ccea1f8p+8",
}


def drawn(*shape: int) -> np.ndarray:
    return np.random.RandomState(len(shape) + shape[0]).standard_normal(shape)


@pytest.mark.parametrize("n", RECORDED_TOTALS)
def test_totals(n: int) -> None:
    assert float(total(drawn(n))).hex() == RECORDED_TOTALS[n]


@pytest.mark.parametrize(("shape", "dim"), RECORDED_ALONG)
def test_sums_along_dimensions(shape: tuple[int, ...], dim: tuple[int, ...]) -> None:
    sums = along(drawn(*shape), dim, False)
    assert sum(x * (i + 1) for i, x in enumerate(sums.ravel().tolist())).hex() == RECORDED_ALONG[shape, dim]


def test_the_layout_in_memory_is_what_counts() -> None:
    x = drawn(6, 7)
    assert total(x.T) == total(x)
    np.testing.assert_array_equal(along(x.T, (0,), False), along(x, (1,), False))


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1,), (5,), (300,), (2, 300), (4, 5, 6), (70, 70)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_every_other_sum_is_a_sum(shape: tuple[int, ...], dtype: str) -> None:
    x = np.ones(shape, dtype)
    assert total(x) == x.size and total(x).dtype == dtype
    if shape:
        for keepdim in (False, True):
            result = along(x, (0,), keepdim)
            assert result.dtype == dtype
            np.testing.assert_array_equal(result, x.sum(0, keepdims=keepdim))
