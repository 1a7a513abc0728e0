"""A graph folded along its loops: what a loop does in every turn is one group of nodes.

One pass over the engine's nodes in the order in which they were made; a million nodes are never copied. Nodes made
by the same operation of the same place in the program, in different turns of the same loops, are one group, which
knows its first and its last node. A node outside of loops is a group of its own, so a graph without loops is folded
into itself, with the numbers that its snapshot has.

Invariant: groups are numbered in the order of their first nodes. An edge between groups that was carried from one
turn to the next is marked; the others go from lower to higher numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autodiff_cli.engine.graph import (
    Described,
    GraphNode,
    constant_node,
    parts_of,
    reachable,
    recorded_node,
    with_changes,
    with_parts,
)
from autodiff_cli.engine.node import NOTHING, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor


class Group(NamedTuple):
    """`times` nodes, the first and the last of them in full; `id` of both is the group's number."""

    first: GraphNode
    last: GraphNode
    times: int


class Link(NamedTuple):
    """`times` edges: values of group `source` as operand number `operand` of group `target`.

    `carried`: the value comes from an earlier turn of the loop.
    """

    source: int
    target: int
    operand: int
    times: int
    carried: bool


class Folded:
    """A folded graph.

    `count`: nodes before folding; `group_of`: the group of each, by the snapshot's numbers; `depth`: the operations on
    the longest way from a leaf to an output; `order`: the engine's nodes in the order in which they were made, for what
    is counted over all of them.
    """

    __slots__ = ("count", "depth", "group_of", "groups", "links", "order", "roots")

    def __init__(
        self,
        groups: tuple[Group, ...],
        links: tuple[Link, ...],
        roots: tuple[int, ...],
        group_of: Sequence[int],
        depth: int,
        order: Sequence[Node],
    ) -> None:
        self.order = order
        self.groups = groups
        self.links = links
        self.roots = roots
        self.count = len(group_of)
        self.group_of = group_of
        self.depth = depth


class _Group:
    __slots__ = ("alike", "edges", "first", "first_place", "last", "last_place", "times")

    def __init__(self, thing: Any, place: Any) -> None:
        self.first = self.last = thing
        self.first_place = self.last_place = place
        self.times = 1
        self.edges: list[int] = []  # of the last node: groups, ~group where the value was carried ...
        self.alike = 0  # ... and how many nodes in a row had the same


