"""Reverse mode: the chain rule, walked over the graph.

The nodes reachable from the roots are collected with a stack, sorted by sequence number (a node's consumers all have
higher numbers), and visited once each, latest first. There is no recursion and no dictionary a node: the cotangent that
is being summed for a node waits in its `cot` slot. Three ways to take one step:

* floats, inline in `_walk`: what a scalar program spends its time in;
* arrays (`array_step`): broadcasting undone and dtypes put right here, once, for all rules;
* tensors (`tensor_step`), with `create_graph`: the same rules on tensors, so the derivative is itself on the graph.

Gradients accumulate into leaves, and where `retain_grad` or a hook asks; nowhere else.

Invariant: when a walk ends, however it ends, no node is left with a waiting cotangent (unfinished.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from time import perf_counter
from typing import Any

from autodiff_cli.engine import watching
from autodiff_cli.engine.apply import raw
from autodiff_cli.engine.hooks import last_uses, leaf_hooks, run_hooks, step_with_hooks
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import ACCUMULATE, FREED, NOTHING, PENDING, Marker, Node
from autodiff_cli.engine.registry import MIXED
from autodiff_cli.engine.saved import check_saved, freed_fault, read_again, saved_alone, saved_by
from autodiff_cli.engine.steps import array_step, float_step, pair_step, tensor_step
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.unfinished import before_freed, leave
from autodiff_cli.errors import RuntimeFault

_by_seq = attrgetter("seq")
Deliver = Callable[[Node, Any], None]


def walk(
    roots: Sequence[tuple[Node, Any]],
    *,
    retain_graph: bool,
    create_graph: bool,
    targets: Sequence[Node] | None,
    deliver: Deliver,
    accumulating: bool = False,
) -> None:
    """Send cotangents from the roots (nodes with raw values; tensors with `create_graph`) to the leaves, or to `targets`.

    `deliver` is called with each target (each leaf where `targets` is None) and its cotangent. With targets only what lies
    between is visited. `accumulating`: this is `backward()`, which goes through the targets' own nodes, too (they are
    freed), and calls the hooks of leaves that follow accumulation.

    Raises:
        RuntimeFault: a part of the graph was freed, or a saved value was changed in place.
    """
    if tape.walking:  # a hook that runs backward itself: the slots are in use
        return _walk_inside(roots, retain_graph, create_graph, targets, deliver, accumulating)
    order, leaves = list[Node](), list[Node]()
    ends, freed = dict[Node, Any](), set[Node]()
    ready = _leaf_deliverer(targets, deliver, targets is None or accumulating)
    started = perf_counter()
    tape.walking = True
    watching.begin(roots, create_graph, retain_graph)
    try:
        _collect([node for node, _ in roots], order, leaves, freed)
        order.sort(key=_by_seq, reverse=True)
        if targets is not None:
            order = _between(order, leaves, targets, ends, accumulating)
        stop = before_freed(order, freed) if freed and targets is None else None
        for node, cotangent in roots:
            _add(node, cotangent)
        watching.ordered(order if stop is None else order[:stop])
        _walk(order, stop, retain_graph, create_graph, targets, deliver, ready, ends)
        _hand_over(leaves, ready)
        watching.end(roots, order, retain_graph)
    except BaseException as e:
        watching.failed()
        finished = isinstance(e, Exception) and (targets is None or accumulating)
        leave(order, leaves, freed, ready if finished else None)
        raise
    finally:
        tape.walking = False
        tape.walk_seconds += perf_counter() - started
        for leaf in leaves:
            leaf.cot = None
        for node, state in ends.items():
            node.cot = state


def _collect(roots: list[Node], order: list[Node], leaves: list[Node], freed: set[Node]) -> None:
    """All nodes that the roots reach, marked PENDING, or put into `freed`: it may turn out that the walk comes not so far.

    Chains of first operands are followed without the stack.
    """
    stack = roots
    while stack:
        node = stack.pop()
        if node.cot is PENDING:
            continue
        while True:
            if node.cot is not FREED:
                node.cot = PENDING
            elif node in freed:
                break
            else:
                freed.add(node)
            if node.op is ACCUMULATE:
                leaves.append(node)
                break
            order.append(node)
            b = node.b
            if type(b) is Node and b.cot is not PENDING:
                if b.op is ACCUMULATE:
                    b.cot = PENDING
                    leaves.append(b)
                else:
                    stack.append(b)
            a = node.a
            if type(a) is Node:
                if a.cot is PENDING:
                    break
                node = a
            else:
                if type(a) is tuple:
                    stack.extend(x for x in a if type(x) is Node and x.cot is not PENDING)
                break


def _rest(leaves: list[Node], targets: Sequence[Node]) -> None:
    """Put the leaves that are no targets back to rest: nothing is added to them."""
    wanted = set(targets)
    for leaf in leaves:
        if leaf not in wanted:
            leaf.cot = None


def _between(
    order: list[Node], leaves: list[Node], targets: Sequence[Node], ends: dict[Node, Any], through: bool
) -> list[Node]:
    """The nodes of `order` through which a target is reached, and the targets; the others are put back to rest.

    `ends` gets what neither is freed nor may have been, with what was in its slot: the nodes that are not gone through, of
    them (unless `through`) the targets.

    Raises:
        RuntimeFault: a node that must be gone through was freed.
    """
    _rest(leaves, targets)
    wanted = set(targets)
    freed = None
    for node in reversed(order):
        if any(type(x) is Node and x in wanted for x in node.inputs):
            wanted.add(node)
            freed = node if node.cot is FREED else freed
        elif node in wanted and through:
            freed = node if node.cot is FREED else freed
        elif node in wanted:
            ends[node] = FREED if node.cot is FREED else None
    if freed is not None:
        raise freed_fault(freed)
    kept = []
    for node in order:
        if node in wanted:
            node.cot = PENDING
            kept.append(node)
        else:
            if node.cot is FREED:
                ends[node] = FREED
            node.cot = None
    return kept


def _leaf_deliverer(targets: Sequence[Node] | None, deliver: Deliver, accumulating: bool) -> Callable[[Node], None]:
    """What hands a leaf's finished cotangent over: hooks first, then `deliver`, then the hooks that follow accumulation."""
    wanted = None if targets is None else set(targets)

    def ready(leaf: Node) -> None:
        cotangent = leaf.cot
        leaf.cot = PENDING
        if leaf.meta is not None and leaf.meta.hooks:
            cotangent = run_hooks(leaf, leaf.meta.hooks, cotangent)
        if tape.gradients is not None:
            tape.gradients[leaf] = raw(cotangent)
        if wanted is not None and leaf not in wanted:
            return
        deliver(leaf, cotangent)
        if accumulating and leaf.meta is not None and leaf.meta.post_hooks:
            for hook in list(leaf.meta.post_hooks.values()):
                hook(leaf)

    return ready


