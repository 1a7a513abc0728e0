"""A CSV or TSV file as a value: a plain grid of numbers, with at most one header line.

The first line is a header when none of its cells is a number and none looks like a misspelt one; so a
damaged first row is an error, not a header. One column is a vector; more are a matrix, also where there
is only one row. Blank lines may end the file, not interrupt it.

Invariant: no number is dropped. Every cell below the header is read, or the fault names its line and column.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from autodiff_cli.data.slips import explain
from autodiff_cli.data.values import numbers_to_array, read_number
from autodiff_cli.errors import DataFault
from autodiff_cli.source import Source, Span

_LIKE_A_NUMBER = re.compile(r"\s*[-+.$(]*\d")
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons"}
_EMPTY = ("the cell is empty", "write nan where a number is missing")
_ONE_WIDTH = "all lines must have the same number of cells"


def parse_grid(text: str, path: str, delimiter: str, keep_dtype: bool) -> Any:
    """The numbers of a grid: shape (rows,) for one column, else (rows, columns); float64.

    With `keep_dtype`, int64 where every cell is a whole number, bool where every cell is a truth value.
    Messages count lines and columns from 1. Raises DataFault.
    """
    return _Grid(text, path, delimiter, keep_dtype).read()


class _Grid:
    """One reading of one file. `width` (columns) and `header` are found in its first line."""

    def __init__(self, text: str, path: str, delimiter: str, keep_dtype: bool) -> None:
        self.source = Source(text, path)
        self.delimiter = delimiter
        self.keep_dtype = keep_dtype
        self.reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        self.header: list[str] = []
        self.width = 0
        self.count = 0

    def read(self) -> Any:
        numbers: list[Any] = []
        try:
            for row in self._rows():
                numbers += self._numbers(row)
                self.count += 1
        except csv.Error as error:
            self._fail(f"line {self.reader.line_num}: {error}")
        if not numbers:
            self._fail("there is a header, and no row of numbers")
        try:
            return numbers_to_array(numbers, (self.count, self.width) if self.width > 1 else (self.count,))
        except OverflowError:
            self._fail("a whole number does not fit in 64 bits")

    def _rows(self) -> Iterator[list[str]]:
        """The rows of cells below the header, all of one width."""
        blank = 0
        for row in self.reader:
            if not row or (len(row) == 1 and not row[0].strip()):
                blank = blank or self.reader.line_num
                continue
            if not self.width:
                self.width = len(row)
                if any(map(str.strip, row)) and not any(map(_is_like_a_number, row)):
                    self.header = row
                    continue
            elif blank:
                self._fail(f"line {blank} is blank, and numbers follow it", "write nan where one is missing")
            elif len(row) != self.width:
                line = self.reader.line_num
                problem = f"line {line} has {_cells(len(row))}, the first line has {_cells(self.width)}"
                self._fail(problem, _ONE_WIDTH, self._span())
            blank = 0
            yield row

    def _numbers(self, row: list[str]) -> list[Any]:
        if not self.keep_dtype:
            try:
                numbers = list(map(float, row))
            except ValueError:
                pass
            else:
                # Python reads the digits of other scripts, which `read_number` does not
                if self.source.text.isascii() or "".join(row).isascii():
                    return numbers
        numbers = [read_number(cell, self.keep_dtype) for cell in row]
        for column, number in enumerate(numbers):
            if number is None:
                self._bad_cell(row, column)
        return numbers

    def _bad_cell(self, row: list[str], column: int) -> NoReturn:
        cell = row[column]
        place = f"line {self.reader.line_num}, column {column + 1}"
        if self.header:
            place += f" ({self.header[column].strip()})"
        hint: str | None
        strangers = [mark for mark in _DELIMITERS if mark in cell]
        if not cell.strip():
            problem, hint = _EMPTY
        else:
            problem, hint = explain(cell, "x")
        if self.width == 1 and strangers:
            wanted, found = _DELIMITERS[self.delimiter], _DELIMITERS[strangers[0]]
            hint = f"write {wanted} between the cells of this file, not {found}"
        elif (
            cell.strip() and not self.count and not self.header and any(read_number(other) is not None for other in row)
        ):
            hint = "a header consists of names alone, a row of numbers alone"
        self._fail(f"{place}: {problem}", hint, self._span(row, column))

    def _span(self, row: list[str] | None = None, column: int = 0) -> Span:
        """The characters of a cell of the line that was read last, or of the whole line."""
        text = self.source.text
        start = 0
        for _ in range(self.reader.line_num - 1):
            start = text.find("\n", start) + 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if row is None or '"' in text[start:end]:  # quotes shift the cells
            return Span(start, end)
        at = start + sum(len(cell) + 1 for cell in row[:column])
        return Span(at, at + len(row[column]))

    def _fail(self, problem: str, hint: str | None = None, span: Span | None = None) -> NoReturn:
        source = self.source if span is not None else None
        raise DataFault(f"{self.source.name}: {problem}", hint=hint, span=span, source=source)


def _is_like_a_number(cell: str) -> bool:
    return read_number(cell) is not None or _LIKE_A_NUMBER.match(cell) is not None


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"
