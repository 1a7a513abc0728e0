"""A graph as a tree in columns: the output on top, its operands below, operation, value, gradient beside.

    graph                operation     value  gradient
    z = (x*y+1)**2       PowBackward0     49         1
    └─ x*y+1             AddBackward0      7        14
       └─ x*y            MulBackward0      6        14
          ├─ ● x         leaf              2        42
          └─ ● y         leaf              3        28

A graph is no tree: a node that is used twice is drawn in full once, with a number `[1]`, and after that as a
reference to it; so is what a folded loop hands on to its next turn. A branch that would leave the page is drawn below,
from the left edge, with a number likewise. Large graphs are drawn by their `outline`. Leaves, constants and detached
values carry a mark of their own beside the word for them. Where the columns would be cut on a narrow page, each item
has its numbers in a line below it instead.

Invariant: every item of the outline is drawn in full exactly once; nothing recurses.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from autodiff_cli.views.graph_picture import Arrow, Item, Picture, title_of, without_written_numbers
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.outline import Gap, outline
from autodiff_cli.views.text import Column, Line, Look, cells, line_cells, table, table_width, wrapped

LIMIT = 60  # nodes that are drawn of a large graph
NARROW = 64  # columns of a page from which on there are always columns
_HEADINGS = {"value": "value", "grad": "gradient", "shape": "shape", "line": "line", "saved": "saved"}
_RIGHT = frozenset(("value", "grad", "line"))


class Operand(NamedTuple):
    """What an item is computed of: the key of an item, the local derivative, whether it is from the turn before."""

    key: int
    label: str = ""
    carried: bool = False


class Row(NamedTuple):
    """A line of the tree: guides before it and before what belongs to it, its words, its columns."""

    guide: str
    inner: str
    words: Line
    columns: list[Line]


def graph_tree(graph: Any, look: Look, *, full: bool = False) -> list[Line]:
    """The lines of the tree of a snapshot. `full`: draw every node."""
    if graph.nodes is None:
        return [[(f"the graph has {graph.count:,} nodes, too many to draw (--graph full draws them)", "quiet")]]
    items = {node.id: Item(node, node, 1) for node in graph.nodes}
    arrows = [Arrow(edge.source, edge.target, edge.operand) for edge in graph.edges]
    p = Picture(items, arrows, graph.roots, graph.count, False)
    p = without_written_numbers(p, all_of_them=len(items) > LIMIT and not full)
    return _tree(p, look, ("value", "grad"), full, "--graph full draws them")


def picture_tree(p: Picture, look: Look, show: tuple[str, ...], *, full: bool = False) -> list[Line]:
    """The lines of the tree of a picture. `show`: what the columns show; `full`: draw every item."""
    return _tree(p, look, show, full, "--unfold draws them")


def _tree(p: Picture, look: Look, show: tuple[str, ...], full: bool, cure: str) -> list[Line]:
    columns = [
        Column("graph", least=look.width // (4 if p.folded else 3)),
        Column("turns" if p.folded else "turn", right=True, least=4),
        Column("operation", least=look.width // 6),
        *(Column(_HEADINGS[what], right=what in _RIGHT, least=_least(what, p.folded)) for what in show),
        Column("local", right=True, least=7),
    ]
    limit = None if full else LIMIT
    drawing = _Drawing(p, look, show, limit)
    whole = drawing.table()
    if p.folded and table_width(columns, whole) > look.width:
        drawing = _Drawing(p, look, show, limit, digits=(3,))
        whole = drawing.table()
    special = look.width < NARROW or set(show) - {"value", "grad"} or any(arrow.label for arrow in p.arrows)
    if special and table_width(columns, whole) > look.width:
        drawing = _Drawing(p, look, show, limit, room=max(12, look.width - 3 * 4 - 2))
        lines = [line for row in drawing.rows() for line in _stacked(row, columns, look)]
    else:
        lines = table(columns, whole, look.width, look.glyphs.ellipsis)
    if drawing.left_out:
        told = f"{drawing.left_out:,} of {p.nodes:,} nodes are left out ({cure})"
        lines += [[(text, "quiet")] for text in wrapped(told, look.width, 4, look.glyphs.ellipsis)]
    return lines


def _least(what: str, folded: bool) -> int:
    """How narrow a column may get: that of a folded picture's numbers has two in it."""
    return 4 if what == "line" else 17 if folded and what in ("value", "grad") else 9


def _stacked(row: Row, columns: list[Column], look: Look) -> list[Line]:
    """A row without columns: its words, and below them its numbers, each with what it is where that is not plain."""
    told = [
        [(f"{column.heading} ", "quiet"), *cell] if column.heading not in ("turns", "operation", "value") else cell
        for column, cell in zip(columns[1:], row.columns, strict=True)
        if any(text for text, _ in cell)
    ]
    return [*_broken([row.words], row.guide, row.inner, look), *_broken(told, row.inner, row.inner, look)]


