"""Two runs side by side: what differs between the graphs that they built, and between the decisions that led there.

The nodes of both graphs are matched in the order in which they were made (the longest common subsequence of what they
are: operation, name, text, function, turn), and the two are laid over one another: a value that both have is one item,
with the operands of both. So of a loop that turned three times here and five times there, two turns are new; of a
branch that was taken here alone, its operations are.

The same operation with other parameters (a dimension, an exponent, a slice) is one item, with what has changed.

Invariant: every node (but for plain numbers that stand in an expression) is in exactly one item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from autodiff_cli.engine.graph import Graph, GraphNode
from autodiff_cli.source import Source
from autodiff_cli.views.text import one_line


class Item:
    """A node of the first run, of the second, or of both. `operands`: (sign, item): " " of both, "-" and "+" of one.

    `changed`: parameters of the operation that are others in the second run: name -> (texts of both).
    `same`: it is in both, with the same operands, all the way down. `below`: how many items lie under it.
    """

    __slots__ = ("below", "changed", "first", "key", "operands", "same", "second")

    def __init__(self, key: int, first: GraphNode | None, second: GraphNode | None) -> None:
        self.key = key
        self.first = first
        self.second = second
        self.operands: list[tuple[str, Item]] = []
        self.changed = {} if first is None or second is None else _changed(first, second)
        self.same = first is not None and second is not None and not self.changed
        self.below = 0

    @property
    def sign(self) -> str:
        return " " if self.first and self.second else "-" if self.first else "+"

    @property
    def node(self) -> GraphNode:
        """The node to name it by."""
        found = self.first or self.second
        assert found is not None
        return found


_OF_SHAPE = frozenset(("shape", "sizes", "size", "start", "stop", "contiguous"))  # follow from the operand's shape


def _changed(first: GraphNode, second: GraphNode) -> dict[str, tuple[str, str]]:
    """The parameters of an operation that two runs gave it differently.

    Of operands of other shapes those that follow from a shape are no difference.
    """
    if getattr(first.record, "op", None) is not getattr(second.record, "op", None):
        return {}
    mine, other = _parameters(first.record), _parameters(second.record)
    if not mine:
        return {}
    shapes = [[getattr(getattr(x, "value", x), "shape", ()) for x in n.record.inputs] for n in (first, second)]
    found = {}
    for name in {**mine, **other}:
        if name == "ends" or (name in _OF_SHAPE and shapes[0] != shapes[1]):
            continue
        a, b = (one_line(repr(p.get(name))) for p in (mine, other))
        if a != b:
            found[name] = (a, b)
    return found


def _parameters(record: Any) -> dict[str, Any]:
    """The parameters of a node; of a power its exponent is one, too, which the engine has as an operand."""
    op = getattr(record, "op", None)
    if op is None:
        return {}
    if op.label != "pow" or type(record.inputs[-1]) not in (int, float):
        return record.params or {}
    return {**record.params, "exponent": float(record.inputs[-1])}


class Difference(NamedTuple):
    """A decision that went another way. `kind`: see `runtime.decisions`; `line`, `text`: of the first run's program,
    or of the second's where the first never came there. `first`, `second`: truths, or turns, each time."""

    kind: str
    line: int
    text: str
    first: tuple[Any, ...]
    second: tuple[Any, ...]


class Comparison(NamedTuple):
    """`items` in the order of making; `roots`: those of the outputs, with their signs; `both`, `gone`, `new`: counts.

    `decisions`: those that differ. `too_large`: nodes of a graph that was not copied; then there are no items.
    """

    items: tuple[Item, ...]
    roots: tuple[tuple[str, Item], ...]
    both: int
    gone: int
    new: int
    decisions: tuple[Difference, ...]
    too_large: int

    @property
    def differ(self) -> bool:
        moved = any(item.changed or sign != " " for item in self.items for sign, _ in item.operands)
        return bool(self.gone or self.new or self.decisions or moved or any(s != " " for s, _ in self.roots))


def comparison(first: Graph, second: Graph, decisions: Sequence[Difference] = ()) -> Comparison:
    """Lay two graphs over one another."""
    large = max([g.count for g in (first, second) if g.nodes is None], default=0)
    if first.nodes is None or second.nodes is None:
        return Comparison((), (), 0, 0, 0, tuple(decisions), large)
    a, b = _worth_showing(first), _worth_showing(second)
    of_first: dict[int, Item] = {}
    of_second: dict[int, Item] = {}
    items: list[Item] = []
    for x, y in _matched(a, b):
        item = Item(len(items), x, y)
        items.append(item)
        if x is not None:
            of_first[x.id] = item
        if y is not None:
            of_second[y.id] = item
    _connect(first, second, of_first, of_second)
    for item in sorted(items, key=lambda i: i.node.id):
        item.same = item.same and all(sign == " " and x.same for sign, x in item.operands)
    roots = _merged(
        [of_first[r] for r in first.roots if r in of_first], [of_second[r] for r in second.roots if r in of_second]
    )
    _settle(items)
    gone = sum(1 for item in items if item.second is None)
    new = sum(1 for item in items if item.first is None)
    return Comparison(tuple(items), tuple(roots), len(items) - gone - new, gone, new, tuple(decisions), 0)


