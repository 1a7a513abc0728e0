"""Memory that tensors share: views, `detach`, `.data`, and what a change in place does to values and history.

Arrays share memory through numpy. A 0-d tensor that is a Python float shares by being told: `aux.peers` lists the
tensors that hold the same scalar, and a write goes to all of them.

A *differentiable view* knows its base (the root, never another view) and the steps that lead from it. After the
base's history changed, the view's own node is made again when somebody asks (`current_node`); a change through a view
rebases the base's history on a `copy_slices` node, as PyTorch's CopySlices does.

Invariant: all tensors over the same memory have the same `Version`, except those made by `.data`.
"""

from __future__ import annotations

import weakref
from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import Node, Version, make_node
from autodiff_cli.engine.registry import Op, primitive, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault

Steps = tuple[tuple[Op, dict[str, Any]], ...]


KEPT = -1  # the count of a version that an old node keeps whose value is a copy of its own: for views, it is as it was


def version_of(t: Tensor) -> Version:
    """The version shared by all tensors over `t`'s memory, made on demand."""
    aux = t.extra
    if aux.version is None:
        aux.version = Version()
    if t.node is not None:
        t.node.extra.version = aux.version
    return aux.version


def link_view(view: Tensor, base: Tensor, op: Op, params: dict[str, Any]) -> None:
    """Note that `view` shows part of `base`'s memory.

    A scalar base is given memory of its own first (a 0-d array), so that there is something to share.
    """
    if type(view.value) in (float, int, bool):
        return
    if view.value.size and not shares(view, base):
        return  # the op had to copy (reshape of a transposed array)
    version = version_of(base)
    aux = view.extra
    aux.version = version
    if view.node is not None:
        view.node.extra.version = version
    root, steps = (base, ()) if base.aux is None or base.aux.base is None else (base.aux.base, base.aux.steps)
    aux.base = root
    aux.steps = (*steps, (op, params))
    aux.base_node = root.node


MANY = frozenset(("unbind", "split", "split_with_sizes"))  # the ops whose views PyTorch lets nobody change


def one_of_many(t: Tensor) -> bool:
    """Whether `t` is, or shows part of, one of the views that an op with several results gave."""
    return t.aux is not None and any(op.name in MANY for op, _ in t.aux.steps)


