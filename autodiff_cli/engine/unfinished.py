"""What a backward walk that fails leaves behind: what it had finished by then, as in PyTorch.

There a leaf gets its gradient as soon as the last node that leads to it has been visited, so after an error halfway some
leaves have theirs and others do not; the nodes visited are freed, the one that failed is not.

Invariant: no node is left with a waiting cotangent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autodiff_cli.engine.node import FREED, PENDING, Node


def before_freed(order: Sequence[Node], freed: set[Node]) -> int:
    """How many nodes of a walk are visited before the first one that was freed; all are made ready to be walked to."""
    for node in freed:
        node.cot = PENDING
    return next(i for i, node in enumerate(order) if node in freed)


def leave(
    order: Sequence[Node], leaves: Sequence[Node], freed: set[Node], ready: Callable[[Node], None] | None
) -> None:
    """Hand over the leaves that were finished (not without `ready`), and put every node of a failed walk to rest.

    `order`: the nodes of the walk; those visited, the last of which failed, have nothing in their slots any more. `freed`:
    those that had been freed before.
    """
    visited = next((i for i, node in enumerate(order) if node.cot is not None and node.cot is not FREED), len(order))
    if visited:
        failed = order[visited - 1]
        if failed not in freed:
            failed.cot = None
        if ready is not None:
            waited_for = {x for node in order[visited - 1 :] for x in node.inputs if type(x) is Node}
            for leaf in leaves:
                if leaf not in waited_for and leaf.cot is not None and leaf.cot is not PENDING:
                    ready(leaf)
    for node in order:
        if node.cot is not FREED:
            node.cot = None
    for node in freed:
        node.cot = FREED
