"""`autodiff explain` for a terminal: a table of steps, what they add up to, the gradients.

    node            operand  derivative   local  incoming  product  sum
    z = (x*y+1)**2  x*y+1    2 * (x*y+1)     14         1       14   14
    x*y+1           x*y                       1        14       14   14
    x*y             x        y                3        14       42   42
                    y        x                2        14       28   28

An array stands there by its shape and as many entries as fit, or with `--element` by one entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.graph import Graph, GraphNode
from autodiff_cli.views.explain import Explanation, Step, equal, label, replaced, sums
from autodiff_cli.views.explain_element import Entry, entry_of, local_at
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.report import gradient_rows, gradient_table, output_lines
from autodiff_cli.views.text import Column, Line, Look, line_cells, one_line, table, wrapped_row

MOST = 60  # steps that are shown of a longer pass
ENDS = 25  # ... as many of its beginning, and of its end
HEADINGS = ("node", "turn", "operand", "derivative", "local", "incoming", "product", "sum")

Row = list[Line]


def explain_lines(
    run: Any,
    explained: Sequence[Explanation],
    look: Look,
    *,
    wrt: Sequence[str] = (),
    all_steps: bool = False,
    entry: Entry = (),
) -> list[Line]:
    """The lines of the explanation of passes of a run. `entry`: the one entry of arrays to follow; (): all."""
    blocks: list[list[Line]] = [
        [line for o in run.outputs if o.value is not None for line in output_lines(o.name, o.value, look)]
    ]
    for one in explained:
        if one.passes:
            blocks.append(_beginning(one, look))
            blocks.append(_Steps(look, entry).lines(one, all_steps))
            blocks.append(_sums(one, look, entry))
    rows = gradient_rows(run, wrt)
    if rows:
        blocks.append([*gradient_table(rows, look), *_accumulated(explained, rows, look)])
    blocks = [block for block in blocks if block]
    return [line for i, block in enumerate(blocks) for line in ([[], *block] if i else block)]


def _beginning(explained: Explanation, look: Look) -> list[Line]:
    which = "" if explained.passes == 1 else f" (pass {explained.number:,} of {explained.passes:,})"
    at = "" if explained.line is None else f" at line {explained.line}"
    graph = explained.graph
    if graph.nodes is None:
        told = f"the pass{which} went through {graph.count:,} nodes, too many to explain"
        return [[(told, "quiet")]]
    starts = []
    for root in graph.roots:
        node = graph.nodes[root]
        starts.append(f"{label(node)} with gradient {_number(node.grad, 24, look)}")
    return [[(part, "")] for part in wrapped(f"backward{at} starts from {' and '.join(starts)}{which}", look.width)]


def _number(value: Any, room: int, look: Look) -> str:
    """A value in few columns: six digits, or three where an array would not fit with six."""
    text = ""
    for digits in (6, 3, 2) if room >= 10 else (4, 2):
        text = array_text(value, room, ofmt=look.ofmt, digits=digits, ascii_only=not look.boxes)
        if look.glyphs.ellipsis not in text:
            break
    return text


class _Steps:
    """The table. `entry`: see `explain_lines`."""

    def __init__(self, look: Look, entry: Entry) -> None:
        self.look = look
        self.entry = entry
        self.twins: set[int] = set()
        self.room = min(28, max(8, (look.width - 56) // 5))  # columns of a number

    def _widen(self, explained: Explanation) -> None:
        """Give numbers the columns that names and formulas leave."""
        steps, width = explained.steps, self.look.width
        node = max((len(s.node.text) + len(s.node.name or "") + 3 for s in steps), default=0)
        operand = max((len(label(s.operand)) for s in steps), default=0)
        formula = max((len(s.formula or "") for s in steps), default=0)
        columns = 3 + any(s.local is not None or self.entry for s in steps)
        turns = 6 if any(s.node.loops for s in steps) else 0
        left = width - min(node, width // 7) - min(operand, width // 9) - max(10, min(formula, 40)) - turns
        self.room = min(28, max(8, left // columns - 2))

    def lines(self, explained: Explanation, all_steps: bool) -> list[Line]:
        self._widen(explained)
        rows = self.rows(explained, all_steps)
        node, operand = self.look.width // 7, self.look.width // 9
        most = (node, 9, operand, 0, *[self.room] * 4)
        widths = [max((line_cells(row[i]) for row in rows), default=0) for i in range(8)]
        used = [max(min(w, m), len(h) * (m > 0)) + 2 for w, m, h in zip(widths, most, HEADINGS, strict=True) if w]
        terms = self.room  # columns of the local derivative; the terms of one by an entry are told whole
        if self.entry and widths[4] > terms:
            terms = max(terms, min(17, terms + self.look.width - sum(used) - 12))
            used.append(terms - self.room)
        rooms = {3: max(12, self.look.width - sum(used)), **({4: terms} if self.entry else {})}
        rows = [part for row in rows for part in wrapped_row(row, rooms)]
        columns = (
            Column("node", least=node),
            Column("turn", right=True, least=4),
            Column("operand", least=operand),
            Column("derivative", least=max([10, *(line_cells(row[3]) for row in rows)])),
            *(Column(h, right=True, least=terms if h == "local" else self.room) for h in HEADINGS[4:]),
        )
        found = table(columns, rows, self.look.width, self.look.glyphs.ellipsis)
        return found + self.legend(explained, len(explained.steps) > MOST and not all_steps)

    def rows(self, explained: Explanation, all_steps: bool) -> list[Row]:
        """The steps in cells, as many as are to be shown."""
        steps = explained.steps
        cut = len(steps) > MOST and not all_steps
        self.twins = _twins(explained.graph)
        rows: list[Row] = []
        before: Step | None = None
        for i, step in enumerate([*steps[:ENDS], *steps[-ENDS:]] if cut else steps):
            if cut and i == ENDS:
                before = None
                gap = f"{self.look.glyphs.gap} {len(steps) - 2 * ENDS:,} more steps"
                rows.append([[(gap, "quiet")], [], [], [], [], [], [], []])
            rows.append(self._row(step, before))
            before = step
        return rows

    def _row(self, step: Step, before: Step | None) -> Row:
        again = before is not None and before.node.id == step.node.id
        node = step.node
        name: Line = [(f"{node.name} = ", "name")] if node.name and node.name != node.text else []
        if node.statement:  # `h *= x` names what it changes; of `v[0] = 5` the base of v has the name
            name = [] if node.text.startswith(f"{node.name} ") else [(f"{node.name}: ", "name")] if name else []
        made: Line = (
            [*name, *self._apart(node), (one_line(node.text), "")] if node.text or node.name else [(node.op, "")]
        )
        turns: Line = [(", ".join(f"{turn:,}" for _, turn in node.loops), "quiet")]
        role = "leaf" if step.operand.is_leaf else ""
        return [
            [] if again else made,
            [] if again else turns,
            [*self._apart(step.operand), (label(step.operand), role)],
            *self._local(step),
            [] if again else self._value(step, "incoming", "value"),
            self._value(step, "product", "value"),
            self._value(step, "total", "gradient"),
        ]

    def _apart(self, node: GraphNode) -> Line:
        """The operation of a node that shares its text with others."""
        return [(f"{node.op}: ", "operation")] if node.id in self.twins else []

    def _local(self, step: Step) -> tuple[Line, Line]:
        """The local derivative as a formula, and as a number."""
        text = step.formula
        value = step.local
        if self.entry:
            value = local_at(step, self.entry)
        shown = value if isinstance(value, str) else "" if value is None else _number(value, self.room, self.look)
        if text == shown:
            text = ""
        if text is None:
            text = "" if shown else "a Jacobian"
        return [(text, "operation")], [(shown, "value")]

    def _value(self, step: Step, what: str, role: str) -> Line:
        value = getattr(step, what)
        if value is None:
            return [("unknown", "quiet")]
        if self.entry and (what != "incoming" or step.local is not None):  # a Jacobian takes all that comes in
            value = entry_of(value, self.entry)
        return [(_number(value, self.room, self.look), role)]

    def legend(self, explained: Explanation, cut: bool) -> list[Line]:
        lines: list[Line] = []
        if cut:
            lines.append([("the middle is left out; --all shows every step", "quiet")])
        if explained.left_out:
            n = explained.left_out
            told = "1 step that leads elsewhere is" if n == 1 else f"{n:,} steps that lead elsewhere are"
            lines.append([(f"{told} left out", "quiet")])
        told = _names_told(explained)
        if told:
            lines += [[(part, "quiet")] for part in wrapped(told, self.look.width)]
        return lines


def _twins(graph: Graph) -> set[int]:
    """The nodes that share their text with others, as the parts of one call do, and have no name besides."""
    nodes = graph.nodes or ()
    shared = {(node.span, node.loops, node.calls) for node in nodes if node.part}
    return {
        node.id
        for node in nodes
        if node.name is None and not node.is_leaf and (node.span, node.loops, node.calls) in shared
    }


_MEANINGS = (
    ("g", "g is the gradient that comes in (a formula with g in it is the whole product)"),
    ("expand", "expand(g) is g spread over the entries that were reduced"),
    ("n", "n is how many entries were reduced into one"),
    ("count", "count is how many entries are equal"),
    ("I", "I is the identity matrix"),
    ("rstd", "rstd is 1 / sqrt(var + eps)"),
    ("xhat", "xhat is the normalised x"),
)


def _names_told(explained: Explanation) -> str:
    """What the names mean that formulas have besides the program's."""
    words: set[str] = set()
    for step in explained.steps:
        words |= set(_WORD.findall(step.formula or ""))
    told = [about for name, about in _MEANINGS if name in words]
    rule = {name for step in explained.steps for name in step.generic}
    if rule:
        told.insert(0, _rule_names_told(rule))
    if any(_summed(step) for step in explained.steps):
        told.append("where an operand was broadcast, its products are summed")
    return "; ".join(told)