def _broken(parts: list[Line], guide: str, inner: str, look: Look) -> list[Line]:
    """Parts with commas between in as many lines as they need, behind guides; a part that is too long is broken."""
    room = max(8, look.width - cells(inner))
    lines: list[Line] = []
    for part in parts:
        if lines and line_cells(lines[-1]) + line_cells(part) + 2 <= room:
            lines[-1] += [(", ", "quiet"), *part]
        elif line_cells(part) <= room:
            lines.append(list(part))
        else:
            broken = wrapped("".join(text for text, _ in part), room, 99, look.glyphs.ellipsis)
            lines += [[(text, part[-1][1])] for text in broken]
    return [[(inner if i else guide, "guide"), *line] for i, line in enumerate(lines)]


class _Drawing:
    """One tree: which items have been drawn, which numbers they got."""

    def __init__(
        self,
        p: Picture,
        look: Look,
        show: tuple[str, ...],
        limit: int | None,
        *,
        digits: tuple[int, ...] = (6, 3),
        room: int | None = None,
    ) -> None:
        self.look = look
        self.digits = digits
        self.show = show
        self.glyphs = look.glyphs
        self.room = room or min(40, max(12, (look.width - 52) // 2))  # columns of a value, or of a gradient
        self.deepest = max(4, look.width // 12)  # levels, of three columns each
        self.done: set[int] = set()
        self.numbers: dict[int, int] = {}
        self.below: deque[int] = deque()
        forward = [arrow for arrow in p.arrows if not arrow.carried]
        used = {arrow.source for arrow in forward}
        tops = [key for key in p.roots if key in p.items]
        tops += [key for key in reversed(p.items) if key not in used and key not in tops]  # of a part of a graph
        drawn = outline([item.first._replace(id=key) for key, item in p.items.items()], forward, tops, limit)
        self.roots = drawn.roots
        self.asked = set(p.roots)
        self.items: dict[int, Any] = {
            key: item if isinstance(item, Gap) else p.items[key] for key, item in drawn.items.items()
        }
        self.left_out = sum(item.count for item in drawn.items.values() if isinstance(item, Gap))
        self.operands = _with_labels(drawn.operands, p.arrows)
        uses: dict[int, int] = dict.fromkeys(self.roots, 1)
        for operands in self.operands.values():
            for operand in operands:
                uses[operand.key] = uses.get(operand.key, 0) + 1
        self.shared = {key for key, count in uses.items() if count > 1}

    def table(self) -> list[list[Line]]:
        """The rows as those of a table."""
        return [[[(row.guide, "guide"), *row.words], *row.columns] for row in self.rows()]

    def rows(self) -> list[Row]:
        """All rows: the tree of each output, each followed by the branches that did not fit under it."""
        rows: list[Row] = []
        for root in self.roots:
            if root in self.done and root not in self.asked:
                continue
            self._branch(root, rows)
            while self.below:
                self._branch(self.below.popleft(), rows)
        return rows

    def _branch(self, root: int, rows: list[Row]) -> None:
        glyphs = self.glyphs
        # (operand, guides before it, guides before its operands, depth)
        stack: list[tuple[Operand, str, str, int]] = [(Operand(root), "", "", 0)]
        while stack:
            operand, guide, inner, depth = stack.pop()
            key = operand.key
            operands = self.operands[key]
            if key in self.done or key in self.below:
                rows.append(self._reference(operand, guide, inner, "above" if key in self.done else "below"))
                continue
            if depth >= self.deepest and operands:
                self._numbered(key)
                self.below.append(key)
                rows.append(self._reference(operand, guide, inner, "below"))
                continue
            self.done.add(key)
            rows.append(self._full(operand, guide, inner + (glyphs.pipe if operands else "   ")))
            for i in range(len(operands) - 1, -1, -1):
                last = i == len(operands) - 1
                mine = inner + (glyphs.last if last else glyphs.branch)
                stack.append((operands[i], mine, inner + ("   " if last else glyphs.pipe), depth + 1))

    def _number(self, raw: Any, room: int) -> str:
        """A value in few columns: six digits, or three where an array would not fit with six."""
        text = ""
        for digits in self.digits:
            text = array_text(raw, room, ofmt=self.look.ofmt, digits=digits, ascii_only=not self.look.boxes)
            if self.glyphs.ellipsis not in text:
                break
        return text

    def _first_and_last(self, first: Any, last: Any, times: int) -> str:
        """The value of the first turn and that of the last, where they differ."""
        room = self.room if times == 1 else max(12, self.room // 2)
        texts = [self._number(x, room) for x in (first, last) if x is not None]
        return f" {self.glyphs.ellipsis} ".join(dict.fromkeys(texts))

    def _numbered(self, key: int) -> int:
        return self.numbers.setdefault(key, len(self.numbers) + 1)

    def _mark(self, key: int) -> Line:
        """The number of an item that is drawn, or referred to, in more than one place."""
        if key in self.numbers or (key in self.shared and self.operands[key]):
            return [(f"[{self._numbered(key)}] ", "quiet")]
        return []

    def _reference(self, operand: Operand, guide: str, inner: str, where: str) -> Row:
        item = self.items[operand.key]
        label = "more nodes" if isinstance(item, Gap) else item.name or item.title or title_of(item.first)
        mark = self._mark(operand.key)
        where += ", turn before" if operand.carried else ""
        told = f"{where}: {label}" if mark else f"{label} ({where})"
        return Row(
            guide, inner, [*mark, (told, "quiet")], [*[[] for _ in range(2 + len(self.show))], self._local(operand)]
        )

    def _local(self, operand: Operand) -> Line:
        text = operand.label
        if text and not self.look.boxes:
            text = text.replace("…", "...")
        return [(text, "hint")] if text else []

    def _full(self, operand: Operand, guide: str, inner: str) -> Row:
        item = self.items[operand.key]
        mark = self._mark(operand.key)
        if isinstance(item, Gap):
            words: Line = [*mark, (f"{self.glyphs.gap} {_gap_words(item)}", "quiet")]
            return Row(guide, inner, words, [*[[] for _ in range(2 + len(self.show))], self._local(operand)])
        times = item.times
        if times > 1:
            turns = f"{'×' if self.look.boxes else 'x'} {times:,}"
        else:
            turns = ", ".join(f"{turn:,}" for _, turn in item.first.loops)  # outermost first
        columns: list[Line] = [[(turns, "quiet")], self._made_by(item)]
        columns += [self._shown(item, what) for what in self.show]
        return Row(guide, inner, [*mark, *self._label(item)], [*columns, self._local(operand)])

    def _label(self, item: Item) -> Line:
        title = item.title or title_of(item.first) or self._number(item.first.value, self.room)
        if item.kind in ("leaf", "constant", "detached"):
            return [(f"{getattr(self.glyphs, item.kind)} {title}", "leaf" if item.kind == "leaf" else "constant")]
        lead = f"{item.name} = "
        if item.name and title.startswith(lead):
            return [(lead, "name"), (title[len(lead) :], "")]
        return [(title, "")]

    def _made_by(self, item: Item) -> Line:
        if item.kind == "call":
            return [(f"call, {item.members:,} nodes" if item.members > 1 else "call", "quiet")]
        if item.kind == "operation":
            return [(item.first.grad_fn or item.first.op, "operation")]
        return [(item.kind, "quiet")]

    def _shown(self, item: Item, what: str) -> Line:
        first, last = item.first, item.last
        if what == "value":
            now = "now " if first.changed or last.changed else ""
            return [(now + self._first_and_last(first.value, last.value, item.times), "value")]
        if what == "grad":
            text = self._first_and_last(first.grad, last.grad, item.times)
            return [(text, "gradient")] if text else [("none", "quiet")] if first.requires_grad else []
        text = dict(item.details).get(what, "")
        return [(text.removeprefix("line ").removeprefix("saves "), "quiet")]


def _with_labels(operands: dict[int, list[int]], arrows: list[Arrow]) -> dict[int, list[Operand]]:
    """The operands of the outline's items, with the labels of their arrows, and those from the turn before."""
    labels: dict[tuple[int, int], list[str]] = {}
    found: dict[int, list[Operand]] = {}
    for arrow in sorted(arrows, key=lambda a: (a.target, a.operand)):
        if not arrow.carried:
            labels.setdefault((arrow.target, arrow.source), []).append(arrow.label)
    for key, sources in operands.items():
        found[key] = []
        for source in sources:
            waiting = labels.get((key, source))
            found[key].append(Operand(source, waiting.pop(0) if waiting else ""))
    for arrow in arrows:
        if arrow.carried and arrow.source in operands and arrow.target in operands:
            found[arrow.target].append(Operand(arrow.source, arrow.label, True))
    return found


def _gap_words(gap: Gap) -> str:
    nodes = f"{gap.count:,} more node{'s' if gap.count > 1 else ''}"
    if gap.loop is None:
        return nodes
    line, first, last = gap.loop
    turns = f"turn {first:,}" if first == last else f"turns {first:,} to {last:,}"
    return f"{nodes}: line {line}, {turns}"
