"""`autodiff debug`: a program under control, forward, back, and through the backward pass.

Commands are typed at a prompt, or read from standard input as a script. The exit code is that of the program, if it
has failed where the debugger was left; else, in a script, that of the first command that was wrong.
"""

from __future__ import annotations

import signal
from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.console import Console
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.prompt import Script, Terminal, on_terminal
from autodiff_cli.cli.session import execute, load
from autodiff_cli.cli.sources import one_source, read_source
from autodiff_cli.errors import Status, UsageFault
from autodiff_cli.runtime.debugger import Debugger


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    word = one_source(request.words, "debug")
    if word == "-":
        raise UsageFault(
            "debug reads its commands from standard input, so the program cannot come from there",
            hint="put it into a file: autodiff debug program.ad",
        )
    program = load(request, read_source(word, env))
    typed = on_terminal(env)
    console = Console(env, Script(env), request["ofmt"])
    if typed:
        console.reader = Terminal(env, "debug_history", console.complete)
        env.tell("help lists the commands; Ctrl-D ends\n")
    debugger = Debugger(program, console.control, console.changed, console.told)
    console.debugger = debugger
    before = signal.getsignal(signal.SIGINT)
    if typed:
        signal.signal(signal.SIGINT, _interrupts(debugger))
    try:
        debugger.run(lambda observers, write: execute(request, program, write=write, observers=observers), env.write)
    finally:
        signal.signal(signal.SIGINT, before)
    return console.fault.status if console.fault is not None else console.status


def _interrupts(debugger: Debugger) -> Any:
    """What Ctrl-C does on a terminal: the run stops at its next step; a second time, or while it waits, at once."""

    def handle(_signal: int, _frame: Any) -> None:
        if debugger.running and not debugger.interrupted:
            debugger.interrupted = True
            return
        raise KeyboardInterrupt

    return handle
