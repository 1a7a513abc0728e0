"""The backward pass as steps: what each use of a value sent to it, and why.

A step is one edge of the graph, in the order in which the engine took it: node, operand, local derivative (a formula,
and a number), the gradient that came in, their product, the sum so far. The numbers are the engine's own (replay.py);
here they get names and formulas. The formats (terminal, Markdown, LaTeX, JSON) read this and nothing else.

Invariant: the last sum of a leaf is what this pass added to its `.grad`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from autodiff_cli.engine.graph import Graph, GraphNode
from autodiff_cli.engine.replay import Contribution, contributions
from autodiff_cli.engine.symbol import formula, operand_names
from autodiff_cli.engine.trail import NONE, Trail, Walk
from autodiff_cli.source import Source
from autodiff_cli.views.explain_algebra import Formula, NoFormula, atom, labelled, number, read
from autodiff_cli.views.numbers import number_text
from autodiff_cli.views.text import one_line

LABEL = 18  # columns of source text that may stand in a formula in the place of a name


class Step(NamedTuple):
    """One contribution.

    Attributes:
        node, operand: at which node the walk was, and which of its operands got something.
        position: the operand's number.
        formula: the local derivative as text; None where the operation has none.
        generic: the rule's own names in the formula: operands are `a`, `b`, `x` in their order, the result is `y`.
        local, incoming, product, total: see `replay.Contribution`; total is the sum so far.
        use, uses: this is use number `use` (from 1) of the operand, of `uses`.
    """

    node: GraphNode
    operand: GraphNode
    position: int
    formula: str | None
    generic: frozenset[str]
    local: Any
    incoming: Any
    product: Any
    total: Any
    use: int
    uses: int


class Explanation(NamedTuple):
    """A backward pass.

    Attributes:
        graph: what it went through, with the gradients of this pass alone.
        steps: in the engine's order.
        number, passes: which pass of how many the run had (0: there was none).
        line: where the program called for it; None: it follows the program by itself.
        left_out: steps that lead to none of the names asked for.
    """

    graph: Graph
    steps: tuple[Step, ...]
    number: int
    passes: int
    line: int | None
    left_out: int


def explanation(
    run: Any, trail: Trail, source: Source, wrt: Sequence[str] = (), walk: Walk | None = None
) -> Explanation:
    """The steps of a pass that a run's trail kept: of `walk`, else of the last one.

    `wrt`: only those that lead to these names ([]: all). All lead on from a name that the pass starts from.
    """
    if walk is None:
        walk = trail.walks[-1] if trail.walks else NONE
    graph = walk.graph(run.describer.describe)
    line = None if walk.site is None else source.position(walk.site.span.start).line
    found = [c for c in contributions(graph) if graph.nodes and graph.nodes[c.source].grad is not None]
    starts = {graph.nodes[root].name for root in graph.roots} if graph.nodes else set()
    wanted = _leading_to(graph, set(wrt)) if wrt and not starts & set(wrt) else None
    kept = [c for c in found if wanted is None or c.source in wanted]
    uses: dict[int, int] = {}
    for c in kept:
        uses[c.source] = uses.get(c.source, 0) + 1
    seen: dict[int, int] = {}
    operands = operands_of(graph)
    steps = []
    for c in kept:
        seen[c.source] = seen.get(c.source, 0) + 1
        assert graph.nodes is not None
        steps.append(_step(c, graph.nodes[c.target], operands[c.target], seen[c.source], uses[c.source]))
    return Explanation(graph, tuple(steps), walk.number, trail.count, line, len(found) - len(kept))


def _leading_to(graph: Graph, names: set[str]) -> set[int]:
    """The nodes that have one of these names, or depend on one that has."""
    found = {node.id for node in graph.nodes or () if node.name in names}
    for edge in graph.edges or ():  # in the order of their targets
        if edge.source in found:
            found.add(edge.target)
    return found


def _step(c: Contribution, node: GraphNode, operands: Sequence[GraphNode], use: int, uses: int) -> Step:
    operand = operands[c.operand]
    text, generic = local_formula(node, operands, c.operand)
    return Step(node, operand, c.operand, text, generic, c.local, c.incoming, c.product, c.total, use, uses)


def label(node: GraphNode) -> str:
    """What a person calls a node: its variable, its text, or its number."""
    if node.name or node.text:
        return node.name or one_line(node.text)
    return number_text(node.value, 6) if not node.shape else "constant"


def operands_of(graph: Graph) -> dict[int, list[GraphNode]]:
    """The operands of each node, by its number, in order."""
    found: dict[int, list[GraphNode]] = {}
    for edge in graph.edges or ():
        assert graph.nodes is not None
        found.setdefault(edge.target, []).append(graph.nodes[edge.source])
    return found


def formula_text(op: Any, i: int, params: dict[str, Any]) -> str | None:
    """The registry's formula of the derivative by operand `i`, of a node with these parameters."""
    if op.variadic and op.formulas:
        return formula(op, 0, **params, index=i)
    text = formula(op, i, **params)
    # a rule that hands the gradient to a function is no factor: `matrix_transpose(1)`
    whole = text is not None and not op.formulas and op.scalar is None and re.search(r"\(1[,)]", text)
    return None if whole else text


