"""What programs call to differentiate: `backward`, `torch.autograd.grad`, hooks, and the handles of graph nodes."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.arguments import type_name
from autodiff_cli.engine.backward import walk
from autodiff_cli.engine.hooks import HookHandle, Hooks
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.nesting import refuse
from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.regions import COPY_SLICES
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.errors import IndexFault, RuntimeFault, TypeFault, ValueFault


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` (weighted by `grad_tensors`) to the `.grad` of the leaves, or of `inputs`.

    Raises:
        RuntimeFault: no graph to go back through, an output that isn't scalar without its weight, a freed graph, a
            saved value changed in place.
    """
    refuse(
        "backward()", "return the value, and take torch.func.grad or vjp of the function; or call backward() outside"
    )
    tape.backwards += 1
    outputs = _many(tensors)
    weights = [None] * len(outputs) if grad_tensors is None else _many(grad_tensors)
    targets = None
    if inputs is not None:
        targets = [_node_of_input(t) for t in _many(inputs)]
        if not targets:
            raise RuntimeFault("backward(inputs=...) got no inputs", hint="leave inputs out to reach every leaf")
    keep = create_graph if retain_graph is None else retain_graph
    with tape.grad_mode(create_graph):
        walk(
            _roots(outputs, weights, create_graph),
            retain_graph=keep,
            create_graph=create_graph,
            targets=targets,
            deliver=_accumulate if tape.events is None else _accumulate_noted,
            accumulating=True,
        )


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """torch.autograd.grad: the gradients with respect to `inputs` (a tuple; a dict for a dict), returned and not accumulated.

    Raises:
        RuntimeFault: as `backward`; or an input that the outputs don't depend on, without `allow_unused`.
        ValueFault: `materialize_grads` with `allow_unused=False`.
    """
    if materialize_grads and allow_unused is False:
        raise ValueFault("materialize_grads needs allow_unused to be True or left out")
    names = list(inputs) if type(inputs) is dict else None
    outputs, inputs = _many(outputs), _many(inputs if names is None else list(inputs.values()))
    if not inputs:
        raise RuntimeFault("grad needs at least one input")
    weights = [None] * len(outputs) if grad_outputs is None else _many(grad_outputs)
    keep = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        unused = (allow_unused, materialize_grads)
        results = _batched(outputs, inputs, weights, keep, create_graph, unused)
        return results if names is None else dict(zip(names, results, strict=True))
    nodes = [_node_of_input(t) for t in inputs]
    found: dict[Node, Any] = {}

    def deliver(node: Node, cotangent: Any) -> None:
        found[node] = cotangent if node not in found else found[node] + cotangent

    with tape.grad_mode(create_graph):
        walk(
            _roots(outputs, weights, create_graph),
            retain_graph=keep,
            create_graph=create_graph,
            targets=nodes,
            deliver=deliver,
        )
    results = tuple(
        _result(found.get(node), t, i + 1, allow_unused, materialize_grads)
        for i, (node, t) in enumerate(zip(nodes, inputs, strict=True))
    )
    return results if names is None else dict(zip(names, results, strict=True))


def _batched(
    outputs: list[Any],
    inputs: list[Any],
    weights: list[Any],
    keep: bool,
    create_graph: bool,
    unused: tuple[bool | None, bool],
) -> tuple[Tensor | None, ...]:
    """The gradients for each vector along the first dimension of the weights, stacked along a new first dimension."""
    from autodiff_cli.engine.ops.cutting import select_op  # operations stand above this module
    from autodiff_cli.engine.ops.joining import stack_op
    from autodiff_cli.engine.ops.structure import as_view

    sizes = {w.shape[0] if isinstance(w, Tensor) and w.ndim else 0 for w in weights if w is not None}
    if len(sizes) != 1 or not max(sizes):
        fault = IndexFault if sizes == {0} else RuntimeFault
        raise fault(
            "with is_grads_batched, grad_outputs are tensors with one vector for each entry of their first dimension",
            hint="one count of vectors for all of them, and at least one: grad_outputs=torch.eye(n) gives a Jacobian",
        )
    (count,) = sizes
    rows = []
    for i in range(count):
        at = {"dim": 0, "index": i}
        row = [None if w is None else as_view(select_op, w, at) for w in weights]
        retain = keep or i < count - 1
        rows.append(grad(outputs, inputs, row, retain, create_graph, allow_unused=any(unused)))
    with tape.grad_mode(create_graph):
        columns = [None if column[0] is None else stack_op(*column, dim=0) for column in zip(*rows, strict=True)]
    # zeros for an unused input have its own shape, without the dimension of the vectors
    return tuple(_result(g, t, i + 1, *unused) for i, (g, t) in enumerate(zip(columns, inputs, strict=True)))


