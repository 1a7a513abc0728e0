"""Messages on standard error: faults and warnings, as text or as the JSON objects of `--json`."""

from __future__ import annotations

from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import Fault
from autodiff_cli.views.faults import fault_lines, fault_object, warning_lines
from autodiff_cli.views.text import paint


def report(env: Environment, fault: Fault, as_json: bool) -> None:
    """Show a fault."""
    if as_json:
        from autodiff_cli.views.json_text import dumps

        env.tell(dumps({"error": fault_object(fault)}) + "\n")
    else:
        terminal = env.is_terminal(env.stderr)
        lines = fault_lines(fault, width=env.width(env.stderr), boxes=env.boxes(env.stderr), wrap=terminal)
        env.tell(paint(lines, env.colored(env.stderr)))


def warn(env: Environment, warnings: list[str]) -> None:
    """Show the warnings of a run."""
    if warnings:
        env.tell(paint(warning_lines(warnings), env.colored(env.stderr)))
