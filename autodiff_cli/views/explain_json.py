"""A backward pass as a document: the steps with their numbers in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.document import head, span_document
from autodiff_cli.views.explain import Explanation, Step, label
from autodiff_cli.views.report import gradient_rows


def explain_document(
    run: Any, explained: Sequence[Explanation], source: Source, *, wrt: Sequence[str] = ()
) -> dict[str, Any]:
    """The document of the explanation of a run of the program in `source`; of several passes, a list of them."""
    passes = [_pass(one, source) for one in explained]
    return {
        **head(run, {name: gradient for name, _, gradient in gradient_rows(run, wrt)}),
        **(passes[0] if len(passes) == 1 else {"passes": passes}),
    }


def _pass(explained: Explanation, source: Source) -> dict[str, Any]:
    graph = explained.graph
    roots = [] if graph.nodes is None else [graph.nodes[root] for root in graph.roots]
    return {
        "pass": {
            "number": explained.number,
            "count": explained.passes,
            "line": explained.line,
            "nodes": graph.count,
            "roots": [{"node": node.id, "label": label(node), "gradient": node.grad} for node in roots],
        },
        "steps": None if graph.nodes is None and explained.passes else [_step(s, source) for s in explained.steps],
        "totals": {label(node): node.grad for node in graph.nodes or () if node.is_leaf and node.grad is not None},
    }


def _step(step: Step, source: Source) -> dict[str, Any]:
    node = step.node
    return {
        "node": node.id,
        "label": label(node),
        "grad_fn": node.grad_fn,
        "span": None if node.span is None else span_document(node.span, source),
        "loops": [{"line": line, "iteration": iteration} for line, iteration in node.loops],
        "operand": {
            "node": step.operand.id,
            "label": label(step.operand),
            "position": step.position,
            "is_leaf": step.operand.is_leaf,
            "shape": list(step.operand.shape),
        },
        "formula": step.formula,
        "local": step.local,
        "incoming": step.incoming,
        "product": step.product,
        "sum": step.total,
        "use": step.use,
        "uses": step.uses,
    }
