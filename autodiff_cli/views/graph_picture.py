"""What a picture of a graph shows, before any format: items with their lines of text, and arrows between them.

Made in steps, each of which gives a smaller picture of the same kind: loops folded (or not; or some of them,
graph_partly.py), calls folded past a depth, numbers left out that the text of the expression shows, the neighbourhood
of a name. The tree, dot, Mermaid, SVG, PNG and the HTML page draw what is left.

Kinds of items, told apart in every format by shape, border and colour, and by the words in them: `leaf` (a gradient
ends there), `operation`, `constant` (needs no gradient), `detached` (cut out of the graph), `call` (a folded call). An
item that requires a gradient and got none is `missing`.

Invariant: items are in an order in which every arrow goes forward, those aside that are `carried` by a loop from one
turn to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from autodiff_cli.views.numbers import array_text, shape_text
from autodiff_cli.views.text import one_line, wrapped

FOLD_PAST = 60  # nodes: past that loops are folded unless --unfold
TITLE = 32  # columns of a line of an item's title ...
LINES = 4  # ... and how many lines it may have
NUMBER = 26  # columns of a value
SHOW = ("value", "grad", "shape", "line", "saved")
DEFAULT_SHOW = ("value", "grad")


class Options(NamedTuple):
    """How a picture is to be. `fold`: None: past 60 nodes. `depth`: calls within calls that are drawn open, or None.

    `local`: local derivatives on the arrows. `around`: only what is within `radius` arrows of this name. Of what is
    folded, `open_loops` (lines) and `open_calls` (functions) are drawn open.
    """

    show: tuple[str, ...] = DEFAULT_SHOW
    local: bool = False
    fold: bool | None = None
    depth: int | None = None
    around: str | None = None
    radius: int = 2
    ofmt: str | None = None
    open_loops: frozenset[int] = frozenset()
    open_calls: frozenset[str] = frozenset()


class Item:
    """One thing drawn. `first` and `last` are nodes of the snapshot (the same where it stands for one node).

    `times`: turns of loops that it stands for. `members`: nodes of a folded call (else 1). `title`: its first line, in
    full; `heads`: the title in lines that fit a picture. `details`: (role, text).
    """

    __slots__ = ("details", "first", "heads", "kind", "last", "members", "missing", "name", "times", "title")

    def __init__(self, first: Any, last: Any, times: int) -> None:
        self.first = first
        self.last = last
        self.times = times
        self.members = 1
        self.name: str | None = first.name
        self.kind = kind_of(first)
        self.missing = first.requires_grad and first.grad is None and last.grad is None
        self.title = ""
        self.heads: list[str] = []
        self.details: list[tuple[str, str]] = []

    def stretch(self, last: Any) -> None:
        """Let the item stand for one more node, which comes last."""
        self.last = last
        self.times += 1
        self.missing = self.missing and last.grad is None


class Arrow(NamedTuple):
    """The value of `source` is operand number `operand` of `target` (keys of items).

    `carried`: from one turn of a loop to the next. `times`: edges that it stands for. `label`: what stands on it.
    """

    source: int
    target: int
    operand: int
    carried: bool = False
    times: int = 1
    label: str = ""


class Picture(NamedTuple):
    """Items by key, in order; arrows; keys of the outputs; `nodes` of the whole graph; whether loops are folded.

    `inside`: what was a key before calls were folded -> the key of the call that it is a part of now. `item_of`: the key
    of a node of the snapshot, before calls were folded.
    """

    items: dict[int, Item]
    arrows: list[Arrow]
    roots: tuple[int, ...]
    nodes: int
    folded: bool
    inside: Mapping[int, int] = MappingProxyType({})
    item_of: Callable[[int], int] = int


def kind_of(node: Any) -> str:
    """leaf, operation, constant or detached."""
    if node.requires_grad:
        return "leaf" if node.is_leaf else "operation"
    return "detached" if node.detached else "constant"


def picture(run: Any, source: Any, options: Options) -> Picture:
    """The picture of a run's graph (`run.folded` is there; `run.graph.nodes` may be None where it is large)."""
    drawn = without_written_numbers(_all(run, options))
    if options.local:
        drawn = _with_local_derivatives(drawn, options.ofmt)
    if options.depth is not None:
        drawn = _calls_folded(drawn, options.depth, options.open_calls)
    if options.around is not None:
        drawn = _neighbourhood(drawn, options.around, options.radius)
    for item in drawn.items.values():
        _describe(item, source, options)
    return drawn


