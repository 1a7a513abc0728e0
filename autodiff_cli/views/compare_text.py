"""`autodiff compare` for a terminal: the decisions that differ, the graphs laid over one another, the gradients.

first: x = 2    second: x = -2

line 2: if x > 0: true | false

  graph          operation     first  second
  y.sum()        SumBackward0      4       2
- └─ y = x*x     MulBackward0      4
-    ├─ ● x      leaf              2
+ └─ y = -x      NegBackward0              2
"""

from __future__ import annotations

from collections import deque
from typing import Any

from autodiff_cli.views.compare import Comparison, Difference, Item
from autodiff_cli.views.numbers import array_text, number_text
from autodiff_cli.views.report import gradient_rows
from autodiff_cli.views.text import Column, Line, Look, clip, one_line, table, wrapped_row

ROLES = {" ": "", "-": "failed", "+": "passed", "~": "warning"}
MOST = 120  # rows of the tree
MOST_CHANGES = 20  # operations with other parameters that are told of


def compare_lines(runs: tuple[Any, Any], compared: Comparison, look: Look, *, all_nodes: bool = False) -> list[Line]:
    """The lines of a comparison of two runs. `all_nodes`: also what is the same in both."""
    blocks = [
        _summary(compared, look),
        [line for d in compared.decisions for line in _decision(d, look)],
        _changes(compared, look),
        _tree(compared, look, all_nodes) if compared.items else [],
        _gradients(runs, look),
    ]
    kept = [block for block in blocks if block]
    return [line for i, block in enumerate(kept) for line in ([[], *block] if i else block)]


def _summary(compared: Comparison, look: Look) -> list[Line]:
    if compared.too_large:
        return [[(f"a graph of {compared.too_large:,} nodes is too large to compare (--graph full does)", "quiet")]]
    if not compared.differ:
        return [[("the two runs built the same graph", "passed"), (f": {_nodes(compared.both)}", "")]]
    parts = [f"{_nodes(compared.both)} in both"]
    changed = sum(1 for item in compared.items if item.changed)
    parts += [f"{changed:,} with other parameters"] if changed else []
    parts += [f"{compared.gone:,} only in the first"] if compared.gone else []
    parts += [f"{compared.new:,} only in the second"] if compared.new else []
    first: Line = [("the graphs differ", "warning")]
    return [
        part
        for row in wrapped_row([first, [(": " + ", ".join(parts), "")]], {1: look.width - 19})
        for part in [[*(row[0] or [(" " * 19, "")]), *row[1]]]
    ]


def _nodes(n: int) -> str:
    return "1 node" if n == 1 else f"{n:,} nodes"


def _changes(compared: Comparison, look: Look) -> list[Line]:
    """`x.sum(dim=n): dim: 0 | 1`, of operations that both runs have with other parameters."""
    lines: list[Line] = []
    found = [item for item in compared.items if item.changed]
    for item in found[:MOST_CHANGES]:
        told = "; ".join(f"{name} {clip(a, 24, '...')} | {clip(b, 24, '...')}" for name, (a, b) in item.changed.items())
        text = one_line(item.node.text) or item.node.op
        room = max(20, look.width - len(told) - 2)
        lines.append([(clip(text, room, look.glyphs.ellipsis), ""), (f": {told}", "warning")])
    if len(found) > MOST_CHANGES:
        lines.append([(f"{len(found) - MOST_CHANGES:,} more with other parameters", "quiet")])
    return lines


def _decision(d: Difference, look: Look) -> list[Line]:
    """`line 2: if x > 0: true | false`; of many times, where they part."""
    word = "" if d.kind == "conditional" else f"{d.kind} "
    told = _times(d)
    return [
        [
            (clip(f"line {d.line}: {word}{d.text}", max(20, look.width - len(told) - 2), look.glyphs.ellipsis), ""),
            (f": {told}", "warning"),
        ]
    ]


def _times(d: Difference) -> str:
    if d.kind in ("while", "for"):
        if len(d.first) <= 1 and len(d.second) <= 1:
            return f"{_turns(d.first)} | {_turns(d.second)}"
        return f"{sum(d.first):,} turns in {len(d.first):,} runs | {sum(d.second):,} in {len(d.second):,}"
    if len(d.first) <= 1 and len(d.second) <= 1:
        return f"{_truth(d.first, 0)} | {_truth(d.second, 0)}"
    at = next((i for i, (a, b) in enumerate(zip(d.first, d.second, strict=False)) if a != b), None)
    if at is None:
        at = min(len(d.first), len(d.second))
    alike = f"alike {at:,} times, then " if at > 1 else "alike once, then " if at else ""
    return f"{alike}{_truth(d.first, at)} | {_truth(d.second, at)}"


def _turns(turns: tuple[int, ...]) -> str:
    return "never reached" if not turns else "1 turn" if turns[0] == 1 else f"{turns[0]:,} turns"


def _truth(truths: tuple[bool, ...], at: int) -> str:
    return "not reached" if at >= len(truths) else "true" if truths[at] else "false"