def _rule_names_told(names: set[str]) -> str:
    """What operands and values are called whose text is long, or is that of more than the value."""
    operands = sorted({"a", "b"} | names - {"y"}) if names & {"a", "b"} else sorted(names - {"y"})
    parts = []
    if operands:
        parts.append(
            f"{', '.join(operands)} stand for the operands in order"
            if operands[1:]
            else f"{operands[0]} stands for the operand"
        )
    if "y" in names:
        parts.append("y for the node's value" if operands else "y stands for the node's value")
    return f"{' and '.join(parts)}, where the text is long or tells more"


_WORD = re.compile(r"[A-Za-z_]\w*")


def _summed(step: Step) -> bool:
    """Whether entries of the product were added up, because the operand was broadcast."""
    return step.local is not None and getattr(step.local, "shape", ()) != getattr(step.product, "shape", ())


def step_cells(explained: Explanation, look: Look, all_steps: bool, entry: Entry) -> list[list[str]]:
    """The table's cells as texts, under `HEADINGS`."""
    rows = _Steps(look, entry).rows(explained, all_steps)
    return [["".join(text for text, _ in cell) for cell in row] for row in rows]


def told_below(explained: Explanation, look: Look, entry: Entry, *, all_steps: bool) -> list[str]:
    """What is told below the table, as sentences."""
    legend = _Steps(look, entry).legend(explained, len(explained.steps) > MOST and not all_steps)
    return ["".join(text for text, _ in line) for line in [*_sums(explained, look, entry), *legend]]


