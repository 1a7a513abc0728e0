"""argv -> `Request`: the command, its SOURCE or files, the inputs' texts, the options.

Click does not read argv here, for two reasons. The grammar isn't one of Click's: any `--NAME VALUE` may be
an input, a SOURCE may begin with a minus (`-x**2`), and options work on either side of it. And importing
Click takes 20 ms of a process that takes 70; so it is loaded for help and completion only (`clickapp.py`),
made of the same tables.

Options are read before inputs: `--json` is the option even where a program reads a name `json` (`--set
json=1` is the input). An input's value is kept as text: whether the program reads the name is known, and
said, first.

Invariant: every option of the command has a value in `Request.options`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autodiff_cli.cli.commands import COMMANDS, EXAMPLES, LATER, Command
from autodiff_cli.cli.options import OPTIONS, Option
from autodiff_cli.errors import UsageFault
from autodiff_cli.nearest import nearest


class Request:
    """What one command line asks for. `request["json"]` is an option's value.

    `second`: the inputs of a second run, those after `--vs`; None without it.
    """

    __slots__ = ("command", "inputs", "options", "second", "words")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.words: list[str] = []  # SOURCE, or files
        self.inputs: dict[str, str] = {}
        self.options: dict[str, Any] = {}
        self.second: dict[str, str] | None = None

    def __getitem__(self, option: str) -> Any:
        return self.options[option]


def wants(argv: Sequence[str], *spellings: str) -> bool:
    """Whether one of these flags stands among the options, whatever else is right or wrong."""
    end = argv.index("--") if "--" in argv else len(argv)
    return any(spelling in argv[:end] for spelling in spellings)


def split_command(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """The command's name (None: there is no word at all) and the rest; options may stand before it."""
    at = 0
    while at < len(argv):
        option, equals = _known(argv[at])
        if option is None:
            break
        at += 1 if option.flag or equals else 2
    if at >= len(argv):
        return None, list(argv)
    return argv[at], [*argv[:at], *argv[at + 1 :]]


def _known(token: str) -> tuple[Option | None, bool]:
    """The option that a token names, and whether its value is attached (`--of=z`)."""
    if token.startswith("--"):
        word, equals, _ = token[2:].partition("=")
        return OPTIONS.get(word), bool(equals)
    for option in OPTIONS.values():
        if option.short and token == f"-{option.short}":
            return option, False
    return None, False


def read_arguments(argv: Sequence[str], variables: Mapping[str, str]) -> Request:
    """The request of a whole command line. `variables` is the process's environment.

    Raises:
        UsageFault: there is no such command or option, or a value is missing or cannot be read.
    """
    name, rest = split_command(argv)
    if name is None:
        raise UsageFault("there is no command", hint=_first_steps())
    command = COMMANDS.get(name)
    if command is None:
        raise _unknown_command(name, argv, rest)
    reader = _Reader(Request(command), rest)
    reader.read()
    reader.fill_in(variables)
    return reader.request


