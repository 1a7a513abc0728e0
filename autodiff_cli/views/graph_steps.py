"""The steps of the HTML page: a node that is made, then each contribution of the backward pass.

Each step is text made here, of the numbers that the engine computed (engine/replay.py). A graph that is small enough is
stepped through node by node (`NodeSteps`), whatever is folded in the picture. Of a larger one the steps are those of the
items that are drawn (`GroupSteps`): the numbers of the first turn of a loop and of the last.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.graph_picture import NUMBER, Arrow, Item, Options, Picture, operand_from
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.text import clip, one_line

FORMULA = 48  # columns of a formula
WIDTH = 44  # columns of a number of a step
LOST = "not known: a value was changed in place since"

Pictures = dict[tuple[int, ...], Picture]
Step = dict[str, Any]


class _Steps:
    """What both kinds share: words and numbers."""

    def __init__(self, run: Any, source: Source, pictures: Pictures, options: Options) -> None:
        self.run = run
        self.source = source
        self.pictures = pictures
        self.options = options
        self.backward = False  # whether there was a backward pass

    def _spans(self, node: Any) -> list[tuple[int, int]]:
        """Where in the source a node comes from; of an input, which nothing there makes, where its name stands."""
        if node.span is not None:
            return [tuple(node.span)]
        if not node.name or not node.name.isidentifier():
            return []
        code = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), self.source.text)
        return [match.span() for match in re.finditer(rf"(?<![\w.]){node.name}(?!\w)", code)]

    def _called(self, node: Any) -> str:
        """What a person would call a node."""
        text = node.name if node.name and (node.is_leaf or not node.text) else node.text or node.name
        return clip(one_line(text or self._number(node.value)), 40, "…")

    def _short(self, node: Any) -> str:
        """What the program calls a node where it uses it: by its name, if it has one."""
        return node.name or self._called(node)

    def _where(self, node: Any, turns: int = 1) -> str:
        parts = [] if node.span is None else [f"line {self.source.position(node.span.start).line}"]
        if turns == 1:
            parts += [f"turn {turn:,} of the loop in line {line}" for line, turn in node.loops]
            parts += [f"call {number} of {name}()" if name != "<lambda>" else "a lambda" for name, number in node.calls]
        else:
            parts.append(f"{turns:,} turns")
        return ", ".join(parts)

    def _number(self, value: Any, width: int = WIDTH, digits: int = 10) -> str:
        return array_text(value, width, ofmt=self.options.ofmt, digits=digits)

    def _on_item(self, value: Any) -> str:
        """A gradient as it stands on its item, whose size is that of the finished gradient."""
        return self._number(value, NUMBER, 6)


class NodeSteps(_Steps):
    """The steps of every node of a snapshot, the same for every picture."""

    def __init__(self, run: Any, source: Source, pictures: Pictures, options: Options) -> None:
        super().__init__(run, source, pictures, options)
        self.operands: dict[int, list[Any]] = {}
        for edge in run.graph.edges:
            self.operands.setdefault(edge.target, []).append(edge)
        drawn = set().union(*(self._keys(p).keys() for p in pictures.values()))
        forward = [self._forward(node) for node in run.graph.nodes if node.requires_grad and node.id in drawn]
        backward = self._backward()
        self.steps = forward + backward
        self.forward = len(forward)
        self.backward = bool(backward)

    def document(self) -> dict[str, Any]:
        """What is the same for every picture."""
        nodes = [{"spans": self._spans(node)} for node in self.run.graph.nodes]
        return {"nodes": nodes, "steps": self.steps, "forward": self.forward}

    def view(self, opened: tuple[int, ...]) -> dict[str, Any]:
        """Of one picture: the item of each node, and the arrow of each step."""
        p = self.pictures[opened]
        keys = self._keys(p)
        arrows = {(a.source, a.target, a.operand, a.carried): i for i, a in reversed(list(enumerate(p.arrows)))}
        edges = {}
        for i, step in enumerate(self.steps):
            if step["kind"] == "backward":
                found = self._arrow(keys, arrows, step["node"], step["from"], step["operand"])
                if found is not None:
                    edges[str(i)] = found
        return {"keys": [keys.get(node.id) for node in self.run.graph.nodes], "edges": edges}

    def _keys(self, p: Picture) -> dict[int, int]:
        """The item that each node is drawn as."""
        found = {}
        for node in self.run.graph.nodes:
            key = p.item_of(node.id)
            key = p.inside.get(key, key)
            if key in p.items:
                found[node.id] = key
        return found

    def _arrow(
        self, keys: dict[int, int], arrows: dict[Any, int], source: int, target: int, operand: int
    ) -> int | None:
        """The number of the arrow that an edge is drawn as."""
        a, b = keys.get(source), keys.get(target)
        for i in (operand, 0, 1):
            for carried in (self._from_another_turn(source, target), False, True):
                found = arrows.get((a, b, i, carried))
                if found is not None:
                    return found
        return None

    def _from_another_turn(self, source: int, target: int) -> bool:
        a, b = self.run.graph.nodes[source].loops, self.run.graph.nodes[target].loops
        return a != b and len(a) == len(b)

    def _forward(self, node: Any) -> Step:
        """The step that makes a node: what it is computed of."""
        nodes = self.run.graph.nodes
        rows = [
            [f"operand {edge.operand + 1}: {self._short(nodes[edge.source])}", self._number(nodes[edge.source].value)]
            for edge in self.operands.get(node.id, ())
        ]
        rows.append(["value now: it was changed in place since" if node.changed else "value", self._number(node.value)])
        return {
            "kind": "forward",
            "node": node.id,
            "title": "a leaf: gradients will end here" if node.is_leaf else f"{node.grad_fn} is recorded",
            "what": self._called(node),
            "where": self._where(node),
            "rows": rows,
        }

    def _backward(self) -> list[Step]:
        """The steps of the backward pass: the gradients that it starts with, then every contribution."""
        from autodiff_cli.engine.replay import contributions

        graph = self.run.graph
        found = contributions(graph)
        reached = {c.source for c in found}
        steps: list[Step] = []
        begun: set[int] = set()
        for c in found:
            if c.target not in begun and c.target not in reached:
                steps.append(self._start(graph.nodes[c.target]))
            begun.add(c.target)
            steps.append(self._contribution(c, first=c.source not in begun))
            begun.add(c.source)
        return steps

    def _start(self, node: Any) -> Step:
        return {
            "kind": "start",
            "node": node.id,
            "title": "backward starts here",
            "what": self._called(node),
            "where": self._where(node),
            "rows": [["gradient", self._number(node.grad)]],
            "total": self._on_item(node.grad),
        }

    def _jacobian(self, target: Any, operand: int) -> str:
        """What stands for a local derivative that is no array of the operand's shape."""
        from autodiff_cli.views.explain import local_formula

        operands = [self.run.graph.nodes[edge.source] for edge in self.operands[target.id]]
        text, generic = local_formula(target, operands, operand)
        clear = text is not None and not generic and len(text) <= FORMULA and re.search(r"\bg\b", text)
        return f"a Jacobian: of the gradient g it makes {text}" if clear else "a Jacobian"

    def _contribution(self, c: Any, first: bool) -> Step:
        graph = self.run.graph
        target, source = graph.nodes[c.target], graph.nodes[c.source]
        local = self._jacobian(target, c.operand) if c.local is None else self._number(c.local)
        total = LOST if c.total is None else self._number(c.total)
        return {
            "kind": "backward",
            "node": c.source,
            "from": c.target,
            "operand": c.operand,
            "title": f"{target.grad_fn} sends to its operand {c.operand + 1}",
            "what": self._called(source),
            "where": self._where(source),
            "rows": [
                [f"gradient of {self._called(target)}", self._number(c.incoming)],
                ["local derivative", LOST if c.product is None else local],
                ["product", LOST if c.product is None else self._number(c.product)],
                [f"gradient of {self._called(source)}" + ("" if first else ", sum so far"), total],
            ],
            "total": "not known" if c.total is None else self._on_item(c.total),
        }


