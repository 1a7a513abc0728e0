"""Lines, tables and their painting."""

from __future__ import annotations

import pytest

from autodiff_cli.views.text import Column, Line, cells, clip, clip_line, one_line, paint, table


def test_cells_counts_columns_not_characters() -> None:
    assert cells("abc") == 3
    assert cells("漢字") == 4
    assert cells("e\u0301") == 1


def test_clip_cuts_at_the_end_and_shows_it() -> None:
    assert clip("abcdef", 6, "…") == "abcdef"
    assert clip("abcdef", 4, "…") == "abc…"
    assert clip("abcdef", 4, "...") == "a..."
    assert clip("漢字漢字", 5, "…") == "漢字…"
    assert clip("abc", 0, "…") == ""


def test_one_line_has_neither_line_ends_nor_escapes() -> None:
    assert one_line("a +\n    b") == "a + b"
    assert one_line("a\x1b[31mb") == "a?[31mb"


def test_clip_line_keeps_roles_and_fits() -> None:
    line: Line = [("abc", "name"), ("defgh", "value")]
    assert clip_line(line, 8, "…") == line
    for width in range(1, 8):
        cut = clip_line(line, width, "…")
        assert sum(cells(text) for text, _ in cut) <= width, width
        assert cut[-1][0].endswith("…"), width


def test_paint_without_colour_is_the_text_alone() -> None:
    lines: list[Line] = [[("error: ", "error"), ("no", ""), ("  ", "")], []]
    assert paint(lines, False) == "error: no\n\n"
    assert paint(lines, True) == "\x1b[1;31merror: \x1b[0mno\n\n"


def rows(*texts: tuple[str, ...]) -> list[list[Line]]:
    return [[[(text, "")] if text else [] for text in row] for row in texts]


def test_a_table_is_as_wide_as_it_needs() -> None:
    columns = (Column("name"), Column("value", right=True))
    lines = paint(table(columns, rows(("x", "2"), ("velocity", "-10.5")), 80, "…"), False)
    assert lines == "name      value\nx             2\nvelocity  -10.5\n"


def test_a_table_that_is_too_wide_gives_from_its_widest_column() -> None:
    columns = (Column("a", least=4), Column("b", right=True, least=4))
    lines = table(columns, rows(("x" * 50, "1" * 10)), 30, "…")
    text = paint(lines, False).splitlines()
    assert all(len(line) <= 30 for line in text)
    assert "1" * 10 in text[1]
    assert "…" in text[1]


def test_a_table_that_just_fits_is_left_alone() -> None:
    columns = (Column("a"), Column("b"))
    for width in (22, 23):
        assert "…" not in paint(table(columns, rows(("x" * 10, "y" * 10)), width, "…"), False)
    assert "…" in paint(table(columns, rows(("x" * 10, "y" * 10)), 21, "…"), False)


def test_a_column_without_text_is_left_out() -> None:
    columns = (Column("a"), Column("b"), Column("c"))
    assert paint(table(columns, rows(("1", "", "3")), 80, "…"), False) == "a  c\n1  3\n"


@pytest.mark.parametrize("ellipsis", ["…", "..."])
def test_a_cut_line_ends_in_its_whole_ellipsis_wherever_the_cut_is(ellipsis: str) -> None:
    line: Line = [("weights", "name"), (" = ", ""), ("softmax(scores)", "operation")]
    for width in range(len(ellipsis), 25):
        cut = clip_line(line, width, ellipsis)
        text = "".join(part for part, _ in cut)
        assert cells(text) == width and text.endswith(ellipsis)
        assert "weights = softmax(scores)".startswith(text.removesuffix(ellipsis))
    assert clip_line(line, 25, ellipsis) == line
    assert cells("".join(part for part, _ in clip_line(line, 1, ellipsis))) == 1
