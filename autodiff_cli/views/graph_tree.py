"""A graph as a tree in columns: the output on top, its operands below, operation, value, gradient beside.

    graph                operation     value  gradient
    z = (x*y+1)**2       PowBackward0     49         1
    └─ x*y+1             AddBackward0      7        14
       └─ x*y            MulBackward0      6        14
          ├─ ● x         leaf              2        42
          └─ ● y         leaf              3        28

A graph is no tree: a node that is used twice is drawn in full once, with a number `[1]`, and after that as a
reference to it. A branch that would leave the page is drawn below, from the left edge, with a number
likewise. Large graphs are drawn by their `outline`. Leaves and constants carry a mark of
their own beside the word for them. A number that stands in the text of the expression (the 2 of `x**2`) is no
row of its own.

Invariant: every item of the outline is drawn in full exactly once; nothing recurses.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any

from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.outline import Gap, Outline, outline
from autodiff_cli.views.text import Column, Line, Look, one_line, table

LIMIT = 60  # nodes that are drawn of a large graph

Row = tuple[Line, Line, Line, Line, Line]


def graph_tree(graph: Any, look: Look, *, full: bool = False) -> list[Line]:
    """The lines of the tree of a snapshot. `full`: draw every node."""
    if graph.nodes is None:
        return [[(f"the graph has {graph.count:,} nodes, too many to draw (--graph full draws them)", "quiet")]]
    nodes, edges = _without_plain_numbers(graph, all_of_them=len(graph.nodes) > LIMIT and not full)
    drawn = outline(nodes, edges, graph.roots, None if full else LIMIT)
    drawing = _Drawing(drawn, look)
    columns = (
        Column("graph", least=look.width // 3),
        Column("turn", right=True, least=4),
        Column("operation", least=look.width // 6),
        Column("value", right=True, least=9),
        Column("gradient", right=True, least=9),
    )
    lines = table(columns, drawing.rows(), look.width, look.glyphs.ellipsis)
    left_out = sum(item.count for item in drawn.items.values() if isinstance(item, Gap))
    if left_out:
        lines.append([(f"{left_out:,} of {graph.count:,} nodes are left out (--graph full draws them)", "quiet")])
    return lines


_LITERAL = re.compile(r"(?<![\w.])(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?")


def _without_plain_numbers(graph: Any, all_of_them: bool) -> tuple[list[Any], list[Any]]:
    """The nodes and edges without constants that tell nothing: numbers that the expression using them shows.

    Of a large graph (`all_of_them`) all constants without a name are left out.
    """
    dropped: set[int] = set()
    for edge in graph.edges:
        node = graph.nodes[edge.source]
        if node.op != "constant" or node.name or node.text:
            continue
        if all_of_them:
            dropped.add(node.id)
        elif not node.shape:
            written = _LITERAL.findall(graph.nodes[edge.target].text)
            if any(float(number) == abs(node.value) for number in written):
                dropped.add(node.id)
    dropped -= set(graph.roots)
    nodes = [node for node in graph.nodes if node.id not in dropped]
    return nodes, [edge for edge in graph.edges if edge.source not in dropped]


class _Drawing:
    """One tree: which items have been drawn, which numbers they got."""

    def __init__(self, drawn: Outline, look: Look) -> None:
        self.outline = drawn
        self.look = look
        self.glyphs = look.glyphs
        self.room = min(40, max(12, (look.width - 52) // 2))  # columns of a value, or of a gradient
        self.deepest = max(4, look.width // 12)  # levels, of three columns each
        self.done: set[int] = set()
        self.numbers: dict[int, int] = {}
        self.below: deque[int] = deque()
        uses: dict[int, int] = dict.fromkeys(drawn.roots, 1)
        for operands in drawn.operands.values():
            for key in operands:
                uses[key] = uses.get(key, 0) + 1
        self.shared = {key for key, count in uses.items() if count > 1}

    def rows(self) -> list[Row]:
        """All rows: the tree of each output, each followed by the branches that did not fit under it."""
        rows: list[Row] = []
        for root in self.outline.roots:
            self._branch(root, rows)
            while self.below:
                self._branch(self.below.popleft(), rows)
        return rows

    def _branch(self, root: int, rows: list[Row]) -> None:
        glyphs = self.glyphs
        # (key, guides before it, guides before its operands, depth)
        stack: list[tuple[int, str, str, int]] = [(root, "", "", 0)]
        while stack:
            key, guide, inner, depth = stack.pop()
            operands = self.outline.operands[key]
            if key in self.done or key in self.below:
                rows.append(self._reference(key, guide, "above" if key in self.done else "below"))
                continue
            if depth >= self.deepest and operands:
                self._numbered(key)
                self.below.append(key)
                rows.append(self._reference(key, guide, "below"))
                continue
            self.done.add(key)
            rows.append(self._full(key, guide))
            for i in range(len(operands) - 1, -1, -1):
                last = i == len(operands) - 1
                stack.append(
                    (
                        operands[i],
                        inner + (glyphs.last if last else glyphs.branch),
                        inner + ("   " if last else glyphs.pipe),
                        depth + 1,
                    )
                )

    def _number(self, raw: Any) -> str:
        """A value in few columns: six digits, or three where an array would not fit with six."""
        for digits in (6, 3):
            text = array_text(raw, self.room, ofmt=self.look.ofmt, digits=digits, ascii_only=not self.look.boxes)
            if self.glyphs.ellipsis not in text:
                break
        return text

    def _numbered(self, key: int) -> int:
        return self.numbers.setdefault(key, len(self.numbers) + 1)

    def _mark(self, key: int) -> Line:
        """The number of an item that is drawn, or referred to, in more than one place."""
        if key in self.numbers or (key in self.shared and self.outline.operands[key]):
            return [(f"[{self._numbered(key)}] ", "quiet")]
        return []

    def _reference(self, key: int, guide: str, where: str) -> Row:
        item = self.outline.items[key]
        label = "more nodes" if isinstance(item, Gap) else item.name or one_line(item.text)
        mark = self._mark(key)
        told = f"{where}: {label}" if mark else f"{label} ({where})"
        return [(guide, "guide"), *mark, (told, "quiet")], [], [], [], []

    def _full(self, key: int, guide: str) -> Row:
        item = self.outline.items[key]
        lead: Line = [(guide, "guide"), *self._mark(key)]
        if isinstance(item, Gap):
            return [*lead, (f"{self.glyphs.gap} {_gap_words(item)}", "quiet")], [], [], [], []
        kind = kind_of(item)
        value: Line = [(self._number(item.value), "value")]
        if kind == "operation":
            label: Line = [(f"{item.name} = ", "name")] if item.name else []
            label.append((one_line(item.text), ""))
            operation = item.grad_fn or item.op
        else:
            shown = item.name or one_line(item.text) or self._number(item.value)
            label = [(f"{getattr(self.glyphs, kind)} {shown}", kind)]
            operation = kind
        turns: Line = [(", ".join(f"{turn:,}" for _, turn in item.loops), "quiet")]  # outermost first
        gradient: Line = []
        if item.grad is not None:
            gradient = [(self._number(item.grad), "gradient")]
        elif item.requires_grad:
            gradient = [("none", "quiet")]
        made_by: Line = [(operation, "operation" if kind == "operation" else "quiet")]
        return [*lead, *label], turns, made_by, value, gradient


def kind_of(node: Any) -> str:
    """What a node is to backward: "operation", "leaf" (a gradient ends there) or "constant"."""
    if not node.requires_grad:
        return "constant"
    return "leaf" if node.is_leaf else "operation"


def _gap_words(gap: Gap) -> str:
    nodes = f"{gap.count:,} more node{'s' if gap.count > 1 else ''}"
    if gap.loop is None:
        return nodes
    line, first, last = gap.loop
    turns = f"turn {first:,}" if first == last else f"turns {first:,} to {last:,}"
    return f"{nodes}: line {line}, {turns}"
