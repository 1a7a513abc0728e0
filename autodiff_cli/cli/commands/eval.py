"""`autodiff eval`: what the program prints; then its value, its graph, its gradients."""

from __future__ import annotations

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import warn
from autodiff_cli.cli.session import check_wrt, execute, load, show_run
from autodiff_cli.cli.sources import one_source, read_source
from autodiff_cli.errors import Status


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    source = read_source(one_source(request.words, "eval"), env)
    graph = request["graph"] != "none"
    if request["json"]:
        from autodiff_cli.views.document import run_document
        from autodiff_cli.views.json_text import dumps

        result = execute(request, load(request, source), graph=graph)
        check_wrt(request, result)
        env.write(dumps(run_document(result, source, wrt=request["wrt"])) + "\n")
        return Status.DONE
    result = execute(request, load(request, source), write=env.write, graph=graph)
    warn(env, result.warnings)
    check_wrt(request, result)
    show_run(env, request, result)
    return Status.DONE
