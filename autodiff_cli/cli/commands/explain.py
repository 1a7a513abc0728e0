"""`autodiff explain`: how the gradients came to be, step by step."""

from __future__ import annotations

import os
from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import warn
from autodiff_cli.cli.session import check_wrt, execute, load, show
from autodiff_cli.cli.sources import one_source, read_source
from autodiff_cli.errors import Status, UsageFault
from autodiff_cli.source import Source
from autodiff_cli.views.text import Look

FORMAT_OF = {".md": "markdown", ".markdown": "markdown", ".tex": "latex", ".json": "json"}


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`. What the program prints goes to standard error."""
    from autodiff_cli.engine.trail import Trail
    from autodiff_cli.runtime.decisions import Decisions
    from autodiff_cli.runtime.observers import Observers
    from autodiff_cli.views.explain import explanation

    source = read_source(one_source(request.words, "explain"), env)
    to = _format(request)
    if request["forward"]:
        _check_forward(request)
        return _forward(env, request, source, to)
    trail, decisions = Trail(request["pass"]), Decisions() if request["symbolic"] else None
    result = execute(
        request,
        load(request, source),
        write=None if to == "json" else env.tell,
        observers=Observers(trail=trail, watch=decisions),
    )
    check_wrt(request, result)
    _check_pass(request, trail)
    if to != "json":
        warn(env, result.warnings)
    walks: list[Any] = [*trail.walks] or [None]
    explained = [explanation(result, trail, source, request["wrt"], walk) for walk in walks]
    if request["element"]:
        from autodiff_cli.views.explain_element import check_entry

        check_entry(explained, request["element"])
    if decisions is not None:
        return _symbolic(env, request, result, explained, decisions, source, to)
    if to == "json":
        from autodiff_cli.views.explain_json import explain_document
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(explain_document(result, explained, source, wrt=request["wrt"])) + "\n")
    elif to == "text":
        from autodiff_cli.views.explain_text import explain_lines

        wrt, entry = request["wrt"], request["element"] or ()
        show(env, explain_lines(result, explained, _look(env, request), wrt=wrt, all_steps=request["all"], entry=entry))
    else:
        _page(env, request, result, explained, source, to)
    return Status.DONE


def _look(env: Environment, request: Request) -> Look:
    return Look(env.width(env.stdout), env.boxes(env.stdout), request["ofmt"])


def _page(
    env: Environment, request: Request, result: Any, explained: Any, source: Source, to: str, formulas: Any = None
) -> None:
    """The explanation as Markdown or LaTeX."""
    from autodiff_cli.views.explain_page import latex_text, markdown_text

    write = latex_text if to == "latex" else markdown_text
    env.write(
        write(
            result,
            explained,
            source,
            ofmt=request["ofmt"],
            wrt=request["wrt"],
            all_steps=request["all"],
            entry=request["element"] or (),
            formulas=formulas,
        )
    )


def _symbolic(
    env: Environment, request: Request, result: Any, explained: Any, decisions: Any, source: Source, to: str
) -> Status:
    """The derivatives as formulas.

    Raises:
        UsageFault: there was no backward pass, or what it went through has no formula.
    """
    from autodiff_cli.views.explain_symbolic import path_of, symbolic

    if not explained[0].passes:
        raise UsageFault("--symbolic: there was no backward pass, so there is no derivative")
    if len(explained) > 1:
        raise UsageFault("--symbolic is for one pass", hint="name it: --pass 1")
    found = symbolic(explained[0].graph, set(result.inputs))
    path, wrt = path_of(decisions, source), request["wrt"]
    if to == "json":
        from autodiff_cli.views.explain_symbolic_text import symbolic_document
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(symbolic_document(result, found, path, wrt)) + "\n")
    elif to == "text":
        from autodiff_cli.views.explain_symbolic_text import symbolic_lines

        show(env, symbolic_lines(found, path, _look(env, request), wrt, full=request["all"]))
    else:
        _page(env, request, result, explained, source, to, found)
    return Status.DONE


def _forward(env: Environment, request: Request, source: Source, to: str) -> Status:
    """How the graph came to be."""
    from autodiff_cli.runtime.construction import Construction
    from autodiff_cli.runtime.observers import Observers
    from autodiff_cli.views.explain_forward import forward_document, forward_lines

    if to not in ("text", "json"):
        raise UsageFault(f"--forward is told as text or json, not as {to}", hint="leave --forward out, or --to")
    trace = Construction()
    result = execute(
        request,
        load(request, source),
        write=None if to == "json" else env.tell,
        observers=Observers(watch=trace),
        backward=False,
    )
    if to == "json":
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(forward_document(result, trace, source)) + "\n")
        return Status.DONE
    warn(env, result.warnings)
    show(env, forward_lines(result, trace, source, _look(env, request), full=request["all"]))
    return Status.DONE


def _check_forward(request: Request) -> None:
    """Nothing is asked for that is of a backward pass.

    Raises:
        UsageFault: something is.
    """
    for other in ("symbolic", "element", "pass", "wrt"):
        if request[other] not in (None, False, []):
            raise UsageFault(
                f"--forward does not go with --{other}, which is of the backward pass", hint="leave one of the two out"
            )


def _check_pass(request: Request, trail: Any) -> None:
    """The pass asked for is one that the program made.

    Raises:
        UsageFault: it is not.
    """
    wanted, count = request["pass"], trail.count
    if wanted is not None and wanted > count:
        times = {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times")
        raise UsageFault(
            f"--pass {wanted}: the program went backward {times}",
            hint="without --pass the last one is explained" if count else None,
        )


def _format(request: Request) -> str:
    """What `--to` says, else the ending of `-o`, else text."""
    if request["to"] is not None:
        return str(request["to"])
    if request["json"]:
        return "json"
    ending = os.path.splitext(request["output"] or "")[1].lower()
    return FORMAT_OF.get(ending, "text")
