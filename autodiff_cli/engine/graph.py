"""The graph as views see it: a numbered snapshot of nodes and edges, with nothing left to compute.

`id`s count from 0 in topological order (operands before what uses them), the same on every run. Constants (tensors
that require no gradient, and plain numbers) are nodes, too: one for each tensor, one for each use of a number.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from autodiff_cli.engine.dtypes import dtype_of
from autodiff_cli.engine.node import ACCUMULATE, KEPT, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.source import Span


class Described(NamedTuple):
    """What the runtime knows of a node's place in the program. `statement`: the text is one, not an expression."""

    name: str | None = None
    text: str = ""
    span: Span | None = None
    function: str | None = None
    loops: tuple[tuple[int, int], ...] = ()
    calls: tuple[tuple[str, int], ...] = ()
    statement: bool = False


class GraphNode(NamedTuple):
    """One node.

    `value` and `grad` are raw values; `loops` are (line, iteration from 1), outermost first. `calls`: (function, number of
    the call in the run), outermost first. `detached`: the constant is what `detach()` or `.data` gave of a value with a
    graph. `statement`: the text is one. `changed`: the memory was written into after an operation of the graph used it, so
    `value` is what is there now, and not what that operation saw. `part`: the text is that of an expression of which the
    node computes a part (`1/x` is `x.reciprocal() * 1`). `record`: the engine's node, or the constant tensor or
    number: for what is computed from the snapshot (replay.py), not for views.
    """

    id: int
    op: str
    grad_fn: str | None
    name: str | None
    text: str
    shape: tuple[int, ...]
    dtype: str
    value: Any
    grad: Any
    requires_grad: bool
    is_leaf: bool
    span: Span | None
    function: str | None
    loops: tuple[tuple[int, int], ...]
    calls: tuple[tuple[str, int], ...] = ()
    detached: bool = False
    statement: bool = False
    changed: bool = False
    part: bool = False
    record: Any = None


class Edge(NamedTuple):
    """The value of `source` is operand number `operand` of `target`."""

    source: int
    target: int
    operand: int


class Graph:
    """A snapshot. `count`: how many nodes there are; past a limit `nodes` and `edges` are None."""

    __slots__ = ("count", "edges", "nodes", "roots")

    def __init__(
        self,
        nodes: tuple[GraphNode, ...] | None,
        edges: tuple[Edge, ...] | None,
        count: int,
        roots: tuple[int, ...],
    ) -> None:
        self.nodes = nodes
        self.edges = edges
        self.count = count
        self.roots = roots


def reachable(roots: Sequence[Node], limit: int | None = None) -> list[Node]:
    """The nodes that the roots reach, in the order in which they were made; cut off past `limit`."""
    seen = set(roots)
    stack = list(roots)
    while stack and (limit is None or len(seen) <= limit):
        for x in stack.pop().inputs:
            if type(x) is Node and x not in seen:
                seen.add(x)
                stack.append(x)
    return sorted(seen, key=lambda n: n.seq)


def snapshot(
    roots: Sequence[Any],
    describe: Callable[[Any], Described],
    gradient_of: Callable[[Node], Any],
    limit: int | None,
) -> Graph:
    """The snapshot of the graph of some results (tensors; ones without a graph are single constants).

    `describe` is asked about each `Node` and each constant `Tensor`.
    """
    tops = [t.node if t.node is not None else t for t in roots]
    order = reachable([n for n in tops if type(n) is Node], limit)
    if limit is not None and len(order) > limit:
        count = len(reachable([n for n in tops if type(n) is Node]))
        return Graph(None, None, count, ())
    nodes: list[GraphNode] = []
    edges: list[Edge] = []
    ids: dict[int, int] = {}

    def constant(x: Any) -> int:
        if type(x) is Tensor:
            if id(x) not in ids:
                ids[id(x)] = len(nodes)
                nodes.append(constant_node(len(nodes), x, describe(x)))
            return ids[id(x)]
        nodes.append(constant_node(len(nodes), x, Described()))
        return len(nodes) - 1

    for node in order:
        sources = [ids[id(x)] if type(x) is Node else constant(x) for x in node.inputs]
        ids[id(node)] = len(nodes)
        edges.extend(Edge(source, len(nodes), i) for i, source in enumerate(sources))
        nodes.append(recorded_node(len(nodes), node, describe(node), gradient_of(node)))
    root_ids = tuple(ids[id(n)] if id(n) in ids else constant(n) for n in tops)
    nodes = with_parts(nodes, parts_of(nodes, [(e.source, e.target) for e in edges]))
    return Graph(tuple(with_changes(nodes, tape.mutations)), tuple(edges), len(nodes), root_ids)


