"""Joins the engine's graph to the program: names, source text, functions and loop turns for each node."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.folding import Folded, Folding
from autodiff_cli.engine.graph import Described, Graph, snapshot
from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children
from autodiff_cli.runtime.places import NOWHERE, Place, Places
from autodiff_cli.runtime.state import CallRun, LoopRun
from autodiff_cli.source import Source


class Describer:
    """What each node of the graph is called, and where it came from."""

    def __init__(
        self,
        source: Source,
        module: nodes.Module,
        variables: dict[str, Any],
        loops: list[LoopRun],
        calls: list[CallRun],
    ) -> None:
        self.source = source
        self.loops = loops
        self.calls = calls
        self.start_again()
        self.assigned: dict[Any, str] = {}  # expression or statement -> the name that its value gets
        self.functions: dict[Any, str] = {}  # tree node -> the function around it
        self._read(module)
        self.names: dict[int, str] = {}  # node or tensor (by id) -> the variable that holds it at the end
        for name, value in variables.items():
            if type(value) is Tensor:
                self.names.setdefault(id(value), name)
                node = current_node(value)
                if node is not None:
                    self.names.setdefault(id(node), name)

    def _read(self, module: nodes.Module) -> None:
        stack: list[tuple[Any, str | None]] = [(module, None)]
        while stack:
            tree, function = stack.pop()
            if function is not None:
                self.functions[tree] = function
            if type(tree) is nodes.Assign and len(tree.targets) == 1 and type(tree.targets[0]) is nodes.Name:
                self.assigned[tree.value] = tree.targets[0].id
            elif type(tree) is nodes.AugAssign and type(tree.target) is nodes.Name:
                self.assigned[tree] = tree.target.id
            elif type(tree) is nodes.FunctionDef:
                function = tree.name
            elif type(tree) is nodes.Lambda:
                function = "<lambda>"
            stack.extend((child, function) for child in children(tree))

    def describe(self, thing: Any, place: Place | None = None) -> Described:
        """What is known of a node or a constant tensor. `place`: where it was made, if that is known already."""
        site = thing.site if type(thing) is Node else thing.aux.detached if thing.aux is not None else None
        name = self.names.get(id(thing))
        if site is None:
            return Described(name=name, text=name or "")
        if name is None:
            name = self.assigned.get(site)
        span = site.span
        text = name or "" if type(thing) is Node and thing.op is ACCUMULATE else self.source.slice(span)
        if place is None:
            place = self.places.at(thing.seq) if type(thing) is Node else NOWHERE
        return Described(name, text, span, self.functions.get(site), place.loops, place.calls)

    def start_again(self) -> None:
        """Count turns and calls from the beginning, for another pass over the nodes."""
        self.places = Places(self.source, self.loops, self.calls)


def gradient_of(node: Node) -> Any:
    """The raw gradient that the run's backward passes left at a node; None where there is none."""
    recorded = tape.gradients or {}
    if node.op is not ACCUMULATE and node in recorded:
        return recorded[node]
    grad = node.meta.grad if node.meta is not None else None
    return None if grad is None else grad.value


def graph_of(describer: Describer, roots: list[Tensor], limit: int | None) -> Graph:
    """The snapshot of the results' graph, with the gradients that the run's backward passes left."""
    return snapshot(roots, describer.describe, gradient_of, limit)


def folding_of(describer: Describer, roots: list[Tensor]) -> Folding:
    """The results' graph, folded along the loops of the program; `folded` makes the picture of it."""
    describer.start_again()
    return Folding(roots, describer.places)


def keep_gradients(folding: Folding) -> None:
    """Have the backward to come keep the gradients that the folded picture shows, however large the graph is."""
    for node in folding.ends():
        if node.op is not ACCUMULATE:
            node.extra.retain = True


def folded(describer: Describer, folding: Folding) -> Folded:
    """The picture of a folded graph, with the gradients that the run's backward passes left."""
    return folding.finish(describer.describe, gradient_of)
