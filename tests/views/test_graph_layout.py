"""Layouts: nothing overlaps, arrows go down, a large graph does not take long."""

from __future__ import annotations

import itertools
from time import process_time

import pytest
from views.pictures import every_kind, picture_of

from autodiff_cli.views.graph_layout import Layout, layout
from autodiff_cli.views.graph_picture import Picture

CHAIN = "for i in range({n}):\n    x = sin(x*y) + k\nx"
GRID = (
    "d = [[x*y for j in range(9)] for i in range(9)]\nfor i in range(1, 9):\n    for j in range(1, 9):\n"
    "        d[i][j] = d[i-1][j]*k + d[i][j-1]*y\nd[8][8]"
)
VALUES = {"x": 1.0, "y": 0.5, "k": 0.1}


def check(p: Picture, drawn: Layout) -> None:
    assert set(drawn.boxes) == set(p.items)
    boxes = list(drawn.boxes.values())
    for box in boxes:
        assert box.x - box.width / 2 >= 0 and box.x + box.width / 2 <= drawn.width
        assert box.y - box.height / 2 >= 0 and box.y + box.height / 2 <= drawn.height
    rows: dict[float, list[tuple[float, float]]] = {}
    for box in boxes:
        rows.setdefault(box.y, []).append((box.x - box.width / 2, box.x + box.width / 2))
    for row in rows.values():
        row.sort()
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(row))
    for route in drawn.routes:
        if not route.arrow.carried:
            ys = [y for _, y in route.points]
            assert ys == sorted(ys)


@pytest.mark.parametrize(
    "program",
    ["x*y*k", "x*x + y*k", CHAIN.format(n=30), CHAIN.format(n=200), GRID],
    ids=["one", "two", "30", "200", "grid"],
)
@pytest.mark.parametrize("fold", [True, False])
def test_nothing_overlaps_and_arrows_go_down(program: str, fold: bool) -> None:
    p = picture_of(program, VALUES, fold=fold)
    check(p, layout(p))


def test_all_kinds() -> None:
    p = every_kind()
    check(p, layout(p))


def test_arrows_of_one_value_used_twice_are_apart() -> None:
    p = picture_of("a*a", {"a": 3.0})
    first, second = (route.points for route in layout(p).routes)
    assert abs(first[0][0] - second[0][0]) >= 8 and abs(first[-1][0] - second[-1][0]) >= 8


def test_ways_back_are_apart() -> None:
    p = picture_of("a = x\nfor i in range(9): a = sin(a)*y + a*k\na", VALUES, fold=True)
    ways = [route.points for route in layout(p).routes if route.arrow.carried]
    assert len(ways) == 2 and all(way[2][0] > max(way[0][0], way[-1][0]) for way in ways)
    assert abs(ways[0][2][0] - ways[1][2][0]) >= 12


@pytest.mark.parametrize("local", [False, True])
def test_no_arrow_crosses_an_item(local: bool) -> None:
    program = "d = x\nfor i in range(5):\n    y = x*2\n    for j in range(7): x = sin(x)*k + y\n    x = cos(x)\nx*y*d"
    drawn = layout(picture_of(program, {"x": 1.0, "k": 0.5}, fold=True, local=local))
    ways = [route for route in drawn.routes if route.arrow.carried]
    assert len(ways) == 3
    for route in ways:
        for (ax, ay), (bx, by) in itertools.pairwise(route.points):
            for box in drawn.boxes.values():
                beside = max(ax, bx) <= box.x - box.width / 2 or min(ax, bx) >= box.x + box.width / 2
                assert beside or max(ay, by) <= box.y - box.height / 2 or min(ay, by) >= box.y + box.height / 2


def test_items_are_as_close_as_their_own_widths_allow() -> None:
    long = "a_name_that_is_as_wide_as_titles"
    drawn = layout(picture_of(f"{long} = x*y\n{long} + k*k + k", VALUES))
    widest = max(box.width for box in drawn.boxes.values())
    assert drawn.width < 2.2 * widest


def test_an_empty_picture() -> None:
    p = picture_of("3", {})
    assert layout(p._replace(items={}, arrows=[])).boxes == {}


def test_five_thousand_nodes_in_seconds() -> None:
    p = picture_of(CHAIN.format(n=1667), VALUES, fold=False)
    assert len(p.items) >= 5_000
    before = process_time()
    drawn = layout(p)
    assert process_time() - before < 10
    check(p, drawn)


LENS = "p = (n - 1)*(1/r1 + 1/r2 - (n - 1)*d/(n*r1*r2))\n1/p"
KEPLER = "E = M\nfor i in range(5): E = E - (E - e*sin(E) - M)/(1 - e*cos(E))\nE"
MIXED = "m = X @ W\ny = (m*1.5 + x*X).sum()*x\nz = (X*m.mean()).sum()*x*y\nz"


@pytest.mark.parametrize(
    ("program", "values"),
    [
        (LENS, {"n": 1.5, "r1": 0.1, "r2": 0.08, "d": 0.012}),
        (KEPLER, {"M": 1.0, "e": 0.3}),
        (MIXED, {"x": 2.0, "X": [[1.0, 2.0], [3.0, 4.0]], "W": [[0.5, 0.5], [0.1, 0.2]]}),
    ],
    ids=["lens", "kepler", "mixed"],
)
@pytest.mark.parametrize("local", [False, True])
def test_arrows_change_columns_in_the_space_between_layers_alone(
    program: str, values: dict[str, object], local: bool
) -> None:
    drawn = layout(picture_of(program, values, local=local, fold=False))
    tops = {route.points[-1] for route in drawn.routes} | {route.points[0] for route in drawn.routes}
    assert len(tops) > 5
    for route in drawn.routes:
        for (ax, ay), (bx, by) in itertools.pairwise(route.points):
            for box in drawn.boxes.values():
                # beside the item all the way, or above it or below it; an end of the way may lie on its border
                beside = max(ax, bx) <= box.x - box.width / 2 or min(ax, bx) >= box.x + box.width / 2
                apart = by <= box.y - box.height / 2 + 1e-9 or ay >= box.y + box.height / 2 - 1e-9
                assert beside or apart, (route, box)
