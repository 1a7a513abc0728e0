"""A value as the command line gives it: a number, or nested lists of numbers, in Python's or JSON's notation.

Nothing is ever executed. The text is cut at its brackets; what stands between two brackets is split at its
commas and converted by `float`, so a million numbers take a fraction of a second and no depth of brackets
recurses. The numbers go into one flat list, and each closed bracket contributes its length: lists that
differ in shape are found where they are written. Text that isn't a value is looked up in `slips.py`.

Invariant: the result is a Python float or a float64 ndarray; with `keep_dtype`, whole numbers and truth
values stay int (int64) and bool. Anything else is a DataFault with the span of the offending text.
"""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn

from autodiff_cli.errors import DataFault
from autodiff_cli.source import Source, Span

MAX_DIMENSIONS = 64  # PyTorch's and numpy's
_BRACKET = re.compile(r"[\[\]()]")
_CLOSES = {"[": "]", "(": ")"}
_QUOTED_WORD = re.compile(r"""(["'])(nan|inf|-inf)\1""")
_WORDS = {"true": True, "True": True, "false": False, "False": False}
_MISSING = "write nan where there is none"
_ONE_SHAPE = "all items of a list must have one shape"
_JSON_FROM = 2_000  # characters from which importing json pays


def parse_value(text: str, name: str, *, source_name: str = "", keep_dtype: bool = False) -> Any:
    """The value that `text` stands for: a float, or a float64 ndarray where the text has brackets.

    `name` is the input's, for messages; `source_name` is what the text is called (`--x`, or a file's path).
    `keep_dtype=True` gives int and bool (int64 and bool arrays) where all the numbers are such.
    Raises DataFault, with a span in the text.
    """
    return _Reader(text, name, source_name or f"--{name}", keep_dtype).read()


def read_number(text: str, keep_dtype: bool = False) -> Any:
    """One number or truth value as a float (with `keep_dtype` also int, bool); None when `text` is neither.

    Too large a number is inf, as `1e400` is in Python.
    """
    text = text.strip()
    if text in _WORDS:
        word = _WORDS[text]
        return word if keep_dtype else float(word)
    if not text.isascii():  # Python would read the digits of other scripts
        return None
    for convert in (int, float, _based_int) if keep_dtype else (float, _based_int):
        try:
            number = convert(text)
        except ValueError:
            continue
        return number if keep_dtype else _as_float(number)
    return None


def numbers_to_array(numbers: list[Any], shape: tuple[int, ...]) -> Any:
    """An array of what `read_number` gave: float64 where one is a float, else int64, else bool.

    Raises OverflowError for a whole number that doesn't fit in 64 bits.
    """
    import numpy as np

    types = set(map(type, numbers))
    if types <= {float}:
        return np.array(numbers, dtype=np.float64).reshape(shape)
    if float in types:
        return np.array(list(map(_as_float, numbers)), dtype=np.float64).reshape(shape)
    return np.array(numbers, dtype=np.bool_ if types == {bool} else np.int64).reshape(shape)


def _based_int(text: str) -> int:
    return int(text, 0)


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


class _Level:
    """An open bracket: where, how many items so far, and the shape they share (None before the first)."""

    __slots__ = ("after_list", "at", "commas", "count", "opener", "shape")

    def __init__(self, opener: str, at: int) -> None:
        self.opener = opener
        self.at = at
        self.count = 0
        self.commas = 0
        self.shape: tuple[int, ...] | None = None
        self.after_list = False


