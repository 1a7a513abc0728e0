"""What a graph costs: nodes, edges, depth, bytes kept for backward and for what, time; by operation and by line.

Counted over all nodes of the engine, however large the graph is. Memory that several operations save is counted once,
with the first of them; a number is 8 bytes.

The largest contribution of a line is the largest absolute entry of what its operations sent to their operands in the
backward pass: where gradients explode or vanish, it shows from line to line. Each of them is computed again, so past
a number of nodes there are none (`contributions` in the document).
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.ledger import memory
from autodiff_cli.engine.replay import contributions, saved_memory
from autodiff_cli.source import Source
from autodiff_cli.views.numbers import number_text
from autodiff_cli.views.text import Column, Line, Look, one_line, table, wrapped

SCHEMA = 1
ROWS = 12  # of each table on a terminal
LIMIT = 50_000  # nodes of a graph whose contributions are computed again


def stats_document(run: Any, source: Source) -> dict[str, Any]:
    """The numbers of a run whose folded graph was asked for, as a document."""
    folded = run.folded
    kinds = {"leaves": 0, "operations": 0, "constants": 0}
    gradients = leaves = 0
    for group in folded.groups:
        node = group.first
        kind = "constants" if not node.requires_grad else "leaves" if node.is_leaf else "operations"
        kinds[kind] += group.times
        if kind == "leaves":
            for leaf in (group.first, group.last)[: group.times]:
                leaves += memory(leaf.value)
                gradients += 0 if leaf.grad is None else memory(leaf.grad)
    operations, lines = _costs(folded.order, source)
    _largest(run, source, lines)
    return {
        "schema": SCHEMA,
        "output": run.output,
        "nodes": {"all": folded.count, **kinds},
        "edges": sum(link.times for link in folded.links),
        "depth": folded.depth,
        "bytes": {
            "saved": sum(row["saved_bytes"] for row in operations.values()),
            "leaves": leaves,
            "gradients": gradients,
            "exact": True,
        },
        "seconds": {"forward": run.forward_seconds, "backward": run.backward_seconds},
        "operations": sorted(operations.values(), key=lambda row: (-row["nodes"], row["grad_fn"])),
        "lines": [lines[number] for number in sorted(lines)],
        "contributions": run.graph.nodes is not None,
        "nonfinite": [],
    }


def _costs(order: Any, source: Source) -> tuple[dict[str, dict[str, Any]], dict[int, dict[str, Any]]]:
    """Nodes and bytes by operation and by line. What several nodes save is counted with the first of them."""
    operations: dict[str, dict[str, Any]] = {}
    lines: dict[int, dict[str, Any]] = {}
    line_of: dict[Any, dict[str, Any] | None] = {None: None}
    seen: set[int] = set()
    for node in order:
        if not node.inputs:
            continue
        saved = 0
        for key, size in saved_memory(node):
            if key not in seen:
                seen.add(key)
                saved += size
        name = node.op.grad_fn
        _add(operations.setdefault(name, {"grad_fn": name}), saved)
        site = node.site
        if site not in line_of:
            number = source.position(site.span.start).line
            row = {"line": number, "text": source.line(number).strip(), "largest": None}
            line_of[site] = lines.setdefault(number, row)
        line = line_of[site]
        if line is not None:
            _add(line, saved)
    return operations, lines


def _add(row: dict[str, Any], saved: int) -> None:
    row["nodes"] = row.get("nodes", 0) + 1
    row["saved_bytes"] = row.get("saved_bytes", 0) + saved


def _largest(run: Any, source: Source, lines: dict[int, dict[str, Any]]) -> None:
    """Note the largest contribution that each line's operations sent backward, and to what."""
    for c in contributions(run.graph):
        node = run.graph.nodes[c.target]
        if node.span is None or c.product is None:
            continue
        size = _magnitude(c.product)
        row = lines[source.position(node.span.start).line]
        # a nan is larger than anything: it is what one is looking for
        if row["largest"] is None or not size <= row["largest"]["size"]:
            operand = run.graph.nodes[c.source]
            row["largest"] = {"size": size, "to": operand.name or one_line(operand.text)}