class Folding:
    """The pass over the nodes. `places.at(seq)` gives a place as runtime/places.py has them."""

    def __init__(self, roots: Sequence[Any], places: Any) -> None:
        self.groups: list[_Group] = []
        self._group_of: list[int] = []
        self._links: dict[tuple[int, int, int, bool], int] = {}
        self._by_key: dict[Any, int] = {}
        self._tensors: dict[int, int] = {}  # constant tensor (by id) -> its group
        self._of: dict[Node, int] = {}  # a node's place in the two lists
        self._depths: list[int] = []
        tops = [t.node if t.node is not None else t for t in roots]
        self._order = reachable([n for n in tops if type(n) is Node])
        self._run(self._order, places)
        outside = places.at(0)
        self._roots = tuple(
            self._group_of[self._of[n]] if type(n) is Node else self._constant(n, None, outside) for n in tops
        )
        self._of.clear()
        for number in range(len(self.groups)):
            self._count_links(number)

    def _run(self, order: list[Node], places: Any) -> None:
        of, groups, group_of, depths = self._of, self.groups, self._group_of, self._depths
        place_of: dict[Node, Any] = {}  # of nodes in loops
        low = high = -1
        place: Any = None
        turn = 0
        for node in order:
            seq = node.seq
            if not low < seq <= high:
                place = places.at(seq)
                low, high = places.low, places.high
                turn = place.turn
            key = known = None
            if place.looped:
                place_of[node] = place
                key, known = self._key(node, place)
            a, b = node.a, node.b
            inputs = node.inputs if type(a) is tuple or b is NOTHING else (a, b)
            depth = -1
            edges: list[int] = []
            for i, x in enumerate(inputs):
                if type(x) is not Node:
                    edges.append(self._constant(x, None if key is None else (key, i), place))
                    continue
                at = of[x]
                if depths[at] > depth:
                    depth = depths[at]
                source = group_of[at]
                if key is not None:
                    before = place_of.get(x)
                    if (known is not None and source >= known) or (
                        before is not None and before.turn != turn and before.key is place.key
                    ):
                        source = ~source  # carried
                edges.append(source)
            if known is None:
                known = self._new(node, place, key)
            else:
                group = groups[known]
                group.last, group.last_place = node, place
                group.times += 1
            self._linked(known, edges)
            of[node] = len(group_of)
            group_of.append(known)
            depths.append(depth + 1)

    def _linked(self, target: int, edges: list[int]) -> None:
        """Count the edges of a node: most turns have those of the turn before, which costs one comparison."""
        group = self.groups[target]
        if edges == group.edges:
            group.alike += 1
        else:
            self._count_links(target)
            group.edges, group.alike = edges, 1

    def _count_links(self, target: int) -> None:
        group = self.groups[target]
        for i, source in enumerate(group.edges):
            link = (~source, target, i, True) if source < 0 else (source, target, i, False)
            self._links[link] = self._links.get(link, 0) + group.alike

    def _key(self, node: Node, place: Any) -> tuple[Any, int | None]:
        """What a node in a loop has in common with those of other turns, and their group if there are any."""
        nth = 0
        while True:
            key = (place.key, node.site, node.op, nth)
            known = self._by_key.get(key)
            if known is None or self.groups[known].last_place.turn != place.turn:
                return key, known
            nth += 1  # the turn has one already: this is the next of its kind

    def _new(self, thing: Any, place: Any, key: Any) -> int:
        number = len(self.groups)
        self.groups.append(_Group(thing, place))
        if key is not None:
            self._by_key[key] = number
        return number

    def _joined(self, number: int, thing: Any, place: Any) -> int:
        group = self.groups[number]
        group.last, group.last_place = thing, place
        group.times += 1
        return number

    def _constant(self, x: Any, key: Any, place: Any) -> int:
        """The group of a constant: of the same tensor, or of what the operation had there in earlier turns."""
        if type(x) is Tensor:
            known = self._tensors.get(id(x))
            if known is not None:
                return known
        known = self._by_key.get(key) if key is not None else None
        number = self._new(x, place, key) if known is None else self._joined(known, x, place)
        if type(x) is Tensor:
            self._tensors[id(x)] = number
        self._group_of.append(number)
        self._depths.append(0)
        return number

    def ends(self) -> list[Node]:
        """The first and the last nodes of the groups: those whose gradients will be shown."""
        return [x for group in self.groups for x in (group.first, group.last) if type(x) is Node]

    def finish(self, describe: Callable[[Any, Any], Described], gradient_of: Callable[[Node], Any]) -> Folded:
        """The folded graph. `describe` is asked about each node or constant tensor, with its place."""

        def shown(number: int, thing: Any, place: Any) -> GraphNode:
            if type(thing) is Node:
                return recorded_node(number, thing, describe(thing, place), gradient_of(thing))
            return constant_node(number, thing, describe(thing, place) if type(thing) is Tensor else Described())

        ends = [shown(number, g.first, g.first_place) for number, g in enumerate(self.groups)]
        parts = parts_of(ends, [(s, t) for s, t, _, carried in self._links if not carried])
        ends += [shown(number, g.last, g.last_place) for number, g in enumerate(self.groups) if g.times > 1]
        ends = with_parts(ends, parts)
        ends = with_changes(ends, tape.mutations)
        lasts = {node.id: node for node in ends[len(self.groups) :]}
        groups = [Group(ends[i], lasts.get(i, ends[i]), g.times) for i, g in enumerate(self.groups)]
        links = sorted(Link(s, t, i, times, carried) for (s, t, i, carried), times in self._links.items())
        links.sort(key=lambda link: (link.target, link.operand, link.source, link.carried))
        depth = max(self._depths, default=0)
        return Folded(tuple(groups), tuple(links), self._roots, self._group_of, depth, self._order)
