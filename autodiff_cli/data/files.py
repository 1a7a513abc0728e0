"""Values read from files: `--x @a.npy`, `@a.json`, `@a.csv`, `@a.tsv`.

The format follows the file's ending, never a guess at its content. Nothing in a file is executed: an `.npy`
header is checked against the file's size before its bytes become an array, and pickled objects are refused.

Invariant: what comes back is what `parse_value` gives: a float or a float64 ndarray (with `keep_dtype` the
file's own kind of number: bool, int64, float32 or float64). A file that can't be opened is a UsageFault, one
that can't be understood a DataFault which names the place.
"""

from __future__ import annotations

import os
from typing import Any

from autodiff_cli.data.values import parse_value
from autodiff_cli.errors import DataFault, UsageFault

ENDINGS = (".npy", ".json", ".csv", ".tsv")
_READABLE = f"values are read from files that end in {', '.join(ENDINGS)}"
_OTHER_ENDINGS = {
    ".npz": "an .npz file holds several arrays: save the one as .npy",
    ".txt": "rename it to .csv (commas between the cells) or .tsv (tabs)",
    ".jsonl": "write one JSON list in a .json file",
    ".ndjson": "write one JSON list in a .json file",
    ".xlsx": "save the sheet as .csv",
    ".parquet": "save the table as .csv or .npy",
}


def read_value(text: str, name: str, *, keep_dtype: bool = False) -> Any:
    """The value of input `name` as the command line gives it: a number, a list, or `@FILE`.

    A float or a float64 ndarray; with `keep_dtype`, int and bool stay. Raises DataFault or UsageFault.
    """
    if text.startswith("@"):
        return read_file(text[1:], name, keep_dtype=keep_dtype)
    return parse_value(text, name, keep_dtype=keep_dtype)


def read_file(path: str, name: str, *, keep_dtype: bool = False) -> Any:
    """The value in a file. `path` may begin with `~`.

    Raises UsageFault when the file can't be opened, DataFault when it can't be understood.
    """
    if not path:
        raise UsageFault(f"no file is named for {name}", hint=f"write --{name} @FILE; {_READABLE}")
    path = os.path.expanduser(path)
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS and os.path.exists(path) and not os.path.isdir(path):
        what = f"a file that ends in {ending}" if ending else "a file without an ending"
        hint = _OTHER_ENDINGS.get(ending, _READABLE)
        raise UsageFault(f"{path}: a value cannot be read from {what}", hint=hint)
    content = _read_bytes(path)
    if ending == ".npy":
        from autodiff_cli.data.npy import parse_npy

        return parse_npy(content, path, keep_dtype)
    text = _decode(content, path)
    if ending == ".json":
        return parse_value(text, name, source_name=path, keep_dtype=keep_dtype)
    from autodiff_cli.data.grid import parse_grid

    return parse_grid(text, path, "\t" if ending == ".tsv" else ",", keep_dtype)


def _read_bytes(path: str) -> bytearray:
    """The whole file. A bytearray, because an array over it is to be writable."""
    try:
        with open(path, "rb") as file:
            content = bytearray()
            while chunk := file.read(1 << 20):
                content += chunk
            return content
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path) from None
    except IsADirectoryError:
        raise UsageFault(f"{path} is a folder", hint=f"name a file in it: @{os.path.join(path, 'FILE')}") from None
    except PermissionError:
        raise UsageFault(f"{path} may not be read: permission denied") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        raise UsageFault(f"{path!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _missing(path: str) -> UsageFault:
    from difflib import get_close_matches

    folder, wanted = os.path.split(path)
    try:
        present = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return UsageFault(f"no such file: {path}", hint=f"there is no folder {folder}" if folder else None)
    stems = {entry.lower(): entry for entry in present}
    close = get_close_matches(wanted.lower(), stems, n=2, cutoff=0.7)
    names = [os.path.join(folder, stems[match]) for match in close]
    if names:
        return UsageFault(f"no such file: {path}", hint=f"did you mean {' or '.join(f'@{n}' for n in names)}?")
    return UsageFault(f"no such file: {path}")


def _decode(content: bytearray, path: str) -> str:
    """The text of a file: UTF-8, with or without a byte order mark; UTF-16 where the mark says so."""
    encoding = "utf-16" if bytes(content[:2]) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataFault(f"{path}: line {line} is not text (byte {error.start} is not UTF-8)") from None
    at = text.find("\0")
    if at >= 0:
        raise DataFault(f"{path}: line {text.count(chr(10), 0, at) + 1} is not text: it holds a NUL character")
    if not text.strip():
        raise DataFault(f"{path} is empty")
    return text
