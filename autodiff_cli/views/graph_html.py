"""The graph as one HTML page: picture and source side by side, and a slider through the run.

The page is html/page.html with its style sheet, its script, the drawn pictures and the data put in; it asks nothing of
a network (its own content policy forbids it). Two pictures are laid out beforehand, with the turns of loops folded and
open, so that the script has nothing to lay out. Each step of the slider is text made here, of the numbers that the
engine computed: a node that is made, then each contribution of the backward pass (engine/replay.py).

Invariant: no text of the program is markup: in the data every `<` is escaped, in the pictures all of XML is.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.graph_layout import Layout, layout
from autodiff_cli.views.graph_picture import FOLD_PAST, Options, Picture, picture
from autodiff_cli.views.graph_svg import escaped, figure, styles
from autodiff_cli.views.json_text import dumps
from autodiff_cli.views.numbers import array_text

MOST = 3_000  # nodes of a graph that is stepped through and can be opened
_DARK = "@media (prefers-color-scheme: dark)"
_MEDIA = {"light": "@media not all", "dark": "@media all"}
WIDTH = 44  # columns of a number of a step


def html_text(run: Any, source: Source, options: Options, theme: str = "auto") -> str:
    """The page of a run whose folded graph was asked for."""
    from importlib.resources import files

    folder = files("autodiff_cli.views").joinpath("html")
    page, style, script = (folder.joinpath(f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    whole = run.graph.nodes is not None and run.graph.count <= MOST
    views: dict[str, Picture] = {"folded": picture(run, source, options._replace(fold=True))}
    if whole:
        views["open"] = picture(run, source, options._replace(fold=False))
    if whole and len(views["folded"].items) == len(views["open"].items):
        del views["folded"]  # there is nothing to fold
    drawings = "\n".join(_drawing(name, p, layout(p)) for name, p in views.items())
    data = _Data(run, source, views, options).document() if whole else _without_steps(run, source, views)
    fold = options.fold if options.fold is not None else run.graph.count > FOLD_PAST
    data["view"] = "folded" if "folded" in views and (fold or not whole) else "open"
    return _filled(
        page,
        {
            "TITLE": escaped(f"{source.name}: graph of {run.folded.count:,} nodes"),
            "SCHEME": {"light": "light", "dark": "dark"}.get(theme, "light dark"),
            "STYLE": styles(theme) + style.replace(_DARK, _MEDIA.get(theme, _DARK)),
            "DRAWINGS": drawings,
            "DATA": dumps(data).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
            "SCRIPT": script,
        },
    )


def _filled(page: str, parts: dict[str, str]) -> str:
    """The page with each `{{NAME}}` replaced, in one pass: what is put in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def _drawing(name: str, p: Picture, drawn: Layout) -> str:
    width, height = max(drawn.width, 60.0), max(drawn.height, 60.0)
    lines = "\n".join(figure(p, drawn, f"{name}-"))
    return (
        f'<svg id="{name}" xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" hidden>\n{lines}\n</svg>'
    )


def _without_steps(run: Any, source: Source, views: dict[str, Picture]) -> dict[str, Any]:
    """The data of a graph that is too large to be stepped through: what the items of the folded picture are."""
    p = views["folded"]
    nodes = [
        {"spans": _spans(item.first, source), "open": None, "folded": key if key in p.items else None}
        for key, item in p.items.items()
    ]
    note = f"The graph has {run.folded.count:,} nodes; up to {MOST:,} can be stepped through one by one."
    return {"source": source.text, "name": source.name, "nodes": nodes, "steps": [], "note": note}


def _spans(node: Any, source: Source) -> list[tuple[int, int]]:
    """Where in the source a node comes from; of an input, which nothing in the source makes, where its name stands."""
    if node.span is not None:
        return [tuple(node.span)]
    if not node.name or not node.name.isidentifier():
        return []
    code = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), source.text)
    return [match.span() for match in re.finditer(rf"(?<![\w.]){node.name}(?!\w)", code)]


