"""Deep trees: how deep one is, and room for what walks it.

A sum of 50,000 terms is a tree of 50,000 levels. Functions of Python that call each other take no C stack
(3.11 and later), so that a recursive walk needs nothing but a higher limit: `with deep_recursion(): ...`. A
walk must not pass through C on its way down, that is through `map`, a generator, `functools.reduce`,
`sorted(key=...)` or `getattr` of a property.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from autodiff_cli.language import nodes

ROOM = 1_000_000  # frames: MAX_DEPTH of the parser, times what a walk may take for a level


class deep_recursion:
    """A context in which Python functions may recurse as deep as any tree that `parse` lets through."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self.before, ROOM))

    def __exit__(self, *_: object) -> None:
        sys.setrecursionlimit(self.before)


def children(node: nodes.Node) -> Iterator[nodes.Node]:
    """The nodes directly below one, in the order of its fields."""
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, nodes.Node):
            yield value
        elif type(value) is tuple:
            yield from (item for item in value if isinstance(item, nodes.Node))


def depth(tree: nodes.Node) -> int:
    """The number of levels of a tree."""
    deepest = 0
    pending: list[tuple[nodes.Node, int]] = [(tree, 1)]
    while pending:
        node, level = pending.pop()
        deepest = max(deepest, level)
        pending += [(child, level + 1) for child in children(node)]
    return deepest
