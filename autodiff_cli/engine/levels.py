"""One level of differentiation: what torch.func's transforms have in common.

A level gives a function fresh leaves in place of the tensors that it is differentiated in, runs it, differentiates, and
closes: each fresh leaf then becomes an alias of the tensor that it stood for, so that the results are on the graph of
whoever differentiates outside. Results that no one outside can differentiate (no tensor from before the level requires
a gradient and has a part in them) leave without a graph, as PyTorch's do. Levels nest to any depth by themselves.

Invariant: a node made inside a level has a sequence number in one of the level's `inside` intervals; a node with
another number is older or belongs to someone else, and what reaches it stays on the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine import autograd
from autodiff_cli.engine.apply import is_floating
from autodiff_cli.engine.node import NO_PARAMS, NOTHING, Node, make_leaf
from autodiff_cli.engine.ops.cutting import alias_op
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, bind_leaf, current_node, wrap
from autodiff_cli.engine.views import version_of
from autodiff_cli.errors import RuntimeFault, ValueFault


class Level:
    """A level that is open from its making until `close`.

    Attributes:
        recorded: gradient mode was on outside, so that results may stay on the graph.
        targets: the fresh tensors, still tied to their nodes after the close.
        tied: whether one of them stands for a tensor that requires a gradient outside.
    """

    def __init__(self) -> None:
        self.recorded = tape.grad_enabled
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
        with tape.grad_mode(True):
            return function(*args, **kwargs or {})

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
        tied = {t.node for t, origin in zip(self.targets, self.origins, strict=True) if origin is not None}
        stack = [node for t in tensors if isinstance(t, Tensor) and (node := current_node(t)) is not None]
        seen: set[Node] = set()
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            if node in tied or not any(low < node.seq <= high for low, high in self.inside):
                return True
            seen.add(node)
            stack.extend(x for x in node.inputs if type(x) is Node)
        return False

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
        return list(
            autograd.grad(
                ys,
                self.targets,
                vs,
                retain_graph=keep or record,
                create_graph=record,
                allow_unused=True,
                materialize_grads=True,
            )
        )


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
