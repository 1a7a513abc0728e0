"""One level of differentiation: what torch.func's transforms have in common.

A level gives a function fresh leaves in place of the tensors that it is differentiated in, runs it,
differentiates, and closes: each fresh leaf then becomes an alias of the tensor that it stood for, so that the
results are on the graph of whoever differentiates outside. Results that no one outside can differentiate (no
tensor from before the level requires a gradient and has a part in them) leave without a graph, as PyTorch's
do. Levels nest to any depth by themselves.

Invariant: a node made inside a level has a sequence number in one of the level's `inside` intervals; a node
with another number is older or belongs to someone else, and what reaches it stays on the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from autodiff_cli.engine import autograd, nesting
from autodiff_cli.engine.apply import is_floating
from autodiff_cli.engine.node import NO_PARAMS, NOTHING, Node, make_leaf, make_node
from autodiff_cli.engine.ops.cutting import alias_op
from autodiff_cli.engine.pytree import Structure, flatten, unflatten
from autodiff_cli.engine.tangents import GATE, Gated
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, bind_leaf, current_node, wrap
from autodiff_cli.engine.views import version_of
from autodiff_cli.errors import RuntimeFault, ValueFault

Function = Callable[..., Any]
# what picks elements, by PyTorch's names without "Backward" and a number
_PICKING = (
    "Max Min Median Nanmedian Mode Kthvalue Amax Amin Aminmax Sort Topk Cummax Cummin Clamp ClampMin ClampMax Maximum "
    "Minimum Fmax Fmin MaskedFill MaskedSelect Gather Index IndexSelect Take"
)
PICKING = frozenset(_PICKING.split())


class Derived:
    """A function that a transform made: `grad(f)`, the `vjp_fn` of `vjp`."""

    __slots__ = ("call", "name")

    def __init__(self, call: Function, name: str) -> None:
        self.call = call
        self.name = name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.call(*args, **keywords)

    def __repr__(self) -> str:
        return f"<function {self.name}>"


def derived(call: Function, original: Function) -> Derived:
    """The function under the name of the one that it was made from."""
    return Derived(call, str(getattr(original, "name", getattr(original, "__name__", "function"))))


class Level:
    """A level that is open from its making until `close`.

    Attributes:
        forward: it is differentiated forward: by `jvp`, `jacfwd` or `linearize`.
        recorded: gradient mode was on outside, so that results may stay on the graph; or tangents go through here.
        targets: the fresh tensors, still tied to their nodes after the close.
        tied: whether one of them stands for a tensor that requires a gradient outside.
    """

    def __init__(self, steps: int = 1, forward: bool = False) -> None:
        self.steps = steps  # how many transforms PyTorch makes of it
        self.forward = forward
        self.recorded = tape.grad_enabled or nesting.forward()
        self.start = tape.seq
        self.inside: list[tuple[int, float]] = [(self.start, float("inf"))]
        self.targets: list[Tensor] = []
        self.origins: list[Node | None] = []
        self.tied = False

    def enter(self, t: Any, what: str) -> Tensor:
        """A fresh leaf with the value of `t`.

        Raises:
            ValueFault: it is no tensor.
            RuntimeFault: its dtype isn't floating.
        """
        if not isinstance(t, Tensor):
            raise ValueFault(
                f"{what}: what is differentiated must be tensors, not {type(t).__name__}",
                hint="wrap it: torch.tensor(2.0)",
            )
        if not is_floating(t.value):
            raise RuntimeFault(
                f"{what}: only floating tensors can be differentiated; this one is {t.dtype}",
                hint="write the numbers with a point (2.0, not 2), or convert with .double()",
            )
        origin = current_node(t) if self.recorded else None
        if origin is not None and not tape.grad_enabled:
            origin = make_node(GATE, t.value, (origin,), NO_PARAMS)
        fresh = wrap(t.value)
        fresh.node = make_leaf(t.value)
        if type(t.value) is not float:
            fresh.extra.version = version_of(t)
        bind_leaf(fresh)
        self.targets.append(saved(fresh))
        self.origins.append(origin)
        self.tied = self.tied or origin is not None
        return fresh

    def run(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        """The function's result, with gradient mode on."""
        nesting.enter(self, self.steps, tuple(flatten((args, kwargs or {}))[0]))
        events = tape.events
        if self.forward:
            tape.events = Gated(events)
        try:
            with tape.grad_mode(True):
                return function(*args, **kwargs or {})
        finally:
            tape.events = events
            nesting.leave()

    def close(self) -> None:
        """Tie the fresh leaves to the tensors they stood for."""
        for fresh, origin in zip(self.targets, self.origins, strict=True):
            node = fresh.node
            if origin is not None and node is not None:
                node.op = alias_op
                node.a, node.b, node.params = origin, NOTHING, NO_PARAMS
        self.inside[-1] = (self.inside[-1][0], tape.seq)

    def reopen(self) -> None:
        """Count nodes made from now on as the level's: for a function that it returned and that is called later."""
        self.inside.append((tape.seq, float("inf")))

    def outside(self, *tensors: Any) -> bool:
        """Whether the graph of a tensor reaches a node that is not the level's, or a fresh leaf that is tied to one."""
        tied = self.tied and {t.node for t, o in zip(self.targets, self.origins, strict=True) if o is not None}
        stack = [node for t in tensors if isinstance(t, Tensor) and (node := current_node(t)) is not None]
        seen = set(stack)
        gated = not nesting.forward()
        low = self.start
        gaps = [(a[1], b[0]) for a, b in pairwise(self.inside)]
        while stack:
            node = stack.pop()
            if gated and node.op is GATE:
                continue
            if node.seq <= low or (tied and node in tied) or any(a < node.seq <= b for a, b in gaps):
                return True
            for x in node.inputs:
                if type(x) is Node and x not in seen:
                    seen.add(x)
                    stack.append(x)
        return False

    def reads(self, t: Tensor, target: Tensor) -> bool:
        """Whether an operation between a fresh leaf and `t` has a forward derivative that reads its operands.

        One that picks elements has none: what it picks by is no part of a graph.
        """
        nodes = self._nodes([t])
        reached = {target.node}
        for node in sorted(nodes, key=lambda n: n.seq):
            if any(type(x) is Node and x in reached for x in node.inputs):
                if node.op.saves and node.op.grad_fn.split("Backward")[0] not in PICKING:
                    return True
                reached.add(node)
        return False

    def _nodes(self, tensors: Sequence[Any]) -> set[Node]:
        """The nodes that tensors reach, as far as the level goes."""
        stack = [node for t in tensors if isinstance(t, Tensor) and (node := current_node(t)) is not None]
        seen = set(stack)
        while stack:
            node = stack.pop()
            for x in node.inputs if node.seq > self.start else ():
                if type(x) is Node and x not in seen:
                    seen.add(x)
                    stack.append(x)
        return seen

    def leave(self, t: Tensor) -> Tensor:
        """A result as it is outside: on the graph where someone outside can differentiate it, else without one."""
        if current_node(t) is None or (self.recorded and self.outside(t)):
            return t
        return wrap(t.value)

    def pull(
        self, outputs: Sequence[Tensor], cotangents: Sequence[Tensor | None], record: bool, keep: bool = False
    ) -> list[Tensor]:
        """The cotangents of the fresh leaves from those of the outputs; zeros where nothing arrives.

        `record`: on the graph, for derivatives of them. `keep`: the graph is needed again.
        """
        pairs = [(y, v) for y, v in zip(outputs, cotangents, strict=True) if current_node(y) is not None]
        if not pairs:
            return [zeros_like(t) for t in self.targets]
        ys, vs = zip(*pairs, strict=True)
        found = differentiate(
            ys,
            self.targets,
            vs,
            retain_graph=keep or record,
            create_graph=record,
            allow_unused=True,
            materialize_grads=True,
        )
        return [zeros_like(t) if g is None else g for g, t in zip(found, self.targets, strict=True)]