class _Data:
    """What the script needs to know of a graph: nodes, and steps with the ids of the elements that they light up."""

    def __init__(self, run: Any, source: Source, views: dict[str, Picture], options: Options) -> None:
        self.run = run
        self.source = source
        self.views = views
        self.options = options
        self.operands: dict[int, list[Any]] = {}
        for edge in run.graph.edges:
            self.operands.setdefault(edge.target, []).append(edge)
        self.arrows: dict[str, dict[Any, int]] = {
            name: {(a.source, a.target, a.operand, a.carried): i for i, a in reversed(list(enumerate(p.arrows)))}
            for name, p in views.items()
        }

    def document(self) -> dict[str, Any]:
        """The data as plain dicts and lists."""
        nodes = self.run.graph.nodes
        steps = [step for node in nodes if node.requires_grad and (step := self._forward(node))]
        backward = self._backward()
        return {
            "source": self.source.text,
            "name": self.source.name,
            "nodes": [
                {
                    "spans": _spans(node, self.source),
                    "open": self._item("open", node.id),
                    "folded": self._item("folded", node.id),
                }
                for node in nodes
            ],
            "steps": steps + backward,
            "forward": len(steps),
            "note": "" if backward else "No backward pass went through this graph.",
        }

    def _item(self, view: str, node: int) -> int | None:
        """The key of the item that a node is drawn as."""
        p = self.views.get(view)
        if p is None:
            return None
        key = self.run.folded.group_of[node] if p.folded else node
        key = p.inside.get(key, key)
        return key if key in p.items else None

    def _arrow(self, view: str, source: int, target: int, operand: int) -> int | None:
        """The number of the arrow that an edge is drawn as."""
        if view not in self.views:
            return None
        a, b = self._item(view, source), self._item(view, target)
        for i in (operand, 0):
            for carried in (_from_another_turn(self.run, source, target), False, True):
                found = self.arrows[view].get((a, b, i, carried))
                if found is not None:
                    return found
        return None

    def _forward(self, node: Any) -> dict[str, Any] | None:
        """The step that makes a node: what it is computed of."""
        if self._item("open", node.id) is None:
            return None
        rows = [
            [
                f"operand {edge.operand + 1}: {self._called(edge.source)}",
                self._number(self.run.graph.nodes[edge.source].value),
            ]
            for edge in self.operands.get(node.id, ())
        ]
        rows.append(["value", self._number(node.value)])
        return {
            "kind": "forward",
            "node": node.id,
            "title": "a leaf: gradients will end here" if node.is_leaf else f"{node.grad_fn} is recorded",
            "what": self._called(node.id),
            "where": self._where(node),
            "rows": rows,
        }

    def _backward(self) -> list[dict[str, Any]]:
        """The steps of the backward pass: the gradients that it starts with, then every contribution."""
        from autodiff_cli.engine.replay import contributions

        graph = self.run.graph
        found = contributions(graph)
        reached = {c.source for c in found}
        steps: list[dict[str, Any]] = []
        begun: set[int] = set()
        for c in found:
            if c.target not in begun and c.target not in reached:
                steps.append(self._start(graph.nodes[c.target]))
            begun.add(c.target)
            steps.append(self._contribution(c, first=c.source not in begun))
            begun.add(c.source)
        return steps

    def _start(self, node: Any) -> dict[str, Any]:
        return {
            "kind": "start",
            "node": node.id,
            "title": "backward starts here",
            "what": self._called(node.id),
            "where": self._where(node),
            "rows": [["gradient", self._number(node.grad)]],
            "total": self._number(node.grad),
        }

    def _contribution(self, c: Any, first: bool) -> dict[str, Any]:
        graph = self.run.graph
        target, source = graph.nodes[c.target], graph.nodes[c.source]
        lost = "not known: a value was changed in place since"
        local = "a Jacobian" if c.local is None else self._number(c.local)
        total = lost if c.total is None else self._number(c.total)
        return {
            "kind": "backward",
            "node": c.source,
            "from": c.target,
            "edge": {view: self._arrow(view, c.source, c.target, c.operand) for view in self.views},
            "title": f"{target.grad_fn} sends to its operand {c.operand + 1}",
            "what": self._called(c.source),
            "where": self._where(source),
            "rows": [
                [f"gradient of {self._called(c.target)}", self._number(c.incoming)],
                ["local derivative", lost if c.product is None else local],
                ["product", lost if c.product is None else self._number(c.product)],
                [f"gradient of {self._called(c.source)}" + ("" if first else ", sum so far"), total],
            ],
            "total": total,
        }

    def _called(self, node: int) -> str:
        """What a person would call a node."""
        from autodiff_cli.views.text import clip, one_line

        n = self.run.graph.nodes[node]
        text = n.name if n.name and (n.is_leaf or not n.text) else n.text or n.name or self._number(n.value)
        return clip(one_line(text), 40, "…")

    def _where(self, node: Any) -> str:
        parts = [] if node.span is None else [f"line {self.source.position(node.span.start).line}"]
        parts += [f"turn {turn:,} of the loop in line {line}" for line, turn in node.loops]
        parts += [f"call {number} of {name}()" if name != "<lambda>" else "a lambda" for name, number in node.calls]
        return ", ".join(parts)

    def _number(self, value: Any) -> str:
        return array_text(value, WIDTH, ofmt=self.options.ofmt, digits=10)


def _from_another_turn(run: Any, source: int, target: int) -> bool:
    """Whether an edge is carried from one turn to the next."""
    a, b = run.graph.nodes[source].loops, run.graph.nodes[target].loops
    return a != b and len(a) == len(b)