def _magnitude(value: Any) -> float:
    if not getattr(value, "shape", ()):
        return abs(float(value))
    return float(abs(value).max()) if value.size else 0.0


def stats_lines(document: dict[str, Any], look: Look) -> list[Line]:
    """The document for a terminal: a summary, then a table of operations and one of lines."""
    nodes, held, seconds = document["nodes"], document["bytes"], document["seconds"]
    parts = ", ".join(f"{nodes[kind]:,} {kind if nodes[kind] != 1 else _ONE[kind]}" for kind in _ONE if nodes[kind])
    summary = [
        ("nodes", f"{nodes['all']:,}" + (f" ({parts})" if parts else "")),
        ("edges", f"{document['edges']:,}"),
        ("depth", f"{document['depth']:,}"),
        ("saved for backward", _bytes(held["saved"])),
        ("leaves and gradients", f"{_bytes(held['leaves'])} and {_bytes(held['gradients'])}"),
        ("forward", _seconds(seconds["forward"], look.boxes)),
        ("backward", _seconds(seconds["backward"], look.boxes)),
    ]
    dots = look.glyphs.ellipsis
    rows: list[list[Line]] = [[[(name, "heading")], [(text, "value")]] for name, text in summary]
    lines = table((Column(""), Column("", least=20)), rows, look.width, dots)
    if document["operations"]:
        lines += [[], *_operations(document["operations"], look)]
    if document["lines"]:
        lines += [[], *_lines(document["lines"], look)]
        if not document["contributions"]:
            told = f"the largest contributions of lines are told of graphs of up to {LIMIT:,} nodes"
            lines += [[(text, "quiet")] for text in wrapped(told, look.width, 4, dots)]
    return lines


_ONE = {"leaves": "leaf", "operations": "operation", "constants": "constant"}


def _operations(found: list[dict[str, Any]], look: Look) -> list[Line]:
    rows: list[list[Line]] = [
        [
            [(row["grad_fn"], "operation")],
            [(f"{row['nodes']:,}", "value")],
            [(_bytes(row["saved_bytes"]), "value")],
        ]
        for row in found[:ROWS]
    ]
    columns = (Column("operation", least=16), Column("nodes", right=True), Column("saved", right=True))
    return [*table(columns, rows, look.width, look.glyphs.ellipsis), *_rest(len(found), "operations")]


def _lines(found: list[dict[str, Any]], look: Look) -> list[Line]:
    """The lines that have most nodes, in the order of the program."""
    most = sorted(sorted(found, key=lambda row: (-row["nodes"], row["line"]))[:ROWS], key=lambda row: row["line"])
    rows: list[list[Line]] = []
    for row in most:
        largest: Line = []
        if row["largest"] is not None:
            largest = [(number_text(row["largest"]["size"], 6), "gradient"), (f" to {row['largest']['to']}", "quiet")]
        rows.append(
            [
                [(str(row["line"]), "place")],
                [(one_line(row["text"]), "")],
                [(f"{row['nodes']:,}", "value")],
                [(_bytes(row["saved_bytes"]), "value")],
                largest,
            ]
        )
    columns = (
        Column("line", right=True, least=4),
        Column("text", least=look.width // 4),
        Column("nodes", right=True, least=5),
        Column("saved", right=True, least=6),
        Column("largest contribution", least=20),
    )
    return [*table(columns, rows, look.width, look.glyphs.ellipsis), *_rest(len(found), "lines")]


def _rest(count: int, what: str) -> list[Line]:
    return [[(f"and {count - ROWS:,} more {what} (--json has all)", "quiet")]] if count > ROWS else []


def _bytes(count: int) -> str:
    """`80 B`, `3.1 kB`, `2.4 MB`: powers of 1,000."""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{count:,} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"


def _seconds(seconds: float, boxes: bool) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} {'µs' if boxes else 'us'}"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
