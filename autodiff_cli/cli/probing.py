"""`--probe "7: h, h.grad"`: values on the way, each time a line has run (`runtime/probes.py`).

As text, one line a value on standard output, among what the program prints: `model.ad:7: h = tensor(6.)`. With
`--json`, a list of objects under the key `probes`. A gradient that comes later, with the backward pass, says of which
time that the line ran: `h.grad (time 3)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.errors import Fault, UsageFault


def probes(request: Request, program: Any, write: Callable[[str], None] | None) -> tuple[Any, list[dict[str, Any]]]:
    """What follows a run for the probes of a request (None: there are none), and the list that it fills for `--json`.

    `write` gets the lines; None: they are only kept.

    Raises:
        UsageFault: no statement begins on a probe's line. SyntaxFault: a probe's text is no expression.
    """
    found: list[dict[str, Any]] = []
    if not request["probe"]:
        return None, found
    from autodiff_cli.engine.tensor import Tensor
    from autodiff_cli.runtime.probes import Probes
    from autodiff_cli.views.debug import value_text

    def tell(line: int, text: str, value: Any, time: int) -> None:
        shown = f"({value.message})" if isinstance(value, Fault) else value_text(value)
        if write is not None:
            which = f" (time {time})" if time else ""
            write(f"{program.source.name}:{line}: {text}{which} = {shown}\n")
            return
        raw = value.value if isinstance(value, Tensor) else value
        if hasattr(raw, "copy"):
            raw = raw.copy()
        plain = isinstance(value, Tensor) or raw is None or isinstance(raw, (bool, int, float, str))
        told = {"line": line, "expression": text, "value": raw if plain else shown}
        found.append({**told, "time": time} if time else told)

    return Probes(request["probe"], program, tell), found


def check_alone(request: Request, files: list[str]) -> None:
    """Raises UsageFault where there are probes and several files: a line is one of one program."""
    if request["probe"]:
        raise UsageFault(f"--probe looks at one program, and there are {len(files)} files", hint="name one file")
