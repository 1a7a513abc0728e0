"""A node of the graph: one small object an operation.

`a` and `b` are the operands in order, with repeats: a `Node` for a tensor that requires a gradient, the `Tensor` itself
for one that doesn't, a plain float for a number. A unary operation has `b is NOTHING`; one with more than two operands
keeps a tuple in `a` (see `inputs`). Two slots in place of a tuple save 56 bytes of about 210 on every scalar operation.

`value` is the raw result: rules read it, views show it. `site` is the tree node the operation came from.
`cot` belongs to the backward walk: None at rest, FREED once a walk has released what the node saved.

Invariant: `seq` of a node is greater than that of every node in its inputs, so the graph has no cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine.registry import Op, primitive
from autodiff_cli.engine.tape import tape


class Marker:
    """A unique value with a name."""

    __slots__ = ("name",)
    value = None

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


NOTHING = Marker("NOTHING")
FREED = Marker("FREED")
PENDING = Marker("PENDING")
NO_PARAMS: dict[str, Any] = {}
KEPT = -1  # the count of a version that an old node keeps whose value is a copy of its own: for views, it is as it was


class Version:
    """The latest change in place of some memory, shared by all tensors that share it.

    `seq`: the tape's clock at the change (0: never changed); `site`: the tree node that changed it; `count`: how many
    changes there were, which is what PyTorch's `_version` tells.
    """

    __slots__ = ("count", "seq", "site")

    def __init__(self) -> None:
        self.count = 0
        self.seq = 0
        self.site: Any = None

    def change(self) -> None:
        """Note a change in place, now and where execution is."""
        tape.mutations += 1
        self.seq = tape.changed = tape.seq = tape.seq + 1
        self.site = tape.site
        self.count += 1


class Meta:
    """What few nodes have: a leaf's gradient, hooks, a version, a handle for programs.

    `sibling`: for one of several results of an operation (`unbind`, `qr`), each of which has a node of its own here: the
    first one's node, which lends its handle to all, and the number of the result. PyTorch has one node with several outputs.
    """

    __slots__ = ("grad", "handle", "hooks", "owner", "post_hooks", "retain", "sibling", "version")

    def __init__(self) -> None:
        self.grad: Any = None  # a Tensor
        self.hooks: dict[int, Any] | None = None
        self.post_hooks: dict[int, Any] | None = None
        self.retain = False
        self.sibling: tuple[Node, int] | None = None
        self.version: Version | None = None
        self.handle: Any = None
        self.owner: Any = None  # a weak reference to a leaf's tensor


class Node:
    __slots__ = ("a", "b", "cot", "meta", "op", "params", "seq", "site", "value")

    op: Op
    value: Any
    a: Any
    b: Any
    params: dict[str, Any]
    seq: int
    site: Any
    cot: Any
    meta: Meta | None

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The operands in order, with repeats."""
        if type(self.a) is tuple:
            return self.a
        if self.b is NOTHING:
            return () if self.a is NOTHING else (self.a,)
        return (self.a, self.b)

    @property
    def extra(self) -> Meta:
        """The node's `meta`, made on demand."""
        if self.meta is None:
            self.meta = Meta()
        return self.meta

    def __repr__(self) -> str:
        return f"<node {self.seq} {self.op.name}>"


def make_node(op: Op, value: Any, inputs: Sequence[Any], params: dict[str, Any]) -> Node:
    """A new node at the tape's clock and site."""
    node = Node()
    node.op = op
    node.value = value
    count = len(inputs)
    if count == 2:
        node.a, node.b = inputs
    elif count == 1 and not op.variadic:
        node.a = inputs[0]
        node.b = NOTHING
    else:
        node.a = tuple(inputs)
        node.b = NOTHING
    node.params = params
    node.seq = tape.seq = tape.seq + 1
    node.site = tape.site
    node.cot = None
    node.meta = None
    return node


def share_handle(results: Sequence[Any]) -> None:
    """Let the tensors that one operation gave show one handle, as PyTorch's one node with several outputs."""
    nodes = [t.node for t in results if t.node is not None]
    for i, node in enumerate(nodes):
        node.extra.sibling = (nodes[0], i)


def make_leaf(value: Any) -> Node:
    """The node of a leaf that requires a gradient."""
    node = make_node(ACCUMULATE, value, (), NO_PARAMS)
    node.meta = Meta()
    return node


def _no_forward(*_xs: Any) -> Any:
    raise AssertionError("a leaf computes nothing")


ACCUMULATE = primitive("accumulate", _no_forward, None, grad_fn="torch::autograd::AccumulateGrad", about="a leaf")
