"""How a graph came to be, statement by statement: which nodes were made, what was not recorded and why.

A `Watch` that looks at each simple statement before it runs (which operands require a gradient, whether gradient
mode is on) and after (the value, and the nodes that led to it). Nodes that a function of the program made belong to the
function's own statements.

Every statement ticks the tape's clock, so that it lies in its own turn of a loop.

Invariant: a node is told of once, by the innermost statement that made it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from autodiff_cli.engine.node import ACCUMULATE, Node
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import PLAIN, Tensor, current_node
from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children
from autodiff_cli.language.scope import BUILTIN
from autodiff_cli.runtime.compiler import Compiler
from autodiff_cli.runtime.objects import Frame, Run
from autodiff_cli.runtime.observers import Watch

MOST = 20_000  # entries that are kept
LEFT = ("no_grad", "detach", "number", "dtype", "no derivative")  # reasons of values that left the graph
OPERANDS = 12  # names of a statement that are looked at
MOST_PARTS = 64  # parts of a list that are looked at


class Entry(NamedTuple):
    """One statement, or one decision.

    Attributes:
        kind: "made" (nodes were recorded), "changed" (in place, and that was not recorded), "leaf", "constant" (a
            tensor that requires no gradient), "value" (no tensor), "decision".
        site: the statement; of a decision what decided (an `if`, or a conditional expression).
        seq: the tape's clock.
        value: the raw value, copied; None where there is none to see; of a decision its truth.
        nodes: the nodes that were made, in order: (PyTorch's name, sequence number).
        reason: why nothing was recorded: "no_grad", "detach", "operands", "fresh", "dtype", "gradient", "no derivative",
            "number"; or "".
        at: the tree node that the reason points to (the call of detach; what switched gradient mode off: a `with`, a
            decorator, a statement), or None.
        operands: of the names that were read, those that the reason is about.
    """

    kind: str
    site: Any
    seq: int
    value: Any
    nodes: tuple[tuple[str, int], ...] = ()
    reason: str = ""
    at: Any = None
    operands: tuple[str, ...] = ()


Why = tuple[str, Any, tuple[str, ...]]  # reason, at, operands: of an Entry
_LEAVES_THE_GRAPH = ("detach", "data", "item", "tolist", "numpy")


class Construction(Watch):
    """Keeps the entries of a run.

    Attributes:
        inputs: those that the program does not declare itself: name -> (raw value at the start, whether it requires a
            gradient).
        dropped: how many entries there was no room for.
        recorded: nodes that were made, in all. lost: values that left the graph, in all.
    """

    def __init__(self, most: int = MOST) -> None:
        self.entries: list[Entry] = []
        self.inputs: dict[str, tuple[Any, bool]] = {}
        self.dropped = self.recorded = self.lost = 0
        self._begun = False
        self.most = most
        self._claimed: set[int] = set()
        self._modes: list[Any] = []  # the `with`s and decorated functions that are running
        self._switch: Any = None  # the statement that called set_grad_enabled(False)
        self._told_of: dict[int, Why] = {}  # constants (by id, weakly): why they have no graph
        self._alive: dict[int, Any] = {}

    def _note(self, entry: Entry) -> None:
        self.recorded += len(entry.nodes)
        self.lost += entry.kind != "changed" and entry.reason in LEFT
        if len(self.entries) < self.most:
            self.entries.append(entry)
        else:
            self.dropped += 1

    def _begin(self, c: Compiler) -> None:
        """The first statement runs: the inputs are as they were given."""
        self._begun = True
        for info in c.scopes.inputs:
            t = c.state.given.get(info.name)
            if info.declaration is None and isinstance(t, Tensor):
                self.inputs[info.name] = (_own(t), t.node is not None)

    def decision(self, c: Compiler, site: nodes.Node, test: Run) -> Run:
        if type(site) is nodes.While:
            return test

        def run(f: Frame) -> Any:
            truth = test(f)
            tape.seq += 1
            self._note(Entry("decision", site, tape.seq, bool(truth)))
            return truth

        return run

    def statement(self, c: Compiler, s: nodes.Stmt, run: Run) -> Run:
        if type(s) is nodes.With:
            return self._inside(s, run)
        value = _value_of(c, s)
        if value is None:
            return run
        source = getattr(s, "value", None)
        read = _names(c, source) if source is not None else []
        decorated = [d for d in getattr(c.scope.node, "decorators", ()) if _switches(d)]

        def run_told(f: Frame) -> Any:
            if not self._begun:
                self._begin(c)
            tape.seq += 1
            before = tape.seq
            enabled = tape.grad_enabled
            operands = [(name, _look(closure, f)) for name, closure in read]
            required = [name for name, x in operands if isinstance(x, Tensor) and current_node(x) is not None]
            tensors = [name for name, x in operands if isinstance(x, Tensor)]
            self._modes += decorated
            try:
                signal = run(f)
                found = value(f, signal)
                self._note(self._told(s, before, enabled, found, required, tensors))
            finally:
                del self._modes[len(self._modes) - len(decorated) :]
            if tape.grad_enabled is not enabled and not decorated:
                self._switch = None if tape.grad_enabled else s
            return signal

        return run_told

    def _inside(self, s: nodes.With, run: Run) -> Run:
        def run_with(f: Frame) -> Any:
            self._modes.append(s)
            try:
                return run(f)
            finally:
                self._modes.pop()

        return run_with

    def _told(self, s: Any, before: int, enabled: bool, value: Any, required: list[str], tensors: list[str]) -> Entry:
        """The entry of a statement that has run. `required`, `tensors`: names of operands that are such."""
        inside = _tensors(value) if isinstance(value, (list, tuple, dict)) else []
        if inside:
            made = tuple([node for t in inside for node in self._made(current_node(t), before)])
            if made:
                return Entry("made", s, before, None, made)
            lost = [t for t in inside if current_node(t) is None]
            if lost:
                return Entry("constant", s, before, None, (), *self._why(s, lost[0], enabled, required, tensors))
            return Entry("made", s, before, None)
        if not isinstance(value, Tensor):
            plain = value if type(value) in (*PLAIN, str) else None
            reason, at = ("number", _out_of_graph(s)) if required and type(value) in PLAIN else ("", None)
            return Entry("value", s, before, plain, (), reason, at, tuple(required))
        raw = _own(value)
        node = current_node(value)
        if node is not None and node.op is ACCUMULATE and node.seq > before:
            return Entry("leaf", s, before, raw)
        made = self._made(node, before)
        if made or node is not None:
            if made or enabled or type(s) is nodes.ExprStmt:
                return Entry("made", s, before, raw, made)
            return Entry("changed", s, before, raw, (), "no_grad", self._off())
        return Entry("constant", s, before, raw, (), *self._why(s, value, enabled, required, tensors))

    def _off(self) -> Any:
        """What has switched gradient mode off: a `with`, a decorator, or a statement; None: nothing that is known."""
        found = [m for m in self._modes if type(m) is not nodes.With or any(_switches(i.context) for i in m.items)]
        return found[-1] if found else self._switch

    def _made(self, root: Node | None, before: int) -> tuple[tuple[str, int], ...]:
        """The nodes that led to a value and that no statement inside has told of."""
        stack = [root] if root is not None else []
        found: dict[int, str] = {}
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if node.seq <= before or node.seq in seen:
                continue
            seen.add(node.seq)
            if node.op is not ACCUMULATE and node.seq not in self._claimed:
                found[node.seq] = node.op.grad_fn
            stack += [x for x in node.inputs if type(x) is Node]
        self._claimed.update(found)
        return tuple([(found[seq], seq) for seq in sorted(found)])

    def _why(self, s: Any, value: Tensor, enabled: bool, required: list[str], tensors: list[str]) -> Why:
        """Why a tensor has no graph: the reason, where it is, and the names that it is about.

        A value that a statement before, or inside, has told of keeps that reason.
        """
        key = id(value)
        known = self._told_of.get(key)
        if known is None:
            known = self._told_of[key] = self._reason(s, value, enabled, required, tensors)
            self._alive[key] = weakref.ref(value, lambda _: (self._told_of.pop(key, None), self._alive.pop(key, None)))
        return known

    def _reason(self, s: Any, value: Tensor, enabled: bool, required: list[str], tensors: list[str]) -> Why:
        if value.aux is not None and value.aux.detached is not None:
            return "detach", value.aux.detached, ()
        if not enabled and required:
            return "no_grad", self._off(), tuple(required)
        if required:
            way_out = _out_of_graph(s)
            if way_out is not None:
                return "detach", way_out, ()
            if not value.dtype.is_floating_point:
                return "dtype", None, (value.dtype.name,)
            called = _called(s)
            if called.endswith("_like") or called.startswith("new_"):  # they read a shape
                return "fresh", None, tuple(required)
            return ("gradient" if called == "grad" else "no derivative"), None, tuple(required)
        return ("operands" if tensors else "fresh"), None, tuple(tensors)


def _tensors(value: Any, depth: int = 3) -> list[Tensor]:
    """The tensors in a list, tuple or dict, and in those inside it."""
    if isinstance(value, Tensor):
        return [value]
    if not depth or not isinstance(value, (list, tuple, dict)):
        return []
    parts = list(value.values()) if isinstance(value, dict) else value
    return [t for part in parts[:MOST_PARTS] for t in _tensors(part, depth - 1)]


def _switches(e: Any) -> bool:
    """Whether an expression is one that switches gradient mode off: `torch.no_grad()`, `inference_mode`, ..."""
    while type(e) is nodes.Call:
        e = e.func
    name = e.attr if type(e) is nodes.Attribute else getattr(e, "id", "")
    return name in ("no_grad", "inference_mode", "set_grad_enabled")


def _called(s: Any) -> str:
    """The last part of the name of the function whose call is a statement's value, or an entry of it; "": it is none."""
    e = getattr(s, "value", None)
    while type(e) is nodes.Subscript:
        e = e.value
    func = e.func if type(e) is nodes.Call else None
    return str(func.attr if type(func) is nodes.Attribute else getattr(func, "id", ""))


def _own(t: Tensor) -> Any:
    """A tensor's raw value, in memory of its own."""
    return t.value if type(t.value) in PLAIN else t.value.copy()


def _out_of_graph(s: Any) -> Any:
    """The first place in a statement where a value leaves the graph: `.detach()`, `.data`, `.item()`, ..."""
    stack = [s]
    while stack:
        tree = stack.pop()
        if type(tree) is nodes.Attribute and tree.attr in _LEAVES_THE_GRAPH:
            return tree
        if type(tree) is nodes.Call and type(tree.func) is nodes.Name and tree.func.id in ("float", "int", "bool"):
            return tree
        stack += list(children(tree))
    return None


def _value_of(c: Compiler, s: nodes.Stmt) -> Callable[[Frame, Any], Any] | None:
    """What reads a statement's value after it ran, from its frame and its signal; None: it has none to see."""
    state = c.state
    if type(s) is nodes.Return:
        return lambda f, signal: signal[0]
    if type(s) is nodes.ExprStmt:
        if s not in c.scopes.values:
            return None
        return lambda f, signal: state.last_value if state.last is s else None
    if type(s) is nodes.Assign:
        targets: tuple[Any, ...] = s.targets
    elif type(s) in (nodes.AugAssign, nodes.AnnAssign):
        targets = (s.target,)  # type: ignore[attr-defined]
    else:
        return None
    target = targets[0]
    if type(target) in (nodes.Tuple, nodes.List):
        names = [e for e in target.elements if type(e) is nodes.Name]
        closures = [c.expr(name) for name in names]
        return lambda f, signal: tuple([_look(closure, f) for closure in closures])
    if type(target) is nodes.Subscript:
        target = target.value
    if type(target) is not nodes.Name:
        return None
    closure = c.expr(target)
    return lambda f, signal: _look(closure, f)


def _names(c: Compiler, tree: Any) -> list[tuple[str, Run]]:
    """The variables that an expression reads, with the closures that read them; not those of functions inside it."""
    found: dict[str, Run] = {}
    stack = [tree]
    while stack and len(found) < OPERANDS:
        part = stack.pop()
        if type(part) is nodes.Name:
            known = c.scopes.resolution.get(part, (BUILTIN, -1))
            if part.id not in found and known[0] != BUILTIN:
                found[part.id] = c.expr(part)
        elif type(part) not in (nodes.Lambda, nodes.Comprehension):
            stack += reversed(list(children(part)))
    return list(found.items())


def _look(closure: Run, f: Frame) -> Any:
    """A variable's value, or None where it has none yet."""
    try:
        return closure(f)
    except Fault:
        return None
