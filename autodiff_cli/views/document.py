"""A run as the document of `--json` (CLI.md): plain dicts and lists of raw values, in the schema's order.

`views/json_text.py` makes the text of it; it also fills `nonfinite`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.source import Source, Span
from autodiff_cli.views.report import gradient_rows

SCHEMA = 1


def head(run: Any, gradients: dict[str, Any]) -> dict[str, Any]:
    """What the documents of a run begin with, in the schema's order; `gradients` by name."""
    return {
        "schema": SCHEMA,
        "output": run.output,
        "value": plain(run.value),
        "gradients": gradients,
        "inputs": dict(run.inputs),
        "nonfinite": [],
        "warnings": list(run.warnings),
        "printed": list(run.printed),
    }


def run_document(run: Any, source: Source, *, wrt: Sequence[str] = ()) -> dict[str, Any]:
    """The whole document of a run of the program in `source`. `wrt` restricts the gradients."""
    document = head(run, {name: gradient for name, _, gradient in gradient_rows(run, wrt)})
    document["graph"] = _graph(run.graph, source)
    if run.ledger is not None:
        from autodiff_cli.views.ledger import ledger_document

        document["ledger"] = ledger_document(run.ledger, run, source)
    if len(run.outputs) > 1:
        document["outputs"] = {output.name: plain(output.value) for output in run.outputs}
    return document


def plain(value: Any) -> Any:
    """A program's value as JSON has it: tensors as their raw values, what JSON lacks as its text."""
    if value is None or isinstance(value, (str, int, float)) or hasattr(value, "dtype"):
        return getattr(value, "value", value)
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {str(key): plain(element) for key, element in value.items()}
    return str(value)


def _graph(graph: Any, source: Source) -> dict[str, Any]:
    if graph is None:
        return {"nodes": [], "edges": []}
    if graph.nodes is None:
        return {"nodes": None, "count": graph.count}
    return {
        "nodes": [_node(node, source) for node in graph.nodes],
        "edges": [{"source": edge.source, "target": edge.target, "operand": edge.operand} for edge in graph.edges],
    }


def _node(node: Any, source: Source) -> dict[str, Any]:
    return {
        "id": node.id,
        "op": node.op,
        "grad_fn": node.grad_fn,
        "name": node.name,
        "shape": list(node.shape),
        "dtype": node.dtype,
        "value": node.value,
        "grad": node.grad,
        "requires_grad": node.requires_grad,
        "is_leaf": node.is_leaf,
        "span": None if node.span is None else span_document(node.span, source),
        "function": node.function,
        "loops": [{"line": line, "iteration": iteration} for line, iteration in node.loops],
    }


def span_document(span: Span, source: Source) -> dict[str, Any]:
    """A place in the text: lines and columns, both from 1, and what stands there."""
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "text": source.slice(span),
    }
