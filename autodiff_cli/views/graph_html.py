"""The graph as one HTML page: picture and source side by side, and a slider through the run.

The page is html/page.html with its style sheet, its script, the drawn pictures and the data put in; it asks nothing of
a network (its own content policy forbids it). What can be folded by itself, a loop or (past `--depth`) a function, is a
*part*. For every choice of open parts there is a picture that was laid out beforehand, so the script has nothing to lay
out; where there are too many choices, those with few open parts are there, and the page says so.

Invariant: no text of the program is markup: in the data every `<` is escaped, in the pictures all of XML is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from autodiff_cli.source import Source
from autodiff_cli.views.graph_layout import Layout, layout
from autodiff_cli.views.graph_partly import loops_of
from autodiff_cli.views.graph_picture import FOLD_PAST, Options, Picture, call_of, picture
from autodiff_cli.views.graph_steps import GroupSteps, NodeSteps
from autodiff_cli.views.graph_svg import escaped, figure, styles
from autodiff_cli.views.json_text import dumps

MOST = 3_000  # nodes of a graph that is stepped through one by one
ITEMS = 6_000  # of all pictures of a page
CHOICES = 40  # pictures of a page
_DARK = "@media (prefers-color-scheme: dark)"
_MEDIA = {"light": "@media not all", "dark": "@media all"}


class Part(NamedTuple):
    """Something that folds by itself: the loop of a line, or a function. `turns`: the most that a run of it has."""

    line: int = 0
    function: str = ""
    turns: int = 0

    @property
    def words(self) -> str:
        if self.function:
            return "lambda" if self.function == "<lambda>" else f"{self.function}()"
        return f"line {self.line}: {self.turns:,} turns"


def html_text(run: Any, source: Source, options: Options, theme: str = "auto") -> str:
    """The page of a run whose folded graph was asked for."""
    from importlib.resources import files

    folder = files("autodiff_cli.views").joinpath("html")
    page, style, script = (folder.joinpath(f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    pages = _Pages(run, source, options)
    return _filled(
        page,
        {
            "TITLE": escaped(f"{source.name}: graph of {run.folded.count:,} nodes"),
            "SCHEME": {"light": "light", "dark": "dark"}.get(theme, "light dark"),
            "STYLE": styles(theme) + style.replace(_DARK, _MEDIA.get(theme, _DARK)),
            "DRAWINGS": "\n".join(_drawing(i, p, layout(p)) for i, p in enumerate(pages.pictures.values())),
            "DATA": dumps(pages.document())
            .replace("<", "\\u003c")
            .replace("\u2028", "\\u2028")
            .replace("\u2029", "\\u2029"),
            "SCRIPT": script,
        },
    )


def _filled(page: str, parts: dict[str, str]) -> str:
    """The page with each `{{NAME}}` replaced, in one pass: what is put in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def _drawing(number: int, p: Picture, drawn: Layout) -> str:
    width, height = max(drawn.width, 60.0), max(drawn.height, 60.0)
    lines = "\n".join(figure(p, drawn))
    return (
        f'<template id="drawing{number}"><svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">\n{lines}\n</svg></template>'
    )


class _Pages:
    """The pictures of a page by what is open in them (numbers of parts), and the data that the script gets."""

    def __init__(self, run: Any, source: Source, options: Options) -> None:
        self.run = run
        self.source = source
        self.options = options
        self.whole = run.graph.nodes is not None and run.graph.count <= MOST
        self.parts = _parts(run, options)
        self.pictures: dict[tuple[int, ...], Picture] = {}
        left = ITEMS
        wanted = 2 ** len(self.parts)
        for opened in itertools.islice(_choices(len(self.parts)), CHOICES):
            p = self._picture(opened)
            if opened and len(p.items) > left:
                continue
            left -= len(p.items)
            self.pictures[opened] = p
        self.complete = len(self.pictures) == wanted

    def _picture(self, opened: tuple[int, ...]) -> Picture:
        parts = [self.parts[i] for i in opened]
        options = self.options._replace(
            fold=True,
            open_loops=frozenset(part.line for part in parts if part.line),
            open_calls=frozenset(part.function for part in parts if part.function),
        )
        return picture(self.run, self.source, options)

    def document(self) -> dict[str, Any]:
        """What the script needs to know."""
        loops = tuple(i for i, part in enumerate(self.parts) if part.line)
        fold = self.options.fold if self.options.fold is not None else self.run.folded.count > FOLD_PAST
        steps: Any = NodeSteps if self.whole else GroupSteps
        told = steps(self.run, self.source, self.pictures, self.options)
        return {
            "source": self.source.text,
            "name": self.source.name,
            "parts": [part.words for part in self.parts],
            "views": [
                {"open": list(opened), "parts": self._parts_of(p, opened), **told.view(opened)}
                for opened, p in self.pictures.items()
            ],
            "view": 0 if fold or loops not in self.pictures else list(self.pictures).index(loops),
            **told.document(),
            "note": self._note(told.backward),
        }

    def _parts_of(self, p: Picture, opened: tuple[int, ...]) -> dict[str, list[int | None]]:
        """For each item in loops or calls: the part that can be opened at it, and the one that can be folded."""
        number = {part.line or part.function: i for i, part in enumerate(self.parts)}
        found: dict[str, list[int | None]] = {}
        for key, item in p.items.items():
            around = [number.get(line) for line, _ in item.last.loops]
            if self.options.depth is not None:
                around += [number.get(name) for name, _ in item.last.calls[self.options.depth :]]
            there = [i for i in around if i is not None]
            closed = [i for i in there if i not in opened]
            if there:
                found[str(key)] = [
                    closed[0] if closed else None,
                    next((i for i in reversed(there) if i in opened), None),
                ]
        return found

    def _note(self, backward: bool) -> str:
        """What is not on the page."""
        words = [] if backward else ["No backward pass went through this graph."]
        if not self.whole:
            words.append(
                f"The graph has {self.run.folded.count:,} nodes; up to {MOST:,} are stepped through one by one. Here a step "
                "is that of all turns of a loop at once, with the numbers of its first turn and of its last; those between "
                "are not on this page."
            )
        if not self.complete:
            words.append("Not every choice of open loops fits on this page: opening one may fold another.")
        return " ".join(words)


def _parts(run: Any, options: Options) -> list[Part]:
    """What can be folded and opened, in the order of the program."""
    parts: list[Part] = []
    if run.graph.nodes is not None:
        parts += [Part(line=line, turns=turns) for line, turns in loops_of(run.folded).items()]
    if options.depth is not None:
        ends = [node for group in run.folded.groups for node in (group.first, group.last)]
        names = [name for node in ends if call_of(node, options.depth, ()) for name, _ in node.calls[options.depth :]]
        parts += [Part(function=name) for name in dict.fromkeys(names)]
    return parts


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    """Which parts are open: none, each by itself, all, and then two, three, ... of them."""
    every = tuple(range(count))
    yield ()
    yield from ((i,) for i in every if count > 1)
    if count:
        yield every
    for size in range(2, count):
        yield from itertools.combinations(every, size)
