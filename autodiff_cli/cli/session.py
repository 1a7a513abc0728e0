"""What the commands share: running a program as the command line says, and showing the result."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from autodiff_cli.cli.arguments import Request, is_a_slip, unknown_option
from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import Fault, SyntaxFault, UsageFault
from autodiff_cli.nearest import nearest
from autodiff_cli.source import Source
from autodiff_cli.views.text import Line, Look, paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autodiff_cli.runtime.observers import Observers
    from autodiff_cli.runtime.program import Limits, Program, Run


def limits(request: Request) -> Limits:
    """The limits that the options set."""
    from autodiff_cli.runtime.program import Limits

    return Limits(
        max_steps=request["max-steps"],
        max_nodes=request["max-nodes"],
        max_depth=request["max-depth"],
        max_elements=request["max-elements"],
        timeout=request["timeout"],
    )


def load(request: Request, source: Source) -> Program:
    """Read a program; the names that the command line gives values for are inputs of it where it reads them.

    Raises:
        SyntaxFault: the text is not a program of the language.
    """
    from autodiff_cli.runtime.program import Program

    try:
        return Program.load(source, given=frozenset(request.inputs))
    except SyntaxFault as fault:
        _mention_file(fault, source)
        raise


def input_names(program: Program) -> set[str]:
    """The names that a program takes values for."""
    return {info.name for info in program.inputs}


def execute(
    request: Request,
    program: Program,
    *,
    names: set[str] | None = None,
    write: Callable[[str], None] | None = None,
    graph: bool = True,
    backward: bool = True,
    fold: bool = False,
    graph_limit: int | None = None,
    inputs: dict[str, str] | None = None,
    observers: Observers | None = None,
) -> Run:
    """Run a program with the inputs, options and limits of a request.

    `names`: take only these of the inputs given. `write` gets what the program prints, as it prints. `graph`:
    whether to keep a snapshot of the graph; `backward`: whether to go backward where the program doesn't;
    `observers`: who follows the run. `inputs`: the texts of the inputs, in the place of those of the request.
    `fold`: whether to keep the graph folded along its loops; `graph_limit`: nodes that a snapshot may have (None: what
    `--graph` says).

    Raises:
        Fault: whatever is wrong with the inputs, or the run.
    """
    from autodiff_cli.runtime.program import GRAPH_LIMIT

    texts = request.inputs if inputs is None else inputs
    given = {name: text for name, text in texts.items() if names is None or name in names}
    try:
        return program.run(
            bind(program, given, request),
            no_grad=[name for name in request["no-grad"] if names is None or name in names],
            of=request["of"],
            seed=_value(request["seed"], "seed") if request["seed"] is not None else None,
            backward=backward,
            limits=limits(request),
            write=write,
            graph=graph,
            graph_limit=graph_limit or (None if request.options.get("graph") == "full" else GRAPH_LIMIT),
            fold=fold,
            observers=_observers(request, observers),
        )
    except (UsageFault, SyntaxFault) as fault:  # a name that nothing has is a syntax fault, found before the run
        if isinstance(fault, UsageFault):
            _mention_set(fault, program, request)
        _mention_file(fault, program.source)
        raise


def _observers(request: Request, observers: Observers | None) -> Observers:
    """Who follows the run: those given, and a ledger where that is asked for."""
    from autodiff_cli.runtime.observers import NOBODY, Observers

    if not request.options.get("ledger"):
        return observers or NOBODY
    from autodiff_cli.engine.ledger import Ledger

    return Observers(ledger=Ledger(), watch=None if observers is None else observers.watch)


def bind(program: Program, given: dict[str, str], request: Request) -> dict[str, Any]:
    """The values of a program's inputs, read from their texts.

    Raises:
        UsageFault: a name that the program does not read, and that may be an option of another command, or a misspelt
            one. (Other names that it does not read are told by the program itself, whatever their values are.)
        DataFault: a text is no value.
    """
    inputs = {info.name: info for info in program.inputs}
    for name in given:
        if name not in inputs and is_a_slip(name, request.command) and nearest(name, inputs) is None:
            raise unknown_option(name, request.command)
    return {
        name: _value(text, name, keep_dtype=not inputs[name].differentiable) if name in inputs else text
        for name, text in given.items()
    }


def _value(text: str, name: str, keep_dtype: bool = False) -> Any:
    from autodiff_cli.data.files import read_value

    return read_value(text, name, keep_dtype=keep_dtype)


def _mention_set(fault: Fault, program: Program, request: Request) -> None:
    """Where a hint says to give an input by a name that is an option's, say how that is done."""
    for option in request.command.options:
        if fault.hint and any(info.name == option.name for info in program.inputs):
            fault.hint = fault.hint.replace(f"--{option.name} 1.0", f"--set {option.name}=1.0")


def _mention_file(fault: Fault, source: Source) -> None:
    """Where a SOURCE that was taken as text is the name of a file, say how a file is named."""
    text = source.text.strip()
    if source.name == "<command line>" and 0 < len(text) < 256 and "\n" not in text and os.path.exists(text):
        folder = os.path.isdir(text)
        kind, cure = (
            ("folder", f"its programs, write: autodiff run {text}") if folder else ("file", f"it, write @{text}")
        )
        more = f"there is a {kind} of that name; to run {cure}"
        fault.hint = f"{fault.hint}\n{more}" if fault.hint else more


def show(env: Environment, lines: list[Line]) -> None:
    """Write lines to the result."""
    env.write(paint(lines, env.colored(env.stdout)))


def show_run(env: Environment, request: Request, run: Run) -> None:
    """What `eval` shows after what the program has printed: the value, the graph, the gradients."""
    from autodiff_cli.views.report import run_lines

    look = Look(env.width(env.stdout), env.boxes(env.stdout), request["ofmt"])
    show(env, run_lines(run, look, graph=request["graph"], wrt=request["wrt"]))


def check_wrt(request: Request, run: Run) -> None:
    """Every `--wrt` is a name that has a gradient, or may have one.

    Raises:
        UsageFault: one is not.
    """
    wanted = request["wrt"]
    if not wanted:
        return
    from autodiff_cli.views.report import gradient_rows

    known = [row[0] for row in gradient_rows(run)]
    found = {row[0] for row in gradient_rows(run, wanted)}
    for name in wanted:
        if name not in found:
            close = nearest(name, known)
            listed = ", ".join(known) or "none"
            raise UsageFault(
                f"--wrt {name}: the graph of the output has no {name}",
                hint=f"did you mean --wrt {close}?" if close else f"gradients are there for: {listed}",
            )