class _Tree:
    """Rows of the tree. What would leave the page, and what is met again, is referred to by a number."""

    def __init__(self, look: Look, all_nodes: bool) -> None:
        self.look = look
        self.all_nodes = all_nodes
        self.room = min(30, max(8, (look.width - 50) // 3))
        self.deepest = max(4, look.width // 10)
        self.done: set[int] = set()
        self.numbers: dict[int, int] = {}
        self.below: deque[tuple[str, Item]] = deque()
        self.rows: list[list[Line]] = []

    def draw(self, sign: str, root: Item) -> None:
        stack = [(sign, root, "", "", 0)]
        glyphs = self.look.glyphs
        while stack:
            sign, item, guide, inner, depth = stack.pop()
            if item.key in self.done:
                self._reference(sign, item, guide, "above")
                continue
            if depth >= self.deepest and item.operands and not item.same:
                self._reference(sign, item, guide, "below")
                if all(known is not item for _, known in self.below):
                    self.below.append((item.sign, item))
                continue
            self.done.add(item.key)
            closed = item.same and not self.all_nodes and bool(item.operands)
            self._full(sign, item, guide, closed)
            if closed:
                continue
            for i in range(len(item.operands) - 1, -1, -1):
                edge, child = item.operands[i]
                last = i == len(item.operands) - 1
                mark = glyphs.last if last else glyphs.branch
                bar = "   " if last else glyphs.pipe
                stack.append((edge, child, inner + mark, inner + bar, depth + 1))

    def _label(self, item: Item) -> Line:
        node = item.node
        if node.is_leaf:
            kind = "leaf" if node.requires_grad else "constant"
            shown = node.name or one_line(node.text) or number_text(node.value, 6)
            return [(f"{getattr(self.look.glyphs, kind)} {shown}", kind)]
        name: Line = [(f"{node.name} = ", "name")] if node.name else []
        return [*name, (one_line(node.text), "")]

    def _mark(self, sign: str) -> Line:
        return [(f"{sign} ", ROLES[sign])]

    def _full(self, sign: str, item: Item, guide: str, closed: bool) -> None:
        node = item.node
        number: Line = [(f"[{self.numbers[item.key]}] ", "quiet")] if item.key in self.numbers else []
        label = self._label(item)
        if closed:
            label = [*label, (f"  ({self.look.glyphs.ellipsis} the same in both)", "quiet")]
        operation = "leaf" if node.is_leaf and node.requires_grad else node.grad_fn or "constant"
        turns = ", ".join(f"{turn:,}" for _, turn in node.loops)
        self.rows.append(
            [
                [*self._mark("~" if item.changed and sign == " " else sign), (guide, "guide"), *number, *label],
                [(turns, "quiet")],
                [(operation, "operation" if node.grad_fn else "quiet")],
                self._value(item.first),
                self._value(item.second),
            ]
        )

    def _value(self, node: Any) -> Line:
        if node is None:
            return []
        look = self.look
        return [(array_text(node.value, self.room, ofmt=look.ofmt, digits=6, ascii_only=not look.boxes), "value")]

    def _reference(self, sign: str, item: Item, guide: str, where: str) -> None:
        told = item.node.name or one_line(item.node.text) or number_text(item.node.value, 6)
        if where == "below":
            number = self.numbers.setdefault(item.key, len(self.numbers) + 1)
            told = f"[{number}] below: {told}"
        else:
            told = f"{told} (above)" if item.operands else told
        self.rows.append([[*self._mark(sign), (guide, "guide"), (told, "quiet")], [], [], [], []])


def _tree(compared: Comparison, look: Look, all_nodes: bool) -> list[Line]:
    tree = _Tree(look, all_nodes)
    for sign, root in compared.roots:
        tree.draw(sign, root)
        while tree.below:
            sign, item = tree.below.popleft()
            if item.key not in tree.done:  # it was met again, nearer to the root
                tree.draw(sign, item)
    columns = (
        Column("  graph", least=look.width // 3),
        Column("turn", right=True, least=4),
        Column("operation", least=look.width // 6),
        Column("first", right=True, least=8),
        Column("second", right=True, least=8),
    )
    rows = tree.rows if all_nodes else tree.rows[:MOST]
    lines = table(columns, rows, look.width, look.glyphs.ellipsis)
    if len(rows) < len(tree.rows):
        lines.append([(f"{len(tree.rows) - len(rows):,} more rows (--all shows them)", "quiet")])
    return lines


def _gradients(runs: tuple[Any, Any], look: Look) -> list[Line]:
    """Outputs, inputs and gradients of both runs, side by side."""
    room = max(8, (look.width - 22) // 4)

    def cell(value: Any, role: str) -> Line:
        if value is None:
            return [("none", "quiet")]
        if not hasattr(value, "ndim") and not isinstance(value, (int, float)):
            return [(clip(one_line(repr(value)), room, look.glyphs.ellipsis), role)]
        return [(array_text(value, room, ofmt=look.ofmt, digits=6, ascii_only=not look.boxes), role)]

    tables = [{name: (value, grad) for name, value, grad in gradient_rows(run)} for run in runs]
    rows: list[list[Line]] = []
    first, second = runs
    if first.outputs or second.outputs:
        name = clip(one_line(first.output or second.output or "value"), room, look.glyphs.ellipsis)
        rows.append([[(name, "name")], cell(first.value, "value"), cell(second.value, "value"), [], []])
    for name in {**tables[0], **tables[1]}:
        row: list[Line] = [[(name, "leaf")]]
        for part, role in ((0, "value"), (1, "gradient")):
            row += [cell(t[name][part], role) if name in t else [] for t in tables]
        rows.append(row)
    columns = (
        Column("name"),
        Column("first", right=True),
        Column("second", right=True),
        Column("gradient, first", right=True),
        Column("second", right=True),
    )
    return table(columns, rows, look.width, look.glyphs.ellipsis)
