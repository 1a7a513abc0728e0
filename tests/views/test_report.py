"""The table of gradients: what fits is shown in full, and digits go before entries do."""

from __future__ import annotations

from typing import Any

import pytest

from autodiff_cli.views.report import gradient_table
from autodiff_cli.views.text import Look, paint


def lines(program: str, width: int, **values: Any) -> list[list[str]]:
    from autodiff_cli.runtime.program import Program
    from autodiff_cli.views.report import gradient_rows

    rows = gradient_rows(Program.load(program).run(values))
    text = paint(gradient_table(rows, Look(width)), False).splitlines()
    assert max(map(len, text)) <= width
    return [line.split(maxsplit=1) for line in text[1:]]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_entry_is_left_out_where_fewer_digits_would_do(width: int) -> None:
    rows = lines("(x*w*w/3).sum()", width, x=[1.0, 2.5, 3.0], w=[0.1, 1.7, 3.3])
    assert not any("…" in row[1] for row in rows)
    if width == 200:
        assert rows[1][1].endswith("[0.06666666666666667, 2.833333333333333, 6.6]")


def test_a_column_takes_what_the_other_leaves() -> None:
    row = lines("(x*k/3).sum()", 60, x=[1.0, 2.0, 3.0], k=[0.1, 0.2, 0.4])[0]
    assert row[1].split("]")[1].strip() == "[0.0333333, 0.0666667, 0.133333"


def test_a_number_is_never_shortened_on_a_page_of_eighty_columns() -> None:
    (row,) = lines("x/3", 80, x=1.7)
    assert row[1].split() == ["1.7", "0.3333333333333333"]
