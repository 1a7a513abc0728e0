"""Help pages, made of the tables of commands, options and exit codes: examples first.

`sections` is the one source: `--help` lays it out with Click's formatter, `man.py` as a man page, and the
tests hold the README's tables to the same rows.
"""

from __future__ import annotations

from autodiff_cli.cli.commands import COMMANDS, EXAMPLES, SOURCE_HELP, Command
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.options import OPTIONS, Option
from autodiff_cli.errors import Status, UsageFault
from autodiff_cli.nearest import nearest

Rows = list[tuple[str, str]]
Section = tuple[str, str, Rows]  # heading, paragraph, rows

ABOUT = "PyTorch's dynamic autograd on the command line: values, graphs and gradients of formulas and programs."
STATUS_TEXTS: dict[Status, str] = {
    Status.DONE: "done",
    Status.CHECK_FAILED: "a check failed: an assert in a program, a file of a batch",
    Status.USAGE: "usage: unknown option, missing or unknown input, no such file",
    Status.SYNTAX: "the program has a syntax error",
    Status.RUNTIME: "the program failed while it ran: a type, a shape, a rule of the graph, a limit",
    Status.DATA: "bad data: a value or a file that cannot be read",
    Status.NOT_CONVERGED: "did not converge (of later commands)",
    Status.INCONCLUSIVE: "inconclusive (of later commands)",
    Status.INTERNAL: "a fault of autodiff itself; --debug shows the traceback",
    Status.INTERRUPTED: "ended by Ctrl-C",
}


def command_rows() -> Rows:
    """Each command as a person writes it, with its line."""
    return [(f"{c.name} {c.takes}", c.about) for c in COMMANDS.values() if not c.hidden]


def option_row(option: Option) -> tuple[str, str]:
    """How an option is written, and what it does."""
    short = f"-{option.short}, " if option.short else ""
    metavar = f" {option.metavar}" if option.metavar else ""
    about = option.about
    if isinstance(option.default, int) and option.metavar:
        about += f" (default {option.default:,})"
    return f"{short}{option.spelt}{metavar}", about


def status_rows() -> Rows:
    """The exit codes and what each tells."""
    return [(str(int(status)), text) for status, text in STATUS_TEXTS.items()]


def variable_rows() -> Rows:
    """The variables of the environment and the option that each stands for."""
    rows = [(option.environment_variable, f"as --{option.name}") for option in OPTIONS.values() if option.variable]
    return [*rows, ("NO_COLOR, FORCE_COLOR", "no colours; colours also where there is no terminal")]


def sections(command: Command | None) -> list[Section]:
    """The page of a command, or of the whole (None)."""
    if command is None:
        examples = [(f"autodiff {line}", about) for line, about in EXAMPLES]
        return [
            ("Examples", "", examples),
            ("Usage", usage(command), []),
            ("Commands", "autodiff COMMAND --help tells more of each.", command_rows()),
            ("Programs", SOURCE_HELP, []),
            ("Exit codes", "", status_rows()),
            ("Environment", "Options win over variables.", variable_rows()),
            ("Also", "", [("-h, --help", "show this page"), ("--version", "show the version")]),
        ]
    examples = [(_example(line), about) for line, about in command.examples]
    page: list[Section] = [("Examples", "", examples), ("Usage", usage(command), [])]
    if command.more:
        page.append(("Programs", command.more, []))
    page.append(("Options", "", [option_row(option) for option in command.options]))
    page.append(("Exit codes", "", status_rows()))
    return page


def _example(line: str) -> str:
    return line if "autodiff" in line else f"autodiff {line}"


def usage(command: Command | None) -> str:
    """The line that shows how a command (None: any) is called."""
    return command.usage if command else "autodiff COMMAND SOURCE [--NAME VALUE]... [options]"


def find_command(name: str | None) -> Command | None:
    """The command of a name; None for the whole.

    Raises:
        UsageFault: there is no such command.
    """
    if name is None or name in COMMANDS:
        return COMMANDS.get(name or "")
    close = nearest(name, COMMANDS)
    raise UsageFault(f"there is no command {name}", hint=f"did you mean {close}?" if close else "see autodiff --help")


def help_text(command: Command | None, width: int) -> str:
    """A page as text, at most `width` columns wide."""
    from click.formatting import HelpFormatter

    formatter = HelpFormatter(width=min(width, 110))
    formatter.write_text(command.about if command else ABOUT)
    for heading, paragraph, rows in sections(command):
        with formatter.section(heading):
            if paragraph:
                formatter.write_text(paragraph)
            if rows:
                formatter.write_dl(rows, col_max=46)
    return formatter.getvalue()


def show_help(env: Environment, name: str | None) -> Status:
    """Write a help page to standard output."""
    command = find_command(name)
    env.write(help_text(command, env.width(env.stdout)))
    return Status.DONE