def _all(run: Any, options: Options) -> Picture:
    """The picture with nothing left out: every node, or every group of those that loops made."""
    whole, folded = run.graph, run.folded
    fold = options.fold if options.fold is not None else folded.count > FOLD_PAST
    if whole.nodes is not None and not fold:
        items = {node.id: Item(node, node, 1) for node in whole.nodes}
        arrows = [Arrow(edge.source, edge.target, edge.operand) for edge in whole.edges]
        return Picture(items, arrows, whole.roots, whole.count, False)
    if whole.nodes is not None and options.open_loops:
        from autodiff_cli.views.graph_partly import partly_folded

        drawn = partly_folded(whole, folded, options.open_loops)
    else:
        items = {i: Item(g.first, g.last, g.times) for i, g in enumerate(folded.groups)}
        arrows = [Arrow(link.source, link.target, link.operand, link.carried, link.times) for link in folded.links]
        drawn = Picture(
            items, arrows, folded.roots, folded.count, True, item_of=lambda node: int(folded.group_of[node])
        )
    return drawn._replace(arrows=_one_each_turn(drawn.items, drawn.arrows))


def names_in(run: Any) -> list[str]:
    """The names that `around` can ask for, in the order of the graph."""
    nodes = [g.first for g in run.folded.groups] + [g.last for g in run.folded.groups]
    return list(dict.fromkeys(node.name for node in nodes if node.name))


_LITERAL = re.compile(r"(?<![\w.])(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?")


def without_written_numbers(p: Picture, *, all_of_them: bool = False) -> Picture:
    """Without the constants that tell nothing: numbers that the operation's text shows (the 2 of `x**2`).

    `all_of_them`: without any constant that has no name.
    """
    hidden: set[int] = set()
    for arrow in p.arrows:
        item = p.items[arrow.source]
        node = item.first
        if node.op != "constant" or node.name or node.text:
            continue
        if all_of_them or (
            not node.shape
            and same(node.value, item.last.value)
            and _is_written(node.value, p.items[arrow.target].first.text)
        ):
            hidden.add(arrow.source)
    hidden -= set(p.roots)
    return _only(p, [key for key in p.items if key not in hidden]) if hidden else p


def _is_written(value: Any, text: str) -> bool:
    return any(float(number) == abs(value) for number in _LITERAL.findall(text))


def same(a: Any, b: Any) -> bool:
    """Whether two plain numbers are equal, nan to nan."""
    return a is b or bool(a == b) or (a != a and b != b)


def _only(p: Picture, keys: Iterable[int]) -> Picture:
    kept = set(keys)
    items = {key: item for key, item in p.items.items() if key in kept}
    arrows = [a for a in p.arrows if a.source in kept and a.target in kept]
    return p._replace(items=items, arrows=arrows)


