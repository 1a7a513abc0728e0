"""`-o FILE`: the result goes into a file that is written whole or not at all.

A temporary file beside the target takes the text and is renamed over it at the end; after a failure the
target is as it was. What is no regular file (`/dev/null`, a pipe) is written directly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import UsageFault


@contextmanager
def redirected(env: Environment, path: str | None) -> Iterator[None]:
    """While entered, `env.stdout` is the file `path` (None and "-": it stays what it is).

    Raises:
        UsageFault: the file cannot be written.
    """
    if path is None or path == "-":
        yield
        return
    target = os.path.realpath(os.path.expanduser(path))
    direct = os.path.exists(target) and not os.path.isfile(target)
    writing = target if direct else f"{target}.{os.getpid()}.tmp"
    terminal = env.stdout
    try:
        env.stdout = open(writing, "w", encoding="utf-8")  # noqa: SIM115 (closed below)
    except OSError as e:
        raise _unwritable(path, e) from None
    done = False
    try:
        yield
        env.stdout.close()
        if not direct:
            if os.path.exists(target):
                os.chmod(writing, os.stat(target).st_mode & 0o7777)
            os.replace(writing, target)
        done = True
    except OSError as e:
        raise _unwritable(path, e) from None
    finally:
        written, env.stdout = env.stdout, terminal
        if not done:
            _discard(written, None if direct else writing)


def _discard(stream: TextIO, path: str | None) -> None:
    with suppress(OSError):
        stream.close()
    if path is not None and os.path.exists(path):
        os.remove(path)


def _unwritable(path: str, error: OSError) -> UsageFault:
    reason = (error.strerror or str(error)).lower()
    return UsageFault(f"{path} cannot be written: {reason}")
