"""A picture as a Mermaid flowchart, for Markdown on web sites.

Labels are quoted and every character that Mermaid or the HTML it makes could take for its own is written as an
entity (`#lt;`); line ends are `<br/>`. Checked by hand with the parser of the npm package mermaid (version 11):
`mermaid.parse(text)` over the samples and over labels with each ASCII character.

Invariant: outside of our own `<br/>` no label has a character other than letters, digits, blanks and harmless marks.
"""

from __future__ import annotations

from autodiff_cli.views.graph_picture import Item, Picture, kinds_in

_SHAPES = {
    "leaf": ("([", "])"),
    "operation": ("[", "]"),
    "call": ("[[", "]]"),
    "constant": ("{{", "}}"),
    "detached": ("[/", "/]"),
}
# fill, text and border are all given, so a site's dark theme does not put white on white
_CLASSES = {
    "leaf": "fill:#dbe9ff,stroke:#1f5fbf,stroke-width:2px,color:#111",
    "operation": "fill:#fff,stroke:#555,color:#111",
    "call": "fill:#efe6fb,stroke:#6b3fa0,color:#111",
    "constant": "fill:#eee,stroke:#888,color:#111",
    "detached": "fill:#fff3d6,stroke:#a06a00,color:#111,stroke-dasharray:2 3",
    "missing": "stroke:#b03030,stroke-dasharray:6 4",
}
_PLAIN = frozenset(" .,=+-_/()…×")


def mermaid_text(p: Picture) -> str:
    """The picture as the text of a `mermaid` block."""
    lines = ["flowchart TD"]
    for key, item in p.items.items():
        left, right = _SHAPES[item.kind]
        lines.append(f'  n{key}{left}"{_label(item)}"{right}:::{_class(item.kind)}')
    for arrow in p.arrows:
        words = [word for word in (arrow.label, "next turn" if arrow.carried else "") if word]
        line = "-.->" if arrow.carried else "-->"
        label = f'|"{"<br/>".join(escaped(word) for word in words)}"|' if words else ""
        lines.append(f"  n{arrow.source} {line}{label} n{arrow.target}")
    missing = [f"n{key}" for key, item in p.items.items() if item.missing]
    kinds = [*kinds_in(p), *(["missing"] if missing else [])]
    lines += [f"  classDef {_class(kind)} {_CLASSES[kind]}" for kind in kinds]
    if missing:
        lines.append(f"  class {','.join(missing)} {_class('missing')}")
    return "\n".join(lines) + "\n"


def _class(kind: str) -> str:
    """The name of a kind's class: never one of Mermaid's own words, as `call` is."""
    return f"{kind}Node"


def _label(item: Item) -> str:
    return "<br/>".join(escaped(text) for text in [*item.heads, *(text for _, text in item.details)])


def escaped(text: str) -> str:
    """The text with everything but letters, digits and harmless marks as Mermaid's entities (`#35;` is `#`)."""
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in text)
