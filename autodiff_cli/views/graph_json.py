"""A graph as the document of `autodiff graph --to json`: the run's document, and what only this command computes.

Added to the schema of `--json`: `local` of each edge with `--edges local` (the derivative of the target by the source;
null where it is no number an entry), and `folded`: the graph with the turns of loops on top of each other, which is
there for a graph of any size.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.document import run_document


def graph_document(run: Any, source: Source, *, local: bool) -> dict[str, Any]:
    """The document of a run whose folded graph was asked for."""
    document = run_document(run, source)
    graph = document["graph"]
    if local and graph["nodes"] is not None:
        from autodiff_cli.engine.replay import local_derivative

        for edge in graph["edges"]:
            node = run.graph.nodes[edge["target"]]
            tracked = run.graph.nodes[edge["source"]].requires_grad
            edge["local"] = local_derivative(node, edge["operand"]) if tracked else None
    document["folded"] = {
        "nodes": [
            {
                "id": group.first.id,
                "times": group.times,
                "op": group.first.op,
                "name": group.first.name,
                "text": group.first.text,
                "first": {"value": group.first.value, "grad": group.first.grad},
                "last": {"value": group.last.value, "grad": group.last.grad},
            }
            for group in run.folded.groups
        ],
        "edges": [link._asdict() for link in run.folded.links],
        "count": run.folded.count,
    }
    return document
