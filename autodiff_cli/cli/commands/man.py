"""`autodiff man [COMMAND]`: a help page as a man page, made of the same sections."""

from __future__ import annotations

from autodiff_cli import __version__
from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.help import ABOUT, find_command, sections
from autodiff_cli.errors import Status, UsageFault


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    if len(request.words) > 1:
        raise UsageFault("man takes one command at most")
    env.write(man_page(request.words[0] if request.words else None))
    return Status.DONE


def man_page(name: str | None) -> str:
    """The page in troff's `man` macros.

    Raises:
        UsageFault: there is no such command.
    """
    command = find_command(name)
    title = f"autodiff-{command.name}" if command else "autodiff"
    about = command.about if command else ABOUT.rstrip(".")
    lines = [
        f'.TH "{title.upper()}" "1" "" "autodiff {__version__}"',
        ".SH NAME",
        f"{_text(title)} \\- {_text(about)}",
    ]
    for heading, paragraph, rows in sections(command):
        lines.append(f'.SH "{heading.upper()}"')
        if paragraph:
            lines.append(_text(paragraph))
        for left, right in rows:
            lines += [".TP", f".B {_text(left)}", _text(right)]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Text with what troff would take for its own escaped."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped
