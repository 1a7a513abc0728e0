"""The backward pass told again from a snapshot: each contribution to a gradient, in the engine's own order.

The engine keeps no record of its walk but the gradient of each node. Everything between is computed again here, by
the same rules on the recorded gradients: the walk visits nodes latest first, and of each its operands in order; what
it sends to an operand is `rule(gradient, result, *operands)`, with broadcasting undone. Nothing is approximated.

Invariant: running sums add up in the walk's order, so the last one of a node is, bit for bit, the gradient that the
walk left there (where no hook replaced it).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from autodiff_cli.engine.graph import Graph, GraphNode
from autodiff_cli.engine.lazy import np, quiet
from autodiff_cli.engine.ledger import memory
from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.registry import settle, shape_of
from autodiff_cli.engine.saved import StaleFault, check_saved, saved_by
from autodiff_cli.engine.steps import fit
from autodiff_cli.engine.tensor import Tensor


class Contribution(NamedTuple):
    """What one edge adds to the gradient of the node it comes from.

    Attributes:
        target: the node that the walk is at (its number in the snapshot). source: the operand that gets something.
        operand: which operand it is.
        local: the local derivative: a number for scalars, entry by entry in the result's shape for an operation that
            works so; None where it is a whole Jacobian.
        incoming: the target's gradient. product: what is added, of the source's shape. total: the sum so far.
    All are raw values. `local`, `product` and `total` are None where the value that the rule needs was changed in
    place since: it cannot be computed any more.
    """

    target: int
    source: int
    operand: int
    local: Any
    incoming: Any
    product: Any
    total: Any


def contributions(graph: Graph) -> list[Contribution]:
    """All contributions of the last walk backward; none for a graph without nodes or gradients."""
    if graph.nodes is None or graph.edges is None:
        return []
    operands: dict[int, list[tuple[int, int]]] = {}
    for edge in graph.edges:
        operands.setdefault(edge.target, []).append((edge.operand, edge.source))
    found: list[Contribution] = []
    totals: dict[int, Any] = {}
    lost: set[int] = set()
    with quiet():
        for node in reversed(graph.nodes):
            if node.grad is None or type(node.record) is not Node or node.record.op is ACCUMULATE:
                continue
            for i, source in sorted(operands.get(node.id, ())):
                operand = graph.nodes[source]
                if not operand.requires_grad:
                    continue
                step = _step(node, i, operand, source in lost, totals)
                if step is None:
                    continue
                if step.product is None:
                    lost.add(source)
                found.append(step)
    return found


def _step(node: GraphNode, i: int, source: GraphNode, lost: bool, totals: dict[int, Any]) -> Contribution | None:
    """One contribution; None where the operation is not differentiable in the operand."""
    send = _rule(node.record, i)
    if send is None:
        return None
    try:
        check_saved(node.record)
    except StaleFault:
        return Contribution(node.id, source.id, i, None, node.grad, None, None)
    product = fit(settle(send(_ieee(node.grad))), source.value)
    local = local_derivative(node, i)
    if lost:
        return Contribution(node.id, source.id, i, local, node.grad, product, None)
    before = totals.get(source.id)
    totals[source.id] = total = product if before is None else before + product
    return Contribution(node.id, source.id, i, local, node.grad, product, total)


def sent(node: Node, i: int, g: Any) -> Any:
    """What a node whose gradient is `g` sends to its operand number `i`: raw, of the operand's shape; None: nothing."""
    send = _rule(node, i)
    return None if send is None else fit(settle(send(_ieee(g))), _value(node.inputs[i]))


def local_derivative(node: GraphNode, i: int) -> Any:
    """The derivative of a node's result by its operand number `i`, where it is a number an entry; else None."""
    record = node.record
    if type(record) is not Node or record.op is ACCUMULATE:
        return None
    send = _rule(record, i)
    shapes = [shape_of(record.value), *(shape_of(_value(x)) for x in record.inputs)]
    if send is None or (any(shapes) and not _entry_by_entry(record, shapes)):
        return None
    try:
        check_saved(record)
    except StaleFault:
        return None
    one = np.float64(1.0) if not shapes[0] else np.ones(shapes[0], record.value.dtype)
    with quiet():
        found = settle(send(one))
    return found if shape_of(found) == shapes[0] else settle(np.broadcast_to(np.asarray(found), shapes[0]))


