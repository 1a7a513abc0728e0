"""What an operation saved for backward, and whether it may still be used.

An operation saves what its rules read (for the operands that require a gradient). A saved value is unusable when the
graph was freed by an earlier backward, or when its memory was changed in place after the operation ran: PyTorch's
version counters, told here by the tape's clock.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import KEPT, Node, Version
from autodiff_cli.engine.registry import settle
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault


class StaleFault(RuntimeFault):
    """A value that backward needs was changed in place; knows the tree nodes that saved and changed it."""

    saved_at: Any = None
    changed_at: Any = None


class FreedFault(RuntimeFault):
    """A second backward through a graph that the first one freed; knows the tree node of the operation it met."""

    saved_at: Any = None


def freed_fault(node: Node) -> FreedFault:
    """The error of a second backward through a freed graph."""
    fault = FreedFault(
        "backward() a second time through a graph whose saved values were freed by the first one",
        hint="build the graph again before the second backward(), detach() what is carried over from the first; "
        "or, to go twice through this very graph, write backward(retain_graph=True) the first time",
    )
    fault.saved_at = node.site
    return fault


def saved_by(node: Node) -> set[int]:
    """What the node saved: operand numbers, and -1 for its own result."""
    op = node.op
    inputs = node.inputs
    if op.variadic:
        reads = op.reads[0]
        every = set(range(len(inputs))) if -2 in reads else set()
        return every | ({-1} if -1 in reads else set())
    read: set[int] = set()
    for i, x in enumerate(inputs):
        if type(x) is Node:
            read |= op.reads[i]
    return read


def saved_alone(node: Node) -> bool:
    """Whether nothing that the node may have saved is in memory that anybody can write into, or has written into since."""
    for x in (*node.inputs, node) if node.op.reads_result else node.inputs:
        version = _version(x)
        if version is not None and (version.count != KEPT or version.seq > node.seq):
            return False
    return True


def check_saved(node: Node) -> None:
    """Raises StaleFault if something that the node saved was changed in place since."""
    inputs = node.inputs
    for x in (*inputs, node):
        version = _version(x)
        if version is not None and version.seq > node.seq:
            break
    else:
        return  # most nodes: without asking which of these were saved
    for i in saved_by(node):
        version = _version(node if i < 0 else inputs[i])
        if version is not None and version.seq > node.seq:
            fault = StaleFault(
                "a value that backward() needs was changed in place after it was used",
                hint="write the change as a new value (y = y + 1, not y += 1), or change a clone()",
            )
            fault.saved_at = node.site
            fault.changed_at = version.site
            raise fault


def _version(operand: Any) -> Version | None:
    if type(operand) is Node:
        return None if operand.meta is None else operand.meta.version
    if type(operand) is Tensor:
        return None if operand.aux is None else operand.aux.version
    return None


def read_again(node: Node) -> None:
    """Let the operands that are one entry of an array have what is in its memory now.

    Where backward may use it, only `.data` can have changed it: PyTorch then reads the new value.
    """
    for x in node.inputs:
        if type(x) is Node and type(x.value) is float and x.op.view and type(x.a) is Node:
            version = None if x.meta is None else x.meta.version
            if version is not None and version.count != KEPT:
                x.value = settle(x.op.array(np.asarray(x.a.value), **x.params))