def shares(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors lie over the same memory."""
    return bool(np.may_share_memory(a.value, b.value)) if a.value is not b.value else True


def materialise(t: Tensor) -> Any:
    """Give a scalar tensor memory that can be shared (a 0-d array), and return it."""
    if type(t.value) in (float, int, bool):
        value = np.asarray(t.value)
        for peer in peers_of(t):
            peer.value = value
            if peer.node is not None and not peer.node.inputs:
                peer.node.value = value
    return t.value


def peers_of(t: Tensor) -> list[Tensor]:
    """The living tensors that hold the same scalar as `t`, itself included."""
    if t.aux is None or t.aux.peers is None:
        return [t]
    return [p for p in (ref() for ref in t.aux.peers) if p is not None]


def alias(t: Tensor, *, own_version: bool = False) -> Tensor:
    """A tensor over the same memory, outside the graph: `detach()`, and with `own_version` `.data`."""
    twin = wrap(t.value)
    if type(t.value) in (float, int, bool):
        aux = t.extra
        if aux.peers is None:
            aux.peers = [weakref.ref(t)]
        aux.peers.append(weakref.ref(twin))
        twin.extra.peers = aux.peers
    twin.extra.version = Version() if own_version else version_of(t)
    twin.extra.detached = None if t.node is None else tape.site
    if tape.events is not None and t.node is not None:
        tape.events.detached(t, t.node)
    return twin


def current_node(t: Tensor) -> Node | None:
    """The tensor's node; for a view whose base has a new history, made again from the base's."""
    aux = t.aux
    if aux is None or aux.base is None or aux.base.node is aux.base_node:
        node = t.node
        if node is not None and type(node.value) is float and type(t.value) is not float:
            node.value = float(t.value)  # a view of one entry, whose memory may have been written through another
        return node
    base_node = aux.base.node
    aux.base_node = base_node
    if base_node is None:
        t.node = None
    elif one_of_many(t):
        raise RuntimeFault(
            "{subject} is one of several views of an unbind, split or chunk, and what it shows was changed in place",
            hint="change a clone() of the whole, or take the views after the change",
        )
    else:
        t.node = make_node(VIEW_OF, t.value, (base_node,), {"steps": aux.steps})
        t.node.extra.version = aux.version
    return t.node


# --- the history of a change in place -------------------------------------------------------------------------


def overwrite(t: Tensor, value: Any) -> None:
    """Write a raw value (of `t`'s shape and dtype, or broadcastable) into `t`'s memory and note the change."""
    if type(t.value) in (float, int, bool):
        for peer in peers_of(t):
            peer.value = value
            if peer.node is not None and (peer is not t or not peer.node.inputs or not tape.grad_enabled):
                peer.node.value = value  # not that of `t` itself, which gets a new node
    else:
        _refuse_overlap(t.value)
        np.copyto(t.value, value, casting="unsafe")
    version = version_of(t)
    tape.seq += 1
    tape.mutations += 1
    version.seq = tape.seq
    version.site = tape.site
    version.count += 1
    if tape.events is not None:
        tape.events.changed(t)


def _refuse_overlap(value: Any) -> None:
    """Raises RuntimeFault for an array in which one place in memory stands for several entries (`expand`)."""
    if value.size and any(step == 0 and n > 1 for step, n in zip(value.strides, value.shape, strict=True)):
        raise RuntimeFault(
            "several entries of this tensor are one place in memory, so it can't be changed in place",
            hint="change a clone(), as in x.expand(2, 2).clone()",
        )


def keep_history(t: Tensor) -> None:
    """Before a change in place: let the node that made the old value keep a copy of it.

    The graph then shows each value as it was. Whether backward may use it is decided by the version, not by this.
    """
    node = t.node
    if node is not None and node.inputs and node.value is t.value and type(t.value) not in (float, int, bool):
        node.value = t.value.copy()


def rebase(t: Tensor, op: Op, inputs: tuple[Any, ...], params: dict[str, Any], written: Any) -> None:
    """After a change in place in gradient mode: the new history of `t` and of what it is a view of.

    `inputs` are the operands (nodes, tensors, numbers) of `op`, whose result `written` is now in `t`'s memory.
    """
    aux = t.aux
    old = t.node
    _retire(t)
    node = make_node(op, t.value, inputs, params)
    if old is not None and sum(x is old for x in inputs) > 1 and old.meta is not None and old.meta.version is not None:
        old.meta.version.seq = node.seq + 1  # `x *= x` saved the operand that it then overwrote
    if aux is not None and aux.base is not None:
        root, region = aux.base, aux.steps
        node.value = np.array(written, copy=True)
        before = root.node if root.node is not None else _frozen_copy(root)
        root.node = make_node(COPY_SLICES, root.value, (before, node), {"steps": region})
        root.node.extra.version = aux.version
        _retain_instead(root.node, before)
        current_node(t)
    else:
        t.node = node
        if aux is not None and aux.version is not None:
            node.extra.version = aux.version
    _retain_instead(t.node, old)


def _retain_instead(new: Node | None, old: Any) -> None:
    """Let the new node of a tensor keep its gradient, if the old one was to: `retain_grad` is asked of the tensor."""
    if type(old) is Node and old.inputs and old.meta is not None and old.meta.retain and new is not None:
        old.meta.retain = False
        new.extra.retain = True


def _retire(t: Tensor) -> None:
    """Let the nodes of the old value keep the version as it is now: later changes do not concern them.

    What was computed from the old value before the change is stale, and stays so; the operation that changed it has a copy.
    """
    root = None if t.aux is None else t.aux.base
    for holder in (t, root):
        if holder is not None and holder.node is not None and holder.node.inputs:
            meta = holder.node.meta
            if meta is not None and meta.version is not None:
                then = Version()
                then.seq, then.site = meta.version.seq, meta.version.site
                then.count = KEPT if holder.node.value is not holder.value else 0
                meta.version = then


def _frozen_copy(t: Tensor) -> Tensor:
    return wrap(np.array(t.value, copy=True))


# --- regions of a base as operations ----------------------------------------------------------------------------


def _region(value: Any, steps: Steps) -> Any:
    for op, params in steps:
        value = op.array(value, **params)
    return value


def _view_of(base: Any, *, steps: Steps) -> Any:
    return np.array(_region(np.asarray(base), steps), copy=True)


def _copy_slices(base: Any, part: Any, *, steps: Steps) -> Any:
    out = np.array(base, copy=True)
    _region(out, steps)[...] = part
    return out


def _clear_slices(base: Any, *, steps: Steps) -> Any:
    return _copy_slices(base, 0, steps=steps)


def _fill_slices(part: Any, *, steps: Steps, shape: tuple[int, ...]) -> Any:
    part = np.asarray(part)
    return _copy_slices(np.zeros(shape, part.dtype), part, steps=steps)


VIEW_OF: Op = primitive(
    "view_of",
    _view_of,
    [lambda g, _y, like_x, *, steps: FILL_SLICES(g, steps=steps, shape=shape_of(like_x))],
    grad_fn="AsStridedBackward0",
    about="a view of a tensor that was changed in place",
    formulas=("1",),
)
FILL_SLICES: Op = primitive(
    "fill_slices",
    _fill_slices,
    [lambda g, _y, _x, *, steps, shape: VIEW_OF(g, steps=steps)],
    about="zeros with a region filled",
    formulas=("1",),
)
CLEAR_SLICES: Op = primitive(
    "clear_slices",
    _clear_slices,
    [lambda g, _y, _x, *, steps: CLEAR_SLICES(g, steps=steps)],
    about="a copy with a region set to zero",
    formulas=("0 in the region, else 1",),
)
COPY_SLICES: Op = primitive(
    "copy_slices",
    _copy_slices,
    [
        lambda g, _y, _base, _part, *, steps: CLEAR_SLICES(g, steps=steps),
        lambda g, _y, _base, _part, *, steps: VIEW_OF(g, steps=steps),
    ],
    grad_fn="torch::autograd::CopySlices",
    about="a base after a region of it was written through a view",
    formulas=("0 where written, else 1", "1"),
)