def _one_each_turn(items: dict[int, Item], arrows: list[Arrow]) -> list[Arrow]:
    """As many arrows between two items as the target uses the source in one turn.

    `s = s + q` has q as its second operand, but as its first where s is still a plain number.
    """
    between: dict[tuple[int, int, bool], list[Arrow]] = {}
    for arrow in arrows:
        between.setdefault((arrow.source, arrow.target, arrow.carried), []).append(arrow)
    dropped: set[Arrow] = set()
    for (source, target, _), found in between.items():
        if len(found) > 1:
            ends = [node.record for node in (items[source].first, items[source].last)]
            uses = -(-sum(arrow.times for arrow in found) // items[target].times)
            for node in (items[target].first, items[target].last):
                inputs = node.record.inputs
                uses = max(uses, sum(any(x is end for end in ends) for x in inputs))
                operands = [inputs[arrow.operand] for arrow in found if arrow.operand < len(inputs)]
                uses = max(uses, *(sum(x is y for y in operands) for x in operands), 1)  # one value, used twice
            dropped.update(sorted(found, key=lambda arrow: (-arrow.times, arrow.operand))[uses:])
    return [arrow for arrow in arrows if arrow not in dropped]


def _with_local_derivatives(p: Picture, ofmt: str | None) -> Picture:
    """The derivative of each arrow's target by its source; of a folded item, in the first turn and in the last."""
    from autodiff_cli.engine.replay import local_derivative

    def label(arrow: Arrow) -> str:
        source, target = p.items[arrow.source], p.items[arrow.target]
        if not source.first.requires_grad:
            return ""
        first = None if arrow.carried else operand_from(target.first, arrow, source)
        last = operand_from(target.last, arrow, source)
        told = [
            None if i is None else local_derivative(node, i) for node, i in ((target.first, first), (target.last, last))
        ]
        return _first_and_last(told[0], told[1], ofmt, 22)

    return p._replace(arrows=[arrow._replace(label=label(arrow)) for arrow in p.arrows])


def operand_from(node: Any, arrow: Arrow, source: Item) -> int | None:
    """Which operand of the first or last node of an arrow's target the arrow leads to, as far as that is known.

    The first and the last node of `source` are known; of a value that is carried, from the turn before the last one,
    nothing but its place.
    """
    inputs = node.record.inputs
    if arrow.carried:
        return arrow.operand if arrow.operand < len(inputs) else None
    for i in (arrow.operand, *range(len(inputs))):
        if i < len(inputs) and (inputs[i] is source.first.record or inputs[i] is source.last.record):
            return i
    return None


def call_of(node: Any, depth: int, opened: Collection[str]) -> tuple[tuple[str, int], ...] | None:
    """The calls down to the one that a node is folded into; None for a node that is drawn itself."""
    calls = node.calls
    for i in range(depth, len(calls)):
        if calls[i][0] not in opened:
            return tuple(calls[: i + 1])
    return None


def _calls_folded(p: Picture, depth: int, opened: Collection[str]) -> Picture:
    """Each call deeper than `depth` as one item: it has the value of its result, and the arrows in and out."""
    inside: dict[Any, list[int]] = {}
    for key, item in p.items.items():
        calls = call_of(item.first, depth, opened)
        if calls is not None:
            inside.setdefault(calls, []).append(key)
    becomes = {key: keys[-1] for keys in inside.values() for key in keys}
    users: dict[int, set[int]] = {}
    for arrow in p.arrows:
        users.setdefault(arrow.source, set()).add(becomes.get(arrow.target, arrow.target))
    for key, item in p.items.items():  # constants that only the call uses are a part of it
        only = users.get(key, set())
        if item.kind == "constant" and key not in becomes and len(only) == 1 and only <= set(becomes.values()):
            becomes[key] = next(iter(only))
    items = {key: item for key, item in p.items.items() if becomes.get(key, key) == key}
    for calls, keys in inside.items():
        item = items[keys[-1]]
        item.kind, item.name = "call", None
        item.members = sum(1 for target in becomes.values() if target == keys[-1])
        item.title = f"{calls[-1][0]}()"
    arrows: dict[tuple[int, int, int], Arrow] = {}
    for arrow in p.arrows:
        source, target = becomes.get(arrow.source, arrow.source), becomes.get(arrow.target, arrow.target)
        if (source == arrow.source and target == arrow.target) or source != target:
            folded = target in becomes.values()
            moved = Arrow(source, target, 0 if folded else arrow.operand, source >= target, arrow.times)
            if not folded:
                moved = moved._replace(label=arrow.label)
            arrows.setdefault((source, target, moved.operand), moved)
    roots = tuple(dict.fromkeys(becomes.get(key, key) for key in p.roots))
    return p._replace(items=items, arrows=list(arrows.values()), roots=roots, inside=becomes)


def _neighbourhood(p: Picture, name: str, radius: int) -> Picture:
    """What is within `radius` arrows of the last item of a name, in either direction."""
    found = [key for key, item in p.items.items() if name in (item.name, item.last.name)]
    near: dict[int, set[int]] = {}
    for arrow in p.arrows:
        near.setdefault(arrow.source, set()).add(arrow.target)
        near.setdefault(arrow.target, set()).add(arrow.source)
    reached = set(found[-1:])
    edge = reached
    for _ in range(radius):
        edge = {key for at in edge for key in near.get(at, ())} - reached
        reached = reached | edge
    return _only(p, [key for key in p.items if key in reached])


def _describe(item: Item, source: Any, options: Options) -> None:
    """Write the item's title and details."""
    if not item.title:
        item.title = title_of(item.first) or _first_and_last(item.first.value, item.last.value, options.ofmt, NUMBER)
    item.heads = wrapped(item.title, TITLE, LINES, "…")
    details = item.details = [("kind", _kind_words(item))]
    if item.times > 1:
        details.append(("times", f"× {item.times:,} turns"))
    for what in SHOW:
        if what in options.show:
            text = _detail(item, what, source, options.ofmt)
            if text and text != item.title:
                details.append((what, text))


def title_of(node: Any) -> str:
    """What a node is called in one line: its name and the expression that made it; nothing where it has neither."""
    text, name = one_line(node.text), one_line(node.name or "")
    if not name or not text or name == text or (node.is_leaf and not node.detached):
        return name or text
    if node.statement:
        return f"{name} of {text}" if node.op == "unbind" else text
    return f"{name} after {text}" if node.op == "copy_slices" else f"{name} = {text}"


def _kind_words(item: Item) -> str:
    if item.kind == "call":
        return f"call, {item.members:,} nodes" if item.members > 1 else "call"
    return item.first.grad_fn if item.kind == "operation" else item.kind


def _detail(item: Item, what: str, source: Any, ofmt: str | None) -> str:
    first, last = item.first, item.last
    if what == "value":
        now = "now " if first.changed or last.changed else ""
        return now + _first_and_last(first.value, last.value, ofmt, NUMBER)
    if what == "grad":
        if not first.requires_grad:
            return ""
        return "no gradient" if item.missing else "grad " + _first_and_last(first.grad, last.grad, ofmt, NUMBER)
    if what == "shape":
        return f"{shape_text(first.shape) or 'scalar'} {first.dtype}"
    if what == "line":
        return "" if first.span is None else f"line {source.position(first.span.start).line}"
    return _saved_words(first)


def _saved_words(node: Any) -> str:
    from autodiff_cli.engine.replay import saved_values

    saved = saved_values(node)
    if not saved:
        return "saves nothing" if node.requires_grad and not node.is_leaf else ""
    words = ["result" if s.what == "result" else f"operand {int(s.what) + 1}" for s in saved]
    return f"saves {', '.join(words)}: {sum(s.bytes for s in saved):,} bytes"


def _first_and_last(first: Any, last: Any, ofmt: str | None, room: int) -> str:
    """`1`, or `1 … 49` where the two differ; nothing where there is none."""
    texts = [_number(x, ofmt, room) for x in (first, last) if x is not None]
    return " … ".join(dict.fromkeys(texts))


def _number(value: Any, ofmt: str | None, room: int = NUMBER) -> str:
    """A value in one line: six digits, or fewer where an array would not fit otherwise."""
    text = ""
    for digits in (6, 4, 3):
        text = array_text(value, room, ofmt=ofmt, digits=digits)
        if "…" not in text:
            break
    return text


def kinds_in(p: Picture) -> Sequence[str]:
    """The kinds that a picture has, in the order in which a legend shows them."""
    there = {item.kind for item in p.items.values()}
    return [kind for kind in ("leaf", "operation", "call", "constant", "detached") if kind in there]