def _hand_over(leaves: Sequence[Node], ready: Callable[[Node], None]) -> None:
    """Those of the leaves to which something came, and that were not handed over yet."""
    for leaf in leaves:
        if leaf.cot is not PENDING and leaf.cot is not None:
            ready(leaf)


def _add(node: Node, cotangent: Any) -> None:
    """Add to the cotangent that waits for a node; nothing where the walk does not go."""
    waiting = node.cot
    if waiting is PENDING:
        node.cot = cotangent
    elif waiting is not None and waiting is not FREED:
        node.cot = waiting + cotangent


def _walk(
    order: list[Node],
    stop: int | None,
    retain_graph: bool,
    create_graph: bool,
    targets: Sequence[Node] | None,
    deliver: Deliver,
    ready: Callable[[Node], None],
    ends: dict[Node, Any],
) -> None:
    """Visit the nodes in order: scalar nodes of which nobody wants to know more inline, the others by `visit`.

    `stop`: the number of the first one that was freed.
    """
    last_use = last_uses(order) if leaf_hooks(order) else None
    record = tape.gradients if len(order) <= tape.gradient_limit else None
    visit = _visitor(create_graph, targets, deliver, ready, last_use, record, ends)
    plain = not (create_graph or targets or last_use or tape.anomaly or tape.stepper)
    _go(order if stop is None else order[:stop], retain_graph, plain, visit, record)
    if stop is not None:
        node, g = order[stop], order[stop].cot
        node.cot = FREED
        if node.meta is not None and g is not PENDING:
            _at_node(node, g)
        raise freed_fault(node)


