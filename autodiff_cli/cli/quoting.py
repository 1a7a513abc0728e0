"""Words as one would type them in a shell, for hints that can be pasted."""

from __future__ import annotations

from collections.abc import Iterable


def quoted(words: Iterable[str]) -> str:
    """The words with blanks between them, in quotes where the shell needs some, double ones if those do."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    from shlex import quote

    safe = quote(word)
    if safe == word or any(c in word for c in '"$`\\!'):
        return safe
    return f'"{word}"'
