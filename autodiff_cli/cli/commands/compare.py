"""`autodiff compare`: two runs, and what differs between the graphs that they built."""

from __future__ import annotations

from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import warn
from autodiff_cli.cli.session import execute, input_names, load, show
from autodiff_cli.cli.sources import read_source, two_sources
from autodiff_cli.errors import Fault, Status, UsageFault
from autodiff_cli.views.text import Look

ORDINALS = ("first", "second")


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`. What the programs print goes to standard error."""
    words = two_sources(request.words, "compare")
    first = read_source(words[0], env)
    sources = (first, first if words[1] == words[0] else read_source(words[1], env))
    if request.second is None and sources[0] is sources[1]:
        raise UsageFault(
            "there is nothing to compare with",
            hint="inputs of a second run follow --vs: --x 2 --vs --x=-2; or name a second program",
        )
    inputs = (request.inputs, {**request.inputs, **(request.second or {})})
    programs = _load(request, sources, inputs)
    first_run, first_watch = _run(env, request, programs, inputs, 0)
    second_run, second_watch = _run(env, request, programs, inputs, 1)
    runs = (first_run, second_run)
    from autodiff_cli.views.compare import comparison, differing_decisions

    decisions = differing_decisions(first_watch, second_watch, sources)
    compared = comparison(runs[0].graph, runs[1].graph, decisions)
    if request["json"]:
        from autodiff_cli.views.compare_json import compare_document
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(compare_document(runs, compared, sources)) + "\n")
    else:
        from autodiff_cli.views.compare_text import compare_lines

        look = Look(env.width(env.stdout), env.boxes(env.stdout), request["ofmt"])
        show(env, compare_lines(runs, compared, look, all_nodes=request["all"]))
    return Status.CHECK_FAILED if request["exit-code"] and compared.differ else Status.DONE


def _load(request: Request, sources: tuple[Any, Any], inputs: tuple[dict[str, str], dict[str, str]]) -> tuple[Any, Any]:
    """Both programs. An input that neither reads is a slip; one that only one of them reads is the other's alone."""
    request.inputs = {**inputs[0], **inputs[1]}
    first = load(request, sources[0])
    second = first if sources[1] is sources[0] else load(request, sources[1])
    known = input_names(first) | input_names(second)
    if first is not second:
        for i, program in enumerate((first, second)):
            others = known - input_names(program)
            for name in others & set(inputs[i]):
                del inputs[i][name]
    return first, second


def _run(
    env: Environment, request: Request, programs: tuple[Any, Any], inputs: tuple[Any, Any], i: int
) -> tuple[Any, Any]:
    """One of the two runs, and the decisions of it."""
    from autodiff_cli.runtime.decisions import Decisions
    from autodiff_cli.runtime.observers import Observers

    watch = Decisions()
    try:
        result = execute(
            request,
            programs[i],
            inputs=inputs[i],
            write=None if request["json"] else env.tell,
            graph=request["graph"] != "none",
            observers=Observers(watch=watch),
        )
    except Fault as fault:
        fault.message = f"in the {ORDINALS[i]} run: {fault.message}"
        raise
    if not request["json"]:
        warn(env, [f"{ORDINALS[i]} run: {warning}" for warning in result.warnings])
    return result, watch