def _go(
    order: list[Node],
    retain_graph: bool,
    plain: bool,
    visit: Callable[[Node, Any], None],
    record: dict[Node, Any] | None,
) -> None:
    """The loop of `_walk`. `plain`: nobody wants to know more of a scalar node than its rules, and what `record` keeps."""
    changed = tape.changed  # what was saved after that is not stale
    for node in order:
        g, op, meta = node.cot, node.op, node.meta
        node.cot = None if retain_graph or not op.saves or (op.saves is MIXED and not saved_by(node)) else FREED
        if (
            type(g) is float
            and plain
            and op.floats
            and not node.params
            and (meta is None or not (meta.hooks or meta.retain or meta.handle is not None))
            and (node.seq > changed or not op.saves or saved_alone(node))
        ):
            a, b = node.a, node.b
            if record is not None:
                record[node] = g
            try:  # inline: a call a node would cost a fifth more
                if b is NOTHING:
                    x = a.value if type(a) is Node else None  # three operands are a tuple
                    if type(x) is float:
                        d = g if op.hands_on[0] else op.vjps[0](g, node.value, x)
                        a.cot = d if a.cot is PENDING else a.cot + d
                        continue
                else:
                    x = a if type(a) is float else a.value
                    y = b if type(b) is float else b.value
                    if type(x) is float and type(y) is float:
                        if not (op.is_sum or op.is_product):
                            pair_step(node, g, x, y)
                            continue
                        if type(a) is Node:
                            d = g * y if op.is_product else g
                            a.cot = d if a.cot is PENDING else a.cot + d
                        if type(b) is Node:
                            d = g * x if op.is_product else g
                            b.cot = d if b.cot is PENDING else b.cot + d
                        continue
            except (ArithmeticError, ValueError):
                pass  # where Python raises and IEEE has an answer, the array step gives it
        if g is not PENDING:
            visit(node, g)


def _visitor(
    create_graph: bool,
    targets: Sequence[Node] | None,
    deliver: Deliver,
    ready: Callable[[Node], None],
    last_use: dict[Node, list[Node]] | None,
    record: dict[Node, Any] | None,
    ends: dict[Node, Any],
) -> Callable[[Node, Any], None]:
    """What visits one node with everything that may be asked of a walk: hooks, targets, records, checks."""
    changed = tape.changed
    wanted = None if targets is None else set(targets)
    step = tensor_step if create_graph else array_step
    stepper = tape.stepper

    def visit(node: Node, g: Any) -> None:
        if node.meta is not None:
            g = _at_node(node, g)
        if record is not None:
            record[node] = raw(g)
        if wanted is not None and node in wanted:
            deliver(node, g)
            if node in ends:
                return
        if node.seq < changed and node.op.saves:
            check_saved(node)
            read_again(node)
        handle = None if node.meta is None else node.meta.handle
        if handle is not None and (handle.before or handle.after):
            step_with_hooks(node, g, handle.before, handle.after, create_graph)
        elif create_graph or type(g) is not float or not float_step(node, g):
            step(node, g)
        if stepper is not None:
            stepper.visit(node, raw(g))
        if tape.anomaly:
            _check_anomaly(node)
        if last_use is not None:
            _hand_over(last_use.get(node, ()), ready)

    return visit


def _at_node(node: Node, g: Any) -> Any:
    """Hooks on a result, then its retained gradient."""
    meta = node.meta
    assert meta is not None
    if meta.hooks:
        g = run_hooks(node, meta.hooks, g)
    if meta.retain:
        kept = g.clone() if isinstance(g, Tensor) else wrap(g)
        meta.grad = kept if meta.grad is None else meta.grad + kept
    return g


def _check_anomaly(node: Node) -> None:
    """Raises RuntimeFault if a cotangent that the node has just passed on is nan (`set_detect_anomaly`)."""
    for x in node.inputs:
        value = raw(x.cot) if type(x) is Node else None
        if value is not None and not isinstance(value, Marker) and bool(np.isnan(value).any()):
            fault = RuntimeFault(
                f"anomaly detection: {node.op.grad_fn} passed on a gradient that is nan",
                hint="the operation marked here has no derivative at its operand's value",
            )
            fault.site = node.site
            raise fault


# --- a walk inside a walk -----------------------------------------------------------------------------------------


def _walk_inside(
    roots: Sequence[tuple[Node, Any]],
    retain_graph: bool,
    create_graph: bool,
    targets: Sequence[Node] | None,
    deliver: Deliver,
    accumulating: bool,
) -> None:
    """A backward that a hook of another backward calls: the outer walk's waiting cotangents are set aside."""
    aside: dict[Node, Any] = {}
    stack = [node for node, _ in roots]
    while stack:
        node = stack.pop()
        if node in aside:
            continue
        aside[node] = node.cot
        if node.cot is not FREED:
            node.cot = None
        stack.extend(x for x in node.inputs if type(x) is Node)
    tape.walking = False
    try:
        walk(
            roots,
            retain_graph=retain_graph,
            create_graph=create_graph,
            targets=targets,
            deliver=deliver,
            accumulating=accumulating,
        )
    finally:
        tape.walking = True
        for node, cot in aside.items():
            if cot is not None and node.cot is not FREED:
                node.cot = cot