def constant_node(i: int, x: Any, d: Described) -> GraphNode:
    """The picture of a constant: a tensor without a graph, or a plain number."""
    value = x.value if type(x) is Tensor else x
    detached = type(x) is Tensor and x.aux is not None and x.aux.detached is not None
    return GraphNode(
        i,
        "constant",
        None,
        d.name,
        d.text,
        tuple(getattr(value, "shape", ())),
        dtype_of(value).name,
        value,
        None,
        False,
        True,
        d.span,
        d.function,
        d.loops,
        d.calls,
        detached,
        record=x,
    )


def recorded_node(i: int, node: Node, d: Described, grad: Any) -> GraphNode:
    """The picture of a node of the engine. `grad`: its raw gradient, or None."""
    leaf = node.op is ACCUMULATE
    value = node.value
    return GraphNode(
        i,
        "leaf" if leaf else node.op.label,
        None if leaf else node.op.grad_fn,
        d.name,
        d.text,
        tuple(getattr(value, "shape", ())),
        dtype_of(value).name,
        value,
        grad,
        True,
        leaf,
        d.span,
        d.function,
        d.loops,
        d.calls,
        statement=d.statement,
        record=node,
    )


def with_changes(nodes: Sequence[GraphNode], mutations: int) -> list[GraphNode]:
    """The nodes, those that were written into later with `changed`. `mutations`: changes in place in the whole run.

    A node of an operation has been used when it was made; a leaf or constant, when the first operation that reads it was.
    """
    if not mutations:
        return list(nodes)
    used: dict[int, int] = {}
    written: dict[int, int] = {}
    own: set[int] = set()  # what was written through a view: its node has a copy
    for node in nodes:
        record = node.record
        if type(record) is Node:
            for x in record.inputs:
                used[id(x)] = min(record.seq, used.get(id(x), record.seq))
            if record.op.name == "copy_slices":
                own.add(id(record.inputs[1]))
        if hasattr(node.value, "nbytes"):
            memory = _memory(node.value)
            written[memory] = max(written.get(memory, 0), _last_write(record))

    def changed(node: GraphNode) -> bool:
        record = node.record
        if id(record) in own:
            return False
        since = record.seq if type(record) is Node and record.inputs else used.get(id(record), sys.maxsize)
        return max(written.get(_memory(node.value), 0), _last_write(record)) > since

    return [node._replace(changed=True) if changed(node) else node for node in nodes]


def parts_of(nodes: Sequence[GraphNode], pairs: Iterable[tuple[int, int]]) -> set[int]:
    """The nodes that another node of the same evaluation of the same expression reads. `pairs`: source, target."""
    found = set()
    for source, target in pairs:
        a, b = nodes[source], nodes[target]
        if a.span is None or a.span != b.span or a.is_leaf or a.statement or b.statement:
            continue  # nearly all of them
        if a.loops == b.loops and a.calls == b.calls:
            found.add(source)
    return found


def with_parts(nodes: Sequence[GraphNode], parts: set[int]) -> list[GraphNode]:
    """The nodes, those of `parts` marked so. The name of the expression's value is not theirs."""
    if not parts:
        return list(nodes)
    return [node._replace(part=True, name=None) if node.id in parts else node for node in nodes]


def _memory(value: Any) -> int:
    """A number for the memory that an array lies in, shared by its views."""
    base = getattr(value, "base", None)
    return id(value if base is None else base)


def _last_write(record: Any) -> int:
    """When the memory of a node or tensor was last changed in place, by the tape's clock; 0: never."""
    holder = record.meta if type(record) is Node else record.aux if type(record) is Tensor else None
    version = None if holder is None else holder.version
    return 0 if version is None or version.count == KEPT else version.seq
