"""Values of the command line: what is read, and what is refused with which words at which place."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autodiff_cli.data.values import parse_value
from autodiff_cli.errors import DataFault, Status


def same(got: Any, expected: Any) -> bool:
    """Equal in type, dtype, shape and every bit that a float's repr shows (nan, -0.0)."""
    if isinstance(expected, np.ndarray):
        return (
            isinstance(got, np.ndarray)
            and got.dtype == expected.dtype
            and got.shape == expected.shape
            and repr(got.tolist()) == repr(expected.tolist())
        )
    return type(got) is type(expected) and repr(got) == repr(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", 2.0),
        (" -2 ", -2.0),
        ("+3", 3.0),
        ("1e-3", 0.001),
        ("1E+3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1_000", 1000.0),
        ("0x10", 16.0),
        ("007", 7.0),
        ("-0", -0.0),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("Infinity", math.inf),
        ("-Infinity", -math.inf),
        ("nan", math.nan),
        ("NaN", math.nan),
        ('"nan"', math.nan),
        ('"-inf"', -math.inf),
        ("true", 1.0),
        ("False", 0.0),
        ("1e400", math.inf),
        ("9" * 400, math.inf),
        ("0x" + "f" * 400, math.inf),
        ("9007199254740993", 9007199254740992.0),
        ("(1)", 1.0),
        ("((-3))", -3.0),
    ],
)
def test_numbers(text: str, expected: float) -> None:
    assert same(parse_value(text, "x"), expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1,2,3]", [1.0, 2.0, 3.0]),
        ("[[1,2],[3,4]]", [[1.0, 2.0], [3.0, 4.0]]),
        ("(1,2)", [1.0, 2.0]),
        ("(1,)", [1.0]),
        ("[(1), 2,]", [1.0, 2.0]),
        ("[[1, 2], (3, 4), ]", [[1.0, 2.0], [3.0, 4.0]]),
        (
            "[1., .5, 1e3, 1_0, -0, true, NaN, -Infinity]",
            [1.0, 0.5, 1e3, 10.0, -0.0, 1.0, math.nan, -math.inf],
        ),
        ('["nan", \'inf\', "-inf"]', [math.nan, math.inf, -math.inf]),
        ("[[[1]]]", [[[1.0]]]),
        ("[\n 1,\t2 ]", [1.0, 2.0]),
    ],
)
def test_lists(text: str, expected: list[Any]) -> None:
    assert same(parse_value(text, "x"), np.array(expected, dtype=np.float64))


@pytest.mark.parametrize(("text", "shape"), [("[]", (0,)), ("()", (0,)), ("[[],[]]", (2, 0)), ("[[[]]]", (1, 1, 0))])
def test_empty_lists(text: str, shape: tuple[int, ...]) -> None:
    assert same(parse_value(text, "x"), np.zeros(shape))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", 2),
        ("2.0", 2.0),
        ("true", True),
        ("inf", math.inf),
        ("9223372036854775807", 2**63 - 1),
        ("[1, 2]", np.array([1, 2])),
        ("[true, False]", np.array([True, False])),
        ("[true, 2]", np.array([1, 2])),
        ("[1, 2.5, true]", np.array([1.0, 2.5, 1.0])),
        ("[[1], [0.5]]", np.array([[1.0], [0.5]])),
        ("[9223372036854775808, 0.5]", np.array([2.0**63, 0.5])),
        ("[]", np.zeros(0)),
    ],
)
def test_keep_dtype(text: str, expected: Any) -> None:
    assert same(parse_value(text, "x", keep_dtype=True), expected)


