"""What a run gave: the output's value, the gradients, the graph, and why a gradient is missing.

`collect` is called once, after the program; it goes backward where the program did not.

Invariant: where a run goes backward, an input that requires a gradient and gets none has a warning that says why.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine import autograd
from autodiff_cli.engine.apply import saved_tensor
from autodiff_cli.engine.folding import Folded, Folding
from autodiff_cli.engine.graph import Graph, reachable
from autodiff_cli.engine.node import ACCUMULATE
from autodiff_cli.engine.registry import shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.errors import LimitFault, RuntimeFault, UsageFault
from autodiff_cli.language import nodes
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.arithmetic import refuse_nesting
from autodiff_cli.runtime.objects import UNSET
from autodiff_cli.runtime.snapshot import Describer, folded, folding_of, graph_of, keep_gradients
from autodiff_cli.runtime.state import State, input_tensor
from autodiff_cli.source import Source

LEAF_SEARCH = 200_000  # nodes that are searched for leaves without a name


class Output:
    """An output: its name (or its expression's text) and value (raw for a tensor, else the Python value)."""

    __slots__ = ("name", "tensor", "value")

    def __init__(self, name: str | None, value: Any) -> None:
        self.name = name
        self.tensor = value if isinstance(value, Tensor) else None
        self.value = value.value if isinstance(value, Tensor) else value


class Run:
    """The outcome of a run.

    Attributes:
        outputs: the outputs, the first of which is `output`/`value`.
        output: the name of the output, or its text; None for a program that computed nothing.
        value: raw value of the output (a float, an int, a bool, an ndarray), or another Python value; None: no output.
        gradients: input -> gradient, raw and of the input's shape; None where there is none (a warning says why).
        leaf_gradients: (name, gradient) of the leaves that the program made itself.
        inputs: input -> raw value.
        warnings: in the order in which they came up.
        printed: what the program printed.
        graph: the snapshot for views, or None.
        from_backward: the output has no graph, and the pictures are of what the last backward went through.
        folded: the graph folded along its loops, where that was asked for, or None.
        nodes: how many nodes were recorded.
        describer: what each node and constant is called, where somebody followed the run; else None.
        ledger: what happened to gradients, where that was kept (engine/ledger.py); else None.
        elapsed: seconds, of all.
        backward_seconds: seconds of the walks backward among them.
        forward_seconds: seconds of the rest of the program.
    """

    __slots__ = (
        "backward_seconds",
        "describer",
        "elapsed",
        "folded",
        "forward_seconds",
        "from_backward",
        "gradients",
        "graph",
        "inputs",
        "leaf_gradients",
        "ledger",
        "nodes",
        "outputs",
        "printed",
        "warnings",
    )

    def __init__(self) -> None:
        self.outputs: list[Output] = []
        self.gradients: dict[str, Any] = {}
        self.leaf_gradients: list[tuple[str, Any]] = []
        self.inputs: dict[str, Any] = {}
        self.warnings: list[str] = []
        self.printed: list[str] = []
        self.graph: Graph | None = None
        self.folded: Folded | None = None
        self.from_backward = False
        self.describer: Describer | None = None
        self.ledger: Any = None
        self.nodes = 0
        self.forward_seconds = 0.0
        self.backward_seconds = 0.0
        self.elapsed = 0.0

    @property
    def output(self) -> str | None:
        return self.outputs[0].name if self.outputs else None

    @property
    def value(self) -> Any:
        return self.outputs[0].value if self.outputs else None


def collect(
    program: Any,
    state: State,
    of: Sequence[str],
    seed: Any,
    backward: bool,
    graph: bool,
    graph_limit: int | None,
    fold: bool,
    started: float,
) -> Run:
    """Pick the outputs, go backward from them if the program did not, and gather what there is to show.

    Raises:
        UsageFault: an output that the program does not compute, or one without a seed that needs one.
        RuntimeFault: as backward().
    """
    run = Run()
    run.forward_seconds = time.perf_counter() - started - tape.walk_seconds
    tensors = _outputs(program, state, of, run)
    refuse_nesting(*tensors)
    tape.site = None
    inputs = {name: t for name, t in state.given.items() if isinstance(t, Tensor)}
    variables = _variables(program, state)
    describer = None  # it walks the tree, which a run without views need not pay for
    if graph or fold or state.observers.look_back:
        named = {**inputs, **{name: value for name, value in variables.items() if name not in inputs}}  # inputs win
        describer = Describer(program.source, program.module, named, state.loops, state.calls)
    roots = _roots(run, tensors, fold)
    folding = folding_of(describer, roots) if fold and describer is not None else None
    itself = tape.backwards > 0  # the program went backward itself
    if backward and not itself:
        if folding is not None:
            keep_gradients(folding, graph_limit)
        _backward(run, seed)
    elif seed is not None:
        state.warn("the program calls backward() itself: --seed is not used")
    run.inputs = {name: t.value if isinstance(t, Tensor) else t for name, t in state.given.items()}
    run.backward_seconds = tape.walk_seconds
    if backward:
        _gradients(run, state, inputs, tensors, itself)
    if graph and describer is not None:
        _pictures(run, describer, roots, graph_limit, folding)
        _leaf_gradients(run, roots, inputs, variables, describer)
    _observed(run, state, describer)
    run.warnings = state.warnings
    run.printed = state.printed
    run.nodes = tape.seq
    run.elapsed = time.perf_counter() - started
    return run


def _roots(run: Run, tensors: list[Any], fold: bool) -> list[Tensor]:
    """What pictures begin with: the outputs; for a folded one, should they have no graph, where backward began."""
    roots = [t for t in tensors if isinstance(t, Tensor)]
    if fold and tape.roots and not any(current_node(t) is not None for t in roots):
        run.from_backward = True
        return [saved_tensor(node) for node in tape.roots]
    return roots


def _observed(run: Run, state: State, describer: Describer | None) -> None:
    """What those who followed the run need to tell of it."""
    observers = state.observers
    if observers.ledger is not None:
        observers.ledger.finish()
    run.ledger = observers.ledger
    run.describer = describer if observers.look_back else None


def _pictures(run: Run, describer: Describer, roots: list[Tensor], limit: int | None, folding: Folding | None) -> None:
    """The snapshot, and the folded graph where that was asked for."""
    if folding is None:
        run.graph = graph_of(describer, roots, limit)
        return
    run.folded = folded(describer, folding)
    if limit is not None and run.folded.count > limit:
        run.graph = Graph(None, None, run.folded.count, ())
    else:
        describer.start_again()
        run.graph = graph_of(describer, roots, None)


def _variables(program: Any, state: State) -> dict[str, Any]:
    names = program.scopes.module.locals
    return {name: value for name, value in zip(names, state.globals, strict=True) if value is not UNSET}


def _outputs(program: Any, state: State, of: Sequence[str], run: Run) -> list[Any]:
    variables = _variables(program, state)
    if of:
        for name in of:
            if name not in variables:
                close = nearest(name, variables)
                hint = f"did you mean {close}?" if close else f"it computes {', '.join(variables) or 'nothing'}"
                raise UsageFault(f"the program computes no {name}", hint=hint)
            run.outputs.append(Output(name, variables[name]))
        return [variables[name] for name in of]
    last = state.last
    if last is None:
        return []
    name = program.scopes.values[last]
    if type(last) is nodes.ExprStmt:
        value = state.last_value
        name = name or program.source.slice(last.value.span)
    else:
        value = variables.get(name) if name is not None else None
        if name is None or name not in variables:
            return []
    run.outputs.append(Output(name, value))
    return [value]


def _backward(run: Run, seed: Any) -> None:
    """The backward that is called for the user, from each output that has a graph."""
    for output in run.outputs:
        t = output.tensor
        if t is None or current_node(t) is None:
            continue
        weight = None if seed is None else wrap(input_tensor(seed, False).value)
        if weight is None and t.numel() != 1:
            raise RuntimeFault(
                f"the output {output.name} has shape {tuple(t.shape)}: a gradient can start by itself from a scalar only",
                hint="reduce it, as in .sum(); or give the vector of a vector-Jacobian product, of the output's "
                f'shape: --seed "{_ones(t.shape)}"; or ask for the whole Jacobian (a later command)',
            )
        if weight is not None and shape_of(weight.value) != t.shape:
            raise UsageFault(f"--seed has shape {tuple(weight.shape)} and the output {tuple(t.shape)}")
        autograd.backward(t, weight, retain_graph=True)


def _ones(shape: tuple[int, ...]) -> str:
    if len(shape) == 1 and shape[0] <= 8:
        return "[" + ", ".join("1" * shape[0]) + "]"
    return "..."


def _gradients(run: Run, state: State, inputs: dict[str, Tensor], tensors: list[Any], itself: bool) -> None:
    for name, t in inputs.items():
        node = t.node
        if node is None or node.op is not ACCUMULATE:
            if name in state.frozen:
                continue
            if node is None and not (t.aux is not None and t.aux.grad is not None):
                continue
        grad = t.grad
        run.gradients[name] = None if grad is None else grad.value
        if grad is None:
            state.warn(_why_missing(run, name, tensors, itself))


def _why_missing(run: Run, name: str, tensors: list[Any], itself: bool) -> str:
    if not run.outputs:
        return f"no gradient of {name}: the program computes no value to differentiate"
    shown = run.output
    value = tensors[0]
    if not isinstance(value, Tensor):
        return f"no gradient of {name}: the output {shown} is {type(value).__name__}, not a tensor"
    if itself and current_node(value) is not None:
        return f"no gradient of {name}: no backward() reached it, or its gradient was cleared"
    if current_node(value) is None:
        return (
            f"no gradient of {name}: the output {shown} has no graph (it was computed under no_grad, from detach() "
            f"or by operations without a derivative)"
        )
    return f"no gradient of {name}: the output {shown} does not depend on it"


def _leaf_gradients(
    run: Run, roots: list[Tensor], inputs: dict[str, Tensor], variables: dict[str, Any], describer: Describer
) -> None:
    """The gradients of leaves that the program made itself: those its variables hold, then those in the graph."""
    own = {t.node for t in inputs.values()}
    leaves: dict[Any, None] = {}
    for value in variables.values():
        if isinstance(value, Tensor) and value.node is not None and value.node.op is ACCUMULATE:
            leaves[value.node] = None
    tops = [node for t in roots if (node := current_node(t)) is not None]
    for node in reachable(tops, LEAF_SEARCH):
        if node.op is ACCUMULATE:
            leaves[node] = None
    for leaf in sorted(leaves, key=lambda n: n.seq):
        if leaf not in own:
            grad = leaf.meta.grad
            run.leaf_gradients.append(
                (describer.describe(leaf).name or "(a leaf)", None if grad is None else grad.value)
            )


def too_deep(source: Source) -> LimitFault:
    """What a RecursionError that got through means."""
    return LimitFault("the program is nested too deep", hint="split the expression into steps", source=source)
