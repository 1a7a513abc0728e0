"""Lines from whoever types: a prompt on a terminal, with history and completion, or a script on standard input.

A `Script` has no prompt, and its lines count, for messages. A `Terminal` (prompt_toolkit, imported when one is made)
keeps its history in the user's data folder.

Invariant: `read` returns None at the end of the input; on a terminal Ctrl-C at the prompt raises KeyboardInterrupt.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from typing import Any

from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import DataFault

Complete = Callable[[str], Iterable[str]]  # the text before the cursor -> the words that may stand at its end
WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"


class Script:
    """Lines of standard input. `line`: the number of the last one that was read."""

    interactive = False

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._ahead: list[str] = []
        self.line = 0

    def read(self, prompt: str = "") -> str | None:
        """The next line without its end.

        Raises:
            DataFault: it is not text.
        """
        found = self._next()
        self.line += found is not None
        return found

    def peek(self) -> str | None:
        """The next line that is not blank; it is read again later, and the blank ones before it, too."""
        for line in self._ahead:
            if line.strip():
                return line
        kept, self._ahead = self._ahead, []
        while (line_read := self._next()) is not None:
            kept.append(line_read)
            if line_read.strip():
                break
        self._ahead = kept
        return kept[-1] if kept and kept[-1].strip() else None

    def _next(self) -> str | None:
        if self._ahead:
            return self._ahead.pop(0)
        raw = self._env.stdin.readline() if self._env.stdin is not None else b""
        if not raw:
            return None
        try:
            text: str = raw.decode("utf-8-sig" if not self.line else "utf-8")
        except UnicodeDecodeError:
            raise DataFault(f"<stdin>:{self.line + 1}: this is not UTF-8 text") from None
        return text.rstrip("\r\n")


class Terminal:
    """A prompt. `finished`: whether a text can be taken as it stands, for input of several lines (None: always)."""

    interactive = True
    line = 0

    def __init__(
        self,
        env: Environment,
        history: str,
        complete: Complete,
        finished: Callable[[str], bool] | None = None,
    ) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion

        class Words(Completer):
            def get_completions(self, document: Any, _event: Any) -> Iterable[Completion]:
                before = document.text_before_cursor
                start = len(before)
                while start and before[start - 1] in WORD + ":":
                    start -= 1
                word = before[start:]
                return [Completion(one, -len(word)) for one in complete(before) if one.startswith(word)]

        self._session: PromptSession[str] = PromptSession(
            history=_history(env, history),
            completer=Words(),
            complete_while_typing=False,
            multiline=finished is not None,
            prompt_continuation="... ",
            key_bindings=None if finished is None else _enter(finished),
            enable_open_in_editor=False,
        )

    def read(self, prompt: str) -> str | None:
        """What was typed; None after Ctrl-D on an empty line.

        Raises:
            KeyboardInterrupt: Ctrl-C.
        """
        before = signal.getsignal(signal.SIGINT)
        try:
            return self._session.prompt(prompt)
        except EOFError:
            return None
        finally:
            signal.signal(signal.SIGINT, before)


def on_terminal(env: Environment) -> bool:
    """Whether somebody types, and looks."""
    isatty = getattr(env.stdin, "isatty", None)
    try:
        return bool(isatty and isatty()) and env.is_terminal(env.stdout)
    except ValueError:
        return False


def _enter(finished: Callable[[str], bool]) -> Any:
    """The key Enter: takes a text that is finished, or begins another line, indented as the last one is."""
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("enter")
    def _(event: Any) -> None:
        buffer = event.current_buffer
        if finished(buffer.text):
            buffer.validate_and_handle()
            return
        line = buffer.document.current_line_before_cursor
        indent = line[: len(line) - len(line.lstrip())]
        buffer.insert_text("\n" + indent + ("    " if line.rstrip().endswith((":", "{")) else ""))

    return bindings


def data_folder(env: Environment) -> str:
    """The folder of this program in the user's data folder (XDG base directories)."""
    base = env.variables.get("XDG_DATA_HOME", "")
    if not os.path.isabs(base):
        home = env.variables.get("HOME") or os.path.expanduser("~")
        base = os.path.join(home, ".local", "share")
    return os.path.join(base, "autodiff")


def _history(env: Environment, name: str) -> Any:
    """The history in a file; in memory alone where the file cannot be written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    folder = data_folder(env)
    path = os.path.join(folder, name)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(path, "ab"):
            pass
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)
