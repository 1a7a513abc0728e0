"""Hooks: what a backward walk calls on its way.

* of a tensor, when its gradient is complete (`register_hook`); what one returns replaces the gradient;
* of a leaf, after its `.grad` was added to (`register_post_accumulate_grad_hook`);
* of a node, before and after its rules are applied (`grad_fn.register_prehook`, `grad_fn.register_hook`). These are kept
  on the node's handle (autograd.GradFn), which is all that a program has of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.arguments import type_name
from autodiff_cli.engine.node import ACCUMULATE, PENDING, Node
from autodiff_cli.engine.steps import contributions
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault

Hooks = dict[int, Any]


class HookHandle:
    """What registering a hook returns: `remove()` takes the hook away."""

    __slots__ = ("_hooks", "_key")

    def __init__(self, hooks: Hooks, hook: Callable[..., Any]) -> None:
        tape.seq += 1
        tape.hooked = True
        self._hooks = hooks
        self._key = tape.seq
        hooks[self._key] = hook

    def remove(self) -> None:
        self._hooks.pop(self._key, None)

    def __repr__(self) -> str:
        return "<torch.utils.hooks.RemovableHandle object>"


def register_hook(t: Tensor, hook: Callable[..., Any]) -> HookHandle:
    """Call `hook(gradient)` when a backward reaches the tensor; a tensor that it returns replaces the gradient.

    Raises:
        RuntimeFault: the tensor requires no gradient.
    """
    node = current_node(t)
    if node is None or not t.requires_grad:
        raise RuntimeFault("register_hook() on a tensor that requires no gradient")
    meta = node.extra
    if meta.hooks is None:
        meta.hooks = {}
    return HookHandle(meta.hooks, hook)


def register_post_accumulate_grad_hook(t: Tensor, hook: Callable[..., Any]) -> HookHandle:
    """Call `hook(tensor)` after a backward has added to a leaf's `.grad`.

    Raises:
        RuntimeFault: the tensor is no leaf that requires a gradient.
    """
    node = current_node(t)
    if node is None or node.op is not ACCUMULATE:
        raise RuntimeFault("register_post_accumulate_grad_hook() is for leaf tensors that require a gradient")
    meta = node.extra
    if meta.post_hooks is None:
        meta.post_hooks = {}
    return HookHandle(meta.post_hooks, lambda _node: hook(t))


# --- in a walk ------------------------------------------------------------------------------------------------------


def run_hooks(node: Node, hooks: dict[int, Any], g: Any) -> Any:
    """Call tensor hooks in the order of their registration; one that returns a tensor replaces the gradient."""
    t = g if isinstance(g, Tensor) else wrap(g)
    site = tape.site
    for hook in list(hooks.values()):
        replaced = hook(t)
        tape.site = site  # the hook's own statements are over
        if replaced is not None:
            _check_replaced(replaced, t)
            if tape.events is not None:
                tape.events.hooked(node, t.value, replaced.value)
            t = replaced
    return t if isinstance(g, Tensor) else t.value


def _check_replaced(replaced: Any, t: Tensor) -> None:
    """Refuse what a hook returned in place of a gradient.

    Raises:
        TypeFault: it is no tensor; RuntimeFault: it has another shape or dtype.
    """
    if not isinstance(replaced, Tensor):
        raise TypeFault(f"a gradient hook returns a tensor or None, not {type_name(replaced)}")
    if replaced.shape != t.shape:
        raise RuntimeFault(f"a gradient hook returned shape {replaced.shape} for a gradient of shape {t.shape}")
    if replaced.dtype is not t.dtype:
        raise RuntimeFault(f"a gradient hook returned {replaced.dtype} for a gradient of {t.dtype}")


def step_with_hooks(node: Node, g: Any, before: Hooks, after: Hooks, create_graph: bool) -> None:
    """One step of a walk at a node with hooks of its own: those before it get and may replace the cotangent of the result,
    those after it those of the operands, too.

    Raises:
        RuntimeFault, TypeFault: a hook returned something that can't replace what it got.
    """
    for hook in list(before.values()):
        replaced = hook((_shown(g),))
        if replaced is not None:
            (g,) = _replaced_all(replaced, (g,))
    found = contributions(node, g, create_graph)
    for hook in list(after.values()):
        replaced = hook(tuple(None if d is None else _shown(d) for _, d in found), (_shown(g),))
        if replaced is not None:
            ds = _replaced_all(replaced, [d for _, d in found])
            found = [(x, d) for (x, _), d in zip(found, ds, strict=True)]
    for x, d in found:
        if d is not None:
            x.cot = d if x.cot is PENDING else x.cot + d


def _shown(g: Any) -> Tensor:
    return g if isinstance(g, Tensor) else wrap(g)


def _replaced_all(replaced: Any, old: Any) -> list[Any]:
    """The gradients that a node's hook returned, in the form of those that it got."""
    given = replaced if isinstance(replaced, tuple) else (replaced,)
    if len(given) != len(old):
        raise RuntimeFault(f"a hook of a node returned {len(given)} gradients and got {len(old)}")
    found = []
    for new, g in zip(given, old, strict=True):
        if new is not None and g is not None:
            _check_replaced(new, _shown(g))
        found.append(new if new is None or isinstance(g, Tensor) else new.value)
    return found


def leaf_hooks(order: list[Node]) -> bool:
    """Whether a leaf has hooks: their order among other hooks is then PyTorch's, at some cost."""
    return tape.hooked and any(
        type(x) is Node and x.meta is not None and (x.meta.hooks or x.meta.post_hooks)
        for node in order
        for x in node.inputs
        if type(x) is Node and x.op is ACCUMULATE
    )


def last_uses(order: list[Node]) -> dict[Node, list[Node]]:
    """For each node the leaves that are finished when it has been visited."""
    last: dict[Node, Node] = {}
    for node in order:
        for x in node.inputs:
            if type(x) is Node and x.op is ACCUMULATE:
                last[x] = node
    uses: dict[Node, list[Node]] = {}
    for leaf, node in last.items():
        uses.setdefault(node, []).append(leaf)
    return uses
