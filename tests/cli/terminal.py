"""A command line in a real pseudo-terminal, with somebody at the keyboard."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>]|\][^\x07]*\x07)")


class Terminal:
    """`autodiff argv...` on a terminal of 80 columns; its user's data are in `home`."""

    def __init__(self, *argv: str, home: Path) -> None:
        self.master, slave = pty.openpty()
        variables = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "XDG_DATA_HOME": str(home), "NO_COLOR": "1"}
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        variables.update(PYTHONPATH=str(ROOT), PROMPT_TOOLKIT_NO_CPR="1")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autodiff_cli", *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=variables,
            cwd=ROOT,
            preexec_fn=_own_terminal,
        )
        os.close(slave)
        self.text = ""
        self.at = 0

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def wait_for(self, text: str, seconds: float = 20.0) -> str:
        """What was shown since the last wait, up to `text`."""
        end = time.monotonic() + seconds
        while (found := self.text.find(text, self.at)) < 0:
            assert time.monotonic() < end, f"no {text!r} in {self.text[self.at :]!r}"
            self._read(0.1)
        shown, self.at = self.text[self.at : found + len(text)], found + len(text)
        return shown

    def ended(self, seconds: float = 20.0) -> int:
        """Wait for the process; its exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, f"still running: {self.text[-300:]!r}"
            self._read(0.05)
        return self.process.returncode

    def _read(self, seconds: float) -> None:
        if select.select([self.master], [], [], seconds)[0]:
            try:
                more = os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                return
            self.text = _ESCAPES.sub("", self.text + more)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.master)


def _own_terminal() -> None:
    """Make the terminal the process's own, so that Ctrl-C reaches it as a signal."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
