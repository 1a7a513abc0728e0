"""`autodiff stats`: what the graph of a program costs, by operation and by line."""

from __future__ import annotations

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import warn
from autodiff_cli.cli.session import execute, load, show
from autodiff_cli.cli.sources import one_source, read_source
from autodiff_cli.errors import Status


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`. What the program prints goes to standard error."""
    from autodiff_cli.views.stats import LIMIT, stats_document, stats_lines
    from autodiff_cli.views.text import Look

    source = read_source(one_source(request.words, "stats"), env)
    as_json = request["json"]
    result = execute(request, load(request, source), write=None if as_json else env.tell, fold=True, graph_limit=LIMIT)
    document = stats_document(result, source)
    if as_json:
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(document) + "\n")
        return Status.DONE
    warn(env, result.warnings)
    show(env, stats_lines(document, Look(env.width(env.stdout), env.boxes(env.stdout), request["ofmt"])))
    return Status.DONE
