"""`autodiff grad`: gradients for scripts: `name<TAB>value`, or the bare number with one `--wrt`."""

from __future__ import annotations

from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import warn
from autodiff_cli.cli.session import check_wrt, execute, load
from autodiff_cli.cli.sources import one_source, read_source
from autodiff_cli.errors import Status


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`.

    What the program itself prints goes to standard error: standard output has the gradients alone.
    """
    from autodiff_cli.views.report import gradient_rows

    source = read_source(one_source(request.words, "grad"), env)
    wanted = request["wrt"]
    as_json = request["json"]
    result = execute(request, load(request, source), write=None if as_json else env.tell)
    check_wrt(request, result)
    rows = gradient_rows(result, wanted)
    if as_json:
        from autodiff_cli.views.document import run_document
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(run_document(result, source, wrt=wanted)) + "\n")
        return Status.DONE
    warn(env, result.warnings)
    for name, _, gradient in rows:
        text = _text(gradient, request["ofmt"])
        env.write(f"{text}\n" if len(wanted) == 1 else f"{name}\t{text}\n")
    return Status.DONE


def _text(gradient: Any, ofmt: str | None) -> str:
    """A number, a JSON list, or `null` where there is no gradient."""
    from autodiff_cli.views.numbers import format_number

    if gradient is None:
        return "null"
    if getattr(gradient, "ndim", 0) == 0:
        return format_number(gradient, ofmt)
    if ofmt is not None:
        return _formatted(gradient.tolist(), ofmt)
    from autodiff_cli.views.json_text import dumps

    return dumps(gradient)


def _formatted(nested: Any, ofmt: str) -> str:
    if isinstance(nested, list):
        return "[" + ", ".join(_formatted(element, ofmt) for element in nested) + "]"
    return (ofmt % nested).strip()
