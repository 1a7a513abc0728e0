"""A command line run in this process, with streams of its own."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO, StringIO
from typing import NamedTuple

from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.main import main


class Stream(StringIO):
    """A text stream that may claim to be a terminal."""

    def __init__(self, terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self.terminal = terminal
        self.claimed = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.claimed

    def isatty(self) -> bool:
        return self.terminal


class Result(NamedTuple):
    status: int
    out: str
    err: str


def autodiff(
    *argv: str,
    stdin: bytes = b"",
    variables: Mapping[str, str] | None = None,
    terminal: bool = False,
    encoding: str = "utf-8",
) -> Result:
    """Run `autodiff argv...` and catch what it says. `terminal`: both streams claim to be one."""
    out, err = Stream(terminal, encoding), Stream(terminal, encoding)
    env = Environment(BytesIO(stdin), out, err, variables or {})
    status = main(list(argv), env)
    return Result(int(status), out.getvalue(), err.getvalue())
