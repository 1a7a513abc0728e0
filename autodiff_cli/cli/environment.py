"""All that is known of the outside world: streams, terminals, width, colour. Nothing is bound at import.

Invariant: no other module of this package touches `sys.stdin`, `sys.stdout`, `sys.stderr` or `os.environ`;
so a test runs a command line with an `Environment` of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH_WITHOUT_TERMINAL = 100


class Environment:
    """The streams and variables of one process.

    Attributes:
        stdin: a binary stream, or None where it is closed.
        stdout, stderr: text streams; a closed one is replaced by the null device.
        variables: the process's environment.
        color: `--color`: auto, always or never.
    """

    def __init__(
        self,
        stdin: Any = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.stdin = stdin if stdin is not None else getattr(sys.stdin, "buffer", None)
        self.stdout = _writable(stdout or sys.stdout)
        self.stderr = _writable(stderr or sys.stderr)
        self.variables: Mapping[str, str] = os.environ if variables is None else variables
        self.color = "auto"

    def write(self, text: str) -> None:
        """The result, on standard output."""
        self.stdout.write(text)

    def write_utf8(self, text: str) -> None:
        """A result whose format is UTF-8 whatever the stream's encoding is: dot, SVG, HTML."""
        if (getattr(self.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8":
            self.stdout.write(text)
        else:
            self.write_bytes(text.encode())

    def write_bytes(self, data: bytes) -> None:
        """A result that is no text, on standard output."""
        self.stdout.flush()
        self.stdout.buffer.write(data)

    def tell(self, text: str) -> None:
        """A message, on standard error, after what standard output holds so far."""
        self.stdout.flush()
        self.stderr.write(text)
        self.stderr.flush()

    def is_terminal(self, stream: TextIO) -> bool:
        try:
            return stream.isatty()
        except ValueError:  # closed
            return False

    def colored(self, stream: TextIO) -> bool:
        """Whether to colour what goes to a stream (CLI.md, convention 3)."""
        if self.color != "auto":
            return self.color == "always"
        if self.variables.get("NO_COLOR"):
            return False
        if self.variables.get("FORCE_COLOR", "0") not in ("", "0"):
            return True
        return self.variables.get("TERM") != "dumb" and self.is_terminal(stream)

    def boxes(self, stream: TextIO) -> bool:
        """Whether a stream's encoding has the characters that trees are drawn with."""
        try:
            "└├│●…".encode(getattr(stream, "encoding", None) or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def width(self, stream: TextIO) -> int:
        """Columns of a stream: `COLUMNS`, the terminal's, or 100."""
        columns = self.variables.get("COLUMNS", "")
        if columns.isdigit() and int(columns) > 0:
            return int(columns)
        try:
            if self.is_terminal(stream):
                return os.get_terminal_size(stream.fileno()).columns or WIDTH_WITHOUT_TERMINAL
        except (OSError, ValueError):
            pass
        return WIDTH_WITHOUT_TERMINAL

    def write_rich(self, renderable: RenderableType) -> None:
        """Write what Rich lays out to the result; for what is worth its 40 ms: tables whose cells wrap."""
        from io import StringIO

        from rich.console import Console

        colored = self.colored(self.stdout)
        laid_out = StringIO()
        console = Console(
            file=laid_out,
            width=self.width(self.stdout),
            force_terminal=colored,
            color_system="standard" if colored else None,
            no_color=not colored,
            highlight=False,
            markup=False,
            emoji=False,
        )
        console.print(renderable)
        self.write("".join(line.rstrip() + "\n" for line in laid_out.getvalue().splitlines()))


def _writable(stream: TextIO | None) -> TextIO:
    """The stream, made never to fail on a character that its encoding lacks."""
    if stream is None:  # closed by the caller: `>&-`
        return open(os.devnull, "w", encoding="utf-8")
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream
