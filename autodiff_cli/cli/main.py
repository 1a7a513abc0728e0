"""The whole of a process: argv in, an exit code out. All error handling is here.

A `Fault` is shown and gives its own status. Ctrl-C gives 130. A closed pipe ends the process silently with
141, the code of SIGPIPE. Anything else is a fault of this program: 70, with how to report it; the traceback
only with `--debug`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from autodiff_cli.cli.arguments import read_arguments, split_command, wants
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.reporting import report
from autodiff_cli.errors import Fault, Status, UsageFault

BROKEN_PIPE = 141  # 128 + SIGPIPE
COMPLETE = "_AUTODIFF_COMPLETE"  # what a shell's completion script sets


def main(argv: Sequence[str] | None = None, env: Environment | None = None) -> int:
    """Run one command line (without the program's name) and return its exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    env = env or Environment()
    try:
        status = dispatch(argv, env)
        env.stdout.flush()
        return status
    except BrokenPipeError:
        _silence(env)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _flush(env)
        return Status.INTERRUPTED
    except Fault as fault:
        return _report(fault, argv, env)
    except OSError as e:
        reason = (e.strerror or str(e)).lower()
        return _report(UsageFault(f"the result cannot be written: {reason}"), argv, env)
    except MemoryError:
        return _report(Fault("there is not enough memory for this"), argv, env)
    except Exception as e:
        return _report(_internal(e), argv, env, e)


def dispatch(argv: list[str], env: Environment) -> Status:
    """Run one command line, without error handling.

    Raises:
        Fault: of any kind.
    """
    if COMPLETE in env.variables:
        from autodiff_cli.cli.clickapp import complete

        return complete(env, env.variables[COMPLETE])
    name, rest = split_command(argv)
    if wants(argv, "-h", "--help") or name == "help":
        from autodiff_cli.cli.help import show_help

        return show_help(env, (rest[0] if rest else None) if name == "help" else name)
    if wants(argv, "--version"):
        from autodiff_cli import __version__

        env.write(f"autodiff {__version__}\n")
        return Status.DONE
    request = read_arguments(argv, env.variables)
    env.color = request["color"]
    from importlib import import_module

    module = import_module(f"autodiff_cli.cli.commands.{request.command.name}")
    from autodiff_cli.cli.output import redirected

    with redirected(env, request["output"]):
        status: Status = module.run(env, request)
    return status


class InternalFault(Fault):
    """A fault of this program, not of its user."""

    code = "internal"
    status = Status.INTERNAL


def _internal(error: Exception) -> InternalFault:
    told = " ".join(str(error).split()) or "no message"
    return InternalFault(
        f"this is a fault of autodiff itself: {type(error).__name__}: {told}",
        hint="please report it, with the command line and what --debug shows",
    )


def _report(fault: Fault, argv: list[str], env: Environment, cause: Exception | None = None) -> int:
    """Show a fault on standard error; its exit code."""
    try:
        if cause is not None and wants(argv, "--debug"):
            from traceback import format_exception

            env.tell("".join(format_exception(cause)))
        _color(argv, env)
        report(env, fault, wants(argv, "--json"))
    except OSError:
        _silence(env)
    return fault.status


def _color(argv: list[str], env: Environment) -> None:
    """`--color`, where the command line could not be read to its end."""
    for i, token in enumerate(argv):
        word = token.removeprefix("--color=") if token != "--color" else "".join(argv[i + 1 : i + 2])
        if token.startswith("--color") and word in ("auto", "always", "never"):
            env.color = word


def _flush(env: Environment) -> None:
    try:
        env.stdout.flush()
    except OSError:
        _silence(env)


def _silence(env: Environment) -> None:
    """Send what is still buffered nowhere, so that Python's flush at exit has nothing to complain about."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, env.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass
