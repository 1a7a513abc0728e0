"""Memory that tensors share: views, `detach`, `.data`, and what a change in place does to values and history.

Arrays share memory through numpy. A 0-d tensor that is a Python float shares by being told: `aux.peers` lists the
tensors that hold the same scalar, and a write goes to all of them.

A *differentiable view* knows its base (the root, never another view). After the memory was changed in place, the view's
own node is made again when somebody asks (`current_node`); a change through a view rebases the base's history on a
`copy_slices` node, as PyTorch's CopySlices does (see regions.py).

Invariant: all tensors over the same memory have the same `Version`, except those made by `.data`.
"""

from __future__ import annotations

import weakref
from typing import Any

from autodiff_cli.engine import nesting
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import ACCUMULATE, KEPT, Node, Version, make_leaf, make_node
from autodiff_cli.engine.regions import COPY_SLICES, VIEW_OF, region_of
from autodiff_cli.engine.registry import Op, settle
from autodiff_cli.engine.saved import saved_by
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Aux, Tensor, bind_leaf, wrap
from autodiff_cli.errors import RuntimeFault

UNDER_NO_GRAD, OF_MANY = "no_grad", "many"  # how a view was made, where PyTorch minds
MANY = frozenset(("unbind", "split", "split_with_sizes"))  # the ops whose views it lets nobody change


def version_of(t: Tensor) -> Version:
    """The version shared by all tensors over `t`'s memory, made on demand."""
    aux = t.extra
    if aux.version is None:
        aux.version = Version()
    if t.node is not None:
        t.node.extra.version = aux.version
    return aux.version


def link_view(view: Tensor, base: Tensor, op: Op) -> None:
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
    aux.seen = version.count
    off = not tape.grad_enabled and not (tape.levels and nesting.forward())  # tangents go through no_grad
    aux.creation = UNDER_NO_GRAD if off else OF_MANY if op.name in MANY else None
    of_base = base.aux
    if of_base is None or of_base.base is None:
        aux.base = base
    else:
        aux.base = of_base.base
        aux.creation = aux.creation or of_base.creation


def unwatched(view: Tensor) -> Tensor:
    """A view with a version of its own, as PyTorch's `_unsafe_view` gives: a change of the memory is not noticed by what
    saves it, and backward reads the memory as it is then.
    """
    if view.aux is not None and view.aux.base is not None:
        view.aux.version, view.aux.seen = Version(), 0
        if view.node is not None:
            view.node.extra.version = view.aux.version
    return view


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


def _join(t: Tensor, other: Tensor) -> None:
    """Let `t`, which has the value of `other`, hear of what is written there, if that is a Python number."""
    if type(other.value) not in (float, int, bool):
        return
    aux = other.extra
    if aux.peers is None:
        aux.peers = [weakref.ref(other)]
    peers = aux.peers
    peers.append(weakref.ref(t))
    if not len(peers) & (len(peers) - 1):  # now and then: `w.data -= step` makes one that dies at once
        peers[:] = [ref for ref in peers if ref() is not None]
    t.extra.peers = peers


def move(t: Tensor, other: Tensor) -> None:
    """`t.data = other`: `t` is over the memory of `other` from now on, and leaves that which it was over.

    What reads `t` as an operand in backward reads the new value, as PyTorch, which saves the tensor; a result that an
    operation saved stays what it was.
    """
    aux, node = t.aux, t.node
    if aux is not None:
        if aux.peers is not None:
            aux.peers[:] = [ref for ref in aux.peers if ref() is not t]
            aux.peers = None
        aux.base = None
    t.value = other.value
    _join(t, other)
    if node is not None and -1 not in saved_by(node):
        node.value = settle(other.value)


def alias(t: Tensor, *, own_version: bool = False) -> Tensor:
    """A tensor over the same memory, outside the graph: `detach()`, and with `own_version` `.data`."""
    twin = wrap(t.value)
    _join(twin, t)
    twin.extra.version = Version() if own_version else version_of(t)
    twin.extra.detached = None if t.node is None else tape.site
    if tape.events is not None and t.node is not None:
        tape.events.detached(t, t.node)
    return twin


def current_node(t: Tensor) -> Node | None:
    """The tensor's node; for a view whose memory was changed since, made again from the base's.

    A view that was taken outside the graph of a base that requires a gradient is a leaf of its own, as in PyTorch.

    Raises:
        RuntimeFault: it can't be made again (`refuse_view`).
    """
    aux = t.aux
    node = t.node
    if aux is not None and aux.base is not None:
        root = aux.base.node
        if root is not None or (node is not None and node.op is not ACCUMULATE):
            if aux.version is not None and aux.version.count != aux.seen:
                node = _made_again(t, aux, root)
            elif node is None:
                node = t.node = make_leaf(t.value)
                bind_leaf(t)
    if node is not None and type(node.value) is float and type(t.value) is not float:
        node.value = float(t.value)  # a view of one entry, whose memory may have been written through another
    return node


def _made_again(t: Tensor, aux: Aux, root: Node | None) -> Node | None:
    refuse_view(aux, "what it shows was changed in place since")
    old = t.node
    assert aux.version is not None
    aux.seen = aux.version.count
    before = aux.base if root is None else root  # a base that was detached since gives the node, and nothing behind it
    t.node = make_node(VIEW_OF, t.value, (before,), {"region": region_of(t.value, aux.base.value)})
    t.node.extra.version = aux.version
    retain_instead(t.node, old)
    return t.node


