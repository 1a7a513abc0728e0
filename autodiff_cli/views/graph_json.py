"""A graph as the document of `autodiff graph --to json`: the run's document, and what only this command computes.

Added to the schema of `--json`: `local` of each edge with `--edges local` (the derivative of the target by the source;
null where it is no number an entry), `folded`: the graph with the turns of loops on top of each other, which is there
for a graph of any size, and, where an option says what is to be drawn (`--fold-loops`, `--unfold`, `--depth`, `--around`),
`drawn`: the items and arrows that the other formats would show.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.document import run_document
from autodiff_cli.views.graph_picture import Picture


def graph_document(run: Any, source: Source, *, local: bool, drawn: Picture | None = None) -> dict[str, Any]:
    """The document of a run whose folded graph was asked for. `drawn`: the picture that options ask for."""
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
    if drawn is not None:
        document["drawn"] = _drawn(drawn)
    return document


def _drawn(p: Picture) -> dict[str, Any]:
    return {
        "nodes": [
            {
                "id": key,
                "kind": item.kind,
                "title": item.title,
                "times": item.times,
                "members": item.members,
                "first": {"value": item.first.value, "grad": item.first.grad},
                "last": {"value": item.last.value, "grad": item.last.grad},
            }
            for key, item in p.items.items()
        ],
        "edges": [arrow._asdict() for arrow in p.arrows],
        "roots": [key for key in p.roots if key in p.items],
    }