def _worth_showing(graph: Graph) -> list[GraphNode]:
    """All nodes but plain numbers without a name: the text of the operation shows those."""
    roots = set(graph.roots)
    return [n for n in graph.nodes or () if n.op != "constant" or n.name or n.text or n.id in roots]


def _identity(node: GraphNode) -> tuple[Any, ...]:
    """What makes two nodes of two runs the same: all but values, numbers of calls, and lines."""
    kind = "constant" if not node.requires_grad else "leaf" if node.is_leaf else node.op
    turns = tuple(turn for _, turn in node.loops)
    functions = tuple(name for name, _ in node.calls)
    return kind, node.name, one_line(node.text), turns, functions, len(node.shape)


def _matched(a: list[GraphNode], b: list[GraphNode]) -> list[tuple[GraphNode | None, GraphNode | None]]:
    """Both lists merged in order: pairs, and nodes that only one has."""
    from difflib import SequenceMatcher

    keys = [_identity(n) for n in a], [_identity(n) for n in b]
    found: list[tuple[GraphNode | None, GraphNode | None]] = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag == "equal":
            found += zip(a[i:i_end], b[j:j_end], strict=True)
        else:
            found += [(n, None) for n in a[i:i_end]]
            found += [(None, n) for n in b[j:j_end]]
    return found


def _connect(first: Graph, second: Graph, of_first: dict[int, Item], of_second: dict[int, Item]) -> None:
    """Give each item its operands: those of both runs, merged."""
    left, right = _operands(first, of_first), _operands(second, of_second)
    for item in {id(i): i for i in [*of_first.values(), *of_second.values()]}.values():
        mine = left.get(item.first.id, []) if item.first else []
        others = right.get(item.second.id, []) if item.second else []
        if item.sign == " ":
            item.operands = _merged(mine, others)
        else:
            item.operands = [(item.sign, x) for x in mine or others]


def _operands(graph: Graph, items: dict[int, Item]) -> dict[int, list[Item]]:
    found: dict[int, list[Item]] = {}
    for edge in sorted(graph.edges or (), key=lambda e: (e.target, e.operand)):
        if edge.source in items:
            found.setdefault(edge.target, []).append(items[edge.source])
    return found


def _merged(mine: Sequence[Item], others: Sequence[Item]) -> list[tuple[str, Item]]:
    """Operands of the same operation in two runs: one where they are the same, both where they are not."""
    found: list[tuple[str, Item]] = []
    for i in range(max(len(mine), len(others))):
        x = mine[i] if i < len(mine) else None
        y = others[i] if i < len(others) else None
        if x is not None and x is y:
            found.append((" ", x))
            continue
        found += [("-", x)] if x is not None else []
        found += [("+", y)] if y is not None else []
    return found


def _settle(items: list[Item]) -> None:
    """Whether each item is the same all the way down, and how many items are below it: operands first."""
    done: set[int] = set()
    for start in items:
        stack = [(start, False)]
        while stack:
            item, ready = stack.pop()
            if ready:
                item.same = (
                    item.sign == " " and not item.changed and all(sign == " " and x.same for sign, x in item.operands)
                )
                item.below = sum(x.below + 1 for _, x in item.operands)
            elif item.key not in done:
                done.add(item.key)
                stack.append((item, True))
                stack += [(x, False) for _, x in item.operands if x.key not in done]


def differing_decisions(first: Any, second: Any, sources: tuple[Source, Source]) -> list[Difference]:
    """The decisions of two runs (`runtime.decisions.Decisions`) that went another way, in the order of the text.

    Decisions of two programs are the same where their kind and their text are, in the order in which they were met.
    """
    left, right = _told(first, sources[0]), _told(second, sources[1])
    found = []
    for key in {**left, **right}:
        here, there = left.get(key), right.get(key)
        known = here or there
        assert known is not None
        a = here[1] if here else ()
        b = there[1] if there else ()
        if a != b:
            found.append(Difference(key[0], known[0], key[1], a, b))
    return sorted(found, key=lambda d: d.line)


def _told(decisions: Any, source: Source) -> dict[tuple[str, str, int], tuple[int, tuple[Any, ...]]]:
    found: dict[tuple[str, str, int], tuple[int, tuple[Any, ...]]] = {}
    for met in sorted(decisions.met.values(), key=lambda d: d.site.span.start):
        site = met.site
        what = (site.target.span.start, site.iterable.span.end) if met.kind == "for" else site.test.span
        text = one_line(source.text[what[0] : what[1]])
        times = [key for key in found if key[:2] == (met.kind, text)]
        happened = tuple(map(bool, met.truths)) if met.kind in ("if", "conditional") else tuple(met.turns)
        found[met.kind, text, len(times)] = (source.position(site.span.start).line, happened)
    return found
