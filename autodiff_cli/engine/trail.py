"""A backward walk kept as it was, for views that tell it again.

A program changes its leaves after a walk (`w -= lr * w.grad`), and another walk may overwrite what this one left. So a
`Trail` on the tape copies the graph of a walk when the walk ends: nodes with the values that they had then, and the
gradients of this walk alone. By default it keeps the last walk; `number` asks for another, or for all.

Invariant: what is kept shares no memory with the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.graph import Described, Graph, snapshot
from autodiff_cli.engine.node import NOTHING, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import PLAIN, Tensor, wrap

LIMIT = 10_000  # nodes of a walk; a larger one is counted and not copied
ALL = 0  # in the place of a number: every walk
MOST = 200_000  # nodes of all walks that are kept


class Walk:
    """One walk, copied.

    Attributes:
        number: which of the run, from 1.
        site: the tree node that called for it; None for the one that follows a program.
        size: its nodes.
        gradients: its gradients, by copied node: raw values.
        names: nodes and tensors (by id) -> the variable that held them when the walk went.
    """

    def __init__(
        self,
        number: int,
        site: Any,
        roots: Sequence[Node],
        order: Sequence[Node],
        found: dict[Node, Any],
        names: dict[int, str],
    ) -> None:
        self.names = names
        self.number = number
        self.site = site
        self.size = len(order)
        self.gradients: dict[Node, Any] = {}
        self._original: dict[int, Any] = {}  # copied node or constant (by id) -> what it is a copy of
        self._copies: list[Any] = []  # keeps the ids taken
        copies: dict[int, Any] = {}
        for node in sorted([*found, *order, *roots], key=lambda n: n.seq) if self.size <= LIMIT else ():
            if id(node) not in copies:
                self._copy(node, copies)
        for node, gradient in found.items() if copies else ():
            self.gradients[copies[id(node)]] = _own(gradient)
        self._roots = tuple(copies[id(node)] for node in roots) if copies else ()

    def _copy(self, node: Node, copies: dict[int, Any]) -> Node:
        twin = Node()
        for slot in ("op", "params", "seq", "site"):
            setattr(twin, slot, getattr(node, slot))
        twin.value = _own(node.value)
        inputs = tuple([self._operand(x, copies) for x in node.inputs])
        if len(inputs) == 2:
            twin.a, twin.b = inputs
        elif len(inputs) == 1 and not node.op.variadic:
            twin.a, twin.b = inputs[0], NOTHING
        else:
            twin.a, twin.b = inputs if inputs else NOTHING, NOTHING
        twin.cot = twin.meta = None
        self._note(twin, node, copies)
        return twin

    def _operand(self, x: Any, copies: dict[int, Any]) -> Any:
        """The copy of an operand; an operation that the walk did not visit is copied without what led to it."""
        if id(x) in copies and type(x) in (Node, Tensor):
            return copies[id(x)]
        if type(x) is Tensor:
            constant = wrap(_own(x.value))
            constant.aux = x.aux
            self._note(constant, x, copies)
            return constant
        if type(x) is not Node:
            return x
        twin = Node()
        for slot in ("op", "params", "seq", "site"):
            setattr(twin, slot, getattr(x, slot))
        twin.value, twin.a, twin.b = _own(x.value), NOTHING, NOTHING
        twin.cot = twin.meta = None
        self._note(twin, x, copies)
        return twin

    def _note(self, twin: Any, thing: Any, copies: dict[int, Any]) -> None:
        copies[id(thing)] = twin
        self._original[id(twin)] = thing
        self._copies.append(twin)

    def graph(self, describe: Callable[[Any], Described]) -> Graph:
        """The snapshot of the walk, with the gradients of it alone (of leaves, too).

        `describe` is asked about nodes and constants of the program. Past the limit the graph has a count alone.
        """
        if not self._roots:
            return Graph(None, None, self.size, ())
        tops = []
        for node in self._roots:
            top = wrap(node.value)
            top.node = node
            tops.append(top)

        def told(x: Any) -> Described:
            original = self._original.get(id(x), x)
            found, name = describe(original), self.names.get(id(original))
            return found if found.name is not None or name is None else found._replace(name=name)

        return snapshot(tops, told, self.gradients.get, None)


NONE = Walk(0, None, (), (), {}, {})  # where there was no walk


class Trail:
    """Keeps walks of a run.

    Attributes:
        number: which walk, from 1; None: the last one; ALL: every one.
        count: the walks so far.
        walks: those that are kept.
        variables: set by the run: gives the program's variables as they are.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = number
        self.count = 0
        self.walks: list[Walk] = []
        self.variables: Callable[[], dict[str, Any]] = dict
        self._kept = 0
        self._before: list[dict[Any, Any]] = []  # one for each walk that is going on, inside one another

    def begin(self) -> None:
        """A walk begins: what it records is kept apart from what earlier ones did."""
        self._before.append({} if tape.gradients is None else tape.gradients)
        tape.gradients = {}

    def walked(self, roots: Sequence[tuple[Node, Any]], order: Sequence[Node], _retain_graph: bool) -> None:
        """The walk over the nodes of `order` ended. `roots`: where it began, with the gradients there."""
        self.count += 1
        if self.number in (None, self.count) or (self.number == ALL and self._kept < MOST):
            self._kept += len(order)
            tops = [node for node, _ in roots]
            walk = Walk(self.count, tape.site, tops, order, tape.gradients or {}, _holders(self.variables()))
            self.walks = [*self.walks, walk] if self.number == ALL else [walk]
        self.abandon()

    def abandon(self) -> None:
        """Put what the walk recorded with what earlier ones did: it has ended, or failed."""
        before = self._before.pop()
        before.update(tape.gradients or {})
        tape.gradients = before


def _holders(variables: dict[str, Any]) -> dict[int, str]:
    """Tensors and their nodes (by id) -> the first variable that holds them."""
    found: dict[int, str] = {}
    for name, value in variables.items():
        if type(value) is Tensor:
            found.setdefault(id(value), name)
            found.setdefault(id(value.node), name)
    return found


def _own(value: Any) -> Any:
    """A raw value that shares memory with nothing else."""
    return value if type(value) in PLAIN or not hasattr(value, "copy") else value.copy()