def wrapped(text: str, width: int) -> list[str]:
    """A sentence in lines."""
    import textwrap

    return textwrap.wrap(text, max(width, 12), break_on_hyphens=False)


def _sums(explained: Explanation, look: Look, entry: Entry) -> list[Line]:
    """What was used several times: there contributions add."""
    lines: list[Line] = []
    found = sums(explained)
    for node, steps in found[:12]:
        times = {2: "twice"}.get(len(steps), f"{len(steps):,} times")
        turn = "".join(f" (turn {', '.join(f'{turn:,}' for _, turn in node.loops)})" for _ in node.loops[:1])
        lead = f"{label(node)}{turn} is used {times}: contributions add"
        values = [step.product for step in steps]
        total = steps[-1].total
        if entry:
            values, total = [entry_of(v, entry) for v in values], entry_of(total, entry)
        if not any(v is None or getattr(v, "ndim", 0) for v in values) and len(steps) <= 8:
            terms = " + ".join(_signed(_number(v, 16, look)) for v in values)
            lead += f" to {_number(total, 16, look)}: {terms}"
        lines += [[(part, "")] for part in wrapped(lead, look.width)]
    if len(found) > 12:
        lines.append([(f"{len(found) - 12:,} more values are used several times", "quiet")])
    for node in replaced(explained):
        lines.append([(f"a hook replaced the gradient of {label(node)}: {_number(node.grad, 30, look)}", "")])
    return lines


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _accumulated(told_of: Sequence[Explanation], rows: Sequence[tuple[str, Any, Any]], look: Look) -> list[Line]:
    """Where `.grad` is not what this pass gave: it accumulated, or was changed."""
    lines: list[Line] = []
    if len(told_of) != 1:
        return lines
    explained = told_of[0]
    if explained.passes > 1:
        more = f"the program went backward {explained.passes:,} times; --pass N tells another of them, --pass all each"
        lines += [[(part, "quiet")] for part in wrapped(more, look.width)]
    given = {n.name: n.grad for n in explained.graph.nodes or () if n.is_leaf and n.requires_grad and n.name}
    for name, _, gradient in rows:
        if name not in given or given[name] is None:
            continue
        if gradient is None or not equal(gradient, given[name]):
            now = "is cleared now" if gradient is None else f"holds {_number(gradient, 24, look)} now"
            gave = _number(given[name], 24, look)
            told = f"{name}.grad {now}; this pass gave {gave} (--ledger of eval tells more)"
            lines += [[(part, "quiet")] for part in wrapped(told, look.width)]
    return lines
