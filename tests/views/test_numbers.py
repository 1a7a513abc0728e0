"""Numbers for people: one number, a format of the user's, an array in one line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autodiff_cli.errors import UsageFault
from autodiff_cli.views.numbers import array_text, format_number, number_text, parse_ofmt


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (49.0, "49"),
        (0.1, "0.1"),
        (-0.0, "-0"),
        (1e-9, "1e-09"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (1 / 3, "0.3333333333333333"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (3, "3"),
        (True, "True"),
        (np.float64(2.5), "2.5"),
        (np.float32(0.1), "0.1"),
        (np.float32(1e10), "10000000000"),
        (np.int64(7), "7"),
        (np.bool_(True), "True"),
    ],
)
def test_number_text(x: Any, text: str) -> None:
    assert number_text(x) == text


@pytest.mark.parametrize(
    ("x", "digits", "text"),
    [
        (1 / 3, 6, "0.333333"),
        (0.25, 6, "0.25"),
        (1234567.0, 6, "1.23457e+06"),
        (1234567.0, 7, "1234567"),
        (1e15, 6, "1000000000000000"),
        (0.000123, 3, "0.000123"),
        (-2 / 3, 3, "-0.667"),
        (1.5e-300, 2, "1.5e-300"),
        (math.inf, 2, "inf"),
        (1234567, 3, "1234567"),
    ],
)
def test_number_text_with_digits(x: Any, digits: int, text: str) -> None:
    assert number_text(x, digits) == text


@given(st.floats(allow_nan=False))
@settings(max_examples=200, deadline=None)
def test_number_text_reads_back(x: float) -> None:
    assert float(number_text(x)) == x
    assert math.copysign(1, float(number_text(x))) == math.copysign(1, x)


@given(st.floats(width=32, allow_nan=False))
@settings(max_examples=200, deadline=None)
def test_number_text_of_a_float32_reads_back(x: float) -> None:
    assert np.float32(number_text(np.float32(x))) == np.float32(x)


@pytest.mark.parametrize(
    ("ofmt", "text"),
    [
        ("%.6g", "0.333333"),
        ("%10.3f", "     0.333"),
        ("%.6lf", "0.333333"),
        ("%+.1e", "+3.3e-01"),
        ("%.f", "0"),
    ],
)
def test_ofmt(ofmt: str, text: str) -> None:
    assert format_number(1 / 3, parse_ofmt(ofmt)) == text


def test_ofmt_is_for_floats() -> None:
    assert format_number(3, "%.3f") == "3"
    assert format_number(True, "%.3f") == "True"
    assert format_number(np.float32(0.5), "%.3f") == "0.500"
    assert format_number(math.nan, "%.3f") == "nan"
    assert format_number(49.0) == "49"


@pytest.mark.parametrize(
    ("ofmt", "hint"),
    [
        (".6g", "write %.6g"),
        ("%d", "such as %.6g"),
        ("%.3f %.3f", "such as %.6g"),
        ("%s", "such as"),
        ("%%", "such as"),
        ("", "such as"),
        ("%*f", "such as"),
        ("%(x)f", "such as"),
        ("%.3f\n", "such as"),
        ("%.\u0663f", "such as"),
        ("%.99999f", ""),
        ("%99999999999999999999f", ""),
    ],
)
def test_ofmt_refused(ofmt: str, hint: str) -> None:
    with pytest.raises(UsageFault) as caught:
        parse_ofmt(ofmt)
    assert hint in (caught.value.hint or "")


HALVES = np.arange(1000) / 2
GRID = np.arange(60.0).reshape(20, 3)


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (3.25, 80, "3.25"),
        (True, 80, "True"),
        (np.array(2.0), 80, "2"),
        (np.array([1, 2.5, 3]), 80, "[1, 2.5, 3]"),
        (np.array([1, 2.5, 3]), 11, "[1, 2.5, 3]"),
        (np.array([1, 2, 3, 4, 5]), 14, "[1, \u2026 5] (5)"),
        (HALVES, 40, "[0, 0.5, 1, 1.5, 2, 2.5, \u2026 499.5] (1000)"),
        (HALVES, 12, "[\u2026] (1000)"),
        (GRID[:2], 80, "[[0, 1, 2], [3, 4, 5]]"),
        (GRID, 40, "20x3 [[0, 1, 2], [3, 4, 5], \u2026]"),
        (GRID, 20, "20x3 [[0, 1, 2], \u2026]"),
        (GRID, 16, "20x3 [[0, \u2026], \u2026]"),
        (GRID, 9, "20x3 [\u2026]"),
        (np.ones((3, 4, 5)), 30, "3x4x5 [[[1, 1, 1, \u2026], \u2026], \u2026]"),
        (np.zeros((0, 3)), 80, "0x3 []"),
        (np.zeros(0), 80, "[]"),
        (np.array([True, False]), 80, "[True, False]"),
        (np.array([0.1], dtype=np.float32), 80, "[0.1]"),
        (np.array([np.nan, -np.inf]), 80, "[nan, -inf]"),
    ],
)
def test_array_text(value: Any, width: int, text: str) -> None:
    assert array_text(value, width) == text


def test_array_text_in_ascii_and_with_formats() -> None:
    assert array_text(HALVES, 40, ascii_only=True, ofmt="%.2f") == "[0.00, 0.50, 1.00, ... 499.50] (1000)"
    assert array_text(np.array([1, 2]) / 3, 80, digits=3) == "[0.333, 0.667]"
    assert array_text(GRID, 22, ascii_only=True) == "20x3 [[0, 1, 2], ...]"


@given(
    hnp.arrays(np.float64, hnp.array_shapes(min_side=0, max_dims=4, max_side=7)),
    st.integers(0, 60),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_array_text_is_one_line_of_the_width(array: np.ndarray[Any, Any], width: int, ascii_only: bool) -> None:
    text = array_text(array, width, ascii_only=ascii_only)
    assert len(text) <= width and "\n" not in text
    if ascii_only:
        assert text.isascii()


def test_a_large_array_is_not_read_whole() -> None:
    huge = np.broadcast_to(np.float64(1.5), (10**6, 10**6))
    assert array_text(huge, 40) == "1000000x1000000 [[1.5, 1.5, 1.5, \u2026], \u2026]"
