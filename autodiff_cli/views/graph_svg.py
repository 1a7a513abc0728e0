"""A picture as SVG: text, shapes and lines only; no script, no font, nothing from elsewhere.

Colours are CSS classes with the light ones first and the dark ones under `prefers-color-scheme`, so the file follows
the page that it is in; a theme can be fixed (a PNG has to be). What the colours say, the shapes say, too: leaves are
round at their ends and have a thick border, constants have six corners, detached values a cut corner and a dotted
border, folded calls double sides, items that got no gradient a dashed border, folded turns a second sheet behind them.

Invariant: well-formed XML for every text of a program; the same picture gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autodiff_cli.views.graph_layout import LINE, SHEET, Box, Layout, Point, Route, layout
from autodiff_cli.views.graph_picture import Item, Picture, kinds_in
from autodiff_cli.views.text import cells

# role -> (property, light, dark); contrast of text to what is behind it is at least 4.5 in both
COLOURS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "page": (("fill", "#ffffff", "#14171c"),),
    "leaf": (("fill", "#dbe9ff", "#15325c"), ("stroke", "#1f5fbf", "#7db1ff")),
    "operation": (("fill", "#f7f7f7", "#23272e"), ("stroke", "#555555", "#9aa4b2")),
    "call": (("fill", "#efe6fb", "#36264f"), ("stroke", "#6b3fa0", "#c4a3f0")),
    "constant": (("fill", "#ececec", "#2e2e2e"), ("stroke", "#767676", "#a0a0a0")),
    "detached": (("fill", "#fff3d6", "#46350f"), ("stroke", "#a06a00", "#e8b64c")),
    "missing": (("stroke", "#b03030", "#ff8a80"),),
    "title": (("fill", "#111111", "#f2f2f2"),),
    "kind": (("fill", "#50565e", "#b3bac4"),),
    "times": (("fill", "#6b3fa0", "#c9adf2"),),
    "value": (("fill", "#111111", "#f2f2f2"),),
    "grad": (("fill", "#1a6b2d", "#7ddc93"),),
    "quiet": (("fill", "#50565e", "#b3bac4"),),
    "arrow": (("stroke", "#6b7480", "#8792a0"),),
    "head": (("fill", "#6b7480", "#8792a0"),),
    "carried": (("stroke", "#8a5bc0", "#b690e8"),),
    "back": (("fill", "#8a5bc0", "#b690e8"),),
    "label": (("fill", "#8a4b00", "#ffc078"),),
    "halo": (("fill", "#ffffff", "#14171c"),),
}
_DETAIL_ROLE = {"kind": "kind", "times": "times", "value": "value", "grad": "grad"}
_FIXED = (
    "text{font-family:'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:12px;text-anchor:middle}"
    ".title{font-weight:bold}.label{font-size:11px}.item{stroke-width:1.2}.item.leaf{stroke-width:2.2}"
    ".item.detached{stroke-dasharray:2 3}.item.missing{stroke-dasharray:6 4}"
    ".arrow,.carried{fill:none;stroke-width:1.3}.carried{stroke-dasharray:5 4}.far{stroke-opacity:.35}"
)


def svg_text(p: Picture, theme: str = "auto") -> str:
    """The picture as an SVG document. `theme`: light, dark, or auto."""
    drawn = layout(p)
    return document(p, drawn, theme)


def document(p: Picture, drawn: Layout, theme: str) -> str:
    """The SVG document of a picture that is laid out."""
    legend = _legend(p)
    width = max(drawn.width, max((x + w for _, x, w in legend), default=0.0) + 24.0, 120.0)
    height = drawn.height + (34.0 if legend else 0.0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img">',
        f"<title>{escaped(_title(p))}</title>",
        f"<style>{styles(theme)}</style>",
        f'<rect class="page" width="{_n(width)}" height="{_n(height)}"/>',
        *figure(p, drawn),
        *_legend_lines(legend, drawn.height + 6.0),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def figure(p: Picture, drawn: Layout, prefix: str = "") -> Iterator[str]:
    """The elements of the arrows and the items: groups with the ids `e0` (by order) and `n3` (by key)."""
    for i, route in enumerate(drawn.routes):
        yield from _arrow_lines(f"{prefix}e{i}", route)
    for key, item in p.items.items():
        yield from _item_lines(f"{prefix}n{key}", item, drawn.boxes[key], key in p.roots)
    yield from _label_lines(drawn.routes)


def styles(theme: str, scope: str = "") -> str:
    """The style sheet of one theme, or of both. `scope`: a selector before every rule."""
    light, dark = (
        "".join(
            f"{scope}.{role}{{{';'.join(f'{name}:{pair[which]}' for name, *pair in rules)}}}"
            for role, rules in COLOURS.items()
        )
        for which in (0, 1)
    )
    colours = {"light": light, "dark": dark}.get(theme) or f"{light}@media (prefers-color-scheme:dark){{{dark}}}"
    return _FIXED + colours


def _item_lines(name: str, item: Item, box: Box, root: bool) -> Iterator[str]:
    classes = f"item {item.kind}{' missing' if item.missing else ''}"
    yield f'<g id="{name}" class="node">'
    if item.times > 1:
        yield _shape(item.kind, classes, box._replace(x=box.x + SHEET, y=box.y - SHEET))
    yield _shape(item.kind, classes, box)
    if root:
        inset = box._replace(width=box.width - 7, height=box.height - 7)
        yield _shape(item.kind, classes, inset)
    lines = [
        *(("title", head) for head in item.heads),
        *((_DETAIL_ROLE.get(role, "quiet"), text) for role, text in item.details),
    ]
    y = box.y - (len(lines) - 1) * LINE / 2 + 4.0
    for role, text in lines:
        yield f'<text class="{role}" x="{_n(box.x)}" y="{_n(y)}">{escaped(text)}</text>'
        y += LINE
    yield "</g>"


def _shape(kind: str, classes: str, box: Box) -> str:
    x, y, w, h = box.x - box.width / 2, box.y - box.height / 2, box.width, box.height
    if kind in ("leaf", "operation"):
        radius = min(h / 2, 22.0) if kind == "leaf" else 3.0
        return f'<rect class="{classes}" x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(radius)}"/>'
    if kind == "call":
        bars = f"M{_n(x + 8)} {_n(y)}V{_n(y + h)}M{_n(x + w - 8)} {_n(y)}V{_n(y + h)}"
        return f'<path class="{classes}" d="M{_n(x)} {_n(y)}h{_n(w)}v{_n(h)}h{_n(-w)}z{bars}"/>'
    if kind == "detached":
        path = f"M{_n(x)} {_n(y)}h{_n(w - 16)}l16 16v{_n(h - 16)}h{_n(-w)}z"
        return f'<path class="{classes}" d="{path}"/>'
    side = min(13.0, w / 4)
    path = f"M{_n(x + side)} {_n(y)}h{_n(w - 2 * side)}l{_n(side)} {_n(h / 2)}l{_n(-side)} {_n(h / 2)}"
    return f'<path class="{classes}" d="{path}h{_n(2 * side - w)}l{_n(-side)} {_n(-h / 2)}z"/>'


def _arrow_lines(name: str, route: Route) -> Iterator[str]:
    arrow = route.arrow
    classes = "carried" if arrow.carried else "arrow far" if route.far else "arrow"
    x, y = route.points[-1]
    if arrow.carried:
        path = _corners([*route.points[:-1], (x, y - 7)])
    else:
        path = _curve([(at, min(down, y - 7)) for at, down in route.points])
    yield f'<g id="{name}" class="edge"><path class="{classes}" d="{path}"/>'
    yield f'<path class="head{" back" if arrow.carried else ""}" d="M{_n(x)} {_n(y)}l-4 -8h8z"/></g>'


def _curve(points: Sequence[Point]) -> str:
    """A smooth line that leaves and reaches each of its points vertically, straight where one is below the other."""
    x, drawn = points[0]
    y = drawn
    parts = [f"M{_n(x)} {_n(y)}"]
    for to_x, to_y in points[1:]:
        if to_x != x:
            if y > drawn:
                parts.append(f"V{_n(y)}")
            middle = (y + to_y) / 2
            parts.append(f"C{_n(x)} {_n(middle)} {_n(to_x)} {_n(middle)} {_n(to_x)} {_n(to_y)}")
            drawn = to_y
        x, y = to_x, to_y
    return "".join([*parts, f"V{_n(y)}"] if y > drawn else parts)


def _corners(points: Sequence[Point]) -> str:
    """A line of straight parts with round corners."""
    x, y = points[0]
    parts = [f"M{_n(x)} {_n(y)}"]
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        before, after = abs(bx - ax) + abs(by - ay), abs(cx - bx) + abs(cy - by)
        r = min(8.0, before / 2, after / 2)
        p = bx - r * _sign(bx - ax), by - r * _sign(by - ay)
        q = bx + r * _sign(cx - bx), by + r * _sign(cy - by)
        parts.append(f"L{_n(p[0])} {_n(p[1])}Q{_n(bx)} {_n(by)} {_n(q[0])} {_n(q[1])}")
    x, y = points[-1]
    return "".join([*parts, f"L{_n(x)} {_n(y)}"])


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)


def _label_lines(routes: Sequence[Route]) -> Iterator[str]:
    """The labels of the arrows, each where it covers no other if there is such a place."""
    placed: list[Box] = []
    for route in routes:
        text = route.arrow.label
        if not text:
            continue
        wide = cells(text) * 6.8 + 4
        places = [Box(x, y, wide, 13.0) for x, y in _along(route)]
        box = min(places, key=lambda place: sum(_overlap(place, other) for other in placed))
        placed.append(box)
        left, top = box.x - wide / 2, box.y - 6.5
        yield f'<rect class="halo" x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="13" rx="2"/>'
        yield f'<text class="label" x="{_n(box.x)}" y="{_n(box.y + 3.5)}">{escaped(text)}</text>'


def _along(route: Route) -> Iterator[Point]:
    """Places for a label on an arrow, the best first: in the last space between layers, or on the long way up."""
    points = route.points
    parts = (0.5, 0.68, 0.32, 0.82, 0.18)
    if route.arrow.carried:
        (x, low), (_, high) = points[2], points[3]
        yield from ((x, low + (high - low) * t) for t in parts)
        return
    (ax, ay), (bx, by) = points[-3], points[-2]
    for t in parts:
        s = t * t * (3 - 2 * t)  # of the curve that leaves and arrives vertically, see `_curve`
        yield ax + (bx - ax) * s, ay + (by - ay) * (t * (1.5 - 1.5 * t + t * t))


def _overlap(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    wide = min(a.x + a.width / 2, b.x + b.width / 2) - max(a.x - a.width / 2, b.x - b.width / 2)
    high = min(a.y + a.height / 2, b.y + b.height / 2) - max(a.y - a.height / 2, b.y - b.height / 2)
    return max(wide, 0.0) * max(high, 0.0)


_WORDS = {
    "leaf": "leaf: a gradient ends here",
    "operation": "operation",
    "call": "folded call",
    "constant": "constant: no gradient",
    "detached": "detached: cut out of the graph",
    "missing": "dashed: got no gradient",
    "carried": "used in the next turn",
}


def _legend(p: Picture) -> list[tuple[str, float, float]]:
    """(kind, x, width of its entry) of what the picture has, where it has more than one kind."""
    kinds = list(kinds_in(p))
    if any(item.missing for item in p.items.values()):
        kinds.append("missing")
    if any(arrow.carried for arrow in p.arrows):
        kinds.append("carried")
    entries = []
    x = 24.0
    for kind in kinds if len(kinds) > 1 else ():
        width = 30.0 + len(_WORDS[kind]) * 7.3 + 20.0
        entries.append((kind, x, width))
        x += width
    return entries


def _legend_lines(legend: list[tuple[str, float, float]], y: float) -> Iterator[str]:
    for kind, x, _ in legend:
        shape = "operation" if kind == "missing" else kind
        classes = f"item {shape}{' missing' if kind == 'missing' else ''}"
        if kind == "carried":
            yield f'<path class="carried" d="M{_n(x)} {_n(y + 8)}h28"/>'
        else:
            yield _shape(shape, classes, Box(x + 14, y + 8, 28, 18 if shape == "detached" else 16))
        words = escaped(_WORDS[kind])
        yield f'<text class="quiet" style="text-anchor:start" x="{_n(x + 36)}" y="{_n(y + 12)}">{words}</text>'


def _title(p: Picture) -> str:
    drawn = f", drawn as {len(p.items):,}" if len(p.items) != p.nodes else ""
    return f"graph of {p.nodes:,} nodes{drawn}"


def _n(x: float) -> str:
    """A coordinate with one decimal at most."""
    return f"{round(x, 1):g}" if abs(x) < 1e5 else f"{x:.1f}"


_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Text for XML: what XML 1.0 can't have at all becomes U+FFFD."""
    text = _FORBIDDEN.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
