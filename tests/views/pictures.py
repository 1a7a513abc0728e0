"""Pictures of programs, for the tests of every format."""

from __future__ import annotations

from typing import Any

from autodiff_cli.runtime.program import Program
from autodiff_cli.source import Source
from autodiff_cli.views.graph_picture import Options, Picture, picture

EVERY_KIND = """\
b = x.detach()
def f(a): return a*a + 1
c = f(x) + b*x + k*x + dead*x
for i in range(3): c = sin(c)*y
c
"""
VALUES: dict[str, Any] = {"x": 2.0, "y": 0.5, "k": 4.0, "dead": 1.0}


def run_of(program: str, values: dict[str, Any] | None = None, **options: Any) -> tuple[Any, Source]:
    source = Source(program, "test.ad")
    given = {} if values is None else values
    return Program.load(source).run(given, fold=True, **options), source


def picture_of(program: str, values: dict[str, Any] | None = None, **options: Any) -> Picture:
    run, source = run_of(program, values)
    return picture(run, source, Options(**options))


def every_kind(**options: Any) -> Picture:
    run, source = run_of(EVERY_KIND, VALUES, no_grad=["k"])
    return picture(run, source, Options(**{"depth": 0, "fold": True, "local": True, **options}))


def hostile() -> Picture:
    """Labels with every character that a format could take for its own."""
    text = "".join(chr(i) for i in range(32, 127))
    run, source = run_of("x*2", {"x": 1.0})
    p = picture(run, source, Options())
    items = {}
    for i, start in enumerate(range(0, len(text), 8)):
        item = next(iter(p.items.values()))
        twin = type(item)(item.first, item.last, 1)
        twin.title = text[start : start + 8]
        twin.details = [("kind", "]]></text>"), ("value", "a\nb\\n\"'`--> %% é ∂ \x01")]
        items[i] = twin
    return p._replace(items=items, arrows=[], roots=(0,))