def differentiate(outputs: Any, inputs: Any, weights: Any = None, **options: Any) -> tuple[Tensor | None, ...]:
    """`autograd.grad`, kept out of the record of gradients that views show: a transform's inside is its own."""
    before, tape.gradients = tape.gradients, None
    runs, tape.levels = tape.levels, []
    try:
        return autograd.grad(outputs, inputs, weights, **options)
    finally:
        tape.gradients, tape.levels = before, runs


def saved(t: Tensor) -> Tensor:
    """Another tensor with the same value and node."""
    twin = wrap(t.value)
    twin.node = t.node
    return twin


def zeros_like(t: Tensor) -> Tensor:
    """Zeros of a tensor's shape and dtype, without a graph."""
    if type(t.value) is float:
        return wrap(0.0)
    from autodiff_cli.engine.lazy import np

    return wrap(np.zeros_like(t.value))


# --- arguments and results ----------------------------------------------------------------------------------


def chosen(argnums: Any, args: Sequence[Any], what: str) -> tuple[tuple[int, ...], bool]:
    """The positions that `argnums` names, and whether it is a single one.

    Raises:
        RuntimeFault: no such position, one named twice, none, or no int or tuple of ints.
    """
    single = isinstance(argnums, int)
    if not single and not (isinstance(argnums, tuple) and all(isinstance(i, int) for i in argnums)):
        raise RuntimeFault(f"{what}: argnums is an int or a tuple of ints, not {argnums!r}")
    given = (argnums,) if single else argnums
    if not given:
        raise RuntimeFault(f"{what}: argnums is empty")
    for i in given:
        if not -len(args) <= i < len(args):
            raise RuntimeFault(
                f"{what}: argnums names argument {i}, and there are {len(args)} positional ones",
                hint="count from 0; what is differentiated can't be a keyword argument",
            )
    found = tuple(i % len(args) for i in given)
    if len(set(found)) != len(found):
        raise RuntimeFault(f"{what}: argnums names an argument twice: {argnums!r}")
    return found, single