def local_formula(node: GraphNode, operands: Sequence[GraphNode], i: int) -> tuple[str | None, frozenset[str]]:
    """The derivative by operand `i` in the program's own names, and the registry's names that are left in it."""
    record = node.record
    text = formula_text(record.op, i, record.params)
    if node.shape or operands[i].shape:
        from autodiff_cli.views.explain_arrays import array_formula

        told = array_formula(node, operands, i, text)
        if told is not None:
            return told
    if text is None:
        return None, frozenset()
    names: dict[str, Formula] = {"y": _named(node, "y"), "g": number(1.0)}
    generic = {"y"} if _nameless(node) else set()
    for name, value in record.params.items():
        names[name] = number(value) if type(value) in (int, float) else atom(name)
    for name, operand, raw in zip(operand_names(record.op), operands, record.inputs, strict=False):
        if type(raw) in (int, float) or (not operand.requires_grad and not operand.name and not operand.shape):
            names[name] = number(float(operand.value))
        else:
            names[name] = _named(operand, name)
            if _nameless(operand):
                generic.add(name)
    try:
        found = read(text, names).text
    except (NoFormula, OverflowError, ZeroDivisionError):
        return text, frozenset(_words(text) & {*operand_names(record.op), "y"})
    return found, frozenset(generic & _words(text))


def _named(node: GraphNode, otherwise: str) -> Formula:
    """A node in a formula: by its name, by its text where that is short, or as the registry calls it."""
    return atom(otherwise) if _nameless(node) else labelled(label(node))


def _nameless(node: GraphNode) -> bool:
    """Whether no text can stand for the node in a formula: it is long, or it is that of more than the node."""
    return node.part or len(label(node)) > LABEL


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def sums(explained: Explanation) -> list[tuple[GraphNode, list[Step]]]:
    """The values that several contributions came to, each with its steps, in the order in which they were complete."""
    by_source: dict[int, list[Step]] = {}
    for step in explained.steps:
        by_source.setdefault(step.operand.id, []).append(step)
    return [(steps[0].operand, steps) for steps in by_source.values() if len(steps) > 1]


def replaced(explained: Explanation) -> list[GraphNode]:
    """Nodes whose gradient is not the sum of what came to them: a hook put another in its place."""
    found = []
    last = {step.operand.id: step for step in explained.steps}
    for step in last.values():
        same = step.total is None or step.operand.grad is step.total or equal(step.operand.grad, step.total)
        if not same:
            found.append(step.operand)
    return found


def equal(a: Any, b: Any) -> bool:
    """Whether two raw values are the same, nan and all."""
    from autodiff_cli.engine.lazy import np

    return bool(np.array_equal(a, b, equal_nan=True))
