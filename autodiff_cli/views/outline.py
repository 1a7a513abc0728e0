"""Which nodes of a large graph to draw: a small outline of it, with gaps in the place of the rest.

The nodes nearest to the output, the leaves, and of loops the first and the last turn are kept, up to a
limit. The others are joined into gaps: each a connected part of what is left out, with its number of nodes.
An outline is a graph again (of kept nodes and gaps), with the operands of each item in order, so it is drawn
like a small graph.

Invariant: every node is either an item or in exactly one gap; an outline has at most `limit` kept nodes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

LEAVES = 20  # of a large graph's leaves outside of middle turns, as many are kept for certain


class Gap:
    """Nodes left out: how many, and the turns of the loop that they come from.

    `loop` is (line, first turn, last turn) of the outermost loop if all are from one, or None.
    """

    __slots__ = ("count", "loop")

    def __init__(self, count: int, loop: tuple[int, int, int] | None) -> None:
        self.count = count
        self.loop = loop


class Outline:
    """Items by key, and their operands' keys in order. A kept node's key is its id, a gap's is negative.

    `roots`: the keys of the outputs.
    """

    __slots__ = ("items", "operands", "roots")

    def __init__(self, items: dict[int, Any], operands: dict[int, list[int]], roots: list[int]) -> None:
        self.items = items
        self.operands = operands
        self.roots = roots


def outline(nodes: Sequence[Any], edges: Iterable[Any], roots: Sequence[int], limit: int | None) -> Outline:
    """The outline of a graph snapshot with at most `limit` nodes drawn (None: all)."""
    by_id = {node.id: node for node in nodes}
    operands: dict[int, list[int]] = {node.id: [] for node in nodes}
    for edge in sorted(edges, key=lambda e: (e.target, e.operand)):
        operands[edge.target].append(edge.source)
    if limit is None or len(by_id) <= limit:
        return Outline(by_id, operands, list(roots))
    kept = _choose(by_id, operands, roots, limit)
    gap_of, gaps = _gaps(by_id, operands, kept)
    items: dict[int, Any] = {i: by_id[i] for i in by_id if i in kept} | gaps
    joined: dict[int, list[int]] = {key: [] for key in items}
    for target, sources in operands.items():
        key = target if target in kept else gap_of[target]
        for source in sources:
            child = source if source in kept else gap_of[source]
            # a gap is one item however many edges lead to it; what a kept node uses twice is told twice
            if child != key and ((key in kept and child in kept) or child not in joined[key]):
                joined[key].append(child)
    return Outline(items, joined, list(roots))


def _choose(by_id: dict[int, Any], operands: dict[int, list[int]], roots: Sequence[int], limit: int) -> set[int]:
    """The ids to keep: outputs and leaves, then what is nearest to the output; no middle turn of a loop."""
    distance = dict.fromkeys(roots, 0)
    queue = deque(roots)
    while queue:
        node = queue.popleft()
        for source in operands[node]:
            if source not in distance:
                distance[source] = distance[node] + 1
                queue.append(source)
    bounds = _turn_bounds(by_id.values())
    ends = [i for i, node in by_id.items() if _at_an_end(node.loops, bounds)]
    leaves = [i for i in ends if not operands[i]][:LEAVES]
    first = {*roots, *leaves}

    def rank(i: int) -> tuple[bool, int, int]:
        return i not in first, distance.get(i, len(by_id)), i

    return set(sorted({*roots, *ends}, key=rank)[:limit])


Bounds = dict[tuple[Any, ...], tuple[int, int]]


def _turn_bounds(nodes: Iterable[Any]) -> Bounds:
    """For each run of a loop the first and the last turn that made a node.

    A run is known by the turns of the loops around it and by its line.
    """
    bounds: Bounds = {}
    for node in nodes:
        for depth, (line, turn) in enumerate(node.loops):
            run = (*node.loops[:depth], line)
            low, high = bounds.get(run, (turn, turn))
            bounds[run] = (min(low, turn), max(high, turn))
    return bounds


def _at_an_end(loops: Sequence[tuple[int, int]], bounds: Bounds) -> bool:
    return all(turn in bounds[(*loops[:depth], line)] for depth, (line, turn) in enumerate(loops))


def _gaps(
    by_id: dict[int, Any], operands: dict[int, list[int]], kept: set[int]
) -> tuple[dict[int, int], dict[int, Gap]]:
    """The gap of each node left out, and the gaps: dropped nodes tied by an edge, or by a common user."""
    parent = {i: i for i in by_id if i not in kept}

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for target, sources in operands.items():
        dropped = [s for s in sources if s not in kept]
        if target not in kept:
            dropped.append(target)
        for other in dropped[1:]:
            parent[find(other)] = find(dropped[0])
    members: dict[int, list[int]] = {}
    for i in parent:
        members.setdefault(find(i), []).append(i)
    gap_of: dict[int, int] = {}
    gaps: dict[int, Gap] = {}
    for number, ids in enumerate(members.values(), start=1):
        gaps[-number] = Gap(len(ids), _common_loop([by_id[i] for i in ids]))
        gap_of.update(dict.fromkeys(ids, -number))
    return gap_of, gaps


def _common_loop(nodes: Sequence[Any]) -> tuple[int, int, int] | None:
    turns: list[int] = []
    lines: set[int] = set()
    for node in nodes:
        if not node.loops:
            return None
        line, turn = node.loops[0]
        lines.add(line)
        turns.append(turn)
    return (lines.pop(), min(turns), max(turns)) if len(lines) == 1 else None