def _result(cotangent: Any, t: Tensor, number: int, allow_unused: bool | None, materialize: bool) -> Tensor | None:
    if cotangent is not None:
        return cotangent if isinstance(cotangent, Tensor) else wrap(_own(cotangent))
    if materialize:
        return wrap(0.0 if type(t.value) is float else np.zeros_like(t.value))
    if not allow_unused:
        raise RuntimeFault(
            f"input number {number} has no part in the outputs' graph, so it has no gradient",
            hint="pass allow_unused=True to get None for it, or leave it out",
        )
    return None


def _many(x: Any) -> list[Any]:
    """A tensor, or the tensors of a list.

    Raises:
        TypeFault: a plain number or None.
    """
    if isinstance(x, Tensor):
        return [x]
    if isinstance(x, (list, tuple, str)):
        return list(x)
    raise TypeFault(f"gradients are of tensors and with respect to tensors, not of {type_name(x)}")


def _node_of_input(t: Any) -> Node:
    if not isinstance(t, Tensor):
        raise RuntimeFault(f"gradients are taken with respect to tensors, not {type_name(t)}")
    node = current_node(t)
    if node is None or not t.requires_grad:
        raise RuntimeFault(
            "a gradient is asked for with respect to a tensor that does not require one",
            hint="make it with requires_grad=True, or call x.requires_grad_() before it is used",
        )
    return node


def _roots(outputs: Sequence[Any], weights: Sequence[Any], create_graph: bool) -> list[tuple[Node, Any]]:
    if len(weights) != len(outputs):
        raise RuntimeFault(f"{len(outputs)} outputs and {len(weights)} gradients for them: there must be one each")
    roots = []
    for t, weight in zip(outputs, weights, strict=True):
        if not isinstance(t, Tensor):
            raise TypeFault(f"backward() starts from a tensor, not from {type(t).__name__}")
        node = current_node(t)
        if node is None or not t.requires_grad:
            raise RuntimeFault(
                "{subject} has no graph to go back through: it requires no gradient",
                hint="no operand required a gradient, or it was computed under no_grad() or from detach()",
            )
        if weight is None:
            if t.numel() != 1:
                raise RuntimeFault(
                    f"a gradient can start by itself from a scalar only; this output has shape {t.shape}",
                    hint="reduce it (z.sum()), or give the vector of a vector-Jacobian product: backward(v)",
                )
            weight = wrap(1.0 if type(t.value) is float else np.ones_like(t.value))
        else:
            weight = _weight(weight, t)
        roots.append((node, weight if create_graph else weight.value))
    return roots


def _weight(weight: Any, t: Tensor) -> Tensor:
    if not isinstance(weight, Tensor):
        raise TypeFault(f"the gradient given to backward() is a tensor, not {type(weight).__name__}")
    if weight.shape != t.shape:
        raise RuntimeFault(f"the gradient given has shape {weight.shape} and the output has shape {t.shape}")
    if weight.dtype is not t.dtype:
        value = np.asarray(weight.value).astype(t.dtype.name)
        return wrap(float(value) if type(t.value) is float else value)
    return weight


def _own(value: Any) -> Any:
    """A raw value that shares memory with nothing else."""
    return value if type(value) is float else np.array(value, copy=True)


def _accumulate(node: Node, cotangent: Any) -> None:
    """Add a cotangent to a node's `.grad`: in place where no graph of it is kept, as PyTorch does."""
    meta = node.extra
    if node.op is not ACCUMULATE:
        if meta.retain:  # the walk has kept it already
            return
        meta.retain = True
    old = meta.grad
    if isinstance(cotangent, Tensor):
        meta.grad = _copied(cotangent, node) if old is None else old + cotangent
    elif old is None:
        meta.grad = wrap(_own(cotangent))
    elif (type(old.value) is float) != (type(cotangent) is float):
        meta.grad = wrap(_own(old.value + cotangent))
    elif type(old.value) is float and old.aux is None and old.node is None:
        old.value += cotangent
    else:
        from autodiff_cli.engine.inplace import replace

        replace(old, wrap(old.value + cotangent))


