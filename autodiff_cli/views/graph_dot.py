"""A picture in the language of Graphviz.

Everything is written as quoted strings with three characters escaped; no HTML-like labels, so `<`, `&` and braces
are only text. Kinds differ by shape and border as well as by colour (Graphviz's own names of shapes).

Invariant: one statement a line, in the picture's order; the same picture gives the same text.
"""

from __future__ import annotations

from autodiff_cli.views.graph_picture import Item, Picture

_LOOKS = {
    "leaf": 'shape=box, style="rounded,filled", penwidth=2, fillcolor="#dbe9ff", color="#1f5fbf"',
    "operation": 'shape=box, style="filled", fillcolor="#ffffff", color="#555555"',
    "call": 'shape=component, style="filled", fillcolor="#efe6fb", color="#6b3fa0"',
    "constant": 'shape=ellipse, style="filled", fillcolor="#eeeeee", color="#888888"',
    "detached": 'shape=octagon, style="filled,dotted", fillcolor="#fff3d6", color="#a06a00"',
}
_MISSING = 'style="filled,dashed", color="#b03030"'


def dot_text(p: Picture) -> str:
    """The picture as the text of a `.gv` file."""
    lines = [
        "digraph graph_of_values {",
        '  node [fontname="monospace", fontsize=10, margin="0.12,0.06"];',
        '  edge [fontname="monospace", fontsize=9, color="#555555"];',
    ]
    for key, item in p.items.items():
        looks = _LOOKS[item.kind]
        if item.missing:
            looks += f", {_MISSING}"
        if item.times > 1 or key in p.roots:
            looks += ", peripheries=2"
        lines.append(f"  n{key} [label={_label(item)}, {looks}];")
    for arrow in p.arrows:
        label = [arrow.label] if arrow.label else []
        attributes = []
        if arrow.carried:
            label.append("next turn")
            attributes += ["style=dashed", "constraint=false"]
        if label:
            attributes.append(f"label={quoted(chr(10).join(label))}")
        tail = f" [{', '.join(attributes)}]" if attributes else ""
        lines.append(f"  n{arrow.source} -> n{arrow.target}{tail};")
    return "\n".join([*lines, "}"]) + "\n"


def _label(item: Item) -> str:
    return quoted("\n".join([*item.heads, *(text for _, text in item.details)]))


def quoted(text: str) -> str:
    """A string of dot. In labels a backslash begins an escape, so it is doubled; a line end is one of them."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
