"""A picture with some loops drawn turn by turn and the others folded.

Made of a snapshot and its folded form: nodes of one group are one item, unless they lie in different turns of a loop
that is open. So an inner loop can be folded inside of each turn of an outer one, or the reverse.

Invariant: with no loop open the items are the folded graph's groups; with all of them open, the snapshot's nodes.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.views.graph_picture import Arrow, Item, Picture

Turns = tuple[tuple[int, int], ...]  # (line, turn), outermost first


def loops_of(folded: Any) -> dict[int, int]:
    """The loops that folding makes a difference for: line -> the most turns that one of its runs has."""
    found: dict[int, int] = {}
    for group in folded.groups:
        if group.times > 1:
            for line, turn in group.last.loops:
                found[line] = max(found.get(line, 1), turn)
    return {line: found[line] for line in sorted(found)}


def partly_folded(whole: Any, folded: Any, opened: frozenset[int]) -> Picture:
    """The picture of a whole snapshot with the loops of these lines open."""
    turns = _turns_of(whole)
    items: dict[int, Item] = {}
    keys: dict[tuple[int, Turns], int] = {}
    key_of: list[int] = []
    for node in whole.nodes:
        told = tuple([turn for turn in turns[node.id] if turn[0] in opened])
        key = keys.setdefault((folded.group_of[node.id], told), len(keys))
        key_of.append(key)
        if key in items:
            items[key].stretch(node)
        else:
            items[key] = Item(node, node, 1)
    times: dict[tuple[int, int, int, bool], int] = {}
    for edge in whole.edges:
        source, target = key_of[edge.source], key_of[edge.target]
        carried = source >= target or _carried(turns[edge.source], turns[edge.target], opened)
        way = source, target, edge.operand, carried
        times[way] = times.get(way, 0) + 1
    arrows = [
        Arrow(*way, n) for way, n in sorted(times.items(), key=lambda found: (found[0][1], found[0][2], found[0][0]))
    ]
    roots = tuple(dict.fromkeys(key_of[root] for root in whole.roots))
    return Picture(items, arrows, roots, whole.count, True, item_of=key_of.__getitem__)


def _turns_of(whole: Any) -> list[Turns]:
    """The turns of each node; of a plain number those of the operation that it is an operand of."""
    turns = [node.loops for node in whole.nodes]
    for edge in whole.edges:
        if isinstance(whole.nodes[edge.source].record, (int, float)):
            turns[edge.source] = turns[edge.target]
    return turns


def _carried(before: Turns, after: Turns, opened: frozenset[int]) -> bool:
    """Whether a value goes from one turn to another of a folded loop: of the outermost in which the two differ."""
    for (line, turn), (other, later) in zip(before, after, strict=False):
        if line != other:
            return False
        if turn != later:
            return line not in opened
    return False
