"""Joins the engine's graph to the program: names, source text, functions and loop turns for each node."""

from __future__ import annotations

import sys
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

_READS = frozenset(("index", "view_of"))  # operations that read a part of a tensor, besides those that give views


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
        self.unpacked: dict[Any, tuple[str | None, ...]] = {}  # expression -> the names that its parts get
        self.written: dict[Any, nodes.Stmt] = {}  # what is written into, as in `z[0] = x` -> its statement
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
            if type(tree) is nodes.Assign:
                for target in reversed(tree.targets):
                    self._assign(target, tree.value, tree)
            elif type(tree) is nodes.AugAssign:
                if type(tree.target) is nodes.Name:
                    self.assigned[tree] = tree.target.id
                self.written[tree] = self.written[tree.target] = tree
            elif type(tree) is nodes.NamedExpr:
                self.assigned[tree.value] = tree.target.id
            elif type(tree) is nodes.FunctionDef:
                function = tree.name
            elif type(tree) is nodes.Lambda:
                function = "<lambda>"
            stack.extend((child, function) for child in children(tree))

    def _assign(self, target: nodes.Expr, value: nodes.Expr, statement: nodes.Stmt) -> None:
        """Note what a target of an assignment says of the value, part by part where both have parts."""
        pairs: list[tuple[nodes.Expr, nodes.Expr]] = [(target, value)]
        while pairs:
            target, value = pairs.pop()
            if type(target) is nodes.Name:
                self.assigned[value] = target.id
            elif type(target) is nodes.Subscript or type(target) is nodes.Attribute:
                self.written[target] = statement
            elif type(target) is nodes.Tuple or type(target) is nodes.List:
                parts = target.elements
                if any(type(part) is nodes.Starred for part in parts):
                    continue
                if (type(value) is nodes.Tuple or type(value) is nodes.List) and len(value.elements) == len(parts):
                    pairs += zip(parts, value.elements, strict=True)
                else:
                    names = tuple([p.id if type(p) is nodes.Name else None for p in parts])
                    self.unpacked[value] = self.unpacked[target] = names
                    self.written[target] = statement

    def _name_of(self, thing: Any, site: Any) -> str | None:
        """The name that a value got where it was made."""
        names = self.unpacked.get(site)
        if names is None or type(thing) is not Node:
            return self.assigned.get(site)
        sibling = thing.meta.sibling if thing.meta is not None else None
        return names[sibling[1]] if sibling is not None and sibling[1] < len(names) else None

    def describe(self, thing: Any, place: Place | None = None) -> Described:
        """What is known of a node or a constant tensor. `place`: where it was made, if that is known already."""
        site = thing.site if type(thing) is Node else thing.aux.detached if thing.aux is not None else None
        name = self.names.get(id(thing))
        if site is None:
            return Described(name=name, text=name or "")
        if name is None:
            name = self._name_of(thing, site)
        part = type(thing) is Node and type(site) is nodes.Subscript
        read = part and (thing.op.view or thing.op.name in _READS)  # `z[0] += x` reads, then writes
        tree = site if read else self.written.get(site, site)
        span = tree.span
        text = name or "" if type(thing) is Node and thing.op is ACCUMULATE else self.source.slice(span)
        if place is None:
            place = self.places.at(thing.seq) if type(thing) is Node else NOWHERE
        return Described(
            name, text, span, self.functions.get(site), place.loops, place.calls, isinstance(tree, nodes.Stmt)
        )

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


def keep_gradients(folding: Folding, limit: int | None) -> None:
    """Have the backward to come keep the gradients that the folded picture shows, however large the graph is.

    `limit`: nodes up to which it keeps all of them.
    """
    tape.gradient_limit = sys.maxsize if limit is None else limit
    for node in folding.ends():
        if node.op is not ACCUMULATE:
            node.extra.retain = True


def folded(describer: Describer, folding: Folding) -> Folded:
    """The picture of a folded graph, with the gradients that the run's backward passes left."""
    return folding.finish(describer.describe, gradient_of)
