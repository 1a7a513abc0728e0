"""Joins the engine's graph to the program: names, source text, functions and loop turns for each node."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from autodiff_cli.engine.graph import Described, Graph, snapshot
from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children
from autodiff_cli.runtime.state import LoopRun
from autodiff_cli.source import Source


class Describer:
    """What each node of the graph is called, and where it came from."""

    def __init__(self, source: Source, module: nodes.Module, variables: dict[str, Any], loops: list[LoopRun]) -> None:
        self.source = source
        self.loops = sorted(loops, key=lambda run: run.start)
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

    def describe(self, thing: Any) -> Described:
        site = thing.site if type(thing) is Node else None
        name = self.names.get(id(thing))
        if site is None:
            return Described(name=name, text=name or "")
        if name is None:
            name = self.assigned.get(site)
        span = site.span
        text = name or "" if thing.op is ACCUMULATE else self.source.slice(span)
        return Described(name, text, span, self.functions.get(site), self._turns(thing.seq))

    def _turns(self, seq: int) -> tuple[tuple[int, int], ...]:
        """The loops around the node of this number, outermost first, each with its line and turn."""
        found = []
        for run in self.loops:
            if run.start >= seq:
                break
            if seq <= run.ends[-1]:
                line = self.source.position(run.loop.span.start).line
                found.append((line, run.turns[bisect_left(run.ends, seq)]))
        return tuple(found)


def graph_of(describer: Describer, roots: list[Tensor], limit: int | None) -> Graph:
    """The snapshot of the results' graph, with the gradients that the run's backward passes left."""
    recorded = tape.gradients or {}

    def gradient_of(node: Node) -> Any:
        if node.op is ACCUMULATE:
            grad = node.meta.grad if node.meta is not None else None
            return None if grad is None else grad.value
        return recorded.get(node)

    return snapshot(roots, describer.describe, gradient_of, limit)