def entered_at(level: Level, args: Sequence[Any], at: tuple[int, ...], what: str) -> tuple[list[Any], Structure]:
    """The arguments with fresh leaves at the positions `at`, and the structure of those positions."""
    leaves, structure = flatten(tuple(args[i] for i in at))
    fresh = unflatten(structure, [level.enter(t, what) for t in leaves])
    entered = list(args)
    for i, value in zip(at, fresh, strict=True):
        entered[i] = value
    return entered, structure


def parted(result: Any, has_aux: bool, what: str) -> tuple[Any, Any]:
    """The output and the auxiliary part of a function's result."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeFault(f"{what}: with has_aux=True the function returns a pair: the output, and what goes with it")
    return result[0], result[1]


def left(level: Level, tree: Any, what: str) -> Any:
    """A tree of tensors as it is outside the level."""
    leaves, structure = flatten(tree)
    for t in leaves:
        if not isinstance(t, Tensor):
            raise RuntimeFault(f"{what}: the function must return only tensors, not {type(t).__name__}")
    return unflatten(structure, [level.leave(t) for t in leaves])


def outputs_of(tree: Any, what: str) -> tuple[list[Tensor], Structure]:
    leaves, structure = flatten(tree)
    for t in leaves:
        if not isinstance(t, Tensor):
            raise RuntimeFault(
                f"{what}: the function must return only tensors, not {type(t).__name__}",
                hint="return a tensor, or several in tuples, lists or dicts",
            )
    return leaves, structure


def require_floating_outputs(outputs: Sequence[Tensor], what: str) -> None:
    for t in outputs:
        if not is_floating(t.value):
            raise RuntimeFault(f"{what}: the function's outputs must be floating; one is {t.dtype}")