def refuse_view(aux: Aux, change: str) -> None:
    """Raises RuntimeFault for a view whose history PyTorch does not make again after a change in place."""
    if aux.creation is OF_MANY:
        raise RuntimeFault(
            f"{{subject}} is one of several views of an unbind, split or chunk, and {change}",
            hint="change a clone() of it or of the whole, take an index of the whole (x[0] += 1), or take the views "
            "after the change",
        )
    if aux.creation is UNDER_NO_GRAD:
        raise RuntimeFault(
            f"{{subject}} is a view that was taken under no_grad, and {change}",
            hint="take the view and make the change both under `with torch.no_grad():`, or neither",
        )


# --- the history of a change in place -------------------------------------------------------------------------


def overwrite(t: Tensor, value: Any, even: bool = False) -> None:
    """Write a raw value (of `t`'s shape and dtype, or broadcastable) into `t`'s memory and note the change."""
    if type(t.value) in (float, int, bool):
        for peer in peers_of(t):
            peer.value = value
            if peer.node is not None and (peer is not t or not peer.node.inputs or not tape.grad_enabled):
                peer.node.value = value  # not that of `t` itself, which gets a new node
    else:
        if not even:
            _refuse_overlap(t.value)
        np.copyto(t.value, value, casting="unsafe")
        if not tape.grad_enabled:
            _tell_node(t if t.aux is None or t.aux.base is None else t.aux.base)
    version_of(t).change()
    if tape.events is not None:
        tape.events.changed(t)


def _tell_node(t: Tensor) -> None:
    """Let the node of a scalar that has memory of its own know what is in it now: operations that come later read it there."""
    if t.node is not None and type(t.node.value) is float and not t.value.ndim:
        t.node.value = float(t.value)


def _refuse_overlap(value: Any) -> None:
    """Raises RuntimeFault for an array in which one place in memory stands for several entries (`expand`)."""
    if value.size and any(step == 0 and n > 1 for step, n in zip(value.strides, value.shape, strict=True)):
        raise RuntimeFault(
            "several entries of this tensor are one place in memory, so it can't be changed in place",
            hint="change a clone(), as in x.expand(2, 2).clone()",
        )


def keep_history(t: Tensor) -> Tensor | None:
    """Before a change in place: let the node that made the old value keep a copy of it.

    The graph then shows each value as it was. Whether backward may use it is decided by the version, not by this.
    Returns a copy of what `t` is a view of, if that is a constant: it is an operand of its new history (`rebase`).
    """
    node = t.node
    if node is not None and node.inputs and node.value is t.value and type(t.value) not in (float, int, bool):
        node.value = t.value.copy()
    base = None if t.aux is None else t.aux.base
    return None if base is None or base.node is not None else wrap(np.array(base.value, copy=True))


def rebase(
    t: Tensor, op: Op, inputs: tuple[Any, ...], params: dict[str, Any], written: Any, base: Tensor | None = None
) -> None:
    """After a change in place in gradient mode: the new history of `t` and of what it is a view of.

    `inputs` are the operands (nodes, tensors, numbers) of `op`, whose result `written` is now in `t`'s memory. `base`: what
    `keep_history` gave.
    """
    aux = t.aux
    old = t.node
    _retire(t)
    node = make_node(op, t.value, inputs, params)
    if aux is not None and aux.base is not None:
        root, region = aux.base, region_of(t.value, aux.base.value)
        before = root.node if root.node is not None else base
        if old is not None and inputs[0] is old and _hooked(old, before):
            # PyTorch's goes back to the base, not to the nodes of the view: their hooks are not called
            again = make_node(VIEW_OF, old.value, (before,), {"region": region})
            node = make_node(op, t.value, (again, *inputs[1:]), params)
        node.value = np.array(written, copy=True)
        node.extra.version = aux.version
        _mark_overwritten(node, old, inputs)
        root.node = make_node(COPY_SLICES, root.value, (before, node), {"region": region})
        root.node.extra.version = aux.version
        retain_instead(root.node, before)
        current_node(t)
    else:
        t.node = node
        _mark_overwritten(node, old, inputs)
        if aux is not None and aux.version is not None:
            node.extra.version = aux.version
    retain_instead(t.node, old)


def _hooked(node: Node, base: Any) -> bool:
    """Whether a hook waits between the node of a view and that of its base."""
    while node is not base and type(node) is Node:
        if node.meta is not None and (node.meta.hooks or node.meta.handle is not None):
            return True
        node = node.a
    return False


def _mark_overwritten(node: Node, old: Node | None, inputs: tuple[Any, ...]) -> None:
    """`x *= x` saved the operand that it then overwrote."""
    if old is not None and sum(x is old for x in inputs) > 1 and old.meta is not None and old.meta.version is not None:
        old.meta.version.seq = tape.changed = node.seq + 1


def retain_instead(new: Node | None, old: Any) -> None:
    """Let the new node of a tensor keep its gradient, if the old one was to, and what that has so far: `retain_grad` is asked
    of the tensor.
    """
    if type(old) is Node and old.inputs and old.meta is not None and old.meta.retain and new is not None:
        old.meta.retain = False
        new.extra.retain = True
        new.extra.grad, old.meta.grad = old.meta.grad, None


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
