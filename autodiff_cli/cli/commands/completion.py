"""`autodiff completion bash|zsh|fish`: the script that makes the Tab key know commands, options and files."""

from __future__ import annotations

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import Status, UsageFault


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    shells = request.command.words
    if len(request.words) != 1 or request.words[0] not in shells:
        given = " ".join(request.words)
        raise UsageFault(
            f"there is no completion for {given}" if given else "which shell?",
            hint=f"write autodiff completion {' or '.join(shells)}",
        )
    from autodiff_cli.cli.clickapp import script

    env.write(script(request.words[0]).rstrip("\n") + "\n")
    return Status.DONE
