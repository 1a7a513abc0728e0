"""Where the items of a picture go: layers from the leaves at the top to the outputs at the bottom.

The layers, the order in them and the bends of long arrows are computed by fast-sugiyama (the Rust crate
rust-sugiyama): a wheel of 0.3 MB without dependencies, MIT, the same result on every run. Compared with it
(2,000 nodes, 2 cores, seconds without long arrows / with all of them): igraph's layout_sugiyama is faster (0.04) and
as good, but GPL and 6 MB; grandalf is GPL or EPL, pure Python, and needs 20 s for 500 nodes of a loop;
Graphviz's own dot needs to be installed and more than a minute for the same loop.

What all of them take long over is a leaf that every turn of a loop reads: its arrows cross all layers, and each
crossing is a place to lay out. So in a large picture the arrows that span more than a few layers are kept out of the
layout and drawn across; every item keeps the arrow that puts it into its layer. 5,000 nodes take about 3 s.

Invariant: no two items overlap; the coordinates depend on the picture alone.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from autodiff_cli.views.graph_picture import Arrow, Item, Picture
from autodiff_cli.views.text import cells

CHARACTER = 7.3  # pixels of a column of the monospaced text, at 12 px; DejaVu Sans Mono, the widest of them, has 7.23
LINE = 15.0  # pixels between lines of text
PADDING = 12.0
BETWEEN = 26.0  # pixels between items of a layer
LAYERS = 46.0  # pixels between layers ...
LABELLED = 84.0  # ... where arrows have labels
CORNER = 9.0  # pixels between an item's right corner and the first way back there, and between ways
SPACE = 6.0  # pixels between ways back in the space between two layers
BEND = 10.0  # pixels that an arrow needs where it passes a layer
MARGIN = 24.0
SHEET = 5.0  # pixels by which the second sheet of a folded item sticks out at the top and at the right
SMALL = 150  # items up to which all arrows are laid out
SPAN = 6  # layers that an arrow of a larger picture may cross in the layout

Point = tuple[float, float]


class Box(NamedTuple):
    """An item's rectangle: the middle, the width and the height, in pixels."""

    x: float
    y: float
    width: float
    height: float


class Route(NamedTuple):
    """An arrow's way: points from the source's border to the target's. `far`: it was left out of the layout.

    The way to a later layer is straight down beside the items of a layer (the two points of each, the upper and the
    lower end; they may be one), and goes to another column only in the space between two layers.
    """

    arrow: Arrow
    points: tuple[Point, ...]
    far: bool


class Layout(NamedTuple):
    boxes: dict[int, Box]
    routes: list[Route]
    width: float
    height: float


def size_of(item: Item) -> tuple[float, float]:
    """The width and height that an item's text needs, in pixels."""
    lines = [*item.heads, *(text for _, text in item.details)]
    slack = 26.0 if item.kind in ("constant", "detached", "call") else 0.0
    return max(cells(text) for text in lines) * CHARACTER + 2 * PADDING + slack, len(lines) * LINE + 14.0


def layout(p: Picture) -> Layout:
    """Lay a picture out. An empty picture has an empty layout."""
    sizes = {key: size_of(item) for key, item in p.items.items()}
    pairs = _pairs(p)
    near = _near(p, pairs) if len(p.items) > SMALL else pairs
    places, bends = _layers(list(p.items), near, large=len(p.items) > SMALL)
    boxes, middle_of = _boxes(sizes, places, bends, LABELLED if any(a.label for a in p.arrows) else LAYERS)
    routes = _routes(p, boxes, bends, middle_of, set(near))
    left = min((box.x - box.width / 2 for box in boxes.values()), default=0.0)
    right = [box.x + box.width / 2 for box in boxes.values()]
    right += [x + (cells(route.arrow.label) * CHARACTER / 2) for route in routes for x, _ in route.points]
    left = min([left, *(x for route in routes for x, _ in route.points)])
    heights = [y for route in routes for _, y in route.points]
    top = min([box.y - box.height / 2 for box in boxes.values()] + heights, default=0.0)
    bottom = max([box.y + box.height / 2 for box in boxes.values()] + heights, default=0.0)
    dx, dy = MARGIN - left, MARGIN - top
    return Layout(
        {key: box._replace(x=box.x + dx, y=box.y + dy) for key, box in boxes.items()},
        [r._replace(points=tuple((x + dx, y + dy) for x, y in r.points)) for r in routes],
        max(right, default=0.0) - left + 2 * MARGIN,
        bottom - top + 2 * MARGIN,
    )


def _pairs(p: Picture) -> list[tuple[int, int]]:
    """Which items are joined by arrows that go forward."""
    return list(dict.fromkeys((a.source, a.target) for a in p.arrows if not a.carried and a.source != a.target))


def _near(p: Picture, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without the pairs that are many layers apart, when an item's layer is one more than its highest operand's."""
    layer = dict.fromkeys(p.items, 0)
    for source, target in sorted(pairs, key=lambda pair: pair[1]):
        layer[target] = max(layer[target], layer[source] + 1)
    users: dict[int, int] = {}
    targets = {target for _, target in pairs}
    for source, target in pairs:
        users[source] = min(users.get(source, layer[target]), layer[target])
    for key, lowest in users.items():
        if key not in targets:  # a leaf stands above its first user
            layer[key] = lowest - 1
    return [(s, t) for s, t in pairs if layer[t] - layer[s] <= SPAN]


Places = dict[int, tuple[float, int]]  # item -> column (a number that only tells the order), layer
Bends = dict[tuple[int, int], list[tuple[float, int]]]


def _layers(keys: list[int], pairs: list[tuple[int, int]], large: bool) -> tuple[Places, Bends]:
    """The library's answer: columns and layers of items, and of the bends of arrows."""
    from fast_sugiyama import from_edges

    number = {key: i for i, key in enumerate(sorted({key for pair in pairs for key in pair}))}
    key_of = list(number)
    places: dict[int, tuple[float, int]] = {}
    bends: Bends = {}
    right = 0.0
    parts: list[Any] = []
    if pairs:
        edges = [(number[s], number[t]) for s, t in pairs]
        options: dict[str, Any] = {"transpose": False, "ranking_type": "up"} if large else {}
        parts = list(from_edges(edges, vertex_spacing=1, minimum_length=1, dummy_vertices=True, **options))
        parts.sort(key=lambda part: min(n for n, _ in part[0]))
    for positions, _, _, joined in parts:
        at = dict(positions)
        left = min(x for x, _ in at.values())
        heights = sorted({y for _, y in at.values()})
        top_first = _goes_down(edges, at)
        rank = {y: i if top_first else len(heights) - 1 - i for i, y in enumerate(heights)}
        spot = {n: (x - left + right, rank[y]) for n, (x, y) in at.items()}
        places.update({key_of[n]: xy for n, xy in spot.items() if n < len(key_of)})
        bends.update(_bends(joined or [], spot, key_of))
        right = max(x for x, _ in spot.values()) + 1.0
    for key in keys:
        if key not in places:
            places[key] = (right, 0)
            right += 1.0
    return places, bends


def _goes_down(edges: list[tuple[int, int]], at: dict[int, Point]) -> bool:
    """Whether the part's y grows along its arrows."""
    for source, target in edges:
        if source in at:
            return at[target][1] > at[source][1]
    return True


def _bends(joined: Any, spot: dict[int, tuple[float, int]], key_of: list[int]) -> Bends:
    """The bends of each arrow that crosses layers: the chain of dummies between two items."""
    after: dict[int, int] = {}
    starts: list[tuple[int, int]] = []
    for a, b in joined:
        if spot[a][1] > spot[b][1]:
            a, b = b, a
        if a < len(key_of):
            starts.append((a, b))
        else:
            after[a] = b
    bends: Bends = {}
    for source, at in starts:
        chain = []
        while at >= len(key_of):
            chain.append(spot[at])
            at = after[at]
        bends[key_of[source], key_of[at]] = chain
    return bends


def _boxes(
    sizes: dict[int, tuple[float, float]], places: Places, bends: Bends, between: float
) -> tuple[dict[int, Box], Any]:
    """Pixels: a column is as far from the one before it as what stands side by side needs, a layer as high as its highest."""
    heights: dict[int, float] = {}
    for key, (_, layer) in places.items():
        heights[layer] = max(heights.get(layer, 0.0), sizes[key][1])
    middle: dict[int, float] = {}
    y = 0.0
    for layer in range(max(heights, default=-1) + 1):
        height = heights.get(layer, 0.0)
        middle[layer] = y + height / 2
        y += height + between
    spots = [(*spot, sizes[key][0]) for key, spot in places.items()]
    spots += [(*spot, BEND) for chain in bends.values() for spot in chain]
    column = _columns(spots)
    boxes = {key: Box(column[x], middle[layer], *sizes[key]) for key, (x, layer) in places.items()}
    return boxes, lambda spot: (column[spot[0]], middle[spot[1]])


def _columns(spots: list[tuple[float, int, float]]) -> dict[float, float]:
    """The pixels of each column of the layout (column, layer, width of what is there), from the left edge.

    Columns keep their order, and what is straight below each other stays so. Pushed to the left as far as the widths allow,
    and to the right; the middle of the two keeps every distance that both keep.
    """
    rows: dict[int, list[tuple[float, float]]] = {}
    for x, layer, width in spots:
        rows.setdefault(layer, []).append((x, width))
    apart: dict[float, dict[float, float]] = {}  # column -> column at its left -> least distance
    for row in rows.values():
        row.sort()
        for (left, a), (right, b) in itertools.pairwise(row):
            if right > left:
                near = apart.setdefault(right, {})
                near[left] = max(near.get(left, 0.0), (a + b) / 2 + BETWEEN)
    columns = sorted({x for x, _, _ in spots})
    low: dict[float, float] = {}
    before = 0.0
    for x in columns:
        before = low[x] = max([before, *(low[left] + least for left, least in apart.get(x, {}).items())])
    high = dict.fromkeys(columns, before)
    after = before
    for x in reversed(columns):
        after = high[x] = min(after, high[x])
        for left, least in apart.get(x, {}).items():
            high[left] = min(high[left], high[x] - least)
    return {x: (low[x] + high[x]) / 2 for x in columns}


def _routes(p: Picture, boxes: dict[int, Box], bends: Bends, middle_of: Any, near: set[tuple[int, int]]) -> list[Route]:
    """The way of each arrow; those that meet at an item have places of their own on its border."""
    ways: list[tuple[Arrow, list[Point]]] = []
    for arrow in p.arrows:
        inner = [middle_of(spot) for spot in bends.get((arrow.source, arrow.target), [])]
        ways.append((arrow, inner))
    leaving: dict[int, list[int]] = {}
    entering: dict[int, list[int]] = {}
    for i, (arrow, _) in enumerate(ways):
        if not arrow.carried:
            leaving.setdefault(arrow.source, []).append(i)
            entering.setdefault(arrow.target, []).append(i)

    def sheet(key: int) -> float:
        return SHEET if p.items[key].times > 1 else 0.0

    def towards(i: int) -> tuple[float, int]:
        arrow, inner = ways[i]
        return (inner[0] if inner else boxes[arrow.target])[0], arrow.operand

    def out_of(i: int) -> tuple[float, int]:
        arrow, inner = ways[i]
        return (inner[-1] if inner else boxes[arrow.source])[0], arrow.operand

    start = {i: x for key, found in leaving.items() for i, x in _ports(boxes[key], sorted(found, key=towards))}
    end = {i: x for key, found in entering.items() for i, x in _ports(boxes[key], sorted(found, key=out_of))}
    layers: dict[float, float] = {}
    for box in boxes.values():
        layers[box.y] = max(layers.get(box.y, 0.0), box.height / 2)
    back = _ways_back(p, boxes, layers)
    routes = []
    for i, (arrow, inner) in enumerate(ways):
        if arrow.carried:
            *way, (x, top) = back[arrow]
            routes.append(Route(arrow, (*way, (x, top - sheet(arrow.target))), False))
        else:
            a, b = boxes[arrow.source], boxes[arrow.target]
            top = b.y - b.height / 2 - sheet(arrow.target)
            points = [(start[i], a.y + a.height / 2), (start[i], a.y + layers[a.y])]
            for x, y in inner:
                half = layers.get(y, 0.0)
                points += [(x, y - half), (x, y + half)]
            points += [(end[i], min(top, b.y - layers[b.y])), (end[i], top)]
            routes.append(Route(arrow, tuple(points), (arrow.source, arrow.target) not in near))
    return routes


def _ports(box: Box, found: list[int]) -> list[tuple[int, float]]:
    """The x of each of some arrows on an item's upper or lower border."""
    room = min(box.width * 0.6, 22.0 * (len(found) - 1))
    step = room / (len(found) - 1) if len(found) > 1 else 0.0
    return [(i, box.x - room / 2 + step * at) for at, i in enumerate(found)]


def _ways_back(p: Picture, boxes: dict[int, Box], layers: dict[float, float]) -> dict[Arrow, tuple[Point, ...]]:
    """The ways of values carried to the next turn: out below the source, up beside what stands there, in from above.

    They cross between layers, where no items are. Short ways are inside of long ones; no two run on each other.
    `layers`: the middle of each layer -> half of its height.
    """
    carried = [arrow for arrow in p.arrows if arrow.carried]
    carried.sort(key=lambda a: (abs(boxes[a.source].y - boxes[a.target].y), a.target, a.operand))
    edges = [(box.x + box.width / 2 + SHEET, box.y - box.height / 2, box.y + box.height / 2) for box in boxes.values()]
    ways: dict[Arrow, tuple[Point, ...]] = {}
    taken: dict[tuple[float, bool], int] = {}  # ways in each space between layers
    used: dict[tuple[int, bool], int] = {}  # ways at each item's upper or lower border
    for arrow in carried:
        a, b = boxes[arrow.source], boxes[arrow.target]
        start = a.x + a.width / 2 - CORNER * _next(used, (arrow.source, False))
        end = b.x + b.width / 2 - CORNER * _next(used, (arrow.target, True))
        low = a.y + layers[a.y] + SPACE * min(_next(taken, (a.y, False)), 4)
        high = b.y - layers[b.y] - SHEET - SPACE * min(_next(taken, (b.y, True)) + 1, 5)
        top, bottom = min(low, high), max(low, high)
        out = max((x for x, upper, lower in edges if lower > top and upper < bottom), default=a.x) + 16.0
        out = max(out, start, end)
        room = max(cells(arrow.label) * CHARACTER / 2, 6.0) if arrow.label else 0.0
        edges.append((out + room, top, bottom))
        below = a.y + a.height / 2
        ways[arrow] = (
            (start, below),
            (start, low),
            (out + room, low),
            (out + room, high),
            (end, high),
            (end, b.y - b.height / 2),
        )
    return ways


def _next(counts: dict[Any, int], key: Any) -> int:
    counts[key] = counts.get(key, 0) + 1
    return counts[key]