REFUSED = [
    # (value, the text under the caret, what the message says, what the hint says)
    ("1,5", "1,5", "'1,5' is not a number", "write 1.5 (or [1,5] for a list)"),
    ("1.234,5", "1.234,5", "not a number", "write 1234.5"),
    ("1,000", "1,000", "not a number", "write 1000 (or 1.000"),
    ("1,000,000", "1,000,000", "not a number", "write 1000000"),
    ("1,2,3", "1,2,3", "more than one number", "[1, 2, 3]"),
    ("1 2 3", "1 2 3", "more than one number", "[1, 2, 3]"),
    ("[1 2]", "1 2", "more than one number", "[1, 2]"),
    ("[1 2; 3 4]", "1 2; 3 4", "more than one number", "[[1, 2], [3, 4]]"),
    ("2pi", "2pi", "not a number", "pi is 3.141592653589793"),
    ("1/3", "1/3", "is an expression", "write 0.3333333333333333"),
    ("[1, 1/4]", "1/4", "is an expression", "write 0.25"),
    ("1/0", "1/0", "is an expression", "is not computed"),
    ("sqrt(2)", "sqrt(2)", "is a call", "put the formula into the program"),
    ("[1, sqrt(2)]", "sqrt(2)", "is a call", "put the formula into the program"),
    ("__import__('os')", "__import__('os')", "is a call", "is not computed"),
    ("2*(3+1)", "2*(3+1)", "is an expression", "is not computed"),
    ("x+1", "x+1", "is an expression", "is not computed"),
    ("10^5", "10^5", "is an expression", "write 1e5"),
    ("tensor([1.], dtype=float64)", "tensor([1.], dtype=float64)", "is a call", "alone: [1.]"),
    ("np.inf", "np.inf", "is a name in a program", "write inf"),
    ("50%", "50%", "is a percentage", "write 0.5"),
    ("1e", "1e", "an exponent without digits", "write 1, or 1e3"),
    ("1d5", "1d5", "not a number", "write 1e5"),
    ("1.0f", "1.0f", "not a number", "write 1.0"),
    ("5 kg", "5 kg", "has letters after the number", "write 5"),
    ("1+2j", "1+2j", "is a complex number", "only real numbers"),
    ("1.2.3", "1.2.3", "more than one decimal point", ""),
    ("--5", "--5", "more than one sign", "-5"),
    ("$5", "$5", "not a number", "currency"),
    ("\u22125", "\u22125", "U+2212", "write -5"),
    ("\uff15", "\uff15", "U+FF15", "write 5"),
    ("\u0663", "\u0663", "U+0663", "write 3"),
    ("3\u00d710^8", "3\u00d710^8", "U+00D7", "write 3e8"),
    ("[1, null]", "null", "not a number", "write nan"),
    ('["3"]', '"3"', "is a string", "without quotes: 3"),
    ('"abc"', '"abc"', "is a string", ""),
    ('{"a": 1}', '{"a": 1}', "is an object", ""),
    ("{1, 2}", "{1, 2}", "not a list", "[1, 2]"),
    ("infinty", "infinty", "not a number", "did you mean infinity?"),
    ("data.csv", "data.csv", "looks like a file's name", "--x @data.csv"),
    ("[@a.npy]", "@a.npy", "a file in the place of a number", "--x @FILE"),
    ("", "", "there is no number", "--x 2"),
    ("abc", "abc", "'abc' is not a number", "a value is a number"),
    ("a\x1b[31mb", "a\x1b[31mb", "'a\\x1b[31mb' is not a number", ""),
    ("[1,,2]", ",", "a number is missing before this comma", "nan"),
    ("[,]", ",", "a number is missing before this comma", "nan"),
    ("[[1],,[2]]", ",", "an item is missing before this comma", ""),
    ("[1,2", "[", "this [ is never closed", "close it with ]"),
    ("[[1],(2", "(", "this ( is never closed", "close it with )"),
    ("1]", "]", "this ] closes nothing", ""),
    ("[1]]", "]", "text after the end of the list", ""),
    ("[1,2)", ")", "this ) cannot close a [", "write ]"),
    ("[1,2],[3,4]", ",[3,4]", "text after the end of the list", "[[1, 2], [3, 4]]"),
    ("[1] / 2", " / 2", "text after the end of the list", "is not computed"),
    ("[[1,2],[3]]", "[3]", "the first row has length 2, row 2 has length 1", "one shape"),
    ("[[1],2]", "2", "a number stands beside a list", "one shape"),
    ("[1,[2]]", "[2]", "a number stands beside a list", "one shape"),
    ("[[[1]],[[1,2]]]", "[[1,2]]", "the first is 1x1, this one is 1x2", "one shape"),
    ("[[1][2]]", "[", "a comma is missing", ""),
    ("[[1]2]", "2", "a comma is missing", ""),
    ("[" * 2000 + "1" + "]" * 2000, "[", "nested more than 64 deep", ""),
    ("[" * 100_000, "[", "nested more than 64 deep", ""),
    ("1" * 100_000 + "x", "1" * 100_000 + "x", "not a number", ""),
    ("[" + "1 " * 100_000 + "]", "1 " * 99_999 + "1", "more than one number", "[1, 1, "),
]  # fmt: skip


