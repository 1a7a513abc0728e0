"""A comparison of two runs as a document."""

from __future__ import annotations

from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.compare import Comparison, Item
from autodiff_cli.views.document import SCHEMA, plain
from autodiff_cli.views.report import gradient_rows

STATES = {" ": "both", "-": "first", "+": "second"}


def compare_document(runs: tuple[Any, Any], compared: Comparison, sources: tuple[Source, Source]) -> dict[str, Any]:
    """The document: what each run gave, the decisions that differ, the nodes of both graphs with who has them."""
    return {
        "schema": SCHEMA,
        "differ": compared.differ,
        "nonfinite": [],
        "first": _run(runs[0], sources[0]),
        "second": _run(runs[1], sources[1]),
        "counts": {"both": compared.both, "first": compared.gone, "second": compared.new},
        "decisions": [
            {"kind": d.kind, "line": d.line, "text": d.text, "first": list(d.first), "second": list(d.second)}
            for d in compared.decisions
        ],
        "nodes": None if compared.too_large else [_item(item) for item in compared.items],
        "edges": [
            {"source": operand.key, "target": item.key, "in": STATES[item.sign if item.sign != " " else sign]}
            for item in compared.items
            for sign, operand in item.operands
        ],
    }


def _run(run: Any, source: Source) -> dict[str, Any]:
    return {
        "source": source.name,
        "output": run.output,
        "value": plain(run.value),
        "gradients": {name: gradient for name, _, gradient in gradient_rows(run)},
        "inputs": dict(run.inputs),
        "warnings": list(run.warnings),
        "printed": list(run.printed),
        "nodes": run.graph.count if run.graph is not None else 0,
    }


def _item(item: Item) -> dict[str, Any]:
    node = item.node
    return {
        "id": item.key,
        "in": STATES[item.sign],
        "op": node.op,
        "grad_fn": node.grad_fn,
        "name": node.name,
        "text": node.text,
        "parameters": {name: list(texts) for name, texts in item.changed.items()},
        "loops": [{"line": line, "iteration": iteration} for line, iteration in node.loops],
        "first": None
        if item.first is None
        else {"node": item.first.id, "value": item.first.value, "grad": item.first.grad},
        "second": None
        if item.second is None
        else {"node": item.second.id, "value": item.second.value, "grad": item.second.grad},
    }
