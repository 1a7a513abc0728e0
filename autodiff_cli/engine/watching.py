"""Those who watch backward walks, told of each: the ledger, the trail, the debugger's stepper (see tape.py).

Each is None unless somebody asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.node import Node
from autodiff_cli.engine.tape import tape

Roots = Sequence[tuple[Node, Any]]


def begin(roots: Roots, create_graph: bool, retain_graph: bool) -> None:
    """A walk begins at these nodes, with these cotangents."""
    if tape.gradients is not None:
        tape.roots = tuple(node for node, _ in roots)
        if len(tape.gradients) > tape.gradient_limit:
            tape.gradients.clear()  # of walks that are over: a loop of large ones would keep all of its graphs
    if tape.trail is not None:
        tape.trail.begin()
    if tape.events is not None:
        detail = "create_graph" if create_graph else "retained" if retain_graph else ""
        tape.events.walking([node for node, _ in roots], detail)


def ordered(order: list[Node]) -> None:
    """The walk will visit these nodes in this order."""
    if tape.stepper is not None:
        tape.stepper.walk_begins(order)


def end(roots: Roots, order: list[Node], retain_graph: bool) -> None:
    """The walk has ended well."""
    for observer in (tape.events, tape.trail):
        if observer is not None:
            observer.walked(roots, order, retain_graph)
    if tape.stepper is not None:
        tape.stepper.walk_ends()


def failed() -> None:
    """The walk has raised an error."""
    if tape.trail is not None:
        tape.trail.abandon()