@pytest.mark.parametrize("keep_dtype", [False, True])
@pytest.mark.parametrize(("text", "place", "says", "hint"), REFUSED, ids=[r[0][:20] for r in REFUSED])
def test_refused(text: str, place: str, says: str, hint: str, keep_dtype: bool) -> None:
    with pytest.raises(DataFault) as caught:
        parse_value(text, "x", keep_dtype=keep_dtype)
    fault = caught.value
    assert fault.status == Status.DATA
    assert fault.message.startswith("cannot read the value of x: ") and says in fault.message
    assert len(fault.message) < 300 and "\x1b" not in fault.message
    assert hint in (fault.hint or "") and len(fault.hint or "") < 500
    assert fault.source is not None and fault.span is not None
    assert fault.source.name == "--x" and fault.source.text == text
    if "[" * 2000 not in text:
        assert fault.source.slice(fault.span) == place


@pytest.mark.parametrize("text", ["9223372036854775808", "[1, -9223372036854775809]", "[9223372036854775808, -1]"])
def test_keep_dtype_refuses_what_64_bits_do_not_hold(text: str) -> None:
    with pytest.raises(DataFault, match="does not fit in 64 bits"):
        parse_value(text, "x", keep_dtype=True)


FLOATS = st.floats(allow_nan=True, allow_infinity=True, width=64)


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5), elements=FLOATS))
@settings(max_examples=150, deadline=None)
def test_reads_back_what_python_and_json_write(array: np.ndarray[Any, Any]) -> None:
    nested = array.tolist()
    back = parse_value(repr(nested), "x")  # Python's notation: nan, inf
    assert repr(back.tolist()) == repr(nested)
    assert repr(parse_value(json.dumps(nested), "x").tolist()) == repr(nested)  # JSON's: NaN, Infinity


@given(st.text(alphabet="0123456789.,eE+-_[]() \t\nnaif'\"x@", max_size=30))
@settings(max_examples=400, deadline=None)
def test_any_text_is_a_value_or_a_fault(text: str) -> None:
    for keep_dtype in (False, True):
        try:
            value = parse_value(text, "x", keep_dtype=keep_dtype)
        except DataFault as fault:
            assert fault.span is not None and 0 <= fault.span.start <= fault.span.end <= len(text)
        else:
            assert isinstance(value, (float, np.ndarray)) or (keep_dtype and isinstance(value, int))


@given(st.lists(st.one_of(FLOATS, st.integers(-(2**64), 2**64), st.booleans()), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_long_lists_are_read_as_short_ones(numbers: list[Any]) -> None:
    """Past 2,000 characters another reader is tried first: both must agree, also in what they refuse."""
    times = 1 + 2000 // len(json.dumps(numbers))
    for keep_dtype in (False, True):
        try:
            short = parse_value(json.dumps(numbers), "x", keep_dtype=keep_dtype)
        except DataFault:
            with pytest.raises(DataFault):
                parse_value(json.dumps(numbers * times), "x", keep_dtype=keep_dtype)
        else:
            assert same(parse_value(json.dumps(numbers * times), "x", keep_dtype=keep_dtype), np.tile(short, times))


@pytest.mark.parametrize("numbers", ["-0, 1", '1, "2"', '1, "nan"', "9223372036854775808, -1", "1, null", "1., 2"])
def test_long_lists_of_corner_cases(numbers: str) -> None:
    for keep_dtype in (False, True):
        outcomes = []
        for times in (1, 1000):
            try:
                text = f"[{', '.join([numbers] * times)}]"
                outcomes.append(repr(parse_value(text, "x", keep_dtype=keep_dtype)[0]))
            except DataFault as fault:
                outcomes.append(fault.message)
        assert outcomes[0] == outcomes[1]


def test_as_many_dimensions_as_pytorch_has() -> None:
    assert parse_value("[" * 64 + "1" + "]" * 64, "x").shape == (1,) * 64
    with pytest.raises(DataFault):
        parse_value("[" * 65 + "1" + "]" * 65, "x")


def test_many_numbers() -> None:
    numbers = np.random.RandomState(0).standard_normal(250_000).tolist()
    for text in (json.dumps(numbers), json.dumps([*numbers[:-1], "nan"]), json.dumps([[n] for n in numbers])):
        assert parse_value(text, "x").size == len(numbers)


def test_a_scalar_is_read_without_numpy_or_json() -> None:
    program = (
        "import sys; from autodiff_cli.data.values import parse_value\n"
        "print(parse_value('2.5', 'x'), parse_value('(3)', 'x'), {'numpy', 'json'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "2.5 3.0 set()\n"
