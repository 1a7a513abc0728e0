"""`autodiff graph`: the graph as a tree, as dot, Mermaid, SVG, PNG, a page to step through, or JSON."""

from __future__ import annotations

import os
from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import warn
from autodiff_cli.cli.session import execute, load, show
from autodiff_cli.cli.sources import one_source, read_source
from autodiff_cli.errors import Status, UsageFault

FORMAT_OF = {
    ".txt": "tree",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".svg": "svg",
    ".png": "png",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}


UNFOLDED_LIMIT = 50_000  # nodes
MOST_ITEMS = {"html": 10_000, "svg": 50_000, "png": 50_000, "dot": 200_000, "mermaid": 200_000}  # of a picture


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`. What the program prints goes to standard error."""
    source = read_source(one_source(request.words, "graph"), env)
    to = _format(request)
    if to == "png" and env.is_terminal(env.stdout):
        raise UsageFault("a PNG is no text for a terminal", hint="write it into a file: -o graph.png")
    result = execute(
        request,
        load(request, source),
        write=None if to == "json" else env.tell,
        fold=True,
        graph_limit=UNFOLDED_LIMIT if request["unfold"] or to == "html" else None,
    )
    assert result.graph is not None
    if request["unfold"] and result.graph.nodes is None:
        raise UsageFault(
            f"--unfold: the graph has {result.graph.count:,} nodes; the limit is {UNFOLDED_LIMIT:,}",
            hint="without --unfold the turns of loops are drawn once",
        )
    if to == "json":
        from autodiff_cli.views.graph_json import graph_document
        from autodiff_cli.views.json_text import dumps

        drawn = None
        if any(
            request[name] is not None and request[name] is not False
            for name in ("fold-loops", "unfold", "depth", "around")
        ):
            from autodiff_cli.views.graph_picture import picture

            drawn = picture(result, source, _options(request, result))
        env.write(dumps(graph_document(result, source, local=request["edges"] == "local", drawn=drawn)) + "\n")
        return Status.DONE
    warn(env, [*result.warnings, *_told(result)])
    _draw(env, request, result, source, to)
    return Status.DONE


def _draw(env: Environment, request: Request, result: Any, source: Any, to: str) -> None:
    """Write the picture in one of the formats that are made of it."""
    from autodiff_cli.views.graph_picture import picture

    options = _options(request, result)
    _refuse_huge(result, options, to)
    if to == "html":
        from autodiff_cli.views.graph_html import html_text

        env.write_utf8(html_text(result, source, options, request["theme"]))
        return
    drawn = picture(result, source, options)
    if to == "tree":
        from autodiff_cli.views.graph_tree import picture_tree
        from autodiff_cli.views.text import Look

        look = Look(env.width(env.stdout), env.boxes(env.stdout), request["ofmt"])
        show(env, picture_tree(drawn, look, options.show, full=request["unfold"]))
    elif to == "dot":
        from autodiff_cli.views.graph_dot import dot_text

        env.write_utf8(dot_text(drawn))
    elif to == "mermaid":
        from autodiff_cli.views.graph_mermaid import mermaid_text

        env.write_utf8(mermaid_text(drawn))
    else:
        from autodiff_cli.views.graph_svg import svg_text

        theme = request["theme"]
        if to == "svg":
            env.write_utf8(svg_text(drawn, theme))
        else:
            from autodiff_cli.views.graph_png import png_bytes

            env.write_bytes(png_bytes(svg_text(drawn, "dark" if theme == "dark" else "light")))


def _refuse_huge(result: Any, options: Any, to: str) -> None:
    """Refuse a picture that no viewer could show, before anything is laid out.

    Raises:
        UsageFault: it would have more items than its format may have.
    """
    folded = result.folded
    fold = options.fold is not False and (
        options.fold or result.graph.nodes is None or to == "html" or folded.count > 60
    )
    items = len(folded.groups) if fold else folded.count
    most = MOST_ITEMS.get(to)
    if most is not None and items > most and options.around is None and options.depth is None:
        raise UsageFault(
            f"the graph has {folded.count:,} nodes, and {items:,} with loops folded: more than a picture can show ({most:,})",
            hint="show a part of it (--around NAME), fold the calls (--depth 0), or take it as data (--to json)",
        )


def _format(request: Request) -> str:
    """What `--to` says, else the ending of `-o`, else a tree.

    Raises:
        UsageFault: the ending is none of a format's.
    """
    if request["to"] is not None:
        return str(request["to"])
    if request["json"]:
        return "json"
    path = request["output"]
    if path is None or path == "-":
        return "tree"
    ending = os.path.splitext(path)[1].lower()
    if ending in FORMAT_OF:
        return FORMAT_OF[ending]
    known = ", ".join(sorted(set(FORMAT_OF.values())))
    raise UsageFault(f"-o {path}: the ending tells no format", hint=f"say which with --to: {known}")


def _options(request: Request, result: Any) -> Any:
    """How the picture is to be.

    Raises:
        UsageFault: there is no such name to look around, or both foldings are asked for.
    """
    from autodiff_cli.views.graph_picture import DEFAULT_SHOW, Options, names_in

    around = request["around"]
    if around is not None and around not in names_in(result):
        from autodiff_cli.nearest import nearest

        known = names_in(result)
        close = nearest(around, known)
        raise UsageFault(
            f"--around {around}: the graph has no {around}",
            hint=f"did you mean --around {close}?" if close else f"its names are {', '.join(known) or 'none'}",
        )
    if request["unfold"] and request["fold-loops"]:
        raise UsageFault("--fold-loops and --unfold contradict each other", hint="leave one of the two out")
    return Options(
        show=tuple(request["show"]) or DEFAULT_SHOW,
        local=request["edges"] == "local",
        fold=True if request["fold-loops"] else False if request["unfold"] else None,
        depth=request["depth"],
        around=around,
        radius=request["radius"],
        ofmt=request["ofmt"],
    )


def _told(result: Any) -> list[str]:
    """What a person should know of the picture, as messages."""
    if not result.folded.links and not any(group.first.requires_grad for group in result.folded.groups):
        return ["the output has no graph: nothing that requires a gradient led to it (--of NAME picks another output)"]
    if result.from_backward:
        return ["the output has no graph; this is the graph that the last backward() went through"]
    return []
