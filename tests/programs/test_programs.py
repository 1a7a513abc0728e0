"""Runs every PyTorch script of this folder through `autodiff run -q` and compares with PyTorch.

The recordings (`NNN_topic.out`) are PyTorch's own output, made by `record.py`. Text must agree to the
letter; a floating-point number may differ by 1e-9 of its size, because two libraries add up in different
orders. The decimals of a number are text: `2.` is not `2.0`, and `tensor(0)` is not `tensor(0.)`.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

import pytest
from programs.running import run_as_process, run_program

FOLDER = Path(__file__).resolve().parent
PROGRAMS = sorted(FOLDER.glob("[0-9]*.py"))
RTOL = 1e-9

# A number that stands alone: not a part of a name (`Pow2`, `float64`) nor of a dotted word.
NUMBER = re.compile(r"(?<![\w.])([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\w)")
# From this many digits on a float is taken to be shown in full (`repr`): its last digits are rounding noise.
FULL_DIGITS = 12


def _significant_digits(number: str) -> int:
    mantissa = re.split("[eE]", number)[0]
    return len(re.sub(r"\D", "", mantissa).lstrip("0"))


def _layout(number: str) -> tuple[int | None, bool]:
    """How a number is written: its count of decimals (None without a point), whether it has an exponent."""
    mantissa, *exponent = re.split("[eE]", number)
    return (len(mantissa.partition(".")[2]) if "." in mantissa else None, bool(exponent))


def same_number(want: str, got: str) -> bool:
    if want == got:
        return True
    is_float = [("." in text or "e" in text.lower()) for text in (want, got)]
    if not any(is_float):
        return False
    if _layout(want) != _layout(got) and max(map(_significant_digits, (want, got))) < FULL_DIGITS:
        return False
    a, b = float(want), float(got)
    return abs(a - b) <= RTOL * max(abs(a), abs(b))


def same_line(want: str, got: str) -> bool:
    if want == got:
        return True
    want_parts, got_parts = NUMBER.split(want), NUMBER.split(got)
    # split() with one group alternates: text, number, text, number, ..., text
    return want_parts[::2] == got_parts[::2] and all(map(same_number, want_parts[1::2], got_parts[1::2]))


def first_difference(want: str, got: str) -> str | None:
    """None, or what to tell about the first line that differs."""
    for number, (a, b) in enumerate(zip_longest(want.split("\n"), got.split("\n")), 1):
        if a is None or b is None or not same_line(a, b):
            return f"line {number}\n  PyTorch:  {a!r}\n  autodiff: {b!r}"
    return None


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_pytorch_prints(path: Path) -> None:
    status, out, err = run_program(path)
    difference = first_difference(path.with_suffix(".out").read_text(encoding="utf-8"), out)
    assert (status, difference) == (0, None), f"exit status {status}; {difference}\n{err}"


def test_a_process_of_its_own_prints_the_same() -> None:
    path = FOLDER / "017_grad_modes.py"
    assert run_as_process(path)[:2] == run_program(path)[:2]


def test_every_program_has_a_recording_and_every_recording_a_program() -> None:
    assert len(PROGRAMS) >= 50
    assert {path.stem for path in PROGRAMS} == {path.stem for path in FOLDER.glob("*.out")}


@pytest.mark.parametrize(
    ("want", "got", "same"),
    [
        ("tensor(49., grad_fn=<PowBackward0>)", "tensor(49., grad_fn=<PowBackward0>)", True),
        ("tensor(49., grad_fn=<PowBackward0>)", "tensor(49., grad_fn=<MulBackward0>)", False),
        ("0.1234567890123", "0.12345678901230001", True),
        ("0.1234567890123", "0.1234567", False),
        ("tensor(1.5000)", "tensor(1.5)", False),
        ("tensor(2.)", "tensor(2.0)", False),
        ("tensor(0)", "tensor(0.)", False),
        ("step 3", "step 4", False),
        ("tensor([ 1., -2.])", "tensor([1., -2.])", False),
        ("1e-05", "1.0000001e-05", False),
        ("nan", "0.0", False),
        ("a 1.25", "b 1.25", False),
        ("", "x", False),
    ],
)
def test_comparison(want: str, got: str, same: bool) -> None:
    assert same_line(want, got) is same


def test_first_difference_sees_missing_and_extra_lines() -> None:
    assert first_difference("a\nb\n", "a\nb\n") is None
    assert "line 2" in (first_difference("a\nb\n", "a\n") or "")
    assert "line 3" in (first_difference("a\nb\n", "a\nb\nc\n") or "")