class GroupSteps(_Steps):
    """The steps of the items of each picture: with the numbers of the first node and of the last one of an item."""

    def __init__(self, run: Any, source: Source, pictures: Pictures, options: Options) -> None:
        super().__init__(run, source, pictures, options)
        self.views = {opened: self._view(p) for opened, p in pictures.items()}
        self.backward = any(len(view["steps"]) > view["forward"] for view in self.views.values())

    def document(self) -> dict[str, Any]:
        """What is the same for every picture: nothing."""
        return {}

    def view(self, opened: tuple[int, ...]) -> dict[str, Any]:
        """Of one picture: its items as nodes, and the steps."""
        return self.views[opened]

    def _view(self, p: Picture) -> dict[str, Any]:
        number = {key: i for i, key in enumerate(p.items)}
        into: dict[int, list[int]] = {}
        for i, arrow in enumerate(p.arrows):
            into.setdefault(arrow.target, []).append(i)
        tracked = [key for key, item in p.items.items() if item.first.requires_grad]
        forward = [self._forward(p, number, key, into.get(key, [])) for key in tracked]
        backward, edges = self._backward(p, number, tracked, into, len(forward))
        return {
            "nodes": [{"spans": self._spans(item.first)} for item in p.items.values()],
            "keys": list(p.items),
            "steps": forward + backward,
            "forward": len(forward),
            "edges": edges,
        }

    def _pair(self, item: Item, first: Any, last: Any) -> list[str]:
        """The numbers of the first turn and of the last, or the one that there is."""
        texts = ["" if x is None else self._number(x, 24, 7) for x in (first, last)]
        return texts if item.times > 1 else texts[1:]

    def _heading(self, item: Item) -> list[list[str]]:
        return [["", "first turn", "last turn"]] if item.times > 1 else []

    def _forward(self, p: Picture, number: dict[int, int], key: int, into: list[int]) -> Step:
        item = p.items[key]
        node = item.first
        rows = self._heading(item)
        for i in into:
            arrow = p.arrows[i]
            source = p.items[arrow.source]
            first, last = (operand_from(end, arrow, source) for end in (item.first, item.last))
            values = [
                None if at is None else _raw(end.record.inputs[at])
                for end, at in ((item.first, None if arrow.carried else first), (item.last, last))
            ]
            told = f"operand {arrow.operand + 1}: {self._called(source.first)}"
            rows.append([told + (" of the turn before" if arrow.carried else ""), *self._pair(item, *values)])
        rows.append(["value", *self._pair(item, item.first.value, item.last.value)])
        made = f"{node.grad_fn} is recorded" + (f", {item.times:,} times" if item.times > 1 else "")
        return {
            "kind": "forward",
            "node": number[key],
            "title": "a leaf: gradients will end here" if node.is_leaf else made,
            "what": self._called(node),
            "where": self._where(node, item.times),
            "rows": rows,
        }

    def _backward(
        self, p: Picture, number: dict[int, int], tracked: list[int], into: dict[int, list[int]], done: int
    ) -> tuple[list[Step], dict[str, int]]:
        """The steps of the backward pass, latest item first, and the arrow of each."""
        steps: list[Step] = []
        edges: dict[str, int] = {}
        pending: dict[int, int] = {}
        for arrow in p.arrows:
            pending[arrow.source] = pending.get(arrow.source, 0) + 1
        for key in reversed(tracked):
            item = p.items[key]
            if item.last.grad is None:
                continue
            if key in p.roots:
                steps.append(self._start(item, number[key]))
            for i in into.get(key, []):
                arrow = p.arrows[i]
                pending[arrow.source] -= 1
                if p.items[arrow.source].first.requires_grad:
                    edges[str(done + len(steps))] = i
                    steps.append(self._sent(p, number, arrow, last=pending[arrow.source] == 0))
        return steps, edges

    def _start(self, item: Item, node: int) -> Step:
        return {
            "kind": "start",
            "node": node,
            "title": "backward starts here",
            "what": self._called(item.last),
            "where": self._where(item.last),
            "rows": [["gradient", self._number(item.last.grad)]],
            "total": self._on_item(item.last.grad),
        }

    def _sent(self, p: Picture, number: dict[int, int], arrow: Arrow, last: bool) -> Step:
        """What an item sends along one arrow, in its first turn and in its last."""
        from autodiff_cli.engine.replay import local_derivative, sent

        target, source = p.items[arrow.target], p.items[arrow.source]
        ends = [(target.first, None if arrow.carried else operand_from(target.first, arrow, source))]
        ends.append((target.last, operand_from(target.last, arrow, source)))
        known = [(node, i) for node, i in ends if i is not None and node.grad is not None]
        local = {id(node): local_derivative(node, i) for node, i in known}
        product = {id(node): sent(node.record, i, node.grad) for node, i in known}
        pair = [node for node, _ in ends]
        rows = [
            *self._heading(target),
            [f"gradient of {self._called(target.first)}", *self._pair(target, target.first.grad, target.last.grad)],
            ["local derivative", *self._pair(target, *(local.get(id(node)) for node in pair))],
            ["product", *self._pair(target, *(product.get(id(node)) for node in pair))],
        ]
        final = " … ".join(dict.fromkeys(self._pair(source, source.first.grad, source.last.grad)))
        told = f"gradient of {self._called(source.first)} " + (
            "in the end" if last else "in the end, with what is to come"
        )
        rows.append([told, final])
        title = f"{target.first.grad_fn} sends to its operand {arrow.operand + 1}"
        if arrow.carried:
            title += ", of the turn before"
        return {
            "kind": "backward",
            "node": number[arrow.source],
            "from": number[arrow.target],
            "title": title + (f", {arrow.times:,} times" if arrow.times > 1 else ""),
            "what": self._called(source.first),
            "where": self._where(source.first, source.times),
            "rows": rows,
            "total": final if last else "…",
        }


def _raw(x: Any) -> Any:
    """The raw value of an operand as the engine keeps it."""
    return x if isinstance(x, (int, float)) else x.value