class _Reader:
    def __init__(self, text: str, name: str, source_name: str, keep_dtype: bool) -> None:
        # what --json writes for these stands in quotes; blanks in their place keep every offset
        self.text = _QUOTED_WORD.sub(r" \2 ", text) if '"' in text or "'" in text else text
        self.name = name
        self.source = Source(text, source_name)
        self.keep_dtype = keep_dtype
        self.flat: list[Any] = []
        self.levels = [_Level("", 0)]

    def read(self) -> Any:
        if _BRACKET.search(self.text) is None:
            number = read_number(self.text, self.keep_dtype)
            if number is None:
                self._slip(0, len(self.text))
            return self._scalar(number)
        array = self._read_json() if len(self.text) >= _JSON_FROM else None
        return self._read_lists() if array is None else array

    def _read_json(self) -> Any:
        """The array of a regular JSON list of numbers; None for the rest, which the other reader judges."""
        import json

        import numpy as np

        try:
            text = self.text
            for word, ours in (("NaN", " nan "), ("-Infinity", " -inf "), ("Infinity", " inf ")):
                text = text.replace(ours, word)
            nested = json.loads(text, parse_int=int if self.keep_dtype else float)
            array = np.array(nested)
        except (ValueError, RecursionError):
            return None
        if array.dtype.kind not in "fib" or array.ndim == 0:
            return None
        if self.keep_dtype and array.dtype.kind == "f" and np.abs(array).max(initial=0) >= 2**63:
            return None  # perhaps of ints that numpy rounded
        return array if self.keep_dtype else array.astype(np.float64, copy=False)

    def _read_lists(self) -> Any:
        text, at = self.text, 0
        for match in _BRACKET.finditer(text):
            bracket, start = match.group(), match.start()
            closing = bracket in "])"
            self._items(text[at:start], at, start, closing)
            if closing:
                self._close(bracket, start)
            else:
                if len(self.levels) > MAX_DIMENSIONS:
                    self._fail(start, start + 1, f"the lists are nested more than {MAX_DIMENSIONS} deep")
                self.levels.append(_Level(bracket, start))
            at = match.end()
        if len(self.levels) > 1:
            level = self.levels[-1]
            hint = f"close it with {_CLOSES[level.opener]}; a list with spaces needs quotes in the shell"
            self._fail(level.at, level.at + 1, f"this {level.opener} is never closed", hint)
        if text[at:].strip():
            self._after_the_end(at)
        return self._result(self.levels[0].shape or ())

    def _items(self, segment: str, at: int, end: int, closing: bool) -> None:
        """Take the numbers that stand between two brackets."""
        level = self.levels[-1]
        if len(self.levels) == 1:
            if level.count:
                self._after_the_end(at)
            if closing:
                self._fail(end, end + 1, f"this {self.text[end]} closes nothing", "a list is written [1, 2]")
            if segment.strip():
                self._slip(0, len(self.text))
            return
        parts = segment.split(",")
        level.commas += len(parts) - 1
        first, last = 0, len(parts)
        if level.after_list:
            if parts[0].strip() or (last == 1 and not closing):
                self._fail(at, at + max(1, len(parts[0])), "a comma is missing between two items", "[[1, 2], [3, 4]]")
            at += len(parts[0]) + 1
            first = 1
        if not closing:  # the list that opens here takes the last place
            if parts[-1].strip():
                self._call(end - len(parts[-1]), end)
            last -= 1
        elif not parts[-1].strip():  # [] or a trailing comma
            last -= 1
        if first < last:
            if level.shape:
                blank = not parts[first].strip()
                problem = "an item is missing before this comma" if blank else "a number stands beside a list"
                self._fail(at, at + len(parts[first]) + blank, problem, _ONE_SHAPE)
            level.shape = ()
            level.count += last - first
            self.flat += self._numbers(parts[first:last], at, segment.isascii())

    def _numbers(self, parts: list[str], at: int, ascii_only: bool) -> list[Any]:
        """The numbers of `parts`, whose first character is at offset `at`."""
        conversions: tuple[Any, ...] = (int, float) if self.keep_dtype else (float,)
        for convert in conversions if ascii_only else ():
            try:
                return list(map(convert, parts))
            except ValueError:
                pass
        numbers = []
        for part in parts:
            number = read_number(part, self.keep_dtype)
            if number is None:
                if not part.strip():
                    self._fail(at, at + len(part) + 1, "a number is missing before this comma", _MISSING)
                self._slip(at, at + len(part))
            numbers.append(number)
            at += len(part) + 1
        return numbers

    def _close(self, bracket: str, at: int) -> None:
        level = self.levels[-1]
        if _CLOSES[level.opener] != bracket:
            right = _CLOSES[level.opener]
            self._fail(at, at + 1, f"this {bracket} cannot close a {level.opener}", f"write {right}")
        self.levels.pop()
        shape = level.shape or ()
        if level.opener == "[" or level.count != 1 or level.commas:  # else (1): parentheses, not a tuple
            shape = (level.count, *shape)
        parent = self.levels[-1]
        if parent.shape is None:
            parent.shape = shape
        elif parent.shape != shape:
            self._ragged(parent, shape, level.at, at + 1)
        parent.count += 1
        parent.after_list = True

    def _result(self, shape: tuple[int, ...]) -> Any:
        if shape == ():
            return self._scalar(self.flat[0])
        try:
            return numbers_to_array(self.flat, shape)
        except OverflowError:
            self._too_large()

    def _scalar(self, number: Any) -> Any:
        if type(number) is int and not -(2**63) <= number < 2**63:
            self._too_large()
        return number

    def _too_large(self) -> NoReturn:
        hint = "write it as a float, for example 1e19, where rounding is no harm"
        self._fail(0, len(self.text), "a whole number does not fit in 64 bits", hint)

    def _ragged(self, parent: _Level, shape: tuple[int, ...], start: int, end: int) -> NoReturn:
        first = parent.shape or ()
        if len(shape) == len(first) == 1:
            problem = f"the first row has length {first[0]}, row {parent.count + 1} has length {shape[0]}"
        elif not shape or not first:
            problem = "a number stands beside a list"
        else:
            sizes = ("x".join(map(str, s)) for s in (first, shape))
            problem = "the lists differ in shape: the first is {}, this one is {}".format(*sizes)
        self._fail(start, end, problem, _ONE_SHAPE)

    def _call(self, start: int, end: int) -> NoReturn:
        """A bracket directly after text: `sqrt(2)`, `2(3)`; or a forgotten comma."""
        closed = self.text.find(")", end)
        self._slip(start, closed + 1 if closed >= 0 else end)

    def _after_the_end(self, at: int) -> NoReturn:
        listed = self.text[at:].lstrip().startswith((",", "[", "("))
        hint = "put several lists into one: [[1, 2], [3, 4]]" if listed else "a value is not computed"
        self._fail(at, len(self.text), "there is text after the end of the list", hint)

    def _slip(self, start: int, end: int) -> NoReturn:
        from autodiff_cli.data.slips import explain

        problem, hint = explain(self.source.text[start:end], self.name)
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        self._fail(start, end, problem, hint)

    def _fail(self, start: int, end: int, problem: str, hint: str | None = None) -> NoReturn:
        span = Span(start, max(start, min(end, len(self.text))))
        message = f"cannot read the value of {self.name}: {problem}"
        raise DataFault(message, hint=hint, span=span, source=self.source)