def _accumulate_noted(node: Node, cotangent: Any) -> None:
    """`_accumulate` where a ledger is kept: one entry, and none for how it is done."""
    events, tape.events = tape.events, None
    old = node.extra.grad
    before = None if old is None else _own(old.value)
    try:
        _accumulate(node, cotangent)
    finally:
        tape.events = events
    events.accumulated(node, before, node.extra.grad)


def _copied(cotangent: Tensor, node: Node) -> Tensor:
    """A cotangent with a graph, in memory of its own: what PyTorch makes the `.grad` of a node, with that grad_fn."""
    from autodiff_cli.engine.inplace import copy_into

    if node.op is not ACCUMULATE:
        return cotangent.clone()
    return copy_into(wrap(0.0 if type(cotangent.value) is float else np.empty_like(cotangent.value)), cotangent)


# --- handles ----------------------------------------------------------------------------------------------------


class GradFn:
    """A node as programs see it: `y.grad_fn`."""

    __slots__ = ("_node", "after", "before")

    def __init__(self, node: Node) -> None:
        self._node = node
        self.before: Hooks = {}
        self.after: Hooks = {}

    def __repr__(self) -> str:
        name = self._node.op.grad_fn
        return f"<{name.rsplit('::', 1)[-1]} object>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradFn) and other._node is self._node

    def __hash__(self) -> int:
        return id(self._node)

    def name(self) -> str:
        """PyTorch's name of the operation, as `MulBackward0`."""
        return self._node.op.grad_fn

    def register_hook(self, fn: Callable[..., Any]) -> HookHandle:
        """Call `fn(grad_inputs, grad_outputs)`, tuples, after a backward went through the node; a tuple that it returns
        replaces the gradients that go on to the operands.
        """
        return HookHandle(self.after, fn)

    def register_prehook(self, fn: Callable[..., Any]) -> HookHandle:
        """Call `fn(grad_outputs)`, a tuple, before a backward goes through the node; a tuple that it returns replaces it."""
        return HookHandle(self.before, fn)

    @property
    def next_functions(self) -> tuple[tuple[GradFn | None, int], ...]:
        """The nodes of the operands, None for one that requires no gradient, each with an output number (0)."""
        inputs = _ruled(self._node)
        if self._node.op is COPY_SLICES and type(inputs[1]) is Node:
            inputs = (inputs[0], *_ruled(inputs[1])[1:])  # PyTorch's has the node of the change in itself
        if self._node.op.grad_fn.endswith("NotImplemented"):  # knows only what requires a gradient
            inputs = tuple(x for x in inputs if type(x) is Node)
        return tuple((handle_of(x), _output_number(x)) if type(x) is Node else (None, 0) for x in inputs)

    @property
    def variable(self) -> Tensor:
        """The tensor of a leaf's node.

        Raises:
            AttributeError: the node is not a leaf's.
        """
        meta = self._node.meta
        if self._node.op is not ACCUMULATE or meta is None:
            raise AttributeError("only a leaf's grad_fn has a variable")
        found = meta.owner() if meta.owner is not None else None
        if found is None:
            found = wrap(self._node.value)
            found.node = self._node
            meta.owner = weakref.ref(found)
        return found


def _ruled(node: Node) -> tuple[Any, ...]:
    """The operands in which a node's operation can be differentiated."""
    if node.op.variadic:
        return node.inputs
    return tuple(x for x, rule in zip(node.inputs, node.op.vjps or (), strict=False) if rule is not None)


def _output_number(node: Node) -> int:
    return 0 if node.meta is None or node.meta.sibling is None else node.meta.sibling[1]


def handle_of(node: Node) -> GradFn:
    """The one handle of a node (so that `is` works in programs)."""
    if node.meta is not None and node.meta.sibling is not None:
        node = node.meta.sibling[0]
    meta = node.extra
    if meta.handle is None:
        meta.handle = GradFn(node)
    handle: GradFn = meta.handle
    return handle


def grad_fn(t: Tensor) -> GradFn | None:
    """The handle of the operation that made the tensor; None for a leaf."""
    node = current_node(t)
    if node is None or node.op is ACCUMULATE or not t.requires_grad:
        return None
    return handle_of(node)