def _entry_by_entry(node: Node, shapes: list[tuple[int, ...]]) -> bool:
    """Whether an entry of the result depends on one entry of each operand."""
    if node.op.scalar is None:
        return False
    try:
        return bool(np.broadcast_shapes(*shapes[1:]) == shapes[0])
    except ValueError:
        return False


def _rule(node: Node, i: int) -> Callable[[Any], Any] | None:
    """The node's rule for operand `i`, waiting for a cotangent."""
    op = node.op
    rules = op.vjps or ()
    rule = rules[0] if op.variadic and rules else rules[i] if i < len(rules) else None
    if rule is None:
        return None
    values = [_ieee(_value(x)) for x in node.inputs]
    params = {**node.params, "index": i} if op.variadic else node.params
    return lambda g: rule(g, _ieee(node.value), *values, **params)


def _value(x: Any) -> Any:
    return x.value if type(x) is Node or type(x) is Tensor else x


def _ieee(value: Any) -> Any:
    return np.float64(value) if type(value) is float else value


class Saved(NamedTuple):
    """What a node keeps for backward: `what` is "result" or the operand's number; bytes of its memory."""

    what: str
    bytes: int


def saved_values(node: GraphNode) -> list[Saved]:
    """What a node of the graph saved for backward; nothing for leaves and constants."""
    record = node.record
    if type(record) is not Node or record.op is ACCUMULATE or not record.op.saves:
        return []
    inputs = record.inputs
    return [
        Saved("result" if i < 0 else str(i), _bytes(record if i < 0 else inputs[i])) for i in sorted(saved_by(record))
    ]


def _bytes(x: Any) -> int:
    """The bytes of a node's or tensor's value; a plain number has no memory that would be given back."""
    return 0 if isinstance(x, (int, float)) else memory(_value(x))


def saved_memory(record: Any) -> list[tuple[int, int]]:
    """The memory that what a node saved lies in: (a number for the memory, bytes), so that none is counted twice.

    `record`: a node of the engine (what else there is saves nothing). A view keeps all of its base's memory alive.
    The numbers are good while the graph lives, and no output.
    """
    if type(record) is not Node or record.op is ACCUMULATE or not record.op.saves:
        return []
    inputs = record.inputs
    found = []
    for i in saved_by(record):
        x = record if i < 0 else inputs[i]
        value = _value(x)
        base = getattr(value, "base", None)
        # a Python number has no memory of its own that could be shared: its node or tensor stands for it
        owner = base if base is not None else value if hasattr(value, "nbytes") else x
        if not isinstance(owner, (int, float)):
            found.append((id(owner), memory(_value(owner))))
    return found


MOST_ENTRIES = 4_096  # of a result whose derivative by one entry of an operand is asked for


def derivative_entries(node: GraphNode, i: int, at: int) -> list[float] | None:
    """The derivatives of every entry of a node's result by entry `at` (in row order) of its operand number `i`.

    Costs one run of the rule for each entry of the result. None: there is no rule, or the result is too large.
    """
    record = node.record
    size = int(getattr(node.value, "size", 1))
    send = _rule(record, i) if type(record) is Node and record.op is not ACCUMULATE else None
    if send is None or size > MOST_ENTRIES:
        return None
    operand = _value(record.inputs[i])
    if not node.shape:
        return [float(np.ravel(fit(settle(send(np.float64(1.0))), operand))[at])]
    found = []
    for k in range(size):
        one = np.zeros(size, node.value.dtype)
        one[k] = 1
        found.append(float(np.ravel(fit(settle(send(one.reshape(node.shape))), operand))[at]))
    return found
