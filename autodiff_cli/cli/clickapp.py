"""The commands as Click sees them, for completion in shells: built from the same tables, run by nobody."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import get_completion_class

from autodiff_cli.cli.commands import COMMANDS, Command
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.options import Option
from autodiff_cli.errors import Status

VARIABLE = "_AUTODIFF_COMPLETE"


def app() -> click.Group:
    """All commands that are not hidden, with their options and the words they take."""
    shown = {c.name: _command(c) for c in COMMANDS.values() if not c.hidden}
    return click.Group("autodiff", commands=shown, params=[click.Option(["--version"], is_flag=True)])


def _command(command: Command) -> click.Command:
    words: Any = click.Choice(command.words) if command.words else click.Path()
    parameters: list[click.Parameter] = [click.Argument(["words"], type=words, nargs=-1)]
    parameters += [_option(option) for option in command.options if option.name != "help"]
    settings = {
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "help_option_names": ["-h", "--help"],
    }
    return click.Command(command.name, params=parameters, help=command.about, context_settings=settings)


def _option(option: Option) -> click.Option:
    spellings = [f"--{option.name}", option.name.replace("-", "_")]
    if option.short:
        spellings.insert(0, f"-{option.short}")
    if option.flag:
        return click.Option(spellings, is_flag=True, help=option.about)
    kind: Any = click.Choice(option.choices) if option.choices else click.Path() if option.files else str
    return click.Option(spellings, type=kind, help=option.about, multiple=option.repeatable)


def script(shell: str) -> str:
    """The text that a shell sources to complete `autodiff`."""
    completer = get_completion_class(shell)
    assert completer is not None, f"Click has no completion for {shell}"
    return completer(app(), {}, "autodiff", VARIABLE).source()


def complete(env: Environment, instruction: str) -> Status:
    """Answer a shell that asks (`bash_complete` and the like); what is typed stands in its variables."""
    shell = instruction.partition("_")[0]
    completer = get_completion_class(shell)
    if completer is None:
        return Status.USAGE
    env.write(completer(app(), {}, "autodiff", VARIABLE).complete() + "\n")
    return Status.DONE
