"""`autodiff run`: a batch of program files, and whether all of them went well.

One file gives its own status (a failed assert 1, a syntax error 3, ...), several give 1 if one of them
failed.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.cli.arguments import Request, is_a_slip, unknown_option
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.probing import check_alone, probes
from autodiff_cli.cli.progress import Progress
from autodiff_cli.cli.reporting import report, warn
from autodiff_cli.cli.session import check_wrt, execute, input_names, load, show, show_run
from autodiff_cli.cli.sources import batch_files, read_source_file
from autodiff_cli.errors import Fault, Status, UsageFault
from autodiff_cli.nearest import nearest
from autodiff_cli.views.text import Column, Line, one_line, table

Row = list[Line]


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    if not request.words:
        raise UsageFault("there is no file to run", hint="name files or folders: autodiff run samples/")
    files = batch_files(request.words)
    if len(files) == 1:
        rows = [_run_file(env, request, files[0], None)]
        _summary(env, request, rows)
        return Status.DONE
    check_alone(request, files)
    _check_inputs(env, request, files)
    return _run_all(env, request, files)


def _run_all(env: Environment, request: Request, files: list[str]) -> Status:
    rows: list[Row] = []
    failed = 0
    progress = Progress(env, len(files))
    try:
        for number, file in enumerate(files, start=1):
            progress.step(number, file)
            try:
                rows.append(_run_file(env, request, file, progress))
            except Fault as fault:
                failed += 1
                progress.clear()
                report(env, fault, request["json"])
                rows.append([[(file, "name")], [("failed", "failed")], [(_reason(fault), "")]])
    finally:
        progress.clear()
    _summary(env, request, rows)
    if not request["json"]:
        env.tell(f"{len(files) - failed} passed, {failed} failed\n")
    return Status.CHECK_FAILED if failed else Status.DONE


def _run_file(env: Environment, request: Request, file: str, progress: Progress | None) -> Row:
    """Run one file and show what is asked for; its row of the summary.

    `progress` is None when the file is the only one: then every input given has to be one of its own.

    Raises:
        Fault: the file failed.
    """
    source = read_source_file(file, env)
    program = load(request, source)
    if progress is not None and not (request["quiet"] or request["summary"] or request["json"]):
        progress.clear()
        show(env, [[("== ", "quiet"), (file, "name"), (" ==", "quiet")]])
    silent = request["json"] or request["summary"]
    watch, probed = probes(request, program, None if request["json"] else env.write)

    def write(text: str) -> None:
        if progress is not None:
            progress.clear()
        env.write(text)

    from autodiff_cli.runtime.observers import Observers

    result = execute(
        request,
        program,
        names=None if progress is None else input_names(program),
        write=None if silent else write,
        graph=request["graph"] != "none" and not (request["quiet"] or request["summary"]),
        backward=not request["quiet"] or watch is not None,
        observers=Observers(watch=watch),
    )
    check_wrt(request, result)
    if progress is not None:
        progress.clear()
    _show(env, request, file, source, result, {"probes": probed} if watch is not None else {})
    return [[(file, "name")], [("passed", "passed")], _value(request, result)]


def _show(env: Environment, request: Request, file: str, source: Any, result: Any, more: dict[str, Any]) -> None:
    if request["json"]:
        from autodiff_cli.views.document import run_document
        from autodiff_cli.views.json_text import dumps

        document = run_document(result, source, wrt=request["wrt"])
        env.write(dumps({**document, "file": file, **more}) + "\n")
        return
    warn(env, result.warnings)
    if not (request["quiet"] or request["summary"]):
        show_run(env, request, result)


def _check_inputs(env: Environment, request: Request, files: list[str]) -> None:
    """In a batch a value is for the programs that read the name; one that none reads is a slip, told first.

    Raises:
        UsageFault: there is such a name.
    """
    unread = {*request.inputs, *request["no-grad"]}
    if not unread:
        return
    known: set[str] = set()
    for file in files:
        try:
            known |= input_names(load(request, read_source_file(file, env)))
        except Fault:  # told when its turn comes
            continue
    for name in sorted(unread - known):
        close = nearest(name, known)
        if close is None and is_a_slip(name, request.command):
            raise unknown_option(name, request.command)
        raise UsageFault(f"no program of the batch reads {name}", hint=f"did you mean --{close}?" if close else None)


def _summary(env: Environment, request: Request, rows: list[Row]) -> None:
    if request["summary"] and not request["json"]:
        boxes = env.boxes(env.stdout)
        columns = (Column("file", least=20), Column("result"), Column("output", least=20))
        show(env, table(columns, rows, env.width(env.stdout), "\u2026" if boxes else "..."))


def _value(request: Request, result: Any) -> Line:
    from autodiff_cli.views.numbers import array_text

    if result.value is None:
        return []
    text = array_text(result.value, 40, ofmt=request["ofmt"], ascii_only=True)
    return [(f"{one_line(result.output or 'value')} = ", ""), (text, "value")]


def _reason(fault: Fault) -> str:
    """The message in one line, with its line in the file."""
    at = ""
    if fault.source is not None and fault.span is not None:
        at = f"line {fault.source.position(fault.span.start).line}: "
    return at + one_line(fault.message)