class _Reader:
    def __init__(self, request: Request, tokens: list[str]) -> None:
        self.request = request
        self.tokens = tokens
        self.at = 0
        self.by_spelling: dict[str, Option] = {}
        for option in request.command.options:
            self.by_spelling[f"--{option.name}"] = option
            if option.short:
                self.by_spelling[f"-{option.short}"] = option

    def read(self) -> None:
        """Take all tokens."""
        request, tokens = self.request, self.tokens
        while self.at < len(tokens):
            token = tokens[self.at]
            self.at += 1
            if token == "--":
                request.words += tokens[self.at :]
                return
            spelt, equals, attached = token.partition("=")
            option = self.by_spelling.get(spelt)
            if option is not None and (spelt.startswith("--") or not equals):
                self._option(option, spelt, attached if equals else None)
            elif _names_something(spelt):
                self._input(spelt, attached if equals else None)
            else:
                request.words.append(token)

    def _option(self, option: Option, spelt: str, attached: str | None) -> None:
        options = self.request.options
        if option.flag:
            if attached is not None:
                raise UsageFault(f"{spelt} takes no value", hint=f"write {spelt} alone")
            options[option.name] = True
            if option.name == "vs":
                self.request.second = {}
            return
        text = attached if attached is not None else self._next()
        if text is None:
            raise UsageFault(f"{spelt} needs a value", hint=f"write {spelt} {option.metavar}")
        if option.name == "set":
            for pair in option.read(text, spelt):
                self._bind(*pair)
        elif option.repeatable:
            options[option.name] = options.get(option.name, []) + option.read(text, spelt)
        else:
            options[option.name] = option.read(text, spelt)

    def _input(self, spelt: str, attached: str | None) -> None:
        name = spelt[2:]
        if not self.request.command.inputs or not name.isidentifier():
            raise unknown_option(name, self.request.command)
        text = attached if attached is not None else self._next()
        if text is None:
            if name in OPTIONS:
                raise unknown_option(name, self.request.command)
            close = nearest_option(name, self.request.command)
            raise UsageFault(
                f"{spelt} needs a value",
                hint=f"did you mean --{close}?" if close else f"an input is given as {spelt} 2",
            )
        self._bind(name, text)

    def _bind(self, name: str, text: str) -> None:
        inputs = self.request.inputs if self.request.second is None else self.request.second
        if name in inputs:
            raise UsageFault(f"the input {name} is given twice", hint="leave one of the two out")
        inputs[name] = text

    def _next(self) -> str | None:
        """The value that follows; None where there is none, or an option stands in its place."""
        if self.at >= len(self.tokens):
            return None
        token = self.tokens[self.at]
        spelt = token.partition("=")[0]
        if token == "--" or spelt in self.by_spelling or _names_something(spelt):
            return None
        self.at += 1
        return token

    def fill_in(self, variables: Mapping[str, str]) -> None:
        """The options that were not given: from the environment, or their defaults."""
        options = self.request.options
        for option in self.request.command.options:
            if option.name in options:
                continue
            text = variables.get(option.environment_variable) if option.variable else None
            if text:
                options[option.name] = option.read(text, option.environment_variable)
            else:
                options[option.name] = [] if option.repeatable else False if option.flag else option.default


def _names_something(spelt: str) -> bool:
    """Whether a token (up to its `=`) is an option's or an input's: two dashes and a name, no expression."""
    return spelt.startswith("--") and spelt[2:].replace("-", "_").isidentifier() and spelt[2] != "-"


def nearest_option(name: str, command: Command) -> str | None:
    """The option of a command that a name may be a slip for."""
    return nearest(name, [option.name for option in command.options]) if len(name) > 2 else None


def is_a_slip(name: str, command: Command) -> bool:
    """Whether a name that is no input may be meant for an option: of another command, or one that is nearly so called."""
    if any(option.name == name for option in command.options):
        return False  # given by `--set`
    return name in OPTIONS or nearest_option(name, command) is not None


def unknown_option(name: str, command: Command) -> UsageFault:
    """The fault for an option that a command does not have."""
    close = nearest_option(name, command)
    if name in OPTIONS:
        owners = [c.name for c in COMMANDS.values() if any(option.name == name for option in c.options)]
        has = "has" if len(owners) == 1 else "have"
        listed = f"{', '.join(owners[:-1])} and {owners[-1]}" if owners[1:] else "".join(owners)
        hint = f"{listed} {has} it; see autodiff {command.name} --help"
    elif close:
        hint = f"did you mean --{close}?"
    elif command.inputs and name.replace("-", "_").isidentifier():
        spelt = name.replace("-", "_")
        hint = f"an input is a name of the program: --{spelt}; see also autodiff {command.name} --help"
    else:
        hint = f"see autodiff {command.name} --help"
    return UsageFault(f"{command.name} has no option --{name}", hint=hint)


def _first_steps() -> str:
    return f"for example: autodiff {EXAMPLES[0][0]}\nsee autodiff --help"


def _unknown_command(name: str, argv: Sequence[str], rest: list[str]) -> UsageFault:
    """A word that is no command: one of a later version, a slip, or a program without `eval` before it."""
    from autodiff_cli.cli.quoting import quoted

    if name in LATER:
        hint = LATER[name].format(name=name) or "see autodiff --help for what is there"
        return UsageFault(f"autodiff {name} is planned, and not there yet", hint=hint)
    close = nearest(name, [c.name for c in COMMANDS.values() if not c.hidden])
    if name.startswith("--"):
        return UsageFault(f"there is no option {name}", hint=_first_steps())
    if close and name.isidentifier():
        return UsageFault(f"there is no command {name}", hint=f"did you mean autodiff {close}?")
    if name.isidentifier() and not any(token.startswith("--") for token in rest):
        known = ", ".join(c.name for c in COMMANDS.values() if not c.hidden)
        return UsageFault(
            f"there is no command {name}",
            hint=f"the commands are {known}; an expression needs eval before it",
        )
    return UsageFault(
        "a command is missing before the program", hint=f"did you mean: autodiff {quoted(['eval', *argv])}"
    )
