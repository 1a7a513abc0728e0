"""SOURCE on the command line -> the `Source` of a program; files and folders of a batch.

A SOURCE is text unless it ends in `.ad` or `.py` (a path), begins with `@` (a path of any other ending), or
is `-` (standard input). Nothing else is guessed from the file system.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from autodiff_cli.cli.environment import Environment
from autodiff_cli.errors import DataFault, UsageFault
from autodiff_cli.nearest import nearest
from autodiff_cli.source import Source

ENDINGS = (".ad", ".py")


def one_source(words: Sequence[str], command: str) -> str:
    """The only SOURCE among the words of a command line.

    Raises:
        UsageFault: there is none, or several: most often an expression without quotes.
    """
    if len(words) == 1:
        return words[0]
    from autodiff_cli.cli.quoting import quoted

    if not words:
        raise UsageFault(
            "there is no program",
            hint=f'write one in quotes: autodiff {command} "x*y" --x 2 --y 3 (- reads standard input)',
        )
    shown = " ".join(words[:3]) + (" ..." if len(words) > 3 else "")
    second = words[1]
    if second[:1] == "-" and second[1:].isidentifier():
        raise UsageFault(f"{second} is no input", hint=f"an input has two dashes: --{second[1:]} 2")
    files = sum(os.path.exists(word) for word in words)
    if files >= 2 or (files and files == len(words) - 1):
        raise UsageFault(
            f"there are {len(words)} words where one program is expected: {shown}",
            hint="these are names of files, which the shell has put in place of a *: quote the expression, "
            f'as in autodiff {command} "x*y"',
        )
    raise UsageFault(
        f"there are {len(words)} words where one program is expected: {shown}",
        hint=f"quote the expression: autodiff {command} {quoted([' '.join(words)])}",
    )


def two_sources(words: Sequence[str], command: str) -> tuple[str, str]:
    """The two SOURCEs among the words of a command line; the same twice where there is one.

    Raises:
        UsageFault: there is none, or more than two.
    """
    if len(words) == 2 and all(word.endswith(ENDINGS) or word[:1] in "@-" or not word.isidentifier() for word in words):
        return words[0], words[1]
    one = one_source(words, command)
    return one, one


def read_source(word: str, env: Environment) -> Source:
    """The program that a SOURCE stands for.

    Raises:
        UsageFault: there is no such file, or the text is empty. DataFault: it is not text.
    """
    if word == "-":
        content = env.stdin.read() if env.stdin is not None else b""
        text = _decode(content, "<stdin>")
        if not text.strip():
            raise UsageFault("there is no program: standard input is empty")
        return Source(text, "<stdin>")
    if word.startswith("@"):
        return read_file(word[1:])
    if word.endswith(ENDINGS) and "\n" not in word:
        return read_file(word)
    if not word.strip():
        raise UsageFault("there is no program: the text is empty", hint="is a variable of the shell not set?")
    return Source(word)


def read_file(path: str) -> Source:
    """The program in a file.

    Raises:
        UsageFault: it can't be opened. DataFault: it is not text.
    """
    try:
        with open(os.path.expanduser(path), "rb") as file:
            return Source(_decode(file.read(), path), path)
    except (FileNotFoundError, NotADirectoryError):
        raise missing_file(path) from None
    except IsADirectoryError:
        raise UsageFault(f"{path} is a folder", hint=f"its programs are run by: autodiff run {path}") from None
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise UsageFault(f"{path} cannot be read: {reason.lower()}") from None


def read_source_file(path: str, env: Environment) -> Source:
    """The program in a file of a batch; `-` is standard input.

    Raises:
        UsageFault: it can't be opened. DataFault: it is not text.
    """
    return read_source(path, env) if path == "-" else read_file(path)


def missing_file(path: str) -> UsageFault:
    """The fault for a path that leads nowhere, with the nearest name of its folder."""
    folder, name = os.path.split(path)
    try:
        entries = [entry for entry in os.listdir(os.path.expanduser(folder) or ".") if not entry.startswith(".")]
    except OSError:
        return UsageFault(
            f"there is no file {path or repr(path)}", hint=f"there is no folder {folder}" if folder else None
        )
    close = nearest(name, entries)
    return UsageFault(
        f"there is no file {path}", hint=f"did you mean {os.path.join(folder, close)}?" if close else None
    )


def _decode(content: bytes, name: str) -> str:
    """Text in UTF-8, with or without a byte order mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = content.count(b"\n", 0, e.start) + 1
        encoding = "UTF-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "another encoding"
        raise DataFault(
            f"{name}:{line}: this is not UTF-8 text (byte 0x{content[e.start]:02x})",
            hint=f"it seems to be in {encoding}; save the file as UTF-8",
        ) from None


def batch_files(words: Sequence[str]) -> list[str]:
    """The files of a batch, in order: each file, all `*.ad` of a folder, what a pattern matches.

    Raises:
        UsageFault: a word leads to no file.
    """
    found: dict[str, None] = {}
    for word in words:
        here = list(_expand(word))
        if not here:
            raise _nothing(word)
        found.update(dict.fromkeys(here))
    return list(found)


def _expand(word: str) -> Iterator[str]:
    path = os.path.expanduser(word.removeprefix("@"))
    if word == "-" or os.path.isfile(path):
        yield path
    elif os.path.isdir(path):
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
            for name in sorted(names):
                if name.endswith(".ad") and not name.startswith("."):
                    yield os.path.join(folder, name)
    elif os.path.exists(path):  # a pipe: <(...)
        yield path
    elif any(c in word for c in "*?["):
        from glob import glob

        yield from sorted(name for name in glob(path, recursive=True) if os.path.isfile(name))


def _nothing(word: str) -> UsageFault:
    if os.path.isdir(os.path.expanduser(word)):
        return UsageFault(
            f"there is no .ad file in {word}",
            hint=f"other files by pattern: autodiff run '{word.rstrip('/')}/*.py'",
        )
    if any(c in word for c in "*?["):
        return UsageFault(f"no file matches {word}")
    fault = missing_file(word)
    if any(c in word for c in "=()+ ") and fault.hint is None:
        fault.hint = "run takes files; for an expression: autodiff eval"
    return fault
