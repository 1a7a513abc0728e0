"""Did you mean: the nearest of some names. A guess is shown, never run."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word` in spelling, if one is like it; of equals the first in the alphabet."""
    from difflib import SequenceMatcher

    lowered = word.lower()
    scored = []
    for candidate in sorted(candidates):
        ratio = SequenceMatcher(None, lowered, candidate.lower()).ratio()
        if ratio >= (0.6 if len(word) > 1 else 0.8):
            scored.append((-ratio, candidate))
    return min(scored)[1] if scored else None


def quoted(words: Iterable[str]) -> str:
    """Words as one would type them in a shell, with double quotes where some are needed."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    from shlex import quote

    safe = quote(word)
    if safe == word or any(c in word for c in '"$`\\!'):
        return safe
    return f'"{word}"'
